//! Reads a file with exactly one game, without leaving anything out.

use std::path::Path;

use chess::Game;

use crate::{
    error::{Error, Result},
    games::{PgnGames, PgnItem},
    report::Skipped,
};

/// Reads the only game of a file, or of `-` (standard input).
///
/// # Errors
///
/// When the file can't be read, does not have exactly one game, or when part of the game would be left out.
pub fn read_game(path: &Path) -> Result<Game> {
    let mut game = None;
    for item in PgnGames::of_file(path) {
        match item? {
            PgnItem::Skipped(problem) => return Err(Error::Incomplete(Box::new(Skipped { kept: false, ..problem }))),
            PgnItem::Game(_) if game.is_some() => {
                return Err(Error::NotOneGame {
                    path: path.to_owned(),
                    found: "several games",
                });
            }
            PgnItem::Game(found) => game = Some(*found),
        }
    }
    game.ok_or_else(|| Error::NotOneGame {
        path: path.to_owned(),
        found: "no game",
    })
}
