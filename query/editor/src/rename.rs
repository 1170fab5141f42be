//! Other names for variables, dictionaries, functions and parameters.

use std::ops::Range;

use language::syntax::{TokenKind, lex};

use crate::document::Document;
use crate::names::Name;

/// Why a name can't be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenameError {
    /// There is no name at the place.
    NoName,
    /// The new one can't be a name; the text says why.
    NotAName(String),
    /// The text has this name already.
    Taken(String),
    /// The new name would run into what stands beside it.
    RunsTogether(String),
}

impl std::fmt::Display for RenameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RenameError::NoName => f.write_str("no variable, dictionary or function stands here"),
            RenameError::NotAName(why) => f.write_str(why),
            RenameError::Taken(name) => write!(f, "the query has the name `{name}` already"),
            RenameError::RunsTogether(name) => write!(f, "`{name}` would run into what stands beside it"),
        }
    }
}

impl std::error::Error for RenameError {}

impl Document {
    /// The places where the name at a place stands, for a new name that can be written there.
    ///
    /// # Errors
    ///
    /// When there is no name, or the query would have another meaning with the new one.
    pub fn rename(&self, at: usize, new: &str) -> Result<&[Range<usize>], RenameError> {
        let (name, _) = self.name_at(at).ok_or(RenameError::NoName)?;
        if new != name.name {
            self.check(name, new)?;
        }
        Ok(&name.places)
    }

    fn check(&self, name: &Name, new: &str) -> Result<(), RenameError> {
        let lexed = lex(new);
        match lexed.tokens.as_slice() {
            [token] if lexed.errors.is_empty() && token.span.range() == (0..new.len()) => match token.kind {
                TokenKind::Identifier(_) => {}
                TokenKind::Keyword(_) => return Err(not_a_name(new, "is a reserved word")),
                TokenKind::Designator(_) => return Err(not_a_name(new, "is a piece designator")),
                _ => return Err(not_a_name(new, "can't be a name")),
            },
            _ => return Err(not_a_name(new, "can't be a name")),
        }
        // A name that is unknown here may be the word of an extension.
        if self
            .tokens()
            .iter()
            .any(|token| token.identifier().is_some_and(|own| &**own == new))
        {
            return Err(RenameError::Taken(new.to_owned()));
        }
        match self.keeps_tokens(name, new) {
            true => Ok(()),
            false => Err(RenameError::RunsTogether(new.to_owned())),
        }
    }

    /// Whether the text with the new name has the same tokens but for that name.
    fn keeps_tokens(&self, name: &Name, new: &str) -> bool {
        let mut text = self.text().to_owned();
        for place in name.places.iter().rev() {
            text.replace_range(place.clone(), new);
        }
        let after = lex(&text).tokens;
        let same = |(before, after): (&TokenKind, &TokenKind)| match (before, after) {
            (TokenKind::Identifier(old), TokenKind::Identifier(now))
            | (TokenKind::String(old), TokenKind::String(now)) => old == now || **old == *name.name && &**now == new,
            (before, after) => before == after,
        };
        let pairs = self
            .tokens()
            .iter()
            .map(|token| &token.kind)
            .zip(after.iter().map(|token| &token.kind));
        self.tokens().len() == after.len() && pairs.into_iter().all(same)
    }
}

fn not_a_name(name: &str, why: &str) -> RenameError {
    RenameError::NotAName(format!("`{name}` {why}"))
}

#[cfg(test)]
mod tests {
    use language::Dialect;

    use super::*;

    fn renamed(text: &str, at: &str, new: &str) -> Result<String, RenameError> {
        let document = Document::new(text, Dialect::Auto);
        let places = document.rename(text.find(at).unwrap(), new)?;
        let mut text = text.to_owned();
        for place in places.iter().rev() {
            text.replace_range(place.clone(), new);
        }
        Ok(text)
    }

    #[test]
    fn all_places_change() {
        assert_eq!(
            renamed("x = 1 x > 0 isbound \"x\" \"x\" in \"xy\"", "x", "count1").unwrap(),
            "count1 = 1 count1 > 0 isbound \"count1\" \"x\" in \"xy\""
        );
        assert_eq!(
            renamed("x = 1 function f(x) { x > 1 } f(x)", "x > 1", "y").unwrap(),
            "x = 1 function f(y) { y > 1 } f(x)"
        );
        assert_eq!(
            renamed("function f(x) { x } f(3)", "f(3)", "same").unwrap(),
            "function same(x) { x } same(3)"
        );
    }

    #[test]
    fn bad_names_are_refused() {
        let error = |new: &str| {
            renamed("x = 1 y = 2 x > y clock > 3", "x", new)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(error("mate"), "`mate` is a reserved word");
        assert_eq!(error("Ka1"), "`Ka1` is a piece designator");
        assert_eq!(error("a b"), "`a b` can't be a name");
        assert_eq!(error(""), "`` can't be a name");
        assert_eq!(error("y"), "the query has the name `y` already");
        assert_eq!(error("clock"), "the query has the name `clock` already");
        assert_eq!(renamed("x = 1 mate", "mate", "z"), Err(RenameError::NoName));
    }
}
