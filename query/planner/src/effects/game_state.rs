//! What an evaluation reads that an earlier one in the same game may have left.

use std::collections::HashSet;

use language::facts::{Leaves, Reads, has_loop_in_doubt};
use language::hir::{Bound, Dash, Filter, Node, PathStep, Promotion, Query, Range, VariableId};

use super::{IN_GAME, dictionaries_are_local, left_in_game};
use crate::first_turn::FirstTurn;

/// What one evaluation leaves behind, so that another one can read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Variable(VariableId),
    /// What the groups of the last regular expression have matched.
    Groups,
    /// What `pathcount` and the like say of the path around a filter, or of the last one.
    Path,
    /// Where the last path ended.
    PathEnd,
}

/// The variables that last from game to game.
fn persistent(query: &Query) -> impl Iterator<Item = Value> {
    let variables = (0u32..).map(VariableId).zip(&query.variables);
    variables
        .filter(|(_, variable)| variable.persistent)
        .map(|(id, _)| Value::Variable(id))
}

/// Whether a filter by itself asks whether there is a value, or changes what is left in the game.
fn needs_game(filter: &Filter, in_game: Leaves, query: &Query) -> bool {
    let facts = filter.facts();
    facts.reads.intersects(Reads::BINDINGS) || left_in_game(filter, query).intersects(in_game)
}

/// The values that a filter by itself reads, its range left out.
fn read_by(filter: &Filter) -> impl Iterator<Item = Value> + '_ {
    let facts = filter.facts();
    let variables = facts.reads_variables.iter().copied().map(Value::Variable);
    let others = [
        (Reads::GROUPS, Value::Groups),
        (Reads::PATH, Value::Path),
        (Reads::PATH_END, Value::PathEnd),
    ];
    variables.chain(
        others
            .into_iter()
            .filter(move |(reads, _)| facts.reads.intersects(*reads))
            .map(|(_, value)| value),
    )
}

/// What a query changes at one position so that it matters at later ones of the game, or in what the search makes of the game.
#[derive(Debug)]
pub(crate) struct GameState {
    /// The values that may be read at a later position.
    values: HashSet<Value>,
    /// Whether something may be read at a later position, values or dictionaries.
    reads_later: bool,
}

impl GameState {
    pub(crate) fn of(query: &Query) -> GameState {
        let mut reading = Reading {
            assigned: persistent(query).collect(),
            later: HashSet::new(),
        };
        reading.filter(&query.body);
        let mut values = reading.later;
        if has_loop_in_doubt(&query.body) {
            let variables = (0u32..).map(VariableId).zip(&query.variables);
            values.extend(variables.map(|(id, _)| Value::Variable(id)));
        }
        GameState {
            reads_later: !values.is_empty() || !dictionaries_are_local(query),
            values,
        }
    }

    /// Whether earlier positions matter at later ones, if `in_game` is all that matters of what is left in a game.
    pub(crate) fn matters(&self, query: &Query, in_game: Leaves) -> bool {
        self.reads_later || query.body.any(&mut |part| needs_game(part, in_game, query))
    }

    /// Whether a filter by itself changes it.
    pub(crate) fn is_changed_by(&self, query: &Query, filter: &Filter) -> bool {
        let facts = filter.facts();
        let leaves = left_in_game(filter, query);
        let assigned = match filter.node {
            Node::Unbind(variable) => Some(variable),
            _ => facts.assigns,
        };
        let values = assigned.map(Value::Variable).into_iter();
        let groups = leaves.intersects(Leaves::GROUPS).then_some(Value::Groups);
        let path = leaves.intersects(Leaves::PATH).then_some([Value::Path, Value::PathEnd]);
        let is_local = |dictionary: language::hir::DictionaryId| query.dictionaries[dictionary.0 as usize].local;
        leaves.intersects(IN_GAME.without(Leaves::NESTBAN))
            || leaves.intersects(Leaves::DICTIONARY) && facts.dictionary.is_some_and(is_local)
            || (values.chain(groups).chain(path.into_iter().flatten())).any(|value| self.values.contains(&value))
    }
}

/// Goes through filters in the order of their evaluation.
#[derive(Debug)]
struct Reading {
    /// The values that have certainly been left before in the same evaluation, if everything so far has matched.
    assigned: HashSet<Value>,
    /// The values that are read where they may be those of an earlier evaluation.
    later: HashSet<Value>,
}

impl Reading {
    fn note(&mut self, value: Value) {
        if !self.assigned.contains(&value) {
            self.later.insert(value);
        }
    }

    /// What is left in here is not certain behind it; returns what that is.
    fn apart(&mut self, inside: impl FnOnce(&mut Self)) -> HashSet<Value> {
        let before = self.assigned.clone();
        inside(self);
        std::mem::replace(&mut self.assigned, before)
    }

