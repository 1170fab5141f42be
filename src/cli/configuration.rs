//! The configuration file: what the user wants where the command line says nothing, in TOML.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command};
use etcetera::BaseStrategy;
use serde::Deserialize;

use crate::color::Color;
use crate::exit::Failure;

/// The variable that names another file; an empty value means none.
pub(super) const VARIABLE: &str = "CQLDEX_CONFIG";

/// What stands before the name of a configured database; alone, it is the one that is usual.
pub(super) const SIGN: &str = "+";

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Configuration {
    /// The database that `+` stands for.
    database: Option<PathBuf>,
    /// The databases that `+NAME` stands for.
    #[serde(default)]
    databases: BTreeMap<String, PathBuf>,
    /// How many threads work, instead of one for each core.
    threads: Option<NonZeroUsize>,
    /// When to write in colors.
    color: Option<Color>,
}

/// Where the file is, if there is a place for it.
pub(super) fn place() -> Option<PathBuf> {
    match std::env::var_os(VARIABLE) {
        Some(path) if path.is_empty() => None,
        Some(path) => Some(path.into()),
        None => {
            let folders = etcetera::choose_base_strategy().ok()?;
            Some(folders.config_dir().join("cqldex").join("config.toml"))
        }
    }
}

impl Configuration {
    /// Reads the file; one that is not there says nothing, unless the user has named it.
    ///
    /// # Errors
    ///
    /// When it can't be read, with the place of what is wrong.
    pub(super) fn read() -> Result<Configuration, Failure> {
        let Some(path) = place() else {
            return Ok(Configuration::default());
        };
        let failed = |error: &dyn std::fmt::Display| Failure::message(format!("{}: {error}", path.display()));
        match std::fs::read_to_string(&path) {
            Ok(text) => Configuration::parse(&text, &path).map_err(|error| failed(&error)),
            // Where the folder may not be entered, such as that of another user, there is none either.
            Err(_) if !path.exists() && std::env::var_os(VARIABLE).is_none() => Ok(Configuration::default()),
            Err(error) => Err(failed(&error)),
        }
    }

    /// Reads the text of a file. Its paths begin at its folder, or with `~` at the user's.
    fn parse(text: &str, file: &Path) -> Result<Configuration, String> {
        let error = |error: toml::de::Error| error.to_string().trim_end().to_owned();
        let mut configuration: Configuration = toml::from_str(text).map_err(error)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let home = etcetera::home_dir().ok();
        let paths = configuration.databases.values_mut().chain(&mut configuration.database);
        for path in paths {
            *path = match (path.strip_prefix("~"), &home) {
                (Ok(below), Some(home)) => home.join(below),
                _ => folder.join(&path),
            };
        }
        Ok(configuration)
    }

    /// When to write in colors, if the file says so.
    pub(super) fn color(&self) -> Option<Color> {
        self.color
    }

    /// How many databases have a name, the usual one included.
    pub(super) fn len(&self) -> usize {
        self.named().count()
    }

    /// The databases as a command line names them.
    pub(super) fn named(&self) -> impl Iterator<Item = (String, &Path)> {
        let usual = self.database.iter().map(|path| (SIGN.to_owned(), path.as_path()));
        let named = self.databases.iter();
        usual.chain(named.map(|(name, path)| (format!("{SIGN}{name}"), path.as_path())))
    }

    /// The database that a command line names. What begins with `+` is one of the file, unless it is there on the disk.
    ///
    /// # Errors
    ///
    /// When the file has none of this name.
    pub(super) fn database(&self, named: PathBuf) -> Result<PathBuf, String> {
        let Some(name) = named.to_str().filter(|name| name.starts_with(SIGN)) else {
            return Ok(named);
        };
        if named.exists() {
            return Ok(named);
        }
        if let Some((_, path)) = self.named().find(|(known, _)| known == name) {
            return Ok(path.to_owned());
        }
        let known: Vec<String> = self.named().map(|(name, _)| name).collect();
        Err(match (known.as_slice(), place()) {
            ([], Some(file)) => format!(
                "the configuration, {}, names no database; `database = \"games.db\"` there is that of `+`",
                file.display()
            ),
            ([], None) => "there is no configuration that names databases".to_owned(),
            _ => format!("the configuration has {}", known.join(", ")),
        })
    }

    /// Makes what the file says the defaults of a command line.
    pub(super) fn apply(&self, command: Command) -> Command {
        command.mut_subcommands(|command| command.mut_args(|arg| self.default_of(arg)))
    }

    fn default_of(&self, arg: Arg) -> Arg {
        match arg.get_id().as_str() {
            "db" | "other" | "database" | "what" | "paths" => arg.value_parser(Databases(self.clone())),
            "threads" => match self.threads {
                Some(threads) => arg.default_value(threads.to_string()),
                None => arg,
            },
            _ => arg,
        }
    }
}

/// Reads the path of a database, or the name that the configuration gives it.
#[derive(Clone)]
struct Databases(Configuration);

impl TypedValueParser for Databases {
    type Value = PathBuf;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<PathBuf, clap::Error> {
        let path = PathBufValueParser::new().parse_ref(command, arg, value)?;
        self.0.database(path).map_err(|reason| {
            let value = value.to_string_lossy();
            let message = format!("there is no database `{value}`: {reason}");
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "database = 'mine.db'\nthreads = 2\ncolor = 'never'\n[databases]\nbig = '/data/big.db'\n";

    fn parsed(text: &str) -> Result<Configuration, String> {
        Configuration::parse(text, Path::new("/etc/cqldex/config.toml"))
    }

    #[test]
    fn paths_begin_at_the_folder_of_the_file() {
        let configuration = parsed(TEXT).unwrap();
        let database = |name: &str| configuration.database(PathBuf::from(name)).unwrap();
        assert_eq!(database("+"), Path::new("/etc/cqldex/mine.db"));
        assert_eq!(database("+big"), Path::new("/data/big.db"));
        assert_eq!(database("games.db"), Path::new("games.db"));
        let home = parsed("database = '~/games.db'")
            .unwrap()
            .database(SIGN.into())
            .unwrap();
        assert_eq!(home, etcetera::home_dir().unwrap().join("games.db"));
    }

    #[test]
    fn a_name_that_is_not_there_is_told_with_those_that_are() {
        let told = parsed(TEXT).unwrap().database("+small".into()).unwrap_err();
        assert_eq!(told, "the configuration has +, +big");
    }

    #[test]
    fn mistakes_have_a_place() {
        let place = |text: &str| parsed(text).unwrap_err().lines().next().unwrap().to_owned();
        assert_eq!(place("threads = 0"), "TOML parse error at line 1, column 11");
        assert_eq!(place("\ncolour = 'never'"), "TOML parse error at line 2, column 1");
        assert_eq!(place("color = 'pink'"), "TOML parse error at line 1, column 9");
        assert_eq!(place("threads ="), "TOML parse error at line 1, column 10");
    }
}
