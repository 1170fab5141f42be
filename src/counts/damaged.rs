//! Games that can't be read, where all others are to be counted.

use std::collections::BTreeMap;

use super::unit::Unit;
use crate::error::Result;

/// The damaged games of a unit.
#[derive(Debug)]
pub(super) struct Damaged {
    /// Whether they are left out instead of being an error.
    are_skipped: bool,
    /// What is damaged, by the number of the game in its segment.
    games: BTreeMap<u32, String>,
}

impl Damaged {
    pub(super) fn new(are_skipped: bool) -> Damaged {
        Damaged {
            are_skipped,
            games: BTreeMap::new(),
        }
    }

    /// What was read of a game; `None` if the game is damaged, and left out.
    pub(super) fn sound<T>(&mut self, game: u32, read: Result<T>) -> Result<Option<T>> {
        match read {
            Err(error) if self.are_skipped && error.is_damage() => {
                self.games.entry(game).or_insert_with(|| error.to_string());
                Ok(None)
            }
            read => read.map(Some),
        }
    }

    /// Takes the games out of a unit. Gives their numbers in the database, from 1, and what is damaged.
    pub(super) fn take_out_of(self, unit: &mut Unit) -> Vec<(u64, String)> {
        if !self.games.is_empty() {
            let mut left = unit.positions;
            unit.games.retain(|(game, ranks)| {
                let is_sound = !self.games.contains_key(game);
                left -= if is_sound { 0 } else { ranks.len() };
                is_sound
            });
            unit.positions = left;
        }
        let numbered = self.games.into_iter();
        numbered.map(|(game, damage)| (unit.number(game), damage)).collect()
    }
}
