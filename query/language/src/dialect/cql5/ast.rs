//! The filters of CQL 5 as they are written: what a filter means depends on where it stands (a set, a condition, a
//! number), so kinds are found out in a second step.

use chess::Outcome;
use shakmaty::{Bitboard, Color};

use crate::hir::{Directions, EchoTransform, Header, LcaDistance, ManSet, NumberRange};
use crate::span::Span;
use crate::transform::Transform;

/// A whole query.
#[derive(Debug)]
pub(super) struct Text {
    pub(super) header: Header,
    /// The header's filters, then those of the body.
    pub(super) body: Vec<Filter>,
}

/// A filter and its place.
#[derive(Debug)]
pub(super) struct Filter {
    pub(super) node: Node,
    pub(super) span: Span,
}

/// A filter without arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plain {
    Check,
    Mate,
    Stalemate,
    Wtm,
    Btm,
    Initial,
    Terminal,
    Mainline,
    Variation,
    BeginVariation,
    Extension,
}

/// `R`, `[Rr]a1-8`, `R$x`, `$x`; a missing part is no restriction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Designator {
    pub(super) men: Option<ManSet>,
    pub(super) squares: Option<Bitboard>,
    /// The squares as written.
    pub(super) squares_text: String,
    pub(super) variables: Vec<String>,
}

/// What a filter is.
#[derive(Debug)]
pub(super) enum Node {
    Plain(Plain),
    AllSquares,
    Designator(Designator),
    /// `lightsquares` (true), `darksquares` (false)
    SquareColor(bool),
    Braces(Vec<Filter>),
    Not(Box<Filter>),
    Or(Box<Filter>, Box<Filter>),
    On(Box<Filter>, Box<Filter>),
    Attack(Option<NumberRange>, Box<Filter>, Box<Filter>),
    Between(Box<Filter>, Box<Filter>),
    CountSquares(NumberRange, Box<Filter>),
    Power(Option<NumberRange>, Box<Filter>),
    PowerDifference(Option<NumberRange>, Box<Filter>, Box<Filter>),
    Ray(Ray),
    Direction {
        name: &'static str,
        directions: Directions,
        range: Option<NumberRange>,
        argument: Box<Filter>,
    },
    Move(Move),
    Sequence(Sequence),
    /// `next* R F`, `previous* R F`
    Find {
        backward: bool,
        range: Option<NumberRange>,
        argument: Box<Filter>,
    },
    Loop(Loop),
    Origin(String),
    Relation(Relation),
    Transform {
        transform: Transform,
        range: Option<NumberRange>,
        argument: Box<Filter>,
    },
    Result(Outcome),
    Player(Option<Color>, String),
    Event(String),
    Site(String),
    Elo(Option<Color>, Option<NumberRange>),
    Year(Option<NumberRange>),
    MoveNumber(Option<NumberRange>),
    HasComment(String),
    CommentText(String),
    CommentSet(Box<Filter>),
    Sort(Sort, Box<Filter>),
    Silent(Box<Filter>),
}

#[derive(Debug)]
pub(super) struct Ray {
    pub(super) range: Option<NumberRange>,
    /// Along the lines of the first piece.
    pub(super) attack: bool,
    pub(super) directions: Directions,
    pub(super) arguments: Vec<Filter>,
}

/// `move` and its parameters.
#[derive(Debug, Default)]
pub(super) struct Move {
    pub(super) previous: bool,
    pub(super) from: Option<Box<Filter>>,
    pub(super) to: Option<Box<Filter>>,
    pub(super) promote: Option<ManSet>,
    pub(super) en_passant: bool,
    pub(super) en_passant_square: Option<Box<Filter>>,
    pub(super) null: bool,
    pub(super) primary: Option<bool>,
    /// `legal`, of CQL 5.0 and 5.1: possible moves instead of the game's.
    pub(super) legal: bool,
    /// Whether `to` comes before `from`: the first one gives the value.
    pub(super) to_first: bool,
    /// Whether another parameter comes before both.
    pub(super) other_first: bool,
}

/// `next R nestban (...)` and its like.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) backward: bool,
    pub(super) single_color: bool,
    pub(super) range: Option<NumberRange>,
    pub(super) nestban: bool,
    pub(super) constituents: Vec<Constituent>,
}

/// One part of a sequence with what repeats it.
#[derive(Debug)]
pub(super) enum Constituent {
    Filter(Filter, Vec<Wildcard>),
    Group(Vec<Constituent>, Vec<Wildcard>),
}

/// `*`, `+`, `?`, `{2 3}`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wildcard {
    pub(super) min: u32,
    pub(super) max: Option<u32>,
}

/// `square all $x in S F ...`, `piece R $x in S F ...`
#[derive(Debug)]
pub(super) struct Loop {
    pub(super) piece: bool,
    pub(super) all: bool,
    pub(super) range: Option<NumberRange>,
    pub(super) variable: String,
    pub(super) domain: Box<Filter>,
    pub(super) body: Vec<Filter>,
}

#[derive(Debug)]
pub(super) struct Relation {
    pub(super) targets: Vec<Filter>,
    pub(super) parameters: Vec<Parameter>,
}

/// A parameter of `relation` (docs/language/cql5.md#relation).
#[derive(Debug)]
pub(super) enum Parameter {
    /// `(tomove match)` (true), `(tomove mismatch)` (false)
    ToMove(bool),
    Ancestor,
    Descendant,
    Distance(LcaDistance, NumberRange, Option<Sort>),
    CommonMoves(NumberRange, Option<Sort>),
    Squares(Squares),
}

/// `(sourcesquares S targetsquares T match R mismatch R)`
#[derive(Debug)]
pub(super) struct Squares {
    pub(super) span: Span,
    pub(super) source: Option<Filter>,
    pub(super) target: Option<Filter>,
    pub(super) matching: Option<NumberRange>,
    pub(super) mismatching: Option<NumberRange>,
    pub(super) echo: Option<EchoTransform>,
}

/// `sort [max | min] ["title"]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sort {
    pub(super) smallest_first: bool,
    pub(super) title: Option<String>,
    pub(super) span: Span,
}

impl Filter {
    /// Whether the filter can stand where a set is wanted (docs/language/cql5.md#filters).
    pub(super) fn is_set(&self) -> bool {
        match &self.node {
            Node::AllSquares
            | Node::Designator(_)
            | Node::SquareColor(_)
            | Node::On(..)
            | Node::Between(..)
            | Node::Attack(None, ..)
            | Node::Direction { .. }
            | Node::Origin(_) => true,
            Node::Ray(ray) => ray.range.is_none(),
            Node::Loop(parts) => !parts.all && parts.range.is_none(),
            Node::Move(parts) => !parts.other_first && (parts.from.is_some() || parts.to.is_some()),
            Node::Braces(list) => matches!(&list[..], [only] if only.is_set()),
            Node::Not(inner) | Node::Silent(inner) => inner.is_set(),
            Node::Transform {
                range: None, argument, ..
            } => argument.is_set(),
            Node::Or(a, b) => a.is_set() && b.is_set(),
            _ => false,
        }
    }
}
