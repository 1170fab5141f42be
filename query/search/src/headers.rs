//! Headers of games as the evaluator reads them, column by column.

use std::sync::Arc;

use chess::Outcome;
use evaluator::GameHeader;
use language::facts;
use language::hir::Filter;
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
pub(super) struct Reads(facts::Reads);

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
        Reads(filter.all_reads())
    }

    /// The only thing that is read, if there is just one.
    pub(super) fn only(self) -> Option<Source> {
        let columns = TagColumn::ALL.into_iter().map(Source::Column);
        let colors = [Some(Color::White), Some(Color::Black), None];
        let sources = columns.chain(colors.map(Source::Rating)).chain([Source::Outcome]);
        let mut all = sources.filter(|source| self.0.intersects(source.reads()));
        let only = all.next()?;
        (all.next().is_none() && !self.0.intersects(facts::Reads::GAME_NUMBER)).then_some(only)
    }

    fn column(self, column: TagColumn) -> bool {
        self.0.intersects(Source::Column(column).reads())
    }

    fn ratings(self) -> bool {
        self.0
            .intersects(facts::Reads::WHITE_RATING | facts::Reads::BLACK_RATING | facts::Reads::BEST_RATING)
    }
}

impl Source {
    fn reads(self) -> facts::Reads {
        match self {
            Source::Column(TagColumn::White) => facts::Reads::WHITE,
            Source::Column(TagColumn::Black) => facts::Reads::BLACK,
            Source::Column(TagColumn::Event) => facts::Reads::EVENT,
            Source::Column(TagColumn::Site) => facts::Reads::SITE,
            Source::Column(TagColumn::Date) => facts::Reads::DATE,
            Source::Column(TagColumn::EventDate) => facts::Reads::EVENT_DATE,
            Source::Column(TagColumn::Eco) => facts::Reads::ECO,
            Source::Rating(Some(Color::White)) => facts::Reads::WHITE_RATING,
            Source::Rating(Some(Color::Black)) => facts::Reads::BLACK_RATING,
            Source::Rating(None) => facts::Reads::BEST_RATING,
            Source::Outcome => facts::Reads::OUTCOME,
        }
    }
}

impl Headers {
    /// Reads the columns.
    pub(super) fn read(segment: &Segment, reads: Reads) -> Result<Headers, SearchError> {
        let mut columns = [const { None }; TagColumn::ALL.len()];
        for (slot, column) in columns.iter_mut().zip(TagColumn::ALL) {
            if reads.column(column) {
                *slot = Some(segment.tag_values(column)?);
            }
        }
        let ratings = match reads.ratings() {
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
        let outcomes = match reads.0.intersects(facts::Reads::OUTCOME) {
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
