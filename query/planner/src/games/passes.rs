//! Evaluates each kind of temporal expression in one pass over the bits of some games.

use std::ops::Range;

use super::found_moves::FoundMoves;
use super::spans::GameMarks;
use crate::expr::TemporalOp;
use crate::positions::{PositionSet, Ranks};

impl TemporalOp {
    /// Whether it is found for each position alone, so that it need not be found for whole games.
    pub(super) fn is_asked_of_each(&self) -> bool {
        matches!(self, TemporalOp::Alike { .. })
    }

    /// Where it holds among the positions that are asked about, given where its parts do; other positions may be anything.
    pub(super) fn pass(
        &self,
        parts: &[PositionSet],
        asked: &PositionSet,
        marks: &GameMarks,
        moves: &FoundMoves<'_>,
    ) -> PositionSet {
        let (first, second) = (&parts[0], parts.last().unwrap_or(&parts[0]));
        let mut out = match *self {
            TemporalOp::Alike { ref alike, .. } => alike.pass(asked, first, marks, moves),
            TemporalOp::Accepted { ref automaton, .. } => automaton.pass(parts, marks),
            TemporalOp::Next(_) => first.next(marks),
            TemporalOp::Previous(_) => first.previous(marks),
            TemporalOp::InGame(_) => first.whole_games(marks),
            TemporalOp::Until { stride: 1, .. } => second.until(first, marks),
            TemporalOp::Until { stride, .. } => second.until_by(first, stride, marks),
            TemporalOp::Since { stride: 1, .. } => second.since(first, marks),
            TemporalOp::Since { stride, .. } => second.since_by(first, stride, marks),
            TemporalOp::InARow(_, count) => first.in_a_row(count, marks),
            TemporalOp::Count {
                backward: false,
                min,
                max,
                ..
            } => first.count_ahead(min, max, marks),
            TemporalOp::Count { min, max, .. } => first.count_behind(min, max, marks),
        };
        for &index in &marks.branching {
            self.bound(parts, &marks.games[index], &mut out);
        }
        out
    }

    /// An upper bound for a game with variations: a descendant is a later position, an ancestor an earlier one.
    fn bound(&self, parts: &[PositionSet], game: &Range<u32>, out: &mut PositionSet) {
        let (first, second) = (&parts[0], parts.last().unwrap_or(&parts[0]));
        out.set_range(game.clone(), false);
        let last = |found: &PositionSet| found.last_in(game.clone());
        let earliest = |found: &PositionSet| found.first_in(game.clone());
        let whole = match *self {
            TemporalOp::Next(_) => last(first).map(|last| game.start..last),
            TemporalOp::Previous(_) => earliest(first).map(|first| first + 1..game.end),
            TemporalOp::InGame(_) | TemporalOp::Alike { .. } => earliest(first).map(|_| game.clone()),
            TemporalOp::Accepted { ref automaton, .. } => automaton.may_begin(parts, game).then(|| game.clone()),
            TemporalOp::Until { .. } => last(second).map(|last| game.start..last + 1),
            TemporalOp::Since { .. } => earliest(second).map(|first| first..game.end),
            TemporalOp::InARow(..) => last(first).map(|last| game.start..last + 1),
            // A subtree has at most as many as the game; which of them it has is unknown.
            TemporalOp::Count { min, .. } => (first.count_in(game.clone()) >= min).then(|| game.clone()),
        };
        if let Some(range) = whole {
            out.set_range(range, true);
        }
    }
}

impl PositionSet {
    /// The positions whose next one is in the set.
    fn next(&self, marks: &GameMarks) -> PositionSet {
        let mut out = marks.last.clone();
        let words = self.words();
        for (index, word) in out.words_mut().iter_mut().enumerate() {
            let beyond = words.get(index + 1).copied().unwrap_or(0);
            *word = (words[index] >> 1 | beyond << 63) & !*word;
        }
        out.tidy();
        out
    }

    /// The positions whose previous one is in the set.
    fn previous(&self, marks: &GameMarks) -> PositionSet {
        let mut out = marks.first.clone();
        let mut before = 0;
        for (word, &bits) in out.words_mut().iter_mut().zip(self.words()) {
            *word = (bits << 1 | before >> 63) & !*word;
            before = bits;
        }
        out.tidy();
        out
    }

    /// Where `self` is true, or `through` is and the result is at the next position: a carry that runs down from the
    /// higher ids, word by word.
    fn until(&self, through: &PositionSet, marks: &GameMarks) -> PositionSet {
        let mut out = self.clone();
        let words = self.words();
        let (mut index, mut carry) = (words.len(), false);
        while let Some(next) = match carry {
            true => index.checked_sub(1),
            false => self.last_used(index),
        } {
            index = next;
            let pass = (through.words()[index] & !marks.last.words()[index]).reverse_bits();
            let result;
            (result, carry) = ripple(words[index].reverse_bits(), pass, carry);
            out.put_word(index, result.reverse_bits());
        }
        out
    }

