//! Which moves the men of a game have made at a move, while its moves are gone through in order.

use crate::expr::tracks::Track;

/// How many men there are at most.
const MOST_TRACKS: usize = 64;

/// The men of a game at one of its moves.
#[derive(Debug)]
pub(super) struct Standing {
    /// By man, how many moves it has made.
    made: [u32; MOST_TRACKS],
}

impl Standing {
    /// At the beginning of the game.
    pub(super) fn at_start() -> Standing {
        Standing { made: [0; MOST_TRACKS] }
    }

    /// The number of the next move of a man, from a position on: the current one. Castling moves two men, one of which has
    /// moved already.
    #[inline]
    pub(super) fn next(&self, track: &Track<'_>, index: usize, position: u32) -> usize {
        let made = self.made[index % MOST_TRACKS] as usize;
        match made.checked_sub(1) {
            Some(last) if track.moves[last].position >= position => last,
            _ => made,
        }
    }

    /// The man makes its next move; returns the number of that.
    #[inline]
    pub(super) fn move_on(&mut self, index: usize) -> usize {
        let made = &mut self.made[index % MOST_TRACKS];
        *made += 1;
        *made as usize - 1
    }
}
