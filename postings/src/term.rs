//! What a posting list is about: the vocabulary that indexer and planner share.

use std::{cmp::Ordering, fmt};

use chess::Man;
use shakmaty::{CastlingSide, Color, Role, Square};

/// A fact about one position, for which the index has the ids of all positions where it holds.
///
/// Each term means exactly what is said here; a test compares the index with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Term {
    /// The man stands on the square. [`Man::EMPTY`] is not indexed.
    Placement(Man, Square),
    /// White is to move.
    WhiteToMove,
    /// A king of the side to move is attacked.
    Check,
    /// Check, and the side to move has no legal move.
    Mate,
    /// No check, the side to move has no legal move, and the position has no children in the tree (as CQL has it, a
    /// null move played in the position makes it no stalemate).
    Stalemate,
    /// The position belongs to the main line.
    Mainline,
    /// The position is the root of its game.
    Initial,
    /// The position has no children at all: the last of the main line or of a variation.
    Terminal,
    /// The position is the last of the main line: terminal when variations are ignored.
    MainlineEnd,
    /// At least so many men of this kind stand on the board; the man is no king and the number is 1 to
    /// [`Term::MAX_COUNT`].
    AtLeast(Man, u8),
    /// The move that led here captured this man (en passant: a pawn).
    Captured(Man),
    /// The move that led here promoted a pawn to this.
    Promoted(Role),
    /// The move that led here castled to this side.
    Castled(CastlingSide),
    /// The move that led here captured en passant.
    EnPassant,
    /// The move that led here was a null move.
    NullMove,
    /// A king of the side that is not to move is attacked.
    Exposed,
    /// At least two men attack kings of the side to move.
    DoubleCheck,
    /// A man of this role attacks a king of the side to move.
    CheckBy(Role),
    /// The side to move has at most this number of legal moves, castling not counted and a promotion as one move; 0 to
    /// [`Term::MAX_MOVES`].
    MovesAtMost(u8),
    /// A man of this color on this square is pinned to a king of its color: it stands alone between that king and a queen, rook or
    /// bishop of the other color that moves along this line.
    Pinned(Color, Square),
}

impl Term {
    /// The largest count that [`Term::AtLeast`] is indexed for: two men and eight promoted pawns. Only setups can have
    /// more, and a larger count has to be looked for on the boards.
    pub const MAX_COUNT: u8 = 10;

    /// The largest number that [`Term::MovesAtMost`] is indexed for.
    pub const MAX_MOVES: u8 = 3;

    /// How many codes there are; [`Term::code`] is always below.
    pub const CODES: usize = Term::END as usize;

    const END: u16 = 1152;

    const FACTS: u16 = 768;
    const CHECK_BY: u16 = 782;
    const AT_LEAST: u16 = 800;
    const CAPTURED: u16 = 920;
    const PROMOTED: u16 = 940;
    const MOVES: u16 = 1000;
    const PINNED: u16 = 1024;

    /// The number of the term on disk, 0 to 1151; see `docs/format.md`.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a man has four bits and a square six")]
    pub const fn code(self) -> u16 {
        match self {
            Term::Placement(man, square) => (man.index() * 64) as u16 + square.to_u32() as u16,
            Term::WhiteToMove => Term::FACTS,
            Term::Check => Term::FACTS + 1,
            Term::Mate => Term::FACTS + 2,
            Term::Stalemate => Term::FACTS + 3,
            Term::Mainline => Term::FACTS + 4,
            Term::Initial => Term::FACTS + 5,
            Term::Terminal => Term::FACTS + 6,
            Term::MainlineEnd => Term::FACTS + 7,
            Term::Castled(CastlingSide::KingSide) => Term::FACTS + 8,
            Term::Castled(CastlingSide::QueenSide) => Term::FACTS + 9,
            Term::EnPassant => Term::FACTS + 10,
            Term::NullMove => Term::FACTS + 11,
            Term::Exposed => Term::FACTS + 12,
            Term::DoubleCheck => Term::FACTS + 13,
            Term::CheckBy(role) => Term::CHECK_BY + role as u16,
            Term::AtLeast(man, count) => Term::AT_LEAST + man.index() as u16 * 10 + count as u16 - 1,
            Term::Captured(man) => Term::CAPTURED + man.index() as u16,
            Term::Promoted(role) => Term::PROMOTED + role as u16,
            Term::MovesAtMost(count) => Term::MOVES + count as u16,
            Term::Pinned(color, square) => {
                let first = if color.is_white() {
                    Term::PINNED
                } else {
                    Term::PINNED + 64
                };
                first + square.to_u32() as u16
            }
        }
    }

    /// Whether another term holds wherever this one does, as far as that follows from a number.
    pub fn implies(self, other: Term) -> bool {
        match (self, other) {
            (Term::AtLeast(man, count), Term::AtLeast(same, least)) => man == same && count >= least,
            (Term::MovesAtMost(count), Term::MovesAtMost(most)) => count <= most,
            _ => self == other,
        }
    }

