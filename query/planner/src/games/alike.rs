//! Where a game has another position that is like this one: for each position of the game, what is compared is found once.
//! Positions in which the numbers and sets are the same are brought together; only such pairs are looked at.

use std::{iter::zip, ops::Range};

use chess::{Mailbox, PackedMove};
use language::hir::Comparison;

use super::found_moves::FoundMoves;
use super::keys::{HERE, Keys, THERE, read_game};
use super::repeatable::Repeatable;
use super::spans::GameMarks;
use crate::expr::{Alike, Men, holds};
use crate::positions::PositionSet;

impl Alike {
    /// The positions for which the game has a target that is alike, of those that are asked about; others may be anything.
    pub(super) fn pass(
        &self,
        asked: &PositionSet,
        targets: &PositionSet,
        marks: &GameMarks,
        moves: &FoundMoves<'_>,
    ) -> PositionSet {
        let mut out = targets.empty();
        if self.compares_places_only() {
            for game in &marks.games {
                self.mark_places(targets, game, &mut out);
            }
            return out;
        }
        let mut compared = Compared::of(self);
        for game in &marks.games {
            if targets.first_in(game.clone()).is_none() || asked.first_in(game.clone()).is_none() {
                continue;
            }
            let is_asked = |place: u32| asked.contains(game.start + place);
            moves.line(game.start, &mut |board, line| {
                let places = compared.read(board, line, is_asked).min(game.end - game.start);
                compared.group(places, |place| targets.contains(game.start + place));
                for place in 0..places {
                    if compared.has_partner(place) {
                        out.insert(game.start + place);
                    }
                }
            });
        }
        out
    }

    /// Marks the positions of a game that have a target as far away as is asked, which is all that is asked.
    fn mark_places(&self, targets: &PositionSet, game: &Range<u32>, out: &mut PositionSet) {
        let (nearest, farthest) = (*self.distance.start(), *self.distance.end());
        if nearest > farthest {
            return;
        }
        let nearest_other = nearest.max(1);
        let words = targets.words_in(game.clone());
        for target in words.flat_map(|(first, word)| bits::ones(word).map(move |bit| first + bit)) {
            if self.itself && nearest == 0 {
                out.insert(target);
            }
            if nearest_other > farthest {
                continue;
            }
            // Positions before the target are those that have it after them.
            if self.after && target - game.start >= nearest_other {
                let first = target.saturating_sub(farthest).max(game.start);
                out.set_range(first..target - nearest_other + 1, true);
            }
            if self.before && game.end - target > nearest_other {
                let last = target.saturating_add(farthest).min(game.end - 1);
                out.set_range(target + nearest_other..last + 1, true);
            }
        }
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
    pub(super) fn has_same_board(&self) -> bool {
        self.same_contents == (64..=64)
    }

    /// Whether the common squares of each pair of positions have to be counted.
    fn counts_contents(&self) -> bool {
        !self.has_same_board() && self.same_contents != (0..=64)
    }

    /// How partners are looked for.
    fn look(&self) -> Look {
        let (least, most) = (*self.distance.start(), *self.distance.end());
        if least == most && least > 0 {
            return Look::At(least);
        }
        match self.compared[..] {
            _ if most < u32::MAX || self.counts_contents() => Look::Beside,
            [] if !self.itself => Look::Farthest,
            [(comparison, _)] if least <= 1 && comparison != Comparison::Equal => Look::Best(comparison),
            _ => Look::Beside,
        }
    }
}

/// How a position's partner is looked for among the targets with the right keys.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Look {
    /// So many moves away.
    At(u32),
    /// At the first and the last one: it is only asked how far away they are at least.
    Farthest,
    /// At the one whose number is largest or smallest: one number has to be larger than another, and nothing else is asked.
    Best(Comparison),
    /// At one after the other, the nearest first.
    Beside,
}

