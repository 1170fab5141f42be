//! Expressions over posting lists: what the index computes for thousands of positions at once.
//!
//! A [`Truth`] holds or does not hold in a position, a [`SetExpr`] is a set of squares, a [`NumberExpr`] a number; a
//! [`Temporal`] expression is about the other positions of the game. Expressions are values: they are built here
//! ([`construct`]), and computed only in a sweep.
//!
//! To add a variant, follow the compiler: it fails at every place that has to know the variant, as none of these
//! matches has a wildcard: what is inside it ([`parts`], [`numbering`]), what it costs ([`cost`]), how it reads ([`display`]), the
//! squares and men that it can have ([`possible()`]), the lists that it reads (`lists/terms.rs`), what has to hold for it
//! and what statistics decide of it (`optimize/`), and its evaluation (`sweep/`).

mod alike;
mod automaton;
mod checks;
mod construct;
mod cost;
mod courses;
mod display;
mod last_move;
mod linear;
mod maneuver;
mod men;
mod merge;
mod move_kinds;
mod move_pattern;
mod move_rows;
mod move_times;
mod moved_men;
mod next_move;
mod numbering;
mod packed_rows;
mod parts;
mod parts_mut;
mod pins;
mod possible;
mod shared;
mod temporal;
mod tracks;
mod window;

use std::collections::HashSet;
use std::sync::Arc;

use chess::Quantity;
use language::hir::{Comparison, Directions, ManSet, PawnStructure, PinValue};
use postings::Term;
use shakmaty::{Bitboard, Color, Square};

pub(crate) use self::{
    alike::{Alike, SameName, SameShape, Turns},
    automaton::{Automaton, MOST_STATES, Wanted},
    checks::KingAttack,
    construct::{
        any_contents, attacked, attackers, contains, costly_in_all, count_of, holds, not_empty, power_of, value_of,
    },
    courses::{Course, MOST_IN_A_ROW},
    last_move::{castled, left_by_a_move, promoted_to, reached_by_a_move, turn},
    linear::{compare, max_of},
    maneuver::{Action, Check, MOST_MEN, MOST_VARIABLES, Maneuver, Spot},
    men::{Change, Men},
    merge::{any_of, hash_of, union_of},
    move_pattern::MovePattern,
    move_times::{MoveTimes, Ways},
    moved_men::MovedMen,
    next_move::MoveGroup,
    parts::Expr,
    parts_mut::ExprMut,
    pins::sliders,
    possible::{at_the_beginning, everywhere, possible, possible_men, range_of, sometime},
    tracks::{OwnMove, Track},
    window::{MOST_MOVES as MOST_IN_WINDOW, MoveSquares, SquareTest, Window, WindowMove},
};
pub use next_move::NextMove;
pub use shared::Shared;
pub(crate) use temporal::outer_temporals;
pub use temporal::{Temporal, TemporalOp};

/// The positions where a filter matches, or bounds of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidates {
    /// Where it may match.
    pub truth: Truth,
    /// Whether it matches at all positions where `truth` holds, so that none has to be verified.
    pub exact: bool,
    /// Where it certainly matches, if it is not exact; `Never` if it is.
    certain: Truth,
}

impl Candidates {
    /// Nothing is known.
    pub const UNKNOWN: Candidates = Candidates {
        truth: Truth::Always,
        exact: false,
        certain: Truth::Never,
    };

    /// All positions.
    pub const EVERYWHERE: Candidates = Candidates {
        truth: Truth::Always,
        exact: true,
        certain: Truth::Never,
    };

    /// At most these positions, and exactly these if it is said so.
    pub fn new(truth: Truth, exact: bool) -> Candidates {
        Candidates {
            truth,
            exact,
            certain: Truth::Never,
        }
    }

    /// Exactly these positions.
    pub fn exactly(truth: Truth) -> Candidates {
        Candidates::new(truth, true)
    }

    /// At most these positions.
    pub fn at_most(truth: Truth) -> Candidates {
        Candidates::new(truth, false)
    }

