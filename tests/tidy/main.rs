//! The house rules that a program can check: dependencies between crates and files, the length of files, their content.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod circles;
mod modules;
mod security;
mod tokens;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines of a file without its tests.
const LONGEST: usize = 600;
/// The folders with Rust sources.
const FOLDERS: [&str; 13] = [
    "src", "bits", "chess", "postings", "storage", "indexer", "table", "query", "python", "cluster", "tests",
    "benches", "examples",
];
/// Our crates from the lowest to the highest, each with those of our crates that it may use.
const LAYERS: [(&str, &[&str]); 13] = [
    ("bits", &[]),
    ("table", &[]),
    ("chess", &[]),
    ("postings", &["bits", "chess"]),
    ("query/language", &["chess"]),
    ("query/editor", &["chess", "language"]),
    ("query/evaluator", &["bits", "chess", "language"]),
    ("query/planner", &["bits", "chess", "language", "postings"]),
    ("storage", &["bits", "chess", "postings"]),
    ("indexer", &["chess", "storage"]),
    (
        "query/search",
        &[
            "bits",
            "chess",
            "postings",
            "language",
            "evaluator",
            "planner",
            "storage",
        ],
    ),
    // They use the library, and nothing below it.
    ("python", &[]),
    ("cluster", &[]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder with one of these endings.
fn files(folder: &str, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(root().join(folder)) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            files(&name, endings, found);
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
}

/// All Rust sources, with their names and texts.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        files(folder, &[".rs"], &mut found);
    }
    found.sort();
    let named = found.into_iter().map(|path| {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    named.collect()
}

fn is_test(name: &str) -> bool {
    name.starts_with("tests/") || name.contains("/tests/") || name.ends_with("/tests.rs") || name.contains("/testing")
}

/// The text up to the unit tests at its end.
fn without_tests(text: &str) -> &str {
    let is_test_module = |start: &usize| {
        let mut lines = text[*start..].lines().skip(1);
        // Other attributes may stand between, on several lines.
        let item = lines.find(|line| !line.starts_with(['#', ' ', ')']));
        item.is_some_and(|item| item.ends_with("mod tests {"))
    };
    let mut starts = text.match_indices("#[cfg(test)]\n").map(|(start, _)| start);
    starts.find(is_test_module).map_or(text, |end| &text[..end])
}

/// What a crate depends on outside its tests.
fn dependencies(folder: &str) -> String {
    let text = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
    let start = text.rfind("\n[dependencies]").map(|at| at + 1).unwrap();
    let rest = &text[start..];
    rest[..rest.find("\n[dev-dependencies]").unwrap_or(rest.len())].to_owned()
}

#[test]
fn crates_keep_to_their_layers() {
    for (folder, allowed) in LAYERS {
        let dependencies = dependencies(folder);
        for line in dependencies.lines().filter_map(|line| line.strip_prefix("cqldex-")) {
            let name = line.split('.').next().unwrap();
            assert!(allowed.contains(&name), "{folder} uses {name}");
        }
        if folder != "storage" {
            assert!(!dependencies.contains("rocksdb"), "{folder} uses rocksdb");
        }
    }
    assert!(!dependencies("").contains("rocksdb"), "the program uses rocksdb");
}

#[test]
fn files_are_short() {
    for (name, text) in sources() {
        let lines = if is_test(&name) {
            0
        } else {
            without_tests(&text).lines().count()
        };
        assert!(lines <= LONGEST, "{name} has {lines} lines; {LONGEST} are allowed");
    }
}

#[test]
fn sources_are_ascii() {
    for (name, text) in sources() {
        // The spelling of CQL with symbols is tested with symbols.
        let code = if is_test(&name) { "" } else { without_tests(&text) };
        for (number, line) in code.lines().enumerate() {
            assert!(line.is_ascii(), "{name}:{}: not ASCII: {line}", number + 1);
        }
    }
}

#[test]
fn nothing_names_a_machine() {
    let mut found = Vec::new();
    for folder in [
        "src", "bits", "chess", "postings", "storage", "indexer", "table", "query", "python", "cluster", "benches",
        "examples", "docs", "samples", "scripts", ".ci",
    ] {
        files(folder, &[""], &mut found);
    }
    found.extend(
        [
            "README.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "Cargo.toml",
            "demo",
            "test",
        ]
        .map(|name| root().join(name)),
    );
    for path in found {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for place in ["/home/", "/root/", "/work/", "/Users/", "C:\\"] {
            assert!(
                !text.contains(place),
                "{}: names a folder of a machine: {place}",
                path.display()
            );
        }
    }
}

#[test]
fn no_document_says_a_paragraph_twice() {
    let mut found = Vec::new();
    files("docs", &[".md"], &mut found);
    assert!(found.len() > 20, "the documents were found");
    for path in found {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let lines: Vec<&str> = text.lines().collect();
        let mut known = HashSet::new();
        for (number, lines) in (1..).zip(lines.windows(3)) {
            let is_prose = lines.iter().all(|line| line.len() > 60 && !line.starts_with('|'));
            assert!(
                !is_prose || known.insert(lines),
                "{}:{number}: has these lines twice: {}",
                path.display(),
                lines[0]
            );
        }
    }
}

#[test]
fn the_fuzzer_knows_all_words() {
    let words = fs::read_to_string(root().join("fuzz/words/query.dict")).unwrap();
    for word in cqldex::keywords() {
        let line = format!("\"{word}\"");
        assert!(
            words.lines().any(|known| known == line),
            "fuzz/words/query.dict: {word} is missing"
        );
    }
}

#[test]
fn every_test_file_is_used() {
    for (name, _) in sources() {
        let Some(module) = name.strip_suffix("/tests.rs") else {
            continue;
        };
        let parent = [
            format!("{module}.rs"),
            format!("{module}/mod.rs"),
            format!("{module}/lib.rs"),
        ];
        let uses = |path: &String| {
            fs::read_to_string(root().join(path)).is_ok_and(|text| text.contains("#[cfg(test)]\nmod tests;"))
        };
        assert!(parent.iter().any(uses), "{name} is not compiled");
    }
}

#[test]
fn nobody_panics_outside_tests() {
    for (name, text) in sources() {
        if is_test(&name) || name.starts_with("benches/") || name.contains("/examples/") {
            continue;
        }
        for (number, line) in without_tests(&text).lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in [".unwrap()", "todo!(", "unimplemented!(", "dbg!("] {
                assert!(!code.contains(word), "{name}:{}: `{word}`", number + 1);
            }
        }
    }
}
