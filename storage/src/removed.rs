//! The removed games of a segment. They keep their numbers until the database is compacted.

use postings::{
    Damage,
    varint::{self, Reader},
};

/// A set of removed games, by their numbers in the segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    /// One bit a game; empty if no game is removed.
    words: Vec<u64>,
}

impl Removed {
    /// Whether a game is in the set.
    pub(crate) fn contains(&self, game: u32) -> bool {
        bits::contains(&self.words, game)
    }

    /// Adds a game. Returns false if it was in the set already.
    pub(crate) fn insert(&mut self, game: u32) -> bool {
        let is_new = !self.contains(game);
        let words = game as usize / 64 + 1;
        if self.words.len() < words {
            self.words.resize(words, 0);
        }
        bits::insert(&mut self.words, game);
        is_new
    }

    /// How many games there are.
    pub(crate) fn count(&self) -> u32 {
        bits::count(&self.words)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The games, ascending.
    pub(crate) fn games(&self) -> impl Iterator<Item = u32> + '_ {
        bits::ones_of(&self.words)
    }

    /// Adds all games of another set.
    pub(crate) fn insert_all(&mut self, other: &Removed) {
        for game in other.games() {
            self.insert(game);
        }
    }

    /// Encodes the games as runs of consecutive numbers. For each run: the number of games between it and the run
    /// before, less one, and its length, less one.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (mut out, mut free) = (Vec::new(), 0);
        for run in bits::runs(&self.words) {
            varint::put(&mut out, u64::from(run.start - free));
            varint::put(&mut out, u64::from(run.end - 1 - run.start));
            free = run.end + 1;
        }
        out
    }

    /// Decodes what [`Removed::encode`] wrote, for a segment of `games` games, `count` of which are removed.
    pub(crate) fn decode(bytes: &[u8], games: u32, count: u32) -> Result<Removed, Damage> {
        let mut reader = Reader::new(bytes);
        let mut removed = Removed::default();
        let mut free = 0;
        let wrong = Damage::Invalid("the removed games are not those of the segment");
        while !reader.is_empty() {
            let start = free + u64::from(reader.varint32()?);
            let last = start + u64::from(reader.varint32()?);
            let (Ok(start), Ok(last)) = (u32::try_from(start), u32::try_from(last)) else {
                return Err(wrong);
            };
            if last >= games {
                return Err(wrong);
            }
            for game in start..=last {
                removed.insert(game);
            }
            free = u64::from(last) + 2;
        }
        if removed.count() == count {
            Ok(removed)
        } else {
            Err(wrong)
        }
    }
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the sets of the tests are small")]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn removed_games_come_back(games: BTreeSet<u16>) {
            let mut removed = Removed::default();
            for &game in &games {
                prop_assert!(removed.insert(u32::from(game)));
                prop_assert!(!removed.insert(u32::from(game)));
            }
            let all: Vec<u32> = games.iter().map(|&game| u32::from(game)).collect();
            prop_assert_eq!(removed.games().collect::<Vec<_>>(), all);
            let (bytes, count) = (removed.encode(), games.len() as u32);
            prop_assert_eq!(&Removed::decode(&bytes, 1 << 16, count).unwrap(), &removed);
            prop_assert!(Removed::decode(&bytes, 1 << 16, count + 1).is_err());
        }

        #[test]
        fn garbage_is_refused_or_read(bytes: Vec<u8>, games: u16) {
            if let Ok(removed) = Removed::decode(&bytes, u32::from(games), 3) {
                prop_assert!(removed.games().all(|game| game < u32::from(games)));
            }
        }
    }
}
