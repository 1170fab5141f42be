//! What can stand at a place.
//!
//! No table says which word belongs where: the parser is asked. A word can stand at a place if the text before it with that word
//! is right so far, which means that its first error is at its end, where something is missing.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use language::hir::VariableKind;
use language::syntax::{Token, TokenKind};
use language::{Dialect, ParseOptions};

use crate::document::Document;
use crate::hover::of_kind;
use crate::names::{Name, NameKind};
use crate::pieces::Class;
use crate::quoted::Quoted;
use crate::reference::{Entry, words};

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A word that belongs to what stands before it, such as `all` behind `square`.
    Follower,
    /// A name that the query has chosen.
    Name(NameKind),
    /// A word of the language that begins a filter.
    Word,
    /// A piece designator.
    Men,
    /// A named set of positions.
    Set,
    /// A text that games have, such as a player.
    Value,
}

/// Something that can stand at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What is put into the text.
    pub label: String,
    /// What it is.
    pub kind: CompletionKind,
    /// The first form of a word with its meaning, or what a name is.
    pub detail: String,
}

/// What can stand at a place, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// What is replaced.
    pub range: Range<usize>,
    /// What can stand there.
    pub items: Vec<Completion>,
}

/// Gives the names of a kind that begin with a text, or have it inside.
pub type Offered<'a> = dyn Fn(Quoted, &str) -> Vec<Completion> + 'a;

/// In longer texts the parser is not asked: each word would be a parse of the text.
const LONGEST: usize = 20_000;

/// Common designators.
const MEN: [(&str, &str); 16] = [
    ("A", "any white man"),
    ("a", "any black man"),
    ("K", "the white king"),
    ("Q", "a white queen"),
    ("R", "a white rook"),
    ("B", "a white bishop"),
    ("N", "a white knight"),
    ("P", "a white pawn"),
    ("k", "the black king"),
    ("q", "a black queen"),
    ("r", "a black rook"),
    ("b", "a black bishop"),
    ("n", "a black knight"),
    ("p", "a black pawn"),
    ("_", "an empty square"),
    (".", "any square"),
];

impl Document {
    /// What can stand at a place; `offered` are the names of sets, players and the like.
    pub fn complete(&self, at: usize, offered: &Offered<'_>) -> Completions {
        let nothing = Completions {
            range: at..at,
            items: Vec::new(),
        };
        if self.dialect() == Dialect::Cql1 || !self.text().is_char_boundary(at) || self.is_in_comment(at) {
            return nothing;
        }
        let Some(piece) = self.piece_before(at) else {
            return self.words_at(at..at);
        };
        let text = &self.text()[piece.range.clone()];
        match piece.class {
            // A text without an end can't be read.
            Class::Other if text.starts_with('"') && !text[..at - piece.range.start].contains('\n') => {
                self.quoted_at(piece.range.start, at, offered)
            }
            // Behind the end of a text nothing is completed.
            Class::String if at == piece.range.end && text.len() > 1 && text.ends_with('"') => nothing,
            Class::String if text.starts_with('"') => self.quoted_at(piece.range.start, at, offered),
            Class::String => nothing,
            Class::Keyword | Class::Name => self.words_at(piece.range.start..at),
            // Words begin with the letters of men.
            Class::Designator if text.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                self.words_at(piece.range.start..at)
            }
            Class::Designator | Class::Number => nothing,
            _ if at == piece.range.end => self.words_at(at..at),
            _ => nothing,
        }
    }

    /// Names that can stand in the text that begins at a place.
    fn quoted_at(&self, start: usize, at: usize, offered: &Offered<'_>) -> Completions {
        let range = start + 1..at;
        let typed = &self.text()[range.clone()];
        let items = Quoted::at(self, start).map(|what| named(what, typed, offered));
        Completions {
            range,
            items: items.unwrap_or_default(),
        }
    }

    /// Words and names that begin with what is typed.
    fn words_at(&self, range: Range<usize>) -> Completions {
        let typed = &self.text()[range.clone()];
        let fits = |word: &str| word.starts_with(typed) && word != typed;
        let place = Place::new(self, range.start);
        let kinds = self.variable_kinds();
        let mut items = Vec::new();
        let known = words().filter(|(word, _)| fits(word) && word.starts_with(|first: char| first.is_alphabetic()));
        let accepted = known.filter(|(word, _)| place.accepts(word));
        let (begin, follow): (Vec<_>, Vec<_>) = accepted.partition(|(word, _)| begins_filter(word));
        items.extend(
            follow
                .into_iter()
                .map(|(word, entry)| of_word(word, entry, CompletionKind::Follower)),
        );
        let names = self
            .names()
            .iter()
            .filter(|name| fits(&name.name) && self.knows(name, range.start));
        items.extend(names.filter(|name| place.accepts_name(name)).map(|name| Completion {
            label: name.name.clone(),
            kind: CompletionKind::Name(name.kind),
            detail: self.detail(name, &kinds),
        }));
        items.extend(
            begin
                .into_iter()
                .map(|(word, entry)| of_word(word, entry, CompletionKind::Word)),
        );
        if typed.is_empty() && place.is_certain {
            let men = MEN.iter().filter(|(men, _)| place.accepts(men));
            items.extend(men.map(|(men, meaning)| Completion {
                label: (*men).to_owned(),
                kind: CompletionKind::Men,
                detail: (*meaning).to_owned(),
            }));
        }
        Completions { range, items }
    }

    /// Whether a name means something at a place, where it does not stand itself.
    fn knows(&self, name: &Name, at: usize) -> bool {
        let is_inside = name.kind != NameKind::Parameter || name.scope.contains(&at);
        let stands_elsewhere = name.places.iter().any(|place| place.start != at);
        is_inside && stands_elsewhere
    }

    fn detail(&self, name: &Name, kinds: &HashMap<String, VariableKind>) -> String {
        match name.kind {
            NameKind::Variable => of_kind(kinds.get(&name.name)).to_owned(),
            _ => self.meaning(name).lines().next().unwrap_or_default().to_owned(),
        }
    }
}

