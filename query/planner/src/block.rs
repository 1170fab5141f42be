//! Bit planes: one bit for each of 4,096 positions in a row.

use shakmaty::{Bitboard, Square};

/// How many words a plane has. 64 planes of 64 words, a set of squares for every position of a block, are 32 KB, which
/// is what a core's first cache holds.
pub(super) const WORDS: usize = postings::BLOCK_WORDS;

/// One bit for every position of a block.
pub(super) type Plane = postings::Block;

/// No position.
pub(super) const ZERO: Plane = [0; WORDS];
/// Every position.
pub(super) const ONES: Plane = [u64::MAX; WORDS];

#[inline]
pub(super) fn and(into: &mut Plane, other: &Plane) {
    for (word, other) in into.iter_mut().zip(other) {
        *word &= other;
    }
}

#[inline]
pub(super) fn or(into: &mut Plane, other: &Plane) {
    for (word, other) in into.iter_mut().zip(other) {
        *word |= other;
    }
}

#[inline]
pub(super) fn and_not(into: &mut Plane, other: &Plane) {
    for (word, other) in into.iter_mut().zip(other) {
        *word &= !other;
    }
}

#[inline]
pub(super) fn not(into: &mut Plane) {
    for word in into {
        *word = !*word;
    }
}

/// `into |= a & b`
#[inline]
pub(super) fn or_and(into: &mut Plane, a: &Plane, b: &Plane) {
    for ((word, a), b) in into.iter_mut().zip(a).zip(b) {
        *word |= a & b;
    }
}

#[inline]
pub(super) fn is_zero(plane: &Plane) -> bool {
    plane.iter().fold(0, |all, word| all | word) == 0
}

/// A set of squares for every position of a block: a plane for every square.
#[derive(Clone, Debug)]
pub(super) struct SetBlock {
    planes: Vec<Plane>,
    /// The squares whose plane may have a bit; the other planes are garbage and count as zero.
    live: Bitboard,
}

impl SetBlock {
    /// The empty set everywhere.
    pub(super) fn new() -> SetBlock {
        SetBlock {
            planes: vec![ZERO; 64],
            live: Bitboard::EMPTY,
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.live = Bitboard::EMPTY;
    }

    /// The squares that are in the set of some position; the others certainly are not.
    pub(super) fn live(&self) -> Bitboard {
        self.live
    }

    /// Where the set has a square at all.
    pub(super) fn anywhere(&self) -> Plane {
        self.some_of(self.live)
    }

    /// Where the set has one of these squares.
    pub(super) fn some_of(&self, squares: Bitboard) -> Plane {
        let mut planes = (squares & self.live)
            .into_iter()
            .map(|square| &self.planes[usize::from(square)]);
        let mut some = planes.next().copied().unwrap_or(ZERO);
        planes.for_each(|plane| or(&mut some, plane));
        some
    }

    /// The plane of a square; nothing if it is in no set.
    #[inline]
    pub(super) fn get(&self, square: Square) -> Option<&Plane> {
        self.live.contains(square).then(|| &self.planes[usize::from(square)])
    }

    /// The plane of a square for writing; it is made zero if the square was in no set.
    #[inline]
    pub(super) fn plane_mut(&mut self, square: Square) -> &mut Plane {
        let plane = &mut self.planes[usize::from(square)];
        if !self.live.contains(square) {
            self.live.add(square);
            *plane = ZERO;
        }
        plane
    }

    /// Adds positions to a square.
    #[inline]
    pub(super) fn add(&mut self, square: Square, plane: &Plane) {
        let ours = &mut self.planes[usize::from(square)];
        if self.live.contains(square) {
            or(ours, plane);
        } else {
            self.live.add(square);
            *ours = *plane;
        }
    }

    /// Adds the plane of one square to that of another.
    pub(super) fn pass_on(&mut self, from: Square, to: Square) {
        if !self.live.contains(from) {
            return;
        }
        if !self.live.contains(to) {
            self.live.add(to);
            self.planes[usize::from(to)] = self.planes[usize::from(from)];
            return;
        }
        if let Ok([from, to]) = self.planes.get_disjoint_mut([usize::from(from), usize::from(to)]) {
            or(to, from);
        }
    }

    /// Sets the plane of a square.
    #[inline]
    pub(super) fn put(&mut self, square: Square, plane: &Plane) {
        self.live.add(square);
        self.planes[usize::from(square)] = *plane;
    }

    /// Keeps these squares only.
    pub(super) fn retain(&mut self, squares: Bitboard) {
        self.live &= squares;
    }

    /// Forgets squares whose plane is zero.
    pub(super) fn prune(&mut self) {
        for square in self.live {
            if is_zero(&self.planes[usize::from(square)]) {
                self.live.discard(square);
            }
        }
    }
}
