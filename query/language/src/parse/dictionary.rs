//! Dictionaries (docs/language/control.md#dictionaries): the kinds of keys and values are fixed by their first use.

use std::rc::Rc;

use super::operators::Level;
use super::scope::{Name, a_filter, holder_of};
use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{DictionaryId, Filter, Kind, Node, VariableKind};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// `dictionary D`, `local dictionary D`, `persistent dictionary D` (the first word of the last is consumed).
    pub(super) fn dictionary_declaration(&mut self, persistent: bool, span: Span) -> Parsed<Filter> {
        let local = !persistent && self.eat_keyword(Keyword::Local);
        self.expect_keyword(Keyword::Dictionary)?;
        let name = self.name("after `dictionary`")?;
        let name_span = self.here();
        let id = match self.scope.get(&name) {
            None => self.scope.add_dictionary(&name, local),
            Some(Name::Dictionary(id)) => id,
            Some(Name::Variable(_)) => return Err(self.taken(&name, "a variable", name_span)),
            Some(Name::Function(_)) => return Err(self.taken(&name, "a function", name_span)),
        };
        // A key may follow at once: `dictionary D[1] = 2`.
        if self.peek_ahead(1).is_some_and(|token| token.is(Symbol::LeftBracket)) {
            return self.dictionary_access(id, span);
        }
        self.bump();
        Ok(Filter::new(Node::True, Kind::Logical, self.since(span)))
    }

    /// `D[key]`, `D[key] = value`, `D`; the name is here.
    pub(super) fn dictionary_access(&mut self, id: DictionaryId, span: Span) -> Parsed<Filter> {
        self.bump();
        if !self.at(Symbol::LeftBracket) {
            return Ok(Filter::new(Node::Dictionary(id), Kind::Logical, self.since(span)));
        }
        let key = self.key(id)?;
        if !self.eat(Symbol::Assign) {
            let kind = self.scope.dictionaries[id.0 as usize].value.unwrap_or(Kind::Logical);
            return Ok(Filter::new(
                Node::DictionaryGet(id, Box::new(key)),
                kind,
                self.since(span),
            ));
        }
        let value = self.expression(Level::Or)?;
        self.fix(id, &value, false)?;
        let node = Node::DictionarySet(id, Box::new(key), Box::new(value));
        Ok(Filter::new(node, Kind::Logical, self.since(span)))
    }

    /// `[key]`
    fn key(&mut self, id: DictionaryId) -> Parsed<Filter> {
        self.bump();
        let key = self.expression(Level::Or)?;
        if !self.eat(Symbol::RightBracket) {
            self.reject_operator(key.kind)?;
            return Err(self.expected("`]`"));
        }
        self.fix(id, &key, true)?;
        Ok(key)
    }

    /// What helps where a value of a dictionary is read before anything was stored in it: it counts as logical then.
    pub(super) fn unknown_value_hint(&self, filter: &Filter) -> Option<String> {
        let Node::DictionaryGet(id, _) = filter.node else {
            return None;
        };
        let dictionary = &self.scope.dictionaries[id.0 as usize];
        dictionary.value.is_none().then(|| {
            format!(
                "what `{}` holds is not known here: store a value in it earlier in the text",
                dictionary.name
            )
        })
    }

    /// Fixes the kind of keys or values, or checks it.
    fn fix(&mut self, id: DictionaryId, filter: &Filter, is_key: bool) -> Parsed<()> {
        let what = if is_key { "key" } else { "value" };
        if holder_of(filter.kind).is_none() {
            let message = format!("{} can be no {what} of a dictionary", a_filter(filter.kind));
            let mut diagnostic = Diagnostic::new(Code::WrongKind, filter.span, message);
            diagnostic.help = self.unknown_value_hint(filter);
            return Err(Box::new(diagnostic));
        }
        let dictionary = &mut self.scope.dictionaries[id.0 as usize];
        if filter.kind == Kind::Position && !dictionary.local {
            let message = format!("only a local dictionary can have positions as {what}s");
            return Err(Box::new(
                Diagnostic::new(Code::WrongKind, filter.span, message)
                    .help(format!("declare it with `local dictionary {}`", dictionary.name)),
            ));
        }
        let fixed = if is_key {
            &mut dictionary.key
        } else {
            &mut dictionary.value
        };
        let kind = *fixed.get_or_insert(filter.kind);
        if kind == filter.kind {
            return Ok(());
        }
        let message = format!(
            "the {what}s of `{}` are {}s, found {}",
            dictionary.name,
            &a_filter(kind)[2..],
            a_filter(filter.kind)
        );
        Err(Box::new(Diagnostic::new(Code::WrongKind, filter.span, message)))
    }

    /// `unbind D`, `unbind D[key]`; the name is here.
    pub(super) fn dictionary_unbind(&mut self, id: DictionaryId, span: Span) -> Parsed<Filter> {
        self.bump();
        let mut key = None;
        if self.at(Symbol::LeftBracket) {
            if self.scope.dictionaries[id.0 as usize].key.is_none() {
                let message = "an entry is deleted before any key was used";
                return Err(Box::new(Diagnostic::new(Code::WrongKind, self.here(), message)));
            }
            key = Some(Box::new(self.key(id)?));
        }
        Ok(Filter::new(
            Node::DictionaryUnbind(id, key),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// `string x in D F`
    pub(super) fn string_loop(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let name = self.name("after `string`")?;
        let name_span = self.here();
        self.bump();
        self.expect_keyword(Keyword::In)?;
        let Some(Name::Dictionary(id)) = self.peek().and_then(|t| t.identifier()).and_then(|n| self.scope.get(n))
        else {
            return Err(self.expected("the name of a dictionary"));
        };
        if self.scope.dictionaries[id.0 as usize].key != Some(Kind::String) {
            let message = "the keys of the dictionary are not strings";
            return Err(Box::new(Diagnostic::new(Code::WrongKind, self.here(), message)));
        }
        self.dictionary_loop(&name, name_span, id, span)
    }

    /// `x [element] D F`; the dictionary's name is here.
    pub(super) fn dictionary_loop(
        &mut self,
        name: &Rc<str>,
        name_span: Span,
        id: DictionaryId,
        span: Span,
    ) -> Parsed<Filter> {
        let dictionary = &self.scope.dictionaries[id.0 as usize];
        let (Some(key), Some(_)) = (dictionary.key, dictionary.value) else {
            let message = format!("nothing is stored in `{}` before this loop", dictionary.name);
            return Err(Box::new(Diagnostic::new(Code::WrongKind, self.here(), message).help(
                "the kind of the loop's variable is not known without an assignment before it",
            )));
        };
        self.bump();
        let variable = self.declare(name, holder_of(key).unwrap_or(VariableKind::Numeric), name_span)?;
        let body = self.expression(Level::Or)?;
        let node = Node::DictionaryLoop(variable, id, Box::new(body));
        Ok(Filter::new(node, Kind::Logical, self.since(span)))
    }
}
