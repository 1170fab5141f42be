//! What can stand for an argument, while it is typed: files of its kind, databases, themes, columns, sets.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use cqldex::{By, Code, Columns, Database, Dialect, Query, Theme, Themes, Transform};

use super::configuration::{Configuration, SIGN};

/// Endings of files with games.
const GAMES: [&str; 4] = ["pgn", "zst", "gz", "bz2"];

/// Endings of files with queries.
const QUERIES: [&str; 1] = ["cql"];

/// Gives the arguments of all subcommands what can stand for them.
pub(super) fn apply(command: Command, configuration: &Configuration) -> Command {
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|arg| of(arg, &name, configuration))
    })
}

/// An argument of a subcommand, with what can stand for it.
fn of(arg: Arg, command: &str, configuration: &Configuration) -> Arg {
    let configuration = configuration.clone();
    match (command, arg.get_id().as_str()) {
        ("cql", _) => arg,
        (_, "db" | "other" | "database") => arg.add(ArgValueCompleter::new(move |word: &OsStr| {
            databases(word, &configuration)
        })),
        ("themes", "what") => arg.add(ArgValueCompleter::new(move |word: &OsStr| {
            let mut found = beginning(word, themes());
            found.extend(databases(word, &configuration));
            found
        })),
        ("batch", "paths") => arg.add(ArgValueCompleter::new(move |word: &OsStr| {
            let mut found = databases(word, &configuration);
            found.extend(files(&QUERIES).complete(word));
            found
        })),
        ("batch", "theme") => arg.add(ArgValueCandidates::new(|| themes().chain(groups()).collect())),
        (_, "theme") => arg.add(ArgValueCandidates::new(|| themes().collect())),
        ("themes", "tag") => arg.add(ArgValueCandidates::new(tags)),
        ("index", "files") | ("replace", "file") => arg.add(ArgValueCompleter::new(files(&GAMES).stdio())),
        ("format", "files") | ("translate", "query") | (_, "file") => {
            arg.add(ArgValueCompleter::new(files(&QUERIES).stdio()))
        }
        (_, "columns") => arg.add(ArgValueCandidates::new(columns)),
        (_, "by") => arg.add(ArgValueCandidates::new(|| {
            By::names().chain(["tag:"]).map(CompletionCandidate::new).collect()
        })),
        (_, "transform") => arg.add(ArgValueCandidates::new(|| {
            Transform::ALL
                .map(|transform| CompletionCandidate::new(transform.keyword()))
                .into()
        })),
        ("explain-error", "code") => arg.add(ArgValueCandidates::new(codes)),
        (_, "within" | "not_within" | "other_within" | "other_not_within" | "delete" | "export" | "rename") => {
            arg.add(ArgValueCandidates::new(move || sets(&configuration)))
        }
        (_, "root" | "pgn_dir" | "from" | "folder") => arg.add(ArgValueCompleter::new(PathCompleter::dir())),
        _ => arg,
    }
}

/// Files with one of these endings; folders lead to them.
fn files(endings: &'static [&'static str]) -> PathCompleter {
    PathCompleter::any().filter(move |path| {
        let ending = path.extension().and_then(OsStr::to_str);
        path.is_file() && ending.is_some_and(|ending| endings.contains(&ending.to_ascii_lowercase().as_str()))
    })
}

/// Databases, and the folders that lead to them; what begins with `+` is one of the configuration.
fn databases(word: &OsStr, configuration: &Configuration) -> Vec<CompletionCandidate> {
    let named = configuration.named();
    let mut found = beginning(
        word,
        named.map(|(name, path)| described(&name, &path.display().to_string())),
    );
    if !word.to_string_lossy().starts_with(SIGN) {
        found.extend(PathCompleter::any().filter(is_database).complete(word));
    }
    found
}

/// Whether a folder has the file with which every RocksDB begins.
fn is_database(path: &Path) -> bool {
    path.join("CURRENT").is_file()
}

/// The candidates that begin with what is typed.
fn beginning(word: &OsStr, all: impl Iterator<Item = CompletionCandidate>) -> Vec<CompletionCandidate> {
    let word = word.to_string_lossy();
    all.filter(|candidate| candidate.get_value().to_string_lossy().starts_with(word.as_ref()))
        .collect()
}

fn described(value: &str, text: &str) -> CompletionCandidate {
    CompletionCandidate::new(value).help(Some(StyledStr::from(text.to_owned())))
}

fn themes() -> impl Iterator<Item = CompletionCandidate> {
    let described = |theme: &Theme| described(&theme.name, &theme.title);
    Themes::built_in().iter().map(described)
}

/// The groups of themes, and the word for all of them.
fn groups() -> impl Iterator<Item = CompletionCandidate> {
    let groups: std::collections::BTreeSet<&str> =
        Themes::built_in().iter().map(|theme| theme.group.as_str()).collect();
    let groups = groups.into_iter().map(|group| described(group, "a group of themes"));
    groups.chain([described("all", "all themes")])
}

fn tags() -> Vec<CompletionCandidate> {
    let tags: std::collections::BTreeSet<&str> = Themes::built_in()
        .iter()
        .flat_map(|theme| &theme.tags)
        .map(String::as_str)
        .collect();
    tags.into_iter().map(CompletionCandidate::new).collect()
}

/// The columns that are not about one query, and the beginnings of the others.
fn columns() -> Vec<CompletionCandidate> {
    let Ok(query) = Query::parse("true", Dialect::Cql6) else {
        return Vec::new();
    };
    let columns = Columns::all(&query);
    let names = columns.names().map(str::to_owned);
    let more = ["sort", "sort:", "tag:"].map(str::to_owned);
    names.chain(more).map(CompletionCandidate::new).collect()
}

fn codes() -> Vec<CompletionCandidate> {
    Code::ALL
        .iter()
        .map(|code| described(code.text(), code.explanation()))
        .collect()
}

/// The named sets of the first database on the command line. One that can't be read has none.
fn sets(configuration: &Configuration) -> Vec<CompletionCandidate> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let named = words.filter_map(|word| configuration.database(PathBuf::from(word)).ok());
    let Some(path) = named.into_iter().find(|path| is_database(path)) else {
        return Vec::new();
    };
    let opened = Database::open(path, super::reading(None));
    let sets = opened.and_then(|database| database.sets().list()).unwrap_or_default();
    let described = |set: &cqldex::SetInfo| described(&set.name, &cqldex::format::count(set.positions, "position"));
    sets.iter().map(described).collect()
}
