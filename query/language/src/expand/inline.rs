//! Puts the value of a variable in the place of its reads, where that changes nothing.
//!
//! `x=A attacks k  #x>2` asks the same as `#(A attacks k)>2`, and planner and evaluator know more of the second: they need
//! not keep the value, and see what it is where it is read.
//!
//! A variable goes if every read of it stands behind an assignment in the same list, in a place where the assigned filter
//! has the same value: at the same position, or at one that has a name, or anywhere if the value does not depend on the
//! position. The filter must raise no error, leave nothing behind and read nothing that changes before the read.

use crate::facts::{Binds, MoveContext, is_infallible, note_assigned, unbound_variables};
use crate::hir::{Arithmetic, AssignOp, Filter, Kind, Node, ParsedQuery, VariableId, VariableKind};

/// Larger queries are left as they are.
const MAX_FILTERS: usize = 20_000;

/// For each variable the whole query is looked at. Behind this many filters the other variables are left as they are.
const MAX_LOOKED_AT: usize = 4_000_000;

/// How many filters a query may get more by one variable.
const MAX_GROWTH: usize = 500;

/// Puts the values of variables in the place of their reads, and lets those variables go.
pub(super) fn inline(query: &mut ParsedQuery) {
    let mut filters = count(&query.body);
    if filters > MAX_FILTERS || !unbound_variables(&query.body).is_empty() {
        return;
    }
    let mut looked_at = 0;
    for (index, declared) in (0..).zip(&query.variables) {
        let is_plain = !declared.persistent && !declared.atomic;
        if !is_plain || !matches!(declared.kind, VariableKind::Set | VariableKind::Numeric) {
            continue;
        }
        looked_at += filters;
        if looked_at > MAX_LOOKED_AT {
            return;
        }
        let variable = VariableId(index);
        let in_header = query.header.games.iter().any(|filter| mentions(filter, variable) > 0);
        if in_header || !query.body.any(&mut |part| defines(part, variable)) {
            continue;
        }
        let mut body = query.body.clone();
        let mut inlining = Inlining {
            variable,
            bound: Vec::new(),
            replaced: 0,
        };
        if inlining.visit(&mut body, None).is_some() && inlining.replaced == mentions(&query.body, variable) {
            let now = count(&body);
            if now <= filters + MAX_GROWTH {
                filters = now;
                query.body = body;
            }
        }
    }
}

/// One variable that is to go.
struct Inlining {
    variable: VariableId,
    /// The variables that certainly have a value.
    bound: Vec<VariableId>,
    /// How many reads were replaced.
    replaced: usize,
}

/// The assigned filter, and where it stands.
struct Definition {
    value: Filter,
    /// The variable that holds the position, if there is one.
    position: Option<VariableId>,
}

impl Inlining {
    /// Replaces the reads behind the assignments in a filter; `None` if that can't be done. `position` is the variable that
    /// holds the position at which the filter is evaluated.
    fn visit(&mut self, filter: &mut Filter, position: Option<VariableId>) -> Option<()> {
        let mark = self.bound.len();
        match &mut filter.node {
            Node::Compound(list) => self.visit_list(list, position)?,
            Node::And(a, b) => {
                self.visit(a, position)?;
                note_assigned(a, &mut self.bound);
                self.visit(b, position)?;
            }
            Node::Or(a, b) => {
                self.visit(a, position)?;
                self.visit(b, position)?;
            }
            Node::Not(inner) | Node::NoTransform(inner) => self.visit(inner, position)?,
            Node::SquareLoop {
                variable, domain, body, ..
            }
            | Node::PieceLoop {
                variable, domain, body, ..
            } => {
                self.visit(domain, None)?;
                self.bound.push(*variable);
                self.visit(body, position)?;
            }
            Node::Echo {
                source, target, body, ..
            } => {
                self.bound.extend([*source, *target]);
                let target = *target;
                self.visit(body, Some(target))?;
            }
            Node::Call { arguments, body } => {
                self.visit_call(arguments, body, position)?;
                if arguments.is_empty() && body.kind == filter.kind {
                    let node = std::mem::replace(&mut body.node, Node::True);
                    filter.node = node;
                }
            }
            _ => {
                let mut all = Some(());
                filter.for_each_child_mut(&mut |child| all = all.and_then(|()| self.visit(child, None)));
                all?;
            }
        }
        self.bound.truncate(mark);
        Some(())
    }

