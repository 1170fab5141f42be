//! What changes variables.

use language::hir::{AssignOp, Filter, FindCount, Kind, Node, PathStep, VariableId, VariableKind};

use super::super::{Id, NONE, Op, Run};
use super::{Lowering, Question};

impl Lowering<'_> {
    /// Whether an operation changes variables, or asks whether they have a value.
    pub(super) fn has_effects(&self, id: Id) -> bool {
        !self.formulas.infos[id as usize].assigned.is_empty()
    }

    /// Whether an operation evaluates those of its operands that change variables as the filter does, one after the other, and
    /// as often.
    pub(super) fn keeps_effects(&self, op: &Op, operands: &[Id]) -> bool {
        let changes = |&id: &Id| self.has_effects(id);
        match op {
            Op::Assign(..)
            | Op::AssignSet(..)
            | Op::AssignIfAny(..)
            | Op::AssignPiece(..)
            | Op::Sequence(_)
            | Op::While(..)
            | Op::Repeat(_)
            | Op::Choose(..)
            | Op::If(..)
            | Op::At(..)
            | Op::Find(..)
            | Op::FindAll(..)
            | Op::Some(_)
            | Op::Loop(_)
            | Op::All(_)
            | Op::Not(_)
            | Op::Any(_)
            | Op::Exists(_)
            | Op::Count(_)
            | Op::Complement(_)
            | Op::Negate(_)
            | Op::Abs(_)
            | Op::Sqrt(_)
            | Op::Within(..)
            | Op::Path(_)
            | Op::Unused(..)
            | Op::Union(_) => true,
            // The filter leaves the right side out where the left one has no value.
            Op::Compare(_, left, _) | Op::Compared(_, left, _) | Op::Arithmetic(_, left, _) => {
                self.has_value(*left) || !operands.iter().skip(1).any(changes)
            }
            _ => !operands.iter().any(changes),
        }
    }

    /// Whether an operation has a value whatever happens.
    fn has_value(&self, id: Id) -> bool {
        match self.get(id) {
            Op::Constant(value) => *value != NONE,
            Op::Value(_) | Op::Count(_) | Op::Power(_) | Op::Ply | Op::MoveNumber | Op::PositionId => true,
            _ => false,
        }
    }

    /// Conditions in their order. Those in a row that change nothing are one.
    pub(super) fn sequence(&mut self, parts: Vec<Id>) -> Id {
        let mut list = Vec::new();
        let mut pure = Vec::new();
        for part in parts {
            if !self.has_effects(part) {
                pure.push(part);
                continue;
            }
            if !pure.is_empty() {
                list.push(self.and(std::mem::take(&mut pure)));
            }
            match self.get(part) {
                Op::Sequence(inner) => list.extend(inner.clone()),
                _ => list.push(part),
            }
        }
        if !pure.is_empty() {
            list.push(self.and(pure));
        }
        match list[..] {
            [only] => only,
            _ => self.op(Op::Sequence(list.into())),
        }
    }

    /// What the body of a loop asks before it changes anything, if that can be computed side by side for all turns, and the
    /// rest.
    pub(super) fn split_body(&mut self, body: Id, variable: VariableId) -> (Option<Id>, Id) {
        let Op::Sequence(list) = self.get(body) else {
            return (None, body);
        };
        let (first, rest) = (list[0], list[1..].to_vec());
        let changed = &self.formulas.infos[body as usize].assigned;
        let asked = &self.formulas.infos[first as usize];
        let is_known = !self.has_effects(first)
            && asked.variables.contains(&variable)
            && !asked.variables.iter().any(|variable| changed.contains(variable))
            && self.fits_lanes(first, variable);
        match is_known {
            true => (Some(first), self.sequence(rest)),
            false => (None, body),
        }
    }

    /// Filters that do something.
    pub(super) fn make_effect(&mut self, filter: &Filter) -> Option<Id> {
        Some(match &filter.node {
            Node::Assign(variable, op, argument) => self.assign(*variable, *op, argument)?,
            Node::AssignPiece(variable, argument) => {
                let set = self.set(argument)?;
                self.holds(*variable, VariableKind::Piece)?;
                self.op(Op::AssignPiece(*variable, set))
            }
            Node::Unbind(variable) => {
                self.fits(*variable)?;
                self.op(Op::Unbind(*variable))
            }
            Node::IsBound(wanted, Some(variable)) => {
                self.fits(*variable)?;
                let bound = self.op(Op::IsBound(*variable));
                if *wanted { bound } else { self.op(Op::Not(bound)) }
            }
            Node::While(condition, body) => {
                let (condition, body) = (self.truth(condition)?, self.truth(body)?);
                self.may_end(&[condition, body])?;
                self.op(Op::While(condition, body))
            }
            Node::Loop(body) => {
                let body = self.truth(body)?;
                self.may_end(&[body])?;
                self.op(Op::Repeat(body))
            }
            _ => return None,
        })
    }

    /// Refuses what is repeated and changes nothing: it never ends, or is never begun, and is an error then.
    fn may_end(&self, parts: &[Id]) -> Option<()> {
        parts.iter().any(|&part| self.has_effects(part)).then_some(())
    }

    fn assign(&mut self, variable: VariableId, op: AssignOp, argument: &Filter) -> Option<Id> {
        let kind = match argument.kind {
            Kind::Set => VariableKind::Set,
            Kind::Numeric => VariableKind::Numeric,
            Kind::Position => VariableKind::Position,
            Kind::Logical | Kind::String => return None,
        };
        self.holds(variable, kind)?;
        let value = self.value(argument)?;
        let before = self.op(Op::Value(variable));
        let new = match op {
            AssignOp::Set | AssignOp::SetIfAny => value,
            // It is updated from the value before.
            _ if self.formulas.infos[value as usize].assigned.contains(&variable) => return None,
            AssignOp::Arithmetic(op) => self.op(Op::Arithmetic(op, before, value)),
            AssignOp::Union => self.op(Op::Union([before, value].into())),
            AssignOp::Intersection => self.op(Op::Intersection([before, value].into())),
            AssignOp::Append => return None,
        };
        Some(self.op(match op {
            AssignOp::SetIfAny => Op::AssignIfAny(variable, new),
            _ if kind == VariableKind::Set => Op::AssignSet(variable, new),
            _ => Op::Assign(variable, new),
        }))
    }

    /// The arguments of a function, each as a condition that sets its variable.
    pub(super) fn arguments(&mut self, arguments: &[(VariableId, Filter)]) -> Option<Vec<Id>> {
        let arguments = arguments.iter();
        arguments
            .map(|(variable, argument)| self.assign(*variable, AssignOp::Set, argument))
            .collect()
    }

    /// How many positions match, if that is a number that is wanted; only where that changes variables: otherwise answers are
    /// remembered where it stands as it is.
    pub(super) fn find_count(&mut self, filter: &Filter) -> Option<Id> {
        let Node::Find {
            backward,
            quiet,
            count,
            argument,
        } = &filter.node
        else {
            return None;
        };
        if self.comments && !quiet || self.guards.of_find(argument).is_some() {
            return None;
        }
        self.elsewhere = true;
        let condition = self.truth(argument)?;
        if !self.has_effects(condition) {
            return None;
        }
        let sum = if *backward { None } else { self.sum_all(condition) };
        let found = self.op(sum.unwrap_or(Op::FindAll(*backward, condition)));
        match count {
            FindCount::First => None,
            FindCount::All => Some(self.op(Op::Within(found, 1, i32::MAX))),
            FindCount::Range(range) => self.within(found, range),
        }
    }

    /// Refuses a variable that does not hold values of a kind.
    fn holds(&self, variable: VariableId, kind: VariableKind) -> Option<()> {
        (self.query.variables.get(variable.0 as usize)?.kind == kind).then_some(())?;
        self.fits(variable)
    }

    /// Refuses a variable whose values are no numbers of 64 bits, or that is the variable of a loop around.
    fn fits(&self, variable: VariableId) -> Option<()> {
        let declared = self.query.variables.get(variable.0 as usize)?;
        // A persistent piece begins as a set without squares.
        let fits = match declared.kind {
            VariableKind::String => false,
            VariableKind::Piece => !declared.persistent,
            VariableKind::Set | VariableKind::Numeric | VariableKind::Position => true,
        };
        (fits && !self.scope.contains(&variable)).then_some(())
    }

    /// Finds the filters in a row that are a formula together, where the list as a whole is none.
    pub(super) fn find_runs(&mut self, list: &[Filter]) {
        let mut from = 0;
        while from < list.len() {
            let parts: Vec<Id> = list[from..]
                .iter()
                .map_while(|part| self.ask(part, Question::Truth))
                .collect();
            let count = parts.len();
            if count > 1 {
                let all = self.and(parts);
                if !self.is_cheap(Some(all), None)
                    && let Some(entry) = self.entry(Some(all), None)
                {
                    self.formulas.runs.insert(list[from].id(), Run { count, entry });
                }
            }
            from += count + 1;
        }
    }

    /// The same for the targets of the moves of a path.
    pub(super) fn find_runs_of_steps(&mut self, steps: &[PathStep]) {
        for step in steps {
            match step {
                PathStep::Filter(_) => {}
                PathStep::Dash { dash, .. } => self.find_runs(&dash.target),
                PathStep::Chain { steps, .. } => self.find_runs_of_steps(steps),
            }
        }
    }
}
