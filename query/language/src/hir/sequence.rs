//! `line` and `path` (docs/language/sequences.md).

use super::{Dash, Filter, Range, SequenceId};

/// How often a constituent may be repeated: from `min` to `max`, none for no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Repeat {
    /// At least.
    pub min: u32,
    /// At most; `None` for any number.
    pub max: Option<u32>,
}

impl Repeat {
    /// Exactly once.
    pub const ONCE: Repeat = Repeat { min: 1, max: Some(1) };
}

/// Which way a `line` runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineArrow {
    /// `-->`
    Forward,
    /// `<--`
    Backward,
}

/// Whether the value is a count or the last position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SequenceEnd {
    /// The number of positions (`line`) or moves (`path`).
    Count,
    /// `lastposition`
    LastPosition,
}

/// `line`
#[derive(Clone, Debug, Hash)]
pub struct Line {
    /// Its memory.
    pub id: SequenceId,
    /// The arrows' direction.
    pub arrow: LineArrow,
    /// What the count must be.
    pub range: Option<Range>,
    /// `singlecolor`
    pub single_color: bool,
    /// `nestban`
    pub nestban: bool,
    /// `firstmatch`
    pub first_match: bool,
    /// `lastposition`
    pub end: SequenceEnd,
    /// `primary` (true), `secondary` (false)
    pub primary: Option<bool>,
    /// `quiet`
    pub quiet: bool,
    /// The constituents, each after an arrow.
    pub constituents: Vec<Constituent>,
}

/// A filter or a group, with its repetition. Several wildcards in a row nest as groups of one.
#[derive(Clone, Debug, Hash)]
pub enum Constituent {
    /// A filter.
    Filter {
        /// Tested at each of its positions.
        filter: Filter,
        /// How often.
        repeat: Repeat,
    },
    /// A parenthesised sequence.
    Group {
        /// In order.
        constituents: Vec<Constituent>,
        /// How often.
        repeat: Repeat,
    },
}

/// `focus S`, `focus capture S`
#[derive(Clone, Debug, Hash)]
pub struct Focus {
    /// Evaluated once at the start.
    pub pieces: Filter,
    /// Whether moves that capture a focused piece are in focus too.
    pub capture: bool,
}

/// `path`
#[derive(Clone, Debug, Hash)]
pub struct Path {
    /// Its memory.
    pub id: SequenceId,
    /// What the value must be.
    pub range: Option<Range>,
    /// `lastposition`
    pub end: SequenceEnd,
    /// `firstmatch`
    pub first_match: bool,
    /// `nestban`
    pub nestban: bool,
    /// `primary`
    pub primary: bool,
    /// `singlecolor`
    pub single_color: bool,
    /// `focus`
    pub focus: Option<Focus>,
    /// `max N`
    pub max: Option<Filter>,
    /// `keepallbest`
    pub keep_all_best: bool,
    /// `quiet`
    pub quiet: bool,
    /// `title "T"`
    pub title: Option<Filter>,
    /// `verbose`
    pub verbose: bool,
    /// `piecepath`
    pub piece_path: bool,
    /// The steps, in order.
    pub steps: Vec<PathStep>,
}

/// One constituent of a `path`.
#[derive(Clone, Debug, Hash)]
pub enum PathStep {
    /// Tested where the path has come to; consumes no move.
    Filter(Filter),
    /// One move and its targets (in the dash), repeated.
    Dash {
        /// The move, targets included.
        dash: Box<Dash>,
        /// How often.
        repeat: Repeat,
    },
    /// A chain in parentheses, repeated.
    Chain {
        /// In order.
        steps: Vec<PathStep>,
        /// How often.
        repeat: Repeat,
    },
}
