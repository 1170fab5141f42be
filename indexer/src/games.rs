//! The games of PGN files one after the other, without a database.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicU64},
};

use chess::Game;

use crate::{
    error::{Error, Result},
    reader::GameReader,
    report::{Reason, Skipped},
    source::{self, Input, Stream},
    splitter::{Lines, Sections, Splitter},
};

/// How much text is read before its games are given out: a few hundred games.
const TEXT_BYTES: usize = 1 << 19;

/// What is wrong with a game of a piece of text.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The number of the game in the text, from 1.
    pub(crate) game: u64,
    /// The line in the file, from 1.
    pub(crate) line: u64,
    /// The byte in the file, unpacked, from 0.
    pub(crate) offset: u64,
    pub(crate) reason: Reason,
    /// Whether the rest of the game is kept.
    pub(crate) kept: bool,
}

/// A game of a piece of text.
#[derive(Debug)]
pub(crate) struct TextGame {
    /// Its number in the text, from 1; skipped games are counted.
    pub(crate) number: u64,
    /// Where its section begins in the text.
    pub(crate) start: usize,
    pub(crate) game: Game,
}

/// Gives the place of a problem its line and its offset in the file.
pub(crate) fn problem(lines: &mut Lines<'_>, game: u64, at: usize, reason: Reason, kept: bool) -> Problem {
    Problem {
        game,
        line: lines.at(at),
        offset: lines.sections.offset + at as u64,
        reason,
        kept,
    }
}

