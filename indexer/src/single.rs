//! Reads a file with exactly one game, without leaving anything out.

use std::{
    path::Path,
    sync::{Arc, atomic::AtomicU64},
};

use chess::Game;

use crate::{
    error::{Error, Result},
    reader::GameReader,
    report::Skipped,
    source::{self, Input},
    splitter::Splitter,
};

/// How much text is read at once. A game is far shorter.
const TEXT: usize = 1 << 20;

/// Reads the only game of a file, or of `-` (standard input).
///
/// # Errors
///
/// When the file can't be read, does not have exactly one game, or when part of the game would be left out.
pub fn read_game(path: &Path) -> Result<Game> {
    let input = Input {
        path: path.to_owned(),
        size: None,
    };
    let stream = source::unpack(
        source::open(&input, &Arc::default())?,
        path,
        &Arc::new(AtomicU64::new(0)),
    )?;
    let mut splitter = Splitter::new(stream);
    let mut reader = GameReader::new();
    let (mut games, mut problem) = (Vec::new(), None);
    loop {
        let next = splitter.next_sections(TEXT).map_err(|source| Error::Read {
            path: path.to_owned(),
            offset: splitter.offset(),
            source,
        })?;
        let Some(sections) = next else { break };
        for range in sections.ranges() {
            let start = range.start;
            reader.read(&sections.bytes[range], |reading| {
                if let Some((at, reason)) = reading.problems.into_iter().next() {
                    problem.get_or_insert_with(|| Skipped {
                        file: path.to_owned(),
                        game: games.len() as u64 + 1,
                        line: sections.line_at(start + at),
                        offset: sections.offset + (start + at) as u64,
                        reason,
                        kept: false,
                    });
                }
                games.extend(reading.game);
            });
        }
        if games.len() > 1 {
            break;
        }
    }
    if let Some(problem) = problem {
        return Err(Error::Incomplete(Box::new(problem)));
    }
    match games.pop() {
        Some(game) if games.is_empty() => Ok(game),
        last => Err(Error::NotOneGame {
            path: path.to_owned(),
            found: if last.is_some() { "several games" } else { "no game" },
        }),
    }
}
