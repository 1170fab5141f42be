//! Formulas: filters that leave nothing behind but values of variables, compiled once for a query.
//!
//! A formula is a graph of operations in which equal parts are one: variants of a transform share what the transform does
//! not change. An operation that costs something and is asked for again, from another variant or from another turn of a
//! loop that it does not depend on, remembers its value until the position or a variable that it reads changes.
//!
//! No operation can fail. Where a filter could raise an error (a variable without a value, a loop's variable in use), the
//! filter is evaluated as it stands, and so defines which error it is. Variables are set in the memory of the formula, and take
//! their values over when it is done: a formula that is given up on the way, as a loop seems to have no end, has changed nothing.

mod family;
mod lower;
mod run;

use language::hir::{
    Arithmetic, CastleSide, Comparison, Directions, Filter, FilterId, Legality, ManSet, MoveValue, Path, PawnStructure,
    PinValue, Query, VariableId, VariableKind,
};
use shakmaty::{Bitboard, Color};

use self::lower::Lowering;
pub(crate) use self::run::{Memory, Runner, number};
use crate::guards::Guards;
use crate::orbits::Orbits;
use crate::per_filter::PerFilter;

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
    /// The squares whose piece is not there at a position.
    Moved(Id),
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
    /// The squares of a move between two sets of squares, as far as its target names them.
    Dash(Box<DashOp>),
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

    // --- paths
    /// How many moves a path has that begins here, its value or its last position.
    Path(Box<PathOp>),
    /// Where the path begins that is being matched, or was matched last.
    PathStart,
    /// How many moves in focus it has.
    PathCount,

    // --- what changes variables: each is a condition
    /// Gives a variable a number or a position, if there is one.
    Assign(VariableId, Id),
    AssignSet(VariableId, Id),
    /// The same if the set has a square.
    AssignIfAny(VariableId, Id),
    /// Gives a variable the piece on the only square of a set, if there is one.
    AssignPiece(VariableId, Id),
    Unbind(VariableId),
    IsBound(VariableId),
    /// Conditions in this order, up to the first that fails.
    Sequence(Box<[Id]>),
    /// While the first condition holds, the second one is asked.
    While(Id, Id),
    /// Asks a condition until it fails; whether it held once.
    Repeat(Id),
    /// How many of the positions after this one, or the ancestors, this one included, match.
    FindAll(bool, Id),
    /// The same, where a match does nothing but add to a variable.
    SumAll(Box<SumAll>),

    // --- values of any kind
    Choose(Id, Id, Id),
    /// A value where a condition holds, or else this.
    If(Id, Id, u64),
    /// A value at a position, or this if there is no position.
    At(Id, Id, u64),
    /// A value that stands for a loop, whose variable must not be in use.
    Unused(VariableId, Id),
}

/// What is made of the values of a family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Fold {
    Any,
    Sum,
    Union,
    Largest,
}

/// A move that is accepted by its squares before it, and by what holds after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DashOp {
    /// Whether it is the move that led to the position, and not one with which the game goes on.
    pub(crate) is_last: bool,
    pub(crate) from: Id,
    pub(crate) to: Id,
    pub(crate) capture: bool,
    pub(crate) promotion: Option<ManSet>,
    pub(crate) target: Target,
    /// What has to hold after the move.
    pub(crate) then: Option<Id>,
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

impl MoveOp {
    /// Whether it names squares of origin or targets, and asks for nothing but these.
    pub(crate) fn names_sides_only(&self) -> bool {
        let MoveOp {
            value,
            squares: [_, _, captured, captured_en_passant],
            promote,
            en_passant,
            null,
            castle,
            primary,
        } = self;
        matches!(value, MoveValue::From | MoveValue::To)
            && captured.is_none()
            && captured_en_passant.is_none()
            && promote.is_none()
            && castle.is_none()
            && primary.is_none()
            && !(*en_passant || *null)
    }
}

/// A search through the positions from this one on that adds a number to a variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SumAll {
    /// The body of the search, which is done so.
    pub(crate) body: Id,
    /// Where a number is added.
    pub(crate) condition: Id,
    pub(crate) addend: Id,
    pub(crate) variable: VariableId,
    /// What the body assigns beside it.
    pub(crate) locals: Box<[Local]>,
}

/// A variable that is assigned in each position anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Local {
    pub(crate) variable: VariableId,
    /// Where it is assigned.
    pub(crate) condition: Id,
    pub(crate) value: Id,
}

/// A path without a choice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PathOp {
    /// Where the pieces stand whose moves count; all moves count if there is none.
    pub(crate) focus: Option<Id>,
    /// Whether captures of these pieces count, too.
    pub(crate) captures: bool,
    pub(crate) steps: Box<[Step]>,
    /// Its value, if that is not the number of its moves.
    pub(crate) max: Option<Id>,
    /// What its value has to be.
    pub(crate) range: Option<(i32, i32)>,
    /// Whether its last position is asked for.
    pub(crate) gives_end: bool,
}

