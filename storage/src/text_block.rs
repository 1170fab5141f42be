//! The texts of a block of games, unpacked once and read one by one.

use chess::GameText;

use crate::{error::Result, key::Key, texts};

/// The words around the moves of a few dozen games in a row.
#[derive(Clone, Debug)]
pub struct TextBlock {
    bytes: Vec<u8>,
    games: usize,
    /// Where the block was read, for errors.
    key: Key,
}

impl TextBlock {
    pub(crate) fn new(bytes: Vec<u8>, games: usize, key: Key) -> TextBlock {
        TextBlock { bytes, games, key }
    }

    /// Reads the text of the `index`th game of the block.
    ///
    /// # Errors
    ///
    /// When the stored bytes are damaged.
    pub fn text(&self, index: usize) -> Result<GameText> {
        texts::decode(&self.bytes, index, self.games).map_err(|reason| self.key.corrupt(reason))
    }
}