    fn filter(&mut self, filter: &Filter) {
        read_by(filter).for_each(|value| self.note(value));
        self.range(filter.facts().range);
        match &filter.node {
            Node::Assign(variable, _, argument) | Node::AssignPiece(variable, argument) => {
                self.filter(argument);
                self.assigned.insert(Value::Variable(*variable));
            }
            Node::SquareLoop {
                variable, domain, body, ..
            }
            | Node::PieceLoop {
                variable, domain, body, ..
            } => {
                self.filter(domain);
                let variable = Value::Variable(*variable);
                self.apart(|inside| {
                    // A loop over a variable with an earlier value stops the query, so this is read, too.
                    if !inside.assigned.insert(variable) {
                        inside.later.insert(variable);
                    }
                    inside.filter(body);
                });
            }
            Node::Echo {
                source, target, body, ..
            } => {
                self.apart(|inside| {
                    inside.assigned.extend([*source, *target].map(Value::Variable));
                    inside.filter(body);
                });
            }
            Node::Call { arguments, body } => {
                for (variable, argument) in arguments {
                    self.filter(argument);
                    self.assigned.insert(Value::Variable(*variable));
                }
                self.filter(body);
            }
            Node::Compound(list) => {
                for (index, element) in list.iter().enumerate() {
                    match FirstTurn::of_loop(element).filter(|turns| turns.begin_behind(&list[..index])) {
                        Some(turns) => self.turns(&turns, element, &list[..index]),
                        None => self.filter(element),
                    }
                }
            }
            Node::And(a, b) => [a, b].into_iter().for_each(|part| self.filter(part)),
            Node::Path(path) => {
                // The focus is evaluated before the path begins.
                for value in path.focus.iter().map(|focus| &focus.pieces).chain(&path.title) {
                    self.apart(|inside| inside.filter(value));
                }
                self.assigned.insert(Value::Path);
                self.steps(&path.steps);
                if let Some(max) = &path.max {
                    self.apart(|inside| inside.filter(max));
                }
                self.assigned.insert(Value::PathEnd);
            }
            Node::RegexMatch(text, ..) => {
                self.filter(text);
                self.assigned.insert(Value::Groups);
            }
            Node::WhileRegex(text, _, body) => {
                self.apart(|inside| {
                    inside.filter(text);
                    inside.assigned.insert(Value::Groups);
                    inside.filter(body);
                });
            }
            Node::Sort { argument, .. } | Node::NoTransform(argument) => self.filter(argument),
            Node::Dash(dash) => self.dash(dash),
            Node::Or(a, b) => self.one_of([&**a, &**b].into_iter()),
            Node::Orbit { range: None, variants } => self.one_of(variants.iter()),
            Node::If(condition, then, otherwise) => {
                let inside = self.apart(|inside| {
                    inside.filter(condition);
                    inside.filter(then);
                });
                let other = self.apart(|other| otherwise.iter().for_each(|otherwise| other.filter(otherwise)));
                // What only one branch assigns is not certain afterwards.
                self.assigned.extend(inside.intersection(&other));
            }
            // Assignments of one child are not certain for the next.
            _ => filter.for_each_child(&mut |child| {
                self.apart(|inside| inside.filter(child));
            }),
        }
    }

    /// A loop whose first turn gives variables the values that later ones read; what comes before it.
    fn turns(&mut self, turns: &FirstTurn<'_>, filter: &Filter, before: &[Filter]) {
        let given: Vec<Value> = turns.remembered().map(Value::Variable).collect();
        let later: Vec<Value> = given
            .iter()
            .copied()
            .filter(|value| self.later.contains(value))
            .collect();
        self.filter(filter);
        self.later
            .retain(|value| !given.contains(value) || later.contains(value));
        if turns.has_a_turn_behind(before) {
            self.assigned.extend(given);
        }
    }

    /// Alternatives of which one has matched: what each of them assigns is certain then.
    fn one_of<'f>(&mut self, alternatives: impl Iterator<Item = &'f Filter>) {
        let by_all = alternatives
            .map(|alternative| self.apart(|inside| inside.filter(alternative)))
            .reduce(|all, one| all.intersection(&one).copied().collect());
        self.assigned.extend(by_all.into_iter().flatten());
    }

    /// The steps of a path, in their order.
    fn steps(&mut self, steps: &[PathStep]) {
        for step in steps {
            let (inside, is_certain) = match step {
                PathStep::Filter(filter) => (self.apart(|inside| inside.filter(filter)), true),
                PathStep::Dash { dash, repeat } => (self.apart(|inside| inside.dash(dash)), repeat.min > 0),
                PathStep::Chain { steps, repeat } => (self.apart(|inside| inside.steps(steps)), repeat.min > 0),
            };
            if is_certain {
                self.assigned = inside;
            }
        }
    }

    /// A dash: its targets are evaluated last, in their order.
    fn dash(&mut self, dash: &Dash) {
        let text = match &dash.promotion {
            Some(Promotion::Text(text)) => Some(&**text),
            _ => None,
        };
        for operand in dash.left.iter().chain(&dash.right).chain(text) {
            self.apart(|inside| inside.filter(operand));
        }
        dash.target.iter().for_each(|target| self.filter(target));
    }

    /// The variables of a range.
    fn range(&mut self, range: Option<&Range>) {
        if let Some(Range::Between(min, max)) = range {
            for bound in [min, max] {
                if let Bound::Variable(variable) = bound {
                    self.note(Value::Variable(*variable));
                }
            }
        }
    }
}