/// Reads all games of a piece of text; `problems` takes what is wrong with them. Returns how many games the text has,
/// skipped ones counted.
pub(crate) fn read_sections(
    reader: &mut GameReader,
    sections: &Sections,
    problems: &mut Vec<Problem>,
    mut take: impl FnMut(TextGame),
) -> u64 {
    let mut number = 0;
    let mut lines = sections.lines();
    let is_utf16 = sections.offset == 0 && matches!(sections.bytes.as_slice(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if is_utf16 {
        problems.push(problem(&mut lines, 1, 0, Reason::Encoding, false));
    }
    for range in sections.ranges().filter(|_| !is_utf16 && !sections.bytes.is_empty()) {
        let start = range.start;
        reader.read(&sections.bytes[range], |reading| {
            number += 1;
            let kept = reading.game.is_some();
            for (at, reason) in reading.problems {
                problems.push(problem(&mut lines, number, start + at, reason, kept));
            }
            if let Some(game) = reading.game {
                take(TextGame { number, start, game });
            }
        });
    }
    if sections.is_cut {
        problems.push(problem(
            &mut lines,
            number,
            sections.bytes.len(),
            Reason::TooLarge,
            true,
        ));
    }
    number
}

/// What was read next: see [`PgnGames`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PgnItem {
    /// A game.
    Game(Box<Game>),
    /// Something that could not be read. What it belongs to follows, if anything of it is kept.
    Skipped(Skipped),
}

/// The games of PGN files, read one after the other: an iterator over games and reports of what was left out, in the
/// order of the text.
///
/// It needs memory for half a megabyte of text and the games in it, however long the files are. PgnGames that can't be read
/// are reported as [`index`](crate::index) reports them; an error (a file that can't be opened or read) ends the
/// iteration.
pub struct PgnGames {
    inputs: std::vec::IntoIter<Input>,
    /// The file that is being read.
    current: Option<(PathBuf, Splitter<Stream>)>,
    /// How many games it has had, skipped ones counted.
    games_in_file: u64,
    reader: GameReader,
    /// What was read and is not given out yet.
    items: std::vec::IntoIter<PgnItem>,
}

impl PgnGames {
    /// Reads files (plain, zst, gz or bz2), directories with such files, and standard input (`-`).
    ///
    /// # Errors
    ///
    /// When a file or directory is missing.
    pub fn open(sources: &[PathBuf]) -> Result<PgnGames> {
        Ok(PgnGames::new(source::find(sources)?))
    }

    /// Reads one file, or standard input (`-`).
    pub(crate) fn of_file(path: &Path) -> PgnGames {
        PgnGames::new(vec![Input {
            path: path.to_owned(),
            size: None,
        }])
    }

    fn new(inputs: Vec<Input>) -> PgnGames {
        PgnGames {
            inputs: inputs.into_iter(),
            current: None,
            games_in_file: 0,
            reader: GameReader::new(),
            items: Vec::new().into_iter(),
        }
    }

    /// Reads the next piece of text; false when there is none.
    fn fill(&mut self) -> Result<bool> {
        loop {
            let (path, splitter) = match &mut self.current {
                Some(current) => current,
                None => {
                    let Some(input) = self.inputs.next() else {
                        return Ok(false);
                    };
                    let stream = source::open(&input, &Arc::default())?;
                    let stream = source::unpack(stream, &input.path, &Arc::new(AtomicU64::new(0)))?;
                    self.games_in_file = 0;
                    self.current.insert((input.path, Splitter::new(stream)))
                }
            };
            let sections = splitter.next_sections(TEXT_BYTES).map_err(|source| Error::Read {
                path: path.clone(),
                offset: splitter.offset(),
                source,
            })?;
            let Some(sections) = sections else {
                self.current = None;
                continue;
            };
            let (mut games, mut problems) = (Vec::new(), Vec::new());
            let found = read_sections(&mut self.reader, &sections, &mut problems, |game| games.push(game));
            let before = self.games_in_file;
            self.games_in_file += found;
            let skipped = |problem: Problem| {
                PgnItem::Skipped(Skipped {
                    file: path.clone(),
                    game: before + problem.game,
                    line: problem.line,
                    offset: problem.offset,
                    reason: problem.reason,
                    kept: problem.kept,
                })
            };
            let mut items = Vec::with_capacity(games.len() + problems.len());
            let mut problems = problems.into_iter().peekable();
            for game in games {
                while let Some(problem) = problems.next_if(|problem| problem.game <= game.number) {
                    items.push(skipped(problem));
                }
                items.push(PgnItem::Game(Box::new(game.game)));
            }
            items.extend(problems.map(skipped));
            self.items = items.into_iter();
            return Ok(true);
        }
    }
}

impl Iterator for PgnGames {
    type Item = Result<PgnItem>;

    fn next(&mut self) -> Option<Result<PgnItem>> {
        loop {
            if let Some(item) = self.items.next() {
                return Some(Ok(item));
            }
            match self.fill() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => {
                    self.inputs = Vec::new().into_iter();
                    self.current = None;
                    return Some(Err(error));
                }
            }
        }
    }
}

impl std::iter::FusedIterator for PgnGames {}

impl std::fmt::Debug for PgnGames {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = self.current.as_ref().map(|(path, _)| path);
        f.debug_struct("PgnGames").field("file", &file).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn games_and_reports_come_in_the_order_of_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("1.pgn"), folder.path().join("2.pgn"));
        let text = "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[FEN \"x\"]\n\n*\n\n[Event \"c\"]\n\n1. e4 Ke4 *\n";
        fs::write(&first, text).unwrap();
        fs::write(&second, "[Event \"d\"]\n\n*\n").unwrap();
        let items = PgnGames::open(&[folder.path().to_owned()]).unwrap();
        let read: Vec<String> = items
            .map(|item| match item.unwrap() {
                PgnItem::Game(game) => format!("{} {}", game.text.tags[0].1, game.tree.moves.len()),
                PgnItem::Skipped(skipped) => {
                    let name = skipped.file.file_name().unwrap().to_str().unwrap();
                    format!("{name}:{}: game {} {}", skipped.line, skipped.game, skipped.kept)
                }
            })
            .collect();
        assert_eq!(
            read,
            ["a 1", "1.pgn:5: game 2 false", "1.pgn:12: game 3 true", "c 1", "d 0"]
        );
    }

    #[test]
    fn a_missing_file_is_an_error() {
        assert!(matches!(
            PgnGames::open(&["no/such/file".into()]),
            Err(Error::Open { .. })
        ));
    }
}
