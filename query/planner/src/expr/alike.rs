//! What two positions of a game have in common: the comparisons of an `echo`.

use std::ops::RangeInclusive;

use chess::{Board, Mailbox};
use language::hir::Comparison;
use shakmaty::{Color, Square};

use super::men::Men;
use super::{NumberExpr, SetExpr};

/// Which other position of the game is meant, and what it has in common with this one. Of two expressions the first is about
/// the other position, the second about this one; all of them need nothing but where the men stand.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Alike {
    /// Whether it may come before this one.
    pub(crate) before: bool,
    /// Whether it may come after this one.
    pub(crate) after: bool,
    /// Whether it may be this one.
    pub(crate) itself: bool,
    /// How many moves lie between them.
    pub(crate) distance: RangeInclusive<u32>,
    /// Which side is to move in both, if that matters.
    pub(crate) turns: Option<Turns>,
    /// The sets that are the same.
    pub(crate) sets: Vec<[SetExpr; 2]>,
    /// The numbers that are the same.
    pub(crate) numbers: Vec<[NumberExpr; 2]>,
    /// Other comparisons of two numbers.
    pub(crate) compared: Vec<(Comparison, [NumberExpr; 2])>,
    /// How many squares have the same contents.
    pub(crate) same_contents: RangeInclusive<u32>,
    /// Squares where men with the same name stand.
    pub(crate) names: Vec<SameName>,
    /// Whether one board is the other one shifted.
    pub(crate) shape: Option<SameShape>,
}

/// Which side is to move in two positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Turns {
    Same,
    Different,
}

/// What stands on a square of the other position has the same name as what stands on a square of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SameName {
    pub(crate) there: Square,
    pub(crate) here: Square,
    /// Whether only the type is compared, which is the same for both colors.
    pub(crate) by_type: bool,
}

/// All men stand in both positions in the same way to a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SameShape {
    /// Whose king.
    pub(crate) king: Color,
    /// Whether only the types of the men are compared, which are the same for both colors.
    pub(crate) by_type: bool,
}

impl Alike {
    /// Any two positions.
    pub(crate) fn any() -> Alike {
        Alike {
            before: true,
            after: true,
            itself: false,
            distance: 0..=u32::MAX,
            turns: None,
            sets: Vec::new(),
            numbers: Vec::new(),
            compared: Vec::new(),
            same_contents: 0..=64,
            names: Vec::new(),
            shape: None,
        }
    }

    /// Whether nothing is compared but which side is to move, and which position comes first.
    pub(crate) fn compares_nothing(&self) -> bool {
        self.distance == (0..=u32::MAX) && !self.compares_boards()
    }

    /// Whether nothing is compared but where in the game the two are.
    pub(crate) fn compares_places_only(&self) -> bool {
        self.turns.is_none() && !self.compares_boards()
    }

    /// Whether something is compared that depends on where the men stand.
    fn compares_boards(&self) -> bool {
        !self.sets.is_empty()
            || !self.numbers.is_empty()
            || !self.compared.is_empty()
            || self.same_contents != (0..=64)
            || !self.names.is_empty()
            || self.shape.is_some()
    }

    /// Whether two sets can be compared.
    pub(crate) fn can_compare_sets(sets: &[SetExpr; 2]) -> bool {
        let men = Men::of(&Mailbox::of(&Board::initial()));
        sets.iter().all(|set| set.on(&men).is_some())
    }

    /// Whether two numbers can be compared.
    pub(crate) fn can_compare_numbers(numbers: &[NumberExpr; 2]) -> bool {
        let men = Men::of(&Mailbox::of(&Board::initial()));
        numbers.iter().all(|number| number.on(&men).is_some())
    }
}