/// What is compared in the positions of a game, in memory that is used for the next game, too.
#[derive(Debug)]
struct Compared<'a> {
    alike: &'a Alike,
    look: Look,
    /// The keys of the targets, and those of the positions that look for a target, if these differ.
    keys: Vec<Keys<'a>>,
    /// By comparison, the two numbers in each position.
    numbers: Vec<[i64; 2]>,
    /// By position, what stands on each square.
    contents: Vec<Contents>,
    /// The positions whose board may be that of another one, if that is asked.
    repeatable: Option<Repeatable>,
    /// By slot, one more than the number of the group; 0 if the slot is free.
    slots: Vec<u32>,
    /// The slots that were found last, by side to move if the keys tell.
    recent: [Recent; 2],
    /// The groups of targets with the same keys.
    groups: Vec<Group>,
    /// By position, one more than the number of its group; 0 if it is no target.
    group_of: Vec<u32>,
    /// By position, the targets beside it, unless the first and the last one of a group are enough.
    beside: Vec<Beside>,
    /// By target, the number that is best to compare with, of those of its group up to it, and of those from it on; if numbers
    /// have an order only.
    best: Vec<[i64; 2]>,
}

/// The targets up to one, and from one on.
const UP_TO: usize = 0;
const FROM: usize = 1;

/// The contents of the squares of a board.
#[derive(Debug)]
struct Contents {
    digits: [u64; Men::DIGITS],
    /// How many men there are.
    men: u32,
}

/// The slot of the last keys that were looked up.
#[derive(Clone, Copy, Debug)]
struct Recent {
    /// The first of the positions in a row that have these keys.
    since: u32,
    slot: usize,
}

/// The targets of a group that are next to one of them.
#[derive(Clone, Copy, Debug)]
struct Beside {
    before: u32,
    after: u32,
}

/// No position.
const NONE: u32 = u32::MAX;

/// Nothing was looked up.
const NO_SLOTS: [Recent; 2] = [Recent { since: NONE, slot: 0 }; 2];

/// Targets with the same keys.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: u32,
    last: u32,
    /// The last one before the position that looks for a target.
    passed: u32,
}

