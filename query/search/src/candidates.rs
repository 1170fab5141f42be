//! The positions that the index leaves of some games, and the games that they are in.

use std::ops::Range;

use planner::RemainingPositions;
use postings::{BLOCK_SIZE, BLOCK_WORDS};
use roaring::RoaringBitmap;

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

    /// How many candidates there are.
    pub(super) fn positions(&self) -> u64 {
        self.0.count()
    }

    /// How many games have a candidate, and how many candidates there are. `beginnings` are a bit for each position of the
    /// segment, where a game begins there.
    pub(super) fn count(&self, beginnings: &[u64]) -> (u64, u64) {
        let mut games = 0;
        let first_block = (self.0.base() / BLOCK_SIZE) as usize;
        let beginnings = beginnings
            .as_chunks::<BLOCK_WORDS>()
            .0
            .get(first_block..)
            .unwrap_or_default();
        let mut firsts = Firsts { waits: false };
        let mut next = 0;
        for block in self.0.live() {
            let Some(here) = beginnings.get(block as usize) else {
                break;
            };
            firsts.pass_over(&beginnings[next..block as usize]);
            next = block as usize + 1;
            games += u64::from(bits::count(&firsts.among(self.0.block(block), here)));
        }
        (games, self.positions())
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

/// Finds the first candidate of each game, block by block.
struct Firsts {
    /// Whether a game has begun that has no candidate so far.
    waits: bool,
}

impl Firsts {
    /// Goes on behind blocks without candidates; `beginnings` are where games begin in them.
    fn pass_over(&mut self, beginnings: &[postings::Block]) {
        self.waits |= beginnings.iter().rev().any(|block| !bits::is_empty(block));
    }

    /// Those in a block. From where a game begins that has no candidate there, a carry runs on through all positions without one,
    /// and stops at the first candidate, or where the next game begins.
    fn among(&mut self, candidates: &postings::Block, beginnings: &postings::Block) -> postings::Block {
        let mut firsts = [0; BLOCK_WORDS];
        for ((&candidates, &begins), firsts) in candidates.iter().zip(beginnings).zip(&mut firsts) {
            let waiting = begins & !candidates;
            let passes = !(begins | candidates);
            let (sum, carry) = passes.overflowing_add(waiting << 1 | u64::from(self.waits));
            *firsts = (sum | begins) & candidates;
            self.waits = carry || waiting >> 63 != 0;
        }
        firsts
    }
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
            let mut beginnings = vec![0; end.div_ceil(BLOCK_SIZE) as usize * BLOCK_WORDS];
            starts[..starts.len() - 1].iter().for_each(|&start| bits::insert(&mut beginnings, start));
            let candidates = Candidates::new(found);
            let games = starts.windows(2).filter(|game| wanted.range(game[0]..game[1]).next().is_some());
            prop_assert_eq!(candidates.count(&beginnings), (games.count() as u64, wanted.len() as u64));
            prop_assert!(candidates.to_bitmap().iter().eq(wanted.iter().copied()));
            for game in starts.windows(2) {
                let mut nodes = Vec::new();
                candidates.within(game[0]..game[1], &mut nodes);
                let expected: Vec<u32> = wanted.range(game[0]..game[1]).map(|id| id - game[0]).collect();
                prop_assert_eq!(nodes, expected);
                prop_assert_eq!(candidates.next(game[0]), wanted.range(game[0]..).next().copied());
            }
        }
    }
}
