//! The squares for which the body of a loop matches, all at once: where the body is made of conditions on the square that the
//! lists answer for every square together, it need not be written out for each of them.

use language::hir::{Filter, Node, PinValue, VariableId};
use shakmaty::Bitboard;

use super::Lowering;
use super::bounds::SetBounds;
use super::man_beside::men_on_same_square;
use crate::expr::{Candidates, RayLines, SetExpr, attacked, attackers, possible_men};
use crate::filters::reads;

/// A loop over squares or pieces, at one position.
#[derive(Clone, Copy, Debug)]
struct LoopVariable<'d> {
    variable: VariableId,
    /// The squares that it can have.
    domain: &'d SetExpr,
}

impl<'q> Lowering<'q> {
    /// The squares of a domain for which the body of a loop matches; `None` if it has to be lowered for each of them.
    pub(super) fn squares_of_body(
        &mut self,
        variable: VariableId,
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Option<SetBounds> {
        if !self.is_plain_body(variable, body) {
            return None;
        }
        let before = self.extent();
        let one = LoopVariable {
            variable,
            domain: domain.may(),
        };
        let found = self.squares_where_matches(one, body);
        if found.is_none() {
            self.shrink_to(before);
        }
        Some(SetBounds::intersection(vec![found?, domain.clone()]))
    }

    /// Where the body of a loop matches for a square of a domain, if that is where it matches for all of them together.
    pub(super) fn truth_of_body(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Option<Candidates> {
        if !self.is_plain_body(variable, body) || !is_met_by_one(body, variable) {
            return None;
        }
        let saved = self.scope.save();
        self.scope.set(variable, domain.clone(), is_piece);
        let found = self.truth(body);
        self.scope.restore(saved);
        Some(Candidates::both(domain.clone().not_empty(), found))
    }

    /// Whether the body of a loop raises no error and gives nothing a value but the variables of loops in it.
    fn is_plain_body(&mut self, variable: VariableId, body: &'q Filter) -> bool {
        self.with_value(variable, |lowering| {
            lowering.is_infallible(body, true) && !body.any(&mut |part| assigns(part))
        })
    }

    fn squares_where_matches(&mut self, one: LoopVariable<'_>, filter: &'q Filter) -> Option<SetBounds> {
        if !reads(filter, one.variable) {
            let everywhere = SetBounds::Exact(SetExpr::Constant(Bitboard::FULL));
            return Some(everywhere.where_holds(self.truth(filter)));
        }
        let is_variable = |filter: &Filter| matches!(filter.node, Node::Variable(variable) if variable == one.variable);
        match &filter.node {
            Node::Not(inner) => {
                let squares = self.apart(inner, |lowering| lowering.squares_where_matches(one, inner));
                Some(squares?.complement())
            }
            Node::Compound(list) => {
                let parts: Option<Vec<SetBounds>> =
                    list.iter().map(|part| self.squares_where_matches(one, part)).collect();
                Some(SetBounds::intersection(parts?))
            }
            Node::And(a, b) => Some(SetBounds::intersection(vec![
                self.squares_where_matches(one, a)?,
                self.squares_where_matches(one, b)?,
            ])),
            Node::Or(a, b) => Some(SetBounds::union(vec![
                self.apart(a, |lowering| lowering.squares_where_matches(one, a))?,
                self.apart(b, |lowering| lowering.squares_where_matches(one, b))?,
            ])),
            Node::NoTransform(inner) => self.squares_where_matches(one, inner),
            Node::Call { arguments, body } => match &arguments[..] {
                [] => self.squares_where_matches(one, body),
                [(parameter, argument)] if is_variable(argument) && !reads(body, one.variable) => {
                    let one = LoopVariable {
                        variable: *parameter,
                        ..one
                    };
                    self.squares_where_matches(one, body)
                }
                _ => None,
            },
            Node::Variable(_) => Some(SetBounds::Exact(SetExpr::Constant(Bitboard::FULL))),
            Node::SquareColor(light, inner) if is_variable(inner) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                Some(SetBounds::Exact(SetExpr::Constant(squares)))
            }
            Node::Intersection(parts) => {
                let others: Vec<&'q Filter> = parts.iter().filter(|part| !is_variable(part)).collect();
                if others.iter().any(|part| reads(part, one.variable)) {
                    return None;
                }
                let sets = others.into_iter().map(|part| self.set_bounds(part)).collect();
                Some(SetBounds::intersection(sets))
            }
            Node::Subset(part, whole) if is_variable(part) && !reads(whole, one.variable) => {
                Some(self.set_bounds(whole))
            }
            Node::SameSet(a, b) => {
                let (place, itself) = match (&a.node, &b.node) {
                    (Node::At(place, inner), _) if is_variable(inner) && is_variable(b) => (place, b),
                    (_, Node::At(place, inner)) if is_variable(inner) && is_variable(a) => (place, a),
                    _ => return None,
                };
                self.piece_variable(itself)?;
                self.stays_until(one.domain, place)
            }
            Node::Attacks(a, b) | Node::AttackedBy(b, a) => {
                let operands = [self.operand_of_body(one, a)?, self.operand_of_body(one, b)?];
                let gives_first = is_variable(a);
                if is_variable(a) == is_variable(b) {
                    return None;
                }
                Some(SetBounds::map(operands, |[a, b]| match gives_first {
                    true => attackers(a, b),
                    false => attacked(b, a),
                }))
            }
            Node::Ray { directions, arguments } => self.line_of_body(one, RayLines::Given(*directions), arguments),
            Node::Xray { arguments, .. } => self.line_of_body(one, RayLines::OfPiece, arguments),
            Node::Pin { from, through, to, .. } => {
                let arguments = [from, through, to].map(Option::as_deref);
                let place = arguments
                    .iter()
                    .position(|argument| argument.is_some_and(is_variable))?;
                let value = [PinValue::From, PinValue::Through, PinValue::To][place];
                let mut others = arguments;
                others[place] = None;
                if others.iter().flatten().any(|other| reads(other, one.variable)) {
                    return None;
                }
                let mut parts = self.parts_of_pin(others);
                parts[place] = SetBounds::Exact(one.domain.clone());
                Some(SetBounds::map(parts, |parts| SetExpr::pins(parts, value)))
            }
            Node::SquareLoop {
                variable,
                domain,
                body,
                all: false,
                ..
            }
            | Node::PieceLoop {
                variable,
                domain,
                body,
                all: false,
                ..
            } if !reads(domain, one.variable) && is_met_by_one(body, *variable) => {
                let is_piece = matches!(filter.node, Node::PieceLoop { .. });
                let domain = self.domain(domain, is_piece);
                let saved = self.scope.save();
                self.scope.set(*variable, domain.clone(), is_piece);
                let found = self.with_value(*variable, |lowering| lowering.squares_where_matches(one, body));
                self.scope.restore(saved);
                Some(found?.where_holds(domain.not_empty()))
            }
            Node::LegalDash(legality, dash) if dash.left.as_ref().is_some_and(is_variable) => {
                Self::possible_from(*legality, dash, possible_men(one.domain))
            }
            Node::LegalDash(legality, dash) if dash.right.as_ref().is_some_and(is_variable) => {
                let left = dash.left.as_ref();
                let reads_it = left.is_some_and(|left| reads(left, one.variable));
                (!reads_it && dash.target.is_empty()).then(|| self.targets(*legality, left, None))
            }
            _ => None,
        }
    }

    /// The squares of a domain whose men stand on the same square at another position.
    fn stays_until(&mut self, domain: &SetExpr, place: &'q Filter) -> Option<SetBounds> {
        let (ids, there) = self.neighbour(place).filter(|(ids, _)| *ids != 0)?;
        let same = men_on_same_square(possible_men(domain), ids);
        Some(same.where_holds(Candidates::exactly(there)))
    }

    /// An operand of a condition: the domain for the variable itself.
    fn operand_of_body(&mut self, one: LoopVariable<'_>, operand: &'q Filter) -> Option<SetBounds> {
        match operand.node {
            Node::Variable(variable) if variable == one.variable => Some(SetBounds::Exact(one.domain.clone())),
            _ if reads(operand, one.variable) => None,
            _ => Some(self.set_bounds(operand)),
        }
    }

    /// A line with the variable at one of its ends.
    fn line_of_body(&mut self, one: LoopVariable<'_>, lines: RayLines, arguments: &'q [Filter]) -> Option<SetBounds> {
        let is_variable = |filter: &Filter| matches!(filter.node, Node::Variable(variable) if variable == one.variable);
        let places: Vec<usize> = (0..arguments.len()).filter(|&i| is_variable(&arguments[i])).collect();
        let gives_first = match places[..] {
            [0] => true,
            [last] if last + 1 == arguments.len() => false,
            _ => return None,
        };
        let mut operands = Vec::new();
        for argument in arguments {
            operands.push(self.operand_of_body(one, argument)?);
        }
        Some(SetBounds::map_list(operands, true, |arguments| SetExpr::Rays {
            lines,
            arguments,
            gives_first,
        }))
    }
}

/// Whether a filter matches for one of some squares exactly where it matches for all of them together: it reads the variable
/// once, and asks whether there is a line, an attack or the like.
fn is_met_by_one(filter: &Filter, variable: VariableId) -> bool {
    let is_variable = |filter: &Filter| matches!(filter.node, Node::Variable(other) if other == variable);
    if !reads(filter, variable) {
        return true;
    }
    let in_one = |parts: &mut dyn Iterator<Item = &Filter>| {
        let mut reading = parts.filter(|part| reads(part, variable));
        matches!((reading.next(), reading.next()), (Some(only), None) if is_variable(only))
    };
    match &filter.node {
        Node::Compound(list) => {
            let mut reading = list.iter().filter(|part| reads(part, variable));
            matches!((reading.next(), reading.next()), (Some(only), None) if is_met_by_one(only, variable))
        }
        Node::And(a, b) => match [a, b].map(|part| reads(part, variable)) {
            [true, true] => false,
            [true, false] => is_met_by_one(a, variable),
            [false, _] => is_met_by_one(b, variable),
        },
        Node::Or(a, b) => is_met_by_one(a, variable) && is_met_by_one(b, variable),
        Node::NoTransform(inner) => is_met_by_one(inner, variable),
        Node::SquareLoop {
            domain,
            body,
            all: false,
            ..
        }
        | Node::PieceLoop {
            domain,
            body,
            all: false,
            ..
        } => !reads(domain, variable) && is_met_by_one(body, variable),
        Node::Variable(_) => true,
        Node::Intersection(parts) => in_one(&mut parts.iter()),
        Node::Attacks(a, b) | Node::AttackedBy(a, b) => in_one(&mut [&**a, &**b].into_iter()),
        Node::Ray { arguments, .. } | Node::Xray { arguments, .. } => in_one(&mut arguments.iter()),
        Node::Pin { from, through, to, .. } => {
            in_one(&mut [from, through, to].into_iter().filter_map(Option::as_deref))
        }
        Node::LegalDash(_, dash) => {
            dash.target.is_empty() && in_one(&mut [&dash.left, &dash.right].into_iter().flatten())
        }
        _ => false,
    }
}

/// Whether a filter gives a variable a value, but for loops, which take it away again.
fn assigns(filter: &Filter) -> bool {
    let is_loop = matches!(filter.node, Node::SquareLoop { .. } | Node::PieceLoop { .. });
    !is_loop && filter.facts().assigns.is_some()
}
