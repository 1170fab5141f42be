//! What an editor says of the themes and of the examples in the reference, and of parts of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use editor::{Document, NameKind};
use language::{Dialect, ParseOptions};

/// The texts of all files below a folder with this ending.
fn texts(folder: &Path, ending: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, ending, found);
        } else if path.to_str().unwrap().ends_with(ending) {
            found.push(fs::read_to_string(path).unwrap());
        }
    }
}

/// All themes, and all examples of the reference.
fn queries() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut queries, mut chapters) = (Vec::new(), Vec::new());
    texts(&root.join("themes"), ".cql", &mut queries);
    texts(&root.join("docs/language"), ".md", &mut chapters);
    for chapter in chapters {
        let blocks = chapter.split("```cql\n").skip(1);
        queries.extend(blocks.map(|block| block.split("```").next().unwrap().to_owned()));
    }
    assert!(queries.len() > 300, "only {} queries", queries.len());
    queries
}

fn is_query(text: &str) -> bool {
    language::parse(text, &ParseOptions::default()).is_ok()
}

/// The queries in CQL 6 that are right.
fn right() -> Vec<String> {
    let mut queries = queries();
    queries.retain(|text| Dialect::Auto.resolve(text) == Dialect::Cql6 && is_query(text));
    queries
}

#[test]
fn variables_are_those_of_the_parser() {
    for text in right() {
        let parsed = language::parse(&text, &ParseOptions::default()).unwrap();
        // A parameter may be the name of a variable in the one call that there is.
        let known = |name: &&str| !name.contains('#');
        let wanted: BTreeSet<&str> = parsed
            .variables
            .iter()
            .map(|variable| variable.name.as_str())
            .filter(known)
            .collect();
        let document = Document::new(text.as_str(), Dialect::Auto);
        let found = document.names().iter().filter(|name| name.kind == NameKind::Variable);
        let found: BTreeSet<&str> = found.map(|name| name.name.as_str()).collect();
        let missing: Vec<_> = wanted.difference(&found).collect();
        assert!(missing.is_empty(), "{missing:?} in {text}");
    }
}

#[test]
fn renaming_keeps_a_query_right() {
    let mut renamed = 0;
    for text in right() {
        let document = Document::new(text.as_str(), Dialect::Auto);
        for name in document.names() {
            let places = document.rename(name.definition.start, "another_name").unwrap();
            let mut changed = text.clone();
            for place in places.iter().rev() {
                changed.replace_range(place.clone(), "another_name");
            }
            assert!(is_query(&changed), "{changed}");
            renamed += 1;
        }
    }
    assert!(renamed > 100, "{renamed}");
}

/// Asks everything about some places of a text.
fn ask(text: &str, step: usize) {
    let document = Document::new(text, Dialect::Auto);
    for at in (0..=text.len() + 1).step_by(step) {
        document.hover(at);
        document.name_at(at);
        let _ = document.rename(at, "x1");
        if at % (step * 7) == 0 {
            document.complete(at, &|_, _| Vec::new());
        }
    }
}

#[test]
fn every_text_can_be_asked_about() {
    for (number, text) in queries().into_iter().enumerate() {
        let end = (number * 37) % (text.len() + 1);
        let cut = (0..=end).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        ask(&text[..cut], 5);
        ask(&text[cut..], 11);
    }
}

#[test]
fn a_word_that_is_written_would_have_been_offered() {
    let (mut offered, mut all) = (0, 0);
    let mut missing = BTreeSet::new();
    for text in right().into_iter().filter(|text| text.len() < 400) {
        let document = Document::new(text.as_str(), Dialect::Auto);
        for piece in document.pieces() {
            let word = &text[piece.range.clone()];
            if piece.class != editor::Class::Keyword || !word.is_ascii() || word.contains('-') {
                continue;
            }
            // The text up to the word, as it is when the word is typed.
            let typed = Document::new(&text[..piece.range.start], Dialect::Cql6);
            let found = typed.complete(piece.range.start, &|_, _| Vec::new());
            all += 1;
            if found.items.iter().any(|item| item.label == word) {
                offered += 1;
            } else {
                missing.insert(word.to_owned());
            }
        }
    }
    // What depends on text behind it, such as `then`, can't always be known.
    assert!(offered * 100 >= all * 98, "{offered} of {all}; without {missing:?}");
}
