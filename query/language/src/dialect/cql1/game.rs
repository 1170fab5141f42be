//! Conditions on the header of a game as filters.

use std::sync::Arc;

use shakmaty::Color;

use super::cursor::{Cursor, Parsed};
use super::list::{Item, ItemNode};
use super::make;
use super::range::Range;
use crate::hir::{Comparison, Filter, Kind, Metadata, Node, Regex};
use crate::span::Span;

/// A text of the header contains a word, or is like a pattern with `*` and `?`; upper and lower case are the same.
pub(super) fn search(text: Metadata, word: &str, is_pattern: bool, span: Span) -> Filter {
    let text = make::text(Node::Metadata(text), span);
    if !is_pattern {
        let lower = make::text(Node::Case(false, Box::new(text)), span);
        let word = make::text(Node::String(word.to_ascii_lowercase()), span);
        return make::logical(Node::Substring(Box::new(word), Box::new(lower)), span);
    }
    matches(text, &format!("^{}$", pattern(word)), span)
}

/// A text matches a regular expression.
pub(super) fn matches(text: Filter, source: &str, span: Span) -> Filter {
    match regress::Regex::new(source) {
        Ok(program) => {
            let regex = Regex {
                source: source.to_owned(),
                program: Arc::new(program),
            };
            make::text(Node::RegexMatch(Box::new(text), regex), span)
        }
        // The pattern is always well formed. One that is too large for the compiler never matches.
        Err(_) => make::logical(Node::False, span),
    }
}

/// A pattern with `*` and `?` as a regular expression; upper and lower case are the same.
pub(super) fn pattern(word: &str) -> String {
    let mut source = String::new();
    for c in word.chars() {
        match c {
            '*' => source.push_str(".*"),
            '?' => source.push('.'),
            _ if c.is_alphabetic() => {
                source.push('[');
                source.extend(c.to_lowercase().chain(c.to_uppercase()));
                source.push(']');
            }
            _ if c.is_ascii_punctuation() => source.extend(['\\', c]),
            _ => source.push(c),
        }
    }
    source
}

/// `:tag NAME`, `:tag NAME VALUE`: a tag of the file, of any value or like a word or pattern.
pub(super) fn tag(cursor: &mut Cursor<'_, '_>, span: Span) -> Parsed<Filter> {
    let (name, _) = cursor.word("tag", span)?;
    if name == "*" {
        return Err(cursor.bad(span, "`:tag *` is not supported: a tag has a name"));
    }
    let value = match cursor.peek().map(|item| &item.node) {
        Some(ItemNode::Atom(word)) if !word.starts_with([':', '!']) => Some((*word, false)),
        Some(ItemNode::String(word)) => Some((*word, true)),
        _ => None,
    };
    if value.is_some() {
        cursor.next();
    }
    let text = Metadata::of_tag(name);
    let span = cursor.covered(span);
    Ok(match value {
        Some((word, is_pattern)) => search(text, word, is_pattern, span),
        None => make::text(Node::Metadata(text), span),
    })
}

/// A rating within a range; 0 means that there is none.
pub(super) fn rating(color: Color, range: Range, span: Span) -> Filter {
    let elo = || make::numeric(Node::Elo(Some(color)), span);
    let known = make::within(elo(), range, span);
    if range.contains(0) {
        let unknown = make::not(elo(), span);
        return make::any(vec![known, unknown], span);
    }
    known
}

/// The name of the rating system before a range: only Elo ratings are kept.
pub(super) fn require_elo(cursor: &mut Cursor<'_, '_>, span: Span) -> Parsed<()> {
    let system = cursor
        .peek()
        .and_then(Item::atom)
        .filter(|atom| atom.starts_with(char::is_alphabetic));
    let Some(system) = system else { return Ok(()) };
    cursor.next();
    if system.eq_ignore_ascii_case("elo") {
        return Ok(());
    }
    Err(cursor.bad(
        span,
        &format!("`{system}` is no rating that the database keeps; `ELO` is"),
    ))
}

/// `:eco C80`, `:eco C80 C99`
pub(super) fn eco(cursor: &mut Cursor<'_, '_>, span: Span) -> Parsed<Filter> {
    let (first, _) = cursor.word("eco", span)?;
    let is_code = |word: &str| {
        word.len() == 3 && word.as_bytes()[0].is_ascii_uppercase() && word.bytes().skip(1).all(|b| b.is_ascii_digit())
    };
    if !is_code(first) {
        return Err(cursor.bad(
            span,
            &format!("`{first}` is no opening code; it is a letter and two digits: `C80`"),
        ));
    }
    let second = cursor.peek().and_then(Item::atom).filter(|word| is_code(word));
    if second.is_some() {
        cursor.next();
    }
    let span = cursor.covered(span);
    let compare = |comparison, word: &str| {
        let eco = make::text(Node::Metadata(Metadata::Eco), span);
        let word = make::text(Node::String(word.to_owned()), span);
        let node = Node::CompareStrings(comparison, Box::new(eco), Box::new(word));
        Filter::new(node, Kind::String, span)
    };
    Ok(match second {
        None => compare(Comparison::Equal, first),
        Some(second) => make::all(
            vec![
                compare(Comparison::GreaterEqual, first.min(second)),
                compare(Comparison::LessEqual, first.max(second)),
            ],
            span,
        ),
    })
}

/// `:and`, `:or`, `:xor` and `:cond` of conditions.
pub(super) fn combined(operator: &str, mut conditions: Vec<Filter>, span: Span) -> Filter {
    match operator {
        "and" => make::all(conditions, span),
        "or" => make::any(conditions, span),
        "xor" => {
            // Exactly one: it, and none of the others.
            let ways = (0..conditions.len()).map(|chosen| {
                let parts = conditions.iter().enumerate().map(|(index, condition)| {
                    if index == chosen {
                        condition.clone()
                    } else {
                        make::not(condition.clone(), span)
                    }
                });
                make::all(parts.collect(), span)
            });
            make::any(ways.collect(), span)
        }
        _ => {
            let mut otherwise = (!conditions.len().is_multiple_of(2))
                .then(|| conditions.pop())
                .flatten();
            while let (Some(then), Some(condition)) = (conditions.pop(), conditions.pop()) {
                let last = otherwise.take().unwrap_or_else(|| make::logical(Node::False, span));
                let node = Node::If(Box::new(condition), Box::new(then), Some(Box::new(last)));
                otherwise = Some(make::logical(node, span));
            }
            otherwise.unwrap_or_else(|| make::logical(Node::False, span))
        }
    }
}
