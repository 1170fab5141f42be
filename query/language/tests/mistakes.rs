//! Wrong queries as people write them, with all that is said about each: `mistakes.txt`.
//!
//! Each message in the file was read and judged. After a change `CQLDEX_WRITE_MISTAKES=1` writes the file anew; look at
//! every line that differs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::path::PathBuf;

use language::{Diagnostic, Dialect, ParseOptions, check};

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes.txt")
}

/// The queries of the file: lines that begin with `> `; a blank line stands behind what is said about each.
fn queries(text: &str) -> Vec<String> {
    let blocks = text.split("\n\n").map(|block| {
        let lines = block.lines().filter_map(|line| line.strip_prefix('>'));
        lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n")
    });
    blocks.filter(|query| !query.is_empty()).collect()
}

fn found(query: &str) -> Vec<Diagnostic> {
    check(query, Dialect::Auto, &ParseOptions::default()).diagnostics
}

/// A query with all that is said about it.
fn told(query: &str) -> String {
    let mut told: String = query.lines().map(|line| format!("> {line}\n")).collect();
    for found in found(query) {
        let line = query[..found.span.range().start].matches('\n').count() + 1;
        let place = &query[found.span.range()];
        writeln!(told, "{} line {line} `{place}`: {}", found.code.text(), found.message).unwrap();
        if !found.label.is_empty() {
            writeln!(told, "  at the place: {}", found.label).unwrap();
        }
        if let Some((span, label)) = &found.related {
            writeln!(told, "  at `{}`: {label}", &query[span.range()]).unwrap();
        }
        if let Some(help) = &found.help {
            writeln!(told, "  help: {help}").unwrap();
        }
        for fix in &found.fixes {
            let changed = fix.apply(query).expect("a fix is about the text");
            writeln!(told, "  {}: {}", fix.title, changed.replace('\n', " \\n ")).unwrap();
        }
    }
    told
}

#[test]
fn what_is_said_about_wrong_queries_was_judged() {
    let text = std::fs::read_to_string(file()).unwrap();
    let queries = queries(&text);
    assert!(queries.len() >= 200, "{} queries", queries.len());
    let now = queries.iter().map(|query| told(query)).collect::<Vec<_>>().join("\n");
    if std::env::var_os("CQLDEX_WRITE_MISTAKES").is_some() {
        std::fs::write(file(), now).unwrap();
        return;
    }
    for (now, then) in now.split("\n\n").zip(text.split("\n\n")) {
        assert_eq!(now.trim_end(), then.trim_end());
    }
}

#[test]
fn something_is_said_about_each() {
    for query in queries(&std::fs::read_to_string(file()).unwrap()) {
        assert!(!found(&query).is_empty(), "{query}");
    }
}

#[test]
fn a_fix_puts_right_what_it_is_about() {
    for query in queries(&std::fs::read_to_string(file()).unwrap()) {
        let before = found(&query);
        for error in &before {
            for fix in &error.fixes {
                let changed = fix.apply(&query).expect("a fix is about the text");
                let after = found(&changed);
                let is_same = |other: &Diagnostic| {
                    (other.code, other.span.start, &other.message) == (error.code, error.span.start, &error.message)
                };
                assert!(
                    !after.iter().any(is_same),
                    "{query}: `{}` leaves it wrong: {changed}",
                    fix.title
                );
                assert!(
                    after.len() <= before.len(),
                    "{query}: `{}` makes more errors: {changed}",
                    fix.title
                );
            }
        }
    }
}
