//! Conditions that always hold, never hold, or can't be asked.

use super::{are_disjoint, designator};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Arithmetic, Comparison, Filter, Kind, Node};

/// What is wrong with this filter as a condition.
pub(super) fn look_at(filter: &Filter, is_condition: bool) -> Option<Diagnostic> {
    match &filter.node {
        Node::CompareNumbers(comparison, left, right) => comparison_of(filter, *comparison, left, right),
        Node::Intersection(sets) => never_both(filter, sets),
        Node::Subset(inner, outer) => subset(filter, inner, outer),
        Node::Arithmetic(_, left, right) if is_condition => calculation(filter, left, right),
        Node::NoSquares if is_condition => {
            let never = Diagnostic::new(
                Code::NeverTrue,
                filter.span,
                "`[]` is the empty set, which never matches",
            );
            Some(never.help("`false` says the same and is clearer; all squares are `.`"))
        }
        _ if is_condition && filter.is_vacuous() => Some(cannot_be_asked(filter)),
        _ => None,
    }
}

/// A calculation with nothing but numbers.
fn calculation(filter: &Filter, left: &Filter, right: &Filter) -> Option<Diagnostic> {
    let (Node::Number(left), Node::Number(right)) = (&left.node, &right.node) else {
        return None;
    };
    if *right == 0
        && !matches!(
            filter.node,
            Node::Arithmetic(Arithmetic::Subtract | Arithmetic::Add, ..)
        )
    {
        return None;
    }
    let diagnostic = Diagnostic::new(
        Code::AlwaysTrue,
        filter.span,
        "a calculation with numbers always matches",
    );
    Some(diagnostic.help(match (left, right) {
        (0, 0) => "castling is `o-o` and `o-o-o`, with letters",
        _ => "compare it with something, or leave it out",
    }))
}

/// A number or text among the conditions: asking it stops the query.
fn cannot_be_asked(filter: &Filter) -> Diagnostic {
    let what = match filter.kind {
        Kind::Numeric => "a number",
        Kind::String => "a text",
        Kind::Position => "a position",
        Kind::Logical | Kind::Set => "a filter",
    };
    let message = format!("{what} that always matches is no condition; the query would stop here with Q601");
    let diagnostic = Diagnostic::new(Code::StopsQuery, filter.span, message);
    match filter.kind {
        _ if matches!(filter.node, Node::ColorValue(_)) => {
            diagnostic.help("the color stands behind the word: `player white \"Tal\"`, `elo black > 2600`")
        }
        Kind::Numeric => diagnostic.help("compare it, such as `movenumber == 3`; `comment` and `sort` take values"),
        Kind::String => diagnostic.help("compare it, or write `player`, `event` or `comment` before it"),
        _ => diagnostic.help("compare it, or leave it out"),
    }
}

/// What a number can be.
#[derive(Clone, Copy)]
struct Bounds {
    min: i64,
    max: i64,
    /// Whether there is a value in every position.
    always: bool,
}

/// The bounds of a number that has any.
fn bounds(filter: &Filter) -> Option<Bounds> {
    let from_to = |min, max, always| Some(Bounds { min, max, always });
    match &filter.node {
        Node::Number(number) => from_to(i64::from(*number), i64::from(*number), true),
        Node::Cardinality(set) => from_to(0, most(set), true),
        Node::Ply | Node::MoveNumber | Node::Depth => from_to(0, i64::from(i32::MAX), true),
        Node::Power(_) => from_to(0, i64::from(i32::MAX), true),
        Node::SideToMove | Node::ColorValue(_) => from_to(-1, 1, true),
        Node::Length(_) | Node::Distance(..) => from_to(0, i64::from(i32::MAX), false),
        Node::File(_) | Node::Rank(_) => from_to(1, 8, false),
        // The value of a comparison is that of its left side.
        Node::CompareNumbers(comparison, left, right) => {
            let (left, right) = (bounds(left)?, bounds(right)?);
            let (min, max) = match comparison {
                Comparison::Equal => (left.min.max(right.min), left.max.min(right.max)),
                Comparison::Less => (left.min, left.max.min(right.max - 1)),
                Comparison::LessEqual => (left.min, left.max.min(right.max)),
                Comparison::Greater => (left.min.max(right.min + 1), left.max),
                Comparison::GreaterEqual => (left.min.max(right.min), left.max),
                _ => (left.min, left.max),
            };
            from_to(min, max, false)
        }
        _ => None,
    }
}

