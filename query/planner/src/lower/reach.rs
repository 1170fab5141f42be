//! Where the evaluation of a filter may get to something inside it: an error, an assignment, an effect that outlives the
//! game, a match that bans others.
//!
//! What stands behind a condition is reached only where the condition may hold. So a filter that may raise an error hides
//! only the positions where it may, and a variable keeps its value where its assignment is not reached.

use language::facts::{
    Fallibility, Leaves, MoveContext, is_infallible, is_plain_assignment, keeps_long_text, note_assigned,
    reads_before_its_argument,
};
use language::hir::{AssignOp, Bound, Filter, FindCount, Kind, Node, Range, VariableId};

use super::at_once::by_color;
use super::bounds::SetBounds;
use super::scope::{Saved, Way};
use super::{Lowering, MAX_EXPRESSIONS};
use crate::effects::changes_database;
use crate::expr::{Candidates, Expr, Truth, not_empty};
use crate::first_turn::FirstTurn;
use crate::optimize::courses;

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    /// That the query stops with an error.
    Error,
    /// A change of what later games see, or a message.
    Effect,
    /// An assignment of this variable.
    Assignment(VariableId),
    /// A match of a `line` or `path` with `nestban`: none of them begins inside it later.
    Ban,
    /// A change of what later positions of the game see, or of what is left of the game.
    State,
}

impl<'q> Lowering<'q> {
    /// Where a filter that is evaluated here may get to something, given that nothing before it raises an error. `truth`
    /// says that it is asked whether it matches.
    pub(super) fn reach(&mut self, filter: &'q Filter, truth: bool, wanted: Wanted) -> Truth {
        // Logical filters have no other value.
        let truth = truth || filter.kind == Kind::Logical;
        if !self.has(filter, truth, wanted) {
            return Truth::Never;
        }
        if !self.spend(1) {
            return Truth::Always;
        }
        self.reached(|lowering| lowering.reach_inside(filter, truth, wanted))
    }

    /// The same for filters that are evaluated in order, as long as they match.
    pub(super) fn reach_of_list(&mut self, list: &'q [Filter], wanted: Wanted) -> Truth {
        match list {
            [one] => self.reach(one, true, wanted),
            _ => self.reached(|lowering| lowering.reach_in_list(list.iter(), true, wanted)),
        }
    }

    /// What is found inside of a filter. What is learned of variables there does not hold outside.
    fn reached(&mut self, inside: impl FnOnce(&mut Self) -> Truth) -> Truth {
        let (before, assigned) = (self.scope.save(), self.assigned.len());
        let trusted = std::mem::replace(&mut self.trusted, true);
        let found = inside(self);
        // Of what is too large to be asked, what men do is kept; else it may be anywhere.
        let is_too_large = |found: &Truth| Expr::Truth(found).is_larger_than(MAX_EXPRESSIONS);
        let found = match is_too_large(&found) {
            true => Some(courses(&found))
                .filter(|found| !is_too_large(found))
                .unwrap_or(Truth::Always),
            false => found,
        };
        self.trusted = trusted;
        self.assigned.truncate(assigned);
        self.scope.restore(before);
        found
    }

    /// The same where the filter may have been evaluated before, so that nothing is known of what it assigns.
    pub(super) fn reach_again(&mut self, filter: &'q Filter, truth: bool, wanted: Wanted) -> Truth {
        let before = self.scope.save();
        self.forget_assigned(filter);
        let found = self.reach(filter, truth, wanted);
        self.scope.restore(before);
        found
    }

    /// Whether there is such a thing in a filter.
    fn has(&self, filter: &'q Filter, truth: bool, wanted: Wanted) -> bool {
        match wanted {
            Wanted::Error => !self.is_infallible(filter, truth),
            Wanted::Effect => filter.any(&mut |part| changes_database(self.query, part)),
            Wanted::Assignment(variable) => filter.any(&mut |part| part.facts().assigns == Some(variable)),
            Wanted::Ban => filter.any(&mut |part| part.facts().leaves.intersects(Leaves::NESTBAN)),
            Wanted::State => filter.any(&mut |part| self.game_state.is_changed_by(self.query, part)),
        }
    }

    /// Whether a filter never raises an error here.
    pub(super) fn is_infallible(&self, filter: &Filter, truth: bool) -> bool {
        if self.assignments_raise && filter.any(&mut |part| part.facts().assigns.is_some()) {
            return false;
        }
        is_infallible(filter, truth, &mut self.assigned.clone())
    }

