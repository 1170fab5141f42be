//! The positions that the index leaves of some games, and the games that they are in.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use std::ops::Range;

use planner::RemainingPositions;
use postings::{BLOCK_SIZE, BLOCK_WORDS};
use roaring::RoaringBitmap;

/// In a block with more candidates than this, games are counted by their first candidates, all of them at once.
const MANY: u32 = 48;

/// What a sweep found.
#[derive(Debug)]
pub(super) struct Candidates(RemainingPositions);

impl Candidates {
    /// The positions that were found in some games.
    pub(super) fn new(found: RemainingPositions) -> Candidates {
        Candidates(found)
    }

    /// The first candidate from a position on.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let at = from - self.0.base();
        let (mut block, mut from) = (at / BLOCK_SIZE, at % BLOCK_SIZE);
        loop {
            let live = self.0.next_live(block)?;
            if live != block {
                (block, from) = (live, 0);
            }
            if let Some(found) = bits::next(self.0.block(block), from) {
                return Some(self.0.base() + block * BLOCK_SIZE + found);
            }
            (block, from) = (block + 1, 0);
        }
    }

    /// How many games have a candidate, and how many candidates there are. `starts` are the first positions of the
    /// games, and the end of the last.
    pub(super) fn count(&self, starts: &[u32]) -> (u64, u64) {
        let mut counter = Counter {
            starts,
            game: 0,
            until: 0,
            games: 0,
            positions: 0,
        };
        for block in self.0.live() {
            counter.add(self.0.base() + block * BLOCK_SIZE, self.0.block(block));
        }
        (counter.games, counter.positions)
    }

    /// Takes a candidate out.
    pub(super) fn remove(&mut self, position: u32) {
        self.0.remove_range(position..position + 1);
    }

    /// The position of the first bit, a multiple of 64, and a bit for each position from there on.
    pub(super) fn words(&self) -> (u32, &[u64]) {
        (self.0.base(), self.0.words())
    }

    /// All candidates as a bitmap.
    pub(super) fn to_bitmap(&self) -> RoaringBitmap {
        let base = self.0.base();
        let mut bitmap = RoaringBitmap::new();
        for block in self.0.live() {
            let ones = bits::ones_from(base + block * BLOCK_SIZE, self.0.block(block));
            let added = bitmap.append(ones);
            debug_assert!(added.is_ok(), "blocks come in order");
        }
        bitmap
    }

    /// Adds the candidates of a range, as distances from its start.
    pub(super) fn within(&self, positions: Range<u32>, nodes: &mut Vec<u32>) {
        let start = positions.start;
        let base = self.0.base();
        for (first, word) in bits::words_in(self.0.words(), start - base..positions.end - base) {
            // Counted from the base, the first bit of a word may come before the start.
            nodes.extend(bits::ones(word).map(|bit| base + first + bit - start));
        }
    }
}

/// Counts candidates and their games, block by block.
struct Counter<'a> {
    starts: &'a [u32],
    /// A game that does not begin behind the next block.
    game: usize,
    /// The end of the last game that was counted: before it there is nothing new.
    until: u32,
    games: u64,
    positions: u64,
}

