//! The values of filters, variables and dictionary entries, and the operators on them.

use std::fmt;

use chess::{Board, Man};
use language::hir::{Arithmetic, Comparison, Kind, VariableKind};
use shakmaty::{Bitboard, Role};

/// A value of a variable, a dictionary entry or a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A set of squares.
    Set(Bitboard),
    /// A piece, by its identity number.
    Piece(u8),
    /// A number.
    Number(i32),
    /// A string.
    Text(Vec<u8>),
    /// A node of the game.
    Position(u32),
    /// Whether something matched.
    Logical(bool),
}

/// As comments print it: a set as its squares, a string in quotes.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Set(set) => f.write_str(&squares(*set)),
            Value::Piece(id) => write!(f, "piece {id}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "\"{}\"", String::from_utf8_lossy(text)),
            Value::Position(node) => write!(f, "position {node}"),
            Value::Logical(matched) => write!(f, "<{matched}>"),
        }
    }
}

impl Value {
    /// The value that a persistent variable starts with.
    pub(crate) fn initial(kind: VariableKind) -> Value {
        match kind {
            VariableKind::Set | VariableKind::Piece => Value::Set(Bitboard::EMPTY),
            VariableKind::Numeric => Value::Number(0),
            VariableKind::String => Value::Text(Vec::new()),
            VariableKind::Position => Value::Position(0),
        }
    }
}

/// The kind of a value.
impl From<&Value> for Kind {
    fn from(value: &Value) -> Kind {
        match value {
            Value::Set(_) | Value::Piece(_) => Kind::Set,
            Value::Number(_) => Kind::Numeric,
            Value::Text(_) => Kind::String,
            Value::Position(_) => Kind::Position,
            Value::Logical(_) => Kind::Logical,
        }
    }
}

/// A set as comments print it: `[]`, `d5`, `[a1,h1]`, rank by rank.
pub(crate) fn squares(set: Bitboard) -> String {
    match set.single_square() {
        Some(square) => square.to_string(),
        None => format!(
            "[{}]",
            set.into_iter()
                .map(|square| square.to_string())
                .collect::<Vec<_>>()
                .join(",")
        ),
    }
}

/// Whether a comparison of two values holds.
pub(crate) fn ordered<T: Ord + ?Sized>(comparison: Comparison, a: &T, b: &T) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        _ => unreachable!("ancestors are compared as positions"),
    }
}

/// `a + b` and its like; `None` when divided by zero.
#[inline]
pub(crate) fn arithmetic(op: Arithmetic, a: i32, b: i32) -> Option<i32> {
    match op {
        Arithmetic::Add => Some(a.wrapping_add(b)),
        Arithmetic::Subtract => Some(a.wrapping_sub(b)),
        Arithmetic::Multiply => Some(a.wrapping_mul(b)),
        Arithmetic::Divide => (b != 0).then(|| a.wrapping_div(b)),
        Arithmetic::Remainder => (b != 0).then(|| a.wrapping_rem(b)),
    }
}

/// The whole part of the square root, if there is one (docs/language/kinds.md#arithmetic).
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a root is no larger than its square")]
pub(crate) fn square_root(n: i32) -> Option<i32> {
    // The root of a number one below a square is further from a whole number than `f64` is exact.
    (n >= 0).then(|| f64::from(n).sqrt() as i32)
}

/// How many squares a set has, as a number of the language.
#[inline]
pub(crate) fn square_count(set: Bitboard) -> i32 {
    set.0.count_ones().cast_signed()
}

/// A number of something in a game as a number of the language.
#[inline]
pub(crate) fn number_of(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// A length as a number of the language.
#[inline]
pub(crate) fn number_of_count(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// What a man is worth (docs/language/positions.md#single-squares-and-pieces).
pub(crate) fn power_of(board: &Board, squares: Bitboard) -> i32 {
    let worth = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    worth
        .into_iter()
        .map(|(role, worth)| square_count(board.role(role) & squares) * worth)
        .sum()
}

/// `type` of a man: 0 for the empty square, 1 to 6 from pawn to king.
pub(crate) fn type_of(man: Man) -> i32 {
    man.role().map_or(0, i32::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_rounded_down() {
        for root in 0..=46_340 {
            let square = root * root;
            assert_eq!(square_root(square), Some(root));
            assert_eq!(square_root(square - 1), (root > 0).then_some(root - 1));
        }
        assert_eq!(square_root(i32::MAX), Some(46_340));
        assert_eq!(square_root(i32::MIN), None);
    }
}
