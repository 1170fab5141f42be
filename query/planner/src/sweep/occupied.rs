//! Where men stand, of one color or of both, for all positions of a block at once: computed square by square, as asked for.

use chess::Man;
use postings::Term;
use shakmaty::{Bitboard, ByColor, Color, Role, Square};

use super::Sweep;
use super::set_planes::SetPlanes;
use super::whole_chunks::{Found, WholeChunks};
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

/// What is read for whole chunks.
#[derive(Debug, Default)]
pub(super) struct OccupiedChunks {
    all: WholeChunks,
    colors: ByColor<WholeChunks>,
}

impl OccupiedChunks {
    /// Forgets what was read, as other games are searched; the memory is kept, and what is asked for often.
    pub(super) fn forget(&mut self) {
        self.all.forget();
        self.colors.as_mut().into_iter().for_each(WholeChunks::forget);
    }
}

impl Squares {
    /// Notes where a square is occupied; false if that is not known.
    fn put(&mut self, square: Square, found: Found<'_>) -> bool {
        match found {
            Found::Unknown => return false,
            Found::Nowhere => {}
            Found::Maybe(plane) => self.squares.put(square, plane),
        }
        self.known.add(square);
        true
    }

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
        if self.reads_all_positions() {
            // Where a query asks for one color itself, the lists of both need not be read again.
            let (lists, block) = ((self.postings, &self.unpacked[self.level]), self.block);
            let colors = self.chunks.colors.as_mut().zip(ByColor::new_with(men_of));
            let reads = colors.map(|(chunks, men)| chunks.reads(lists, men, square, block));
            if reads.white || reads.black {
                Color::ALL.iter().for_each(|&color| self.read_men(color, square));
            } else {
                let found = self.chunks.all.find(lists, Man::all(), square, block);
                if self.occupied[self.level].all.put(square, found) {
                    return;
                }
            }
        }
        for color in Color::ALL {
            self.add_men(color, square);
        }
        let Occupied { all, colors, .. } = &mut self.occupied[self.level];
        all.known.add(square);
        for color in [&colors.white, &colors.black] {
            if let Some(plane) = color.squares.get(square) {
                all.squares.add(square, plane);
            }
        }
    }

    /// Whether the blocks are those of the segment, and not beside them or of selected positions.
    fn reads_all_positions(&self) -> bool {
        self.selection.is_none() && self.offset() == 0
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
        if self.reads_all_positions() {
            let lists = (self.postings, &self.unpacked[self.level]);
            let found = (self.chunks.colors.get_mut(color)).find(lists, men_of(color), square, self.block);
            self.occupied[self.level].colors.get_mut(color).put(square, found);
        }
        self.add_men(color, square);
    }

    /// The same where it is read for the whole chunk.
    fn read_men(&mut self, color: Color, square: Square) {
        let men = self.occupied[self.level].colors.get_mut(color);
        if !men.known.contains(square) {
            let found = (self.chunks.colors.get_mut(color)).read(self.postings, men_of(color), square, self.block);
            men.put(square, found);
        }
    }

    /// The same by the lists of the men, unless it is known.
    fn add_men(&mut self, color: Color, square: Square) {
        if self.occupied[self.level].colors.get(color).known.contains(square) {
            return;
        }
        let mut plane = ZERO;
        let mut is_anywhere = false;
        for man in men_of(color) {
            is_anywhere |= self.add_term(Term::Placement(man, square), &mut plane);
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

    /// Where a man of a color, or of any color, stands on a square.
    pub(super) fn where_men_stand(&mut self, color: Option<Color>, square: Square) -> Plane {
        let plane = match color {
            Some(color) => {
                self.find_men(color, square);
                self.men(color, square)
            }
            None => {
                self.find_occupied(square);
                self.occupied(square)
            }
        };
        plane.copied().unwrap_or(ZERO)
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

/// The men of a color.
fn men_of(color: Color) -> impl Iterator<Item = Man> + Clone {
    Role::ALL.into_iter().map(move |role| Man::new(color, role))
}
