//! What is known of an operation: what it depends on, and what it costs.

use language::hir::{ManSet, VariableId};

use super::super::{Id, Info, Op, Step, is_about_positions};
use super::Lowering;

impl Lowering<'_> {
    /// Whether everything that depends on a variable can be computed in lanes.
    pub(super) fn fits_lanes(&self, id: Id, variable: VariableId) -> bool {
        if self.has_effects(id) {
            return false;
        }
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
            | Op::Along(..)
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
            | Op::SameContents(..)
            | Op::Arithmetic(..)
            | Op::Unused(..) => true,
            Op::At(place, ..) => !self.formulas.infos[*place as usize].variables.contains(&variable),
            Op::Compare(comparison, ..) | Op::Compared(comparison, ..) => !is_about_positions(*comparison),
            _ => false,
        };
        let mut all = fits;
        operands(op, &mut |part| all = all && self.fits_lanes(part, variable));
        all
    }

    pub(super) fn describe(&self, op: &Op) -> Info {
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
        info.assigned = merged(infos().map(|info| &info.assigned));
        info.follows = infos().any(|info| info.follows);
        info.of_path = infos().any(|info| info.of_path);
        info.unusable = infos().any(|info| info.unusable) || !self.keeps_effects(op, &parts);
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
                // All men of a color are known at once.
                let sides = [ManSet::WHITE, ManSet::BLACK];
                let others = sides
                    .into_iter()
                    .filter(|&side| men.is_superset(side))
                    .fold(*men, ManSet::without);
                1 + others.bits().count_ones() / 2
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
            Op::Moved(_) => {
                info.here = true;
                4
            }
            Op::Between(..) | Op::Along(..) | Op::SameContents(..) => 4,
            Op::Pawns(_) | Op::Check | Op::Folded(_) => {
                info.here = true;
                15
            }
            Op::Move(_) => {
                info.here = true;
                info.bound_move = true;
                8
            }
            Op::Path(path) => {
                info.here = true;
                info.last_move = false;
                info.follows = true;
                info.of_path = path
                    .focus
                    .is_some_and(|focus| self.formulas.infos[focus as usize].of_path);
                20
            }
            Op::PathStart | Op::PathCount => {
                info.of_path = true;
                1
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
            Op::Dash(dash) => {
                info.here = true;
                // Before the last move, no other move is bound.
                info.bound_move = !dash.is_last
                    && [dash.from, dash.to]
                        .iter()
                        .any(|&id| self.formulas.infos[id as usize].bound_move);
                6
            }
            Op::Power(_) => {
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
            Op::Assign(variable, _)
            | Op::AssignSet(variable, _)
            | Op::AssignIfAny(variable, _)
            | Op::AssignPiece(variable, _)
            | Op::Unbind(variable)
            | Op::IsBound(variable) => {
                info.here |= matches!(op, Op::AssignPiece(..));
                info.assigned = merged([&info.assigned, &vec![*variable]]);
                2
            }
            Op::While(_, body) | Op::Repeat(body) => self.formulas.infos[*body as usize].cost.saturating_mul(8),
            Op::FindAll(_, body) => {
                info.here = true;
                info.bound_move = false;
                self.formulas.infos[*body as usize].cost.saturating_mul(40)
            }
            Op::SumAll(all) => {
                let body = &self.formulas.infos[all.body as usize];
                info.variables = body.variables.clone();
                info.assigned = body.assigned.clone();
                info.here = true;
                info.bound_move = false;
                body.cost.saturating_mul(10)
            }
            Op::Unused(variable, _) => {
                info.bound = merged([&info.bound, &vec![*variable]]);
                0
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
            | Op::Sequence(_)
            | Op::Choose(..)
            | Op::If(..) => 1,
        };
        info.cost = below.saturating_add(own);
        info
    }
}

/// All variables of some lists, ascending.
pub(super) fn merged<'v>(lists: impl IntoIterator<Item = &'v Vec<VariableId>>) -> Vec<VariableId> {
    let mut all: Vec<VariableId> = lists.into_iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Calls `f` with every operand.
pub(super) fn operands(op: &Op, f: &mut dyn FnMut(Id)) {
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
        | Op::Mainline
        | Op::PathStart
        | Op::PathCount
        | Op::Unbind(_)
        | Op::IsBound(_) => {}
        Op::Union(list)
        | Op::Intersection(list)
        | Op::Ray(_, list)
        | Op::Xray(list, _)
        | Op::Extremum(_, list)
        | Op::Holding(list)
        | Op::And(list)
        | Op::Or(list)
        | Op::Sequence(list) => list.iter().copied().for_each(f),
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
        | Op::Moved(a)
        | Op::Find(_, a)
        | Op::FindAll(_, a)
        | Op::Assign(_, a)
        | Op::AssignSet(_, a)
        | Op::AssignIfAny(_, a)
        | Op::AssignPiece(_, a)
        | Op::Repeat(a)
        | Op::Any(a)
        | Op::Exists(a)
        | Op::Not(a)
        | Op::Unused(_, a)
        | Op::Family { template: a, .. } => f(*a),
        Op::Attacks(a, b)
        | Op::AttackedBy(a, b)
        | Op::Between(a, b)
        | Op::Legal(_, a, b)
        | Op::MakeSquare(a, b)
        | Op::SameContents(a, b)
        | Op::Arithmetic(_, a, b)
        | Op::Compared(_, a, b)
        | Op::CountLegal(_, a, b, _)
        | Op::Compare(_, a, b)
        | Op::SameSet(a, b)
        | Op::Subset(a, b)
        | Op::If(a, b, _)
        | Op::While(a, b)
        | Op::At(a, b, _) => {
            f(*a);
            f(*b);
        }
        Op::Path(path) => {
            path.focus.into_iter().for_each(&mut *f);
            for step in &path.steps {
                match *step {
                    Step::Test(test) => f(test),
                    Step::Move { from, to, target, .. } => [from, to, target].into_iter().for_each(&mut *f),
                }
            }
            path.max.into_iter().for_each(f);
        }
        Op::Dash(dash) => [Some(dash.from), Some(dash.to), dash.then]
            .into_iter()
            .flatten()
            .for_each(f),
        Op::Move(m) => m.squares.into_iter().flatten().for_each(f),
        Op::Loop(inner) | Op::Some(inner) | Op::All(inner) => {
            f(inner.domain);
            inner.before.into_iter().for_each(&mut *f);
            f(inner.body);
        }
        Op::Choose(a, b, c) => {
            f(*a);
            f(*b);
            f(*c);
        }
        Op::SumAll(all) => {
            f(all.condition);
            f(all.addend);
            for local in &all.locals {
                f(local.condition);
                f(local.value);
            }
        }
    }
}

