//! Takes conditions out of loops that do not depend on them.
//!
//! `piece X in A piece Y in a {X attacks k  X attacks Y}` asks the same as
//! `piece X in A {X attacks k  piece Y in a {X attacks Y}}`, where the first condition is asked once and not for each Y.
//!
//! A condition goes if it only looks at the board and at variables that the loop does not change, and raises no error. What
//! comes before it in the loop must raise no error, either, and leave nothing behind that is seen where the loop fails.

use std::collections::HashSet;

use super::doubt::assigned_in;
use super::inline::{is_plain, mentions};
use crate::facts::{is_infallible, note_assigned, unbound_variables};
use crate::hir::{AssignOp, Filter, Kind, Node, ParsedQuery, VariableId};

/// Larger queries are left as they are: for each variable the whole query is looked at.
const MAX_LOOKED_AT: usize = 4_000_000;

/// Takes conditions out of the loops of a query.
pub(super) fn hoist(query: &mut ParsedQuery) {
    let (mut filters, mut loops) = (0usize, 0usize);
    query.body.any(&mut |filter| {
        filters += 1;
        loops += usize::from(is_loop(filter));
        false
    });
    let is_large = filters.saturating_mul(query.variables.len()) > MAX_LOOKED_AT;
    if loops == 0 || is_large || !unbound_variables(&query.body).is_empty() {
        return;
    }
    let seen_elsewhere = |variable: VariableId| {
        let declared = query.variables.get(variable.0 as usize);
        let in_header = query.header.games.iter().map(|filter| mentions(filter, variable));
        declared.is_none_or(|declared| declared.persistent || declared.atomic) || in_header.sum::<usize>() > 0
    };
    let variables = (0..).zip(&query.variables).map(|(index, _)| VariableId(index));
    let mut hoisting = Hoisting {
        reads: variables
            .map(|variable| (!seen_elsewhere(variable)).then(|| mentions(&query.body, variable)))
            .collect(),
        assigned: assigned_in(&query.body),
        bound: Vec::new(),
    };
    hoisting.visit(&mut query.body);
}

struct Hoisting {
    /// By variable, how often it is read; `None` if something outside of the query's body may see it.
    reads: Vec<Option<usize>>,
    /// The variables that some filter assigns.
    assigned: HashSet<VariableId>,
    /// The variables that certainly have a value.
    bound: Vec<VariableId>,
}

impl Hoisting {
    fn visit(&mut self, filter: &mut Filter) {
        let mark = self.bound.len();
        match &mut filter.node {
            Node::Compound(list) => {
                for part in list.iter_mut() {
                    self.visit(part);
                    note_assigned(part, &mut self.bound);
                }
                self.bound.truncate(mark);
                self.take_out_of_parts(list);
            }
            Node::And(a, b) => {
                self.visit(a);
                note_assigned(a, &mut self.bound);
                self.visit(b);
            }
            Node::SquareLoop {
                variable, domain, body, ..
            }
            | Node::PieceLoop {
                variable, domain, body, ..
            } => {
                self.visit(domain);
                self.bound.push(*variable);
                self.visit(body);
                // The body is asked for its truth.
                if is_loop(body) {
                    let taken = self.taken_out_of(body);
                    put_before(body, taken);
                }
            }
            _ => filter.for_each_child_mut(&mut |child| self.visit(child)),
        }
        self.bound.truncate(mark);
    }

    /// Puts what the loops of a list do not need before them.
    fn take_out_of_parts(&mut self, list: &mut Vec<Filter>) {
        let mark = self.bound.len();
        let mut index = 0;
        while index < list.len() {
            let taken = self.taken_out_of(&mut list[index]);
            note_assigned(&list[index], &mut self.bound);
            let count = taken.len();
            list.splice(index..index, taken);
            index += count + 1;
        }
        self.bound.truncate(mark);
    }

