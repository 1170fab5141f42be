//! The headers of a segment's games, as far as columns are about them.

use std::sync::Arc;

use chess::Outcome;
use storage::{Segment, TagColumn, TagValues};
use table::{Cell, days_of};

use super::field::Field;
use crate::error::Result;
use crate::game::Date;

/// What some fields need of the headers of a segment.
#[derive(Debug, Default)]
pub(super) struct Headers {
    tags: [Option<Arc<TagValues>>; TagColumn::ALL.len()],
    ratings: [Option<Arc<[u16]>>; 2],
    outcomes: Option<Arc<[Outcome]>>,
}

impl Headers {
    /// Reads the columns of a segment that these fields need.
    pub(super) fn read(segment: &Segment, fields: &[Field]) -> Result<Headers> {
        let mut headers = Headers::default();
        for field in fields {
            match *field {
                Field::Name(column) | Field::Date(column) | Field::DateText(column) => {
                    headers.tags[column as usize] = Some(segment.tag_values(column)?);
                }
                Field::Year | Field::Month | Field::Day => {
                    headers.tags[TagColumn::Date as usize] = Some(segment.tag_values(TagColumn::Date)?);
                }
                Field::Rating(color) => headers.ratings[color as usize] = Some(segment.ratings(color)?),
                Field::Result => headers.outcomes = Some(segment.outcomes()?),
                _ => {}
            }
        }
        Ok(headers)
    }

    /// What the header of a game says; missing for fields that are about something else.
    pub(super) fn cell(&self, field: &Field, game: u32) -> Cell<'_> {
        let text = |column: TagColumn| {
            let values = self.tags[column as usize].as_ref()?;
            values.get(game)
        };
        let date = |column| text(column).map(Date::of).unwrap_or_default();
        let number = |part: Option<u32>| part.into();
        match *field {
            Field::Name(column) => text(column).filter(|text| *text != "?").into(),
            Field::DateText(column) => text(column).filter(|date| *date != "????.??.??").into(),
            Field::Date(column) => match date(column) {
                Date {
                    year: Some(year),
                    month: Some(month),
                    day: Some(day),
                } => days_of(year, month, day).map_or(Cell::Missing, Cell::Date),
                _ => Cell::Missing,
            },
            Field::Year => number(date(TagColumn::Date).year.map(u32::from)),
            Field::Month => number(date(TagColumn::Date).month.map(u32::from)),
            Field::Day => number(date(TagColumn::Date).day.map(u32::from)),
            Field::Rating(color) => {
                let ratings = self.ratings[color as usize].as_ref();
                let rating = ratings.map(|ratings| ratings[game as usize]);
                number(rating.filter(|&rating| rating > 0).map(u32::from))
            }
            Field::Result => {
                let outcomes = self.outcomes.as_ref();
                outcomes.map(|outcomes| outcomes[game as usize].result()).into()
            }
            _ => Cell::Missing,
        }
    }
}
