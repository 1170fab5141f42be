//! From a typed query to what the index can say about it.
//!
//! [`lower`] turns filters into [`Truth`] expressions over posting lists, exact where it can and an upper bound where it
//! can't; [`sweep`] evaluates an expression for whole blocks of positions at once, on bit planes. What an expression
//! does not decide is left to the evaluator.

mod block;
mod bound;
mod effects;
mod explain;
mod expr;
mod factor;
mod games;
mod kings;
mod known;
mod leaves;
mod lower;
mod lower_pairs;
mod lower_sets;
mod order;
mod sweep;
mod sweep_attacks;
mod sweep_counts;
mod sweep_numbers;
mod sweep_pawns;
mod sweep_rays;
mod sweep_sets;
mod terms;

pub use bound::in_stages;
pub use effects::{Effects, notes_pairs};
pub use explain::{PlanNode, Share, shares};
pub use expr::{Candidates, NumberExpr, SetExpr, Truth};
pub use games::{Bits, Evaluation, Found, GameLines, Narrowed, Step, Tree};
pub use leaves::{Leaves, TermSource};
pub use lower::{Lowering, has_groups, is_about_headers, plan};
pub use order::Estimate;
pub use sweep::{CHUNK_WORDS, GameRanges, Scratch, Sweep};
