//! The library for Python: classes and functions that pass everything on. What Python does as well by itself, frames,
//! boards and bars, is written in Python beside it.

mod arrow;
mod database;
mod diagnostic;
mod errors;
mod forking;
mod game;
mod indexing;
mod iterator;
mod local;
mod matching;
mod query;
mod result;
mod stream;
mod summary;
mod table;
mod waiting;
mod watch;

use pyo3::pymodule;

/// What `cqldex` imports; see there.
#[pymodule]
mod _cqldex {
    #[pymodule_export]
    use crate::{
        arrow::Stream,
        database::{Database, open},
        diagnostic::Diagnostic,
        forking::before_fork,
        game::Game,
        indexing::{IndexSummary, index},
        iterator::MatchIterator,
        matching::Match,
        query::{Query, check},
        result::Matches,
        summary::{SetInfo, Stats, Summary},
        table::Table,
    };
}
