//! The tags that queries filter on, one column each, so that no text has to be read.

/// The tags that are kept as columns of strings, in CQL's normalized spelling (cql6-games 1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TagColumn {
    /// The player of the white men; `?` if missing.
    White,
    /// The player of the black men; `?` if missing.
    Black,
    /// The event; `?` if missing.
    Event,
    /// The place; `?` if missing.
    Site,
    /// The date of the game, `YYYY.MM.DD` with `?`.
    Date,
    /// The date of the event, `YYYY.MM.DD` with `?`.
    EventDate,
    /// The code of the opening; may be absent.
    Eco,
}

/// One column of strings of a segment: each distinct value once, and for each game which of them it has.
#[derive(Clone, Debug)]
pub struct TagValues {
    values: Vec<String>,
    codes: Vec<u32>,
}

impl TagValues {
    /// The distinct values, ascending; the empty string stands for an absent one.
    pub fn distinct(&self) -> &[String] {
        &self.values
    }

    /// Which of the distinct values a game has.
    ///
    /// # Panics
    ///
    /// When the segment has no such game.
    pub fn code(&self, game: u32) -> u32 {
        self.codes[game as usize]
    }

    /// The value of a game, nothing if absent (only [`TagColumn::Eco`] can be).
    ///
    /// # Panics
    ///
    /// When the segment has no such game.
    pub fn get(&self, game: u32) -> Option<&str> {
        Some(self.values[self.code(game) as usize].as_str()).filter(|value| !value.is_empty())
    }
}
