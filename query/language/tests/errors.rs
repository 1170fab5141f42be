//! The chapter about errors: every code has a text, an example that raises it and one that is right.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::PathBuf;

use language::dialect::translate;
use language::{Code, Dialect, ParseOptions, Severity, check};

/// A fenced block: its dialect, the query, and what is said of it.
struct Example {
    dialect: Dialect,
    query: String,
    word: String,
    said: String,
}

/// What stands below the heading of a code.
fn section(document: &str, code: Code) -> &str {
    let heading = format!("\n### {}\n", code.text());
    let start = document
        .find(&heading)
        .unwrap_or_else(|| panic!("{} has no section", code.text()));
    let rest = &document[start + heading.len()..];
    let end = rest.find("\n##").unwrap_or(rest.len());
    &rest[..end]
}

fn examples(section: &str) -> Vec<Example> {
    let blocks = section.split("```").skip(1).step_by(2);
    let read = |block: &str| {
        let (info, body) = block.split_once('\n').unwrap();
        let dialect = match info {
            "cql" => Dialect::Cql6,
            "cql5" => Dialect::Cql5,
            "cql1" => Dialect::Cql1,
            other => panic!("what is `{other}`?"),
        };
        let (query, statement) = body.trim_end().rsplit_once("\n; ").unwrap();
        let (word, said) = statement.split_once(": ").unwrap();
        Example {
            dialect,
            query: query.to_owned(),
            word: word.to_owned(),
            said: said.to_owned(),
        }
    };
    blocks.map(read).collect()
}

/// The codes that an example raises before a search.
fn raised(example: &Example) -> Vec<&'static str> {
    if example.said.ends_with(" when translated") {
        let errors = translate(&example.query, example.dialect).err().unwrap_or_default();
        return errors.iter().map(|error| error.code.text()).collect();
    }
    let times = example
        .said
        .split_once("when written ")
        .and_then(|(_, rest)| rest.split(' ').next());
    let times = times.map_or(1, |times| times.replace(',', "").parse().unwrap());
    let options = ParseOptions {
        require_header: example.said.contains("header"),
        strict: example.said.contains("only CQL 6.2"),
        ..ParseOptions::default()
    };
    let checked = check(&format!("{} ", example.query).repeat(times), example.dialect, &options);
    checked.diagnostics.iter().map(|found| found.code.text()).collect()
}

#[test]
fn every_code_is_explained_with_a_wrong_and_a_right_example() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/language/errors.md");
    let document = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let section = section(&document, *code);
        let text = section.split("```").next().unwrap().trim();
        let sentences = text
            .split_whitespace()
            .filter(|word| word.ends_with('.') || word.ends_with(".**"));
        assert!(
            sentences.count() >= 3,
            "{}: a title and two sentences: {text}",
            code.text()
        );
        let examples = examples(section);
        if matches!(code, Code::InvalidUtf8 | Code::Stopped) {
            assert!(examples.is_empty());
            continue;
        }
        let [bad, good] = &examples[..] else {
            panic!("{} has {} examples", code.text(), examples.len());
        };
        let word = if code.severity() == Severity::Warning {
            "warning"
        } else {
            "error"
        };
        assert_eq!((bad.word.as_str(), good.word.as_str()), (word, word), "{}", code.text());
        assert_eq!(bad.said.split(' ').next(), Some(code.text()));
        assert_eq!(good.said.split(' ').next(), Some("none"));
        // Those are raised while the query runs, and one by the database.
        let is_late = code.text().starts_with("Q6") || *code == Code::UnknownSet;
        let (found_bad, found_good) = (raised(bad), raised(good));
        let is_bad = match is_late {
            true => found_bad.iter().all(|found| found.starts_with('W')),
            false => found_bad.contains(&code.text()),
        };
        if !is_bad {
            wrong.push(format!("{}: {} raises {found_bad:?}", code.text(), bad.query));
        }
        if !found_good.is_empty() {
            wrong.push(format!("{}: {} raises {found_good:?}", code.text(), good.query));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
