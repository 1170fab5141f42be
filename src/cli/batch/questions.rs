//! Which databases and questions a command line names.

use std::path::{Path, PathBuf};

use cqldex::{Database, Error, Options, Query, Theme, Themes};
use walkdir::WalkDir;

use crate::cli::text::{QueryText, ReadingArgs};
use crate::exit::Failure;

/// The ending of the names of questions in folders.
const ENDING: &str = "cql";

/// What stands for all themes on a command line.
const ALL: &str = "all";

/// A question, in a file or as a theme.
pub(super) struct Question {
    /// What the question is called: the name of its file without the ending, with the folders below the one that was named; of
    /// a theme its group and its name.
    pub(super) name: String,
    pub(super) text: QueryText,
    /// The question, or what is wrong with it.
    pub(super) query: Result<Query, Error>,
}

/// What a command line names.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) databases: Vec<PathBuf>,
    /// The files, with the names of the questions.
    files: Vec<(PathBuf, String)>,
    themes: Vec<&'static Theme>,
}

impl Named {
    /// Sorts databases from files and folders with questions.
    ///
    /// # Errors
    ///
    /// When there is nothing of a name, a database can't be read, or one of the two is missing.
    pub(super) fn find(paths: &[PathBuf], themes: &[String]) -> Result<Named, Failure> {
        let mut named = Named::default();
        for name in themes {
            match name.as_str() {
                ALL => named.themes.extend(Themes::built_in()),
                name => named.themes.extend(Themes::built_in().named(name)?),
            }
        }
        for path in paths {
            let failed = |error: &dyn std::fmt::Display| Failure::message(format!("{}: {error}", path.display()));
            let about = path.metadata().map_err(|error| failed(&error))?;
            if !about.is_dir() {
                named.add_file(path.clone(), name_of(path.file_name().map_or(path, Path::new)));
            } else if is_database(path)? {
                named.databases.push(path.clone());
            } else {
                let before = named.files.len();
                for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
                    let entry = entry.map_err(|error| failed(&error))?;
                    let is_question = entry
                        .path()
                        .extension()
                        .is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING));
                    if entry.file_type().is_file() && is_question {
                        let below = entry.path().strip_prefix(path).unwrap_or(entry.path());
                        named.add_file(entry.path().to_owned(), name_of(below));
                    }
                }
                if named.files.len() == before {
                    return Err(failed(&format_args!(
                        "this is no database, and there are no files in it whose names end in .{ENDING}"
                    )));
                }
            }
        }
        if named.databases.is_empty() {
            return Err(Failure::message(
                "no database is named: `cqldex batch games.db queries/`",
            ));
        }
        if named.files.is_empty() && named.themes.is_empty() {
            return Err(Failure::message(format!(
                "no questions are named: give files, or folders with .{ENDING} files, behind the database, or --theme"
            )));
        }
        named.tell_apart();
        Ok(named)
    }

    /// Adds a file, unless it was named before.
    fn add_file(&mut self, path: PathBuf, name: String) {
        if self.files.iter().all(|(known, _)| *known != path) {
            self.files.push((path, name));
        }
    }

    /// Calls questions of the same name by the whole paths of their files.
    fn tell_apart(&mut self) {
        let names: Vec<String> = self.files.iter().map(|(_, name)| name.clone()).collect();
        for (path, name) in &mut self.files {
            if names.iter().filter(|other| *other == name).count() > 1 {
                *name = path.display().to_string();
            }
        }
    }

    /// Reads all questions.
    pub(super) fn questions(&self, reading: &ReadingArgs) -> Vec<Result<Question, (String, Failure)>> {
        let themes = self.themes.iter().map(|theme| {
            let text = reading.theme(theme);
            Ok(Question {
                name: format!("{}/{}", theme.group, theme.name),
                query: text.parse().map_err(Error::from),
                text,
            })
        });
        let files = self.files.iter().map(|(path, name)| {
            let text = reading.read(path).map_err(|failure| (name.clone(), failure))?;
            Ok(Question {
                name: name.clone(),
                query: text.parse().map_err(Error::from),
                text,
            })
        });
        files.chain(themes).collect()
    }
}

/// The name of a question by the path of its file.
fn name_of(path: &Path) -> String {
    let is_usual = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING));
    let path = if is_usual {
        path.with_extension("")
    } else {
        path.to_owned()
    };
    path.display().to_string()
}

/// Whether a folder is a database.
///
/// # Errors
///
/// When it is one that can't be read.
fn is_database(path: &Path) -> Result<bool, Failure> {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    match Database::open(path, options) {
        Ok(_) => Ok(true),
        Err(Error::NotADatabase(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// What databases are called: the names of their folders, or their whole paths if two have the same.
pub(super) fn database_names(paths: &[PathBuf]) -> Vec<String> {
    let short = |path: &PathBuf| {
        path.file_stem()
            .unwrap_or(path.as_os_str())
            .to_string_lossy()
            .into_owned()
    };
    let names: Vec<String> = paths.iter().map(short).collect();
    let is_unique = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
    match names.iter().all(is_unique) {
        true => names,
        false => paths.iter().map(|path| path.display().to_string()).collect(),
    }
}
