//! Where a game has another position that is like this one: for each position of the game, what is compared is found once.
//! Positions in which the numbers and sets are the same are brought together; only such pairs are looked at.

mod groups;

use std::{
    iter::{repeat, zip},
    ops::Range,
};

use chess::{Mailbox, PackedMove};
use language::hir::Comparison;

use self::groups::{Group, Groups};
use super::found_moves::FoundMoves;
use super::keys::{HERE, Keys, THERE, read_game};
use super::repeatable::Repeatable;
use super::spans::GameMarks;
use crate::expr::{Alike, Men, Turns, holds};
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
                let moves = line.len().min((game.end - game.start) as usize - 1);
                if compared.read(board, &line[..moves], is_asked) {
                    compared.mark(targets, game, &mut out);
                }
            });
        }
        out
    }

    /// Marks the positions of a game that have a target as far away as is asked, which is all that is asked.
    fn mark_places(&self, targets: &PositionSet, game: &Range<u32>, out: &mut PositionSet) {
        let words = targets.words_in(game.clone());
        for target in words.flat_map(|(first, word)| bits::ones(word).map(move |bit| first + bit)) {
            for range in self.seekers_of(target, game) {
                out.set_range(range, true);
            }
        }
    }

    /// The positions of a range of the game that are as far away from a target as is asked, and on the right side of it.
    fn seekers_of(&self, target: u32, range: &Range<u32>) -> [Range<u32>; 3] {
        let (nearest, farthest) = (*self.distance.start(), *self.distance.end());
        let nearest_other = nearest.max(1);
        // Positions before the target are those that have it after them.
        let before = match target.checked_sub(nearest_other) {
            Some(last) if self.after => target.saturating_sub(farthest)..last + 1,
            _ => 0..0,
        };
        let after = match target.checked_add(nearest_other) {
            Some(first) if self.before => first..target.saturating_add(farthest).saturating_add(1),
            _ => 0..0,
        };
        let itself = match self.itself && nearest == 0 {
            true => target..target + 1,
            false => 0..0,
        };
        [before, itself, after].map(|found| {
            let start = found.start.max(range.start);
            start..found.end.min(range.end).max(start)
        })
    }

    /// The numbers for the sides to move in positions in a row, given how many these are and the number in the first one.
    fn turns_in(&self, positions: usize, first: usize) -> Range<usize> {
        match (self.turns, positions) {
            (Some(_), 2..) => 0..2,
            _ => first..first + 1,
        }
    }

    /// The number for the side to move at a place of a game.
    fn turn_of(&self, place: u32) -> usize {
        self.turns.map_or(0, |_| place as usize % 2)
    }

    /// The number for the side to move in the targets of a position at a place of a game.
    fn turn_sought(&self, place: u32) -> usize {
        self.turn_of(match self.turns {
            Some(Turns::Different) => place + 1,
            _ => place,
        })
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
    /// The positions whose men may stand as in another one, if that is asked.
    repeatable: Option<Repeatable>,
    groups: Groups,
    /// By position, one more than the number of its group; 0 if it is no target.
    group_of: Vec<u32>,
    /// By position, the targets beside it.
    beside: Vec<Beside>,
    /// By group, its last target before the position that looks for one.
    passed: Vec<u32>,
    /// By target, the number that is best to compare with, of those of its group up to it, and of those from it on; if numbers
    /// have an order only.
    best: Vec<[i64; 2]>,
}

/// The targets up to one, and from one on.
const UP_TO: usize = 0;
const FROM: usize = 1;

/// The contents of the squares of a board.
#[derive(Debug, Default)]
struct Contents {
    digits: [u64; Men::DIGITS],
    /// How many men there are.
    men: u32,
}

impl Contents {
    fn of(men: &Men) -> Contents {
        Contents {
            digits: men.digits(),
            men: men.count(),
        }
    }
}

/// The targets of a group that are next to one of them.
#[derive(Clone, Copy, Debug)]
struct Beside {
    before: u32,
    after: u32,
}

