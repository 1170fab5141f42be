//! What the headers of all games say: each value once, with the number of its games.

use std::collections::HashMap;

use storage::TagColumn;

use super::reader::GameReader;
use crate::error::Result;

/// A field of a game's header with names in it; see [`GameReader::names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameField {
    /// The players, of either color.
    Player,
    /// The event.
    Event,
    /// The place.
    Site,
    /// The code of the opening.
    Eco,
}

impl GameReader {
    /// The values of a field, each once, with the number of games that have it, ascending. It reads columns: half a million
    /// games take a fraction of a second, and no game is opened.
    ///
    /// ```
    /// use cqldex::{Database, NameField, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[White \"Foe\"]\n[Black \"Friend\"]\n\n1. e4 *\n\n[White \"Friend\"]\n[Black \"Friend\"]\n\n1. e4 *\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let names = database.reader().names(NameField::Player)?;
    /// assert_eq!(names, [("Foe".to_owned(), 1), ("Friend".to_owned(), 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn names(&self, field: NameField) -> Result<Vec<(String, u64)>> {
        let columns: &[TagColumn] = match field {
            NameField::Player => &[TagColumn::White, TagColumn::Black],
            NameField::Event => &[TagColumn::Event],
            NameField::Site => &[TagColumn::Site],
            NameField::Eco => &[TagColumn::Eco],
        };
        let mut all: HashMap<String, u64> = HashMap::new();
        for index in 0..self.snapshot.segments().len() {
            let segment = self.snapshot.segment(index);
            let values = columns.iter().map(|&column| segment.tag_values(column));
            let values = values.collect::<Result<Vec<_>, _>>()?;
            for (place, column) in values.iter().enumerate() {
                let mut counts = vec![0_u64; column.distinct().len()];
                for game in 0..segment.meta().games {
                    // Who plays against a namesake has one game, and not two.
                    let is_known = values[..place]
                        .iter()
                        .any(|before| before.get(game) == column.get(game));
                    if !is_known && !segment.is_removed(game) {
                        counts[column.code(game) as usize] += 1;
                    }
                }
                for (name, count) in column.distinct().iter().zip(counts) {
                    if count > 0 && !matches!(name.as_str(), "" | "?") {
                        *all.entry(name.clone()).or_default() += count;
                    }
                }
            }
        }
        let mut all: Vec<(String, u64)> = all.into_iter().collect();
        all.sort_unstable();
        Ok(all)
    }
}