    fn visit_list(&mut self, list: &mut Vec<Filter>, position: Option<VariableId>) -> Option<()> {
        let mut index = 0;
        while index < list.len() {
            let Some((op, value)) = assignment(&list[index], self.variable) else {
                self.visit(&mut list[index], position)?;
                note_assigned(&list[index], &mut self.bound);
                index += 1;
                continue;
            };
            let value = value.clone();
            let (_, rest) = list.split_at_mut(index + 1);
            if rest.is_empty() {
                return None;
            }
            self.check(&value, rest)?;
            let definition = Definition { value, position };
            for part in rest {
                self.replace(part, &definition, true, false)?;
            }
            let value = definition.value;
            if op == AssignOp::Set && has_value(&value) {
                list.remove(index);
            } else if is_infallible(&value, true, &mut self.bound) {
                // As a condition, it fails where there is no value.
                list[index] = value;
                index += 1;
            } else {
                return None;
            }
        }
        Some(())
    }

    fn visit_call(
        &mut self,
        arguments: &mut Vec<(VariableId, Filter)>,
        body: &mut Filter,
        position: Option<VariableId>,
    ) -> Option<()> {
        for (_, argument) in arguments.iter_mut() {
            self.visit(argument, None)?;
        }
        let own = arguments.iter().position(|(variable, _)| *variable == self.variable);
        if let Some(own) = own {
            let value = arguments[own].1.clone();
            self.check(&value, std::slice::from_ref(body))?;
            if !has_value(&value) {
                return None;
            }
            let definition = Definition { value, position };
            self.replace(body, &definition, true, false)?;
            arguments.remove(own);
        }
        self.bound.extend(arguments.iter().map(|(variable, _)| *variable));
        self.visit(body, position)
    }

    /// Whether a filter may stand in the place of the variable in the filters that follow.
    fn check(&mut self, value: &Filter, rest: &[Filter]) -> Option<()> {
        let is_other = value.any(&mut |part| !is_plain(part));
        // As a condition, a set variable is not vacuous.
        let becomes_vacuous = value.kind == Kind::Set && value.facts().vacuous;
        if is_other || becomes_vacuous || !is_infallible(value, false, &mut self.bound) {
            return None;
        }
        // What it reads, and the variable itself, must stay as they are.
        let mut read = vec![self.variable];
        value.any(&mut |part| {
            part.for_each_variable(&mut |variable| read.push(variable));
            false
        });
        let is_steady = !rest
            .iter()
            .any(|filter| filter.any(&mut |part| read.iter().any(|&variable| changes(part, variable))));
        is_steady.then_some(())
    }

    /// Replaces the reads of the variable. `here` says that the filter is evaluated where the variable was assigned, and
    /// `as_value` that its value is asked for.
    fn replace(&mut self, filter: &mut Filter, definition: &Definition, here: bool, as_value: bool) -> Option<()> {
        if is_read(filter, self.variable) {
            let Definition { value, position } = definition;
            // As a condition, a variable with a number is an error.
            if filter.kind != value.kind || (filter.kind != Kind::Set && !as_value) {
                return None;
            }
            filter.node = if here || is_the_same_everywhere(value) {
                value.node.clone()
            } else {
                let place = Filter::new(Node::Variable((*position)?), Kind::Position, filter.span);
                Node::At(Box::new(place), Box::new(value.clone()))
            };
            self.replaced += 1;
            return Some(());
        }
        let (stays, as_value) = (children_here(filter), asks_for_values(filter));
        // A variable of a piece is printed in another way than its square.
        let prints = matches!(filter.node, Node::Comment(_) | Node::Message { .. } | Node::Str(_));
        let stays_printed = prints && matches!(definition.value.node, Node::Variable(_));
        let (mut all, mut index) = (Some(()), 0);
        filter.for_each_child_mut(&mut |child| {
            if stays_printed && is_read(child, self.variable) {
                all = None;
            }
            let here = here && index < stays;
            index += 1;
            all = all.and_then(|()| self.replace(child, definition, here, as_value));
        });
        all
    }
}

