//! Formulas: filters without side effects, compiled once for a query.
//!
//! A formula is a graph of operations in which equal parts are one: variants of a transform share what the transform does
//! not change. An operation that costs something and is asked for again, from another variant or from another turn of a
//! loop that it does not depend on, remembers its value until the position or a variable that it reads changes.
//!
//! No operation can fail. Where a filter could raise an error (a variable without a value, a loop's variable in use), the
//! filter is evaluated as it stands, and so defines which error it is.

mod family;
mod lower;
mod run;

use language::hir::{
    Arithmetic, CastleSide, Comparison, Directions, Filter, FilterId, Legality, ManSet, MoveValue, PawnStructure,
    PinValue, Query, VariableId,
};
use shakmaty::{Bitboard, Color};

use self::lower::Lowering;
pub(crate) use self::run::{Memory, Runner, number};
use crate::orbits::Orbits;

/// The value of a number or position that there is none of. Numbers are 32 bits, sign-extended; conditions are 0 or 1.
pub(crate) const NONE: u64 = i64::MIN.cast_unsigned();

/// The value of an operation is not remembered.
const NO_MEMO: u32 = u32::MAX;

/// An operation, by its place in the graph.
pub(crate) type Id = u32;

/// An operation. Operands come before it in the graph.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Constant(u64),

    // --- sets
    Men(ManSet, Bitboard),
    /// The value of a variable that is no piece.
    Value(VariableId),
    /// Where the piece of a variable stands.
    Piece(VariableId),
    Union(Box<[Id]>),
    Intersection(Box<[Id]>),
    Complement(Id),
    Attacks(Id, Id),
    AttackedBy(Id, Id),
    Between(Id, Id),
    Along(Directions, i32, i32, Id),
    Ray(Directions, Box<[Id]>),
    Xray(Box<[Id]>, bool),
    Pin([Id; 3], PinValue),
    /// The kings.
    Kings,
    Pawns(PawnStructure),
    From,
    To,
    Legal(Legality, Id, Id),
    MakeSquare(Id, Id),
    /// The squares with the same contents at two positions.
    SameContents(Id, Id),
    /// The squares of a loop for which its body holds.
    Loop(Loop),

    // --- numbers
    Count(Id),
    Power(Id),
    File(Id),
    Rank(Id),
    Type(Id),
    ColorType(Id),
    /// The letter of the only man of a set, without its color or with it.
    Letter(bool, Id),
    Arithmetic(Arithmetic, Id, Id),
    Negate(Id),
    Abs(Id),
    Sqrt(Id),
    /// The largest or smallest of those that there are.
    Extremum(bool, Box<[Id]>),
    /// The left side where the comparison holds.
    Compared(Comparison, Id, Id),
    /// How many conditions hold.
    Holding(Box<[Id]>),
    /// How many variants of an orbit match that was folded.
    Folded(FilterId),
    /// The number, if it lies between the others.
    Within(Id, i32, i32),
    /// How many possible moves there are; above the limit any number above it.
    CountLegal(Legality, Id, Id, i32),
    Ply,
    MoveNumber,
    PositionId,
    SideToMove,

    // --- positions
    Here,
    Parent,
    Child,
    PositionAt(Id),
    /// The first of the positions after this one, or the ancestors, where a condition holds.
    Find(bool, Id),

    // --- conditions
    Any(Id),
    Exists(Id),
    Compare(Comparison, Id, Id),
    SameSet(Id, Id),
    Subset(Id, Id),
    And(Box<[Id]>),
    Or(Box<[Id]>),
    Not(Id),
    Turn(Color),
    Check,
    Mate,
    Stalemate,
    Initial,
    Terminal,
    Mainline,
    /// Whether the body of a loop holds for a square.
    Some(Loop),
    /// Whether it holds for all.
    All(Loop),
    /// The squares of a move between these squares with which the game goes on, as far as the target names them.
    Dash {
        from: Id,
        to: Id,
        capture: bool,
        promotion: Option<ManSet>,
        target: Target,
    },

    /// The squares that the first parameter of a `move` filter names, of all moves that it accepts; all squares for a
    /// condition.
    Move(Box<MoveOp>),
    /// Variants of a template, which has holes for their squares.
    Family {
        fold: Fold,
        template: Id,
        table: u32,
    },
    /// Men on the squares of a hole.
    Masked(ManSet, u16),
    /// The squares of a hole.
    Hole(u16),

    // --- values of any kind
    Choose(Id, Id, Id),
    /// A value where a condition holds, or else this.
    If(Id, Id, u64),
    /// A value at a position, or this if there is no position.
    At(Id, Id, u64),
}