/// How many squares a set can have.
fn most(set: &Filter) -> i64 {
    match &set.node {
        Node::Designator(designator) => i64::try_from(designator.squares.count()).unwrap_or(64),
        Node::NoSquares => 0,
        _ => 64,
    }
}

fn comparison_of(filter: &Filter, comparison: Comparison, left: &Filter, right: &Filter) -> Option<Diagnostic> {
    let (a, b) = (bounds(left)?, bounds(right)?);
    let (always, never) = match comparison {
        Comparison::Equal => (a.min == b.max && a.max == b.min, a.max < b.min || b.max < a.min),
        Comparison::Less => (a.max < b.min, a.min >= b.max),
        Comparison::LessEqual => (a.max <= b.min, a.min > b.max),
        Comparison::Greater => (a.min > b.max, a.max <= b.min),
        Comparison::GreaterEqual => (a.min >= b.max, a.max < b.min),
        _ => return None,
    };
    let always = always && a.always && b.always;
    if !always && !never {
        return None;
    }
    let (code, says) = match always {
        true => (Code::AlwaysTrue, "always holds"),
        false => (Code::NeverTrue, "never holds"),
    };
    let diagnostic = Diagnostic::new(code, filter.span, format!("this comparison {says}"));
    let squares = |set: &Filter| match &set.node {
        Node::Cardinality(set) => Some(most(set)),
        _ => None,
    };
    Some(match squares(left).or_else(|| squares(right)) {
        Some(1) => diagnostic.help("the set has one square at most"),
        Some(most) => diagnostic.help(format!("the set has {most} squares at most")),
        None => match (&left.node, &right.node) {
            (Node::Number(_), Node::Number(_)) => diagnostic.help("both sides are numbers"),
            (Node::File(_) | Node::Rank(_), _) | (_, Node::File(_) | Node::Rank(_)) => {
                diagnostic.help("files and ranks are numbers from 1 to 8")
            }
            _ => diagnostic.help("the other number can't be that large or small"),
        },
    })
}

/// Two sets of an intersection that share nothing.
fn never_both(filter: &Filter, sets: &[Filter]) -> Option<Diagnostic> {
    for (index, a) in sets.iter().enumerate() {
        for b in &sets[index + 1..] {
            if are_disjoint(designator(a)?, designator(b)?) {
                let message = "nothing can be in both of these sets";
                let diagnostic = Diagnostic::new(Code::NeverTrue, filter.span, message);
                return Some(diagnostic.help("`&` gives the squares that both sets have; write `and` to ask for both"));
            }
        }
    }
    None
}

fn subset(filter: &Filter, inner: &Filter, outer: &Filter) -> Option<Diagnostic> {
    if matches!(outer.node, Node::AllSquares) {
        let diagnostic = Diagnostic::new(Code::AlwaysTrue, filter.span, "every set lies in `.`");
        return Some(diagnostic.help("to ask for a piece, write only its letter"));
    }
    let (a, b) = (designator(inner)?, designator(outer)?);
    if b.men.is_superset(a.men) && (a.squares & !b.squares).is_empty() {
        let diagnostic = Diagnostic::new(
            Code::AlwaysTrue,
            filter.span,
            "the left set always lies in the right one",
        );
        return Some(diagnostic.help("to ask for a piece, write only its letter and square"));
    }
    are_disjoint(a, b).then(|| {
        let message = "this holds only where the left set is empty: nothing can be in both";
        Diagnostic::new(Code::OnlyEmpty, filter.span, message)
            .help("`A in B` asks whether all squares of A are in B; a piece on squares is written `Ra-h7`")
    })
}