    /// At most the first positions, and at least the second.
    pub(crate) fn between(truth: Truth, certain: Truth) -> Candidates {
        Candidates {
            exact: truth == certain,
            truth,
            certain,
        }
    }

    /// Where the filter certainly matches.
    pub(crate) fn certain(&self) -> Truth {
        match self.exact {
            true => self.truth.clone(),
            false => self.certain.clone(),
        }
    }

    /// Where it may match `ids` later, where a condition says that there is such a position.
    pub(crate) fn after(self, ids: i32, there: &Truth) -> Candidates {
        let later = |truth: Truth| Truth::all([there.clone(), truth.after(ids)]);
        match self.exact {
            true => Candidates::exactly(later(self.truth)),
            false => Candidates::between(later(self.truth), later(self.certain)),
        }
    }

    /// How far from the position it looks.
    pub(crate) fn reach(&self) -> i32 {
        self.truth.reach().max(self.certain.reach())
    }

    /// Where all may match.
    pub(crate) fn all(parts: impl IntoIterator<Item = Candidates>) -> Candidates {
        Candidates::combined(parts, Truth::all)
    }

    /// Where one of them may match.
    pub(crate) fn any(parts: impl IntoIterator<Item = Candidates>) -> Candidates {
        Candidates::combined(parts, any_of)
    }

    /// What a combination gives that holds at more positions when its parts do.
    fn combined(parts: impl IntoIterator<Item = Candidates>, combine: impl Fn(Vec<Truth>) -> Truth) -> Candidates {
        let parts: Vec<Candidates> = parts.into_iter().collect();
        if parts.iter().all(|part| part.exact) {
            return Candidates::exactly(combine(parts.into_iter().map(|part| part.truth).collect()));
        }
        let certain = combine(parts.iter().map(Candidates::certain).collect());
        Candidates::between(combine(parts.into_iter().map(|part| part.truth).collect()), certain)
    }

    /// Where both may match.
    #[must_use]
    pub fn both(a: Candidates, b: Candidates) -> Candidates {
        Candidates::all([a, b])
    }

    /// Where one of them may match.
    #[must_use]
    pub fn either(a: Candidates, b: Candidates) -> Candidates {
        Candidates::any([a, b])
    }

    /// Where the filter does not match: everywhere but where it certainly matches.
    #[expect(
        clippy::should_implement_trait,
        reason = "an expression is built, nothing is computed"
    )]
    pub fn not(self) -> Candidates {
        if self.exact {
            return Candidates::exactly(self.truth.not());
        }
        Candidates::between(self.certain.not(), self.truth.not())
    }
}

/// True or false for every position.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum Truth {
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
    /// A posting list.
    Term(Term),
    /// The positions of a named set.
    PositionSet(NamedSet),
    /// Where a quantity has a value.
    Given(Quantity),
    /// All positions of some games: an index into the plan's game filters.
    Games(usize),
    /// Where the other does not hold.
    Not(Box<Truth>),
    /// Where all hold.
    And(Shared<Truth>),
    /// Where one holds.
    Or(Shared<Truth>),
    /// Where at least this many plies lead to the position. It goes by the numbers of positions in their
    /// games, which on the main line are their plies and in variations more than them.
    PlyAtLeast(u32),
    /// Where a set is not empty.
    Any(Box<SetExpr>),
    /// Where the comparison of two numbers holds. The expression around this one excludes the positions where one of
    /// them has no value.
    Compare(Comparison, Box<NumberExpr>, Box<NumberExpr>),
    /// Where a set has exactly one square.
    Single(Box<SetExpr>),
    /// Where it holds that many ids later, or earlier if the number is negative. The expression around this one
    /// excludes positions of another game. At most [`Truth::REACH`] either way.
    After(i32, Box<Truth>),
    /// Where the next move of the main line is one of some moves. The expression around this one excludes the last position.
    Move(Arc<NextMove>),
    /// Where a condition on other positions of the game holds.
    Temporal(Box<Temporal>),
}

