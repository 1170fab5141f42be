//! What a run may use, what stops it, and the variants of the language.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::similar::SimilarPositions;

/// Changes of the language by options of the program `cql` (docs/cql.md#options).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Comments stay even if the filters around them fail (`-alwayscomment`).
    pub keep_all_comments: bool,
    /// Comments inside `sort` are like all others (`-nosortcomments`).
    pub plain_sort_comments: bool,
    /// A `move` filter in a `line` may match another move than the one that the line takes (`-nolinearize`).
    pub unbound_moves: bool,
}

/// What a run may use, and what stops it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Set from outside to stop the evaluation at its next step.
    pub stop: Option<Arc<AtomicBool>>,
    /// What `lastgamenumber` gives.
    pub last_game: u32,
    /// Whether comments and sort keys are wanted: without them some filters can stop earlier.
    pub results: bool,
    /// Whether variations are searched: `cql_assertvariations` asks.
    pub variations: bool,
    /// The folder below which `readfile` and `writefile` work; nowhere by default.
    pub files: Option<PathBuf>,
    /// Changes of the language.
    pub rules: Rules,
    /// Whether filters are evaluated as they are defined: `relation` compares every pair of positions, and no loop or path
    /// is left out because of the moves that it needs, and nothing is compiled. That is slow; tests compare it with the rest.
    pub plain: bool,
    /// The tables of `similarposition`, in the order of [`ParsedQuery::similar`](language::hir::ParsedQuery::similar).
    pub similar: Vec<Arc<SimilarPositions>>,
}
