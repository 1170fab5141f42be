//! Which variables must have a value before a formula runs, so that each has one wherever it is read.

use std::collections::{BTreeSet, HashMap, HashSet};

use language::hir::VariableId;

use super::super::{Formulas, Id, Loop, Op};
use super::describe::operands;

/// What is known of whether a variable has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// It has one.
    Bound,
    /// It may have lost the value that it had.
    InDoubt,
}

/// The variables that must have a value before an operation, so that each has one wherever it is read; `None` if that is not
/// enough.
pub(super) fn read_before_assigned(formulas: &Formulas, id: Id) -> Option<BTreeSet<VariableId>> {
    let mut walk = Walk {
        formulas,
        known: HashMap::new(),
        changes: Vec::new(),
        needed: BTreeSet::new(),
        is_certain: true,
    };
    walk.operation(id);
    walk.is_certain.then_some(walk.needed)
}

/// A walk through a formula, in the order in which it runs.
struct Walk<'f> {
    formulas: &'f Formulas,
    /// What is known at this point. The other variables have a value if they had one before the formula, or got one since.
    known: HashMap<VariableId, Status>,
    /// What was known before each change, to go back.
    changes: Vec<(VariableId, Option<Status>)>,
    needed: BTreeSet<VariableId>,
    is_certain: bool,
}

impl Walk<'_> {
    /// Goes through an operation. What is known then holds behind a condition that holds, and behind any value.
    fn operation(&mut self, id: Id) {
        let formulas = self.formulas;
        let info = &formulas.infos[id as usize];
        if info.assigned.is_empty() {
            info.variables.iter().for_each(|variable| self.read(*variable));
            return;
        }
        match &formulas.ops[id as usize] {
            Op::Sequence(list) => list.iter().for_each(|&part| self.operation(part)),
            Op::Assign(variable, value)
            | Op::AssignSet(variable, value)
            | Op::AssignIfAny(variable, value)
            | Op::AssignPiece(variable, value) => {
                self.operation(*value);
                self.note(*variable, Status::Bound);
            }
            Op::Unbind(variable) => self.note(*variable, Status::InDoubt),
            Op::IsBound(variable) => self.note(*variable, Status::Bound),
            Op::Choose(condition, then, otherwise) => self.choose(*condition, *then, *otherwise),
            Op::Some(inner) | Op::Loop(inner) | Op::All(inner) => self.turns(inner),
            // The condition may hold no longer, or never, or the path not match.
            Op::Not(_)
            | Op::If(..)
            | Op::At(..)
            | Op::While(..)
            | Op::Repeat(_)
            | Op::Find(..)
            | Op::FindAll(..)
            | Op::Path(_) => {
                let mark = self.changes.len();
                self.before_turns(id);
                self.parts(id);
                self.go_back(mark);
            }
            Op::SumAll(all) => {
                let mark = self.changes.len();
                self.operation(all.body);
                self.go_back(mark);
            }
            _ => self.parts(id),
        }
    }

    /// Goes through all operands.
    fn parts(&mut self, id: Id) {
        let mut parts = Vec::new();
        operands(&self.formulas.ops[id as usize], &mut |part| parts.push(part));
        parts.into_iter().for_each(|part| self.operation(part));
    }

    fn choose(&mut self, condition: Id, then: Id, otherwise: Id) {
        let mark = self.changes.len();
        self.operation(condition);
        self.operation(then);
        let after_then: HashSet<VariableId> = self.bound_since(mark).into_iter().collect();
        self.go_back(mark);
        // The condition fails.
        let mark = self.changes.len();
        self.operation(otherwise);
        let after_both = self.bound_since(mark);
        self.go_back(mark);
        for variable in after_both {
            if after_then.contains(&variable) {
                self.note(variable, Status::Bound);
            }
        }
    }

    fn turns(&mut self, inner: &Loop) {
        self.operation(inner.domain);
        let mark = self.changes.len();
        self.before_turns(inner.body);
        self.note(inner.variable, Status::Bound);
        inner.before.into_iter().for_each(|before| self.operation(before));
        self.operation(inner.body);
        self.go_back(mark);
    }

    /// Notes which variables may have lost their values before each turn of something that is repeated.
    fn before_turns(&mut self, id: Id) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if self.formulas.infos[id as usize].assigned.is_empty() {
                continue;
            }
            let op = &self.formulas.ops[id as usize];
            if let Op::Unbind(variable) = op {
                self.note(*variable, Status::InDoubt);
            }
            operands(op, &mut |part| open.push(part));
        }
    }

    fn note(&mut self, variable: VariableId, status: Status) {
        let before = self.known.insert(variable, status);
        self.changes.push((variable, before));
    }

    /// The variables that have a value since then.
    fn bound_since(&self, mark: usize) -> Vec<VariableId> {
        let changed = self.changes[mark..].iter().map(|&(variable, _)| variable);
        let is_bound = |variable: &VariableId| self.known.get(variable) == Some(&Status::Bound);
        changed.filter(is_bound).collect()
    }

    /// Goes back to what was known, but for the variables that are in doubt since then.
    fn go_back(&mut self, mark: usize) {
        let mut in_doubt = Vec::new();
        while self.changes.len() > mark {
            let Some((variable, before)) = self.changes.pop() else {
                break;
            };
            if self.known.get(&variable) == Some(&Status::InDoubt) {
                in_doubt.push(variable);
            }
            match before {
                Some(status) => self.known.insert(variable, status),
                None => self.known.remove(&variable),
            };
        }
        for variable in in_doubt {
            self.note(variable, Status::InDoubt);
        }
    }

    fn read(&mut self, variable: VariableId) {
        match self.known.get(&variable) {
            Some(Status::Bound) => {}
            Some(Status::InDoubt) => self.is_certain = false,
            None => {
                self.needed.insert(variable);
            }
        }
    }
}
