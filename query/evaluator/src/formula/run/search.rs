//! Loops over squares and pieces, and searches for a position.

use std::sync::atomic::Ordering;

use shakmaty::Bitboard;

use super::super::{Id, Loop, NONE, Op};
use super::lanes::Lanes;
use super::{Runner, place};

/// How many turns of a loop are computed side by side first.
const FIRST_LANES: usize = 8;

/// How many turns are computed one by one before, where the first that fails ends the loop.
const FIRST_TURNS: usize = 4;

/// After how many turns of loops the request to stop is looked at.
const TURNS: u64 = 1 << 9;

/// When a loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// After the last square.
    End,
    /// At the first square for which its body holds.
    Holds,
    /// At the first square for which its body fails.
    Fails,
}

impl Runner<'_> {
    /// Runs a loop whose turns can be computed side by side, some turns at a time.
    fn turns_in_lanes(&mut self, inner: &Loop, until: Until) -> u64 {
        let (mut found, mut found_all) = (Bitboard::EMPTY, true);
        let mut squares = [0u8; 64];
        let mut values = [0u64; 64];
        let mut count = 0;
        for square in self.set(inner.domain) {
            let value = match inner.pieces {
                true => match self.game.identity(self.node, square) {
                    Some(id) => u64::from(id),
                    None => continue,
                },
                false => Bitboard::from_square(square).0,
            };
            (squares[count], values[count]) = (u8::from(square), value);
            count += 1;
        }
        let mut from = 0;
        while from < count {
            if self.is_due() {
                break;
            }
            // The first turns often decide.
            if until == Until::Fails && from < FIRST_TURNS {
                self.memory.set(inner.variable, values[from]);
                if !self.holds(inner.body) {
                    return 0;
                }
                from += 1;
                continue;
            }
            let to = match from {
                0 | FIRST_TURNS => count.min(from + FIRST_LANES),
                _ => count,
            };
            let lanes = Lanes {
                count: to - from,
                table: &[],
                variable: Some((inner.variable, &values[from..to])),
                first: None,
            };
            let holding = self.lanes(inner.body, lanes);
            for (&square, &holds) in squares[from..to].iter().zip(&holding) {
                if holds != 0 {
                    found.0 |= 1 << square;
                }
                found_all &= holds != 0;
            }
            self.give_back(holding);
            let decided = match until {
                Until::End => false,
                Until::Holds => found.any(),
                Until::Fails => !found_all,
            };
            if decided {
                break;
            }
            from = to;
        }
        match until {
            Until::Fails => u64::from(found_all),
            _ => found.0,
        }
    }

    /// Runs a loop: the squares for which its body holds, as far as it goes; for all, whether it holds for all.
    pub(super) fn turns(&mut self, inner: &Loop, until: Until) -> u64 {
        if inner.side_by_side {
            return self.turns_in_lanes(inner, until);
        }
        let mut found = Bitboard::EMPTY;
        let possible = match inner.before {
            Some(body) => {
                let before = Loop { body, ..*inner };
                Bitboard(self.turns_in_lanes(&before, Until::End))
            }
            None => Bitboard::FULL,
        };
        for square in self.set(inner.domain) {
            if self.is_due() {
                break;
            }
            if !possible.contains(square) && until != Until::Fails {
                continue;
            }
            let value = match inner.pieces {
                true => match self.game.identity(self.node, square) {
                    Some(id) => u64::from(id),
                    None => continue,
                },
                false => Bitboard::from_square(square).0,
            };
            self.memory.set(inner.variable, value);
            match possible.contains(square) && self.holds(inner.body) {
                true => found.add(square),
                false if until == Until::Fails => return 0,
                false => continue,
            }
            if until == Until::Holds {
                break;
            }
        }
        match until {
            Until::Fails => 1,
            _ => found.0,
        }
    }

    fn is_stopped(&mut self) -> bool {
        let stop = self.limits.stop.as_ref();
        self.given_up |= stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.given_up
    }

    pub(super) fn find(&mut self, backward: bool, condition: Id) -> u64 {
        let (here, bound) = (self.node, self.bound_move.take());
        let found = match backward {
            true => self.find_backward(condition),
            false if !self.formulas.infos[condition as usize].assigned.is_empty() => self.find_in_turn(condition),
            false => self.find_forward(condition),
        };
        self.node = here;
        self.bound_move = bound;
        found.map_or(NONE, u64::from)
    }

    fn find_backward(&mut self, condition: Id) -> Option<u32> {
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.is_due() {
                break;
            }
            self.node = node;
            if self.holds(condition) {
                return Some(node);
            }
            next = self.game.parent(node);
        }
        None
    }

    /// One position after the other.
    fn find_in_turn(&mut self, condition: Id) -> Option<u32> {
        for node in self.node..=self.game.last_descendant(self.node) {
            if self.is_due() {
                break;
            }
            self.node = node;
            if self.holds(condition) {
                return Some(node);
            }
        }
        None
    }

    /// Some positions at a time.
    fn find_forward(&mut self, condition: Id) -> Option<u32> {
        let last = self.game.last_descendant(self.node);
        if !self.may_hold_below(condition) {
            return None;
        }
        if let Some(piece) = self.needed_piece(condition) {
            return self.find_before_moves_of(piece, condition, last);
        }
        let mut from = self.node;
        let mut count = 4;
        while from <= last && !self.is_due() {
            let lanes = Lanes {
                count: count.min((last - from) as usize + 1),
                table: &[],
                variable: None,
                first: Some(from),
            };
            let holding = self.lanes(condition, lanes);
            let found = (from..)
                .zip(&holding)
                .find(|&(_, &holds)| holds != 0)
                .map(|(node, _)| node);
            let tested = holding.len();
            self.give_back(holding);
            if found.is_some() {
                return found;
            }
            from += u32::try_from(tested).unwrap_or(u32::MAX);
            count = 32;
        }
        None
    }

    /// Whether a condition may hold here or below, judged by the squares to which its pieces come.
    fn may_hold_below(&mut self, condition: Id) -> bool {
        let formulas = self.formulas;
        match &formulas.code[condition as usize].op {
            Op::And(list) => list.iter().all(|&part| self.may_hold_below(part)),
            &Op::SameSet(a, b) => [(a, b), (b, a)].into_iter().all(|(piece, set)| {
                let Op::Piece(variable) = formulas.code[piece as usize].op else {
                    return true;
                };
                let is_fixed = !formulas.infos[set as usize].here && !formulas.infos[set as usize].bound_move;
                let Some(id) = u8::try_from(self.variable(variable)).ok().filter(|_| is_fixed) else {
                    return true;
                };
                let (set, here) = (self.set(set), place(self.game, self.node, self.variable(variable)));
                // A piece that is captured is nowhere.
                set.is_subset(self.game.squares_ahead(self.node, id) | Bitboard(here))
            }),
            _ => true,
        }
    }

    /// The piece of a variable without whose moves a condition never holds.
    fn needed_piece(&self, condition: Id) -> Option<u8> {
        let code = &self.formulas.code;
        match &code[condition as usize].op {
            Op::And(list) => list.iter().find_map(|&part| self.needed_piece(part)),
            Op::Any(dash) => match code[*dash as usize].op {
                Op::Dash(ref dash) if !dash.is_last => match code[dash.from as usize].op {
                    Op::Piece(variable) => u8::try_from(self.variable(variable)).ok().filter(|&id| id < 64),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// The first of the positions that a piece moves in, where a condition holds.
    fn find_before_moves_of(&mut self, piece: u8, condition: Id, last: u32) -> Option<u32> {
        let game = self.game;
        let next = |from: u32| game.next_move_of(1 << piece, from, last);
        let heads = std::iter::successors(next(self.node + 1), |&child| next(child + 1));
        let mut heads: Vec<u32> = heads.filter_map(|child| game.parent(child)).collect();
        // A variation may leave an earlier position.
        heads.sort_unstable();
        for head in heads {
            if self.is_due() {
                break;
            }
            self.node = head;
            if self.holds(condition) {
                return Some(head);
            }
        }
        None
    }

    /// Counts a turn, and looks at times whether the query is to be stopped.
    pub(super) fn is_due(&mut self) -> bool {
        self.memory.turns += 1;
        self.given_up || self.memory.turns.is_multiple_of(TURNS) && self.is_stopped()
    }
}
