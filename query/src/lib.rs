//! The query language of cqldex: text to tokens to a typed tree, transforms to orbits, a plan over the index, and the
//! evaluator that defines what a query means.

mod diagnostic;
pub mod dialect;
pub mod eval;
pub mod hir;
mod parse;
pub mod plan;
mod run;
pub mod span;
pub mod syntax;
pub mod transform;

pub use diagnostic::{Code, Diagnostic};
pub use dialect::Dialect;
pub use parse::hhdb::hhdb_keywords;
pub use parse::{Before, ParseOptions, parse, parse_bytes};
pub use run::{
    Detail, GameMatch, GameOrder, Match, PlanLine, Route, Search, SearchError, SearchOptions, SkippedGames,
    StageSummary, Summary,
};
