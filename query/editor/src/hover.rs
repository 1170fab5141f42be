//! What stands at a place: the documentation of a word, or what a name or a designator is.

use std::fmt::Write;
use std::ops::Range;

use language::hir::VariableKind;
use language::syntax::{TokenKind, to_ascii};

use crate::document::Document;
use crate::men;
use crate::names::{Name, NameKind};
use crate::pieces::Class;
use crate::reference::{Form, entry};

/// What is known of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Where the word stands.
    pub range: Range<usize>,
    /// The word in ASCII.
    pub word: String,
    /// The ways to write it, with their meanings.
    pub forms: Vec<Form>,
    /// A query that has it.
    pub example: Option<&'static str>,
}

impl Hover {
    /// The same as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        for form in &self.forms {
            let _ = write!(text, "```chesscql\n{}\n```\n{}\n\n", form.form, form.meaning);
        }
        if let Some(example) = self.example {
            let _ = write!(text, "Example:\n```chesscql\n{example}\n```\n");
        }
        text.trim_end().to_owned()
    }
}

/// Longer definitions are cut.
const LONGEST: usize = 80;

impl Document {
    /// What is known of the word at a place; between two words, of the one that begins there.
    pub fn hover(&self, at: usize) -> Option<Hover> {
        let touching = self
            .pieces()
            .iter()
            .filter(|piece| piece.range.start <= at && at <= piece.range.end);
        let mut found = touching.filter_map(|piece| match piece.class {
            Class::Comment | Class::String => self.about_name(&self.name_at(at)?.1),
            Class::Designator => self.about_men(&piece.range).or_else(|| self.about_word(&piece.range)),
            _ => self.about_name(&piece.range).or_else(|| self.about_word(&piece.range)),
        });
        found.next_back()
    }

    fn about_word(&self, range: &Range<usize>) -> Option<Hover> {
        let written = self.text().get(range.clone())?;
        // A symbol stands for its word.
        let word = to_ascii(written).unwrap_or_else(|_| written.to_owned());
        let entry = entry(word.trim())?;
        Some(Hover {
            range: range.clone(),
            word: word.trim().to_owned(),
            forms: entry.forms.clone(),
            example: entry.example,
        })
    }

    fn about_men(&self, range: &Range<usize>) -> Option<Hover> {
        let token = self.tokens().iter().find(|token| token.span.range() == *range)?;
        let TokenKind::Designator(designator) = token.kind else {
            return None;
        };
        let written = self.text().get(range.clone())?;
        Some(Hover {
            range: range.clone(),
            word: written.to_owned(),
            forms: vec![Form {
                form: written.to_owned(),
                meaning: men::in_words(designator),
                chapter: "positions",
                section: "Piece designators".to_owned(),
            }],
            example: None,
        })
    }

    fn about_name(&self, range: &Range<usize>) -> Option<Hover> {
        let name = self.name_of(range)?;
        let (chapter, section) = match name.kind {
            NameKind::Variable => ("control", "Variables"),
            NameKind::Dictionary => ("control", "Dictionaries"),
            NameKind::Function | NameKind::Parameter => ("control", "Functions"),
        };
        Some(Hover {
            range: range.clone(),
            word: name.name.clone(),
            forms: vec![Form {
                form: self.written_definition(name),
                meaning: self.meaning(name),
                chapter,
                section: section.to_owned(),
            }],
            example: None,
        })
    }

    /// What a name is, in a sentence.
    pub(crate) fn meaning(&self, name: &Name) -> String {
        let mut what = match name.kind {
            NameKind::Variable => of_kind(self.variable_kinds().get(&name.name)).to_owned(),
            NameKind::Dictionary => "a dictionary".to_owned(),
            NameKind::Parameter => {
                let function = self.names().iter().find(|function| function.whole == name.scope);
                function.map_or("a parameter".to_owned(), |function| {
                    format!("a parameter of `{}`", function.name)
                })
            }
            NameKind::Function => match name.places.len().saturating_sub(1) {
                0 => "a function that is not called".to_owned(),
                1 => "a function, called once".to_owned(),
                calls => format!("a function, called {calls} times"),
            },
        };
        let line = 1 + self.text()[..name.definition.start].matches('\n').count();
        let _ = write!(what, "; line {line}");
        if let Some(comment) = self.comment_above(name) {
            let _ = write!(what, "\n\n{comment}");
        }
        what
    }

