//! Names: one flat space for variables, dictionaries and functions (docs/language/control.md#variables).

use std::collections::HashMap;
use std::rc::Rc;

use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Dictionary, DictionaryId, Filter, Kind, Node, Variable, VariableId, VariableKind};
use crate::span::Span;
use crate::syntax::Token;

/// A function as it was defined.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Rc<str>,
    pub(super) parameters: Vec<Rc<str>>,
    /// The body with its braces.
    pub(super) body: Vec<Token>,
    /// Where its name stands.
    pub(super) span: Span,
    /// Whether a call of it is being parsed.
    pub(super) is_active: bool,
    /// Whether there is a call of it.
    pub(super) is_called: bool,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Variable(VariableId),
    Dictionary(DictionaryId),
    Function(usize),
}

/// Variables from this number on stand for names that may be assigned further on in the text.
const AWAITED: usize = 1 << 24;

/// All names of a query.
#[derive(Debug, Default)]
pub(super) struct Scope {
    names: HashMap<Rc<str>, Name>,
    /// The names that may be assigned further on.
    awaited: Vec<Rc<str>>,
    pub(super) variables: Vec<Variable>,
    pub(super) dictionaries: Vec<Dictionary>,
    pub(super) functions: Vec<Function>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<Name> {
        self.names.get(name).copied()
    }

    pub(super) fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// All names, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(|name| &**name)
    }

    pub(super) fn add_variable(&mut self, name: &Rc<str>, kind: VariableKind) -> VariableId {
        let id = VariableId::at(self.variables.len());
        let name = Rc::clone(name);
        self.variables.push(Variable {
            name: name.to_string(),
            kind,
            persistent: false,
            quiet: false,
            atomic: false,
        });
        self.names.insert(name, Name::Variable(id));
        id
    }

    /// A variable that stands for a name which is unknown here, until all was read.
    pub(super) fn await_name(&mut self, name: &Rc<str>) -> VariableId {
        self.awaited.push(Rc::clone(name));
        VariableId::at(AWAITED + self.awaited.len() - 1)
    }

    /// Whether there is such a name.
    pub(super) fn awaits_names(&self) -> bool {
        !self.awaited.is_empty()
    }

    /// The variable that another stands for, or the variable itself; `None` if it was never assigned.
    pub(super) fn found(&self, id: VariableId) -> Option<VariableId> {
        let Some(index) = (id.0 as usize).checked_sub(AWAITED) else {
            return Some(id);
        };
        match self.get(&self.awaited[index]) {
            Some(Name::Variable(id)) => Some(id),
            _ => None,
        }
    }

    pub(super) fn add_dictionary(&mut self, name: &Rc<str>, local: bool) -> DictionaryId {
        let id = DictionaryId::at(self.dictionaries.len());
        self.dictionaries.push(Dictionary {
            name: name.to_string(),
            local,
            key: None,
            value: None,
        });
        self.names.insert(Rc::clone(name), Name::Dictionary(id));
        id
    }

    pub(super) fn add_function(&mut self, function: Function) {
        self.names
            .insert(Rc::clone(&function.name), Name::Function(self.functions.len()));
        self.functions.push(function);
    }
}

/// The kind of the filter that reads a variable.
pub(super) fn kind_of(variable: VariableKind) -> Kind {
    match variable {
        VariableKind::Set | VariableKind::Piece => Kind::Set,
        VariableKind::Numeric => Kind::Numeric,
        VariableKind::String => Kind::String,
        VariableKind::Position => Kind::Position,
    }
}

/// The variable that can hold the value of a filter.
pub(super) fn holder_of(kind: Kind) -> Option<VariableKind> {
    match kind {
        Kind::Logical => None,
        Kind::Set => Some(VariableKind::Set),
        Kind::Numeric => Some(VariableKind::Numeric),
        Kind::String => Some(VariableKind::String),
        Kind::Position => Some(VariableKind::Position),
    }
}

/// A kind with its article, for messages.
pub(super) fn a_filter(kind: Kind) -> &'static str {
    match kind {
        Kind::Logical => "a logical filter",
        Kind::Set => "a set filter",
        Kind::Numeric => "a numeric filter",
        Kind::String => "a string filter",
        Kind::Position => "a position filter",
    }
}

/// A kind of variable with its article, for messages.
pub(super) fn a_variable(kind: VariableKind) -> &'static str {
    match kind {
        VariableKind::Set => "a set variable",
        VariableKind::Piece => "a piece variable",
        VariableKind::Numeric => "a numeric variable",
        VariableKind::String => "a string variable",
        VariableKind::Position => "a position variable",
    }
}

impl Parser<'_> {
    /// Reads a variable.
    pub(super) fn read(&self, id: VariableId, span: Span) -> Filter {
        Filter::new(Node::Variable(id), kind_of(self.scope.variable(id).kind), span)
    }

    /// The variable of this kind with this name, made if there is none.
    pub(super) fn declare(&mut self, name: &Rc<str>, kind: VariableKind, span: Span) -> Parsed<VariableId> {
        match self.scope.get(name) {
            None => Ok(self.scope.add_variable(name, kind)),
            Some(Name::Variable(id)) if self.scope.variable(id).kind == kind => Ok(id),
            Some(Name::Variable(id)) => {
                let (old, new) = (a_variable(self.scope.variable(id).kind), a_variable(kind));
                let message = format!("`{name}` is {old} and cannot become {new}");
                Err(Box::new(Diagnostic::new(Code::VariableKind, span, message).help(
                    "a variable keeps the kind of its first assignment; take another name",
                )))
            }
            Some(Name::Dictionary(_)) => Err(self.taken(name, "a dictionary", span)),
            Some(Name::Function(_)) => Err(self.taken(name, "a function", span)),
        }
    }

    /// The error that a name is in use.
    pub(super) fn taken(&self, name: &str, what: &str, span: Span) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(
            Code::Redefinition,
            span,
            format!("`{name}` is already the name of {what}"),
        ))
    }
}
