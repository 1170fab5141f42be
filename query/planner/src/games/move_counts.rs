//! How often each of some conditions on moves holds in each of some games.

use super::found_planes::FoundPlanes;

/// For each condition and game, a number of positions.
#[derive(Debug)]
pub(super) struct MoveCounts {
    games: usize,
    /// By condition and game; the largest number stands for all larger ones, too.
    counts: Vec<u8>,
}

impl MoveCounts {
    /// No position yet, for this number of conditions and games.
    pub(super) fn new(conditions: usize, games: usize) -> MoveCounts {
        MoveCounts {
            games,
            counts: vec![0; conditions * games],
        }
    }

    /// Takes the numbers of a game, counted from the first one, when all its moves were read.
    pub(super) fn put(&mut self, game: usize, found: &mut FoundPlanes) {
        let mut of_game = self.counts.iter_mut().skip(game).step_by(self.games);
        found.take_counts(|count| {
            if let Some(known) = of_game.next() {
                *known = u8::try_from(count).unwrap_or(u8::MAX);
            }
        });
    }

    /// At how many positions of a game a condition holds at most; none if it was not read.
    #[inline]
    pub(super) fn of(&self, condition: usize, game: usize) -> u32 {
        match self.counts[condition * self.games + game] {
            // Or more.
            u8::MAX => u32::MAX,
            count => u32::from(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_by_condition_and_game() {
        let mut found = FoundPlanes::new(&(0..2_000), 3);
        found.count();
        let mut counts = MoveCounts::new(3, 2);
        found.insert(0, 7);
        found.insert_all(2, 60, 360);
        counts.put(0, &mut found);
        found.insert_in_a_row(1_000, &[1, 3, 0, 2, 2], &[1, 0]);
        counts.put(1, &mut found);
        let of = |condition: usize| [0, 1].map(|game| counts.of(condition, game));
        assert_eq!(of(0), [1, 3]);
        assert_eq!(of(1), [0, 2]);
        // There are more than a count can say.
        assert_eq!(of(2), [u32::MAX, 0]);
    }
}