/// No position.
const NONE: u32 = u32::MAX;

const NOTHING_BESIDE: Beside = Beside {
    before: NONE,
    after: NONE,
};

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
            repeatable: Repeatable::of(alike),
            groups: Groups::default(),
            group_of: Vec::new(),
            beside: Vec::new(),
            passed: Vec::new(),
            best: Vec::new(),
        }
    }

    /// Finds what is compared in the positions of a game; returns whether one of those that are asked about can have a partner.
    fn read(&mut self, board: &Mailbox, line: &[PackedMove], is_asked: impl Fn(u32) -> bool) -> bool {
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
                return false;
            }
        }
        let is_wanted = |place| repeatable.as_ref().is_none_or(|repeatable| repeatable.contains(place));
        read_game(keys, board, line, is_wanted, |men| {
            for (_, compared) in &alike.compared {
                let number = |index: usize| men.and_then(|men| compared[index].on(men)).unwrap_or_default();
                numbers.push([number(THERE), number(HERE)]);
            }
            if alike.counts_contents() {
                contents.push(men.map(Contents::of).unwrap_or_default());
            }
        });
        true
    }

    /// Marks the positions of a game that have a partner among the targets.
    fn mark(&mut self, targets: &PositionSet, game: &Range<u32>, out: &mut PositionSet) {
        self.groups.clear(game.end - game.start);
        // Runs of single positions are not worth it.
        if self.look == Look::Farthest && !self.keys[THERE].change_with_each_move() {
            self.group_runs(targets, game);
            self.mark_runs(game, out);
        } else {
            self.group(targets, game);
            self.mark_each(game, out);
        }
    }

    /// Brings the targets with the same keys together. Of those of a run only the first and the last one are looked at.
    fn group_runs(&mut self, targets: &PositionSet, game: &Range<u32>) {
        let keys = &self.keys[THERE];
        for (run, places) in keys.runs() {
            let mut known = [None; 2];
            for turn in self.alike.turns_in(places.len(), self.alike.turn_of(places.start)) {
                let is_one = |place: &u32| self.alike.turn_of(*place) == turn && targets.contains(game.start + place);
                let mut found = places.clone().filter(is_one);
                let Some(first) = found.next() else { continue };
                let (number, _) = self.groups.add(keys, run, turn, first);
                if let Some(last) = found.next_back() {
                    self.groups.add_to(number, last);
                }
                known[turn] = Some(number);
            }
            self.groups.of_runs.push(known);
        }
    }

    /// The runs of the positions that look for a target: the keys and the places of each, and the groups that have these keys, by
    /// turn, as far as they are known.
    fn seekers(&self) -> impl Iterator<Item = (&[u64], Range<u32>, [Option<usize>; 2])> {
        let own = self.groups.of_runs.iter().filter(|_| self.keys.len() == 1).copied();
        let known = own.chain(repeat([None; 2]));
        let keys = &self.keys[self.keys.len() - 1];
        zip(keys.runs(), known).map(|((run, places), known)| (keys.row(run), places, known))
    }

    /// Marks the positions of a game that are as far away as is asked from the first or the last target with their keys.
    fn mark_runs(&self, game: &Range<u32>, out: &mut PositionSet) {
        for (keys, places, known) in self.seekers() {
            for turn in self.alike.turns_in(places.len(), self.alike.turn_sought(places.start)) {
                let found = known[turn].or_else(|| self.groups.find(&self.keys[THERE], keys, turn));
                let Some(number) = found else { continue };
                let Group { first, last, .. } = self.groups.all[number];
                if first == last && places == (first..first + 1) {
                    // The position is the only target.
                    continue;
                }
                let ranges = [first, last].map(|target| self.alike.seekers_of(target, &places));
                let ranges = ranges.into_iter().flatten().filter(|range| !range.is_empty());
                for Range { start, end } in ranges {
                    match self.alike.turns {
                        None => out.set_range(game.start + start..game.start + end, true),
                        Some(_) => (start..end)
                            .filter(|&place| self.alike.turn_sought(place) == turn)
                            .for_each(|place| out.insert(game.start + place)),
                    }
                }
            }
        }
    }

    /// Brings the targets with the same keys together.
    fn group(&mut self, targets: &PositionSet, game: &Range<u32>) {
        let Compared {
            alike,
            look,
            keys,
            groups,
            group_of,
            beside,
            ..
        } = self;
        let places = (game.end - game.start) as usize;
        group_of.clear();
        group_of.resize(places, 0);
        beside.clear();
        if *look != Look::Farthest {
            beside.resize(places, NOTHING_BESIDE);
        }
        let keys = &keys[THERE];
        for (run, places) in keys.runs() {
            let mut known = [None; 2];
            for place in places.filter(|place| targets.contains(game.start + place)) {
                let turn = alike.turn_of(place);
                let (number, before) = match known[turn] {
                    Some(number) => (number, Some(groups.add_to(number, place))),
                    None => groups.add(keys, run, turn, place),
                };
                known[turn] = Some(number);
                if let Some(before) = before.filter(|_| !beside.is_empty()) {
                    beside[place as usize].before = before;
                    beside[before as usize].after = place;
                }
                group_of[place as usize] = u32::try_from(number + 1).unwrap_or(u32::MAX);
            }
            groups.of_runs.push(known);
        }
        if let Look::Best(comparison) = self.look {
            self.find_best(comparison);
        }
    }

    /// Looks for a partner of each position of a game.
    fn mark_each(&mut self, game: &Range<u32>, out: &mut PositionSet) {
        let mut passed = std::mem::take(&mut self.passed);
        passed.clear();
        passed.resize(self.groups.all.len(), NONE);
        for (keys, places, known) in self.seekers() {
            let mut known = known.map(|number| number.map(Some));
            for place in places {
                let turn = self.alike.turn_sought(place);
                let found = known[turn].unwrap_or_else(|| self.groups.find(&self.keys[THERE], keys, turn));
                known[turn] = Some(found);
                if found.is_some_and(|number| self.has_partner(number, passed[number], place)) {
                    out.insert(game.start + place);
                }
                if let Some(own) = self.group_of[place as usize].checked_sub(1) {
                    passed[own as usize] = place;
                }
            }
        }
        self.passed = passed;
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

    /// Whether a position has a partner in a group, which has the right keys; of its targets, one is the last before the position.
    fn has_partner(&self, number: usize, passed: u32, place: u32) -> bool {
        match self.look {
            Look::At(moves) => return self.has_partner_at(moves, number, place),
            Look::Farthest => {
                let Group { first, last, .. } = self.groups.all[number];
                return [first, last].iter().any(|&target| self.alike.may_be_at(target, place));
            }
            Look::Best(_) | Look::Beside => {}
        }
        // The first target that is not before the position.
        let next = match passed {
            NONE => self.groups.all[number].first,
            passed => self.beside[passed as usize].after,
        };
        match self.look {
            Look::Best(comparison) => self.has_best_partner(comparison, passed, next, place),
            _ => self.has_partner_in(passed, next, place),
        }
    }

    /// Whether a position has a target that is like it so many moves away, among those of a group.
    fn has_partner_at(&self, moves: u32, number: usize, place: u32) -> bool {
        let before = place.checked_sub(moves).filter(|_| self.alike.before);
        let after = place.checked_add(moves).filter(|_| self.alike.after);
        let group_of = |target: u32| self.group_of.get(target as usize).map(|&group| group as usize);
        let is_like_it = |target: &u32| group_of(*target) == Some(number + 1) && self.are_alike(*target, place);
        before.iter().chain(&after).any(is_like_it)
    }

    /// Whether a position has a target among those with the right keys whose number compares with its own.
    fn has_best_partner(&self, comparison: Comparison, before: u32, mut after: u32, place: u32) -> bool {
        let alike = self.alike;
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
    fn has_partner_in(&self, mut before: u32, mut after: u32, place: u32) -> bool {
        let alike = self.alike;
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
