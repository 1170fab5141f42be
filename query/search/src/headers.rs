//! Headers of games as the evaluator reads them, column by column.

use std::sync::Arc;

use chess::Outcome;
use evaluator::GameHeader;
use language::hir::{Filter, Metadata, Node};
use shakmaty::Color;
use storage::{Segment, TagColumn, TagValues};

use super::SearchError;

/// The header columns of a segment that a query reads.
#[derive(Debug)]
pub(super) struct Headers {
    columns: [Option<Arc<TagValues>>; TagColumn::ALL.len()],
    ratings: Option<[Arc<[u16]>; 2]>,
    outcomes: Option<Arc<[Outcome]>>,
}

/// Which parts of a header some filters read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    columns: [bool; TagColumn::ALL.len()],
    /// Of White, of Black, the better one of both.
    ratings: [bool; 3],
    outcomes: bool,
    number: bool,
}

/// A part of a header that has one value in each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A tag.
    Column(TagColumn),
    /// The rating of a player; without a color, the better one of both.
    Rating(Option<Color>),
    /// How the game ended.
    Outcome,
}

impl Reads {
    /// What a filter reads.
    pub(super) fn of(filter: &Filter) -> Reads {
        let mut reads = Reads::default();
        filter.any(&mut |filter| {
            let mut read = |column: TagColumn| reads.columns[column as usize] = true;
            match &filter.node {
                Node::Metadata(Metadata::Player(Color::White)) => read(TagColumn::White),
                Node::Metadata(Metadata::Player(Color::Black)) => read(TagColumn::Black),
                Node::Metadata(Metadata::BothPlayers) => {
                    [TagColumn::White, TagColumn::Black].into_iter().for_each(read);
                }
                Node::Metadata(Metadata::Event) => read(TagColumn::Event),
                Node::Metadata(Metadata::Site) => read(TagColumn::Site),
                Node::Metadata(Metadata::Date) | Node::Year => read(TagColumn::Date),
                Node::Metadata(Metadata::EventDate) => read(TagColumn::EventDate),
                Node::Metadata(Metadata::Eco) => read(TagColumn::Eco),
                Node::Hhdb(_) | Node::HhdbAward(_) => [TagColumn::White, TagColumn::Black, TagColumn::Event]
                    .into_iter()
                    .for_each(read),
                Node::Elo(Some(color)) => reads.ratings[*color as usize] = true,
                Node::Elo(None) => reads.ratings[2] = true,
                Node::Result(_) => reads.outcomes = true,
                Node::GameNumber => reads.number = true,
                _ => {}
            }
            false
        });
        reads
    }

    /// Also the outcomes, if the query's header asks for them.
    pub(super) fn add_outcomes(&mut self, outcomes: bool) {
        self.outcomes |= outcomes;
    }

    /// The only thing that is read, if there is just one.
    pub(super) fn only(self) -> Option<Source> {
        let columns = TagColumn::ALL
            .into_iter()
            .filter(|&column| self.columns[column as usize])
            .map(Source::Column);
        let colors = [Some(Color::White), Some(Color::Black), None].into_iter();
        let ratings = colors
            .filter(|color| self.ratings[color.map_or(2, |color| color as usize)])
            .map(Source::Rating);
        let outcome = self.outcomes.then_some(Source::Outcome);
        let mut all = columns.chain(ratings).chain(outcome);
        let only = all.next()?;
        (all.next().is_none() && !self.number).then_some(only)
    }
}

impl Headers {
    /// Reads the columns.
    pub(super) fn read(segment: &Segment, reads: Reads) -> Result<Headers, SearchError> {
        let mut columns = [const { None }; TagColumn::ALL.len()];
        for (slot, column) in columns.iter_mut().zip(TagColumn::ALL) {
            if reads.columns[column as usize] {
                *slot = Some(segment.tag_values(column)?);
            }
        }
        let ratings = match reads.ratings.contains(&true) {
            true => {
                // In the order of `Color`.
                let mut both = [segment.ratings(Color::White)?, segment.ratings(Color::Black)?];
                if Color::White as usize != 0 {
                    both.reverse();
                }
                Some(both)
            }
            false => None,
        };
        let outcomes = match reads.outcomes {
            true => Some(segment.outcomes()?),
            false => None,
        };
        Ok(Headers {
            columns,
            ratings,
            outcomes,
        })
    }

    /// A column that was read.
    pub(super) fn column(&self, column: TagColumn) -> Option<&TagValues> {
        self.columns[column as usize].as_deref()
    }

    /// The ratings, if they were read, in the order of [`Color`].
    pub(super) fn ratings(&self) -> Option<[&[u16]; 2]> {
        self.ratings
            .as_ref()
            .map(|both| both.each_ref().map(|ratings| &**ratings))
    }

    /// The outcomes, if they were read.
    pub(super) fn outcomes(&self) -> Option<&[Outcome]> {
        self.outcomes.as_deref()
    }

    /// The header of a game; what was not read is as in a game without tags.
    pub(super) fn of(&self, game: u32) -> GameHeader<'_> {
        let mut header = GameHeader::default();
        for column in TagColumn::ALL {
            if let Some(values) = self.column(column) {
                set(&mut header, column, values.get(game));
            }
        }
        if let Some(both) = self.ratings() {
            header.ratings = both.map(|ratings| ratings[game as usize]);
        }
        if let Some(outcomes) = self.outcomes() {
            header.outcome = outcomes[game as usize];
        }
        header
    }
}

/// Puts the value of a column where it belongs.
pub(super) fn set<'a>(header: &mut GameHeader<'a>, column: TagColumn, value: Option<&'a str>) {
    let field = match column {
        TagColumn::White => &mut header.white,
        TagColumn::Black => &mut header.black,
        TagColumn::Event => &mut header.event,
        TagColumn::Site => &mut header.site,
        TagColumn::Date => &mut header.date,
        TagColumn::EventDate => &mut header.event_date,
        TagColumn::Eco => &mut header.eco,
    };
    *field = value;
}
