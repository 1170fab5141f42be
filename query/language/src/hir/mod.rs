//! The typed tree of a query: names are resolved, kinds are checked, sugar is gone.
//!
//! It is the one representation that transforms, planner and evaluator read. All dialects lower to it. Every node
//! keeps its span, because run-time errors and `explain` point into the text.

mod designator;
mod diagram;
mod ids;
mod imagined;
mod kind;
mod moves;
mod notation;
mod parts;
mod query;
mod relation;
mod sequence;

pub use designator::{Designator, ManSet};
pub use diagram::{DiagramRelation, DiagramScope};
pub use ids::{DictionaryId, FilterId, SequenceId, SortId, VariableId};
pub use imagined::Change;
pub use kind::Kind;
pub use moves::{CastleSide, Dash, Legality, MoveFilter, MoveValue, Promotion};
pub use notation::SquareNames;
pub use parts::{
    Arithmetic, AssignOp, Award, Bound, Comparison, FindCount, HhdbAward, HhdbText, Metadata, PawnStructure, PinValue,
    Purity, Range, Regex, Slice, SortKey, SortOrder,
};
pub use query::{
    Dictionary, Header, HeaderOutcome, NumberRange, ParsedQuery, Query, SetName, SimilarPosition, Variable,
    VariableKind,
};
pub use relation::{EchoTransform, LcaDistance, Relation, RelationParameter, SquareComparison};
pub use sequence::{Constituent, Focus, Line, LineArrow, Path, PathStep, Repeat, SequenceEnd};

use std::fmt;
use std::hash::{Hash, Hasher};

use shakmaty::Color;

use crate::span::Span;
use crate::transform::Transform;
pub use crate::transform::{Direction, Directions};

/// A filter, its kind and its place in the text.
#[derive(Clone)]
pub struct Filter {
    /// Its number, given when the query is expanded.
    pub(crate) id: FilterId,
    /// Whether it is vacuous; known when it has a number.
    pub(crate) vacuous: bool,
    /// What it is.
    pub node: Node,
    /// What it gives.
    pub kind: Kind,
    /// Where it stands.
    pub span: Span,
}

impl Filter {
    /// A filter of this kind at this place.
    pub fn new(node: Node, kind: Kind, span: Span) -> Filter {
        Filter {
            id: FilterId::NONE,
            vacuous: false,
            node,
            kind,
            span,
        }
    }

    /// Its number in its [`Query`]. Before the query is expanded it has none, and this is above every number.
    #[inline]
    pub fn id(&self) -> FilterId {
        self.id
    }
}

/// Without the number: filters that are the same look the same.
impl fmt::Debug for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("node", &self.node)
            .field("kind", &self.kind)
            .field("span", &self.span)
            .finish()
    }
}

/// Without the number and the place in the text: two texts that differ in layout and comments have the same hash. Nothing
/// else is left out, so that queries with the same hash have the same answer.
impl Hash for Filter {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Filter {
            id: _,
            vacuous: _,
            node,
            kind,
            span: _,
        } = self;
        node.hash(state);
        kind.hash(state);
    }
}

