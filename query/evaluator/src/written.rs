//! The files that `writefile` has opened (docs/language/output.md#files).

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How many files stay open. A query may make their names, so that there are many.
const MAX_OPEN: usize = 16;

/// The files that `writefile` writes in a run. Most queries write one, again and again: it stays open.
#[derive(Debug, Default)]
pub(crate) struct WrittenFiles {
    /// Those that were opened so far.
    paths: HashSet<PathBuf>,
    /// Those that are open, the one that was used last at the end.
    open: Vec<OpenFile>,
}

#[derive(Debug)]
struct OpenFile {
    /// What the query calls it.
    name: Vec<u8>,
    path: PathBuf,
    file: File,
}

impl WrittenFiles {
    /// Whether a file of this name is open; then it is the one that is written next.
    pub(crate) fn is_open(&mut self, name: &[u8]) -> bool {
        let Some(place) = self.open.iter().rposition(|open| open.name == name) else {
            return false;
        };
        if place + 1 < self.open.len() {
            let open = self.open.remove(place);
            self.open.push(open);
        }
        true
    }

    /// Opens a file, and empties it if that is the first time.
    pub(crate) fn open(&mut self, name: &[u8], path: &Path) -> io::Result<()> {
        let is_first = !self.paths.contains(path);
        if is_first {
            File::create(path)?;
        }
        // Two names may be one file, and each writes at its end.
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        self.paths.insert(path.to_owned());
        if self.open.len() == MAX_OPEN {
            self.open.remove(0);
        }
        self.open.push(OpenFile {
            name: name.to_owned(),
            path: path.to_owned(),
            file,
        });
        Ok(())
    }

    /// Writes to the end of the file that was opened or used last.
    pub(crate) fn append(&mut self, content: &[u8]) -> Result<(), (PathBuf, io::Error)> {
        match self.open.last_mut() {
            Some(open) => open.file.write_all(content).map_err(|error| (open.path.clone(), error)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_emptied_once_and_grows_then() {
        let folder = std::env::temp_dir().join(format!("cqldex-written-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |number: usize| folder.join(format!("{number}.cqo"));
        std::fs::write(path(0), "old").unwrap();
        let mut written = WrittenFiles::default();
        let mut write = |number: usize, name: &str, text: &str| {
            if !written.is_open(name.as_bytes()) {
                written.open(name.as_bytes(), &path(number)).unwrap();
            }
            written.append(text.as_bytes()).unwrap();
        };
        // More than stay open, and one that has two names.
        for turn in ["a", "b"] {
            for number in 0..2 * MAX_OPEN {
                write(number, &number.to_string(), turn);
            }
            write(0, "other", "c");
            write(0, "0", "d");
        }
        let read = |number| std::fs::read_to_string(path(number)).unwrap();
        assert_eq!(read(0), "acdbcd");
        assert!((1..2 * MAX_OPEN).all(|number| read(number) == "ab"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