impl Counter<'_> {
    fn add(&mut self, base: u32, block: &postings::Block) {
        let count = bits::count(block);
        self.positions += u64::from(count);
        if count > MANY {
            self.add_at_once(base, block);
            return;
        }
        for (first, &word) in (base..).step_by(64).zip(block) {
            let mut word = word;
            while word != 0 {
                let position = first + word.trailing_zeros();
                if position >= self.until {
                    self.game = game_at(self.starts, self.game, position);
                    self.until = self.starts[self.game + 1];
                    self.games += 1;
                }
                // The rest of the game, as far as it is in this word.
                let rest = self.until - first;
                word = if rest < 64 { word & (u64::MAX << rest) } else { 0 };
            }
        }
    }

    /// From the first position of a game a carry runs on through all that are no candidates, and stops at the first
    /// that is one, or at the last of the game.
    fn add_at_once(&mut self, base: u32, block: &postings::Block) {
        let mut begins = [0u64; BLOCK_WORDS];
        let mut game = self.game;
        if self.starts[game] < base {
            game = game_at(self.starts, game, base - 1) + 1;
        }
        while let Some(&start) = self.starts.get(game).filter(|&&start| start < base + BLOCK_SIZE) {
            bits::insert(&mut begins, start - base);
            game += 1;
        }
        let ends_here = |word: usize| {
            let beyond = begins.get(word + 1).copied().unwrap_or(0);
            begins[word] >> 1 | beyond << 63
        };
        let mut carry = base >= self.until && begins[0] & 1 == 0;
        let mut firsts = [0u64; BLOCK_WORDS];
        for (index, ((&word, &begins), firsts)) in block.iter().zip(&begins).zip(&mut firsts).enumerate() {
            let passes = !word & !ends_here(index);
            let sum;
            (sum, carry) = passes.carrying_add(begins, carry);
            *firsts = sum & word;
        }
        self.games += u64::from(bits::count(&firsts));
        if let Some(last) = block.iter().rposition(|&word| word != 0) {
            let position = base + last as u32 * 64 + 63 - block[last].leading_zeros();
            self.game = game_at(self.starts, self.game, position);
            self.until = self.until.max(self.starts[self.game + 1]);
        }
    }
}

/// The game that has a position, from some game on; near ones are found first.
pub(super) fn game_at(starts: &[u32], from: usize, position: u32) -> usize {
    let mut step = 1;
    while from + step < starts.len() && starts[from + step] <= position {
        step *= 2;
    }
    let (low, high) = (from + step / 2, starts.len().min(from + step));
    low + starts[low..high].partition_point(|&start| start <= position) - 1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn candidates_and_their_games_are_found(
            lengths in prop::collection::vec(prop_oneof![1u32..4, 1u32..90, 1u32..9000], 1..60),
            ids in prop::collection::vec((0u32..1 << 17, prop_oneof![Just(1u32), 1u32..40, 1u32..5000]), 0..60),
            from in 0u32..1000,
        ) {
            // The first game begins somewhere in the second chunk, and the rest follow.
            let mut starts = vec![postings::CHUNK_SIZE + from];
            for length in lengths {
                starts.push(starts[starts.len() - 1] + length);
            }
            let (first, end) = (starts[0], starts[starts.len() - 1]);
            let mut wanted = std::collections::BTreeSet::new();
            for (id, length) in ids {
                wanted.extend((first + id..first + id + length).filter(|&id| id < end));
            }
            let mut found = RemainingPositions::none(&(first..end));
            for &id in &wanted {
                found.add_range(id..id + 1);
            }
            let candidates = Candidates::new(found);
            let games = starts.windows(2).filter(|game| wanted.range(game[0]..game[1]).next().is_some());
            prop_assert_eq!(candidates.count(&starts), (games.count() as u64, wanted.len() as u64));
            prop_assert!(candidates.to_bitmap().iter().eq(wanted.iter().copied()));
            for game in starts.windows(2) {
                let mut nodes = Vec::new();
                candidates.within(game[0]..game[1], &mut nodes);
                let expected: Vec<u32> = wanted.range(game[0]..game[1]).map(|id| id - game[0]).collect();
                prop_assert_eq!(nodes, expected);
                prop_assert_eq!(candidates.next(game[0]), wanted.range(game[0]..).next().copied());
            }
        }

        #[test]
        fn games_are_found_from_any_before(lengths in prop::collection::vec(1u32..30, 1..60), at: prop::sample::Index) {
            let mut starts = vec![0];
            lengths.iter().for_each(|length| starts.push(starts[starts.len() - 1] + length));
            let position = at.index(starts[lengths.len()] as usize) as u32;
            let game = starts.partition_point(|&start| start <= position) - 1;
            for from in 0..=game {
                prop_assert_eq!(game_at(&starts, from, position), game);
            }
        }
    }
}