/// A filter's own part; children are boxed filters.
///
/// Comments name the CQL form. Where a child must be of a certain kind, the parser has made sure that it is.
#[derive(Clone, Debug, Hash)]
pub enum Node {
    // --- sets
    /// `Ra1`, `[Aa]c-f4`, `d5` ...
    Designator(Designator),
    /// `.`
    AllSquares,
    /// `[]`
    NoSquares,
    /// `A | B | ...`
    Union(Vec<Filter>),
    /// `A & B & ...`
    Intersection(Vec<Filter>),
    /// `~A`
    Complement(Box<Filter>),
    /// `A attacks B`, `A -> B`: squares of A.
    Attacks(Box<Filter>, Box<Filter>),
    /// `A attackedby B`, `A <- B`: squares of A.
    AttackedBy(Box<Filter>, Box<Filter>),
    /// `ray DIRS (S1 ... Sn)`: squares of the last argument, by bare geometry.
    Ray {
        /// The directions, all eight by default.
        directions: Directions,
        /// At least two sets.
        arguments: Vec<Filter>,
    },
    /// `xray (S1 ... Sn)`, `S1 -> S2 -> ... -> Sn`, `Sn <- ... <- S1`: along the lines that the first piece moves on.
    Xray {
        /// At least two sets, the attacker first (also for `<-` chains).
        arguments: Vec<Filter>,
        /// Whether the squares of the first argument are given (`->` chains), or those of the last.
        gives_first: bool,
    },
    /// `pin from F through T to G`
    Pin {
        /// The pinning pieces; any by default.
        from: Option<Box<Filter>>,
        /// The pinned men; any by default.
        through: Option<Box<Filter>>,
        /// What they are pinned to; both kings by default.
        to: Option<Box<Filter>>,
        /// Which set is given.
        value: PinValue,
    },
    /// `up 1 2 S`, `diagonal S` ...
    Direction {
        /// The directions.
        directions: Directions,
        /// How many steps; 1 to 7 by default. `count` is a run-time error.
        range: Option<Range>,
        /// Where to start.
        argument: Box<Filter>,
    },
    /// `between (S T)`
    Between(Box<Filter>, Box<Filter>),
    /// `light S` (true), `dark S` (false)
    SquareColor(bool, Box<Filter>),
    /// `connectedpawns` ...
    PawnStructure(PawnStructure),
    /// `makesquare (f r)`
    MakeSquare(Box<Filter>, Box<Filter>),
    /// `makesquare "e4"`
    MakeSquareNamed(Box<Filter>),
    /// `puremate`, `idealstalemate` ...: `mate` or stalemate.
    PureMate {
        /// How strict.
        purity: Purity,
        /// Stalemate instead of mate.
        stalemate: bool,
    },
    /// `square x in S F`, `square all x in S F` (logical)
    SquareLoop {
        /// The variable.
        variable: VariableId,
        /// Whether F has to match for all squares.
        all: bool,
        /// The variable, if the query assigns it, too.
        in_doubt: Vec<VariableId>,
        /// S.
        domain: Box<Filter>,
        /// F.
        body: Box<Filter>,
    },
    /// `piece x in S F`, `piece all x in S F` (logical)
    PieceLoop {
        /// The variable.
        variable: VariableId,
        /// Whether F has to match for all pieces.
        all: bool,
        /// The variable, if the query assigns it, too.
        in_doubt: Vec<VariableId>,
        /// S.
        domain: Box<Filter>,
        /// F.
        body: Box<Filter>,
    },
    /// `P & Q` between positions: the squares with identical contents.
    SameContents(Box<Filter>, Box<Filter>),

