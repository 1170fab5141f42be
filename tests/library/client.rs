//! The command line uses the library and nothing below it.

use std::fs;
use std::path::Path;

/// The crates below the library.
const BELOW: [&str; 8] = [
    "chess",
    "postings",
    "language",
    "evaluator",
    "planner",
    "storage",
    "indexer",
    "search",
];

/// All Rust sources below a folder.
fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
}

/// Whether a line of a program names a crate: its name stands before `::` and is not the end of a longer path.
fn names(line: &str, name: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].trim_end_matches(' ');
        let after = &code[at + name.len()..];
        let is_use = before.ends_with("use") || before.ends_with("extern crate");
        let is_whole = !code[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':');
        is_whole && (after.starts_with("::") || is_use && after.starts_with(';'))
    })
}

#[test]
fn the_command_line_is_a_client_of_the_library_and_of_nothing_else() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&source.join("cli"), &mut files);
    sources(&source.join("serve"), &mut files);
    for file in ["main.rs", "exit.rs", "explained.rs"] {
        files.push((file.to_owned(), fs::read_to_string(source.join(file)).unwrap()));
    }
    for (file, text) in &files {
        // A module of the program may have the name of a crate.
        let modules: Vec<&str> = BELOW
            .into_iter()
            .filter(|name| text.contains(&format!("mod {name};")) || text.contains(&format!("super::{name}")))
            .collect();
        for (number, line) in (1..).zip(text.lines()) {
            for name in BELOW.into_iter().filter(|name| !modules.contains(name)) {
                assert!(
                    !names(line, name),
                    "{file}:{number}: `{name}` is below the library: {line}"
                );
            }
        }
    }
    assert!(names("use storage::Database;", "storage"));
    assert!(names("    let x = language::parse();", "language"));
    assert!(!names("use super::storage::Database;", "storage"));
}
