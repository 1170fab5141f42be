//! What `SECURITY.md` promises: each promise names tests, and these exist. Our crates refuse unsafe code.

use std::fs;

use crate::{FOLDERS, files, root};

/// The list of promises begins and ends here.
const PROMISES: (&str, &str) = ("\n## What is promised\n", "\n## ");

/// A test that the document names: its file and its name.
type Named<'a> = (&'a str, &'a str);

/// What stands behind each dash of a list, on one line.
fn items(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut is_item = false;
    for line in text.lines() {
        if let Some(item) = line.strip_prefix("- ") {
            found.push(item.to_owned());
            is_item = true;
        } else if let (true, Some(more), Some(last)) = (is_item, line.strip_prefix("  "), found.last_mut()) {
            last.push(' ');
            last.push_str(more);
        } else {
            is_item = false;
        }
    }
    found
}

/// The tests that each item names, as `file::name`, or as `::name` if the file is that of the test before.
fn named(items: &[String]) -> Vec<Vec<Named<'_>>> {
    let mut file = "";
    let mut found = Vec::new();
    for item in items {
        let mut tests = Vec::new();
        // Every second part stands between backticks.
        for code in item.split('`').skip(1).step_by(2) {
            let Some((path, name)) = code.split_once("::") else {
                continue;
            };
            if !path.is_empty() {
                file = path;
            }
            tests.push((file, name));
        }
        found.push(tests);
    }
    found
}

/// Whether a file has a test of this name: a function with an attribute that says so, or a call of `test` in JavaScript.
fn has_test(file: &str, text: &str, name: &str) -> bool {
    if file.ends_with(".mjs") {
        return text.contains(&format!("test('{name}'"));
    }
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let begin = format!("fn {name}(");
    lines.iter().enumerate().any(|(at, line)| {
        let mut attributes = lines[..at].iter().rev().take_while(|before| before.starts_with("#["));
        line.starts_with(&begin) && attributes.any(|attribute| attribute.starts_with("#[test]"))
    })
}

#[test]
fn every_promise_names_tests_that_exist() {
    let document = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (_, rest) = document.split_once(PROMISES.0).unwrap();
    let (promises, _) = rest.split_once(PROMISES.1).unwrap();
    let items = items(promises);
    assert!(items.len() > 20, "{} promises are found", items.len());
    for (item, tests) in items.iter().zip(named(&items)) {
        assert!(!tests.is_empty(), "SECURITY.md: no test holds this: {item}");
        for (file, name) in tests {
            let text = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(has_test(file, &text, name), "SECURITY.md: {file} has no test `{name}`");
        }
    }
}

#[test]
fn no_crate_has_unsafe_code() {
    const REFUSED: &str = "unsafe_code = \"forbid\"";
    let workspace = root().join("Cargo.toml");
    let rules = fs::read_to_string(&workspace).unwrap();
    let (_, rules) = rules.split_once("\n[workspace.lints.rust]\n").unwrap();
    let (rules, _) = rules.split_once("\n[").unwrap();
    assert!(rules.lines().any(|line| line == REFUSED), "the workspace allows it");
    let mut found = vec![workspace];
    for folder in FOLDERS {
        files(folder, &["/Cargo.toml"], &mut found);
    }
    assert!(found.len() > 10, "{found:?}");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let has_rules = text.contains("\n[lints]\nworkspace = true\n");
        // A crate outside the workspace has rules of its own.
        let has_own = text.contains(&format!("\n[lints.rust]\n{REFUSED}\n"));
        assert!(has_rules || has_own, "{}: unsafe code is not refused", path.display());
    }
}

#[test]
fn the_unsafe_code_below_us_is_that_of_the_lock_file() {
    let document = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    let (_, table) = document.split_once("| crate | version |").unwrap();
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    assert!(rows.len() > 20, "{} crates are listed", rows.len());
    for row in rows {
        let package = format!("name = \"{}\"\nversion = \"{}\"\n", row[1], row[2]);
        assert!(
            lock.contains(&package),
            "SECURITY.md: {} {} is not in Cargo.lock: run scripts/unsafe-below",
            row[1],
            row[2]
        );
    }
}

#[test]
fn tests_are_found_by_their_names() {
    let text = "- one: `a.rs::b`,\n  `::c d`\n\nnone: `x::y`\n\n- two: `e.rs::f`, `--g`\n- three\n";
    let items = items(text);
    let wanted = [vec![("a.rs", "b"), ("a.rs", "c d")], vec![("e.rs", "f")], vec![]];
    assert_eq!(named(&items), wanted);
    let source =
        "#[cfg(unix)]\n#[test]\nfn one() {}\n\n    #[test]\n    #[ignore]\n    fn two(seed: u64) {}\nfn three() {}\n";
    let is_there = |name| has_test("a.rs", source, name);
    assert!(is_there("one") && is_there("two") && !is_there("three") && !is_there("on"));
    assert!(has_test("a.mjs", "test('it is so', async (t) => {", "it is so"));
}