    // --- numbers
    /// `12`
    Number(i32),
    /// `#S`
    Cardinality(Box<Filter>),
    /// `#"abc"`
    Length(Box<Filter>),
    /// `#D`
    DictionarySize(DictionaryId),
    /// `power S`
    Power(Box<Filter>),
    /// How many pairs there are of a man on a square of the first set and a square of the second that it attacks:
    /// `attack R (S T)` of CQL 5.
    AttackPairs(Box<Filter>, Box<Filter>),
    /// How many rays there are: `ray R (S1 ... Sn)` of CQL 5.
    RayCount {
        /// The directions; `None` for those that the first piece moves along.
        directions: Option<Directions>,
        /// At least two sets.
        arguments: Vec<Filter>,
    },
    /// `file S`
    File(Box<Filter>),
    /// `rank S`
    Rank(Box<Filter>),
    /// `type S`
    Type(Box<Filter>),
    /// `colortype S`
    ColorType(Box<Filter>),
    /// `pieceid S`
    PieceId(Box<Filter>),
    /// `pieceid v` of a piece variable, which keeps its number after capture.
    PieceIdOf(VariableId),
    /// `sidetomove`
    SideToMove,
    /// `white`, `black`: 1 and -1.
    ColorValue(Color),
    /// `movenumber`
    MoveNumber,
    /// `ply`
    Ply,
    /// `depth`
    Depth,
    /// `positionid`
    PositionId,
    /// `gamenumber`
    GameNumber,
    /// `lastgamenumber`
    LastGameNumber,
    /// `year`
    Year,
    /// `elo`, `elo white`, `elo black`
    Elo(Option<Color>),
    /// Unary minus.
    Negate(Box<Filter>),
    /// `abs N`
    Abs(Box<Filter>),
    /// `sqrt N`
    Sqrt(Box<Filter>),
    /// `a + b` ...
    Arithmetic(Arithmetic, Box<Filter>, Box<Filter>),
    /// `max (a b ...)` (true), `min` (false): all numeric or all strings.
    Extremum(bool, Vec<Filter>),
    /// `int STR`
    Int(Box<Filter>),
    /// `ascii STR`
    AsciiCode(Box<Filter>),
    /// `indexof (PATTERN TEXT)`
    IndexOf(Box<Filter>, Box<Filter>),
    /// `distance (P Q)`
    Distance(Box<Filter>, Box<Filter>),
    /// `ancestor (P Q)`: P is a proper ancestor of Q.
    Ancestor(Box<Filter>, Box<Filter>),
    /// `descendant (P Q)`: P is a proper descendant of Q.
    Descendant(Box<Filter>, Box<Filter>),
    /// `consecutivemoves (x y)`
    ConsecutiveMoves {
        /// No comments.
        quiet: bool,
        /// What the length must be; at least 1 by default.
        range: Option<Range>,
        /// The two position variables.
        variables: [VariableId; 2],
    },
    /// `pathcount`
    PathCount,
    /// `pathcountunfocused`
    PathCountUnfocused,
    /// `try`
    Try,
    /// `\-1`: where the group of the last regular expression starts.
    GroupStart(u32),
    /// `hhdb prize` ...: matches if there is such an award, and gives its rank (docs/language/studies.md#awards).
    HhdbAward(HhdbAward),

    // --- comparisons: the value is the left side's
    /// `a < b` on numbers; a set on either side counts its squares.
    CompareNumbers(Comparison, Box<Filter>, Box<Filter>),
    /// On strings.
    CompareStrings(Comparison, Box<Filter>, Box<Filter>),
    /// On positions.
    ComparePositions(Comparison, Box<Filter>, Box<Filter>),
    /// `A == B` on sets.
    SameSet(Box<Filter>, Box<Filter>),
    /// `A in B`: subset.
    Subset(Box<Filter>, Box<Filter>),
    /// `"a" in STR`: substring. Also what the implicit search `player "Kasparov"` lowers to.
    Substring(Box<Filter>, Box<Filter>),
    /// `equal (a b)`
    Equal(Box<Filter>, Box<Filter>),

    // --- strings
    /// `"text"`, `\n`
    String(String),
    /// `player white`, `event`, `tag "X"`, `originalcomment` ...
    Metadata(Metadata),
    /// `fen` without an argument.
    Fen,
    /// `typename S`
    TypeName(Box<Filter>),
    /// `piecename S`
    PieceName(Box<Filter>),
    /// `str (...)`
    Str(Vec<Filter>),
    /// `uppercase STR` (true), `lowercase STR` (false)
    Case(bool, Box<Filter>),
    /// `ascii N`
    AsciiChar(Box<Filter>),
    /// `STR + STR`
    Concatenation(Box<Filter>, Box<Filter>),
    /// `STR[i]`, `STR[i:j]`
    Slice(Box<Filter>, Slice),
    /// `STR ~~ "re"`
    RegexMatch(Box<Filter>, Regex),
    /// `\1`
    Group(u32),
    /// `currenttransform`; expansion writes the name of the map in.
    CurrentTransform(String),
    /// `readfile STR`
    ReadFile(Box<Filter>),
    /// `hhdb` string keywords.
    Hhdb(HhdbText),

