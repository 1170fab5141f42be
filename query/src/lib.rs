//! The query language of cqldex: text to tokens to a typed tree, transforms to orbits, a plan over the index, and the
//! evaluator that defines what a query means.

pub mod hir;
pub mod span;
pub mod transform;
