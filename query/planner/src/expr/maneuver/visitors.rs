//! Which men come to a square at some time.

use shakmaty::{Bitboard, Square};

use crate::expr::tracks::Track;

/// Some men, by the squares to which they come.
pub(super) struct Visitors {
    /// A bit for each man by its number; `None` if everyone comes everywhere, for all that is known.
    men: Option<u64>,
    of: [u64; 64],
}

impl Visitors {
    /// Everyone may come everywhere.
    pub(super) fn everywhere() -> Visitors {
        Visitors {
            men: None,
            of: [u64::MAX; 64],
        }
    }

    /// Those of some men, a bit for each by its number.
    pub(super) fn of(tracks: &[Track<'_>], men: u64) -> Visitors {
        let mut of = [0; 64];
        for number in bits::ones(men) {
            for square in tracks[number as usize].visited() {
                of[usize::from(square)] |= 1 << number;
            }
        }
        Visitors { men: Some(men), of }
    }

    /// All but one.
    pub(super) fn others_than(&self, one: usize) -> Others<'_> {
        Others {
            men: self.men.map_or(u64::MAX, |men| men & !(1 << one)),
            visitors: self,
        }
    }
}

/// Some of the men.
#[derive(Clone, Copy)]
pub(super) struct Others<'v> {
    men: u64,
    visitors: &'v Visitors,
}

impl Others<'_> {
    /// Those of them that come to a square.
    #[inline]
    pub(super) fn that_come_to(self, square: Square) -> Self {
        Others {
            men: self.men & self.visitors.of[usize::from(square)],
            ..self
        }
    }

    /// Those of them that come to one of some squares.
    #[inline]
    pub(super) fn that_come_to_one_of(self, squares: Bitboard) -> Self {
        let visitors = squares.into_iter().map(|square| self.visitors.of[usize::from(square)]);
        Others {
            men: self.men & visitors.fold(0, |all, men| all | men),
            ..self
        }
    }

    /// The same for one square, if that is asked.
    #[inline]
    pub(super) fn that_come_to_if(self, square: Square, is_asked: bool) -> Self {
        let kept = u64::from(is_asked).wrapping_sub(1);
        Others {
            men: self.men & (self.visitors.of[usize::from(square)] | kept),
            ..self
        }
    }

    /// Whether there is none.
    #[inline]
    pub(super) fn is_nobody(self) -> bool {
        self.men == 0
    }

    /// Whether one of them comes to one of some squares.
    pub(super) fn come_to(self, squares: Bitboard) -> bool {
        !self.that_come_to_one_of(squares).is_nobody()
    }

    /// A bit for each of them by its number.
    #[inline]
    pub(super) fn numbers(self) -> u64 {
        self.men
    }
}