    /// The line of a definition from its word on; of a function what stands before its body.
    fn written_definition(&self, name: &Name) -> String {
        let text = self.text();
        let start = match name.kind {
            NameKind::Function => name.whole.start,
            _ => name.definition.start,
        };
        let rest = &text[start..];
        let end = match name.kind {
            NameKind::Function => rest.find('{'),
            NameKind::Parameter => Some(name.definition.len()),
            _ => None,
        };
        let line = rest[..end.unwrap_or(rest.len())]
            .lines()
            .next()
            .unwrap_or_default()
            .trim();
        match line.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{} ...", line[..cut].trim_end()),
            None => line.to_owned(),
        }
    }

    /// The comment in the lines before a function.
    fn comment_above(&self, name: &Name) -> Option<String> {
        if name.kind != NameKind::Function {
            return None;
        }
        let before = self
            .pieces()
            .iter()
            .rev()
            .find(|piece| piece.range.end <= name.whole.start)?;
        let between = self.text().get(before.range.end..name.whole.start)?;
        let is_near = before.class == Class::Comment && between.matches('\n').count() <= 1;
        let comment = self.text().get(before.range.clone())?;
        let lines = comment.trim_start_matches("/*").trim_end_matches("*/").lines();
        let lines = lines.map(|line| line.trim().trim_start_matches(['/', ';', '*']).trim());
        let comment = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        (is_near && !comment.is_empty()).then_some(comment)
    }
}

/// The kind of a variable; without it where the text has an error before its definition.
pub(crate) fn of_kind(kind: Option<&VariableKind>) -> &'static str {
    match kind {
        Some(VariableKind::Set) => "a set variable",
        Some(VariableKind::Piece) => "a piece variable",
        Some(VariableKind::Numeric) => "a numeric variable",
        Some(VariableKind::String) => "a string variable",
        Some(VariableKind::Position) => "a position variable",
        None => "a variable",
    }
}

#[cfg(test)]
mod tests {
    use language::Dialect;

    use super::*;

    fn at(text: &str, word: &str) -> Hover {
        let document = Document::new(text, Dialect::Auto);
        document
            .hover(text.find(word).unwrap())
            .unwrap_or_else(|| panic!("nothing about {word}"))
    }

    #[test]
    fn words_have_their_documentation() {
        let hover = at("R attacks k", "attacks");
        assert!(
            hover
                .markdown()
                .starts_with("```chesscql\nS attacks T, S -> T\n```\nthe squares of S whose man attacks")
        );
        assert!(hover.markdown().ends_with("```"), "{}", hover.markdown());
        assert_eq!(at("R \u{2192} k", "\u{2192}").word, "->");
        assert_eq!(at("clock < 3", "clock").forms[0].chapter, "annotations");
    }

    #[test]
    fn between_two_words_the_second_counts() {
        let document = Document::new("R->k", Dialect::Auto);
        assert_eq!(document.hover(1).unwrap().word, "->");
        assert_eq!(document.hover(4).unwrap().word, "k");
        assert!(document.hover(40).is_none());
    }

    #[test]
    fn designators_are_said_in_words() {
        assert_eq!(
            at("[QR]a1 mate", "[QR]").forms[0].meaning,
            "a white rook or a white queen, on a1"
        );
    }

    #[test]
    fn names_say_what_they_are() {
        let text = "king = k\n// Whether it is near.\nfunction near(a1 x) { distance }\nking attacks A";
        let text = text.replace("a1 x", "x");
        assert_eq!(at(&text, "king").forms[0].meaning, "a set variable; line 1");
        let near = at(&text, "near(");
        assert_eq!(near.forms[0].form, "function near(x)");
        assert_eq!(
            near.forms[0].meaning,
            "a function that is not called; line 3\n\nWhether it is near."
        );
        assert_eq!(at(&text, "x)").forms[0].meaning, "a parameter of `near`; line 3");
    }
}