    // --- positions
    /// `currentposition`
    CurrentPosition,
    /// `position N`, `initialposition` is `position 0`.
    PositionAt(Box<Filter>),
    /// `parent`
    Parent,
    /// `child`, `child(N)`
    Child(Option<Box<Filter>>),
    /// `lca (P Q)`
    Lca(Box<Filter>, Box<Filter>),
    /// `pathstart`
    PathStart,
    /// `pathlastposition`
    PathLastPosition,
    /// `find`: position, or number with a range or `all`.
    Find {
        /// `<--`: up through the ancestors.
        backward: bool,
        /// No comments.
        quiet: bool,
        /// How often.
        count: FindCount,
        /// The filter.
        argument: Box<Filter>,
    },
    /// `line`: number, or position with `lastposition`.
    Line(Box<Line>),
    /// `path`: number, or position with `lastposition`.
    Path(Box<Path>),
    /// `P : F`
    At(Box<Filter>, Box<Filter>),

    // --- logical
    /// `and`
    And(Box<Filter>, Box<Filter>),
    /// `or`
    Or(Box<Filter>, Box<Filter>),
    /// `not`
    Not(Box<Filter>),
    /// `true`, a function definition, a `dictionary` declaration.
    True,
    /// `false`, `extension`
    False,
    /// `wtm`, `btm`
    Turn(Color),
    /// `check`
    Check,
    /// `mate`
    Mate,
    /// `stalemate`
    Stalemate,
    /// `initial`
    Initial,
    /// `terminal`
    Terminal,
    /// `mainline` (true), `variation` (false)
    Mainline(bool),
    /// `virtualmainline`
    VirtualMainline,
    /// `primary` (true), `secondary` (false)
    Primary(bool),
    /// `result 1-0` ...
    Result(chess::Outcome),
    /// `originalcomment "!"`: the move has this glyph.
    Nag(u8),
    /// `isbound x` (true), `isunbound x` (false); `None` when the name is never assigned.
    IsBound(bool, Option<VariableId>),
    /// `unbind x`
    Unbind(VariableId),
    /// `fen "..."`: the 64 designators.
    FenBoard(Vec<Designator>),

    // --- moves
    /// `move ...`
    Move(Box<MoveFilter>),
    /// `A--B`, `A[x]B`
    Dash(Box<Dash>),
    /// `legal A--B`, `pseudolegal A--B`: to-squares.
    LegalDash(Legality, Box<Dash>),
    /// `countmoves D`, `countmoves legal D`
    CountMoves(Option<Legality>, Box<Dash>),
    /// `currentmove D`, `previous D`
    CurrentMove(Box<Dash>),
    /// `from`
    FromSquares,
    /// `to`
    ToSquares,
    /// `enpassantsquare`
    EnPassantSquare,
    /// `castle`, `o-o`, `o-o-o`
    Castle(CastleSide),
    /// `enpassant`
    EnPassant,
    /// `nullmove`
    NullMove,

    // --- echo
    /// `echo (s t) F`: logical, or the maximum when F is numeric.
    Echo {
        /// No comments.
        quiet: bool,
        /// The two position variables.
        source: VariableId,
        /// The second.
        target: VariableId,
        /// `in all`: the source is a target too.
        in_all: bool,
        /// Those of the two variables that the query assigns, too.
        in_doubt: Vec<VariableId>,
        /// F.
        body: Box<Filter>,
    },
    /// `relation` of CQL 5.
    Relation(Box<Relation>),
    /// `:relation` of CQL 1.
    DiagramRelation(Box<DiagramRelation>),

