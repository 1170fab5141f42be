//! Sums over the positions of a game, many positions side by side.

use language::hir::Arithmetic;

use super::super::{SumAll, number};
use super::lanes::Lanes;
use super::{Runner, of_number};
use crate::value::arithmetic;

/// How many positions are computed side by side.
const POSITIONS: u32 = 64;

impl Runner<'_> {
    /// Adds a number to a variable in each position from this one on where a condition holds; how many there are.
    pub(super) fn sum_all(&mut self, all: &SumAll) -> u64 {
        let (here, bound) = (self.node, self.bound_move.take());
        let end = self.game.last_descendant(here) + 1;
        let (mut sum, mut count) = (number(self.variable(all.variable)), 0);
        let mut first = here;
        while first < end && !self.is_due() {
            let next = end.min(first + POSITIONS);
            let lanes = Lanes {
                count: (next - first) as usize,
                table: &[],
                variable: None,
                first: Some(first),
            };
            self.node = first;
            self.share_columns(true);
            let holding = self.lanes(all.condition, lanes);
            let addends = self.lanes_among(all.addend, lanes, &holding);
            self.share_columns(false);
            for (&holds, &addend) in holding.iter().zip(&addends) {
                let added = sum.zip(number(addend).filter(|_| holds != 0));
                if let Some(added) = added.and_then(|(sum, addend)| arithmetic(Arithmetic::Add, sum, addend)) {
                    sum = Some(added);
                    count += 1;
                }
            }
            self.give_back(holding);
            self.give_back(addends);
            first = next;
        }
        if let Some(sum) = sum.filter(|_| count > 0) {
            self.give(all.variable, of_number(sum));
        }
        for local in &all.locals {
            // It keeps the value of the last position where it was assigned.
            for node in (here..end).rev() {
                self.node = node;
                if self.value(local.condition) != 0 {
                    let value = self.value(local.value);
                    self.give(local.variable, value);
                    break;
                }
            }
        }
        self.node = here;
        self.bound_move = bound;
        of_number(count)
    }
}
