//! Sums over the positions of a game: `find all` with a body that adds a number to a variable and changes nothing else that
//! it reads. What it adds is computed for many positions side by side.

use std::collections::HashMap;

use language::hir::{Arithmetic, VariableId};

use super::super::{Id, Local, NONE, Op, SumAll};
use super::{Lowering, with_operands};

/// One turn of the body, in which every variable that it assigns stands for its value.
#[derive(Default)]
struct Turn {
    values: HashMap<VariableId, Id>,
    /// What has held so far.
    conditions: Vec<Id>,
    locals: Vec<Local>,
    /// What is added to which variable; nothing comes behind that.
    sum: Option<(VariableId, Id)>,
}

impl Lowering<'_> {
    /// A search through the positions from this one on, if all that its body does is to add to a variable.
    pub(super) fn sum_all(&mut self, body: Id) -> Option<Op> {
        let mut turn = Turn::default();
        self.condition_of(body, &mut turn)?;
        let (variable, addend) = turn.sum?;
        let condition = self.and(turn.conditions);
        // Whatever is read is what it was before the search.
        let changed = |read: &VariableId| *read == variable || turn.values.contains_key(read);
        let parts = turn.locals.iter().flat_map(|local| [local.condition, local.value]);
        for part in parts.chain([condition, addend]) {
            if self.formulas.infos[part as usize].variables.iter().any(changed) {
                return None;
            }
        }
        Some(Op::SumAll(Box::new(SumAll {
            body,
            condition,
            addend,
            variable,
            locals: turn.locals.into(),
        })))
    }

    /// Goes through a condition, which has to hold.
    fn condition_of(&mut self, id: Id, turn: &mut Turn) -> Option<()> {
        if turn.sum.is_some() {
            return None;
        }
        if !self.has_effects(id) {
            let condition = self.in_turn(id, turn)?;
            turn.conditions.push(condition);
            return Some(());
        }
        match self.get(id).clone() {
            Op::Sequence(list) => list.iter().try_for_each(|&part| self.condition_of(part, turn)),
            Op::Assign(variable, value) => match *self.get(value) {
                Op::Arithmetic(Arithmetic::Add, sum, addend)
                    if *self.get(sum) == Op::Value(variable) && !turn.values.contains_key(&variable) =>
                {
                    let addend = self.value_of(addend, turn)?;
                    // What is added may itself add to something.
                    turn.sum.replace((variable, addend)).is_none().then_some(())
                }
                _ => {
                    let value = self.value_of(value, turn)?;
                    self.assign_in_turn(variable, value, false, turn)
                }
            },
            Op::AssignSet(variable, value) if !self.has_effects(value) => {
                let value = self.in_turn(value, turn)?;
                self.assign_in_turn(variable, value, true, turn)
            }
            _ => None,
        }
    }

    fn assign_in_turn(&mut self, variable: VariableId, value: Id, is_set: bool, turn: &mut Turn) -> Option<()> {
        if turn.sum.is_some() || turn.values.contains_key(&variable) {
            return None;
        }
        if !is_set {
            let exists = self.op(Op::Exists(value));
            turn.conditions.push(exists);
        }
        let condition = self.and(turn.conditions.clone());
        turn.locals.push(Local {
            variable,
            condition,
            value,
        });
        turn.values.insert(variable, value);
        Some(())
    }

    /// Goes through a number that there has to be.
    fn value_of(&mut self, id: Id, turn: &mut Turn) -> Option<Id> {
        if !self.has_effects(id) {
            return self.in_turn(id, turn);
        }
        let made = match *self.get(id) {
            Op::If(condition, then, NONE) => {
                self.condition_of(condition, turn)?;
                return self.value_of(then, turn);
            }
            Op::Arithmetic(op, a, b) => {
                let a = self.value_of(a, turn)?;
                if self.has_effects(b) {
                    let exists = self.op(Op::Exists(a));
                    turn.conditions.push(exists);
                }
                Op::Arithmetic(op, a, self.value_of(b, turn)?)
            }
            Op::Negate(a) => Op::Negate(self.value_of(a, turn)?),
            Op::Abs(a) => Op::Abs(self.value_of(a, turn)?),
            Op::Sqrt(a) => Op::Sqrt(self.value_of(a, turn)?),
            _ => return None,
        };
        Some(self.op(made))
    }

    /// An operation that changes nothing, with values in the place of the variables that were assigned.
    fn in_turn(&mut self, id: Id, turn: &Turn) -> Option<Id> {
        let reads = &self.formulas.infos[id as usize].variables;
        if !reads.iter().any(|variable| turn.values.contains_key(variable)) {
            return Some(id);
        }
        let made = match self.get(id).clone() {
            Op::Value(variable) => return turn.values.get(&variable).copied(),
            op => with_operands(op, &mut |part| self.in_turn(part, turn))?,
        };
        Some(self.op(made))
    }
}
