//! Conditions on the next move, for all positions of a block at once.

use std::sync::Arc;

use postings::BLOCK_SIZE;

use super::Sweep;
use crate::expr::MoveGroup;
use crate::plane::{Plane, ZERO, and_not, is_zero, or};

/// A block for which moves were read.
#[derive(Debug)]
pub(super) struct MovesRead {
    group: Arc<MoveGroup>,
    /// How many ids later than the positions of the block.
    offset: i32,
    block: u32,
    /// Those positions of the block whose games were read.
    positions: Plane,
}

impl Sweep<'_> {
    /// Where a condition on the next move holds in the block.
    pub(super) fn moves_into(&mut self, group: &Arc<MoveGroup>, number: usize, out: &mut Plane) {
        let offset = self.offset();
        self.read_moves(group, offset);
        match &self.selection {
            None => {
                let start = self.start_of_block();
                self.moves.ask(group, |found| found.plane_into(number, start, out));
            }
            Some(selection) => {
                *out = ZERO;
                let positions = selection.block(self.block);
                self.moves.ask(group, |found| {
                    for (at, &position) in positions.iter().enumerate() {
                        let there = position
                            .checked_add_signed(offset)
                            .is_some_and(|there| found.contains(number, there));
                        out[at / 64] |= u64::from(there) << (at % 64);
                    }
                });
            }
        }
    }

    /// Whether a condition on the next move may hold in the block.
    pub(super) fn may_move(&mut self, group: &Arc<MoveGroup>, number: usize) -> bool {
        self.read_moves(group, self.offset());
        let start = self.start_of_block();
        self.selection.is_some() || self.moves.ask(group, |found| found.may_hold(number, start))
    }

    /// Where the positions begin that the block stands for.
    fn start_of_block(&self) -> i64 {
        i64::from(self.block) * i64::from(BLOCK_SIZE) + i64::from(self.offset())
    }

    /// Reads the moves of the games in which the positions are that still matter.
    fn read_moves(&mut self, group: &Arc<MoveGroup>, offset: i32) {
        let is_it = |read: &MovesRead| read.offset == offset && Arc::ptr_eq(&read.group, group);
        let place = self.moves_read.iter().position(is_it);
        let place = place.unwrap_or_else(|| {
            self.moves_read.push(MovesRead {
                group: Arc::clone(group),
                offset,
                block: u32::MAX,
                positions: ZERO,
            });
            self.moves_read.len() - 1
        });
        let read = &mut self.moves_read[place];
        if read.block != self.block {
            (read.block, read.positions) = (self.block, ZERO);
        }
        let mut new = self.demand;
        and_not(&mut new, &read.positions);
        if is_zero(&new) {
            return;
        }
        or(&mut read.positions, &new);
        let there = |position: u32| position.checked_add_signed(offset);
        match &self.selection {
            None => {
                let start = self.block * BLOCK_SIZE;
                if let (Some(first), Some(last)) = (there(start), there(start + BLOCK_SIZE - 1))
                    && self.moves.has_read(group, first, last)
                {
                    return;
                }
                self.moves.read(group, |from| {
                    let from = from.checked_add_signed(-offset).unwrap_or(0);
                    there(start + bits::next(&new, from.saturating_sub(start))?)
                });
            }
            Some(selection) => {
                let positions = selection.block(self.block);
                let asked = bits::ones_of(&new).filter_map(|number| positions.get(number as usize).copied());
                let mut asked = asked.filter_map(there);
                self.moves.read(group, |from| asked.find(|&position| position >= from));
            }
        }
    }
}
