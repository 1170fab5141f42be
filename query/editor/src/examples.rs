//! Examples of words: the queries in the reference.

use language::syntax::{TokenKind, lex};

/// A query of the reference that is no error.
#[derive(Debug)]
pub(crate) struct Example {
    query: &'static str,
    chapter: &'static str,
    section: &'static str,
    /// Its words and signs.
    words: Vec<String>,
}

/// Examples longer than this are not shown.
const LONGEST: usize = 160;

/// All examples of some chapters, each with its name and text.
pub(crate) fn read(chapters: &[(&'static str, &'static str)]) -> Vec<Example> {
    let mut found = Vec::new();
    for &(chapter, text) in chapters {
        let (mut section, mut rest) = ("", text);
        while !rest.is_empty() {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = after;
            if line.starts_with("```") {
                let (block, behind) = rest.split_once("```").unwrap_or((rest, ""));
                rest = behind.split_once('\n').map_or("", |(_, after)| after);
                if line == "```cql" {
                    found.extend(example(block, chapter, section));
                }
            } else if line.starts_with('#') {
                section = line.trim_start_matches('#').trim();
            }
        }
    }
    found
}

/// The query of a block: what stands before the lines that say what it does.
fn example(block: &'static str, chapter: &'static str, section: &'static str) -> Option<Example> {
    let end = block.find("\n; ").unwrap_or(block.len());
    let query = block[..end].trim();
    let is_error = block[end..].contains("\n; error:");
    if is_error || query.is_empty() || query.len() > LONGEST {
        return None;
    }
    let tokens = lex(query).tokens;
    let words = tokens.iter().filter_map(|token| match &token.kind {
        TokenKind::Keyword(keyword) => Some(keyword.text().to_owned()),
        TokenKind::Symbol(symbol) => Some(symbol.text().to_owned()),
        TokenKind::Identifier(name) => Some(name.to_string()),
        TokenKind::Dash(dash) => Some(if dash.capture { "[x]" } else { "--" }.to_owned()),
        _ => None,
    });
    let words = words.collect();
    Some(Example {
        query,
        chapter,
        section,
        words,
    })
}

/// The shortest example of a word, from the section that explains it if there is one.
pub(crate) fn of(word: &str, chapter: &str, section: &str, all: &[Example]) -> Option<&'static str> {
    let with = all.iter().filter(|example| example.words.iter().any(|own| own == word));
    let key = |example: &&Example| {
        let is_near = example.chapter == chapter && example.section == section;
        (!is_near, example.chapter != chapter, example.query.len())
    };
    with.min_by_key(key).map(|example| example.query)
}
