//! A text as an editor needs it.

use std::collections::HashMap;
use std::ops::Range;

use language::hir::VariableKind;
use language::syntax::{Token, lex};
use language::{Dialect, variables};

use crate::names::{Name, names};
use crate::pieces::{Class, Piece, pieces};

/// A text that was read once, and is asked about its places. All places are bytes.
#[derive(Clone, Debug)]
pub struct Document {
    text: String,
    dialect: Dialect,
    tokens: Vec<Token>,
    pieces: Vec<Piece>,
    names: Vec<Name>,
}

impl Document {
    /// Reads a text. One in CQL 1 has other words, of which nothing is known here.
    pub fn new(text: impl Into<String>, dialect: Dialect) -> Document {
        let text = text.into();
        let dialect = dialect.resolve(&text);
        let (tokens, pieces, names) = match dialect {
            Dialect::Cql1 => Default::default(),
            _ => {
                let tokens = lex(&text).tokens;
                let (pieces, names) = (pieces(&text, &tokens), names(&text, &tokens));
                (tokens, pieces, names)
            }
        };
        Document {
            text,
            dialect,
            tokens,
            pieces,
            names,
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The dialect that it is read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Its tokens and comments.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The names that it has chosen, in the order of their definitions.
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The name at a place.
    pub fn name_at(&self, at: usize) -> Option<(&Name, Range<usize>)> {
        let touches = |place: &&Range<usize>| place.start <= at && at <= place.end;
        let found = self
            .names
            .iter()
            .filter_map(|name| Some((name, name.places.iter().find(touches)?.clone())));
        // Between two names, the one that begins here.
        found.max_by_key(|(_, place)| place.start)
    }

    /// The name at a token.
    pub(crate) fn name_of(&self, range: &Range<usize>) -> Option<&Name> {
        self.names.iter().find(|name| name.places.contains(range))
    }

    pub(crate) fn tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// What the variables hold, as far as the text can be read.
    pub(crate) fn variable_kinds(&self) -> HashMap<String, VariableKind> {
        let all = variables(&self.text).into_iter();
        all.map(|variable| (variable.name, variable.kind)).collect()
    }

    /// The piece in which a place stands, or that ends there.
    pub(crate) fn piece_before(&self, at: usize) -> Option<&Piece> {
        let index = self.pieces.partition_point(|piece| piece.range.start < at);
        let piece = self.pieces.get(index.checked_sub(1)?)?;
        (at <= piece.range.end).then_some(piece)
    }

    /// The text before a place in its line.
    pub(crate) fn is_in_comment(&self, at: usize) -> bool {
        let Some(piece) = self.piece_before(at) else {
            return false;
        };
        let text = &self.text[piece.range.clone()];
        let is_open = at < piece.range.end || !text.ends_with("*/");
        piece.class == Class::Comment && text != "///" && is_open
    }
}