/// What is made of the values of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fold {
    Any,
    Sum,
    Union,
    Largest,
}

/// A `move` filter about the moves that leave the position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MoveOp {
    pub(crate) value: MoveValue,
    /// From, to, captured, captured en passant.
    pub(crate) squares: [Option<Id>; 4],
    pub(crate) promote: Option<ManSet>,
    pub(crate) en_passant: bool,
    pub(crate) null: bool,
    pub(crate) castle: Option<CastleSide>,
    pub(crate) primary: Option<bool>,
}

/// What a dash asks of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// Nothing: all squares, if there is such a move.
    None,
    From,
    To,
    EnPassant,
    Castle,
}

/// A loop over squares or pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Loop {
    pub(crate) variable: VariableId,
    pub(crate) pieces: bool,
    pub(crate) domain: Id,
    pub(crate) body: Id,
    /// Whether the turns can be computed side by side.
    pub(crate) side_by_side: bool,
}

/// What is known of an operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Info {
    /// The variables that its value depends on, ascending.
    variables: Vec<VariableId>,
    /// The variables of the loops inside, ascending.
    bound: Vec<VariableId>,
    /// Whether its value depends on the position.
    here: bool,
    /// Whether it asks for the move that a constituent of a `line` is bound to, so that its value is not remembered.
    bound_move: bool,
    /// Whether it is a part of a template.
    has_holes: bool,
    /// Whether it reads the squares of the last move, of which a target of a castling move sees some.
    last_move: bool,
    /// About how long it takes, in operations.
    cost: u32,
    /// Whether it is asked for again with the same value.
    again: bool,
}

/// How a filter is answered by a formula.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its truth.
    pub(crate) truth: Option<Id>,
    /// Its value, if it is a set, number or position.
    pub(crate) value: Option<Id>,
    /// The variables that must have a value.
    free: Vec<VariableId>,
    /// The variables that must have none.
    bound: Vec<VariableId>,
    last_move: bool,
}

/// The formulas of a query.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    ops: Vec<Op>,
    infos: Vec<Info>,
    /// The squares of the holes of families, by hole and variant.
    tables: Vec<Vec<Box<[u64]>>>,
    /// Where the value of each operation is remembered, or [`NO_MEMO`].
    memo_of: Vec<u32>,
    memos: usize,
    /// By filter: one more than the place of its entry, 0 if it has none.
    places: Vec<u32>,
    entries: Vec<Entry>,
    variables: usize,
}

impl Formulas {
    /// Compiles what can be compiled of a query. `comments` says whether comments can be seen.
    pub(crate) fn of(query: &Query, orbits: &Orbits, comments: bool) -> Formulas {
        let mut lowering = Lowering::new(query, orbits, comments);
        lowering.visit(&query.body);
        lowering.finish()
    }

    /// The entry of a filter, if it has one.
    #[inline]
    pub(crate) fn entry(&self, filter: &Filter) -> Option<&Entry> {
        let place = *self.places.get(filter.id().index())?;
        self.entries.get((place as usize).checked_sub(1)?)
    }
}

/// Whether a comparison asks for the tree of the game.
pub(crate) fn is_about_positions(comparison: Comparison) -> bool {
    matches!(
        comparison,
        Comparison::Ancestor | Comparison::AncestorOrEqual | Comparison::Descendant | Comparison::DescendantOrEqual
    )
}
