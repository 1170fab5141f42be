//! Sets and numbers on one board, as far as they need nothing but where the men stand.

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

use super::{NumberExpr, SetExpr, possible_men, value_of};

/// The squares of each kind of man on a board, by its number, and the empty ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Men([Bitboard; Man::KINDS + 1]);

/// What a move changes on a board, at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    /// The squares whose contents change.
    pub(crate) squares: Bitboard,
    /// What stands there before and after the move.
    pub(crate) kinds: ManSet,
    /// The men of which there are more or fewer after the move, and the empty squares.
    pub(crate) counted: ManSet,
}

impl Men {
    /// How many binary digits the number of what stands on a square has.
    pub(crate) const DIGITS: usize = 4;

    /// The men of a board.
    pub(crate) fn of(board: &Mailbox) -> Men {
        let mut men = Men([Bitboard::EMPTY; Man::KINDS + 1]);
        for square in Square::ALL {
            men.0[board.at(square).index()].add(square);
        }
        men
    }

    /// Plays a move, on the board, too, from which they were read.
    #[inline]
    pub(crate) fn play(&mut self, board: &mut Mailbox, m: PackedMove) -> Change {
        let (from, to) = (m.from(), m.to());
        let mut changed = Bitboard::from_square(from).with(to);
        match m.kind() {
            MoveKind::Null => {
                return Change {
                    squares: Bitboard::EMPTY,
                    kinds: ManSet::NONE,
                    counted: ManSet::NONE,
                };
            }
            MoveKind::Normal | MoveKind::DoubleStep if from != to => {
                let (mover, captured) = (board.at(from), board.at(to));
                self.0[mover.index()] ^= changed;
                self.0[captured.index()].toggle(to);
                self.0[Man::EMPTY.index()].toggle(from);
                board.play(m);
                return Change {
                    squares: changed,
                    kinds: ManSet::from_man(mover) | ManSet::from_man(captured) | ManSet::EMPTY_SQUARE,
                    counted: match captured {
                        Man::EMPTY => ManSet::NONE,
                        _ => ManSet::from_man(captured) | ManSet::EMPTY_SQUARE,
                    },
                };
            }
            MoveKind::Normal | MoveKind::DoubleStep | MoveKind::Promotion(_) => {}
            MoveKind::EnPassant => changed.add(en_passant_square(from, to)),
            // In Chess960 king and rook may change places.
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(from, to);
                changed = changed.with(king_to).with(rook_to);
            }
        }
        let mut kinds = ManSet::NONE;
        for square in changed {
            self.0[board.at(square).index()].discard(square);
            kinds = kinds | ManSet::from_man(board.at(square));
        }
        board.play(m);
        for square in changed {
            self.0[board.at(square).index()].add(square);
            kinds = kinds | ManSet::from_man(board.at(square));
        }
        Change {
            squares: changed,
            kinds,
            counted: kinds,
        }
    }

    /// The squares of one kind of men, or the empty ones.
    #[inline]
    pub(crate) fn of_kind(&self, man: Man) -> Bitboard {
        self.0[man.index()]
    }

    /// How many men there are.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.0[Man::EMPTY.index()].0.count_zeros()
    }

    /// Sets by which the contents of each square can be told: the binary digits of the number of what stands there.
    #[inline]
    pub(crate) fn digits(&self) -> [u64; Men::DIGITS] {
        std::array::from_fn(|place| {
            let numbers = (0..self.0.len()).filter(|number| number >> place & 1 != 0);
            numbers.fold(0, |all, number| all | self.0[number].0)
        })
    }

    /// The squares of some kinds of men, or empty ones.
    #[inline]
    fn of_kinds(&self, kinds: ManSet) -> Bitboard {
        let numbers = bits::ones(u64::from(kinds.bits()));
        numbers.fold(Bitboard::EMPTY, |all, man| all | self.0[man as usize])
    }
}

impl SetExpr {
    /// The set on a board; `None` if more is needed than where the men stand, which depends on the expression alone.
    pub(crate) fn on(&self, men: &Men) -> Option<Bitboard> {
        Some(match self {
            SetExpr::Constant(squares) => *squares,
            SetExpr::Contents(kinds, squares) => men.of_kinds(*kinds) & *squares,
            SetExpr::Union(parts) => parts
                .iter()
                .try_fold(Bitboard::EMPTY, |all, part| Some(all | part.on(men)?))?,
            SetExpr::Intersection(parts) => parts
                .iter()
                .try_fold(Bitboard::FULL, |all, part| Some(all & part.on(men)?))?,
            SetExpr::Complement(inner) => !inner.on(men)?,
            SetExpr::Attacks(..) | SetExpr::AttackedBy(..) | SetExpr::Rays { .. } | SetExpr::Pins(..) => return None,
            SetExpr::Steps { .. } | SetExpr::Pawns(..) | SetExpr::Pinned(_) | SetExpr::Between { .. } => return None,
            SetExpr::Choose(..) | SetExpr::Squares(_) | SetExpr::Added(_) | SetExpr::After(..) => return None,
            SetExpr::Nth(number, inner) => {
                let nth = inner.on(men)?.into_iter().nth(*number);
                nth.map_or(Bitboard::EMPTY, Bitboard::from_square)
            }
        })
    }