impl<'a> Compared<'a> {
    fn of(alike: &'a Alike) -> Compared<'a> {
        let sides = if Keys::are_symmetric(alike) {
            THERE..=THERE
        } else {
            THERE..=HERE
        };
        Compared {
            alike,
            look: alike.look(),
            keys: sides.map(|side| Keys::of(alike, side)).collect(),
            numbers: Vec::new(),
            contents: Vec::new(),
            repeatable: (alike.has_same_board() && !alike.itself).then(Repeatable::default),
            slots: Vec::new(),
            recent: NO_SLOTS,
            groups: Vec::new(),
            group_of: Vec::new(),
            beside: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Finds what is compared in the positions of a game; returns how many positions it has, or 0 if none of those that are asked
    /// about can have a partner.
    fn read(&mut self, board: &Mailbox, line: &[PackedMove], is_asked: impl Fn(u32) -> bool) -> u32 {
        let Compared {
            alike,
            keys,
            numbers,
            contents,
            repeatable,
            ..
        } = self;
        numbers.clear();
        contents.clear();
        if let Some(repeatable) = repeatable {
            repeatable.read(board, line);
            if !repeatable.iter().any(is_asked) {
                return 0;
            }
        }
        let repeatable = repeatable.as_ref();
        let is_wanted = |place| may_have_partner(repeatable, place);
        read_game(keys, board, line, is_wanted, |men| {
            for (_, compared) in &alike.compared {
                let number = |index: usize| compared[index].on(men).unwrap_or_default();
                numbers.push([number(THERE), number(HERE)]);
            }
            if alike.counts_contents() {
                contents.push(Contents {
                    digits: men.digits(),
                    men: men.count(),
                });
            }
        });
        u32::try_from(line.len() + 1).unwrap_or(u32::MAX)
    }

    /// Brings the targets with the same keys together.
    fn group(&mut self, places: u32, is_target: impl Fn(u32) -> bool) {
        let slots = (2 * places as usize).next_power_of_two();
        self.slots.clear();
        self.slots.resize(slots, 0);
        self.recent = NO_SLOTS;
        self.groups.clear();
        self.group_of.clear();
        self.beside.clear();
        if self.look != Look::Farthest {
            let nothing = Beside {
                before: NONE,
                after: NONE,
            };
            self.beside.resize(places as usize, nothing);
        }
        for place in 0..places {
            if !is_target(place) || !may_have_partner(self.repeatable.as_ref(), place) {
                self.group_of.push(0);
                continue;
            }
            let slot = self.slot(THERE, place);
            match self.slots[slot].checked_sub(1) {
                Some(group) => {
                    let group = &mut self.groups[group as usize];
                    let before = std::mem::replace(&mut group.last, place);
                    if !self.beside.is_empty() {
                        self.beside[place as usize].before = before;
                        self.beside[before as usize].after = place;
                    }
                }
                None => {
                    self.groups.push(Group {
                        first: place,
                        last: place,
                        passed: NONE,
                    });
                    self.slots[slot] = u32::try_from(self.groups.len()).unwrap_or(u32::MAX);
                }
            }
            self.group_of.push(self.slots[slot]);
        }
        self.recent = NO_SLOTS;
        if let Look::Best(comparison) = self.look {
            self.find_best(comparison);
        }
    }

    /// Finds the best numbers to compare with.
    fn find_best(&mut self, comparison: Comparison) {
        let Compared {
            numbers,
            group_of,
            beside,
            best,
            ..
        } = self;
        best.clear();
        best.extend(numbers.iter().map(|number| [number[THERE]; 2]));
        let better = |a: i64, b: i64| match comparison {
            Comparison::Less | Comparison::LessEqual => a.min(b),
            _ => a.max(b),
        };
        let is_target = |place: usize| group_of[place] > 0;
        for place in (0..group_of.len()).filter(|&place| is_target(place)) {
            if let Some(&[known, _]) = best.get(beside[place].before as usize) {
                best[place][UP_TO] = better(best[place][UP_TO], known);
            }
        }
        for place in (0..group_of.len()).rev().filter(|&place| is_target(place)) {
            if let Some(&[_, known]) = best.get(beside[place].after as usize) {
                best[place][FROM] = better(best[place][FROM], known);
            }
        }
    }

    /// Whether a position has the same keys as a target as it has when it looks for one.
    fn is_symmetric(&self) -> bool {
        self.keys.len() == 1
    }

    /// The slot of the group of targets that have the keys that a position has on a side, or the free slot where such a group
    /// belongs.
    fn slot(&mut self, side: usize, place: u32) -> usize {
        let keys = &self.keys[side.min(self.keys.len() - 1)];
        let recent = &mut self.recent[if keys.tell_turns() { place as usize % 2 } else { 0 }];
        let since = keys.since(place);
        if recent.since != since {
            *recent = Recent {
                since,
                slot: find_slot(&self.slots, keys.row(place), |group| {
                    self.keys[THERE].row(self.groups[group as usize].first)
                }),
            };
        }
        recent.slot
    }

    /// Whether a position has a target that is like it. Positions are asked in order.
    fn has_partner(&mut self, place: u32) -> bool {
        if !may_have_partner(self.repeatable.as_ref(), place) {
            return false;
        }
        let own = self.group_of[place as usize];
        let found = match (own, self.is_symmetric()) {
            (1.., true) => own,
            _ => {
                let slot = self.slot(HERE, place);
                self.slots[slot]
            }
        };
        let is_found = found.checked_sub(1).is_some_and(|number| {
            let group = self.groups[number as usize];
            match self.look {
                Look::At(moves) => self.has_partner_at(moves, found, place),
                Look::Farthest => [group.first, group.last]
                    .iter()
                    .any(|&target| self.alike.may_be_at(target, place)),
                Look::Best(comparison) => self.has_best_partner(comparison, group, place),
                Look::Beside => self.has_partner_in(group, place),
            }
        });
        if let Some(group) = own.checked_sub(1) {
            self.groups[group as usize].passed = place;
        }
        is_found
    }

    /// The last target of a group before a position, and the first one that is not before it.
    fn neighbours(&self, group: Group) -> (u32, u32) {
        match group.passed {
            NONE => (NONE, group.first),
            passed => (passed, self.beside[passed as usize].after),
        }
    }

    /// Whether a position has a target that is like it so many moves away, among those of a group.
    fn has_partner_at(&self, moves: u32, group: u32, place: u32) -> bool {
        let before = place.checked_sub(moves).filter(|_| self.alike.before);
        let after = place.checked_add(moves).filter(|_| self.alike.after);
        let is_like_it =
            |target: &u32| self.group_of.get(*target as usize) == Some(&group) && self.are_alike(*target, place);
        before.iter().chain(&after).any(is_like_it)
    }

    /// Whether a position has a target among those with the right keys whose number compares with its own.
    fn has_best_partner(&self, comparison: Comparison, group: Group, place: u32) -> bool {
        let alike = self.alike;
        let (before, mut after) = self.neighbours(group);
        let [_, here] = self.numbers[place as usize];
        let compares = |there: i64| holds(comparison, there, here);
        let best = |target: u32, side: usize| self.best.get(target as usize).map(|best| best[side]);
        if after == place {
            if alike.itself && alike.distance.contains(&0) && compares(self.numbers[place as usize][THERE]) {
                return true;
            }
            after = self.beside[place as usize].after;
        }
        alike.before && best(before, UP_TO).is_some_and(compares)
            || alike.after && best(after, FROM).is_some_and(compares)
    }

    /// Whether a position has a target that is like it among those with the right keys. The nearest have most in common.
    fn has_partner_in(&self, group: Group, place: u32) -> bool {
        let alike = self.alike;
        let (mut before, mut after) = self.neighbours(group);
        if !alike.before {
            before = NONE;
        }
        if !alike.after && !alike.itself {
            after = NONE;
        }
        while (before, after) != (NONE, NONE) {
            for target in [&mut before, &mut after] {
                if *target == NONE {
                    continue;
                }
                // No man comes back, so those that are farther away have more squares that differ, too.
                if target.abs_diff(place) > *alike.distance.end() || self.differ_too_much(*target, place) {
                    *target = NONE;
                } else if alike.may_be_at(*target, place) && self.are_alike(*target, place) {
                    return true;
                }
            }
            let beside = |target: u32| self.beside.get(target as usize);
            before = beside(before).map_or(NONE, |beside| beside.before);
            after = beside(after).map_or(NONE, |beside| beside.after);
        }
        false
    }

    /// Whether more men were captured between two positions than squares may differ.
    fn differ_too_much(&self, target: u32, place: u32) -> bool {
        let men = |place: u32| self.contents.get(place as usize).map_or(0, |contents| contents.men);
        men(target).abs_diff(men(place)) > 64u32.saturating_sub(*self.alike.same_contents.start())
    }

    /// Whether a target and a position have in common what is asked besides their keys.
    fn are_alike(&self, target: u32, place: u32) -> bool {
        let alike = self.alike;
        if alike.counts_contents() {
            let [there, here] = [target, place].map(|place| self.contents[place as usize].digits);
            let differ = zip(there, here).fold(0, |differ, (there, here)| differ | there ^ here);
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

/// Whether the board of a position may be that of another one, if that is asked.
#[inline]
fn may_have_partner(repeatable: Option<&Repeatable>, place: u32) -> bool {
    repeatable.is_none_or(|repeatable| repeatable.contains(place))
}

/// The slot whose group has certain keys, or the free slot where such a group belongs; `keys_of` gives the keys of a group.
#[expect(clippy::cast_possible_truncation, reason = "the mask leaves few bits")]
fn find_slot<'k>(slots: &[u32], keys: &[u64], keys_of: impl Fn(u32) -> &'k [u64]) -> usize {
    let mixed = keys.iter().fold(0u64, |mixed, key| {
        let mixed = (mixed ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    });
    let mask = slots.len() - 1;
    let mut slot = mixed as usize & mask;
    while let Some(group) = slots[slot].checked_sub(1) {
        if zip(keys, keys_of(group)).all(|(key, other)| key == other) {
            break;
        }
        slot = (slot + 1) & mask;
    }
    slot
}
