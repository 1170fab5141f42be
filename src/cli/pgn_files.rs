//! Where matching games go as PGN: one file, or one for each value of a tag.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use cqldex::{GameMatch, MatchWriter, Summary};

use super::output_file::OutputFile;
use crate::exit::Failure;

/// How many files a search may write.
const MOST_FILES: usize = 1000;

/// How many bytes of a tag's value go into the name of a file.
const LONGEST_VALUE: usize = 100;

/// Arguments about the files that games go to.
#[derive(Debug, clap::Args)]
pub(super) struct PgnArgs {
    /// With --pgn: write a file for each value of a tag, `OUT-VALUE.pgn`; `result` is the tag Result
    #[arg(long, value_name = "TAG")]
    split: Option<String>,
    /// With --pgn: add the games to those that the file has
    #[arg(long)]
    append: bool,
    /// With --pgn: write no file that is there already
    #[arg(long, conflicts_with = "append")]
    no_clobber: bool,
}

impl PgnArgs {
    /// Whether one of them is given.
    pub(super) fn any(&self) -> bool {
        self.split.is_some() || self.append || self.no_clobber
    }

    /// The files of a search.
    ///
    /// # Errors
    ///
    /// When standard output is to be split or added to, or the file can't be written or may not be.
    pub(super) fn files(&self, path: &Path) -> Result<PgnFiles, Failure> {
        if path == Path::new("-") && self.any() {
            return Err(Failure::message(
                "--split, --append and --no-clobber are about files, and - is standard output",
            ));
        }
        let tag = self.split.as_ref().map(|tag| match tag.as_str() {
            "result" => "Result".to_owned(),
            tag => tag.to_owned(),
        });
        let mut files = PgnFiles {
            path: path.to_owned(),
            tag,
            append: self.append,
            no_clobber: self.no_clobber,
            open: BTreeMap::new(),
        };
        if files.tag.is_none() {
            files.file("")?;
        }
        Ok(files)
    }
}

/// The files, which get their names when all is written.
#[derive(Debug)]
pub(super) struct PgnFiles {
    path: PathBuf,
    /// The tag whose value tells the file of a game.
    tag: Option<String>,
    append: bool,
    no_clobber: bool,
    /// Those that are open, by the part of their name that the value gives.
    open: BTreeMap<String, OutputFile>,
}

impl PgnFiles {
    /// Adds a game, as it is written.
    fn add(&mut self, game: &[u8]) -> io::Result<()> {
        let part = match &self.tag {
            Some(tag) => name_part(&tag_value(game, tag)),
            None => String::new(),
        };
        let file = self
            .file(&part)
            .map_err(|failure| io::Error::other(failure.to_string()))?;
        file.write_all(game)
    }

    /// The file for a part of its name.
    fn file(&mut self, part: &str) -> Result<&mut OutputFile, Failure> {
        if !self.open.contains_key(part) {
            let path = self.path_of(part);
            if self.open.len() == MOST_FILES {
                let message =
                    format!("--split makes more than {MOST_FILES} files; a tag with fewer values makes fewer");
                return Err(Failure::message(message));
            }
            if self.no_clobber && path.exists() {
                let message = format!("{} is there already, and --no-clobber keeps it", path.display());
                return Err(Failure::message(message));
            }
            let mut file = OutputFile::create(&path)?;
            // Pipes and devices have nothing to keep.
            if self.append && path.is_file() {
                let copied = File::open(&path).and_then(|mut old| io::copy(&mut old, &mut file));
                copied.map_err(|error| Failure::message(format!("{}: {error}", path.display())))?;
            }
            self.open.insert(part.to_owned(), file);
        }
        Ok(self.open.get_mut(part).expect("the file was opened above"))
    }

    fn path_of(&self, part: &str) -> PathBuf {
        if self.tag.is_none() {
            return self.path.clone();
        }
        let mut name = self.path.file_stem().unwrap_or_default().to_owned();
        name.push("-");
        name.push(part);
        if let Some(extension) = self.path.extension() {
            name.push(".");
            name.push(extension);
        }
        self.path.with_file_name(name)
    }

    /// Gives the files their names.
    ///
    /// # Errors
    ///
    /// When something can't be written.
    pub(super) fn commit(self) -> Result<(), Failure> {
        self.open.into_values().try_for_each(OutputFile::commit)
    }
}

/// What a writer of games has written, to be looked at game by game.
#[derive(Clone, Debug, Default)]
pub(super) struct Written(Rc<RefCell<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer of games whose games go to files.
#[derive(Debug)]
pub(super) struct ToFiles<'f, W> {
    /// Writes to `written`.
    pub(super) writer: W,
    pub(super) written: Written,
    pub(super) files: &'f mut PgnFiles,
}

impl<W: MatchWriter> MatchWriter for ToFiles<'_, W> {
    fn game(&mut self, game: GameMatch) -> cqldex::Result<()> {
        self.writer.game(game)?;
        let text = std::mem::take(&mut *self.written.0.borrow_mut());
        if !text.is_empty() {
            self.files.add(&text)?;
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> cqldex::Result<()> {
        self.writer.finish(summary)
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        self.writer.flush()
    }
}

/// The value of a tag of a game, as it is written; empty without the tag.
fn tag_value(game: &[u8], tag: &str) -> String {
    let head = format!("[{tag} \"");
    let lines = game.split(|&byte| byte == b'\n').take_while(|line| !line.is_empty());
    let mut values = lines.filter_map(|line| line.strip_prefix(head.as_bytes())?.strip_suffix(b"\"]"));
    String::from_utf8_lossy(values.next().unwrap_or_default()).into_owned()
}

/// A value as a part of the name of a file: what a name may not have everywhere becomes `_`.
fn name_part(value: &str) -> String {
    let plain = |sign: char| match sign {
        '.' | '-' | '+' | ' ' | ',' => sign,
        _ if sign.is_alphanumeric() => sign,
        _ => '_',
    };
    let mut part: String = value.trim().chars().map(plain).collect();
    while part.len() > LONGEST_VALUE {
        part.pop();
    }
    match part.is_empty() {
        true => "none".to_owned(),
        false => part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_tags_become_names_of_files() {
        let game = b"[Event \"a/b\"]\n[Result \"1/2-1/2\"]\n\n{[White \"x\"]}\n";
        assert_eq!(name_part(&tag_value(game, "Result")), "1_2-1_2");
        assert_eq!(name_part(&tag_value(game, "Event")), "a_b");
        assert_eq!(name_part(&tag_value(game, "White")), "none");
        assert_eq!(name_part("../x"), ".._x");
        assert_eq!(name_part(&"\u{e9}".repeat(200)).len(), LONGEST_VALUE);
    }
}
