//! Match lists and position lists as they are written, names resolved and arguments read.

use chess::Outcome;
use shakmaty::Bitboard;

use super::designator::Piece;
use super::range::Range;
use crate::hir::{Designator, Directions, Filter};
use crate::span::Span;
use crate::transform::Sticky;

/// Something and its place.
#[derive(Clone, Debug)]
pub(super) struct Placed<T> {
    pub(super) node: T,
    pub(super) span: Span,
}

/// Which of the dialects that share the form: they differ in whether the first position of a game is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    /// CQL 1 to 3: positions after a move.
    Classic,
    /// CQL-S: the first position too.
    Cqls,
}

/// `(match ...)`
#[derive(Clone, Debug)]
pub(super) struct Match<'t> {
    pub(super) span: Span,
    pub(super) flavor: Flavor,
    /// Conditions on the whole game, ready for use.
    pub(super) conditions: Vec<Filter>,
    pub(super) lists: Vec<List<'t>>,
    pub(super) tags: Vec<Tag<'t>>,
    /// `:eithercolor`
    pub(super) either_color: bool,
    /// Whether a condition asks for variations, so that they have to be searched.
    pub(super) asks_variations: bool,
    /// `:pgn`
    pub(super) input: Option<String>,
    /// `:output`
    pub(super) output: Option<String>,
}

/// `:forany NAME X`
#[derive(Clone, Debug)]
pub(super) struct Tag<'t> {
    pub(super) name: &'t str,
    pub(super) span: Span,
    pub(super) piece: Designator,
}

/// Which positions a list looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scope {
    /// The main line.
    #[default]
    Mainline,
    /// `:variations`
    Variations,
    /// `:variationsonly`
    VariationsOnly,
}

/// `(position ...)`
#[derive(Clone, Debug)]
pub(super) struct List<'t> {
    pub(super) span: Span,
    pub(super) terms: Vec<Placed<Term<'t>>>,
    pub(super) transforms: Sticky,
    /// `:not`
    pub(super) negated: bool,
    pub(super) scope: Option<Placed<Scope>>,
    /// `:matchcount`
    pub(super) match_count: Option<Placed<Range>>,
    /// `:pretransformmatchcount`
    pub(super) copy_match_count: Option<Placed<Range>>,
    /// `:repetitioncount`
    pub(super) repetition: Option<Placed<Range>>,
    /// `:pretransformrepetitioncount`
    pub(super) copy_repetition: Option<Placed<Range>>,
    /// `:accumulate`
    pub(super) counters: Vec<Placed<&'t str>>,
    /// No `:noannotate`.
    pub(super) annotated: bool,
}

impl List<'_> {
    /// A list that asks for nothing.
    pub(super) fn empty(span: Span) -> Self {
        List {
            span,
            terms: Vec::new(),
            transforms: Sticky::NONE,
            negated: false,
            scope: None,
            match_count: None,
            copy_match_count: None,
            repetition: None,
            copy_repetition: None,
            counters: Vec::new(),
            annotated: true,
        }
    }
}

/// A part of a position list.
#[derive(Clone, Debug)]
pub(super) enum Term<'t> {
    /// A designator: one of its squares holds one of its pieces.
    Piece(Piece<'t>),
    /// A keyword that is a filter of its own.
    Filter(Filter),
    /// `!:keyword`, `:not (position ...)`
    Not(Box<Placed<Term<'t>>>),
    /// `:attackcount X Y range`
    AttackCount(Placed<Piece<'t>>, Placed<Piece<'t>>, Range),
    /// `:piececount X range`
    PieceCount(Placed<Piece<'t>>, Range),
    /// `:power X range`
    Power(Placed<Piece<'t>>, Range),
    /// `:powerdifference X range`, `:powerdifference X Y range`
    PowerDifference(Placed<Piece<'t>>, Option<Placed<Piece<'t>>>, Range),
    /// `:piececountdifference X range`, `:piececountdifference X Y range`
    PieceCountDifference(Placed<Piece<'t>>, Option<Placed<Piece<'t>>>, Range),
    /// `:ray (G1 ... Gk) range` and its relatives.
    Ray {
        /// The directions; `None` for those that the first piece moves along.
        directions: Option<Directions>,
        pieces: Vec<Placed<Piece<'t>>>,
        range: Range,
    },
    /// A property of the next move.
    Next(Next<'t>),
    /// `:and`
    And(Vec<List<'t>>),
    /// `:or`
    Or(Vec<List<'t>>),
    /// `:xor`
    Xor(Vec<List<'t>>),
    /// `:cond`
    Cond(Vec<List<'t>>),
    /// `:sequence`, `:gappedsequence`
    Sequence { gapped: bool, lists: Vec<List<'t>> },
    /// `:match (...)`: each list somewhere in the game.
    Somewhere(Vec<List<'t>>),
    /// `:threefoldrepetition`, `:fivefoldrepetition`
    Occurrence(u32),
    /// `:relation`
    Relation(Relation<'t>),
    /// `:sumrange N range`
    Sum(&'t str, Range),
    /// `:tagmatch T X`
    TagMatch(&'t str, Designator),
}

/// What the next move is like.
#[derive(Clone, Debug)]
pub(super) enum Next<'t> {
    /// `:movefrom`
    From(Placed<Piece<'t>>),
    /// `:moveto`
    To(Placed<Piece<'t>>),
    /// `:promote`; `None` for `[]`.
    Promote(Option<Designator>),
    /// `:enpassant`, `:noenpassant`
    EnPassant(bool),
    /// `:iscastling`; the letters of the rights that are used, none for all.
    Castles(Vec<char>),
    /// `:isnull`
    Null,
    /// `:ischeck`, `:ismate` ...: a filter on the position after it.
    After(Filter),
}

/// `:relation ( ... )`
#[derive(Clone, Debug)]
pub(super) struct Relation<'t> {
    pub(super) pattern: bool,
    pub(super) shift: bool,
    pub(super) flip: bool,
    pub(super) side: Side,
    pub(super) scope: Scope,
    pub(super) missing: (Placed<Piece<'t>>, Range),
    pub(super) new: (Placed<Piece<'t>>, Range),
    pub(super) same: Option<Range>,
    pub(super) different: Option<Range>,
}

/// How the side to move of the later position relates to that of the earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Side {
    /// `:samesidetomove`
    #[default]
    Same,
    /// `:changesidetomove`
    Changed,
    /// `:ignoresidetomove`
    Any,
}

/// The squares of a designator, tagged or not.
pub(super) fn squares(piece: &Piece<'_>) -> Bitboard {
    match piece {
        Piece::Plain(designator) => designator.squares,
        Piece::Tagged(_, squares) => *squares,
    }
}

/// A result as it is written.
pub(super) fn outcome(text: &str) -> Option<Outcome> {
    Some(match text {
        "1-0" => Outcome::White,
        "0-1" => Outcome::Black,
        "1/2" | "1/2-1/2" => Outcome::Draw,
        "*" => Outcome::Unknown,
        _ => return None,
    })
}
