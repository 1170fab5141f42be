//! What each filter does: `impl` blocks of the [`Machine`](crate::machine::Machine), one file for each kind of value and
//! each family of filters.

mod award;
mod comparisons;
mod diagram;
mod echo;
mod effects;
mod files;
mod find;
mod first_moves;
mod imagined;
mod legal;
mod line;
mod moves;
mod needed_moves;
mod numbers;
mod output;
mod path;
mod positions;
mod puremate;
mod relation;
mod sets;
mod similar;
mod strings;
mod transforms;
mod truth;

pub(crate) use effects::MAX_ITERATIONS;
pub use files::below;
pub(crate) use output::has_text;
pub(crate) use path::{Focused, next_move};
