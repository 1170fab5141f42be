//! Games straight from PGN files, without a database.

use std::path::Path;

use indexer::{PgnGames, Skipped};

use super::Game;
use crate::error::Result;

/// What [`read_pgn`] has read next.
#[derive(Debug)]
pub enum PgnItem {
    /// A game.
    Game(Box<Game>),
    /// Something that is left out, because it can't be read. The rest of its game follows, if any is kept.
    Skipped(Skipped),
}

/// The games of PGN files: see [`read_pgn`].
#[derive(Debug)]
pub struct PgnFiles {
    items: PgnGames,
}

/// Reads the games of PGN files (plain, zst, gz or bz2), of directories with such files, and of standard input (`-`), one
/// after the other, and reports what can't be read of them. The memory that this takes does not grow with the files.
///
/// # Errors
///
/// When a file or directory is missing.
///
/// ```
/// use cqldex::{PgnItem, read_pgn};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.pgn");
/// # std::fs::write(&path, "[Event \"?\"]\n\n1. e4 e5 2. Ke8 *\n")?;
/// for item in read_pgn(&[path])? {
///     match item? {
///         PgnItem::Game(game) => assert_eq!(game.positions().len(), 3),
///         PgnItem::Skipped(skipped) => assert!(skipped.to_string().contains("illegal move `Ke8`")),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_pgn<P: AsRef<Path>>(files: &[P]) -> Result<PgnFiles> {
    let files: Vec<_> = files.iter().map(|file| file.as_ref().to_owned()).collect();
    let items = PgnGames::open(&files)?;
    Ok(PgnFiles { items })
}

impl Iterator for PgnFiles {
    type Item = Result<PgnItem>;

    fn next(&mut self) -> Option<Result<PgnItem>> {
        let item = self.items.next()?.map_err(Into::into);
        Some(item.map(|item| match item {
            indexer::PgnItem::Game(game) => PgnItem::Game(Box::new(Game::new(None, &game.tree, game.text))),
            indexer::PgnItem::Skipped(skipped) => PgnItem::Skipped(skipped),
        }))
    }
}

impl std::iter::FusedIterator for PgnFiles {}