/// The operation with others in the place of its operands; `None` if there is none for one of them, or if it is not one of
/// those that are rebuilt: they change nothing and are made of sets, numbers and conditions at one position.
pub(in super::super) fn with_operands(op: Op, f: &mut dyn FnMut(Id) -> Option<Id>) -> Option<Op> {
    let mut all = |list: Box<[Id]>| list.iter().map(|&part| f(part)).collect::<Option<Box<[Id]>>>();
    Some(match op {
        Op::Union(list) => Op::Union(all(list)?),
        Op::Intersection(list) => Op::Intersection(all(list)?),
        Op::Extremum(largest, list) => Op::Extremum(largest, all(list)?),
        Op::And(list) => Op::And(all(list)?),
        Op::Or(list) => Op::Or(all(list)?),
        Op::Along(directions, min, max, a) => Op::Along(directions, min, max, f(a)?),
        Op::Complement(a) => Op::Complement(f(a)?),
        Op::Count(a) => Op::Count(f(a)?),
        Op::Power(a) => Op::Power(f(a)?),
        Op::File(a) => Op::File(f(a)?),
        Op::Rank(a) => Op::Rank(f(a)?),
        Op::Negate(a) => Op::Negate(f(a)?),
        Op::Abs(a) => Op::Abs(f(a)?),
        Op::Sqrt(a) => Op::Sqrt(f(a)?),
        Op::Any(a) => Op::Any(f(a)?),
        Op::Exists(a) => Op::Exists(f(a)?),
        Op::Not(a) => Op::Not(f(a)?),
        Op::Attacks(a, b) => Op::Attacks(f(a)?, f(b)?),
        Op::AttackedBy(a, b) => Op::AttackedBy(f(a)?, f(b)?),
        Op::Between(a, b) => Op::Between(f(a)?, f(b)?),
        Op::Arithmetic(op, a, b) => Op::Arithmetic(op, f(a)?, f(b)?),
        Op::Compare(comparison, a, b) => Op::Compare(comparison, f(a)?, f(b)?),
        Op::Compared(comparison, a, b) => Op::Compared(comparison, f(a)?, f(b)?),
        Op::SameSet(a, b) => Op::SameSet(f(a)?, f(b)?),
        Op::Subset(a, b) => Op::Subset(f(a)?, f(b)?),
        Op::If(a, b, otherwise) => Op::If(f(a)?, f(b)?, otherwise),
        Op::Choose(a, b, c) => Op::Choose(f(a)?, f(b)?, f(c)?),
        _ => return None,
    })
}
