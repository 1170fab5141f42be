//! What the `relation` filters of a query know of one game.

mod board;
mod index;

pub(crate) use board::{EchoMap, Tally};

use language::hir::Filter;
use shakmaty::Bitboard;

use self::index::Index;
use crate::game::GameView;
use crate::nodes::NodeSet;
use crate::per_filter::PerFilter;
use crate::sequence::is_fixed;

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Relations {
    /// The positions of the game; `None` until a relation is evaluated in it.
    pub(crate) index: Option<Index>,
    values: PerFilter<Values>,
    /// Buffers.
    pub(crate) nodes: Vec<NodeSet>,
}

/// The values of a filter at the positions where it was evaluated.
#[derive(Debug)]
struct Values {
    /// Whether the filter has only one value at a position.
    is_fixed: bool,
    /// By position; empty until the filter is evaluated in a game.
    known: Vec<Option<Bitboard>>,
}

impl Relations {
    /// Forgets what belongs to one game.
    pub(super) fn start_game(&mut self) {
        self.index = None;
        self.values.iter_mut().for_each(|values| values.known.clear());
    }

    /// Indexes the game, if that has not been done.
    pub(crate) fn read(&mut self, game: &GameView) {
        if self.index.is_none() {
            self.index = Some(Index::of(game));
        }
    }

    /// Where the values of a filter are kept, and whether it has only one value at a position.
    pub(crate) fn values(&mut self, filter: &Filter, positions: usize) -> (usize, bool) {
        let place = self.values.place_or_insert(filter.id(), || Values {
            is_fixed: is_fixed(filter),
            known: Vec::new(),
        });
        let values = self.values.at(place);
        if values.known.is_empty() {
            values.known.resize(positions, None);
        }
        (place, values.is_fixed)
    }

    /// The value at a position, if it is known.
    pub(crate) fn value(&mut self, place: usize, node: u32) -> Option<Bitboard> {
        self.values.at(place).known[node as usize]
    }

    pub(crate) fn keep_value(&mut self, place: usize, node: u32, value: Bitboard) {
        self.values.at(place).known[node as usize] = Some(value);
    }
}
