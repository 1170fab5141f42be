//! Formulas for many values of a variable, or for many variants of a transform, side by side.

use language::hir::{Arithmetic, Comparison, MoveValue, VariableId};
use shakmaty::Bitboard;

use super::super::{Fold, Id, MoveOp, NONE, Op, is_about_positions, number};
use super::{Runner, file_of, letter, make_square, of_option, place, rank_of, squares_in_common};
use crate::board::{along, attacked_in, attackers_in, between, contents};
use crate::game::{leader, node_at};
use crate::value::{arithmetic, ordered, square_root};

/// Values that are needed at fewer than one of this many positions are computed one by one.
const FEW: usize = 4;

/// What differs from lane to lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes<'l> {
    pub(super) count: usize,
    /// The squares of each hole of a template.
    pub(super) table: &'l [Box<[u64]>],
    /// A variable and its values.
    pub(super) variable: Option<(VariableId, &'l [u64])>,
    /// The first of as many positions.
    pub(super) first: Option<u32>,
}

impl Runner<'_> {
    /// What the variants of a family are together.
    pub(super) fn family(&mut self, fold: Fold, template: Id, table: u32) -> u64 {
        let formulas = self.formulas;
        let table = &formulas.tables[table as usize];
        let lanes = Lanes {
            count: table.first().map_or(1, |column| column.len()),
            table,
            variable: None,
            first: None,
        };
        let values = self.lanes(template, lanes);
        let folded = match fold {
            Fold::Any => u64::from(values.iter().any(|&value| value != 0)),
            Fold::Sum => values.iter().sum(),
            Fold::Union => values.iter().fold(0, |all, value| all | value),
            // Below every number, so that it is the largest only if there is no other.
            Fold::Largest => {
                let largest = values.iter().map(|value| value.cast_signed()).max();
                largest.map_or(NONE, i64::cast_unsigned)
            }
        };
        self.give_back(values);
        folded
    }

    /// Among the positions that the bits of a word name, counted from `first`: those for which a condition holds that is
    /// evaluated there, with a variable that is bound to the position.
    pub(crate) fn positions_among(&mut self, id: Id, variable: VariableId, first: u32, positions: u64) -> u64 {
        if positions == 0 {
            return 0;
        }
        let begin = positions.trailing_zeros();
        let count = u64::BITS - positions.leading_zeros() - begin;
        let mut found = 0;
        if positions.count_ones() < count / 2 {
            for bit in bits::ones(positions) {
                self.node = first + bit;
                self.memory.set(variable, u64::from(first + bit));
                found |= u64::from(self.holds(id)) << bit;
            }
            return found;
        }
        let mut nodes = [0; u64::BITS as usize];
        let nodes = &mut nodes[..count as usize];
        for (node, at) in nodes.iter_mut().zip(first + begin..) {
            *node = u64::from(at);
        }
        let lanes = Lanes {
            count: nodes.len(),
            table: &[],
            variable: Some((variable, nodes)),
            first: Some(first + begin),
        };
        self.node = first + begin;
        let holding = self.lanes(id, lanes);
        for (bit, &holds) in (begin..).zip(&holding) {
            found |= u64::from(holds != 0) << bit;
        }
        self.give_back(holding);
        found & positions
    }

    /// The same without a variable that is bound to the position.
    pub(crate) fn holding_among(&mut self, id: Id, first: u32, positions: u64) -> u64 {
        let holds = |bit: &u32| {
            self.node = first + bit;
            self.holds(id)
        };
        bits::ones(positions).filter(holds).fold(0, |all, bit| all | 1 << bit)
    }

    /// The values of an operation, one for each lane. [`Runner::give_back`] takes the buffer.
    pub(super) fn lanes(&mut self, id: Id, lanes: Lanes<'_>) -> Vec<u64> {
        let formulas = self.formulas;
        if self.is_uniform(id, lanes) {
            let value = self.value(id);
            let mut values = self.buffer();
            values.resize(lanes.count, value);
            return values;
        }
        match &formulas.code[id as usize].op {
            Op::Masked(men, hole) => {
                let here = contents(self.board(), *men).0;
                let mut values = self.buffer();
                values.extend(lanes.table[usize::from(*hole)].iter().map(|squares| squares & here));
                values
            }
            Op::Hole(hole) => {
                let mut values = self.buffer();
                values.extend_from_slice(&lanes.table[usize::from(*hole)]);
                values
            }
            Op::Value(_) => {
                let mut values = self.buffer();
                values.extend_from_slice(lanes.variable.map_or(&[], |(_, values)| values));
                values
            }
            Op::Piece(variable) if lanes.first.is_some() => {
                let mut values = self.buffer();
                let id = self.variable(*variable);
                let (game, first) = (self.game, lanes.first.unwrap_or_default());
                values.extend((first..).take(lanes.count).map(|node| place(game, node, id)));
                values
            }
            Op::Piece(_) => {
                let mut values = self.buffer();
                let ids = lanes.variable.map_or(&[][..], |(_, values)| values);
                let (game, node) = (self.game, self.node);
                values.extend(ids.iter().map(|&id| place(game, node, id)));
                values
            }
            Op::Union(list) | Op::Or(list) => self.chain(list, lanes, false, |a, b| a | b),
            Op::Intersection(list) | Op::And(list) => self.chain(list, lanes, true, |a, b| a & b),
            Op::Extremum(true, list) => self.chain(list, lanes, false, |a, b| {
                i64::max(a.cast_signed(), b.cast_signed()).cast_unsigned()
            }),
            Op::Extremum(false, list) => self.chain(list, lanes, false, |a, b| match (a, b) {
                (NONE, other) | (other, NONE) => other,
                (a, b) => i64::min(a.cast_signed(), b.cast_signed()).cast_unsigned(),
            }),
            Op::Along(directions, min, max, a) => self.each(*a, lanes, |a| match a {
                0 => 0,
                a => along(Bitboard(a), *directions, *min, *max).0,
            }),
            Op::Complement(a) => self.each(*a, lanes, |a| !a),
            Op::Count(a) => self.each(*a, lanes, |a| u64::from(a.count_ones())),
            Op::Any(a) => self.each(*a, lanes, |a| u64::from(a != 0)),
            Op::Exists(a) => self.each(*a, lanes, |a| u64::from(a != NONE)),
            Op::Unused(_, a) => self.lanes(*a, lanes),
            Op::Not(a) => self.each(*a, lanes, |a| a ^ 1),
            Op::Negate(a) => self.each(*a, lanes, |a| of_option(number(a).map(i32::wrapping_neg))),
            Op::Abs(a) => self.each(*a, lanes, |a| of_option(number(a).map(i32::wrapping_abs))),
            Op::Sqrt(a) => self.each(*a, lanes, |a| of_option(number(a).and_then(square_root))),
            Op::Attacks(..) | Op::AttackedBy(..) if lanes.first.is_some() => self.one_by_one(id, lanes),
            Op::Move(m)
                if let (Some(first), None, None) = (lanes.first, lanes.variable, self.bound_move)
                    && m.squares.iter().flatten().all(|&set| self.is_uniform(set, lanes)) =>
            {
                self.shared(id, lanes, |runner| runner.moves_from(m, first, lanes.count))
            }
            Op::Attacks(a, b) => {
                let board = self.board();
                self.both(*a, *b, lanes, |from, to| match from == 0 || to == 0 {
                    true => 0,
                    false => attackers_in(board, Bitboard(from), Bitboard(to)).0,
                })
            }
            Op::AttackedBy(a, b) => {
                let board = self.board();
                self.both(*a, *b, lanes, |to, from| match from == 0 || to == 0 {
                    true => 0,
                    false => attacked_in(board, Bitboard(from), Bitboard(to)).0,
                })
            }
            Op::SameContents(a, b) => {
                let game = self.game;
                self.both(*a, *b, lanes, |a, b| squares_in_common(game, a, b))
            }
            Op::Between(a, b) => self.both(*a, *b, lanes, |a, b| between(Bitboard(a), Bitboard(b)).0),
            Op::SameSet(a, b) => self.both(*a, *b, lanes, |a, b| u64::from(a == b)),
            Op::Subset(a, b) => self.both(*a, *b, lanes, |a, b| u64::from(a & !b == 0)),
            // Each operation has a loop of its own.
            Op::Arithmetic(op, a, b) => match op {
                Arithmetic::Add => self.numbers(*a, *b, lanes, |a, b| arithmetic(Arithmetic::Add, a, b)),
                Arithmetic::Subtract => self.numbers(*a, *b, lanes, |a, b| arithmetic(Arithmetic::Subtract, a, b)),
                Arithmetic::Multiply => self.numbers(*a, *b, lanes, |a, b| arithmetic(Arithmetic::Multiply, a, b)),
                other => self.numbers(*a, *b, lanes, |a, b| arithmetic(*other, a, b)),
            },
            Op::Compare(comparison, ..) | Op::Compared(comparison, ..)
                if (lanes.first.is_some() || lanes.variable.is_some()) && is_about_positions(*comparison) =>
            {
                self.one_by_one(id, lanes)
            }
            Op::Compare(comparison, a, b) => self.compare_lanes(*comparison, *a, *b, lanes),
            Op::Compared(comparison, a, b) => {
                let holds = self.compare_lanes(*comparison, *a, *b, lanes);
                let mut values = self.lanes(*a, lanes);
                for (value, &holds) in values.iter_mut().zip(&holds) {
                    *value = if holds != 0 { *value } else { NONE };
                }
                self.give_back(holds);
                values
            }
            Op::At(place, inner, otherwise) if self.is_uniform(*place, lanes) => match self.position(*place) {
                Some(node) => self.at(node, |runner| runner.lanes(*inner, Lanes { first: None, ..lanes })),
                None => {
                    let mut values = self.buffer();
                    values.resize(lanes.count, *otherwise);
                    values
                }
            },
            Op::If(condition, then, otherwise) => {
                let holds = self.lanes(*condition, lanes);
                let mut values = self.lanes(*then, lanes);
                for (value, &holds) in values.iter_mut().zip(&holds) {
                    *value = if holds != 0 { *value } else { *otherwise };
                }
                self.give_back(holds);
                values
            }
            Op::File(a) => self.each(*a, lanes, file_of),
            Op::Rank(a) => self.each(*a, lanes, rank_of),
            Op::MakeSquare(a, b) => self.both(*a, *b, lanes, make_square),
            Op::Letter(with_color, a) if lanes.first.is_none() => {
                let board = self.board();
                self.each(*a, lanes, |set| letter(board, *with_color, set))
            }
            other => {
                // Variants of a template differ in their squares only, which all that they are made of takes.
                debug_assert!(
                    lanes.variable.is_some() || lanes.first.is_some(),
                    "{other:?} is not computed in lanes"
                );
                self.one_by_one(id, lanes)
            }
        }
    }

    /// Begins to keep the values that are computed one by one at the positions of some lanes, or forgets them.
    pub(super) fn share_columns(&mut self, begins: bool) {
        for (_, column) in self.memory.columns.take().into_iter().flatten() {
            self.give_back(column);
        }
        self.memory.columns = begins.then(Vec::new);
    }

    /// The values of an operation, one after the other: at the positions of the lanes, or here where another position is named.
    fn one_by_one(&mut self, id: Id, lanes: Lanes<'_>) -> Vec<u64> {
        self.shared(id, lanes, |runner| runner.in_some_lanes(id, lanes, |_| true))
    }

    /// The values of an operation that may be kept, or are computed.
    fn shared(&mut self, id: Id, lanes: Lanes<'_>, compute: impl FnOnce(&mut Self) -> Vec<u64>) -> Vec<u64> {
        let is_shared = lanes.first.is_some() && lanes.variable.is_none();
        let Some(columns) = self.memory.columns.as_ref().filter(|_| is_shared) else {
            return compute(self);
        };
        let mut values = self.memory.buffers.pop().unwrap_or_default();
        if let Some((_, column)) = columns.iter().find(|(other, _)| *other == id) {
            values.extend_from_slice(column);
            return values;
        }
        let column = compute(self);
        values.extend_from_slice(&column);
        self.memory.columns.get_or_insert_default().push((id, column));
        values
    }

    /// The squares that a `move` filter names whose sets are the same at all of these positions.
    fn moves_from(&mut self, m: &MoveOp, first: u32, count: usize) -> Vec<u64> {
        let mut sets = m.squares.map(|set| set.map(|set| self.value(set)));
        let mut values = self.buffer();
        let game = self.game;
        if game.has_variations() || !m.names_sides_only() {
            values.extend((first..).take(count).map(|node| {
                let squares = game.children(node);
                squares.fold(0, |all, child| all | self.squares_of_move(m, child, &mut sets))
            }));
            return values;
        }
        let [from, to, ..] = sets.map(|set| Bitboard(set.unwrap_or(u64::MAX)));
        values.extend((first + 1..).take(count).map(|child| {
            // No move leaves the last position.
            let last_move = if child <= game.last_node() {
                game.last_move(child)
            } else {
                None
            };
            last_move.map_or(0, |last_move| {
                let (origin, target) = leader(last_move);
                let square = if m.value == MoveValue::From { origin } else { target };
                match from.contains(origin) && to.contains(target) {
                    true => Bitboard::from_square(square).0,
                    false => 0,
                }
            })
        }));
        values
    }

    /// The values of an operation, one after the other, in the lanes in which they are wanted; 0 stands for the others.
    fn in_some_lanes(&mut self, id: Id, lanes: Lanes<'_>, is_wanted: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut values = self.buffer();
        values.resize(lanes.count, 0);
        let here = self.node;
        for (lane, place) in values.iter_mut().enumerate().filter(|(lane, _)| is_wanted(*lane)) {
            if let Some(first) = lanes.first {
                self.node = first + node_at(lane);
            }
            if let Some((variable, values)) = lanes.variable {
                self.memory.set(variable, values[lane]);
            }
            *place = self.value(id);
        }
        self.node = here;
        values
    }

    fn compare_lanes(&mut self, comparison: Comparison, a: Id, b: Id, lanes: Lanes<'_>) -> Vec<u64> {
        let holds = |compare: fn(&i64, &i64) -> bool| {
            move |a: u64, b: u64| u64::from(a != NONE && b != NONE && compare(&a.cast_signed(), &b.cast_signed()))
        };
        match comparison {
            Comparison::Equal => self.both(a, b, lanes, |a, b| u64::from(a == b && a != NONE)),
            Comparison::Less => self.both(a, b, lanes, holds(|a, b| ordered(Comparison::Less, a, b))),
            Comparison::LessEqual => self.both(a, b, lanes, holds(|a, b| ordered(Comparison::LessEqual, a, b))),
            Comparison::Greater => self.both(a, b, lanes, holds(|a, b| ordered(Comparison::Greater, a, b))),
            Comparison::GreaterEqual => self.both(a, b, lanes, holds(|a, b| ordered(Comparison::GreaterEqual, a, b))),
            other => unreachable!("{other:?} compares positions"),
        }
    }

    /// Whether an operation has the same value in all lanes.
    fn is_uniform(&self, id: Id, lanes: Lanes<'_>) -> bool {
        let info = &self.formulas.infos[id as usize];
        !info.has_holes
            && (lanes.first.is_none() || !info.here)
            && lanes
                .variable
                .is_none_or(|(variable, _)| !info.variables.contains(&variable))
    }

    fn each(&mut self, a: Id, lanes: Lanes<'_>, f: impl Fn(u64) -> u64) -> Vec<u64> {
        let mut values = self.lanes(a, lanes);
        values.iter_mut().for_each(|value| *value = f(*value));
        values
    }

    fn both(&mut self, a: Id, b: Id, lanes: Lanes<'_>, f: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        let mut values = self.lanes(a, lanes);
        if self.is_uniform(b, lanes) {
            let b = self.value(b);
            values.iter_mut().for_each(|value| *value = f(*value, b));
            return values;
        }
        if a == b {
            values.iter_mut().for_each(|value| *value = f(*value, *value));
            return values;
        }
        let others = self.lanes(b, lanes);
        for (value, &other) in values.iter_mut().zip(&others) {
            *value = f(*value, other);
        }
        self.give_back(others);
        values
    }

    fn numbers(&mut self, a: Id, b: Id, lanes: Lanes<'_>, f: impl Fn(i32, i32) -> Option<i32>) -> Vec<u64> {
        self.both(a, b, lanes, |a, b| match (number(a), number(b)) {
            (Some(a), Some(b)) => of_option(f(a, b)),
            _ => NONE,
        })
    }

    /// `keeps_zero` says that nothing changes a zero, so that the rest is not needed where all are zero.
    fn chain(&mut self, list: &[Id], lanes: Lanes<'_>, keeps_zero: bool, f: impl Fn(u64, u64) -> u64) -> Vec<u64> {
        let Some((&first, rest)) = list.split_first() else {
            unreachable!("an empty list is uniform");
        };
        let mut values = self.lanes(first, lanes);
        for &part in rest {
            if keeps_zero && values.iter().all(|&value| value == 0) {
                break;
            }
            let others = match keeps_zero {
                true => self.lanes_among(part, lanes, &values),
                false => self.lanes(part, lanes),
            };
            for (value, &other) in values.iter_mut().zip(&others) {
                *value = f(*value, other);
            }
            self.give_back(others);
        }
        values
    }

    /// The same as [`Runner::lanes`], where values are needed in those lanes alone in which others are not 0: at few positions, they
    /// are computed one by one.
    pub(super) fn lanes_among(&mut self, id: Id, lanes: Lanes<'_>, others: &[u64]) -> Vec<u64> {
        let wanted = others.iter().filter(|&&other| other != 0).count();
        let at_positions = lanes.first.is_some() && lanes.variable.is_none();
        match at_positions && wanted * FEW < lanes.count {
            true => self.in_some_lanes(id, lanes, |lane| others[lane] != 0),
            false => self.lanes(id, lanes),
        }
    }

    fn buffer(&mut self) -> Vec<u64> {
        self.memory.buffers.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&mut self, mut buffer: Vec<u64>) {
        buffer.clear();
        self.memory.buffers.push(buffer);
    }
}
