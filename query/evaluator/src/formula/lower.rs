//! From filters to formulas.

mod describe;
mod numbers;
mod sets;
mod truth;

use std::collections::HashMap;

use language::hir::{Filter, FindCount, Kind, Node, Query, VariableId, VariableKind};
use shakmaty::Bitboard;

use self::describe::{merged, operands};
use super::{Entry, Fold, Formulas, Id, Info, NO_MEMO, NONE, Op};
use crate::orbits::Orbits;

/// A formula for a filter of its own has to save at least this much.
const MIN_COST: u32 = 3;

/// An operation that takes less is not worth remembering.
const MIN_REMEMBERED: u32 = 5;

/// What is asked of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    Truth,
    Value,
}

/// The formulas of a query while they are made.
#[derive(Debug)]
pub(super) struct Lowering<'q> {
    query: &'q Query,
    orbits: &'q Orbits,
    comments: bool,
    formulas: Formulas,
    known: HashMap<Op, Id>,
    /// What became of the filters that were looked at, by number.
    done: HashMap<(usize, Question), Option<Id>>,
    /// The variables of the loops around, in the query and in the formula.
    scope: Vec<VariableId>,
    /// Whether other positions are looked at around.
    elsewhere: bool,
}

impl<'q> Lowering<'q> {
    pub(super) fn new(query: &'q Query, orbits: &'q Orbits, comments: bool) -> Lowering<'q> {
        Lowering {
            query,
            orbits,
            comments,
            formulas: Formulas {
                places: vec![0; query.filter_count()],
                variables: query.variables.len(),
                ..Formulas::default()
            },
            known: HashMap::new(),
            done: HashMap::new(),
            scope: Vec::new(),
            elsewhere: false,
        }
    }

    /// Finds the filters that are formulas, as large as possible.
    pub(super) fn visit(&mut self, filter: &Filter) {
        let value = match filter.kind {
            Kind::Set | Kind::Numeric | Kind::Position => self.ask(filter, Question::Value),
            Kind::Logical | Kind::String => None,
        };
        let truth = match filter.kind {
            Kind::String => None,
            _ => self.ask(filter, Question::Truth),
        };
        if truth.is_some() || value.is_some() {
            self.enter(filter, truth, value);
        }
        // As a condition, a vacuous filter raises an error; there is nothing else to ask of it.
        let has_truth = truth.is_some() || filter.is_vacuous();
        if has_truth && (value.is_some() || filter.kind == Kind::Logical) {
            return;
        }
        let mark = self.scope.len();
        if let Node::SquareLoop { variable, .. } | Node::PieceLoop { variable, .. } = &filter.node {
            self.scope.push(*variable);
        }
        match &filter.node {
            // Its conditions are asked one by one.
            Node::Echo { body, .. } => self.visit_parts(body),
            _ => filter.for_each_child(&mut |child| self.visit(child)),
        }
        self.scope.truncate(mark);
    }

    fn visit_parts(&mut self, filter: &Filter) {
        match &filter.node {
            Node::Compound(list) => list.iter().for_each(|part| self.visit_parts(part)),
            Node::And(a, b) => [a, b].into_iter().for_each(|part| self.visit_parts(part)),
            _ => self.visit(filter),
        }
    }

    fn enter(&mut self, filter: &Filter, truth: Option<Id>, value: Option<Id>) {
        let ids = [truth, value].into_iter().flatten();
        let infos: Vec<&Info> = ids.map(|id| &self.formulas.infos[id as usize]).collect();
        if infos.iter().all(|info| info.cost < MIN_COST) {
            return;
        }
        let entry = Entry {
            truth,
            value,
            free: merged(infos.iter().map(|info| &info.variables)),
            bound: merged(infos.iter().map(|info| &info.bound)),
            last_move: infos.iter().any(|info| info.last_move),
        };
        self.formulas.entries.push(entry);
        // There are no more entries than filters, which are numbered by 32 bits.
        let place = u32::try_from(self.formulas.entries.len()).unwrap_or(0);
        self.formulas.places[filter.id().index()] = place;
    }

    /// The formulas with a place for each value that is worth remembering.
    pub(super) fn finish(mut self) -> Formulas {
        let mut uses = vec![0u32; self.formulas.ops.len()];
        for op in &self.formulas.ops {
            operands(op, &mut |id| uses[id as usize] += 1);
        }
        for entry in &self.formulas.entries {
            for id in [entry.truth, entry.value].into_iter().flatten() {
                uses[id as usize] += 1;
            }
        }
        for (info, uses) in self.formulas.infos.iter().zip(uses) {
            let is_remembered = info.cost >= MIN_REMEMBERED && (uses > 1 || info.again) && !info.bound_move;
            let memo = match u32::try_from(self.formulas.memos) {
                Ok(memo) if is_remembered => memo,
                _ => NO_MEMO,
            };
            self.formulas.memo_of.push(memo);
            self.formulas.memos += usize::from(memo != NO_MEMO);
        }
        self.formulas
    }

    // --- the graph

    /// The operation, which is made if there is none that is equal.
    pub(super) fn op(&mut self, op: Op) -> Id {
        let again = |scope: &[VariableId], elsewhere: bool, info: &Info| {
            (elsewhere && !info.here) || scope.iter().any(|variable| !info.variables.contains(variable))
        };
        if let Some(&id) = self.known.get(&op) {
            let info = &mut self.formulas.infos[id as usize];
            info.again |= again(&self.scope, self.elsewhere, info);
            return id;
        }
        let mut info = self.describe(&op);
        info.again = again(&self.scope, self.elsewhere, &info);
        let id = Id::try_from(self.formulas.ops.len()).unwrap_or(Id::MAX);
        self.formulas.ops.push(op.clone());
        self.formulas.infos.push(info);
        self.known.insert(op, id);
        id
    }

    pub(super) fn get(&self, id: Id) -> &Op {
        &self.formulas.ops[id as usize]
    }

    pub(super) fn add_table(&mut self, table: Vec<Box<[u64]>>) -> Option<u32> {
        self.formulas.tables.push(table);
        u32::try_from(self.formulas.tables.len() - 1).ok()
    }

    fn constant(&mut self, value: u64) -> Id {
        self.op(Op::Constant(value))
    }

    /// A conjunction; what is quickly known comes first.
    fn and(&mut self, mut parts: Vec<Id>) -> Id {
        parts.sort_by_key(|&part| self.formulas.infos[part as usize].cost);
        match parts[..] {
            [] => self.constant(1),
            [only] => only,
            _ => self.op(Op::And(parts.into())),
        }
    }

    /// A disjunction: nested ones are taken apart, equal parts and what all parts ask for stand once.
    fn or(&mut self, parts: Vec<Id>) -> Id {
        let mut flat = Vec::new();
        for part in parts {
            match &self.formulas.ops[part as usize] {
                Op::Or(inner) => flat.extend(inner.iter().copied()),
                Op::Constant(0) => {}
                _ => flat.push(part),
            }
        }
        let mut seen = std::collections::HashSet::new();
        flat.retain(|&part| seen.insert(part));
        if let [only] = flat[..] {
            return only;
        }
        let conditions = |ops: &[Op], part: Id| match &ops[part as usize] {
            Op::And(list) => list.to_vec(),
            _ => vec![part],
        };
        let mut common = flat
            .first()
            .map(|&part| conditions(&self.formulas.ops, part))
            .unwrap_or_default();
        for &part in &flat {
            let here = conditions(&self.formulas.ops, part);
            common.retain(|condition| here.contains(condition));
        }
        if common.is_empty() {
            // Some set has a square if their union has one.
            let sets: Option<Vec<Id>> = flat
                .iter()
                .map(|&part| match self.formulas.ops[part as usize] {
                    Op::Any(set) => Some(set),
                    _ => None,
                })
                .collect();
            if let Some(sets) = sets {
                let union = self.unite(sets);
                return self.op(Op::Any(union));
            }
            let flat = self.families(Fold::Any, flat);
            if let [only] = flat[..] {
                return only;
            }
            return self.op(Op::Or(flat.into()));
        }
        let rest: Vec<Id> = flat
            .iter()
            .map(|&part| {
                let mut left = conditions(&self.formulas.ops, part);
                left.retain(|condition| !common.contains(condition));
                self.and(left)
            })
            .collect();
        let rest = self.or(rest);
        common.push(rest);
        self.and(common)
    }

    // --- filters

    fn ask(&mut self, filter: &Filter, question: Question) -> Option<Id> {
        let key = (filter.id().index(), question);
        if let Some(&known) = self.done.get(&key) {
            return known;
        }
        let mark = self.scope.len();
        let elsewhere = self.elsewhere;
        let found = match (question, filter.kind) {
            (Question::Truth, _) => self.make_truth(filter),
            (_, Kind::Set) => self.make_set(filter),
            (_, Kind::Numeric) => self.make_number(filter),
            (_, Kind::Position) => self.make_position(filter),
            _ => None,
        };
        self.scope.truncate(mark);
        self.elsewhere = elsewhere;
        self.done.insert(key, found);
        found
    }

    fn truth(&mut self, filter: &Filter) -> Option<Id> {
        self.ask(filter, Question::Truth)
    }

    fn value(&mut self, filter: &Filter) -> Option<Id> {
        self.ask(filter, Question::Value)
    }

    fn truths<'f>(&mut self, list: impl IntoIterator<Item = &'f Filter>) -> Option<Vec<Id>> {
        list.into_iter().map(|part| self.truth(part)).collect()
    }

    fn values<'f>(&mut self, list: impl IntoIterator<Item = &'f Filter>) -> Option<Vec<Id>> {
        list.into_iter().map(|part| self.value(part)).collect()
    }

    fn set(&mut self, filter: &Filter) -> Option<Id> {
        (filter.kind == Kind::Set).then(|| self.value(filter))?
    }

    fn set_or(&mut self, filter: Option<&Filter>, default: Bitboard) -> Option<Id> {
        match filter {
            Some(filter) => self.set(filter),
            None => Some(self.constant(default.0)),
        }
    }

    /// A number, or how many squares a set has.
    fn count(&mut self, filter: &Filter) -> Option<Id> {
        match filter.kind {
            Kind::Set => {
                let set = self.set(filter)?;
                Some(self.op(Op::Count(set)))
            }
            Kind::Numeric => self.value(filter),
            _ => None,
        }
    }

    /// What structures of all kinds are when their value is asked for.
    fn make_value(&mut self, filter: &Filter, failure: u64) -> Option<Id> {
        let made = match &filter.node {
            Node::Compound(list) => {
                let (last, before) = list.split_last()?;
                let before = self.truths(before)?;
                let last = self.value(last)?;
                if before.is_empty() {
                    return Some(last);
                }
                let condition = self.and(before);
                self.op(Op::If(condition, last, failure))
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                let then = self.value(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.value(otherwise)?,
                    None => self.constant(failure),
                };
                self.op(Op::Choose(condition, then, otherwise))
            }
            Node::At(place, inner) => {
                let place = self.value(place)?;
                self.elsewhere = true;
                let inner = self.value(inner)?;
                self.op(Op::At(place, inner, failure))
            }
            Node::NoTransform(inner) => self.value(inner)?,
            _ => return None,
        };
        Some(made)
    }

    fn make_position(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::CurrentPosition => self.op(Op::Here),
            Node::Parent => self.op(Op::Parent),
            Node::Child(None) => self.op(Op::Child),
            Node::PositionAt(number) => {
                let number = self.value(number)?;
                self.op(Op::PositionAt(number))
            }
            Node::Variable(variable) => match self.query.variables.get(variable.0 as usize)?.kind {
                VariableKind::Position => self.op(Op::Value(*variable)),
                _ => return None,
            },
            Node::ComparePositions(comparison, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.op(Op::Compared(*comparison, a, b))
            }
            Node::Find {
                backward,
                quiet,
                count: FindCount::First,
                argument,
            } if *quiet || !self.comments => {
                self.elsewhere = true;
                let condition = self.truth(argument)?;
                let changes = |variable: &VariableId| {
                    let declared = self.query.variables.get(variable.0 as usize);
                    declared.is_some_and(|variable| variable.kind == VariableKind::Position)
                };
                if !self.formulas.infos[condition as usize].variables.iter().any(changes) {
                    // Its answers are remembered through the whole game where it stands as it is.
                    return None;
                }
                self.op(Op::Find(*backward, condition))
            }
            _ => return self.make_value(filter, NONE),
        };
        Some(made)
    }
}