    // --- structure and control
    /// `{f1 ... fn}`, one element at least; the value is the last one's.
    Compound(Vec<Filter>),
    /// `if C then T else E`
    If(Box<Filter>, Box<Filter>, Option<Box<Filter>>),
    /// `while (C) F`
    While(Box<Filter>, Box<Filter>),
    /// `while (STR ~~ "re") F`
    WhileRegex(Box<Filter>, Regex, Box<Filter>),
    /// `loop F`
    Loop(Box<Filter>),
    /// `assert F`
    Assert(Box<Filter>),
    /// `assert x` on a variable: is it bound?
    AssertBound(VariableId),
    /// `cql_abort`
    Abort,
    /// A function call: the arguments passed by value, then the body as parsed for this call.
    Call {
        /// Hidden variables and what they are set to, in order.
        arguments: Vec<(VariableId, Filter)>,
        /// The body.
        body: Box<Filter>,
    },
    /// A variable that is read.
    Variable(VariableId),
    /// `x = F` and its relatives.
    Assign(VariableId, AssignOp, Box<Filter>),
    /// `piece x = S`
    AssignPiece(VariableId, Box<Filter>),
    /// `x[i:j] = STR`
    AssignSlice(VariableId, Slice, Box<Filter>),
    /// `D` alone: a filter only where its entries are printed.
    Dictionary(DictionaryId),
    /// `D[k]`
    DictionaryGet(DictionaryId, Box<Filter>),
    /// `D[k] = v`
    DictionarySet(DictionaryId, Box<Filter>, Box<Filter>),
    /// `unbind D[k]` and, without a key, `unbind D`
    DictionaryUnbind(DictionaryId, Option<Box<Filter>>),
    /// `x [element] D F`
    DictionaryLoop(VariableId, DictionaryId, Box<Filter>),

    // --- transforms
    /// A transform as written. [`crate::expand()`] turns every one into an orbit: there is none in a [`Query`].
    Transform {
        /// The maps.
        transform: Transform,
        /// `count` or a range.
        range: Option<Range>,
        /// Whether equal variants count as one. CQL 5 counts them all, and the identity of `flip` twice.
        distinct: bool,
        /// The argument.
        argument: Box<Filter>,
    },
    /// The variants of an expanded transform, in the order of evaluation.
    Orbit {
        /// `count` or a range.
        range: Option<Range>,
        /// The distinct variants; none is left when elimination took all.
        variants: Vec<Filter>,
    },
    /// `notransform F`
    NoTransform(Box<Filter>),

    // --- output
    /// `comment (...)`, `/// ...`
    Comment(Vec<Filter>),
    /// `message (...)`, `message quiet (...)`
    Message {
        /// Only the text, without the place.
        quiet: bool,
        /// The parts.
        parts: Vec<Filter>,
    },
    /// `sort ...`
    Sort {
        /// The key.
        id: SortId,
        /// Which of two values this filter keeps; the games are put in the order that the key's first filter names.
        order: SortOrder,
        /// F.
        argument: Box<Filter>,
    },
    /// `settag ("Name" STR)`
    SetTag(String, Box<Filter>),
    /// `removecomment`
    RemoveComment,
    /// `writefile (NAME CONTENT)`
    WriteFile(Box<Filter>, Box<Filter>),
    /// `similarposition`: an index into [`ParsedQuery::similar`].
    SimilarPosition(u32),
    /// `cql_assertvariations "msg"`: checked at the start.
    AssertVariations(String),
    /// `hhdb cooked`: the raw text of the game contains `<cook`.
    HhdbCooked,

    // --- extensions of cqldex
    /// `move ... : F` and `move ... all : F`: F behind each of the moves.
    AfterMove {
        /// The `move` filter; its kind is that of the whole, unless `all` makes it a condition.
        moves: Box<Filter>,
        /// Whether F has to match behind all of them.
        all: bool,
        /// F.
        target: Box<Filter>,
    },
    /// `imagine CHANGES : F`
    Imagine {
        /// In the order of the text; one at least.
        changes: Vec<Change>,
        /// F.
        target: Box<Filter>,
    },
    /// `legalposition`
    LegalPosition,
    /// `positionset "name"`: an index into [`ParsedQuery::sets`].
    PositionSet(u32),
    /// `clock white`, `clock black`; `clock` is that of the side to move.
    Clock(Option<Color>),
    /// `movetime`
    MoveTime,
    /// `eval`, `eval white`, `eval black`: as this side sees it.
    Evaluation(Color),
}