    /// The same toward the higher ids.
    fn since(&self, through: &PositionSet, marks: &GameMarks) -> PositionSet {
        let mut out = self.clone();
        let words = self.words();
        let (mut from, mut carry) = (0, false);
        while let Some(index) = match carry {
            true => Some(from).filter(|&index| index < words.len()),
            false => self.next_used(from),
        } {
            let result;
            let pass = through.words()[index] & !marks.first.words()[index];
            (result, carry) = ripple(words[index], pass, carry);
            out.put_word(index, result);
            from = index + 1;
        }
        out
    }

    /// As [`PositionSet::until`], looking `stride` plies ahead.
    fn until_by(&self, through: &PositionSet, stride: u32, marks: &GameMarks) -> PositionSet {
        let mut out = self.clone();
        for game in &marks.games {
            for (first, word) in through.words_in(game.clone()).rev() {
                for bit in bits::ones(word).rev() {
                    let id = first + bit;
                    if id + stride < game.end && out.contains(id + stride) {
                        out.insert(id);
                    }
                }
            }
        }
        out
    }

    /// As [`PositionSet::since`], looking `stride` plies back.
    fn since_by(&self, through: &PositionSet, stride: u32, marks: &GameMarks) -> PositionSet {
        let mut out = self.clone();
        for game in &marks.games {
            for (first, word) in through.words_in(game.clone()) {
                for bit in bits::ones(word) {
                    let id = first + bit;
                    if id >= game.start + stride && out.contains(id - stride) {
                        out.insert(id);
                    }
                }
            }
        }
        out
    }

    /// Where `count` positions in a row begin.
    fn in_a_row(&self, count: u32, marks: &GameMarks) -> PositionSet {
        let mut out = self.clone();
        for _ in 1..count {
            let next = out.next(marks);
            for ((word, &own), &next) in out.words_mut().iter_mut().zip(self.words()).zip(next.words()) {
                *word = own & next;
            }
            out.tidy();
        }
        out
    }

    /// All positions of the games that have one.
    pub(super) fn whole_games(&self, marks: &GameMarks) -> PositionSet {
        match self.is_sparse() {
            true => self.few_whole_games(marks),
            false => self.many_whole_games(marks),
        }
    }

    /// The same game by game.
    fn few_whole_games(&self, marks: &GameMarks) -> PositionSet {
        let mut out = self.empty();
        self.few_games(marks, |_, game| out.set_range(game.clone(), true));
        out
    }

    /// Calls `each` with the games that have a position of some whole games, and their indices.
    pub(super) fn each_game(&self, marks: &GameMarks, mut each: impl FnMut(usize, &Range<u32>)) {
        if self.is_sparse() {
            return self.few_games(marks, each);
        }
        for (index, game) in marks.games.iter().enumerate() {
            if self.contains(game.start) {
                each(index, game);
            }
        }
    }

    /// The same for any positions, found by jumps from game to game.
    fn few_games(&self, marks: &GameMarks, mut each: impl FnMut(usize, &Range<u32>)) {
        let games = &marks.games;
        let (mut place, mut from) = (0, self.base());
        while let Some(id) = self.first_from(from) {
            // Most often it is in one of the next games.
            while games.get(place).is_some_and(|game| game.end <= id) {
                place += 1;
            }
            let Some(game) = games.get(place) else { break };
            if game.start <= id {
                each(place, game);
                from = game.end;
            } else {
                // It is between two games.
                from = game.start;
            }
        }
    }

    /// The same with carries: within a game one runs up from the first of the positions to the end of the game, and then another
    /// down from the end.
    fn many_whole_games(&self, marks: &GameMarks) -> PositionSet {
        let mut out = self.clone();
        let (Some(first), Some(last)) = (marks.games.first(), marks.games.last()) else {
            return self.empty();
        };
        let games = first.start..last.end;
        let bits = marks.inside.as_ref().map(PositionSet::words);
        let inside = |index: usize| bits.map_or(u64::MAX, |bits| bits[index]);
        let mut carry = false;
        for (index, word) in out.words_mut().iter_mut().enumerate() {
            let inside = inside(index);
            let pass = inside & !marks.first.words()[index];
            (*word, carry) = ripple(*word & inside, pass, carry);
        }
        out.clear_outside(&games);
        carry = false;
        for (index, word) in out.words_mut().iter_mut().enumerate().rev() {
            let pass = (inside(index) & !marks.last.words()[index]).reverse_bits();
            let result;
            (result, carry) = ripple(word.reverse_bits(), pass, carry);
            *word = result.reverse_bits();
        }
        out.clear_outside(&games);
        out.tidy();
        out
    }