/// A constituent of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// A condition where the path has come to.
    Test(Id),
    /// A move: its squares before it, and what has to hold after it.
    Move {
        from: Id,
        to: Id,
        capture: bool,
        promotion: Option<ManSet>,
        target: Id,
    },
}

/// What a dash asks of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// Nothing: all squares, if there is such a move.
    None,
    From,
    To,
    EnPassant,
    Castle(CastleSide),
}

/// A loop over squares or pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Loop {
    pub(crate) variable: VariableId,
    pub(crate) pieces: bool,
    pub(crate) domain: Id,
    /// What is asked for all turns first: it changes nothing, and nothing that the body changes changes it.
    pub(crate) before: Option<Id>,
    pub(crate) body: Id,
    /// Whether the turns can be computed side by side.
    pub(crate) side_by_side: bool,
    /// Whether it runs to its end whatever is asked: its turns leave something behind.
    pub(crate) to_the_end: bool,
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
    /// The variables that it changes, or asks whether they have a value, ascending.
    assigned: Vec<VariableId>,
    /// Whether it follows a path: that is done in games without variations.
    follows: bool,
    /// Whether it asks about the path that is being matched, so that its value is not remembered.
    of_path: bool,
    /// Whether it can't be used: it may leave out, or do twice, what changes variables.
    unusable: bool,
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
    /// The variables that it changes, or asks whether they have a value, with what they hold.
    assigned: Vec<(VariableId, VariableKind)>,
    last_move: bool,
    follows: bool,
}

impl Entry {
    /// Whether evaluating it may change variables.
    pub(crate) fn has_effects(&self) -> bool {
        !self.assigned.is_empty()
    }
}

/// An operation that is run.
#[derive(Debug)]
struct Code {
    op: Op,
    /// Where its value is remembered, or [`NO_MEMO`].
    memo: u32,
    /// How it is computed.
    way: Way,
}

/// How an operation is computed: those that need little room are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Quick,
    More,
    Rarer,
}

/// What a remembered value depends on.
#[derive(Debug)]
struct Key {
    /// Whether it depends on the position.
    here: bool,
    /// Variables; where there are fewer, one that never changes.
    few: [VariableId; 2],
    /// Further ones.
    more: Box<[VariableId]>,
}

/// The formulas of a query.
#[derive(Debug, Default)]
pub(crate) struct Formulas {
    /// Only while formulas are made.
    ops: Vec<Op>,
    infos: Vec<Info>,
    code: Vec<Code>,
    /// The squares of the holes of families, by hole and variant.
    tables: Vec<Vec<Box<[u64]>>>,
    /// By remembered value: what it depends on.
    keys: Vec<Key>,
    /// By filter: one more than the place of its entry, 0 if it has none.
    places: Vec<u32>,
    entries: Vec<Entry>,
    /// By the first of some filters of a list: their conjunction.
    runs: PerFilter<Run>,
    /// By path, for those that stand by themselves: most positions are left out before they are followed.
    paths: Vec<Option<Entry>>,
    variables: usize,
}

/// Some filters of a list, one behind the other, as one formula.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    /// How many filters there are.
    pub(crate) count: usize,
    /// The formula of all of them.
    pub(crate) entry: Entry,
}

impl Formulas {
    /// Compiles what can be compiled of a query. `comments` says whether comments can be seen.
    pub(crate) fn of(query: &Query, orbits: &Orbits, guards: &Guards<'_>, comments: bool) -> Formulas {
        let mut lowering = Lowering::new(query, orbits, guards, comments);
        lowering.visit(&query.body);
        lowering.finish()
    }

    /// The entry of a filter, if it has one.
    #[inline]
    pub(crate) fn entry(&self, filter: &Filter) -> Option<&Entry> {
        let place = *self.places.get(filter.id().index())?;
        self.entries.get((place as usize).checked_sub(1)?)
    }

    /// All formulas that can be run.
    fn all_entries(&self) -> impl Iterator<Item = &Entry> {
        let runs = self.runs.iter().map(|run| &run.entry);
        self.entries.iter().chain(runs).chain(self.paths.iter().flatten())
    }

    /// The formula of a path, if it has one.
    pub(crate) fn path(&self, path: &Path) -> Option<&Entry> {
        self.paths.get(path.id.0 as usize)?.as_ref()
    }

    /// The formula of the filters of a list that begin with this one, if they have one together.
    #[inline]
    pub(crate) fn run(&self, first: &Filter) -> Option<&Run> {
        self.runs.get(first.id())
    }
}

/// Whether a comparison asks for the tree of the game.
pub(crate) fn is_about_positions(comparison: Comparison) -> bool {
    matches!(
        comparison,
        Comparison::Ancestor | Comparison::AncestorOrEqual | Comparison::Descendant | Comparison::DescendantOrEqual
    )
}