/// A named set of positions of the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedSet {
    /// Its number in [`ParsedQuery::sets`](language::hir::ParsedQuery::sets).
    pub index: usize,
    /// Its name.
    pub name: Arc<str>,
}

impl SetExpr {
    /// The set that many ids later.
    #[must_use]
    pub(crate) fn after(self, ids: i32) -> SetExpr {
        match self {
            constant @ SetExpr::Constant(_) => constant,
            SetExpr::After(more, inner) => inner.after(ids + more),
            set if ids == 0 => set,
            set => SetExpr::After(ids, Box::new(set)),
        }
    }
}

impl Truth {
    /// How far [`Truth::After`] can look.
    pub const REACH: i32 = 63;

    /// The conditions that all have to hold: the parts of a conjunction, or the only one.
    pub(crate) fn conjuncts(&self) -> &[Truth] {
        match self {
            Truth::And(parts) => parts,
            one => std::slice::from_ref(one),
        }
    }

    /// Where it holds `ids` later.
    #[must_use]
    pub fn after(self, ids: i32) -> Truth {
        match self {
            _ if ids == 0 => self,
            Truth::Always | Truth::Never | Truth::Games(_) => self,
            Truth::After(more, inner) => inner.after(ids + more),
            Truth::And(parts) => Truth::all(parts.into_iter().map(|part| part.after(ids))),
            other => Truth::After(ids, Box::new(other)),
        }
    }

    /// The complement.
    #[expect(
        clippy::should_implement_trait,
        reason = "an expression is built, nothing is computed"
    )]
    pub fn not(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::Not(inner) => *inner,
            other => Truth::Not(Box::new(other)),
        }
    }

    /// Where all hold; nested ones are flattened, constants taken out.
    pub fn all(parts: impl IntoIterator<Item = Truth>) -> Truth {
        let mut distinct = Distinct::default();
        for part in parts {
            match part {
                Truth::Always => {}
                Truth::Never => return Truth::Never,
                Truth::And(inner) => {
                    // Lists are compared quickly, and are those that come again.
                    let is_new = |part: &Truth, distinct: &Distinct| !is_list(part) || !distinct.contains(part);
                    for part in inner {
                        if is_new(&part, &distinct) {
                            distinct.push(part);
                        }
                    }
                }
                other if distinct.contains(&other) => {}
                other => distinct.push(other),
            }
        }
        let mut list = distinct.list;
        match list.len() {
            0 => Truth::Always,
            1 => list.swap_remove(0),
            _ => Truth::And(list.into()),
        }
    }

    /// Where one holds; nested ones are flattened, constants taken out.
    pub fn any(parts: impl IntoIterator<Item = Truth>) -> Truth {
        let mut list = Vec::new();
        for part in parts {
            match part {
                Truth::Never => {}
                Truth::Always => return Truth::Always,
                Truth::Or(inner) => list.extend(inner),
                other => list.push(other),
            }
        }
        match &list[..] {
            [] => Truth::Never,
            [_] => list.swap_remove(0),
            [a, Truth::Not(b)] | [Truth::Not(b), a] if *a == **b => Truth::Always,
            _ => Truth::Or(list.into()),
        }
    }
}

/// Whether a condition is a list or its complement, here or at another position.
fn is_list(truth: &Truth) -> bool {
    match truth {
        Truth::Term(_) => true,
        Truth::Not(inner) | Truth::After(_, inner) => is_list(inner),
        _ => false,
    }
}

/// Conditions of which it is looked whether another one is among them.
#[derive(Default)]
struct Distinct {
    list: Vec<Truth>,
    /// The hashes of all of them, if they are many.
    hashes: HashSet<u64>,
}

impl Distinct {
    /// As many are compared one by one.
    const FEW: usize = 32;

    fn contains(&self, truth: &Truth) -> bool {
        (self.hashes.is_empty() || self.hashes.contains(&hash_of(truth))) && self.list.contains(truth)
    }

