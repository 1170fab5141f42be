//! Plans as people read them: expressions as text, the tree of a plan, and what the index does for each filter.

use language::hir::{Node, Query};
use language::span::Span;

use crate::expr::{Candidates, Truth};
use crate::lower::plan;

/// An expression of a plan with those inside it.
#[derive(Clone, Debug)]
pub struct PlanNode<'t> {
    /// The expression.
    pub truth: &'t Truth,
    /// The expression in words, without those inside.
    pub text: String,
    /// Those inside, in the order of evaluation.
    pub children: Vec<PlanNode<'t>>,
    /// How many of those inside are not shown.
    pub hidden: usize,
}

impl<'t> PlanNode<'t> {
    /// How many expressions of a conjunction or disjunction are shown.
    const CHILDREN: usize = 10;

    /// The tree of an expression, with at most about `lines` lines.
    pub fn of(truth: &'t Truth, lines: usize) -> PlanNode<'t> {
        PlanNode::within(truth, &mut { lines }, false)
    }

    fn within(truth: &'t Truth, lines: &mut usize, in_choice: bool) -> PlanNode<'t> {
        *lines = lines.saturating_sub(1);
        let (text, parts): (String, &[Truth]) = match truth {
            Truth::And(parts) if in_choice && is_short(parts) => (truth.to_string(), &[]),
            Truth::And(parts) => ("all of".to_owned(), parts),
            Truth::Or(parts) => (format!("any of {}", parts.len()), parts),
            Truth::Not(inner) if matches!(**inner, Truth::And(_) | Truth::Or(_)) => {
                ("not".to_owned(), std::slice::from_ref(inner))
            }
            other => (cut(other.to_string()), &[]),
        };
        let mut children = Vec::new();
        for part in parts.iter().take(PlanNode::CHILDREN) {
            if *lines == 0 && !children.is_empty() {
                break;
            }
            children.push(PlanNode::within(part, lines, matches!(truth, Truth::Or(_))));
        }
        PlanNode {
            truth,
            text,
            hidden: parts.len() - children.len(),
            children,
        }
    }
}

/// Whether a conjunction is shown in one line, as most variants of a transform are.
fn is_short(parts: &[Truth]) -> bool {
    parts.len() <= 4
        && parts.iter().all(|part| {
            matches!(
                part,
                Truth::Term(_)
                    | Truth::Not(_)
                    | Truth::Games(_)
                    | Truth::PositionSet(_)
                    | Truth::Given(_)
                    | Truth::Move(_)
            )
        })
}

/// The start of a text that is too long for a line.
fn cut(text: String) -> String {
    const WIDTH: usize = 100;
    if text.len() <= WIDTH {
        return text;
    }
    let start: String = text.chars().take(WIDTH - 4).collect();
    format!("{start} ...")
}

/// What the index does for one filter of a query's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexUse {
    /// It finds exactly the positions where the filter matches.
    Exact,
    /// It finds an upper bound: the evaluator tests the positions that it finds.
    AtMost,
    /// It does not help: the evaluator tests all positions that the other filters leave.
    Unused,
    /// It does not help, because a filter before it may stop the query with an error and has to be evaluated first.
    Blocked,
}

/// What the index does for each filter of the body, in order.
pub fn index_uses(query: &Query, variations: bool) -> Vec<(Span, IndexUse)> {
    let Node::Compound(elements) = &query.body.node else {
        return Vec::new();
    };
    let with = |elements| plan(&query.with_elements(elements), variations).candidates;
    let mut before = Candidates::exactly(Truth::Always);
    let mut uses = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let alone = with(index..index + 1);
        let together = with(0..index + 1);
        let is_used = together != before || alone.truth == Truth::Always || contains(&before.truth, &alone.truth);
        let index_use = match alone {
            Candidates {
                exact: false,
                truth: Truth::Always,
                ..
            } => IndexUse::Unused,
            _ if !is_used => IndexUse::Blocked,
            Candidates { exact: true, .. } => IndexUse::Exact,
            Candidates { exact: false, .. } => IndexUse::AtMost,
        };
        uses.push((element.span, index_use));
        before = together;
    }
    uses
}

/// Whether a conjunction has an expression, or all parts of one that is a conjunction itself.
fn contains(whole: &Truth, part: &Truth) -> bool {
    let parts = match part {
        Truth::And(parts) => parts,
        other => std::slice::from_ref(other),
    };
    match whole {
        Truth::And(all) => parts.iter().all(|part| all.contains(part)),
        other => parts.iter().all(|part| part == other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use language::{Dialect, ParseOptions, compile};

    fn lowered(text: &str) -> String {
        let query = compile(text, Dialect::Cql6, &ParseOptions::default()).unwrap();
        plan(&query, false).candidates.truth.to_string()
    }

    #[test]
    fn expressions_read_like_the_language() {
        assert_eq!(lowered("Kg1 btm"), "(Kg1 and not white to move)");
        assert_eq!(lowered("check not mate"), "(check and not mate)");
        assert_eq!(lowered("{Kg1 or qd8} check"), "((Kg1 or qd8) and check)");
    }

    #[test]
    fn every_filter_is_told_what_the_index_does_for_it() {
        let query = compile(
            "Kg1 btm modelmate fen ~~ \"8\"",
            Dialect::Cql6,
            &ParseOptions::default(),
        )
        .unwrap();
        let uses: Vec<IndexUse> = index_uses(&query, false)
            .into_iter()
            .map(|(_, index_use)| index_use)
            .collect();
        assert_eq!(
            uses,
            [IndexUse::Exact, IndexUse::Exact, IndexUse::AtMost, IndexUse::Unused]
        );
    }
}