    /// The positions from which on, themselves included, the game has `min` to `max` positions of the set.
    fn count_ahead(&self, min: u32, max: u32, marks: &GameMarks) -> PositionSet {
        self.for_each_game(min, marks, |game, total, out| {
            // From a position there are `n` to come if it lies after the (n+1)-th from the end, and not after the n-th.
            let end = match min {
                0 => game.end,
                _ => self.nth(game, total - min) + 1,
            };
            let start = match total.checked_sub(max) {
                None | Some(0) => game.start,
                Some(beyond) => self.nth(game, beyond - 1) + 1,
            };
            if start < end {
                out.set_range(start..end, true);
            }
        })
    }

    /// The positions up to which, themselves included, the game has `min` to `max` positions of the set.
    fn count_behind(&self, min: u32, max: u32, marks: &GameMarks) -> PositionSet {
        self.for_each_game(min, marks, |game, total, out| {
            let start = match min {
                0 => game.start,
                _ => self.nth(game, min - 1),
            };
            let end = if max >= total { game.end } else { self.nth(game, max) };
            if start < end {
                out.set_range(start..end, true);
            }
        })
    }

    /// The n-th position of a game, from 0; it must be there.
    fn nth(&self, game: &Range<u32>, mut n: u32) -> u32 {
        for (first, word) in self.words_in(game.clone()) {
            match bits::ones(word).nth(n as usize) {
                Some(bit) => return first + bit,
                None => n -= word.count_ones(),
            }
        }
        game.end
    }

    /// Calls `f` with each game that has `min` of the positions, how many it has, and the positions that are found.
    fn for_each_game(
        &self,
        min: u32,
        marks: &GameMarks,
        mut f: impl FnMut(&Range<u32>, u32, &mut PositionSet),
    ) -> PositionSet {
        let mut out = self.empty();
        if min > 0 && self.is_sparse() {
            self.few_games(marks, |_, game| {
                let count = self.count_in(game.clone());
                if count >= min {
                    f(game, count, &mut out);
                }
            });
            return out;
        }
        let ranks = Ranks::of(self);
        for game in &marks.games {
            if ranks.most_in(game) < min {
                continue;
            }
            let count = ranks.count_in(game);
            if count >= min {
                f(game, count, &mut out);
            }
        }
        out
    }
}

/// `result[i] = begin[i] | pass[i] & result[i - 1]`, as carries move through an adder; with the carry into the word and
/// out of it.
fn ripple(begin: u64, pass: u64, carry: bool) -> (u64, bool) {
    if begin == 0 && !(carry && pass & 1 != 0) {
        return (0, false);
    }
    let either = begin | pass;
    let (sum, over) = either.overflowing_add(begin);
    let (sum, over_again) = sum.overflowing_add(u64::from(carry));
    let carried = sum ^ either ^ begin;
    (begin | pass & carried, over | over_again)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_games_are_those_that_have_a_position() {
        // Games of many lengths, some of them with positions behind them that are not looked at.
        let range = 70_000..140_000;
        let (mut games, mut start): (Vec<Range<u32>>, u32) = (Vec::new(), range.start);
        while start < range.end {
            let length = 1 + start.wrapping_mul(0x9e37_79b9) % 200;
            let end = (start + length).min(range.end);
            games.push(start..end);
            start = end + if end.is_multiple_of(3) { 5 } else { 0 };
        }
        let range = range.start..games.last().map_or(range.end, |game| game.end);
        let mut marks = GameMarks {
            games,
            inside: Some(PositionSet::new(&range)),
            first: PositionSet::new(&range),
            last: PositionSet::new(&range),
            branching: Vec::new(),
        };
        let (mut some, mut expected) = (PositionSet::new(&range), PositionSet::new(&range));
        for (number, game) in marks.games.iter().enumerate() {
            marks.first.insert(game.start);
            marks.last.insert(game.end - 1);
            if let Some(inside) = &mut marks.inside {
                inside.set_range(game.clone(), true);
            }
            if number % 3 == 0 {
                some.insert(game.start + (game.end - game.start) / 2);
                expected.set_range(game.clone(), true);
            }
        }
        assert_eq!(some.many_whole_games(&marks).words(), expected.words());
        assert_eq!(some.few_whole_games(&marks).words(), expected.words());
        // Positions between games belong to none.
        for pair in marks.games.windows(2) {
            some.set_range(pair[0].end..pair[1].start, true);
        }
        assert_eq!(some.many_whole_games(&marks).words(), expected.words());
        assert_eq!(some.few_whole_games(&marks).words(), expected.words());
    }
}
