//! Filters that CQL 6.2 does not have (docs/language.md#extensions).
//!
//! Their words are no keywords: a text of CQL 6.2 may use them as names, and then they are these names.

use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind, Node, SetName};
use crate::span::Span;

/// The word of [`Node::PositionSet`].
pub(super) const POSITION_SET: &str = "positionset";

/// The words of all extensions.
pub(super) const WORDS: [&str; 1] = [POSITION_SET];

impl Parser<'_> {
    /// `positionset "name"`
    pub(super) fn position_set(&mut self, span: Span) -> Parsed<Filter> {
        self.allow_extension(POSITION_SET, span)?;
        self.bump();
        let Some(name) = self.quoted() else {
            return Err(self.expected("the name of a set of positions in quotation marks"));
        };
        let span = self.since(span);
        let known = self.sets.iter().position(|set| set.name == name);
        let index = known.unwrap_or_else(|| {
            self.sets.push(SetName { name, span });
            self.sets.len() - 1
        });
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        Ok(Filter::new(Node::PositionSet(index), Kind::Logical, span))
    }

    /// An error if only CQL 6.2 is accepted.
    fn allow_extension(&self, word: &str, span: Span) -> Parsed<()> {
        if !self.strict {
            return Ok(());
        }
        let message = format!("`{word}` is an extension of cqldex, and only CQL 6.2 is accepted here");
        Err(Box::new(
            Diagnostic::new(Code::Extension, span, message).label("CQL 6.2 has no such filter"),
        ))
    }
}
