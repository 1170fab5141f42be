//! Themes: queries that have a name, such as `boden-mate`, with what they are about and where that is defined.

mod file;

use std::path::Path;
use std::sync::LazyLock;

use walkdir::WalkDir;

use crate::error::{Error, Result};
use crate::nearest::unknown;

pub use file::ThemeGame;

include!(concat!(env!("OUT_DIR"), "/themes.rs"));

/// The ending of the names of files with themes.
const ENDING: &str = "cql";

static BUILT_IN: LazyLock<Themes> = LazyLock::new(|| {
    let read = FILES.iter().map(|(name, text)| Theme::parse(name, text));
    // A test reads all of them.
    Themes(
        read.collect::<Result<_>>()
            .expect("the themes of the program can be read"),
    )
});

/// A query with a name.
///
/// Its file is the query. The first comment of the file says what the query is about, in TOML; see docs/themes.md.
///
/// ```
/// use cqldex::{Dialect, Query, Themes};
///
/// let theme = Themes::built_in().get("smothered-mate")?;
/// assert_eq!((theme.group.as_str(), theme.title.as_str()), ("mates", "Smothered mate"));
/// assert!(Query::parse(&theme.query, Dialect::Cql6).is_ok());
/// # Ok::<(), cqldex::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Theme {
    /// The name of its file without the ending.
    pub name: String,
    /// The folder of its file.
    pub group: String,
    /// What people call it.
    pub title: String,
    /// What it is, in a sentence.
    pub about: String,
    /// Words that it shares with others.
    pub tags: Vec<String>,
    /// Who defines it.
    pub source: String,
    /// Where that can be read, if it is on the web.
    pub link: Option<String>,
    /// The query, without the comment before it.
    pub query: String,
    /// Positions where it matches, as FEN: the board and the side to move, or all fields.
    pub matches: Vec<String>,
    /// Positions where it doesn't.
    pub fails: Vec<String>,
    /// Games in which it matches at some positions, or nowhere.
    pub games: Vec<ThemeGame>,
}

/// Themes in the order of their groups and names.
#[derive(Clone, Debug)]
pub struct Themes(Vec<Theme>);

impl Theme {
    /// Reads the text of a file. `name` is its path below the folder of all themes, such as `mates/boden-mate.cql`.
    ///
    /// # Errors
    ///
    /// When the text does not begin with a comment in which TOML says what the theme is about. The query is not parsed.
    pub fn parse(name: &str, text: &str) -> Result<Theme> {
        file::parse(name, text).map_err(|problem| Error::Theme(format!("{name}: {problem}")))
    }
}

impl Themes {
    /// The themes that are part of the program.
    pub fn built_in() -> &'static Themes {
        &BUILT_IN
    }

    /// The themes of a folder: all files below it whose names end in `.cql`.
    ///
    /// ```
    /// use cqldex::Themes;
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::create_dir(folder.path().join("kings"))?;
    /// let text = "/*\ntitle = \"Corner\"\nabout = \"A king in the corner.\"\ntags = [\"king\"]\nsource = \"Me\"\n*/\nKa1\n";
    /// std::fs::write(folder.path().join("kings/corner.cql"), text)?;
    /// let themes = Themes::read(folder.path())?;
    /// assert_eq!(themes.get("corner")?.query, "Ka1\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a file can't be read, or is no theme.
    pub fn read(folder: &Path) -> Result<Themes> {
        let failed = |path: &Path, error: &dyn std::fmt::Display| Error::Theme(format!("{}: {error}", path.display()));
        let mut themes = Vec::new();
        for entry in WalkDir::new(folder).follow_links(true).sort_by_file_name() {
            let entry = entry.map_err(|error| failed(folder, &error))?;
            let path = entry.path();
            if !entry.file_type().is_file() || path.extension().is_none_or(|ending| ending != ENDING) {
                continue;
            }
            let text = std::fs::read_to_string(path).map_err(|error| failed(path, &error))?;
            let below = path.strip_prefix(folder).unwrap_or(path);
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            themes.push(Theme::parse(&parts.join("/"), &text)?);
        }
        Ok(Themes(themes))
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Theme> {
        self.0.iter()
    }

    /// The theme with this name.
    ///
    /// # Errors
    ///
    /// When there is none; the nearest names are told.
    pub fn get(&self, name: &str) -> Result<&Theme> {
        let found = self.0.iter().find(|theme| theme.name == name);
        found.ok_or_else(|| {
            let names = self.0.iter().map(|theme| theme.name.as_str());
            Error::Theme(unknown("there is no theme", name, names))
        })
    }

    /// The theme with this name, or all of a group.
    ///
    /// # Errors
    ///
    /// When there is neither.
    pub fn named(&self, name: &str) -> Result<Vec<&Theme>> {
        let group: Vec<&Theme> = self.0.iter().filter(|theme| theme.group == name).collect();
        match group.is_empty() {
            true => Ok(vec![self.get(name)?]),
            false => Ok(group),
        }
    }
}

impl<'t> IntoIterator for &'t Themes {
    type Item = &'t Theme;
    type IntoIter = std::slice::Iter<'t, Theme>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
