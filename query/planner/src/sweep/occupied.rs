//! Where men stand, of one color or of both, for all positions of a block at once: computed square by square, as asked for.

use chess::Man;
use postings::Term;
use shakmaty::{Bitboard, ByColor, Color, Role, Square};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::plane::{Plane, ZERO};

/// The squares of the men in a block, as far as they were computed.
#[derive(Debug)]
pub(super) struct Occupied {
    all: Squares,
    colors: ByColor<Squares>,
    block: u32,
}

/// Some squares, and which of them were computed.
#[derive(Debug)]
struct Squares {
    squares: SetPlanes,
    known: Bitboard,
}

impl Squares {
    fn forget(&mut self) {
        self.squares.clear();
        self.known = Bitboard::EMPTY;
    }
}

impl Occupied {
    /// The memory, for other sets.
    pub(super) fn into_sets(self) -> [SetPlanes; 3] {
        [self.all, self.colors.white, self.colors.black].map(|squares| squares.squares)
    }
}

impl Sweep<'_> {
    /// Computes in which positions of the block a square is occupied, if that is not known yet.
    pub(super) fn find_occupied(&mut self, square: Square) {
        if self.squares_here().all.known.contains(square) {
            return;
        }
        for color in Color::ALL {
            self.find_men(color, square);
        }
        let Occupied { all, colors, .. } = &mut self.occupied[self.level];
        all.known.add(square);
        for color in [&colors.white, &colors.black] {
            if let Some(plane) = color.squares.get(square) {
                all.squares.add(square, plane);
            }
        }
    }

    /// Where a square is occupied; [`Sweep::find_occupied`] has computed it.
    #[inline]
    pub(super) fn occupied(&self, square: Square) -> Option<&Plane> {
        self.occupied.get(self.level)?.all.squares.get(square)
    }

    /// Computes in which positions of the block a man of a color stands on a square, if that is not known yet.
    pub(super) fn find_men(&mut self, color: Color, square: Square) {
        if self.squares_here().colors.get(color).known.contains(square) {
            return;
        }
        let mut plane = ZERO;
        let mut is_anywhere = false;
        for role in Role::ALL {
            is_anywhere |= self.add_term(Term::Placement(Man::new(color, role), square), &mut plane);
        }
        let men = self.occupied[self.level].colors.get_mut(color);
        men.known.add(square);
        if is_anywhere {
            men.squares.put(square, &plane);
        }
    }

    /// Where a man of a color stands on a square; [`Sweep::find_men`] has computed it.
    #[inline]
    pub(super) fn men(&self, color: Color, square: Square) -> Option<&Plane> {
        self.occupied.get(self.level)?.colors.get(color).squares.get(square)
    }

    /// Forgets what was computed, as the lists are about to be read at other positions.
    pub(super) fn forget_occupied(&mut self) {
        let sets = self.occupied.drain(..).flat_map(Occupied::into_sets);
        self.scratch.sets.extend(sets);
    }

    /// What is known in this block.
    fn squares_here(&mut self) -> &mut Occupied {
        while self.occupied.len() <= self.level {
            let [all, white, black] = [(); 3].map(|()| Squares {
                squares: self.spare(),
                known: Bitboard::EMPTY,
            });
            self.occupied.push(Occupied {
                all,
                colors: ByColor { white, black },
                block: self.block,
            });
        }
        let occupied = &mut self.occupied[self.level];
        if occupied.block != self.block {
            occupied.block = self.block;
            occupied.all.forget();
            occupied.colors.white.forget();
            occupied.colors.black.forget();
        }
        occupied
    }
}
