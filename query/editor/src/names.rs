//! The names that a text has chosen: what they stand for, and where they stand.
//!
//! All names of a query share one space, but for the parameters of a function, which are known in its body only
//! (docs/language/control.md#functions). Names are found by the tokens around them, so that a text with errors has names, too.

mod definitions;
mod functions;

use std::collections::HashMap;
use std::ops::Range;

use language::syntax::{Keyword, Token, TokenKind};

use self::definitions::defined_at;
use self::functions::{Function, functions};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// A variable of any kind.
    Variable,
    /// A dictionary.
    Dictionary,
    /// A function.
    Function,
    /// A parameter of a function.
    Parameter,
}

/// A name and its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub kind: NameKind,
    /// Where it gets its meaning.
    pub definition: Range<usize>,
    /// All places where it stands, that of its definition included.
    pub places: Vec<Range<usize>>,
    /// Where it is known: the whole text, or a function with its parameters and its body.
    pub scope: Range<usize>,
    /// What defines it: of a function all of it, of others the name.
    pub whole: Range<usize>,
}

/// The names of a text, in the order of their definitions.
pub(crate) fn names(text: &str, tokens: &[Token]) -> Vec<Name> {
    let functions = functions(tokens);
    let mut reader = Reader {
        text,
        tokens,
        functions: &functions,
        found: Vec::new(),
        known: HashMap::new(),
    };
    reader.parameters();
    reader.definitions();
    reader.arguments();
    reader.places();
    let mut found = reader.found;
    found.sort_by_key(|name| name.definition.start);
    found
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
    functions: &'t [Function],
    found: Vec<Name>,
    /// The index of each name, by the function that it belongs to.
    known: HashMap<(Option<usize>, &'t str), usize>,
}

impl<'t> Reader<'t> {
    fn add(&mut self, owner: Option<usize>, token: usize, kind: NameKind) {
        let Some(name) = self.tokens[token].identifier() else {
            return;
        };
        if self.known.contains_key(&(owner, &**name)) {
            return;
        }
        self.known.insert((owner, name), self.found.len());
        let definition = self.tokens[token].span.range();
        let function = match kind {
            NameKind::Function => self.functions.iter().find(|function| function.name == token),
            _ => None,
        };
        self.found.push(Name {
            name: name.to_string(),
            kind,
            whole: function.map_or(definition.clone(), |function| self.bytes(&function.whole)),
            definition,
            places: Vec::new(),
            scope: owner.map_or(0..self.text.len(), |owner| self.bytes(&self.functions[owner].whole)),
        });
    }

    fn bytes(&self, tokens: &Range<usize>) -> Range<usize> {
        let start = self.tokens[tokens.start].span.range().start;
        start..self.tokens[tokens.end - 1].span.range().end.max(start)
    }

    fn parameters(&mut self) {
        for (index, function) in self.functions.iter().enumerate() {
            for &parameter in &function.parameters {
                self.add(Some(index), parameter, NameKind::Parameter);
            }
        }
    }

    fn definitions(&mut self) {
        for token in 0..self.tokens.len() {
            let Some(name) = self.tokens[token].identifier() else {
                continue;
            };
            if self.owner(token, name).is_some() {
                continue;
            }
            if let Some(kind) = defined_at(self.tokens, token) {
                self.add(None, token, kind);
            }
        }
    }

    /// A function may give a value to a variable that is its argument: then that is defined where it is called.
    fn arguments(&mut self) {
        for call in 0..self.tokens.len() {
            let Some(name) = self.tokens[call].identifier() else {
                continue;
            };
            let is_function = self
                .known
                .get(&(None, &**name))
                .is_some_and(|&index| self.found[index].kind == NameKind::Function);
            if !is_function || self.owner(call, name).is_some() {
                continue;
            }
            for argument in functions::arguments(self.tokens, call) {
                let is_known = self.tokens[argument]
                    .identifier()
                    .is_none_or(|own| self.owner(argument, own).is_some());
                if !is_known && !language::extension_words().any(|word| self.is_written(argument, word)) {
                    self.add(None, argument, NameKind::Variable);
                }
            }
        }
    }

    fn is_written(&self, token: usize, word: &str) -> bool {
        self.text.get(self.tokens[token].span.range()) == Some(word)
    }

    /// The innermost function around a token that has a parameter of this name.
    fn owner(&self, token: usize, name: &str) -> Option<usize> {
        let around = self
            .functions
            .iter()
            .enumerate()
            .filter(|(_, function)| function.body_and_parameters.contains(&token));
        let with = around.filter(|(index, _)| self.known.contains_key(&(Some(*index), name)));
        with.max_by_key(|(_, function)| function.whole.start)
            .map(|(index, _)| index)
    }

    fn places(&mut self) {
        for (index, token) in self.tokens.iter().enumerate() {
            let Some((name, place)) = self.named(index, token) else {
                continue;
            };
            let owner = self.owner(index, name);
            if let Some(&found) = self.known.get(&(owner, name)) {
                self.found[found].places.push(place);
            }
        }
    }

    /// The name that a token is, or that stands in it: `isbound "x"`.
    fn named(&self, index: usize, token: &'t Token) -> Option<(&'t str, Range<usize>)> {
        let range = token.span.range();
        match &token.kind {
            TokenKind::Identifier(name) => Some((name, range)),
            TokenKind::String(name) => {
                let before = self.tokens[index.checked_sub(1)?].keyword()?;
                let inner = range.start + 1..range.end.checked_sub(1)?;
                let is_name =
                    matches!(before, Keyword::Isbound | Keyword::Isunbound) && self.text.get(inner.clone())? == &**name;
                // A text is not renamed with the arguments of a call.
                let is_global = self.owner(index, name).is_none();
                (is_name && is_global).then_some((&**name, inner))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
