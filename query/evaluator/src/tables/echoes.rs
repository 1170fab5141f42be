//! What is known of the echoes of a query.

mod boards;
mod contents;
mod parts;
mod targets;

pub(crate) use parts::{Condition, MAX_NUMBER, SameSets, Sign, Sums};
pub(crate) use targets::{EchoParts, NO_NUMBER, TargetCondition, TargetSets, TargetSums, retain_squares};

use language::hir::{Filter, Node, Query, VariableId};

use crate::sequence::only_comments;

/// What is known of an echo.
#[derive(Debug)]
pub(crate) struct Echo<'a> {
    /// Whether it stands inside a `sort`.
    pub(crate) sorted: bool,
    /// Whether further targets could only add comments.
    pub(crate) one_is_enough: bool,
    /// The body taken apart, if that saves work. It is moved out while the echo is evaluated.
    pub(crate) parts: Option<Box<EchoParts<'a>>>,
}

impl<'a> Echo<'a> {
    /// What the query says of an echo.
    pub(crate) fn of(
        query: &Query,
        echo: &Filter,
        body: &'a Filter,
        variables: [VariableId; 2],
        bound: &[VariableId],
    ) -> Echo<'a> {
        Echo {
            sorted: is_sorted(query, echo),
            one_is_enough: only_comments(body),
            parts: Some(Box::new(EchoParts::of(body, variables, bound))).filter(|parts| !parts.is_useless()),
        }
    }

    /// Forgets what belongs to one game.
    pub(super) fn start_game(&mut self) {
        if let Some(parts) = &mut self.parts {
            parts.start_game();
        }
    }
}

/// Whether an echo stands inside a `sort`.
fn is_sorted(query: &Query, echo: &Filter) -> bool {
    query.body.any(&mut |filter| match &filter.node {
        Node::Sort { argument, .. } => argument.any(&mut |part| part.id() == echo.id()),
        _ => false,
    })
}
