//! Functions: macros whose body is parsed anew for every call (docs/language/control.md#functions).

use std::collections::HashMap;
use std::rc::Rc;

use super::operators::Level;
use super::scope::{Function, Name, a_filter, holder_of};
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind, Node, VariableId};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol, Token};

impl Parser<'_> {
    /// `function f(x y){ body }`; the body is only stored.
    pub(super) fn function(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let name = self.name("after `function`")?;
        let name_span = self.here();
        match self.scope.get(&name) {
            None => {}
            Some(Name::Function(index)) => {
                let first = self.scope.functions[index].span;
                let diagnostic = self.taken(&name, "a function", name_span);
                return Err(Box::new(diagnostic.related(first, "first defined here")));
            }
            Some(Name::Variable(_)) => return Err(self.taken(&name, "a variable", name_span)),
            Some(Name::Dictionary(_)) => return Err(self.taken(&name, "a dictionary", name_span)),
        }
        self.bump();
        self.expect(Symbol::LeftParen)?;
        let mut parameters: Vec<Rc<str>> = Vec::new();
        while !self.eat(Symbol::RightParen) {
            if let Some(help) = self.comma_hint() {
                let mut diagnostic = self.expected("a name or `)`");
                diagnostic.help = Some(help);
                return Err(Box::new(diagnostic.maybe_fix(self.comma_fix())));
            }
            let parameter = self.name("of a parameter")?;
            if parameters.contains(&parameter) {
                let message = format!("the parameter `{parameter}` stands twice");
                return Err(Box::new(Diagnostic::new(Code::Redefinition, self.here(), message)));
            }
            parameters.push(parameter);
            self.bump();
        }
        let body = self.body()?;
        self.scope.add_function(Function {
            name,
            parameters,
            body,
            span: name_span,
            is_active: false,
            is_called: false,
        });
        Ok(Filter::new(Node::True, Kind::Logical, self.since(span)))
    }

    /// The tokens from a brace to its partner. As in CQL 6.2, words that cannot stand directly inside a path are an error even
    /// if the function is never called.
    fn body(&mut self) -> Parsed<Vec<Token>> {
        if !self.at(Symbol::LeftBrace) {
            let mut diagnostic = self.expected("`{` and the body of the function");
            diagnostic.help = self.hint();
            return Err(diagnostic);
        }
        let start = self.position;
        let mut depth = 0usize;
        while let Some(token) = self.tokens.get(self.position) {
            depth += usize::from(token.is(Symbol::LeftBrace));
            depth -= usize::from(token.is(Symbol::RightBrace));
            if matches!(token.keyword(), Some(Keyword::Legal | Keyword::Countmoves)) {
                self.reject_in_path()?;
            }
            self.position += 1;
            if depth == 0 {
                break;
            }
        }
        Ok(self.tokens[start..self.position].to_vec())
    }

    /// `f(a b)`; the name is here.
    pub(super) fn call(&mut self, index: usize, span: Span) -> Parsed<Filter> {
        self.bump();
        let function = &self.scope.functions[index];
        let name = Rc::clone(&function.name);
        if function.is_active {
            let message = format!("the function `{name}` calls itself");
            let diagnostic = Diagnostic::new(Code::Recursion, span, message).related(function.span, "defined here");
            return Err(Box::new(
                diagnostic.help("every call is parsed anew, so recursion has no end; write a loop"),
            ));
        }
        if !self.eat(Symbol::LeftParen) {
            let message = format!(
                "expected `(` and the arguments of the function `{name}`, found {}",
                self.found()
            );
            let diagnostic = Diagnostic::new(Code::ExpectedToken, self.here(), message);
            return Err(Box::new(diagnostic.help(format!("a call is written `{name}(x y)`"))));
        }
        let mut names = Vec::new();
        let mut arguments = Vec::new();
        while !self.at(Symbol::RightParen) {
            if self.at(Symbol::Comma) {
                self.close_arguments(&name)?;
            }
            names.push(self.argument(index, names.len(), &mut arguments)?);
        }
        self.bump();
        let span = self.since(span);
        let function = &self.scope.functions[index];
        if names.len() != function.parameters.len() {
            let message = format!(
                "the function `{name}` takes {}, found {}",
                match function.parameters.len() {
                    1 => "1 argument".to_owned(),
                    count => format!("{count} arguments"),
                },
                names.len()
            );
            return Err(Box::new(
                Diagnostic::new(Code::ArgumentCount, span, message).related(function.span, "defined here"),
            ));
        }
        let body = self.expand(index, &names, span)?;
        let kind = body.kind;
        Ok(Filter::new(
            Node::Call {
                arguments,
                body: Box::new(body),
            },
            kind,
            span,
        ))
    }

    /// One argument and the name that stands for it in the body: its own if it is a bare variable, else that of a hidden
    /// variable that is set before.
    fn argument(&mut self, index: usize, number: usize, arguments: &mut Vec<(VariableId, Filter)>) -> Parsed<Rc<str>> {
        let before = self.position;
        let own = self.peek().and_then(|token| token.identifier()).map(Rc::clone);
        let value = self.expression(Level::Or)?;
        if let Some(own) = own
            && self.position == before + 1
        {
            return Ok(own);
        }
        let function = &self.scope.functions[index];
        let Some(kind) = holder_of(value.kind) else {
            let message = format!(
                "{} cannot be passed to the function `{}`",
                a_filter(value.kind),
                function.name
            );
            return Err(Box::new(
                Diagnostic::new(Code::NotAssignable, value.span, message)
                    .help("arguments are sets, numbers, strings or positions"),
            ));
        };
        let parameter = function.parameters.get(number).map_or("", |name| name);
        // No text can have a name with a number sign.
        let hidden: Rc<str> = format!("{parameter}#{}", self.scope.variables.len()).into();
        let id = self.scope.add_variable(&hidden, kind);
        arguments.push((id, value));
        Ok(hidden)
    }

    /// Parses the body with the names put in.
    fn expand(&mut self, index: usize, names: &[Rc<str>], span: Span) -> Parsed<Filter> {
        let function = &mut self.scope.functions[index];
        function.is_active = true;
        function.is_called = true;
        let renamed: HashMap<&str, &Rc<str>> = function.parameters.iter().map(|name| &**name).zip(names).collect();
        let substitute = |token: &Token| {
            let mut token = token.clone();
            if let TokenKind::Identifier(name) = &mut token.kind
                && let Some(own) = renamed.get(&**name)
            {
                *name = Rc::clone(own);
            }
            token
        };
        let body: Vec<Token> = function.body.iter().map(substitute).collect();
        for _ in 0..body.len() {
            self.burn()?;
        }
        let tokens = std::mem::replace(&mut self.tokens, body.into());
        let position = std::mem::replace(&mut self.position, 0);
        let ended_paths = std::mem::take(&mut self.ended_paths);
        self.replay = None;
        let known = self.errors_so_far();
        let result = self.nested(|parser| parser.braced(span));
        self.tokens = tokens;
        self.position = position;
        self.ended_paths = ended_paths;
        self.replay = None;
        self.scope.functions[index].is_active = false;
        self.errors_in_call(known, span);
        result.map_err(|diagnostic| match diagnostic.related {
            None => Box::new(diagnostic.related(span, "in this call")),
            Some(_) => diagnostic,
        })
    }
}
