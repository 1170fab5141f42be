//! The targets of a game with the same keys, brought together.

use std::iter::zip;

use super::super::keys::Keys;

/// Targets with the same keys and, if that is compared, the same side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// One of the runs of targets that have these keys.
    run: usize,
    turn: usize,
    pub(super) first: u32,
    pub(super) last: u32,
}

/// All groups of targets of a game.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    /// By slot, one more than the number of the group; 0 if the slot is free.
    slots: Vec<u32>,
    /// By run of targets with keys and by turn, the group of those that were added.
    pub(super) of_runs: Vec<[Option<usize>; 2]>,
}

impl Groups {
    /// Forgets all groups, and makes room for those of a game with this number of positions.
    pub(super) fn clear(&mut self, places: u32) {
        self.all.clear();
        self.of_runs.clear();
        self.slots.clear();
        self.slots.resize((2 * places as usize).next_power_of_two(), 0);
    }

    /// The slot of the group that has certain keys and a turn, or the free slot where such a group belongs; `targets` has the
    /// keys of the targets.
    #[expect(clippy::cast_possible_truncation, reason = "the mask leaves few bits")]
    fn slot(&self, targets: &Keys<'_>, keys: &[u64], turn: usize) -> usize {
        let mixed = keys.iter().fold(turn as u64, |mixed, key| {
            let mixed = (mixed ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        });
        let mask = self.slots.len() - 1;
        let mut slot = mixed as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            let group = &self.all[number as usize];
            if group.turn == turn && zip(targets.row(group.run), keys).all(|(other, key)| other == key) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The group of the targets that have certain keys and a turn, by its number, if there is one.
    pub(super) fn find(&self, targets: &Keys<'_>, keys: &[u64], turn: usize) -> Option<usize> {
        let number = self.slots[self.slot(targets, keys, turn)].checked_sub(1)?;
        Some(number as usize)
    }

    /// Adds a target of a run; returns the number of its group, and the last target that this had before.
    pub(super) fn add(&mut self, targets: &Keys<'_>, run: usize, turn: usize, place: u32) -> (usize, Option<u32>) {
        let slot = self.slot(targets, targets.row(run), turn);
        match self.slots[slot].checked_sub(1) {
            Some(number) => {
                let number = number as usize;
                (number, Some(self.add_to(number, place)))
            }
            None => {
                self.all.push(Group {
                    run,
                    turn,
                    first: place,
                    last: place,
                });
                self.slots[slot] = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
                (self.all.len() - 1, None)
            }
        }
    }

    /// Adds a target to a group; returns the last one that it had before.
    pub(super) fn add_to(&mut self, number: usize, place: u32) -> u32 {
        std::mem::replace(&mut self.all[number].last, place)
    }
}
