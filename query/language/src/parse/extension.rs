//! Filters that CQL 6.2 does not have (docs/language.md#extensions).
//!
//! Their words are no keywords: a text of CQL 6.2 may use them as names, and then they are these names.

use shakmaty::Color;

use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Arithmetic, Filter, Kind, Node, SetName};
use crate::span::Span;

/// A filter that CQL 6.2 does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extension {
    /// `positionset "name"`
    PositionSet,
    /// `clock`, `clock white`, `clock black`
    Clock,
    /// `movetime`
    MoveTime,
    /// `eval`, `eval white`, `eval black`
    Evaluation,
    /// `evalbefore`, and with a color
    EvaluationBefore,
    /// `evalchange`, and with a color
    EvaluationChange,
    /// `imagine CHANGES : F`
    Imagine,
    /// `legalposition`
    LegalPosition,
}

/// The words of all extensions.
const WORDS: [(&str, Extension); 8] = [
    ("positionset", Extension::PositionSet),
    ("clock", Extension::Clock),
    ("movetime", Extension::MoveTime),
    ("eval", Extension::Evaluation),
    ("evalbefore", Extension::EvaluationBefore),
    ("evalchange", Extension::EvaluationChange),
    ("imagine", Extension::Imagine),
    ("legalposition", Extension::LegalPosition),
];

impl Extension {
    /// The extension with this word.
    pub(super) fn named(word: &str) -> Option<Extension> {
        WORDS
            .iter()
            .find(|(known, _)| *known == word)
            .map(|(_, extension)| *extension)
    }

    /// All words.
    pub(super) fn words<'w>() -> impl Iterator<Item = &'w str> {
        WORDS.iter().map(|(word, _)| *word)
    }
}

/// The words of filters that CQL 6.2 does not have; they are no reserved words.
pub fn extension_words() -> impl Iterator<Item = &'static str> {
    Extension::words()
}

impl Parser<'_> {
    /// A filter that begins with the word of an extension.
    pub(super) fn extension(&mut self, extension: Extension, span: Span) -> Parsed<Filter> {
        self.allow_extension(span)?;
        self.bump();
        let node = match extension {
            Extension::PositionSet => return self.position_set(span),
            Extension::Imagine => return self.imagine(span),
            Extension::LegalPosition => return Ok(Filter::new(Node::LegalPosition, Kind::Logical, span)),
            Extension::Clock => Node::Clock(self.color()),
            Extension::MoveTime => Node::MoveTime,
            Extension::Evaluation => self.evaluation(),
            Extension::EvaluationBefore => {
                let evaluation = self.evaluation();
                self.before(evaluation, span)
            }
            Extension::EvaluationChange => {
                let evaluation = self.evaluation();
                let before = self.before(evaluation.clone(), span);
                let [after, before] = [evaluation, before].map(|node| Box::new(self.number_of(node, span)));
                Node::Arithmetic(Arithmetic::Subtract, after, before)
            }
        };
        Ok(self.number_of(node, span))
    }

    /// The color behind `eval` and its relatives; White's view if there is none.
    fn evaluation(&mut self) -> Node {
        Node::Evaluation(self.color().unwrap_or(Color::White))
    }

    /// `parent : N`
    fn before(&self, node: Node, span: Span) -> Node {
        let parent = Filter::new(Node::Parent, Kind::Position, self.since(span));
        Node::At(Box::new(parent), Box::new(self.number_of(node, span)))
    }

    /// A number that the words from here on give.
    fn number_of(&self, node: Node, span: Span) -> Filter {
        Filter::new(node, Kind::Numeric, self.since(span))
    }

    /// `positionset "name"`; the word is eaten.
    fn position_set(&mut self, span: Span) -> Parsed<Filter> {
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
    pub(super) fn allow_extension(&self, span: Span) -> Parsed<()> {
        if !self.strict {
            return Ok(());
        }
        let word = self.text.get(span.range()).unwrap_or_default();
        let message = format!("`{word}` is an extension of cqldex, and only CQL 6.2 is accepted here");
        Err(Box::new(
            Diagnostic::new(Code::Extension, span, message).label("CQL 6.2 has no such filter"),
        ))
    }
}
