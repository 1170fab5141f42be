//! Changes of the text that put right what stands where the parser stopped.

use super::{Parser, TokenKind};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::hir::Kind;
use crate::span::Span;
use crate::syntax::{self, Keyword, Symbol, Token};

impl Parser<'_> {
    /// Puts right an operator that cannot follow a filter of this kind.
    pub(super) fn operator_fix(&self, left: Kind) -> Option<Fix> {
        let token = self.peek()?;
        let replace = |span: Span, text: &str| Fix::replace(format!("write `{text}`"), span, text);
        let after = self.peek_ahead(1);
        let touches = |symbol: Symbol| after.is_some_and(|next| next.is(symbol) && next.span.start == token.span.end);
        let with_next = after.map_or(token.span, |next| token.span.to(next.span));
        Some(match (&token.kind, left) {
            (TokenKind::Symbol(Symbol::Assign), _) if touches(Symbol::Greater) => replace(with_next, ">="),
            (TokenKind::Symbol(Symbol::Assign), _) if touches(Symbol::Less) => replace(with_next, "<="),
            (TokenKind::Symbol(Symbol::Assign), Kind::String) if touches(Symbol::Tilde) => replace(with_next, "~~"),
            (TokenKind::Symbol(Symbol::Assign), Kind::Numeric | Kind::Set | Kind::String | Kind::Position) => {
                replace(token.span, "==")
            }
            (TokenKind::Symbol(Symbol::Ampersand), Kind::Logical) => match touches(Symbol::Ampersand) {
                true => replace(with_next, "and"),
                false => replace(token.span, "and"),
            },
            (TokenKind::Symbol(Symbol::Bar), Kind::Logical) => match touches(Symbol::Bar) {
                true => replace(with_next, "or"),
                false => replace(token.span, "or"),
            },
            (TokenKind::Symbol(Symbol::Colon), Kind::Logical) => Fix::replace("remove `:`", token.span, ""),
            (TokenKind::Symbol(Symbol::Colon), Kind::Set) if after.is_some_and(is_designator_token) => {
                replace(token.span, "&")
            }
            (TokenKind::Symbol(Symbol::Comma), _) => self.comma_fix()?,
            (TokenKind::Keyword(Keyword::Attacked), Kind::Set) => replace(token.span, "attackedby"),
            _ => return None,
        })
    }

    /// Puts right what stands where a filter was expected.
    pub(super) fn filter_fix(&self) -> Option<Fix> {
        let token = self.peek()?;
        let before = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let joined = before.filter(|before| before.span.end == token.span.start);
        let after = |symbol: Symbol| {
            joined
                .filter(|before| before.is(symbol))
                .map(|before| before.span.to(token.span))
        };
        let replace = |span: Span, text: &str| Some(Fix::replace(format!("write `{text}`"), span, text));
        match &token.kind {
            TokenKind::Symbol(Symbol::Comma) => self.comma_fix(),
            TokenKind::Symbol(Symbol::Ampersand) => replace(after(Symbol::Ampersand)?, "and"),
            TokenKind::Symbol(Symbol::Bar) => replace(after(Symbol::Bar)?, "or"),
            TokenKind::Symbol(Symbol::Greater) => replace(after(Symbol::Less)?, "!="),
            TokenKind::Symbol(Symbol::Assign) => replace(after(Symbol::EqualEqual)?, "=="),
            TokenKind::Symbol(Symbol::Plus) => replace(after(Symbol::Assign)?, "+="),
            TokenKind::Symbol(Symbol::LeftBracket) => self.blanks_fix(token),
            TokenKind::Repetition { .. } => {
                let inner = self.text.get(token.span.range())?.trim_matches(['{', '}']);
                replace(token.span, &format!("{{ {inner} }}"))
            }
            TokenKind::Keyword(keyword @ (Keyword::Attacks | Keyword::Attackedby)) => {
                let (first, second) = (self.peek_ahead(1)?, self.peek_ahead(2)?);
                let is_pair = is_designator_token(first) && is_designator_token(second);
                let set = self.text.get(first.span.range())?;
                let text = format!("{set} {}", keyword.text());
                is_pair.then(|| Fix::replace(format!("write `{text}`"), token.span.to(first.span), text))
            }
            _ => None,
        }
    }

    /// Takes a comma out.
    pub(super) fn comma_fix(&self) -> Option<Fix> {
        let token = self.peek().filter(|token| token.is(Symbol::Comma))?;
        let is_apart = self
            .text
            .get(token.span.end as usize..)?
            .starts_with(|c: char| c.is_whitespace());
        Some(Fix::replace(
            "remove the comma",
            token.span,
            if is_apart { "" } else { " " },
        ))
    }

    /// Takes out of what begins here the blanks and commas without which it would be a designator.
    pub(super) fn blanks_fix(&self, first: &Token) -> Option<Fix> {
        let start = first.span.start as usize;
        let rest = self.text.get(start..)?;
        let end = rest.find(']')? + 1;
        let behind = rest[end..]
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '-')
            .unwrap_or(rest.len() - end);
        let length = end + behind;
        let squeezed: String = rest[..length].chars().filter(|c| !c.is_whitespace()).collect();
        // Letters have no commas between them, squares have.
        let letters: String = squeezed.chars().filter(|c| *c != ',').collect();
        let is_one = |text: &String| {
            let lexed = syntax::lex(text);
            matches!(&lexed.tokens[..], [token] if is_designator_token(token)) && lexed.errors.is_empty()
        };
        let found = [squeezed, letters].into_iter().find(is_one)?;
        Some(Fix::replace(
            format!("write `{found}`"),
            Span::new(start, start + length),
            found,
        ))
    }

    /// Writes braces for the parentheses that open here, or that opened at an earlier token.
    pub(super) fn braces_fix(&self, opened: usize) -> Option<Fix> {
        let open = self.tokens.get(opened).filter(|token| token.is(Symbol::LeftParen))?;
        let mut depth = 0usize;
        let close = self.tokens.get(opened..)?.iter().find(|token| {
            depth += usize::from(token.is(Symbol::LeftParen));
            depth -= usize::from(token.is(Symbol::RightParen));
            depth == 0
        })?;
        let edit = |span: Span, replacement: &str| Edit {
            span,
            replacement: replacement.to_owned(),
        };
        Some(Fix {
            title: "write braces".to_owned(),
            edits: vec![edit(open.span, "{"), edit(close.span, "}")],
        })
    }
}

impl Diagnostic {
    /// Adds a change of the text, if there is one.
    #[must_use]
    pub(super) fn maybe_fix(mut self, fix: Option<Fix>) -> Diagnostic {
        self.fixes.extend(fix);
        self
    }
}

fn is_designator_token(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Designator(_))
}
