//! The named sets of positions that a query reads (docs/language.md#extensions).

use std::sync::Arc;

use evaluator::PositionSets;
use language::hir::{Query, SetName};
use language::{Code, Diagnostic};
use postings::Postings;
use roaring::RoaringBitmap;
use storage::{Sections, SegmentMeta, Snapshot};

use super::{Search, SearchError};

/// The named sets of a query, in the order in which the query names them.
#[derive(Debug)]
pub(super) struct QuerySets(Vec<Arc<Sections>>);

/// The same in one segment.
#[derive(Debug)]
pub(super) struct SegmentSets {
    bitmaps: Vec<RoaringBitmap>,
    /// The same positions, as the planner reads them.
    pub(super) lists: Vec<Arc<Postings>>,
}

/// The same in one game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSets<'s> {
    bitmaps: &'s [RoaringBitmap],
    /// The id of the game's first position.
    first: u32,
}

impl QuerySets {
    /// Reads the sets that the search was not given.
    ///
    /// # Errors
    ///
    /// When there is no such set, it is damaged, or it can't be read.
    pub(super) fn read(search: &Search<'_>, snapshot: &Snapshot) -> Result<QuerySets, SearchError> {
        let read = |set: &SetName| {
            if let Some(sections) = search.options.sets.get(&set.name) {
                return Ok(Arc::clone(sections));
            }
            match snapshot.sets().read(&set.name) {
                Ok(read) => Ok(Arc::new(read.sections)),
                Err(storage::Error::NoSuchSet { .. } | storage::Error::SetName { .. }) => {
                    Err(SearchError::Query(Box::new(unknown(set, &snapshot.sets().names()?))))
                }
                Err(error) => Err(error.into()),
            }
        };
        let sets = search.query.sets.iter().map(read);
        Ok(QuerySets(sets.collect::<Result<_, _>>()?))
    }

    /// The names of the sets that lack games, and how many.
    pub(super) fn incomplete(&self, query: &Query) -> Vec<(String, u64)> {
        let sets = query.sets.iter().zip(&self.0);
        sets.map(|(set, sections)| (set.name.clone(), sections.games_missing()))
            .filter(|(_, games)| *games > 0)
            .collect()
    }

    /// The positions in one segment. What is not covered is not in a set.
    pub(super) fn of(&self, segment: &SegmentMeta) -> SegmentSets {
        let section = |sections: &Arc<Sections>| {
            let section = sections.get(&segment.key);
            section.map(|section| section.positions.clone()).unwrap_or_default()
        };
        let bitmaps: Vec<RoaringBitmap> = self.0.iter().map(section).collect();
        SegmentSets {
            lists: bitmaps.iter().map(|bitmap| Arc::new(bitmap.iter().collect())).collect(),
            bitmaps,
        }
    }
}

impl SegmentSets {
    /// The positions in a game, given the id of its first.
    pub(super) fn of_game(&self, first: u32) -> GameSets<'_> {
        GameSets {
            bitmaps: &self.bitmaps,
            first,
        }
    }
}

impl PositionSets for GameSets<'_> {
    fn contains(&self, set: u32, node: u32) -> bool {
        let bitmap = self.bitmaps.get(set as usize);
        bitmap.is_some_and(|bitmap| bitmap.contains(self.first + node))
    }
}

/// The error for a set that is not there.
fn unknown(set: &SetName, known: &[String]) -> Diagnostic {
    let message = format!("the database has no set `{}`", set.name);
    let diagnostic = Diagnostic::new(Code::UnknownSet, set.span, message);
    diagnostic.help(match known {
        [] => "it has no sets; `cqldex query --save NAME` makes one".to_owned(),
        known => format!("it has {}", known.join(", ")),
    })
}
