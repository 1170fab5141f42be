//! Names, assignments, and loops over squares and pieces (docs/language/control.md).

use std::rc::Rc;

use super::extension::Extension;
use super::operators::Level;
use super::scope::{Name, a_filter, a_variable, holder_of, kind_of};
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Arithmetic, AssignOp, Filter, Kind, Node, VariableId, VariableKind};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

/// How the assigned variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    /// For a game.
    Plain,
    /// `persistent`, `persistent quiet`
    Persistent {
        /// Left out of the list at the end.
        quiet: bool,
    },
    /// `atomic`
    Atomic,
}

impl Parser<'_> {
    /// A filter that begins with a name.
    pub(super) fn named(&mut self, name: &Rc<str>, span: Span) -> Parsed<Filter> {
        if let Some(TokenKind::Symbol(next)) = self.peek_ahead(1).map(|token| token.kind.clone()) {
            if next == Symbol::Element {
                return self.element_loop(false, span);
            }
            if let Some(operator) = assignment(next) {
                return self.assignment(name, operator, Life::Plain, span);
            }
        }
        match self.scope.get(name) {
            None => match Extension::named(name) {
                Some(extension) => self.extension(extension, span),
                None => self.unknown_name(name, span),
            },
            Some(Name::Variable(id)) => {
                self.bump();
                if self.scope.variable(id).kind == VariableKind::String && self.at(Symbol::LeftBracket) {
                    return self.variable_slice(id, span);
                }
                Ok(self.read(id, span))
            }
            Some(Name::Dictionary(id)) => self.dictionary_access(id, span),
            Some(Name::Function(index)) => self.call(index, span),
        }
    }

    /// Whether the name is here to which the filter that is read gives its first value: `X=path -- -- X>1`.
    pub(super) fn at_name_without_value(&self) -> bool {
        let name = self.peek().and_then(|token| token.identifier());
        let is_assigned = match self.peek_ahead(1).map(|token| &token.kind) {
            Some(TokenKind::Symbol(next)) => assignment(*next).is_some(),
            _ => false,
        };
        name.is_some_and(|name| self.assigning.contains(name) && self.scope.get(name).is_none()) && !is_assigned
    }

    /// `x[i]`, `x[i:j]`, and the assignment to it.
    fn variable_slice(&mut self, id: VariableId, span: Span) -> Parsed<Filter> {
        let slice = self.slice_bounds()?;
        if self.eat(Symbol::Assign) {
            let text = self.expression_of(Level::Sum, Kind::String, "as the new part of a string")?;
            let span = self.since(span);
            return Ok(Filter::new(
                Node::AssignSlice(id, slice, Box::new(text)),
                Kind::Logical,
                span,
            ));
        }
        let text = self.read(id, span);
        Ok(Filter::new(
            Node::Slice(Box::new(text), slice),
            Kind::String,
            self.since(span),
        ))
    }

    /// `x = F` and its relatives; the name is here.
    fn assignment(&mut self, name: &Rc<str>, operator: AssignOp, life: Life, span: Span) -> Parsed<Filter> {
        self.bump();
        let place = self.here();
        self.bump();
        self.assigning.push(Rc::clone(name));
        let value = self.expression(Level::Sum);
        self.assigning.pop();
        let value = value?;
        // The filter may have assigned it.
        let is_update = !matches!(operator, AssignOp::Set | AssignOp::SetIfAny);
        if is_update && self.scope.get(name).is_none() && !matches!(life, Life::Persistent { .. }) {
            let message = format!("`{name}` is updated before it is assigned");
            let diagnostic = Diagnostic::new(Code::UnknownName, span, message);
            return Err(Box::new(
                diagnostic.help(format!("write `{name} = ...` first, or `persistent` before it")),
            ));
        }
        self.assigned(name, operator, life, value, span, place)
    }

    fn assigned(
        &mut self,
        name: &Rc<str>,
        operator: AssignOp,
        life: Life,
        value: Filter,
        span: Span,
        place: Span,
    ) -> Parsed<Filter> {
        let Some(kind) = holder_of(value.kind) else {
            let message = format!("{} has no value that `{name}` could hold", a_filter(value.kind));
            let diagnostic = Diagnostic::new(Code::NotAssignable, value.span, message);
            let help = self.unknown_value_hint(&value);
            let help = help.unwrap_or_else(|| "sets, numbers, strings and positions can be assigned".to_owned());
            return Err(Box::new(diagnostic.help(help)));
        };
        if let Some(Name::Variable(id)) = self.scope.get(name)
            && self.scope.variable(id).kind == VariableKind::Piece
        {
            let diagnostic = Diagnostic::new(Code::VariableKind, span, format!("`{name}` is a piece variable"));
            return Err(Box::new(diagnostic.help(format!("write `piece {name} = ...`"))));
        }
        let operator = match (operator, kind) {
            (AssignOp::Arithmetic(Arithmetic::Add), VariableKind::String) => AssignOp::Append,
            (AssignOp::Set, _)
            | (AssignOp::Arithmetic(_), VariableKind::Numeric)
            | (AssignOp::SetIfAny | AssignOp::Union | AssignOp::Intersection, VariableKind::Set) => operator,
            _ => {
                let text = self.text.get(place.range()).unwrap_or_default();
                let message = format!("`{text}` cannot assign {}", a_filter(value.kind));
                return Err(Box::new(Diagnostic::new(Code::KindMismatch, place, message)));
            }
        };
        let is_new = self.scope.get(name).is_none();
        let id = self.declare(name, kind, span)?;
        self.enliven(id, is_new, life, span)?;
        Ok(Filter::new(
            Node::Assign(id, operator, Box::new(value)),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// Notes how a variable lives.
    fn enliven(&mut self, id: VariableId, is_new: bool, life: Life, span: Span) -> Parsed<()> {
        let variable = &mut self.scope.variables[id.0 as usize];
        match life {
            Life::Plain => {}
            Life::Atomic => variable.atomic = true,
            Life::Persistent { .. } if variable.kind == VariableKind::Position => {
                let message = "a position variable cannot be persistent";
                return Err(Box::new(
                    Diagnostic::new(Code::VariableKind, span, message)
                        .help("numbers, strings and sets can survive a game"),
                ));
            }
            Life::Persistent { .. } if !is_new && !variable.persistent => {
                let message = format!("`{}` was not persistent where it was first assigned", variable.name);
                return Err(Box::new(Diagnostic::new(Code::BadParameter, span, message)));
            }
            Life::Persistent { quiet } => {
                variable.persistent = true;
                variable.quiet |= quiet;
            }
        }
        Ok(())
    }

    /// An assignment of the command line.
    pub(super) fn command_line_assignment(&mut self, name: &str, value: Filter) -> Parsed<Filter> {
        let lexed = crate::syntax::lex(name);
        let is_name = matches!(&lexed.tokens[..], [token] if token.identifier().is_some()) && lexed.errors.is_empty();
        if !is_name {
            let message = format!("`{name}` cannot be assigned by the command line: it is no name");
            return Err(Box::new(Diagnostic::new(Code::UnknownName, Span::default(), message)));
        }
        self.assigned(
            &name.into(),
            AssignOp::Set,
            Life::Plain,
            value,
            Span::default(),
            Span::default(),
        )
    }

    /// `persistent [quiet] x = F`, `persistent dictionary D`, `atomic x = F`
    pub(super) fn persistent_or_atomic(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        self.bump();
        let mut life = Life::Atomic;
        if keyword == Keyword::Persistent {
            if self.at_keyword(Keyword::Dictionary) {
                return self.dictionary_declaration(true, span);
            }
            life = Life::Persistent {
                quiet: self.eat_keyword(Keyword::Quiet),
            };
        }
        let excluded = match self.keyword() {
            Some(Keyword::Persistent | Keyword::Atomic) => Some("`atomic` and `persistent` exclude each other"),
            Some(Keyword::Piece) => Some("piece variables are neither atomic nor persistent"),
            _ => None,
        };
        if let Some(message) = excluded {
            return Err(Box::new(Diagnostic::new(Code::BadParameter, self.here(), message)));
        }
        let name = self.name(&format!("after `{}`", keyword.text()))?;
        let name_span = self.here();
        let operator = self.peek_ahead(1).and_then(|token| match token.kind {
            TokenKind::Symbol(symbol) => assignment(symbol),
            _ => None,
        });
        match operator {
            Some(operator) => {
                let filter = self.assignment(&name, operator, life, name_span)?;
                Ok(Filter {
                    span: self.since(span),
                    ..filter
                })
            }
            None => {
                self.bump();
                Err(self.expected("an assignment"))
            }
        }
    }

    /// The name here; it is not eaten.
    pub(super) fn name(&self, place: &str) -> Parsed<Rc<str>> {
        if let Some(name) = self.peek().and_then(|token| token.identifier()) {
            return Ok(Rc::clone(name));
        }
        let message = format!("expected a name {place}, found {}", self.found());
        let mut diagnostic = Diagnostic::new(Code::ExpectedToken, self.here(), message);
        diagnostic.help = match self.peek().map(|token| &token.kind) {
            Some(TokenKind::Designator(_)) => {
                Some("piece letters, squares and their combinations cannot be names".into())
            }
            Some(TokenKind::Keyword(_)) => Some("reserved words cannot be names".into()),
            _ => None,
        };
        Err(Box::new(diagnostic))
    }

    /// `square [all] x in S F`
    pub(super) fn square_loop(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let all = self.eat_keyword(Keyword::All);
        let name = self.name("after `square`")?;
        let name_span = self.here();
        self.bump();
        self.expect_keyword(Keyword::In)?;
        self.set_loop(&name, name_span, VariableKind::Set, all, span)
    }

    /// `piece [all] x in S F`, `piece x = S`
    pub(super) fn piece(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let all = self.eat_keyword(Keyword::All);
        let name = self.name("after `piece`")?;
        let name_span = self.here();
        self.bump();
        if !all && self.eat(Symbol::Assign) {
            return self.assign_piece(&name, name_span, span);
        }
        if !self.eat_keyword(Keyword::In) {
            return Err(self.expected("`in` or `=`"));
        }
        self.set_loop(&name, name_span, VariableKind::Piece, all, span)
    }

    fn assign_piece(&mut self, name: &Rc<str>, name_span: Span, span: Span) -> Parsed<Filter> {
        let id = self.declare(name, VariableKind::Piece, name_span)?;
        let set = self.expression_of(Level::Sum, Kind::Set, "as the piece")?;
        Ok(Filter::new(
            Node::AssignPiece(id, Box::new(set)),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// What follows a piece declaration: `[Aa]x = S`, `[Aa]x [element] S F`, or the variable itself.
    pub(super) fn declared_piece(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let name = self.name("after the piece symbol")?;
        let name_span = self.here();
        if self.peek_ahead(1).is_some_and(|token| token.is(Symbol::Assign)) {
            self.position += 2;
            return self.assign_piece(&name, name_span, span);
        }
        if self.peek_ahead(1).is_some_and(|token| token.is(Symbol::Element)) {
            self.position -= 1;
            return self.element_loop(false, span);
        }
        let message = format!("the piece symbol glued to `{name}` begins a loop or an assignment");
        let diagnostic = Diagnostic::new(Code::ExpectedToken, name_span, message);
        Err(Box::new(diagnostic.help(
            "put a blank between the piece symbol and the name of a variable",
        )))
    }

    /// The loop behind `[forall]`.
    pub(super) fn forall(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let pieces = usize::from(
            self.peek()
                .is_some_and(|token| token.kind == TokenKind::PieceDeclaration),
        );
        let is_name = self
            .peek_ahead(pieces)
            .is_some_and(|token| token.identifier().is_some());
        if !is_name
            || !self
                .peek_ahead(pieces + 1)
                .is_some_and(|token| token.is(Symbol::Element))
        {
            let message = "`[forall]` begins a loop over a name: `[forall] x [element] S F`";
            let diagnostic = Diagnostic::new(Code::ExpectedToken, self.here(), message);
            return Err(Box::new(
                diagnostic.help("`square all x in S F` and `piece all x in S F` say the same"),
            ));
        }
        self.element_loop(true, span)
    }

    /// `x [element] S F`, `[Aa]x [element] S F`, `x [element] D F`
    fn element_loop(&mut self, all: bool, span: Span) -> Parsed<Filter> {
        let is_piece = self
            .peek()
            .is_some_and(|token| token.kind == TokenKind::PieceDeclaration);
        self.position += usize::from(is_piece);
        let name = self.name("of a loop")?;
        let name_span = self.here();
        self.position += 2;
        let dictionary = self.peek().and_then(|t| t.identifier()).and_then(|n| self.scope.get(n));
        if let Some(Name::Dictionary(id)) = dictionary
            && !is_piece
            && !all
            && !self.peek_ahead(1).is_some_and(|token| token.is(Symbol::LeftBracket))
        {
            return self.dictionary_loop(&name, name_span, id, span);
        }
        if is_piece {
            return self.set_loop(&name, name_span, VariableKind::Piece, all, span);
        }
        // Other than with a keyword, the variable is not known in its own domain.
        let domain = self.expression_of(Level::Dash, Kind::Set, "as the squares of a loop")?;
        let variable = self.declare(&name, VariableKind::Set, name_span)?;
        self.loop_body(variable, VariableKind::Set, all, domain, span)
    }

    fn set_loop(
        &mut self,
        name: &Rc<str>,
        name_span: Span,
        kind: VariableKind,
        all: bool,
        span: Span,
    ) -> Parsed<Filter> {
        let variable = self.declare(name, kind, name_span)?;
        let domain = self.expression_of(Level::Dash, Kind::Set, "as the squares of a loop")?;
        self.loop_body(variable, kind, all, domain, span)
    }

    fn loop_body(
        &mut self,
        variable: VariableId,
        kind: VariableKind,
        all: bool,
        domain: Filter,
        span: Span,
    ) -> Parsed<Filter> {
        self.reject_operator(Kind::Set)?;
        let domain = Box::new(domain);
        let body = Box::new(self.expression(Level::Or)?);
        let node = if kind == VariableKind::Piece {
            Node::PieceLoop {
                variable,
                all,
                in_doubt: Vec::new(),
                domain,
                body,
            }
        } else {
            Node::SquareLoop {
                variable,
                all,
                in_doubt: Vec::new(),
                domain,
                body,
            }
        };
        let kind = if all { Kind::Logical } else { Kind::Set };
        Ok(Filter::new(node, kind, self.since(span)))
    }

    /// `unbind x`, `unbind D`, `unbind D[key]`
    pub(super) fn unbind(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let name = self.name("after `unbind`")?;
        let name_span = self.here();
        match self.scope.get(&name) {
            Some(Name::Variable(id)) => {
                self.bump();
                Ok(Filter::new(Node::Unbind(id), Kind::Logical, self.since(span)))
            }
            Some(Name::Dictionary(id)) => self.dictionary_unbind(id, span),
            Some(Name::Function(_)) => Err(self.taken(&name, "a function, which cannot be unbound", name_span)),
            None => Err(self.unknown(&name, name_span)),
        }
    }

    /// `isbound x`, `isunbound "x"`; the name may be unknown, or assigned further on in the text for the first time.
    pub(super) fn is_bound(&mut self, bound: bool, span: Span) -> Parsed<Filter> {
        self.bump();
        let name = match self.peek().map(|token| &token.kind) {
            Some(TokenKind::Identifier(name)) => Rc::clone(name),
            Some(TokenKind::String(name)) if !name.is_empty() => Rc::clone(name),
            _ => return Err(self.expected("the name of a variable")),
        };
        self.bump();
        let variable = match self.scope.get(&name) {
            Some(Name::Variable(id)) => Some(id),
            Some(Name::Dictionary(_) | Name::Function(_)) => None,
            None => Some(self.scope.await_name(&name)),
        };
        Ok(Filter::new(
            Node::IsBound(bound, variable),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// Gives `isbound` the variables that were assigned behind it for the first time.
    pub(super) fn find_awaited(&self, filter: &mut Filter) {
        if let Node::IsBound(_, variable) = &mut filter.node {
            *variable = variable.and_then(|id| self.scope.found(id));
        }
        filter.for_each_child_mut(&mut |child| self.find_awaited(child));
    }

    /// A position variable with this name, new or old, for `echo`.
    pub(super) fn new_position_variable(&mut self) -> Parsed<VariableId> {
        let name = self.name("of a position variable")?;
        let span = self.here();
        self.bump();
        if let Some(Name::Variable(id)) = self.scope.get(&name)
            && kind_of(self.scope.variable(id).kind) != Kind::Position
        {
            let message = format!(
                "`{name}` is {}, not a position variable",
                a_variable(self.scope.variable(id).kind)
            );
            return Err(Box::new(Diagnostic::new(Code::VariableKind, span, message)));
        }
        self.declare(&name, VariableKind::Position, span)
    }
}

/// What a punctuator behind a name does with the variable.
fn assignment(symbol: Symbol) -> Option<AssignOp> {
    Some(match symbol {
        Symbol::Assign => AssignOp::Set,
        Symbol::AssignIfAny => AssignOp::SetIfAny,
        Symbol::PlusAssign => AssignOp::Arithmetic(Arithmetic::Add),
        Symbol::MinusAssign => AssignOp::Arithmetic(Arithmetic::Subtract),
        Symbol::StarAssign => AssignOp::Arithmetic(Arithmetic::Multiply),
        Symbol::SlashAssign => AssignOp::Arithmetic(Arithmetic::Divide),
        Symbol::PercentAssign => AssignOp::Arithmetic(Arithmetic::Remainder),
        Symbol::BarAssign => AssignOp::Union,
        Symbol::AmpersandAssign => AssignOp::Intersection,
        _ => return None,
    })
}

/// The number that a value of the command line is: digits, perhaps behind a minus sign. Large ones wrap around, as all
/// numbers do.
pub(super) fn decimal(value: &str) -> Option<i32> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.bytes().fold(0i32, |size, digit| {
        size.wrapping_mul(10).wrapping_add(i32::from(digit - b'0'))
    });
    Some(if digits.len() < value.len() {
        size.wrapping_neg()
    } else {
        size
    })
}
