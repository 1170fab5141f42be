//! The layout of queries: it keeps the meaning, and a second time nothing changes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "a test that was left out says so")]

use std::fs;
use std::path::{Path, PathBuf};

use language::{Layout, ParseOptions, format, parse};

/// The tree of a query, without the places in the text.
fn tree(text: &str) -> String {
    let debug = format!("{:?}", parse(text, &ParseOptions::default()).unwrap());
    let mut tree = String::new();
    let mut rest = debug.as_str();
    while let Some(start) = rest.find("Span {") {
        tree.push_str(&rest[..start]);
        rest = &rest[start..];
        rest = &rest[rest.find('}').unwrap() + 1..];
    }
    tree.push_str(rest);
    tree
}

/// What is wrong with the layout of a query in several widths and both spellings.
fn wrong_with(text: &str) -> Option<String> {
    let meaning = tree(text);
    for unicode in [None, Some(true), Some(false)] {
        for width in [20, 60, 100] {
            let layout = Layout { width, unicode };
            let once = format(text, layout).unwrap();
            if tree(&once) != meaning {
                return Some(format!("{layout:?}: another meaning:\n{text}\n{once}"));
            }
            let twice = format(&once, layout).unwrap();
            if twice != once {
                return Some(format!("{layout:?}: changes a second time:\n{text}\n{once}\n{twice}"));
            }
            if !once.ends_with('\n') || once.lines().any(|line| line.ends_with(' ')) {
                return Some(format!("{layout:?}: blanks at the end of a line:\n{once:?}"));
            }
        }
    }
    None
}

#[track_caller]
fn check(texts: impl IntoIterator<Item = String>) -> usize {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for text in texts {
        if parse(&text, &ParseOptions::default()).is_ok() {
            checked += 1;
            wrong.extend(wrong_with(&text));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {checked}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n\n")
    );
    checked
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// All files below a folder with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|other| other == ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn themes_keep_their_meaning_and_are_laid_out() {
    let files = files(&root().join("themes"), "cql");
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    assert!(check(texts) >= 120);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(
            format(&text, Layout::default()).unwrap(),
            text,
            "{}: run `cqldex format`",
            file.display()
        );
    }
}

#[test]
fn the_examples_of_the_reference_keep_their_meaning() {
    let mut texts = Vec::new();
    for file in files(&root().join("docs/language"), "md") {
        let text = fs::read_to_string(file).unwrap();
        let blocks = text.split("```cql\n").skip(1);
        texts.extend(blocks.filter_map(|block| Some(block.split_once("```")?.0.to_owned())));
    }
    assert!(check(texts) > 300);
}

#[test]
fn the_cases_of_cql_keep_their_meaning() {
    let folder = match std::env::var_os("CQLDEX_CONFORMANCE") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/conformance"),
    };
    if !folder.is_dir() {
        println!("skipped: there is no conformance folder (CQLDEX_CONFORMANCE, or ../shared/conformance)");
        return;
    }
    for (name, floor) in [("positions", 899), ("games", 423), ("unicode", 291), ("parse", 1_000)] {
        let cases = fs::read_to_string(folder.join(format!("{name}.jsonl"))).unwrap();
        let query = |line: &str| -> String {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            case["query"].as_str().unwrap().to_owned()
        };
        let checked = check(cases.lines().map(query));
        assert!(checked >= floor, "{name}: {checked}");
    }
}
