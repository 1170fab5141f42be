//! Sets where their numbers of squares were probably meant, and the other way round.

use super::{are_disjoint, designator};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::hir::{Filter, Node};
use crate::span::Span;

pub(super) fn look_at(filter: &Filter) -> Option<Diagnostic> {
    match &filter.node {
        Node::SameSet(left, right) => {
            if !are_disjoint(designator(left)?, designator(right)?) {
                return None;
            }
            let message = "these sets are equal only where both are empty: nothing can be in both";
            let start = |filter: &Filter| Span {
                end: filter.span.start,
                ..filter.span
            };
            let diagnostic = Diagnostic::new(Code::SetForNumber, filter.span, message);
            Some(
                diagnostic
                    .help("write `#` before a set to compare numbers of squares")
                    .fix(Fix::replace("insert `#`", start(left), "#")),
            )
        }
        Node::CompareNumbers(_, left, right) => counted(left, right).or_else(|| counted(right, left)),
        _ => None,
    }
}

/// A set that is compared with a number which counts nothing.
fn counted(set: &Filter, number: &Filter) -> Option<Diagnostic> {
    let Node::Cardinality(squares) = &set.node else {
        return None;
    };
    let is_written = set.span != squares.span;
    let word = match &number.node {
        Node::Power(_) => "power",
        Node::File(_) => "file",
        Node::Rank(_) => "rank",
        Node::Type(_) => "type",
        Node::ColorType(_) => "colortype",
        _ => return None,
    };
    if is_written {
        return None;
    }
    let message = format!("the squares of this set are counted, and compared with a {word}");
    let start = Span {
        end: set.span.start,
        ..set.span
    };
    let diagnostic = Diagnostic::new(Code::SetForNumber, set.span, message);
    Some(
        diagnostic
            .help(format!(
                "write `{word}` before the set, too; or `#` if its squares are to be counted"
            ))
            .fix(Fix::replace(format!("insert `{word}`"), start, format!("{word} "))),
    )
}
