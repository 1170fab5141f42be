//! A set of squares for every position of a block.

use shakmaty::{Bitboard, Square};

use crate::plane::{Plane, ZERO, is_zero, or, or_and};

/// A set of squares for every position of a block: a plane for every square.
#[derive(Clone, Debug)]
pub(super) struct SetPlanes {
    planes: Vec<Plane>,
    /// The squares whose plane may have a bit; the other planes are undefined and count as zero.
    live: Bitboard,
}

impl SetPlanes {
    /// The empty set everywhere.
    pub(super) fn new() -> SetPlanes {
        SetPlanes {
            planes: vec![ZERO; 64],
            live: Bitboard::EMPTY,
        }
    }

    /// Empties it.
    pub(super) fn clear(&mut self) {
        self.live = Bitboard::EMPTY;
    }

    /// All squares that are in the set of a position of the block are among these.
    pub(super) fn live(&self) -> Bitboard {
        self.live
    }

    /// Where the set is not empty.
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

    /// The plane of a square; `None` if it is in no set.
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

    /// Puts what `read` makes of a plane with any bits on a square that is in no set, if it says that it has positions.
    #[inline]
    pub(super) fn read_into(&mut self, square: Square, read: impl FnOnce(&mut Plane) -> bool) {
        debug_assert!(!self.live.contains(square), "its plane would be lost");
        self.live.set(square, read(&mut self.planes[usize::from(square)]));
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

    /// Makes the plane of a square that of another, without some positions, and with others; the square is left out if it
    /// has none of both.
    #[inline]
    pub(super) fn advance(&mut self, from: Square, to: Square, without: Option<&Plane>, with: Option<&Plane>) {
        let Ok([before, plane]) = self.planes.get_disjoint_mut([usize::from(from), usize::from(to)]) else {
            return;
        };
        match (self.live.contains(from), with) {
            (false, None) => return,
            (false, Some(with)) => *plane = *with,
            (true, None) => match without {
                None => *plane = *before,
                Some(without) => {
                    for ((word, before), without) in plane.iter_mut().zip(before.iter()).zip(without) {
                        *word = before & !without;
                    }
                }
            },
            (true, Some(with)) => {
                let without = without.unwrap_or(&ZERO);
                let sources = before.iter().zip(without).zip(with);
                for (word, ((before, without), with)) in plane.iter_mut().zip(sources) {
                    *word = before & !without | with;
                }
            }
        }
        self.live.add(to);
    }

    /// Adds a set of squares where they are in another one, too.
    #[inline]
    pub(super) fn add_both(&mut self, square: Square, a: &Plane, b: &Plane) {
        let plane = &mut self.planes[usize::from(square)];
        if self.live.contains(square) {
            or_and(plane, a, b);
        } else {
            self.live.add(square);
            for ((word, a), b) in plane.iter_mut().zip(a).zip(b) {
                *word = a & b;
            }
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

    /// Drops squares whose plane is zero.
    pub(super) fn prune(&mut self) {
        for square in self.live {
            if is_zero(&self.planes[usize::from(square)]) {
                self.live.discard(square);
            }
        }
    }
}
