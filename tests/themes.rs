//! The themes: each matches its examples and nothing near to them, by plan and by scan.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use cqldex::{Database, Dialect, IndexOptions, Options, Query, Route, SearchOptions, Theme, Themes};

/// The tags that there are: men, what happens, and where.
const TAGS: [&str; 35] = [
    "attack",
    "bishop",
    "capture",
    "castling",
    "centre",
    "check",
    "discovery",
    "draw",
    "en-passant",
    "endgame",
    "fork",
    "king",
    "knight",
    "line",
    "manoeuvre",
    "mate",
    "material",
    "opening",
    "passed-pawn",
    "pawn",
    "pin",
    "problem",
    "promotion",
    "queen",
    "rook",
    "sacrifice",
    "sequence",
    "skewer",
    "structure",
    "theoretical",
    "trap",
    "variations",
    "weakness",
    "wing",
    "zugzwang",
];

/// An example: what it is, as PGN, and the positions that are to match.
struct Example {
    what: String,
    pgn: String,
    at: Vec<u32>,
}

/// A game that begins on this board.
fn pgn(fen: Option<&str>, moves: &str) -> String {
    let result = ["1-0", "0-1", "1/2-1/2"]
        .into_iter()
        .find(|result| moves.trim_end().ends_with(result));
    let mut text = format!("[Event \"?\"]\n[Result \"{}\"]\n", result.unwrap_or("*"));
    if let Some(fen) = fen {
        let whole = if fen.split(' ').count() == 2 {
            format!("{fen} - - 0 1")
        } else {
            fen.to_owned()
        };
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{whole}\"]");
    }
    let _ = writeln!(text, "\n{moves}{}\n", if result.is_none() { " *" } else { "" });
    text
}

fn examples(theme: &Theme) -> Vec<Example> {
    let board = |fen: &String, at: Vec<u32>| Example {
        what: fen.clone(),
        pgn: pgn(Some(fen), ""),
        at,
    };
    let matches = theme.matches.iter().map(|fen| board(fen, vec![0]));
    let fails = theme.fails.iter().map(|fen| board(fen, Vec::new()));
    let games = theme.games.iter().map(|game| Example {
        what: game.moves.clone(),
        pgn: pgn(game.fen.as_deref(), &game.moves),
        at: game.at.clone(),
    });
    matches.chain(fails).chain(games).collect()
}

#[test]
fn every_theme_matches_its_examples_and_nothing_near_to_them() {
    let mut wrong = Vec::new();
    let folder = tempfile::tempdir().unwrap();
    for theme in Themes::built_in() {
        let examples = examples(theme);
        let (file, path) = (folder.path().join("examples.pgn"), folder.path().join(&theme.name));
        std::fs::write(
            &file,
            examples.iter().map(|example| example.pgn.as_str()).collect::<String>(),
        )
        .unwrap();
        let mut database = Database::create(&path, Options::default()).unwrap();
        let indexed = database.index(&[&file], &IndexOptions::default(), &()).unwrap();
        if indexed.games != examples.len() as u64 || indexed.damaged_games > 0 {
            wrong.push(format!("{}: an example has an illegal move or position", theme.name));
        }
        let query = match Query::parse(&theme.query, Dialect::Cql6) {
            Ok(query) => query,
            Err(error) => {
                wrong.push(format!("{}: {error}", theme.name));
                continue;
            }
        };
        for route in [Route::Plan, Route::Scan] {
            let options = SearchOptions {
                route,
                kept_answers: None,
                ..SearchOptions::default()
            };
            let mut found: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            for game in database.search(&query, options) {
                let game = game.unwrap();
                found.insert(
                    game.number,
                    game.positions.iter().map(|position| position.node).collect(),
                );
            }
            for (number, example) in (1..).zip(&examples) {
                let at = found.remove(&number).unwrap_or_default();
                if at != example.at {
                    wrong.push(format!("{}, {route:?}: {at:?} of {}", theme.name, example.what));
                }
            }
        }
        drop(database);
        std::fs::remove_dir_all(path).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_theme_says_what_it_is_and_has_examples_of_both_kinds() {
    let themes = Themes::built_in();
    assert!(themes.iter().count() >= 120);
    let mut names = BTreeSet::new();
    let mut titles = BTreeSet::new();
    for theme in themes {
        let name = &theme.name;
        assert!(names.insert(name), "{name} is there twice");
        assert!(titles.insert(&theme.title), "{name}: the title is there twice");
        assert!(
            name.chars()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-'),
            "{name}"
        );
        assert!(!theme.group.is_empty(), "{name}: themes are in folders");
        let sentence = &theme.about;
        assert!(
            sentence.ends_with('.') && sentence.starts_with(char::is_uppercase),
            "{name}: {sentence}"
        );
        assert!(theme.source.len() > 5, "{name}: no source");
        assert!(
            theme.link.as_ref().is_none_or(|link| link.starts_with("https://")),
            "{name}: {:?}",
            theme.link
        );
        assert!(!theme.tags.is_empty(), "{name}: no tags");
        for tag in &theme.tags {
            assert!(TAGS.contains(&tag.as_str()), "{name}: there is no tag {tag}");
        }
        let (yes, no): (Vec<_>, Vec<_>) = examples(theme).into_iter().partition(|example| !example.at.is_empty());
        // A game has positions of both kinds.
        let differs = theme.games.iter().any(|game| !game.at.is_empty());
        assert!(!yes.is_empty(), "{name}: nothing matches");
        assert!(!no.is_empty() || differs, "{name}: nothing fails");
    }
}

#[test]
fn the_tags_are_those_that_themes_have() {
    let used: BTreeSet<&str> = Themes::built_in()
        .iter()
        .flat_map(|theme| theme.tags.iter().map(String::as_str))
        .collect();
    let known: BTreeSet<&str> = TAGS.into_iter().collect();
    assert_eq!(used, known);
}

#[test]
fn the_document_lists_every_theme_with_its_figures() {
    let document = include_str!("../docs/themes.md");
    let (_, document) = document.split_once("## How often").unwrap();
    let listed: BTreeSet<&str> = document
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` |").map(|(name, _)| name))
        .collect();
    let known: BTreeSet<&str> = Themes::built_in().iter().map(|theme| theme.name.as_str()).collect();
    assert_eq!(listed, known);
}
