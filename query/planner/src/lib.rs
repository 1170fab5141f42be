//! From a typed query to the positions that the index finds for it.
//!
//! The stages of a filter, one module for each:
//!
//! 1. [`plan`] lowers the filters of a query to expressions over posting lists: a [`Truth`], exact where it can be, an
//!    upper bound where it can't ([`Candidates`]). The evaluator decides the rest.
//! 2. For each segment, the expression is rewritten to a cheaper one that means the same: constants are folded
//!    ([`Truth::fold_constants`]), conjunctions put in order of cost ([`Truth::ordered`]), cut into stages
//!    ([`plan_stages`]), and common conditions factored out ([`Truth::factored`]).
//! 3. The posting lists that it reads are loaded ([`LoadedPostings`]).
//! 4. [`Evaluation`] evaluates it for some games at a time. A sweep computes with blocks of 4,096 positions, a bit for
//!    each position; [`Temporal`] expressions are one pass over the bits of whole games.
//! 5. The positions that are left ([`RemainingPositions`]) are the matches, or those that the evaluator has to test.
//!
//! Nothing here reads a database: lists and statistics come from a [`TermSource`].

mod expr;

mod filters;
mod first_turn;

mod effects;
mod lower;

mod explain;

mod quantities;
mod source;

mod boards;

mod optimize;

mod geometry;
mod lists;
mod plane;
mod positions;

mod sweep;

mod games;

pub use crate::{
    boards::Boards,
    effects::{Effects, in_any_order, notes_pairs},
    explain::{IndexUse, PlanNode, index_uses},
    expr::{Candidates, NamedSet, NextMove, NumberExpr, RayLines, SetExpr, Shared, Temporal, TemporalOp, Truth},
    games::{Evaluation, FoundMoves, GameResults, GameSpans, game_at},
    lists::LoadedPostings,
    lower::{Plan, has_groups, is_about_headers, plan},
    optimize::{Estimate, Left, PlannedStage, plan_stages},
    positions::RemainingPositions,
    quantities::{QuantityBuilder, QuantityLists},
    source::TermSource,
    sweep::{GameRanges, Scratch},
};
