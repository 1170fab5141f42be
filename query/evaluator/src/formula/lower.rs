//! From filters to formulas.

use std::collections::HashMap;

use language::hir::{
    Bound, CastleSide, Comparison, Dash, Filter, FindCount, Kind, MoveFilter, MoveValue, Node, Promotion, Query, Range,
    VariableId, VariableKind,
};
use shakmaty::Bitboard;

use super::lanes::is_about_positions;
use super::{Entry, Fold, Formulas, Id, Info, Loop, MoveOp, NO_MEMO, NONE, Op, Target};
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
        let is_whole = match filter.kind {
            Kind::Logical => truth.is_some(),
            _ => value.is_some(),
        };
        if is_whole {
            self.enter(filter, truth, value);
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

    /// Whether everything that depends on a variable can be computed in lanes.
    fn fits_lanes(&self, id: Id, variable: VariableId) -> bool {
        if !self.formulas.infos[id as usize].variables.contains(&variable) {
            return true;
        }
        let op = &self.formulas.ops[id as usize];
        let fits = match op {
            Op::Value(_)
            | Op::Piece(_)
            | Op::Union(_)
            | Op::Intersection(_)
            | Op::Extremum(..)
            | Op::And(_)
            | Op::Or(_)
            | Op::Complement(_)
            | Op::Count(_)
            | Op::Any(_)
            | Op::Exists(_)
            | Op::Not(_)
            | Op::Negate(_)
            | Op::Abs(_)
            | Op::Attacks(..)
            | Op::AttackedBy(..)
            | Op::Between(..)
            | Op::SameSet(..)
            | Op::Subset(..)
            | Op::File(_)
            | Op::Rank(_)
            | Op::Letter(..)
            | Op::MakeSquare(..)
            | Op::Arithmetic(..) => true,
            Op::At(place, ..) => !self.formulas.infos[*place as usize].variables.contains(&variable),
            Op::Compare(comparison, ..) | Op::Compared(comparison, ..) => !is_about_positions(*comparison),
            _ => false,
        };
        let mut all = fits;
        operands(op, &mut |part| all = all && self.fits_lanes(part, variable));
        all
    }

    fn describe(&self, op: &Op) -> Info {
        let mut info = Info::default();
        let mut parts = Vec::new();
        operands(op, &mut |id| parts.push(id));
        let infos = || parts.iter().map(|&id| &self.formulas.infos[id as usize]);
        info.variables = merged(infos().map(|info| &info.variables));
        info.bound = merged(infos().map(|info| &info.bound));
        info.here = infos().any(|info| info.here);
        info.last_move = infos().any(|info| info.last_move);
        info.has_holes = infos().any(|info| info.has_holes);
        info.bound_move = infos().any(|info| info.bound_move);
        let below: u32 = infos().map(|info| info.cost).fold(0, u32::saturating_add);
        let own = match op {
            Op::Constant(_) => 0,
            Op::Value(variable) => {
                info.variables = vec![*variable];
                1
            }
            Op::Piece(variable) => {
                info.variables = vec![*variable];
                info.here = true;
                1
            }
            Op::Men(men, _) => {
                info.here = true;
                1 + men.bits().count_ones() / 2
            }
            Op::Loop(inner) | Op::Some(inner) | Op::All(inner) => {
                info.variables.retain(|&variable| variable != inner.variable);
                info.bound = merged([&info.bound, &vec![inner.variable]]);
                info.here |= inner.pieces;
                let body = self.formulas.infos[inner.body as usize].cost;
                body.saturating_mul(8).saturating_add(4)
            }
            Op::At(place, inner, _) => {
                let place = &self.formulas.infos[*place as usize];
                info.here = place.here;
                info.bound_move = place.bound_move;
                info.last_move = place.last_move;
                // Elsewhere, all squares of the last move count, unless a target is just there.
                info.last_move |= self.formulas.infos[*inner as usize].last_move;
                1
            }
            Op::Find(_, body) => {
                info.here = true;
                info.bound_move = false;
                self.formulas.infos[*body as usize].cost.saturating_mul(40)
            }
            Op::Attacks(..) | Op::AttackedBy(..) => {
                info.here = true;
                8
            }
            Op::Ray(..) | Op::Xray(..) | Op::Pin(..) => {
                info.here = true;
                30
            }
            Op::Between(..) | Op::Along(..) => 4,
            Op::Pawns(_) | Op::Check | Op::Folded(_) => {
                info.here = true;
                15
            }
            Op::Move(_) => {
                info.here = true;
                info.bound_move = true;
                8
            }
            Op::Masked(..) | Op::Hole(_) => {
                info.here = matches!(op, Op::Masked(..));
                info.has_holes = true;
                1
            }
            Op::Family { .. } => {
                info.has_holes = false;
                30
            }
            Op::Legal(..) | Op::CountLegal(..) | Op::Mate | Op::Stalemate => {
                info.here = true;
                100
            }
            Op::From | Op::To => {
                info.here = true;
                info.last_move = true;
                2
            }
            Op::Dash { .. } | Op::Power(_) => {
                info.here = true;
                6
            }
            Op::Kings
            | Op::Type(_)
            | Op::ColorType(_)
            | Op::Letter(..)
            | Op::Ply
            | Op::MoveNumber
            | Op::PositionId
            | Op::SideToMove
            | Op::Here
            | Op::Parent
            | Op::Child
            | Op::Turn(_)
            | Op::Initial
            | Op::Terminal
            | Op::Mainline => {
                info.here = true;
                1
            }
            Op::Union(_)
            | Op::Intersection(_)
            | Op::Complement(_)
            | Op::MakeSquare(..)
            | Op::Count(_)
            | Op::File(_)
            | Op::Rank(_)
            | Op::Arithmetic(..)
            | Op::Negate(_)
            | Op::Abs(_)
            | Op::Sqrt(_)
            | Op::Extremum(..)
            | Op::Compared(..)
            | Op::Holding(_)
            | Op::Within(..)
            | Op::PositionAt(_)
            | Op::Any(_)
            | Op::Exists(_)
            | Op::Compare(..)
            | Op::SameSet(..)
            | Op::Subset(..)
            | Op::And(_)
            | Op::Or(_)
            | Op::Not(_)
            | Op::Choose(..)
            | Op::If(..) => 1,
        };
        info.cost = below.saturating_add(own);
        info
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

    fn make_truth(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::Compound(list) => {
                let parts = self.truths(list)?;
                self.and(parts)
            }
            Node::And(a, b) => {
                let parts = self.truths([&**a, &**b])?;
                self.and(parts)
            }
            Node::Or(a, b) => {
                let parts = self.truths([&**a, &**b])?;
                self.or(parts)
            }
            Node::Not(a) => {
                let a = self.truth(a)?;
                self.op(Op::Not(a))
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                let then = self.truth(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.truth(otherwise)?,
                    None => self.constant(1),
                };
                self.op(Op::Choose(condition, then, otherwise))
            }
            Node::At(place, inner) => {
                let place = self.value(place)?;
                self.elsewhere = true;
                let inner = self.truth(inner)?;
                self.op(Op::At(place, inner, 0))
            }
            Node::NoTransform(inner) => self.truth(inner)?,
            Node::Orbit { range: None, variants } => {
                if self.orbits.has(filter) {
                    let count = self.op(Op::Folded(filter.id()));
                    let zero = self.constant(0);
                    return Some(self.op(Op::Compare(Comparison::Greater, count, zero)));
                }
                let parts = self.truths(variants)?;
                self.or(parts)
            }
            Node::Orbit { range: Some(_), .. } => {
                let number = self.orbit_count(filter)?;
                self.op(Op::Exists(number))
            }
            Node::Dash(dash) => {
                let dash = self.dash(dash, Question::Truth)?;
                self.op(Op::Any(dash))
            }
            Node::Move(m) if m.value == MoveValue::Logical => {
                let squares = self.move_squares(m)?;
                self.op(Op::Any(squares))
            }
            Node::SquareLoop { .. } | Node::PieceLoop { .. } => self.make_loop(filter, true)?,
            _ if filter.is_vacuous() => return None,
            _ if filter.kind == Kind::Set => {
                let set = self.set(filter)?;
                self.op(Op::Any(set))
            }
            Node::Cardinality(argument) | Node::Power(argument) => {
                self.set(argument)?;
                self.constant(1)
            }
            Node::True | Node::MoveNumber | Node::Ply => self.constant(1),
            Node::Comment(_) | Node::CountMoves(..) | Node::Depth | Node::GameNumber => return None,
            Node::False => self.constant(0),
            Node::Turn(color) => self.op(Op::Turn(*color)),
            Node::Check => self.op(Op::Check),
            Node::Mate => self.op(Op::Mate),
            Node::Stalemate => self.op(Op::Stalemate),
            Node::Initial => self.op(Op::Initial),
            Node::Terminal => self.op(Op::Terminal),
            Node::Mainline(wanted) => {
                let mainline = self.op(Op::Mainline);
                if *wanted { mainline } else { self.op(Op::Not(mainline)) }
            }
            Node::Subset(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::Subset(a, b))
            }
            Node::SameSet(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::SameSet(a, b))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let (a, b) = (self.count(a)?, self.count(b)?);
                self.op(Op::Compare(*comparison, a, b))
            }
            Node::CompareStrings(Comparison::Equal, a, b) => {
                let (a, b) = (self.letter(a)?, self.letter(b)?);
                self.op(Op::Compare(Comparison::Equal, a, b))
            }
            Node::ComparePositions(..) | Node::Find { .. } | Node::Arithmetic(..) | Node::Negate(_) => {
                let value = self.value(filter)?;
                self.op(Op::Exists(value))
            }
            Node::File(_)
            | Node::Rank(_)
            | Node::ColorType(_)
            | Node::CurrentPosition
            | Node::PositionAt(_)
            | Node::Parent
            | Node::Child(None) => {
                let value = self.value(filter)?;
                self.op(Op::Exists(value))
            }
            _ => return None,
        };
        Some(made)
    }

    /// Texts of one letter: what kind of man stands there.
    fn letter(&mut self, filter: &Filter) -> Option<Id> {
        match &filter.node {
            Node::TypeName(argument) => {
                let set = self.set(argument)?;
                Some(self.op(Op::Letter(false, set)))
            }
            Node::PieceName(argument) => {
                let set = self.set(argument)?;
                Some(self.op(Op::Letter(true, set)))
            }
            Node::At(place, inner) => {
                let place = self.value(place)?;
                self.elsewhere = true;
                let inner = self.letter(inner)?;
                Some(self.op(Op::At(place, inner, NONE)))
            }
            _ => None,
        }
    }

    /// A dash: whether there is a move, or which squares of it its target names.
    fn dash(&mut self, dash: &Dash, question: Question) -> Option<Id> {
        let target = match &dash.target[..] {
            [] => Target::None,
            [only] if question == Question::Truth || only.kind == Kind::Set => match only.node {
                Node::FromSquares => Target::From,
                Node::ToSquares => Target::To,
                Node::EnPassant => Target::EnPassant,
                Node::Castle(CastleSide::Any) => Target::Castle,
                _ => return None,
            },
            _ => return None,
        };
        let promotion = match &dash.promotion {
            None => None,
            Some(Promotion::Roles(men)) => Some(*men),
            Some(Promotion::Text(_)) => return None,
        };
        let from = self.set_or(dash.left.as_ref(), Bitboard::FULL)?;
        let to = self.set_or(dash.right.as_ref(), Bitboard::FULL)?;
        let capture = dash.capture;
        Some(self.op(Op::Dash {
            from,
            to,
            capture,
            promotion,
            target,
        }))
    }

    /// `move` without `legal`, `previous` and comments.
    fn move_squares(&mut self, m: &MoveFilter) -> Option<Id> {
        if m.legality.is_some() || m.previous || m.comment.is_some() {
            return None;
        }
        let mut squares = [None; 4];
        let parts = [&m.from, &m.to, &m.capture, &m.en_passant_square];
        for (square, part) in squares.iter_mut().zip(parts) {
            if let Some(part) = part {
                *square = Some(self.set(part)?);
            }
        }
        Some(self.op(Op::Move(Box::new(MoveOp {
            value: m.value,
            squares,
            promote: m.promote,
            en_passant: m.en_passant,
            null: m.null,
            castle: m.castle,
            primary: m.primary,
        }))))
    }

    fn make_loop(&mut self, filter: &Filter, truth: bool) -> Option<Id> {
        let (variable, pieces, all, domain, body) = match &filter.node {
            Node::SquareLoop {
                variable,
                all,
                domain,
                body,
            } => (*variable, false, *all, domain, body),
            Node::PieceLoop {
                variable,
                all,
                domain,
                body,
            } => (*variable, true, *all, domain, body),
            _ => return None,
        };
        let domain = self.set(domain)?;
        self.scope.push(variable);
        let body = self.truth(body)?;
        self.scope.pop();
        // The variable would be in use.
        let info = |id: Id| &self.formulas.infos[id as usize];
        if info(domain).variables.contains(&variable) || info(body).bound.contains(&variable) {
            return None;
        }
        let inner = Loop {
            variable,
            pieces,
            domain,
            body,
            side_by_side: self.fits_lanes(body, variable),
        };
        Some(match (all, truth) {
            (true, _) => self.op(Op::All(inner)),
            (false, true) => self.op(Op::Some(inner)),
            (false, false) => self.op(Op::Loop(inner)),
        })
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

    fn make_set(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::Designator(d) => self.op(Op::Men(d.men, d.squares)),
            Node::AllSquares => self.constant(u64::MAX),
            Node::NoSquares => self.constant(0),
            Node::Union(list) => {
                let parts = self.values(list)?;
                self.op(Op::Union(parts.into()))
            }
            Node::Intersection(list) => {
                let parts = self.values(list)?;
                self.op(Op::Intersection(parts.into()))
            }
            Node::Complement(a) => {
                let a = self.set(a)?;
                self.op(Op::Complement(a))
            }
            Node::Attacks(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::Attacks(a, b))
            }
            Node::AttackedBy(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::AttackedBy(a, b))
            }
            Node::Between(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::Between(a, b))
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => {
                let (min, max) = match range {
                    None => (1, 7),
                    Some(Range::Between(Bound::Literal(min), Bound::Literal(max))) => (*min, *max),
                    Some(_) => return None,
                };
                if min < -7 || max > 7 || min > max {
                    return None;
                }
                let set = self.set(argument)?;
                self.op(Op::Along(*directions, min, max, set))
            }
            Node::Ray { directions, arguments } => {
                let parts = self.values(arguments)?;
                self.op(Op::Ray(*directions, parts.into()))
            }
            Node::Xray { arguments, gives_first } => {
                let parts = self.values(arguments)?;
                self.op(Op::Xray(parts.into(), *gives_first))
            }
            Node::Pin {
                from,
                through,
                to,
                value,
            } => {
                let from = self.set_or(from.as_deref(), Bitboard::FULL)?;
                let through = self.set_or(through.as_deref(), Bitboard::FULL)?;
                let to = match to {
                    Some(to) => self.set(to)?,
                    None => self.op(Op::Kings),
                };
                self.op(Op::Pin([from, through, to], *value))
            }
            Node::SquareColor(light, argument) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                let set = self.set(argument)?;
                let squares = self.constant(squares.0);
                self.op(Op::Intersection([set, squares].into()))
            }
            Node::PawnStructure(structure) => self.op(Op::Pawns(*structure)),
            Node::MakeSquare(file, rank) => {
                let (file, rank) = (self.value(file)?, self.value(rank)?);
                self.op(Op::MakeSquare(file, rank))
            }
            Node::Variable(variable) => match self.query.variables.get(variable.0 as usize)?.kind {
                VariableKind::Set => self.op(Op::Value(*variable)),
                VariableKind::Piece => self.op(Op::Piece(*variable)),
                _ => return None,
            },
            Node::Dash(dash) => self.dash(dash, Question::Value)?,
            Node::Move(m) if matches!(m.value, MoveValue::From | MoveValue::To | MoveValue::Capture) => {
                self.move_squares(m)?
            }
            Node::FromSquares => self.op(Op::From),
            Node::ToSquares => self.op(Op::To),
            Node::LegalDash(legality, dash) if dash.target.is_empty() => {
                let from = self.set_or(dash.left.as_ref(), Bitboard::FULL)?;
                let to = self.set_or(dash.right.as_ref(), Bitboard::FULL)?;
                self.op(Op::Legal(*legality, from, to))
            }
            Node::SquareLoop { all: false, .. } | Node::PieceLoop { all: false, .. } => {
                self.make_loop(filter, false)?
            }
            Node::Orbit { range: None, variants } => {
                let parts = self.values(variants)?;
                let parts = self.families(Fold::Union, parts);
                self.op(Op::Union(parts.into()))
            }
            _ => return self.make_value(filter, 0),
        };
        Some(made)
    }

    /// How many variants of an orbit match, if the range allows it.
    fn orbit_count(&mut self, filter: &Filter) -> Option<Id> {
        let Node::Orbit {
            range: Some(range),
            variants,
        } = &filter.node
        else {
            return None;
        };
        let count = if self.orbits.has(filter) {
            self.op(Op::Folded(filter.id()))
        } else {
            let parts = self.truths(variants)?;
            let parts = self.families(Fold::Sum, parts);
            self.op(Op::Holding(parts.into()))
        };
        match range {
            Range::Count => Some(count),
            Range::Between(Bound::Literal(min), Bound::Literal(max)) => Some(self.op(Op::Within(count, *min, *max))),
            Range::Between(..) => None,
        }
    }

    fn make_number(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::Number(number) => self.constant(i64::from(*number).cast_unsigned()),
            Node::Cardinality(a) => {
                let a = self.set(a)?;
                self.op(Op::Count(a))
            }
            Node::Power(a) => {
                let a = self.set(a)?;
                self.op(Op::Power(a))
            }
            Node::File(a) => {
                let a = self.set(a)?;
                self.op(Op::File(a))
            }
            Node::Rank(a) => {
                let a = self.set(a)?;
                self.op(Op::Rank(a))
            }
            Node::Type(a) => {
                let a = self.set(a)?;
                self.op(Op::Type(a))
            }
            Node::ColorType(a) => {
                let a = self.set(a)?;
                self.op(Op::ColorType(a))
            }
            Node::PieceIdOf(variable) => self.op(Op::Value(*variable)),
            Node::SideToMove => self.op(Op::SideToMove),
            Node::ColorValue(color) => self.constant(color.fold_wb(1, u64::MAX)),
            Node::MoveNumber => self.op(Op::MoveNumber),
            Node::Ply => self.op(Op::Ply),
            Node::PositionId => self.op(Op::PositionId),
            Node::Negate(a) => {
                let a = self.value(a)?;
                self.op(Op::Negate(a))
            }
            Node::Abs(a) => {
                let a = self.value(a)?;
                self.op(Op::Abs(a))
            }
            Node::Sqrt(a) => {
                let a = self.value(a)?;
                self.op(Op::Sqrt(a))
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.op(Op::Arithmetic(*op, a, b))
            }
            Node::Extremum(largest, list) => {
                let parts = self.values(list)?;
                self.op(Op::Extremum(*largest, parts.into()))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let (a, b) = (self.count(a)?, self.count(b)?);
                self.op(Op::Compared(*comparison, a, b))
            }
            Node::CountMoves(Some(legality), dash) if dash.target.is_empty() => {
                let from = self.set_or(dash.left.as_ref(), Bitboard::FULL)?;
                let to = self.set_or(dash.right.as_ref(), Bitboard::FULL)?;
                self.op(Op::CountLegal(*legality, from, to))
            }
            Node::Variable(variable) => match self.query.variables.get(variable.0 as usize)?.kind {
                VariableKind::Numeric => self.op(Op::Value(*variable)),
                _ => return None,
            },
            // A sort key that nobody sees.
            Node::Sort { argument, .. } if !self.comments => self.value(argument)?,
            Node::Orbit { range: None, variants } => {
                let parts = self.values(variants)?;
                let parts = self.families(Fold::Largest, parts);
                self.op(Op::Extremum(true, parts.into()))
            }
            Node::Orbit { range: Some(_), .. } => self.orbit_count(filter)?,
            _ => return self.make_value(filter, NONE),
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

/// All variables of some lists, ascending.
fn merged<'v>(lists: impl IntoIterator<Item = &'v Vec<VariableId>>) -> Vec<VariableId> {
    let mut all: Vec<VariableId> = lists.into_iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Calls `f` with every operand.
fn operands(op: &Op, f: &mut dyn FnMut(Id)) {
    match op {
        Op::Constant(_)
        | Op::Men(..)
        | Op::Value(_)
        | Op::Piece(_)
        | Op::Kings
        | Op::Pawns(_)
        | Op::From
        | Op::To
        | Op::Folded(_)
        | Op::Masked(..)
        | Op::Hole(_)
        | Op::Ply
        | Op::MoveNumber
        | Op::PositionId
        | Op::SideToMove
        | Op::Here
        | Op::Parent
        | Op::Child
        | Op::Turn(_)
        | Op::Check
        | Op::Mate
        | Op::Stalemate
        | Op::Initial
        | Op::Terminal
        | Op::Mainline => {}
        Op::Union(list)
        | Op::Intersection(list)
        | Op::Ray(_, list)
        | Op::Xray(list, _)
        | Op::Extremum(_, list)
        | Op::Holding(list)
        | Op::And(list)
        | Op::Or(list) => list.iter().copied().for_each(f),
        Op::Pin(list, _) => list.iter().copied().for_each(f),
        Op::Complement(a)
        | Op::Along(_, _, _, a)
        | Op::Count(a)
        | Op::Power(a)
        | Op::File(a)
        | Op::Rank(a)
        | Op::Type(a)
        | Op::ColorType(a)
        | Op::Letter(_, a)
        | Op::Negate(a)
        | Op::Abs(a)
        | Op::Sqrt(a)
        | Op::Within(a, ..)
        | Op::PositionAt(a)
        | Op::Find(_, a)
        | Op::Any(a)
        | Op::Exists(a)
        | Op::Not(a)
        | Op::Family { template: a, .. } => f(*a),
        Op::Attacks(a, b)
        | Op::AttackedBy(a, b)
        | Op::Between(a, b)
        | Op::Legal(_, a, b)
        | Op::MakeSquare(a, b)
        | Op::Arithmetic(_, a, b)
        | Op::Compared(_, a, b)
        | Op::CountLegal(_, a, b)
        | Op::Compare(_, a, b)
        | Op::SameSet(a, b)
        | Op::Subset(a, b)
        | Op::Dash { from: a, to: b, .. }
        | Op::If(a, b, _)
        | Op::At(a, b, _) => {
            f(*a);
            f(*b);
        }
        Op::Move(m) => m.squares.into_iter().flatten().for_each(f),
        Op::Loop(inner) | Op::Some(inner) | Op::All(inner) => {
            f(inner.domain);
            f(inner.body);
        }
        Op::Choose(a, b, c) => {
            f(*a);
            f(*b);
            f(*c);
        }
    }
}
