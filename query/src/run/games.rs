//! Headers of games as the evaluator reads them, and filters on whole games.

use std::sync::Arc;

use shakmaty::Color;
use storage::{MoveTree, Outcome, Segment, Start, TagColumn, TagValues};

use super::SearchError;
use super::worker::Worker;
use crate::eval::{GameHeader, GameInfo, GameView};
use crate::hir::{Filter, Metadata, Node};
use crate::plan::GameRanges;

/// The header columns of a segment that a query reads.
#[derive(Debug)]
pub(super) struct Headers {
    columns: [Option<Arc<TagValues>>; 7],
    ratings: Option<[Arc<[u16]>; 2]>,
    outcomes: Option<Arc<[Outcome]>>,
}

/// Which parts of a header some filters read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reads {
    columns: [bool; 7],
    ratings: bool,
    outcomes: bool,
    number: bool,
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
                Node::Elo(_) => reads.ratings = true,
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

    /// The only column that is read, if nothing else is.
    fn only_column(self) -> Option<TagColumn> {
        let mut columns = TagColumn::ALL
            .into_iter()
            .filter(|&column| self.columns[column as usize]);
        let column = columns.next()?;
        (columns.next().is_none() && !self.ratings && !self.outcomes && !self.number).then_some(column)
    }
}

impl Headers {
    /// Reads the columns.
    pub(super) fn read(segment: &Segment, reads: Reads) -> Result<Headers, SearchError> {
        let mut columns = [const { None }; 7];
        for (slot, column) in columns.iter_mut().zip(TagColumn::ALL) {
            if reads.columns[column as usize] {
                *slot = Some(segment.tag_values(column)?);
            }
        }
        let ratings = match reads.ratings {
            true => Some([segment.ratings(Color::White)?, segment.ratings(Color::Black)?]),
            false => None,
        };
        let outcomes = if reads.outcomes {
            Some(segment.outcomes()?)
        } else {
            None
        };
        Ok(Headers {
            columns,
            ratings,
            outcomes,
        })
    }

    /// The header of a game; what was not read is as in a game without tags.
    pub(super) fn of(&self, game: u32) -> GameHeader<'_> {
        let text = |column: TagColumn| {
            self.columns[column as usize]
                .as_ref()
                .and_then(|values| values.get(game))
        };
        let ratings = self.ratings.as_ref().map_or([0; 2], |ratings| {
            // The array's order is that of `Color`.
            let mut both = [0; 2];
            both[Color::White as usize] = ratings[0][game as usize];
            both[Color::Black as usize] = ratings[1][game as usize];
            both
        });
        GameHeader {
            white: text(TagColumn::White),
            black: text(TagColumn::Black),
            event: text(TagColumn::Event),
            site: text(TagColumn::Site),
            date: text(TagColumn::Date),
            event_date: text(TagColumn::EventDate),
            eco: text(TagColumn::Eco),
            ratings,
            outcome: self
                .outcomes
                .as_ref()
                .map_or(Outcome::Unknown, |outcomes| outcomes[game as usize]),
        }
    }
}

/// The positions of the games that a filter on games lets through.
pub(super) fn game_ranges(
    segment: &Segment,
    starts: &[u32],
    filter: &Filter,
    worker: &mut Worker<'_>,
) -> Result<GameRanges, SearchError> {
    let reads = Reads::of(filter);
    let headers = Headers::read(segment, reads)?;
    let games = segment.meta().games;
    let mut view = GameView::default();
    view.load(
        &MoveTree {
            start: Start::Standard,
            moves: Vec::new(),
            branches: Vec::new(),
        },
        false,
    );
    let mut ask = |game: u32| {
        view.number = game_number(segment, game);
        let header = headers.of(game);
        worker.evaluator.holds(
            filter,
            &view,
            GameInfo {
                header: &header,
                text: None,
            },
        )
    };
    let mut ranges = GameRanges::new();
    let mut take = |game: u32| {
        let range = starts[game as usize]..starts[game as usize + 1];
        match ranges.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => ranges.push(range),
        }
    };
    match reads.only_column() {
        Some(column) => {
            // Each distinct value is asked about once, at the first game that has it.
            let values = segment.tag_values(column)?;
            let mut known = vec![None; values.distinct().len()];
            for game in 0..games {
                let slot = &mut known[values.code(game) as usize];
                let holds = match *slot {
                    Some(holds) => holds,
                    None => {
                        let holds = ask(game)?;
                        *slot = Some(holds);
                        holds
                    }
                };
                if holds {
                    take(game);
                }
            }
        }
        None => {
            for game in 0..games {
                if ask(game)? {
                    take(game);
                }
            }
        }
    }
    Ok(ranges)
}

/// The number of a game as users and CQL see it, from 1.
pub(super) fn game_number(segment: &Segment, game: u32) -> u32 {
    u32::try_from(segment.meta().first_game + u64::from(game) + 1).unwrap_or(u32::MAX)
}