    /// The term with this number, if there is one.
    pub fn from_code(code: u16) -> Option<Term> {
        let man = |index: u16| {
            u8::try_from(index)
                .ok()
                .and_then(Man::from_index)
                .filter(|&man| man != Man::EMPTY)
        };
        Some(match code {
            0..Term::FACTS => Term::Placement(man(code / 64)?, Square::new(u32::from(code % 64))),
            768 => Term::WhiteToMove,
            769 => Term::Check,
            770 => Term::Mate,
            771 => Term::Stalemate,
            772 => Term::Mainline,
            773 => Term::Initial,
            774 => Term::Terminal,
            775 => Term::MainlineEnd,
            776 => Term::Castled(CastlingSide::KingSide),
            777 => Term::Castled(CastlingSide::QueenSide),
            778 => Term::EnPassant,
            779 => Term::NullMove,
            780 => Term::Exposed,
            781 => Term::DoubleCheck,
            783..=788 => Term::CheckBy(Role::ALL[usize::from(code - Term::CHECK_BY - 1)]),
            Term::AT_LEAST..Term::CAPTURED => {
                let rest = code - Term::AT_LEAST;
                let man = man(rest / 10).filter(|man| man.role() != Some(Role::King))?;
                Term::AtLeast(man, u8::try_from(rest % 10 + 1).ok()?)
            }
            Term::CAPTURED..Term::PROMOTED => Term::Captured(man(code - Term::CAPTURED)?),
            Term::PROMOTED..Term::MOVES => match code - Term::PROMOTED {
                2 => Term::Promoted(Role::Knight),
                3 => Term::Promoted(Role::Bishop),
                4 => Term::Promoted(Role::Rook),
                5 => Term::Promoted(Role::Queen),
                _ => return None,
            },
            Term::MOVES..Term::PINNED => {
                let count = u8::try_from(code - Term::MOVES)
                    .ok()
                    .filter(|&count| count <= Term::MAX_MOVES)?;
                Term::MovesAtMost(count)
            }
            Term::PINNED..Term::END => {
                let (color, square) = ((code - Term::PINNED) / 64, (code - Term::PINNED) % 64);
                Term::Pinned(Color::from_white(color == 0), Square::new(u32::from(square)))
            }
            _ => return None,
        })
    }

    /// All terms that there can be, ascending by code.
    pub fn all() -> impl Iterator<Item = Term> {
        (0..Term::END).filter_map(Term::from_code)
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Term) -> Ordering {
        self.code().cmp(&other.code())
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Reads `Pd4`, `white to move`, `at least 2 N`: for `explain` and reports.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Term::Placement(man, square) => write!(f, "{}{square}", man.letter()),
            Term::WhiteToMove => f.write_str("white to move"),
            Term::Check => f.write_str("check"),
            Term::Mate => f.write_str("mate"),
            Term::Stalemate => f.write_str("stalemate"),
            Term::Mainline => f.write_str("main line"),
            Term::Initial => f.write_str("initial"),
            Term::Terminal => f.write_str("terminal"),
            Term::MainlineEnd => f.write_str("end of main line"),
            Term::AtLeast(man, count) => write!(f, "at least {count} {}", man.letter()),
            Term::Captured(man) => write!(f, "captured {}", man.letter()),
            Term::Promoted(role) => write!(f, "promoted to {}", role.upper_char()),
            Term::Castled(CastlingSide::KingSide) => f.write_str("castled king side"),
            Term::Castled(CastlingSide::QueenSide) => f.write_str("castled queen side"),
            Term::EnPassant => f.write_str("en passant"),
            Term::NullMove => f.write_str("null move"),
            Term::Exposed => f.write_str("other king attacked"),
            Term::DoubleCheck => f.write_str("double check"),
            Term::CheckBy(role) => write!(f, "check by {}", role.upper_char()),
            Term::MovesAtMost(count) => write!(f, "at most {count} legal moves"),
            Term::Pinned(color, square) => write!(f, "pinned {}{square}", color.fold_wb('A', 'a')),
        }
    }
}

/// The ten men that [`Term::AtLeast`] counts: all but the kings.
pub fn counted_men() -> impl Iterator<Item = Man> {
    [Color::White, Color::Black].into_iter().flat_map(|color| {
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .map(move |role| Man::new(color, role))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_that_of_its_term() {
        for code in 0..=u16::MAX {
            if let Some(term) = Term::from_code(code) {
                assert_eq!(term.code(), code, "{term}");
                assert!(usize::from(code) < Term::CODES);
            }
        }
        assert_eq!(Term::all().count(), 768 + 12 + 2 + 6 + 100 + 12 + 4 + 4 + 128);
    }
}