/// How many filters there are in one, itself included.
fn count(filter: &Filter) -> usize {
    let mut count = 0;
    filter.any(&mut |_| {
        count += 1;
        false
    });
    count
}

/// Whether a filter is a read of the variable.
fn is_read(filter: &Filter, variable: VariableId) -> bool {
    matches!(filter.node, Node::Variable(read) if read == variable)
}

/// What a filter assigns to the variable, if that does not depend on an older value.
fn assignment(filter: &Filter, variable: VariableId) -> Option<(AssignOp, &Filter)> {
    match &filter.node {
        Node::Assign(assigned, op @ (AssignOp::Set | AssignOp::SetIfAny), value) if *assigned == variable => {
            Some((*op, value))
        }
        _ => None,
    }
}

/// Whether a filter gives the variable such a value, by an assignment or as the argument of a call.
fn defines(filter: &Filter, variable: VariableId) -> bool {
    let is_argument = |(argument, _): &(VariableId, Filter)| *argument == variable;
    assignment(filter, variable).is_some()
        || matches!(&filter.node, Node::Call { arguments, .. } if arguments.iter().any(is_argument))
}

/// Whether a filter gives the variable a value in whatever way.
fn changes(filter: &Filter, variable: VariableId) -> bool {
    let facts = filter.facts();
    facts.assigns == Some(variable)
        || match facts.binds {
            Binds::Nothing => matches!(filter.node, Node::DictionaryLoop(bound, ..) if bound == variable),
            Binds::Loop { variable: bound, .. } => bound == variable,
            Binds::Pair(pair) => pair.contains(&variable),
            Binds::Arguments(arguments) => arguments.iter().any(|(argument, _)| *argument == variable),
        }
}

/// How often a variable is used in a filter and below, definitions left out.
pub(super) fn mentions(filter: &Filter, variable: VariableId) -> usize {
    let mut count = 0;
    filter.any(&mut |part| {
        let mut is_used = changes(part, variable) && !defines(part, variable);
        part.for_each_variable(&mut |read| is_used |= read == variable);
        count += usize::from(is_used);
        false
    });
    count
}

/// Whether a filter, without its children, only looks at the board and at variables.
pub(super) fn is_plain(filter: &Filter) -> bool {
    matches!(
        filter.node,
        Node::Designator(_)
            | Node::AllSquares
            | Node::NoSquares
            | Node::Union(_)
            | Node::Intersection(_)
            | Node::Complement(_)
            | Node::Attacks(..)
            | Node::AttackedBy(..)
            | Node::Ray { .. }
            | Node::Xray { .. }
            | Node::Pin { .. }
            | Node::Direction { .. }
            | Node::Between(..)
            | Node::SquareColor(..)
            | Node::PawnStructure(_)
            | Node::MakeSquare(..)
            | Node::SameContents(..)
            | Node::Number(_)
            | Node::Cardinality(_)
            | Node::Power(_)
            | Node::File(_)
            | Node::Rank(_)
            | Node::ColorType(_)
            | Node::SideToMove
            | Node::ColorValue(_)
            | Node::MoveNumber
            | Node::Ply
            | Node::PositionId
            | Node::Negate(_)
            | Node::Abs(_)
            | Node::Arithmetic(..)
            | Node::CurrentPosition
            | Node::At(..)
            | Node::Variable(_)
    )
}

/// Whether a plain filter always has a value.
fn has_value(filter: &Filter) -> bool {
    match &filter.node {
        _ if filter.kind == Kind::Set => true,
        Node::Number(_)
        | Node::Cardinality(_)
        | Node::Power(_)
        | Node::SideToMove
        | Node::ColorValue(_)
        | Node::MoveNumber
        | Node::Ply
        | Node::PositionId
        | Node::Variable(_) => true,
        Node::Negate(inner) | Node::Abs(inner) => has_value(inner),
        Node::Arithmetic(Arithmetic::Add | Arithmetic::Subtract | Arithmetic::Multiply, a, b) => {
            has_value(a) && has_value(b)
        }
        _ => false,
    }
}

