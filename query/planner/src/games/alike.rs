//! Where a game has another position that is like this one: for each position of the game, what is compared is found once.
//! Positions in which the numbers and sets are the same are brought together; only such pairs are looked at.

use std::iter::zip;

use chess::{Mailbox, PackedMove};

use super::found_moves::FoundMoves;
use super::spans::GameMarks;
use crate::expr::{Alike, Men, holds};
use crate::positions::PositionSet;

impl Alike {
    /// The positions for which the game has a target that is alike.
    pub(super) fn pass(&self, targets: &PositionSet, marks: &GameMarks, moves: &FoundMoves<'_>) -> PositionSet {
        let mut out = targets.clone();
        out.words_mut().fill(0);
        let mut compared = Compared::default();
        for game in &marks.games {
            if targets.first_in(game.clone()).is_none() {
                continue;
            }
            moves.line(game.start, &mut |board, line| {
                compared.read(self, board, line);
                let places = compared.count.min(game.end - game.start);
                compared.group(places, |place| targets.contains(game.start + place));
                for place in 0..places {
                    if compared.has_partner(self, place) {
                        out.insert(game.start + place);
                    }
                }
            });
        }
        out
    }

    /// Whether the target, at a place in the game, may be the partner of a position at another one.
    fn may_be_at(&self, target: u32, place: u32) -> bool {
        let side = match target.cmp(&place) {
            std::cmp::Ordering::Less => self.before,
            std::cmp::Ordering::Equal => self.itself,
            std::cmp::Ordering::Greater => self.after,
        };
        side && self.distance.contains(&target.abs_diff(place))
    }

    /// Whether all squares have to be the same.
    fn has_same_board(&self) -> bool {
        self.same_contents == (64..=64)
    }

    /// Whether the common squares of each pair of positions have to be counted.
    fn counts_contents(&self) -> bool {
        !self.has_same_board() && self.same_contents != (0..=64)
    }

    /// Whether all that is asked of partners is that their keys are the same, and how far away they are at least.
    fn is_simple(&self) -> bool {
        !self.itself && *self.distance.end() == u32::MAX && self.compared.is_empty() && !self.counts_contents()
    }
}

/// What is compared in the positions of a game, in memory that is used for the next game, too.
#[derive(Debug, Default)]
struct Compared {
    /// How many positions there are.
    count: u32,
    /// How many words the keys of a position have: the sets and numbers that have to be the same.
    width: usize,
    /// Whether a position has the same keys as a target as it has when it looks for one.
    is_symmetric: bool,
    /// The keys of the targets, position by position, and those of the positions that look for a target. If they are the
    /// same, the first ones are left out.
    keys: [Vec<u64>; 2],
    /// By comparison, the two numbers in each position.
    numbers: Vec<[i64; 2]>,
    /// By position, what stands on each square.
    contents: Vec<[u64; 4]>,
    /// By slot, one more than the number of the group; 0 if the slot is free.
    slots: Vec<u32>,
    /// The groups of targets with the same keys.
    groups: Vec<Group>,
    /// By position, what is known of it as a target.
    targets: Vec<Target>,
}

/// A position as a target.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// One more than the number of its group; 0 if it is no target.
    group: u32,
    /// The next target of the group before this one.
    before: u32,
    /// The next target of the group behind this one.
    after: u32,
}

/// No position.
const NONE: u32 = u32::MAX;

/// Targets with the same keys.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    last: u32,
    /// The last one before the position that looks for a target.
    passed: u32,
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a game has fewer positions than a segment, which has at most 32 bits of them"
)]
impl Compared {
    /// Finds what is compared in the positions of a game.
    fn read(&mut self, alike: &Alike, board: &Mailbox, line: &[PackedMove]) {
        self.width = alike.sets.len()
            + alike.numbers.len()
            + usize::from(alike.same_turn)
            + if alike.has_same_board() { 4 } else { 0 };
        self.is_symmetric = alike.sets.iter().all(|[there, here]| there == here)
            && alike.numbers.iter().all(|[there, here]| there == here);
        self.keys.iter_mut().for_each(Vec::clear);
        self.numbers.clear();
        self.contents.clear();
        self.count = 0;
        let mut board = board.clone();
        let mut men = Men::of(&board);
        self.read_position(alike, &men, 0);
        for (place, &m) in (1..).zip(line) {
            men.play(&mut board, m);
            self.read_position(alike, &men, place);
        }
    }

