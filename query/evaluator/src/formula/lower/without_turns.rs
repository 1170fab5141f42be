//! Loops without turns: the squares for which a condition holds, as one set.
//!
//! `square x in S {not A attacks x}` asks the same of each square. All squares that `A` attacks are one set, so that the loop is
//! `S` without it. A condition about a square is turned round so: where `A attacks x` asks whether an operation on the square
//! meets some others, the opposite operation on those others gives the squares.

use language::hir::{Arithmetic, ManSet, VariableId};
use shakmaty::Bitboard;

use super::super::{Id, Op};
use super::Lowering;

/// The loop that is done without turns.
#[derive(Clone, Copy)]
pub(super) struct Turns {
    pub(super) variable: VariableId,
    pub(super) pieces: bool,
    pub(super) domain: Id,
    pub(super) body: Id,
}

impl Lowering<'_> {
    /// The squares for which the body of a loop holds; `None` if that can't be said without turns.
    pub(super) fn turns_that_hold(&mut self, turns: Turns) -> Option<Id> {
        let domain = self.squares_of(turns)?;
        let found = self.squares_where(domain, turns.body, turns.variable)?;
        Some(self.op(Op::Unused(turns.variable, found)))
    }

    /// Whether the body of a loop holds for all squares.
    pub(super) fn all_turns_hold(&mut self, turns: Turns) -> Option<Id> {
        let domain = self.squares_of(turns)?;
        let found = self.squares_where(domain, turns.body, turns.variable)?;
        let failing = self.without(domain, found);
        let any = self.op(Op::Any(failing));
        let none = self.op(Op::Not(any));
        Some(self.op(Op::Unused(turns.variable, none)))
    }

    /// A loop whose body does nothing, behind its conditions, but add its square to sets and numbers to counters: as a condition
    /// that does this for all squares at once.
    pub(super) fn all_turns_done(&mut self, turns: Turns) -> Option<Id> {
        let domain = self.squares_of(turns)?;
        let parts = match self.get(turns.body) {
            Op::Sequence(list) => list.to_vec(),
            _ => vec![turns.body],
        };
        let conditions = parts.iter().take_while(|&&part| !self.has_effects(part)).count();
        let mut squares = domain;
        for &condition in &parts[..conditions] {
            squares = self.squares_where(squares, condition, turns.variable)?;
        }
        let changed = self.formulas.infos[turns.body as usize].assigned.clone();
        // The first of these reads the squares before anything is changed.
        let mut list = vec![self.op(Op::Any(squares))];
        for &part in &parts[conditions..] {
            list.push(self.done_for_all(squares, part, turns.variable, &changed)?);
        }
        let are_steady = parts[..conditions].iter().all(|&part| !self.reads_any(part, &changed));
        let is_asked_again = parts.len() - conditions > 1;
        if !are_steady || is_asked_again && self.reads_any(domain, &changed) {
            return None;
        }
        let done = self.op(Op::Sequence(list.into()));
        Some(self.op(Op::Unused(turns.variable, done)))
    }

    /// What a body does to a variable for one square, done for some squares at once. `changed` are the variables that the body
    /// changes: a condition that reads them asks something else in each turn.
    fn done_for_all(&mut self, squares: Id, part: Id, variable: VariableId, changed: &[VariableId]) -> Option<Id> {
        match *self.get(part) {
            Op::Choose(condition, then, otherwise) if matches!(self.get(otherwise), Op::Constant(1..)) => {
                if self.reads_any(condition, changed) {
                    return None;
                }
                let squares = self.squares_where(squares, condition, variable)?;
                self.done_for_all(squares, then, variable, changed)
            }
            Op::AssignSet(target, set) => {
                let Op::Union(list) = self.get(set) else { return None };
                let [before, added] = list[..] else { return None };
                let is_kept = matches!(self.get(before), Op::Value(kept) if *kept == target);
                if !is_kept || !self.is_square_of_turn(added, variable) {
                    return None;
                }
                let all = self.op(Op::Union([before, squares].into()));
                Some(self.op(Op::AssignSet(target, all)))
            }
            Op::Assign(target, sum) => {
                let Op::Arithmetic(Arithmetic::Add, before, added) = *self.get(sum) else {
                    return None;
                };
                let is_kept = matches!(self.get(before), Op::Value(kept) if *kept == target);
                if !is_kept || !matches!(self.get(added), Op::Constant(1)) {
                    return None;
                }
                let count = self.op(Op::Count(squares));
                let sum = self.op(Op::Arithmetic(Arithmetic::Add, before, count));
                Some(self.op(Op::Assign(target, sum)))
            }
            _ => None,
        }
    }

    /// The squares that a loop goes through. A loop over pieces leaves out the empty ones.
    fn squares_of(&mut self, turns: Turns) -> Option<Id> {
        if self.has_effects(turns.domain) {
            return None;
        }
        if !turns.pieces {
            return Some(turns.domain);
        }
        let men = ManSet::WHITE | ManSet::BLACK;
        let men = self.op(Op::Men(men, Bitboard::FULL));
        Some(self.among(&[turns.domain, men]))
    }

    /// The squares of a set for which a condition about a loop's variable holds.
    fn squares_where(&mut self, squares: Id, condition: Id, variable: VariableId) -> Option<Id> {
        if self.has_effects(condition) {
            return None;
        }
        if !self.reads(condition, variable) {
            return Some(self.where_true(squares, condition));
        }
        match self.get(condition).clone() {
            Op::And(list) => list
                .iter()
                .try_fold(squares, |squares, &part| self.squares_where(squares, part, variable)),
            Op::Or(list) => {
                let parts = list.iter().map(|&part| self.squares_where(squares, part, variable));
                let parts = parts.collect::<Option<Vec<Id>>>()?;
                Some(self.op(Op::Union(parts.into())))
            }
            Op::Not(inner) => {
                let found = self.squares_where(squares, inner, variable)?;
                Some(self.without(squares, found))
            }
            Op::Choose(inner, then, otherwise) => {
                let found = self.squares_where(squares, inner, variable)?;
                let others = self.without(squares, found);
                let found = self.squares_where(found, then, variable)?;
                let others = self.squares_where(others, otherwise, variable)?;
                Some(self.op(Op::Union([found, others].into())))
            }
            Op::Any(set) => {
                let all = self.constant(u64::MAX);
                self.squares_that_meet(squares, set, all, variable)
            }
            Op::Subset(set, of) if !self.reads(of, variable) => {
                let others = self.op(Op::Complement(of));
                let found = self.squares_that_meet(squares, set, others, variable)?;
                Some(self.without(squares, found))
            }
            Op::Unused(other, inner) => {
                let found = self.squares_where(squares, inner, variable)?;
                Some(self.op(Op::Unused(other, found)))
            }
            _ => None,
        }
    }

    /// The squares of a set for which another set, which is made of each of them, has a square among some others.
    fn squares_that_meet(&mut self, squares: Id, set: Id, others: Id, variable: VariableId) -> Option<Id> {
        if !self.reads(set, variable) {
            let met = self.among(&[set, others]);
            let condition = self.op(Op::Any(met));
            return Some(self.where_true(squares, condition));
        }
        if self.is_square_of_turn(set, variable) {
            return Some(self.among(&[squares, others]));
        }
        let all = self.constant(u64::MAX);
        // Where the set is made of the square itself, only the squares that are asked about count.
        let (set, others) = match self.get(set).clone() {
            Op::Union(list) => {
                let parts = list
                    .iter()
                    .map(|&part| self.squares_that_meet(squares, part, others, variable));
                let parts = parts.collect::<Option<Vec<Id>>>()?;
                return Some(self.op(Op::Union(parts.into())));
            }
            Op::Intersection(list) => {
                let (made, given): (Vec<Id>, Vec<Id>) = list.iter().partition(|&&part| self.reads(part, variable));
                let [made] = made[..] else { return None };
                (made, self.among(&[&given[..], &[others]].concat()))
            }
            Op::Along(directions, min, max, from) => {
                let (min, max) = (max.saturating_neg(), min.saturating_neg());
                (from, self.op(Op::Along(directions, min, max, others)))
            }
            Op::Attacks(from, to) => self.attacks_turned([from, to], [others, all], squares, variable)?,
            Op::AttackedBy(to, from) => self.attacks_turned([from, to], [all, others], squares, variable)?,
            Op::Xray(list, gives_first) => {
                let (last, mut list) = self.rays_to(&list, squares, variable)?;
                let asked = if gives_first { list.first_mut() } else { list.last_mut() }?;
                *asked = self.among(&[*asked, others]);
                (last, self.op(Op::Xray(list.into(), false)))
            }
            Op::Ray(directions, list) => {
                let (last, mut list) = self.rays_to(&list, squares, variable)?;
                let asked = list.last_mut()?;
                *asked = self.among(&[*asked, others]);
                (last, self.op(Op::Ray(directions, list.into())))
            }
            Op::Unused(other, inner) => {
                let found = self.squares_that_meet(squares, inner, others, variable)?;
                return Some(self.op(Op::Unused(other, found)));
            }
            _ => return None,
        };
        self.squares_that_meet(squares, set, others, variable)
    }

    /// Of men and the squares that they attack, one side is made of the square of a turn: that side, and which of its squares take
    /// part with men and squares among these.
    fn attacks_turned(
        &mut self,
        [from, to]: [Id; 2],
        [men, targets]: [Id; 2],
        squares: Id,
        variable: VariableId,
    ) -> Option<(Id, Id)> {
        match [from, to].map(|part| self.reads(part, variable)) {
            [true, false] => {
                let mask = self.mask_of(from, squares, variable);
                let (men, targets) = (self.among(&[mask, men]), self.among(&[to, targets]));
                Some((from, self.op(Op::Attacks(men, targets))))
            }
            [false, true] => {
                let mask = self.mask_of(to, squares, variable);
                let (men, targets) = (self.among(&[from, men]), self.among(&[mask, targets]));
                Some((to, self.op(Op::AttackedBy(targets, men))))
            }
            _ => None,
        }
    }

    /// The sets of a ray whose last one is made of the square of a turn, which all squares stand for then: what a ray reaches
    /// depends on that set in its own squares only. And that set.
    fn rays_to(&mut self, list: &[Id], squares: Id, variable: VariableId) -> Option<(Id, Vec<Id>)> {
        let (&last, before) = list.split_last()?;
        if before.is_empty() || before.iter().any(|&part| self.reads(part, variable)) {
            return None;
        }
        let mut list = before.to_vec();
        list.push(self.mask_of(last, squares, variable));
        Some((last, list))
    }

    /// The squares that a set can have if it is the square of a turn; all squares otherwise.
    fn mask_of(&mut self, set: Id, squares: Id, variable: VariableId) -> Id {
        match self.is_square_of_turn(set, variable) {
            true => squares,
            false => self.constant(u64::MAX),
        }
    }

    /// Whether a set is the square of a turn, or of its piece.
    fn is_square_of_turn(&self, set: Id, variable: VariableId) -> bool {
        matches!(self.get(set), Op::Value(other) | Op::Piece(other) if *other == variable)
    }

    fn reads_any(&self, id: Id, variables: &[VariableId]) -> bool {
        variables.iter().any(|&variable| self.reads(id, variable))
    }

    fn reads(&self, id: Id, variable: VariableId) -> bool {
        self.formulas.infos[id as usize].variables.contains(&variable)
    }

    /// A set where a condition holds, and no square otherwise.
    fn where_true(&mut self, squares: Id, condition: Id) -> Id {
        match self.get(condition) {
            Op::Constant(0) => self.constant(0),
            Op::Constant(_) => squares,
            _ => {
                let all = self.constant(u64::MAX);
                let all = self.op(Op::If(condition, all, 0));
                self.among(&[squares, all])
            }
        }
    }

    /// The squares of a set that are not in another one.
    fn without(&mut self, squares: Id, others: Id) -> Id {
        let others = self.op(Op::Complement(others));
        self.among(&[squares, others])
    }

    /// The squares that are in all sets; those of intersections stand side by side, and each stands once.
    fn among(&mut self, sets: &[Id]) -> Id {
        let mut parts: Vec<Id> = Vec::new();
        for &set in sets {
            let inner = match self.get(set) {
                Op::Intersection(list) => list.to_vec(),
                _ => vec![set],
            };
            for part in inner {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        self.intersection(parts)
    }
}