fn of_word(word: &str, entry: &Entry, kind: CompletionKind) -> Completion {
    let detail = entry
        .forms
        .first()
        .map(|form| format!("{}: {}", form.form, form.meaning));
    Completion {
        label: word.to_owned(),
        kind,
        detail: detail.unwrap_or_default(),
    }
}

/// Names between quotation marks.
fn named(what: Quoted, typed: &str, offered: &Offered<'_>) -> Vec<Completion> {
    if what != Quoted::Tag {
        // What would end the text of a filter is not completed.
        let mut found = offered(what, typed);
        found.retain(|item| !item.label.contains(['"', '\\']));
        return found;
    }
    let tags = Quoted::TAGS
        .iter()
        .filter(|tag| tag.to_lowercase().starts_with(&typed.to_lowercase()));
    let item = |tag: &&str| Completion {
        label: (*tag).to_owned(),
        kind: CompletionKind::Value,
        detail: String::new(),
    };
    tags.map(item).collect()
}

/// A place where something may be written.
struct Place<'t> {
    before: &'t str,
    /// What closes the brackets that are open there.
    closing: String,
    dialect: Dialect,
    /// Whether the text before it is right so far, so that the parser says what comes next.
    is_certain: bool,
}

impl<'t> Place<'t> {
    fn new(document: &'t Document, at: usize) -> Place<'t> {
        let before = &document.text()[..at];
        // What stands in a function is read where it is called.
        let is_in_function = document.names().iter().any(|name| {
            name.kind == NameKind::Function && name.whole.start < at && at < name.whole.end.max(name.whole.start + 1)
        });
        let tokens = document
            .tokens()
            .iter()
            .take_while(|token| token.span.range().end <= at);
        let mut place = Place {
            before,
            closing: closing(tokens),
            dialect: document.dialect(),
            is_certain: false,
        };
        let is_right = || {
            let more = |(_, rest): &(&str, &str)| is_right(before, rest, &place.closing, place.dialect);
            place.is_right("") || NEED_MORE.iter().any(more)
        };
        place.is_certain = before.len() <= LONGEST && !is_in_function && is_right();
        place
    }

    /// Whether a word can stand here. Where the text before has an error, all words can that could stand anywhere among filters.
    fn accepts(&self, word: &str) -> bool {
        match self.is_certain {
            true => self.is_right(word),
            false => begins_filter(word) || joins_filters(word),
        }
    }

    fn accepts_name(&self, name: &Name) -> bool {
        !self.is_certain || self.is_right(&name.name)
    }

    fn is_right(&self, word: &str) -> bool {
        let rest = NEED_MORE
            .iter()
            .find(|(needs, _)| *needs == word)
            .map_or("", |(_, rest)| rest);
        is_right(&format!("{}{word}", self.before), rest, &self.closing, self.dialect)
    }
}

/// Words that are refused without what follows them, at the place where they stand.
const NEED_MORE: [(&str, &str); 3] = [("input", " file.pgn"), ("output", " file.pgn"), ("sort", " matchcount")];

/// Whether a text has no error but that something is missing at its end. No filter goes on with a comma, so that the first error
/// is there or before it; behind it the brackets of the text are closed.
fn is_right(text: &str, rest: &str, closing: &str, dialect: Dialect) -> bool {
    let end = text.trim_end().len();
    let is_right = |rest: &str| {
        let whole = format!("{text}{rest} , {closing}");
        match language::dialect::parse(&whole, dialect, &ParseOptions::default()) {
            Ok(_) => true,
            Err(diagnostics) => diagnostics.iter().all(|found| found.span.range().start >= end),
        }
    };
    is_right("") || (!rest.is_empty() && is_right(rest))
}

/// What closes the brackets that some tokens open.
fn closing<'t>(tokens: impl Iterator<Item = &'t Token>) -> String {
    let mut open = Vec::new();
    for token in tokens {
        if let TokenKind::Symbol(symbol) = token.kind {
            open.extend(symbol.closing());
            if open.last() == Some(&symbol) {
                open.pop();
            }
        }
    }
    open.iter().rev().map(|symbol| symbol.text()).collect()
}

/// Words that begin a filter.
static BEGINNINGS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let all = words().map(|(word, _)| word);
    all.filter(|word| is_right(word, "", "", Dialect::Cql6)).collect()
});

/// Words that stand between filters or behind one.
static JOINTS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let all = words().map(|(word, _)| word).filter(|word| !begins_filter(word));
    let joins = |word: &&str| {
        ["K ", "\"K\" ", "1 "]
            .iter()
            .any(|left| is_right(&format!("{left}{word} "), "", "", Dialect::Cql6))
    };
    all.filter(joins).collect()
});

fn begins_filter(word: &str) -> bool {
    BEGINNINGS.binary_search(&word).is_ok()
}

fn joins_filters(word: &str) -> bool {
    JOINTS.binary_search(&word).is_ok()
}

#[cfg(test)]
mod tests;