    fn read_position(&mut self, alike: &Alike, men: &Men, place: u64) {
        for (side, keys) in self.keys.iter_mut().enumerate().skip(usize::from(self.is_symmetric)) {
            keys.extend(alike.sets.iter().map(|sets| sets[side].on(men).unwrap_or_default().0));
            let numbers = alike.numbers.iter().map(|numbers| numbers[side].on(men));
            keys.extend(numbers.map(|number| number.unwrap_or_default().cast_unsigned()));
            if alike.same_turn {
                keys.push(place & 1);
            }
            if alike.has_same_board() {
                keys.extend(men.digits());
            }
        }
        for (_, numbers) in &alike.compared {
            let number = |index: usize| numbers[index].on(men).unwrap_or_default();
            self.numbers.push([number(0), number(1)]);
        }
        if alike.counts_contents() {
            self.contents.push(men.digits());
        }
        self.count += 1;
    }

    /// Brings the targets with the same keys together.
    fn group(&mut self, places: u32, is_target: impl Fn(u32) -> bool) {
        let slots = (2 * self.count as usize).next_power_of_two();
        self.slots.clear();
        self.slots.resize(slots, 0);
        self.groups.clear();
        self.targets.clear();
        for place in 0..places {
            let mut target = Target {
                group: 0,
                before: NONE,
                after: NONE,
            };
            if is_target(place) {
                let slot = self.slot(self.keys_there(place));
                match self.slots[slot].checked_sub(1) {
                    Some(group) => {
                        let group = &mut self.groups[group as usize];
                        target.before = std::mem::replace(&mut group.last, place);
                        self.targets[target.before as usize].after = place;
                    }
                    None => {
                        self.groups.push(Group {
                            first: place,
                            last: place,
                            passed: NONE,
                        });
                        self.slots[slot] = self.groups.len() as u32;
                    }
                }
                target.group = self.slots[slot];
            }
            self.targets.push(target);
        }
    }

    /// The keys of a position that looks for a target.
    fn keys_here(&self, place: u32) -> &[u64] {
        &self.keys[1][place as usize * self.width..][..self.width]
    }

    /// The keys of a target.
    fn keys_there(&self, place: u32) -> &[u64] {
        &self.keys[usize::from(self.is_symmetric)][place as usize * self.width..][..self.width]
    }

    /// The slot of the group of targets that have these keys, or the free slot where such a group belongs.
    fn slot(&self, keys: &[u64]) -> usize {
        let mixed = keys.iter().fold(0u64, |mixed, key| {
            let mixed = (mixed ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^ mixed >> 32
        });
        let mask = self.slots.len() - 1;
        let mut slot = mixed as usize & mask;
        while let Some(group) = self.slots[slot].checked_sub(1) {
            let other = self.keys_there(self.groups[group as usize].first);
            if zip(keys, other).all(|(key, other)| key == other) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Whether a position has a target that is like it. Positions are asked in order.
    fn has_partner(&mut self, alike: &Alike, place: u32) -> bool {
        let own = self.targets[place as usize].group;
        let found = match (own, self.is_symmetric) {
            (1.., true) => own,
            _ => self.slots[self.slot(self.keys_here(place))],
        };
        let is_found = found.checked_sub(1).is_some_and(|group| {
            let group = self.groups[group as usize];
            match alike.is_simple() {
                // The first and the last target are the farthest.
                true => [group.first, group.last]
                    .iter()
                    .any(|&target| alike.may_be_at(target, place)),
                false => self.has_partner_in(alike, group, place),
            }
        });
        if let Some(group) = own.checked_sub(1) {
            self.groups[group as usize].passed = place;
        }
        is_found
    }

    /// Whether a position has a target that is like it among those with the right keys. The nearest have most in common.
    fn has_partner_in(&self, alike: &Alike, group: Group, place: u32) -> bool {
        let (mut before, mut after) = match group.passed {
            NONE => (NONE, group.first),
            passed => (passed, self.targets[passed as usize].after),
        };
        if !alike.before {
            before = NONE;
        }
        if !alike.after && !alike.itself {
            after = NONE;
        }
        while (before, after) != (NONE, NONE) {
            for target in [before, after] {
                if target != NONE && alike.may_be_at(target, place) && self.are_alike(alike, target, place) {
                    return true;
                }
            }
            let beside = |target: u32| self.targets.get(target as usize);
            before = beside(before).map_or(NONE, |target| target.before);
            after = beside(after).map_or(NONE, |target| target.after);
        }
        false
    }

    /// Whether a target and a position have in common what is asked besides their keys.
    fn are_alike(&self, alike: &Alike, target: u32, place: u32) -> bool {
        if alike.counts_contents() {
            let differ = zip(self.contents[target as usize], self.contents[place as usize])
                .fold(0, |differ, (there, here)| differ | there ^ here);
            if !alike.same_contents.contains(&differ.count_zeros()) {
                return false;
            }
        }
        let comparisons = alike.compared.len();
        alike.compared.iter().enumerate().all(|(index, &(comparison, _))| {
            let [there, _] = self.numbers[target as usize * comparisons + index];
            let [_, here] = self.numbers[place as usize * comparisons + index];
            holds(comparison, there, here)
        })
    }
}
