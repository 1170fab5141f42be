//! From filters to formulas.

mod bound;
mod describe;
mod effects;
mod numbers;
mod paths;
mod sets;
mod sums;
mod truth;
mod without_turns;

use std::collections::{BTreeSet, HashMap, HashSet};

use language::hir::{Filter, FindCount, Kind, Node, Query, SequenceEnd, VariableId, VariableKind};
use shakmaty::Bitboard;

use self::bound::read_before_assigned;
pub(super) use self::describe::with_operands;
use self::describe::{merged, operands};
use super::{Code, Entry, Fold, Formulas, Id, Info, Key, NO_MEMO, NONE, Op, Way};
use crate::guards::Guards;
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

impl Key {
    /// What an operation depends on. There is one more variable than `variables`, which never changes.
    fn of(info: &Info, variables: usize) -> Key {
        let steady = VariableId(u32::try_from(variables).unwrap_or(0));
        let few = [0, 1].map(|index| info.variables.get(index).copied().unwrap_or(steady));
        Key {
            here: info.here,
            few,
            more: info.variables.iter().skip(2).copied().collect(),
        }
    }
}

/// The formulas of a query while they are made.
#[derive(Debug)]
pub(super) struct Lowering<'q> {
    query: &'q Query,
    orbits: &'q Orbits,
    guards: &'q Guards<'q>,
    comments: bool,
    /// Whether paths may be followed.
    may_follow: bool,
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
    pub(super) fn new(query: &'q Query, orbits: &'q Orbits, guards: &'q Guards<'q>, comments: bool) -> Lowering<'q> {
        Lowering {
            query,
            orbits,
            guards,
            comments,
            may_follow: paths::may_follow(query),
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
        let is_cheap = self.is_cheap(truth, value);
        let entry = if is_cheap { None } else { self.entry(truth, value) };
        // As a condition, a vacuous filter raises an error; there is nothing else to ask of it.
        let has_truth = truth.is_some() || filter.is_vacuous();
        let is_whole = has_truth && (value.is_some() || filter.kind == Kind::Logical);
        // Games with variations need the formulas of its parts.
        let is_enough = is_whole && (is_cheap || entry.as_ref().is_some_and(|entry| !entry.follows));
        if let Some(entry) = entry {
            self.enter(filter, entry);
        }
        if is_enough {
            return;
        }
        let mark = self.scope.len();
        if let Node::SquareLoop { variable, .. } | Node::PieceLoop { variable, .. } = &filter.node {
            self.scope.push(*variable);
        }
        match &filter.node {
            // Its conditions are asked one by one.
            Node::Echo { body, .. } => self.visit_parts(body),
            Node::Compound(list) => {
                let conditions = match filter.kind {
                    Kind::Logical => &list[..],
                    // The value of the last one is asked for.
                    _ => list.split_last().map_or(&[][..], |(_, before)| before),
                };
                self.find_runs(conditions);
                list.iter().for_each(|part| self.visit(part));
            }
            _ => filter.for_each_child(&mut |child| self.visit(child)),
        }
        match &filter.node {
            Node::Dash(dash) | Node::CurrentMove(dash) => self.find_runs(&dash.target),
            Node::Path(path) => self.find_runs_of_steps(&path.steps),
            _ => {}
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

    fn enter(&mut self, filter: &Filter, entry: Entry) {
        if let Node::Path(path) = &filter.node {
            let index = path.id.0 as usize;
            let paths = &mut self.formulas.paths;
            paths.resize(paths.len().max(index + 1), None);
            paths[index] = Some(entry).filter(|_| path.end == SequenceEnd::Count);
            return;
        }
        self.formulas.entries.push(entry);
        // There are no more entries than filters, which are numbered by 32 bits.
        let place = u32::try_from(self.formulas.entries.len()).unwrap_or(0);
        self.formulas.places[filter.id().index()] = place;
    }

    /// Whether a formula saves too little.
    fn is_cheap(&self, truth: Option<Id>, value: Option<Id>) -> bool {
        let mut ids = [truth, value].into_iter().flatten();
        ids.all(|id| self.formulas.infos[id as usize].cost < MIN_COST)
    }

    /// The entry for a formula; `None` if it may read a variable that has no value, or loop with one that has one.
    fn entry(&self, truth: Option<Id>, value: Option<Id>) -> Option<Entry> {
        let ids = [truth, value].into_iter().flatten();
        let infos: Vec<&Info> = ids.map(|id| &self.formulas.infos[id as usize]).collect();
        let assigned = merged(infos.iter().map(|info| &info.assigned));
        let mut free = BTreeSet::new();
        for id in [truth, value].into_iter().flatten() {
            free.extend(read_before_assigned(&self.formulas, id)?);
        }
        let bound = merged(infos.iter().map(|info| &info.bound));
        // A loop's variable may be in use.
        if bound.iter().any(|variable| assigned.contains(variable)) {
            return None;
        }
        let kind = |variable: VariableId| Some((variable, self.query.variables.get(variable.0 as usize)?.kind));
        Some(Entry {
            truth,
            value,
            free: free.into_iter().collect(),
            bound,
            assigned: assigned.into_iter().filter_map(kind).collect(),
            last_move: infos.iter().any(|info| info.last_move),
            follows: infos.iter().any(|info| info.follows),
        })
    }

    /// The formulas with a place for each value that is worth remembering.
    pub(super) fn finish(mut self) -> Formulas {
        let is_remembered = self.remembered();
        for (op, (id, is_remembered)) in std::mem::take(&mut self.formulas.ops)
            .into_iter()
            .zip(is_remembered.iter().enumerate())
        {
            let memo = match u32::try_from(self.formulas.keys.len()) {
                Ok(memo) if *is_remembered => {
                    let key = Key::of(&self.formulas.infos[id], self.formulas.variables);
                    self.formulas.keys.push(key);
                    memo
                }
                _ => NO_MEMO,
            };
            let way = Way::of(&op);
            self.formulas.code.push(Code { op, memo, way });
        }
        self.formulas
    }

    /// By operation: whether its value is remembered.
    fn remembered(&self) -> Vec<bool> {
        let Formulas { ops, infos, .. } = &self.formulas;
        let asked = |entry: &Entry| [entry.truth, entry.value];
        let asked: Vec<Id> = self.formulas.all_entries().flat_map(asked).flatten().collect();
        let mut is_run = vec![false; ops.len()];
        for &id in &asked {
            is_run[id as usize] = true;
        }
        let mut uses = vec![0u32; ops.len()];
        // The operation that asks for it last, which is the only one if it has one use.
        let mut user = vec![0; ops.len()];
        // Operands come first.
        for (number, op) in ops.iter().enumerate().rev() {
            if !is_run[number] {
                continue;
            }
            operands(op, &mut |id| {
                let id = id as usize;
                is_run[id] = true;
                if uses[id] == 0 {
                    user[id] = number;
                }
                uses[id] += 1;
            });
        }
        for id in asked {
            uses[id as usize] += 1;
            user[id as usize] = id as usize;
        }
        let changed: HashSet<VariableId> = infos.iter().flat_map(|info| info.assigned.iter().copied()).collect();
        let mut remembered = vec![false; ops.len()];
        for (id, info) in infos.iter().enumerate().rev() {
            // What changes is seldom the same when it is asked for again.
            let is_changed = info.variables.iter().any(|variable| changed.contains(variable));
            let again = uses[id] > 1 || info.again && !is_changed;
            let is_steady = !info.bound_move && !info.of_path && info.assigned.is_empty();
            // The only one that asks for it remembers what it makes of it.
            let user = user[id];
            let asked_once = uses[id] == 1
                && user != id
                && remembered[user]
                && infos[user].here == info.here
                && infos[user].variables == info.variables;
            remembered[id] = again && is_steady && !asked_once && info.cost >= MIN_REMEMBERED;
        }
        remembered
    }

    // --- the graph

    /// The operation, which is made if there is none that is equal.
    pub(super) fn op(&mut self, op: Op) -> Id {
        // The turns of the innermost loop ask for the same.
        let again = |scope: &[VariableId], elsewhere: bool, info: &Info| {
            let is_steady = |variable: &VariableId| !info.variables.contains(variable);
            (elsewhere && !info.here) || scope.last().is_some_and(is_steady)
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

    /// A conjunction; what is quickly known comes first, unless something changes variables.
    fn and(&mut self, mut parts: Vec<Id>) -> Id {
        if parts.iter().any(|&part| self.has_effects(part)) {
            return self.sequence(parts);
        }
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
        let mut seen = HashSet::new();
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
        let mut found = match (question, filter.kind) {
            (Question::Truth, _) => self.make_truth(filter),
            (_, Kind::Set) => self.make_set(filter),
            (_, Kind::Numeric) => self.make_number(filter),
            (_, Kind::Position) => self.make_position(filter),
            _ => None,
        };
        self.scope.truncate(mark);
        self.elsewhere = elsewhere;
        found = found.filter(|&id| !self.formulas.infos[id as usize].unusable);
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
                self.value_behind(before, last, failure)?
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
            Node::Call { arguments, body } => {
                let before = self.arguments(arguments)?;
                self.value_behind(before, body, failure)?
            }
            _ => return None,
        };
        Some(made)
    }

    /// The value of a filter where all conditions before it hold.
    fn value_behind(&mut self, before: Vec<Id>, last: &Filter, failure: u64) -> Option<Id> {
        let last = self.value(last)?;
        if before.is_empty() {
            return Some(last);
        }
        let condition = self.and(before);
        Some(self.op(Op::If(condition, last, failure)))
    }

    fn make_position(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::CurrentPosition => self.op(Op::Here),
            Node::Parent => self.op(Op::Parent),
            Node::PathStart => self.op(Op::PathStart),
            Node::Path(path) => self.path(path)?,
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
                // Otherwise its answers are remembered through the whole game where it stands as it is.
                let is_new = match self.has_effects(condition) {
                    true => self.guards.of_find(argument).is_none(),
                    false => self.formulas.infos[condition as usize].variables.iter().any(changes),
                };
                if !is_new {
                    return None;
                }
                self.op(Op::Find(*backward, condition))
            }
            _ => return self.make_value(filter, NONE),
        };
        Some(made)
    }
}
