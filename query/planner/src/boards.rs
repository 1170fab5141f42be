//! Where men stand at a few positions, read from their boards instead of the lists of men on squares.
//!
//! A condition such as `not k attacks [A_]` reads the lists of nearly all men on all squares. Where few positions are left,
//! most of what is read is about others; then it takes less time to rebuild the boards of the positions that are left.

use std::fmt::Debug;

use chess::{Mailbox, Man, PackedMove};
use postings::Term;
use shakmaty::Square;

use crate::lists::LoadedPostings;

/// The boards of a segment.
pub trait Boards: Debug {
    /// Calls `each` with the board of each of some positions and its place among them. The positions are ascending;
    /// those behind the last one of the segment have no board. Who implements this keeps errors of reading to himself.
    fn visit(&self, positions: &mut dyn Iterator<Item = u32>, each: &mut dyn FnMut(u32, &Mailbox));

    /// Calls `each` with the first board of a game and the moves of its main line; not at all if they can't be read.
    fn line(&self, game: u32, each: &mut dyn FnMut(&Mailbox, &[PackedMove]));
}

/// The slots of the lists of men on squares, which boards stand in for.
#[derive(Debug)]
pub(crate) struct Placements<'a> {
    pub(crate) boards: &'a dyn Boards,
    /// By man and square; [`Placements::NONE`] if the list is not asked for.
    slots: Box<[u16]>,
}

impl<'a> Placements<'a> {
    const NONE: u16 = u16::MAX;

    pub(crate) fn new(boards: &'a dyn Boards, loaded: &LoadedPostings) -> Placements<'a> {
        let slot = |man, square| loaded.slot(Term::Placement(man, square));
        let slots = Man::all().flat_map(|man| {
            Square::ALL.map(|square| {
                slot(man, square)
                    .and_then(|slot| u16::try_from(slot).ok())
                    .unwrap_or(Placements::NONE)
            })
        });
        Placements {
            boards,
            slots: slots.collect(),
        }
    }

    /// The slots of all lists that boards stand in for.
    pub(crate) fn slots(&self) -> impl Iterator<Item = usize> {
        let used = self.slots.iter().filter(|&&slot| slot != Placements::NONE);
        used.map(|&slot| usize::from(slot))
    }

    /// Calls `each` with the slot of each man of a board that has one.
    #[inline]
    pub(crate) fn for_each(&self, board: &Mailbox, mut each: impl FnMut(usize)) {
        for (square, man) in board.men().iter().enumerate() {
            if let Some(&slot) = self.slots.get(man.index() * 64 + square)
                && slot != Placements::NONE
            {
                each(usize::from(slot));
            }
        }
    }
}