    /// Takes out of a loop what it does not need.
    fn taken_out_of(&mut self, filter: &mut Filter) -> Vec<Filter> {
        let (Node::SquareLoop {
            variable,
            all: false,
            domain,
            body,
            ..
        }
        | Node::PieceLoop {
            variable,
            all: false,
            domain,
            body,
            ..
        }) = &mut filter.node
        else {
            return Vec::new();
        };
        let variable = *variable;
        // A variable that is in use is an error.
        if self.bound.contains(&variable) || self.assigned.contains(&variable) {
            return Vec::new();
        }
        if domain.any(&mut |part| !is_plain(part)) || !is_infallible(domain, false, &mut self.bound) {
            return Vec::new();
        }
        let whole = &**body;
        let changed = assigned_in(whole);
        let Node::Compound(list) = &whole.node else {
            return Vec::new();
        };
        let depends = |part: &Filter| {
            part.any(&mut |part| {
                let mut depends = false;
                part.for_each_variable(&mut |read| depends |= read == variable || changed.contains(&read));
                depends
            })
        };
        let mark = self.bound.len();
        let mut taken = Vec::new();
        self.bound.push(variable);
        for (index, part) in list.iter().enumerate() {
            if is_condition(part) && is_infallible(part, true, &mut self.bound) {
                if !depends(part) {
                    taken.push(index);
                }
                continue;
            }
            match &part.node {
                Node::Assign(assigned, AssignOp::Set | AssignOp::SetIfAny, value)
                    if !value.any(&mut |part| !is_plain(part))
                        && is_infallible(value, false, &mut self.bound)
                        && self.reads.get(assigned.0 as usize) == Some(&Some(mentions(whole, *assigned))) =>
                {
                    self.bound.push(*assigned);
                }
                _ => break,
            }
        }
        self.bound.truncate(mark);
        let Node::Compound(list) = &mut body.node else {
            return Vec::new();
        };
        // The last one decides what kind of filter the body is.
        taken.retain(|&index| index + 1 < list.len());
        let mut parts = Vec::new();
        for &index in taken.iter().rev() {
            parts.push(list.remove(index));
        }
        parts.reverse();
        parts
    }
}

/// Puts conditions before a filter.
fn put_before(filter: &mut Filter, mut conditions: Vec<Filter>) {
    if conditions.is_empty() {
        return;
    }
    let (kind, span) = (filter.kind, filter.span);
    conditions.push(std::mem::replace(filter, Filter::new(Node::True, Kind::Logical, span)));
    *filter = Filter::new(Node::Compound(conditions), kind, span);
}

fn is_loop(filter: &Filter) -> bool {
    matches!(filter.node, Node::SquareLoop { .. } | Node::PieceLoop { .. })
}

/// Whether a filter only looks at the board and at variables.
fn is_condition(filter: &Filter) -> bool {
    !filter.any(&mut |part| {
        let is_logical = matches!(
            part.node,
            Node::And(..)
                | Node::Or(..)
                | Node::Not(_)
                | Node::CompareNumbers(..)
                | Node::SameSet(..)
                | Node::Subset(..)
                | Node::PieceId(_)
                | Node::PieceIdOf(_)
                | Node::Turn(_)
                | Node::Check
                | Node::Mate
                | Node::Stalemate
        );
        !is_logical && !is_plain(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::ParseOptions;

    /// How many conditions stand before the outermost loop of a query, and before the loop in it.
    fn before_loops(text: &str) -> (usize, usize) {
        let parsed = crate::parse(text, &ParseOptions::default()).unwrap_or_else(|_| panic!("{text}"));
        let query = crate::expand(parsed).unwrap();
        let before = |filter: &Filter| match &filter.node {
            Node::Compound(list) => list.iter().position(is_loop).unwrap(),
            _ => 0,
        };
        let mut inside = 0;
        query.body.any(&mut |part| {
            if let Node::SquareLoop { body, .. } | Node::PieceLoop { body, .. } = &part.node
                && body.any(&mut |part| is_loop(part))
            {
                inside = before(body);
                return true;
            }
            false
        });
        (before(&query.body), inside)
    }

    #[test]
    fn conditions_go_before_the_loops_that_they_do_not_need() {
        for (text, expected) in [
            ("piece X in A piece Y in a {X attacks k X attacks Y path X--Y}", (0, 1)),
            (
                "piece X in A piece Y in a {check not wtm X attacks Y path X--Y}",
                (2, 0),
            ),
            ("wtm piece X in A {piece Y in a {X attacks k check path X--Y}}", (2, 1)),
            // What is assigned before is seen in the loop only.
            (
                "piece X in A piece Y in a {S=X T=Y X attacks k find {X==T Y==S}}",
                (0, 1),
            ),
        ] {
            assert_eq!(before_loops(text), expected, "{text}");
        }
    }

    #[test]
    fn other_conditions_stay() {
        for text in [
            "piece X in A piece Y in a {X attacks Y path X--Y}",
            // A comment comes before, an error might, or a value is read later.
            "piece X in A piece Y in a {comment(X) X attacks k path X--Y}",
            "if check S=1 piece X in A piece Y in a {S>1 X attacks k path X--Y}",
            "piece X in A piece Y in a {S=#Y X attacks k path X--Y} S>3",
            // The loop changes what is read.
            "S=1 piece X in A piece Y in a {S>1 path X--Y S=2}",
            // A variable may lose its value.
            "S=1 if check unbind S piece X in A piece Y in a {S>0 X attacks k path X--Y}",
            // All must match.
            "piece X in A square all Y in a {X attacks k X attacks Y}",
        ] {
            assert_eq!(before_loops(text).1, 0, "{text}");
        }
    }
}