    /// The contents of squares on which [`SetExpr::on`] depends: while these stand where they did, the set is the same.
    pub(crate) fn contents_read(&self) -> ManSet {
        match self {
            SetExpr::Constant(_) => ManSet::NONE,
            SetExpr::Contents(kinds, _) if *kinds == ManSet::ANYTHING => ManSet::NONE,
            SetExpr::Contents(kinds, _) => *kinds,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                let parts = parts.iter().map(SetExpr::contents_read);
                parts.fold(ManSet::NONE, |all, part| all | part)
            }
            SetExpr::Complement(inner) | SetExpr::Nth(_, inner) => inner.contents_read(),
            _ => ManSet::ANYTHING,
        }
    }
}

impl NumberExpr {
    /// The number on a board; `None` as in [`SetExpr::on`].
    pub(crate) fn on(&self, men: &Men) -> Option<i64> {
        Some(match self {
            NumberExpr::Constant(number) => i64::from(*number),
            NumberExpr::Count(set) => i64::from(set.on(men)?.0.count_ones()),
            NumberExpr::Power(set) => {
                let kinds = possible_men(set);
                let set = set.on(men)?;
                let worth = |man: Man| {
                    let squares = set & men.0[man.index()];
                    i64::from(man.role().map_or(0, value_of)) * i64::from(squares.0.count_ones())
                };
                kinds.iter().map(worth).sum()
            }
            NumberExpr::Sum(a, b) => a.on(men)? + b.on(men)?,
            NumberExpr::Difference(a, b) => a.on(men)? - b.on(men)?,
            NumberExpr::Scaled(by, inner) => i64::from(*by) * inner.on(men)?,
            NumberExpr::Table(inner, least, values) => {
                let place = usize::try_from(inner.on(men)? - i64::from(*least)).ok();
                i64::from(place.and_then(|place| values.get(place)).copied().unwrap_or(0))
            }
            NumberExpr::Max(parts) => {
                let numbers = parts.iter().map(|part| part.on(men)).collect::<Option<Vec<i64>>>();
                numbers?.into_iter().max()?
            }
            NumberExpr::Coordinate(is_file, set) => match (set.on(men)?.single_square(), is_file) {
                (None, _) => 0,
                (Some(square), true) => i64::from(u32::from(square.file())) + 1,
                (Some(square), false) => i64::from(u32::from(square.rank())) + 1,
            },
            NumberExpr::CountTrue(_) | NumberExpr::Choose(..) | NumberExpr::Quantity(_) | NumberExpr::After(..) => {
                return None;
            }
        })
    }

    /// Whether it depends only on how many men of each kind there are, wherever they stand.
    pub(crate) fn only_counts_men(&self) -> bool {
        match self {
            NumberExpr::Constant(_) => true,
            NumberExpr::Count(set) | NumberExpr::Power(set) => {
                matches!(set, SetExpr::Contents(_, squares) if *squares == Bitboard::FULL)
            }
            NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => a.only_counts_men() && b.only_counts_men(),
            NumberExpr::Scaled(_, inner) | NumberExpr::Table(inner, ..) => inner.only_counts_men(),
            NumberExpr::Max(parts) => parts.iter().all(NumberExpr::only_counts_men),
            _ => false,
        }
    }

    /// The contents of squares on which [`NumberExpr::on`] depends.
    pub(crate) fn contents_read(&self) -> ManSet {
        match self {
            NumberExpr::Constant(_) => ManSet::NONE,
            // What a man is worth depends on what it is.
            NumberExpr::Power(set) => set.contents_read() | possible_men(set),
            NumberExpr::Count(set) | NumberExpr::Coordinate(_, set) => set.contents_read(),
            NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => a.contents_read() | b.contents_read(),
            NumberExpr::Scaled(_, inner) | NumberExpr::Table(inner, ..) => inner.contents_read(),
            NumberExpr::Max(parts) => {
                let parts = parts.iter().map(NumberExpr::contents_read);
                parts.fold(ManSet::NONE, |all, part| all | part)
            }
            _ => ManSet::ANYTHING,
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;

    #[test]
    fn they_are_those_of_the_board_after_any_moves() {
        let mut board = Mailbox::of(&Board::initial());
        let mut men = Men::of(&board);
        for number in 0..=u16::MAX {
            let Some(m) = PackedMove::from_bits(number.wrapping_mul(40_503)) else {
                continue;
            };
            if number % 64 == 0 {
                board = Mailbox::of(&Board::initial());
                men = Men::of(&board);
            }
            let before = board.clone();
            let change = men.play(&mut board, m);
            let changed = |square: &Square| before.at(*square) != board.at(*square);
            for square in Square::ALL.into_iter().filter(changed) {
                assert!(change.squares.contains(square), "{m:?}");
                assert!(change.kinds.contains(before.at(square)) && change.kinds.contains(board.at(square)));
            }
            assert_eq!(men, Men::of(&board), "{m:?}");
        }
        let digits = men.digits();
        for square in Square::ALL {
            let bit = |digit: u64| (digit >> u32::from(square) & 1) as usize;
            let man = (0..4).map(|place| bit(digits[place]) << place).sum::<usize>();
            assert_eq!(man, board.at(square).index(), "{square}");
        }
    }
}