    fn reach_inside(&mut self, filter: &'q Filter, truth: bool, wanted: Wanted) -> Truth {
        if matches!(wanted, Wanted::Error) && truth && filter.is_vacuous() {
            return Truth::Always;
        }
        match &filter.node {
            Node::Compound(list) => self.reach_in_list(list.iter(), truth, wanted),
            Node::And(a, b) => self.reach_in_list([&**a, &**b].into_iter(), true, wanted),
            Node::Or(a, b) => {
                let first = self.reach(a, true, wanted);
                let fails = self.apart(a, |lowering| lowering.truth(a)).not();
                Truth::any([first, Truth::all([fails.truth, self.reach(b, true, wanted)])])
            }
            Node::Not(inner) => self.reach(inner, true, wanted),
            Node::NoTransform(inner) => self.reach(inner, truth, wanted),
            Node::If(condition, then, otherwise) => {
                let first = self.reach(condition, true, wanted);
                let before = self.scope.save();
                let holds = self.truth(condition);
                let mark = self.assigned.len();
                note_assigned(condition, &mut self.assigned);
                let then = self.reach(then, truth, wanted);
                self.assigned.truncate(mark);
                self.scope.restore(before);
                self.after_failure_of(condition);
                let otherwise = match otherwise {
                    Some(otherwise) => self.reach(otherwise, truth, wanted),
                    None => Truth::Never,
                };
                let fails = holds.clone().not();
                Truth::any([
                    first,
                    Truth::all([holds.truth, then]),
                    Truth::all([fails.truth, otherwise]),
                ])
            }
            Node::Call { arguments, body } => {
                let (mut found, mut before) = (Vec::new(), Vec::new());
                for argument in arguments {
                    let here = self.reach(&argument.1, false, wanted);
                    found.push(Truth::all(before.iter().cloned().chain([here])));
                    before.push(self.pass_arguments(std::slice::from_ref(argument)).truth);
                    self.assigned.push(argument.0);
                }
                before.push(self.reach(body, truth, wanted));
                found.push(Truth::all(before));
                Truth::any(found)
            }
            Node::Assign(variable, op, argument) => {
                let inside = self.reach(argument, false, wanted);
                let is_wanted = match wanted {
                    Wanted::Error => !self.may_assign(*variable, *op, argument),
                    Wanted::Effect => changes_database(self.query, filter),
                    Wanted::Assignment(wanted) => wanted == *variable,
                    Wanted::Ban => false,
                    Wanted::State => self.game_state.is_changed_by(self.query, filter),
                };
                match is_wanted {
                    // Numbers and sets are read before the argument is evaluated.
                    true if matches!(wanted, Wanted::Error) && reads_before_its_argument(*op) => Truth::Always,
                    true => Truth::any([inside, self.apart(argument, |l| l.has_value(argument)).truth]),
                    false => inside,
                }
            }
            Node::AssignPiece(variable, argument) => {
                let inside = self.reach(argument, false, wanted);
                let is_wanted = match wanted {
                    Wanted::Error => self.assignments_raise,
                    Wanted::Effect => changes_database(self.query, filter),
                    Wanted::Assignment(wanted) => wanted == *variable,
                    Wanted::Ban => false,
                    Wanted::State => self.game_state.is_changed_by(self.query, filter),
                };
                match is_wanted {
                    true => Truth::any([inside, self.apart(argument, |l| l.set_truth(argument)).truth]),
                    false => inside,
                }
            }
            Node::While(..) | Node::WhileRegex(..) | Node::Loop(_) => self.reach_in_turns(filter, wanted),
            Node::Assert(inner) => {
                let inside = self.reach(inner, true, wanted);
                match wanted {
                    Wanted::Error => {
                        let holds = self.apart(inner, |lowering| lowering.truth(inner));
                        Truth::any([inside, holds.not().truth])
                    }
                    _ => inside,
                }
            }
            Node::SquareLoop {
                variable, domain, body, ..
            }
            | Node::PieceLoop {
                variable, domain, body, ..
            } => {
                if matches!(wanted, Wanted::Error) && (self.assigned.contains(variable) || self.assignments_raise) {
                    return Truth::Always;
                }
                let first = self.reach(domain, false, wanted);
                let is_piece = matches!(filter.node, Node::PieceLoop { .. });
                if let Some(turns) = FirstTurn::of_loop(filter).filter(|turns| self.has_first_turn(turns)) {
                    self.assigned.extend(turns.remembered());
                }
                self.forget_assigned(filter);
                let squares = self.domain(domain, is_piece).may().clone();
                self.assigned.push(*variable);
                let before = self.scope.save();
                let mut found = vec![first];
                // As where it is asked whether the loop matches.
                for squares in by_color(squares, is_piece) {
                    self.scope.restore(before.clone());
                    let some = not_empty(squares.clone());
                    self.scope.set(*variable, SetBounds::at_most(squares), is_piece);
                    found.push(Truth::all([some, self.reach(body, true, wanted)]));
                }
                Truth::any(found)
            }
            Node::Orbit { range, variants } => {
                if matches!(wanted, Wanted::Error) && !is_fixed(range.as_ref()) {
                    return Truth::Always;
                }
                self.forget_assigned(filter);
                let as_truth = truth || range.is_some();
                Truth::any(
                    variants
                        .iter()
                        .map(|variant| self.reach(variant, as_truth, wanted))
                        .collect::<Vec<_>>(),
                )
            }
            Node::Find {
                backward,
                count,
                argument,
                ..
            } => {
                let is_fixed = match count {
                    FindCount::First | FindCount::All => true,
                    FindCount::Range(range) => is_fixed(Some(range)),
                };
                if matches!(wanted, Wanted::Error) && !is_fixed {
                    return Truth::Always;
                }
                let way = Way::of_find(*backward);
                self.forget_assigned(filter);
                let there = self.elsewhere(Some(way), |lowering| lowering.reach(argument, true, wanted));
                self.eventually(way, Candidates::at_most(there)).truth
            }
            Node::At(place, inner) => {
                let first = self.reach(place, false, wanted);
                self.forget_assigned(place);
                let reached = self.at_with(place, |lowering| {
                    Candidates::at_most(lowering.reach(inner, truth, wanted))
                });
                Truth::any([first, reached.truth])
            }
            Node::Path(path) => {
                if matches!(wanted, Wanted::State) && self.game_state.is_changed_by(self.query, filter) {
                    return Truth::Always;
                }
                let inside = self.reach_in_path(path, wanted);
                Truth::any([inside, self.banning(filter, wanted)])
            }
            Node::Line(line) => {
                let inside = self.reach_in_line(line, wanted);
                Truth::any([inside, self.banning(filter, wanted)])
            }
            Node::Dash(dash) => self.reach_in_dash(dash, wanted),
            Node::Echo {
                source, target, body, ..
            } => {
                if matches!(wanted, Wanted::Error)
                    && (self.assigned.contains(source) || self.assigned.contains(target) || self.assignments_raise)
                {
                    return Truth::Always;
                }
                self.forget_assigned(filter);
                self.assigned.extend([*source, *target]);
                let as_truth = body.kind != Kind::Numeric;
                let there = self.elsewhere(None, |lowering| lowering.reach(body, as_truth, wanted));
                self.in_game(Candidates::at_most(there)).truth
            }
            _ => self.reach_in_parts(filter, wanted),
        }
    }

