//! Which moves of a game each piece makes: a set of positions for each piece, so that what a piece does later is found
//! without a look at the moves of the others.

use super::GameView;

/// For each piece, a set of the positions that its moves lead to.
#[derive(Clone, Debug, Default)]
pub(super) struct Tracks {
    /// By piece, this number of words.
    stride: usize,
    words: Vec<u64>,
}

impl Tracks {
    /// Forgets the last game.
    pub(super) fn clear(&mut self) {
        self.stride = 0;
        self.words.clear();
    }

    /// Makes room for a game with this number of positions and pieces.
    pub(super) fn begin(&mut self, positions: usize, pieces: usize) {
        self.clear();
        self.stride = positions.div_ceil(bits::BITS as usize);
        self.words.resize(self.stride * pieces, 0);
    }

    /// Notes that a move makes these pieces move.
    pub(super) fn note(&mut self, pieces: u64, node: u32) {
        for id in bits::ones(pieces) {
            let start = self.stride * id as usize;
            bits::insert(&mut self.words[start..start + self.stride], node);
        }
    }

    /// The positions among 64 that a move of one of these pieces leads to.
    #[inline]
    fn word(&self, pieces: u64, index: usize) -> u64 {
        // A persistent variable may hold a piece of another game.
        let of = |id: u32| self.words.get(self.stride * id as usize + index);
        bits::ones(pieces).fold(0, |all, id| all | of(id).copied().unwrap_or(0))
    }
}

impl GameView {
    /// The first position from `from` to `last` that a move of one of these pieces leads to.
    #[inline]
    pub(crate) fn next_move_of(&self, pieces: u64, from: u32, last: u32) -> Option<u32> {
        let tracks = &self.tracks;
        let words = tracks.stride.min(last as usize / bits::BITS as usize + 1);
        bits::next_where(words, from, |index| tracks.word(pieces, index)).filter(|&node| node <= last)
    }

    /// All positions from `from` to `last` that a move of one of these pieces leads to.
    pub(crate) fn moves_of(&self, pieces: u64, from: u32, last: u32) -> impl Iterator<Item = u32> {
        let next = move |from: u32| self.next_move_of(pieces, from, last);
        std::iter::successors(next(from), move |&node| next(node + 1))
    }

    /// Whether at least `count` of the positions from `from` to `last` are reached by a move of one of these pieces.
    pub(crate) fn has_moves_of(&self, pieces: u64, from: u32, last: u32, count: u32) -> bool {
        let (mut found, positions) = (0, from..last + 1);
        for index in from as usize / bits::BITS as usize..=last as usize / bits::BITS as usize {
            if index >= self.tracks.stride {
                break;
            }
            found += (self.tracks.word(pieces, index) & bits::within(index, &positions)).count_ones();
            if found >= count {
                return true;
            }
        }
        count == 0
    }
}
