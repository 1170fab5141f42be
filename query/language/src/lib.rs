//! CQL: text to tokens to a typed tree; transforms to orbits; and the older dialects, which lower to the same tree.

mod check;
mod diagnostic;
pub mod dialect;
mod expand;
pub mod facts;
pub mod hir;
mod layout;
mod parse;
pub mod span;
pub mod syntax;
pub mod transform;
mod warn;

pub use check::{Checked, check, check_bytes};
pub use diagnostic::{Code, Diagnostic, Edit, Fix, Severity};
pub use dialect::{Dialect, compile};
pub use expand::{ExpandError, MAX_EXPANSION, expand, expand_as_written};
pub use layout::{Layout, format};
pub use parse::hhdb::hhdb_keywords;
pub use parse::{Before, ParseOptions, extension_words, parse, parse_bytes, variables};