    /// Where a sequence may match whose matches ban others, if that is what is looked for.
    fn banning(&mut self, sequence: &'q Filter, wanted: Wanted) -> Truth {
        match wanted {
            Wanted::Ban if sequence.facts().leaves.intersects(Leaves::NESTBAN) => {
                self.forget_assigned(sequence);
                self.apart(sequence, |lowering| lowering.truth(sequence)).truth
            }
            _ => Truth::Never,
        }
    }

    /// Filters that evaluate their parts here, once each.
    fn reach_in_parts(&mut self, filter: &'q Filter, wanted: Wanted) -> Truth {
        let facts = filter.facts();
        let is_here = match wanted {
            Wanted::Error => self.raises(filter),
            Wanted::Effect => changes_database(self.query, filter),
            Wanted::Assignment(variable) => facts.assigns == Some(variable),
            Wanted::Ban => false,
            Wanted::State => self.game_state.is_changed_by(self.query, filter),
        };
        if is_here || facts.moves != MoveContext::Here {
            return Truth::Always;
        }
        self.forget_assigned(filter);
        let mut parts = Vec::new();
        filter.for_each_child(&mut |child| parts.push(child));
        let found: Vec<Truth> = parts
            .into_iter()
            .map(|child| self.reach(child, false, wanted))
            .collect();
        Truth::any(found)
    }

    /// Whether a filter may raise an error by itself.
    fn raises(&mut self, filter: &'q Filter) -> bool {
        match &filter.node {
            Node::Group(index) => self.group(*index).is_none(),
            Node::Direction {
                range: Some(Range::Between(min, max)),
                ..
            } => !self.is_range_of_steps(*min, *max),
            // A text can get too long.
            Node::Str(_) | Node::DictionarySet(..) => keeps_long_text(filter),
            // They are what their parts are.
            Node::Comment(_)
            | Node::Message { .. }
            | Node::Sort { .. }
            | Node::ComparePositions(..)
            | Node::SameContents(..)
            | Node::Ancestor(..)
            | Node::Descendant(..)
            | Node::Distance(..)
            | Node::Lca(..) => false,
            Node::Variable(variable) => !self.assigned.contains(variable),
            _ => filter.facts().fallibility != Fallibility::OfParts,
        }
    }

