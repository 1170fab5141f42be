//! What matches, written for people or for programs.

mod count;
mod file;
mod format;
mod json;
mod notation;
mod pgn;
mod sorted;
mod spared;
mod table;
pub(crate) mod tree;

use search::{GameMatch, Summary};

use crate::exit::Failure;

pub(crate) use count::Count;
pub(crate) use file::OutputFile;
pub(crate) use format::{bytes, count, duration, grouped, milliseconds, printable};
pub(crate) use json::Json;
pub(crate) use pgn::{Encoding, Pgn, PgnOptions};
pub(crate) use sorted::Sorted;
pub(crate) use spared::Spared;
pub(crate) use table::Table;

impl<S: Sink + ?Sized> Sink for &mut S {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        (**self).game(game)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        (**self).finish(summary)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        (**self).flush()
    }
}

impl Sink for Box<dyn Sink + '_> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        (**self).game(game)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        (**self).finish(summary)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        (**self).flush()
    }
}

/// Takes the matches of a search, one game after the other, and the summary at the end.
pub(crate) trait Sink {
    /// Takes a matching game.
    ///
    /// # Errors
    ///
    /// When it can't be written, or the database can't be read for what belongs to it.
    fn game(&mut self, game: GameMatch) -> Result<(), Failure>;

    /// Writes what is left to be written.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    fn finish(&mut self, summary: &Summary) -> Result<(), Failure>;

    /// Writes what was taken so far.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    fn flush(&mut self) -> Result<(), Failure>;
}