/// Whether a plain filter has the same value at every position while its variables keep theirs.
fn is_the_same_everywhere(filter: &Filter) -> bool {
    match &filter.node {
        Node::AllSquares | Node::NoSquares | Node::Number(_) | Node::ColorValue(_) => true,
        // The square of a piece changes with the position; a variable of another kind does not. Both kinds are sets here.
        Node::Variable(_) => filter.kind != Kind::Set,
        Node::At(place, _) => is_the_same_everywhere(place),
        Node::Union(_)
        | Node::Intersection(_)
        | Node::Complement(_)
        | Node::SquareColor(..)
        | Node::Direction { .. }
        | Node::Between(..)
        | Node::MakeSquare(..)
        | Node::SameContents(..)
        | Node::Cardinality(_)
        | Node::File(_)
        | Node::Rank(_)
        | Node::Negate(_)
        | Node::Abs(_)
        | Node::Arithmetic(..) => {
            let mut all = true;
            filter.for_each_child(&mut |child| all = all && is_the_same_everywhere(child));
            all
        }
        _ => false,
    }
}

/// How many of the first children of a filter are evaluated where it is.
fn children_here(filter: &Filter) -> usize {
    match &filter.node {
        Node::Path(_) | Node::CurrentMove(_) => 0,
        Node::Dash(dash) | Node::LegalDash(_, dash) | Node::CountMoves(_, dash) if !dash.target.is_empty() => 0,
        Node::Move(m) if m.previous || m.comment.is_some() => 0,
        _ => match filter.facts().moves {
            MoveContext::Here => usize::MAX,
            MoveContext::AfterFirst => 1,
            MoveContext::Elsewhere => 0,
        },
    }
}

/// Whether a filter asks its children for numbers, not for their truth.
fn asks_for_values(filter: &Filter) -> bool {
    matches!(
        filter.node,
        Node::Negate(_)
            | Node::Abs(_)
            | Node::Sqrt(_)
            | Node::Arithmetic(..)
            | Node::CompareNumbers(..)
            | Node::Extremum(..)
            | Node::MakeSquare(..)
            | Node::PositionAt(_)
            | Node::Assign(..)
            | Node::Comment(_)
            | Node::Str(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::ParseOptions;

    /// How many variables still get a value in a query.
    fn assignments(text: &str) -> usize {
        let parsed = crate::parse(text, &ParseOptions::default()).unwrap_or_else(|_| panic!("{text}"));
        let mut count = 0;
        crate::expand(parsed).unwrap().body.any(&mut |part| {
            count += usize::from(matches!(part.node, Node::Assign(..)));
            count += match &part.node {
                Node::Call { arguments, .. } => arguments.len(),
                _ => 0,
            };
            false
        });
        count
    }

    #[test]
    fn names_of_values_go() {
        for text in [
            "x=A attacks k #x>1",
            "x=A attacks k y=x&Q #y==1 x&R",
            "flipcolor {x=A attacks k x&Q}",
            "v=3*2 find #A<v",
            "x=?A attacks k not x&Q",
            "v=file K rank Q>v",
            "function f(u v) {#u+v>4} f(Q|R 2)",
            "echo (s t) {s<t d=~(s&t) d d==_&s:A}",
            "echo (s t) {s<t v=rank K - s:rank K (s:rank Q)>v}",
        ] {
            assert_eq!(assignments(text), 0, "{text}");
        }
    }

    #[test]
    fn other_variables_stay() {
        for text in [
            // Read elsewhere, without a name for the position.
            "x=A attacks k find x&Q",
            // Changed, or read before.
            "x=A attacks k x|=Q #x>3",
            "v=#A w=v+1 v=3 w>v+2",
            "x=A isbound x x&R",
            // What it is made of changes.
            "piece T in Q {x=T attacks k path T--. x}",
            // A piece is printed in another way than a square.
            "piece T in Q {x=T comment(x)}",
            // It stays from game to game.
            "persistent x=A attacks k #x>1",
            // As a condition, a variable with a number is an error.
            "v=#A v",
            // A text, and the result of an assignment.
            "s=str(#A) s==\"3\"",
            "x=A",
        ] {
            assert_ne!(assignments(text), 0, "{text}");
        }
    }
}