    /// Whether a direction may go any number of steps from the first to the second bound.
    fn is_range_of_steps(&self, min: Bound, max: Bound) -> bool {
        let range = |bound: Bound| match bound {
            Bound::Literal(n) => Some((i64::from(n), i64::from(n))),
            Bound::Variable(variable) if self.assigned.contains(&variable) => self.scope.number(variable)?.range(),
            Bound::Variable(_) => None,
        };
        let Some(((least, low), (high, most))) = range(min).zip(range(max)) else {
            return false;
        };
        least >= -7 && most <= 7 && (min == max || low <= high)
    }

    /// Whether an assignment to a variable raises no error, apart from its argument.
    fn may_assign(&mut self, variable: VariableId, op: AssignOp, argument: &'q Filter) -> bool {
        if self.assignments_raise {
            return false;
        }
        match op {
            _ if is_plain_assignment(op) => true,
            _ if !self.assigned.contains(&variable) => false,
            AssignOp::Append => {
                let new = self.text_bounds(argument);
                self.scope.text(variable).is_some_and(|old| old.has_room_for(&new))
            }
            _ => true,
        }
    }

    /// Filters that are evaluated in order, as long as they match.
    pub(super) fn reach_in_list(
        &mut self,
        list: impl Iterator<Item = &'q Filter>,
        truth: bool,
        wanted: Wanted,
    ) -> Truth {
        let (mut found, mut before) = (Vec::new(), Truth::Always);
        let mut list = list.peekable();
        while let Some(filter) = list.next() {
            let is_asked = truth || list.peek().is_some();
            let here = self.reach(filter, is_asked, wanted);
            found.push(Truth::all([before.clone(), here]));
            if list.peek().is_none() {
                break;
            }
            let matches = self.truth(filter);
            before = Truth::all([before, matches.truth]);
            if before == Truth::Never {
                break;
            }
            note_assigned(filter, &mut self.assigned);
            self.narrow(filter);
        }
        Truth::any(found)
    }

    /// The filters of a `while` or `loop`.
    fn reach_in_turns(&mut self, filter: &'q Filter, wanted: Wanted) -> Truth {
        let before = self.scope.save();
        let mut found = Vec::new();
        let is_text = matches!(filter.node, Node::WhileRegex(..));
        let mut is_known = true;
        for or_fewer in [false, true] {
            found.clear();
            is_known = self.turn_by_turn(filter, or_fewer, &mut |lowering, part| {
                found.push(lowering.reach(part, !is_text || is_body(filter, part), wanted));
            });
            self.scope.restore(before.clone());
            if is_known && !or_fewer {
                return Truth::any(found);
            }
        }
        let in_turns = match is_known {
            true => Truth::any(found),
            false => Truth::Always,
        };
        Truth::all([in_turns, self.reach_by_first_turn(filter, wanted, before)])
    }

    /// The same by what is known of the first turn, which all others follow.
    fn reach_by_first_turn(&mut self, filter: &'q Filter, wanted: Wanted, before: Saved) -> Truth {
        let is_error = matches!(wanted, Wanted::Error);
        match &filter.node {
            Node::While(..) | Node::Loop(_) if is_error => self.error_in_turns(filter),
            Node::While(condition, body) => {
                let first = self.reach(condition, true, wanted);
                let holds = self.truth(condition).truth;
                self.scope.restore(before);
                self.forget_assigned(filter);
                let later = Truth::any([self.reach(condition, true, wanted), self.reach(body, true, wanted)]);
                Truth::any([first, Truth::all([holds, later])])
            }
            Node::Loop(body) => self.reach_again(body, true, wanted),
            Node::WhileRegex(text, _, body) => {
                let first = self.reach(text, false, wanted);
                let there = self.has_value(text).truth;
                let later = match is_error && !self.is_infallible(body, true) {
                    true => Truth::Always,
                    false => self.reach_again(body, true, wanted),
                };
                let later = match is_error && self.text_bounds(text).length.range().is_none() {
                    // There may be more turns than a loop may have.
                    true => Truth::Always,
                    false => later,
                };
                Truth::any([first, Truth::all([there, later])])
            }
            _ => Truth::Always,
        }
    }
}

/// Whether a filter is the body of a `while` or `loop`.
fn is_body(repeated: &Filter, part: &Filter) -> bool {
    match &repeated.node {
        Node::While(_, body) | Node::WhileRegex(_, _, body) | Node::Loop(body) => std::ptr::eq(&**body, part),
        _ => false,
    }
}

/// Whether a range is the same everywhere.
pub(super) fn is_fixed(range: Option<&Range>) -> bool {
    match range {
        None | Some(Range::Count) => true,
        Some(Range::Between(min, max)) => matches!((min, max), (Bound::Literal(_), Bound::Literal(_))),
    }
}