    fn push(&mut self, truth: Truth) {
        if self.list.len() >= Distinct::FEW {
            if self.hashes.is_empty() {
                self.hashes.extend(self.list.iter().map(hash_of));
            }
            self.hashes.insert(hash_of(&truth));
        }
        self.list.push(truth);
    }
}

/// A set of squares for every position.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum SetExpr {
    /// The same everywhere.
    Constant(Bitboard),
    /// The squares among these with one of these contents.
    Contents(ManSet, Bitboard),
    /// In one of them.
    Union(Shared<SetExpr>),
    /// In all of them.
    Intersection(Shared<SetExpr>),
    /// Not in it.
    Complement(Box<SetExpr>),
    /// `A attacks B`: squares of A.
    Attacks(Box<SetExpr>, Box<SetExpr>),
    /// `A attackedby B`: squares of A.
    AttackedBy(Box<SetExpr>, Box<SetExpr>),
    /// The squares `min` to `max` steps away.
    Steps {
        /// In these directions.
        directions: Directions,
        /// At least.
        min: i32,
        /// At most.
        max: i32,
        /// From these squares.
        from: Box<SetExpr>,
    },
    /// The ends of lines through all of these, or their starts.
    Rays {
        /// Which lines.
        lines: RayLines,
        /// At least two sets, the start first.
        arguments: Vec<SetExpr>,
        /// Whether the starts are given.
        gives_first: bool,
    },
    /// One of the sets of a pin: pinning, pinned, and what is behind.
    Pins(Box<[SetExpr; 3]>, PinValue),
    /// The men of a color that are pinned to a king of theirs, as lists have it. It takes the place of a pin where there are such
    /// lists ([`Truth::with_listed_pins`]).
    Pinned(Color),
    /// The pawns of a color that stand in some way to others.
    Pawns(PawnStructure, Color),
    /// The squares between those of two sets, on lines in these directions.
    Between {
        /// The directions from the first set to the second.
        directions: Directions,
        /// The two sets.
        ends: Box<[SetExpr; 2]>,
    },
    /// The first where the condition holds, the second elsewhere.
    Choose(Box<Truth>, Box<SetExpr>, Box<SetExpr>),
    /// Each of these squares where its condition holds.
    Squares(Shared<(Square, Truth)>),
    /// The squares that were not in the set in the position before; none in the first position of a game.
    Added(Box<SetExpr>),
    /// The set that many ids later; see [`Truth::After`].
    After(i32, Box<SetExpr>),
    /// The square with this number in a set, counted from 0 in the order of squares; none if the set has fewer squares.
    Nth(usize, Box<SetExpr>),
}

/// The lines of a ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RayLines {
    /// In these directions.
    Given(Directions),
    /// In the directions in which the man at the start moves.
    OfPiece,
}

/// A number for every position.
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum NumberExpr {
    /// The same everywhere.
    Constant(i32),
    /// How many squares a set has.
    Count(SetExpr),
    /// How many of the expressions hold.
    CountTrue(Vec<Truth>),
    /// The value of the men on a set.
    Power(SetExpr),
    /// `a + b`
    Sum(Box<NumberExpr>, Box<NumberExpr>),
    /// `a - b`
    Difference(Box<NumberExpr>, Box<NumberExpr>),
    /// A multiple of a number.
    Scaled(i32, Box<NumberExpr>),
    /// What a table has for a number: the values for the least one it can have, and for those behind it.
    Table(Box<NumberExpr>, i32, Vec<i32>),
    /// The largest of some numbers, of one at least.
    Max(Vec<NumberExpr>),
    /// File (true) or rank of the only square of a set, 1 to 8; anything where there is not exactly one.
    Coordinate(bool, SetExpr),
    /// The first where the condition holds, the second elsewhere.
    Choose(Box<Truth>, Box<NumberExpr>, Box<NumberExpr>),
    /// A clock, a time or an evaluation; 0 where there is none.
    Quantity(Quantity),
    /// The number that many ids later; see [`Truth::After`].
    After(i32, Box<NumberExpr>),
}
