//! `readfile` and `writefile`: files below the one folder that the user has named (docs/language/output.md#files).

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use language::hir::Filter;
use language::span::Span;

use crate::error::{Cause, Eval, RuntimeError};
use crate::machine::Machine;

impl<'a> Machine<'a, '_> {
    /// The text of a file.
    pub(crate) fn read_file(&self, name: &[u8], span: Span) -> Eval<Vec<u8>> {
        let path = self.file_path(name, &["cqo", "cql", "pgn"], span)?;
        fs::read(&path).map_err(|error| self.file_error(&path, &error, span))
    }

    /// `writefile(NAME CONTENT)`: a file is emptied when it is written for the first time in a run.
    pub(crate) fn write_file(&mut self, name: &'a Filter, content: &'a Filter, span: Span) -> Eval<bool> {
        let Some(name) = self.text(name)? else { return Ok(false) };
        let Some(content) = self.text(content)? else {
            return Ok(false);
        };
        if !self.state.written.is_open(&name) {
            let path = self.file_path(&name, &["cqo", "cql"], span)?;
            let opened = self.state.written.open(&name, &path);
            opened.map_err(|error| self.file_error(&path, &error, span))?;
        }
        let written = self.state.written.append(&content);
        written.map_err(|(path, error)| self.file_error(&path, &error, span))?;
        Ok(true)
    }

    fn file_error(&self, path: &Path, error: &io::Error, span: Span) -> Box<RuntimeError> {
        self.error(Cause::File(format!("{}: {error}", path.display())), span)
    }

    /// The file of this name below the folder.
    fn file_path(&self, name: &[u8], extensions: &[&str], span: Span) -> Eval<PathBuf> {
        let refuse = |reason: String| Err(self.error(Cause::File(reason), span));
        let Some(folder) = &self.limits.files else {
            return refuse("files are read and written only below a folder named with --files".to_owned());
        };
        let name = String::from_utf8_lossy(name).into_owned();
        let path = Path::new(&name);
        let is_known = path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| extensions.contains(&extension));
        if !is_known {
            let endings = extensions.join(" or .");
            return refuse(format!(
                "the name of a file has to end in .{endings}, and `{name}` does not"
            ));
        }
        match below(folder, path) {
            Ok(Some(path)) => Ok(path),
            Ok(None) => refuse(format!("`{name}` is not below the folder {}", folder.display())),
            Err(error) => Err(self.file_error(&folder.join(path), &error, span)),
        }
    }
}

/// The path of a file below a folder, whether the file exists or not. `None` if the path is not below it: the name is
/// absolute or contains `.` or `..`, or a symbolic link leads out of the folder.
///
/// # Errors
///
/// When the folder, or that of the file, can't be read.
pub fn below(folder: &Path, name: &Path) -> io::Result<Option<PathBuf>> {
    let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
    let Some(file_name) = name.file_name().filter(|_| is_plain) else {
        return Ok(None);
    };
    let folder = folder.canonicalize()?;
    let path = folder.join(name);
    let place = match path.symlink_metadata() {
        Ok(metadata) if metadata.is_symlink() => match path.canonicalize() {
            Ok(target) => target,
            // The system would follow a dangling link when it creates the file.
            Err(_) => return Ok(None),
        },
        _ => path.parent().unwrap_or(&folder).canonicalize()?.join(file_name),
    };
    Ok(place.starts_with(&folder).then_some(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_below_their_folder() {
        let folder = std::env::temp_dir().join(format!("cqldex-below-{}", std::process::id()));
        let inside = folder.join("inside");
        fs::create_dir_all(inside.join("deeper")).unwrap();
        let here = |name: &str| below(&inside, Path::new(name));
        let real = inside.canonicalize().unwrap();
        assert_eq!(here("a.cqo").unwrap(), Some(real.join("a.cqo")));
        assert_eq!(here("deeper/a.cqo").unwrap(), Some(real.join("deeper/a.cqo")));
        for name in ["../a.cqo", "deeper/../../a.cqo", "/etc/a.cqo", "", "..", "./../a.cqo"] {
            assert_eq!(here(name).unwrap(), None, "{name:?}");
        }
        assert!(here("nowhere/a.cqo").is_err());
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            fs::write(folder.join("secret.cqo"), "").unwrap();
            symlink(folder.join("secret.cqo"), inside.join("file.cqo")).unwrap();
            symlink(&folder, inside.join("out")).unwrap();
            symlink(folder.join("new.cqo"), inside.join("new.cqo")).unwrap();
            symlink(inside.join("deeper"), inside.join("in")).unwrap();
            for name in ["file.cqo", "out/secret.cqo", "new.cqo"] {
                assert_eq!(here(name).unwrap(), None, "{name:?}");
            }
            assert_eq!(here("in/a.cqo").unwrap(), Some(real.join("deeper/a.cqo")));
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
