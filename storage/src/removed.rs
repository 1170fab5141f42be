//! The removed games of a segment. They keep their numbers until the database is compacted.

use std::ops::Range;

use postings::{
    Damage,
    varint::{self, Reader},
};
use roaring::RoaringBitmap;

/// A set of removed games, by their numbers in the segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Removed(RoaringBitmap);

impl Removed {
    /// Whether a game is in the set.
    pub(crate) fn contains(&self, game: u32) -> bool {
        self.0.contains(game)
    }

    /// Adds a game. Returns false if it was in the set already.
    pub(crate) fn insert(&mut self, game: u32) -> bool {
        self.0.insert(game)
    }

    /// How many games there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The games, ascending.
    pub(crate) fn games(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.iter()
    }

    /// The games among some games, ascending.
    pub(crate) fn games_in(&self, games: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        self.0.range(games)
    }

    /// Adds all games of another set.
    pub(crate) fn insert_all(&mut self, other: &Removed) {
        self.0 |= &other.0;
    }

    /// Encodes the games as runs of consecutive numbers. For each run: the number of games between it and the run
    /// before, less one, and its length, less one.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let (mut out, mut free) = (Vec::new(), 0);
        let mut games = self.0.iter();
        while let Some(run) = games.next_range() {
            varint::put(&mut out, u64::from(run.start() - free));
            varint::put(&mut out, u64::from(run.end() - run.start()));
            free = run.end() + 2;
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
            removed.0.insert_range(start..=last);
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
        fn removed_games_come_back(mut games: BTreeSet<u16>, run: Range<u16>) {
            games.extend(run);
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

        /// Runs that reach from one container of a bitmap into the next.
        #[test]
        fn long_runs_come_back(start in 0u32..100_000, length in 1u32..200_000) {
            let removed = Removed((start..start + length).chain([start + length + 1]).collect());
            let bytes = removed.encode();
            prop_assert!(bytes.len() <= 8);
            prop_assert_eq!(Removed::decode(&bytes, 1 << 20, length + 1).unwrap(), removed);
        }

        #[test]
        fn garbage_is_refused_or_read(bytes: Vec<u8>, games: u16) {
            if let Ok(removed) = Removed::decode(&bytes, u32::from(games), 3) {
                prop_assert!(removed.games().all(|game| game < u32::from(games)));
            }
        }
    }
}
