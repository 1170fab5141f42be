//! The lexer: ordered alternatives, not the longest match (docs/language/syntax.md#tokens).

pub(super) mod designator;
mod literal;
mod nesting;
mod repair;
mod trivia;
mod word;

use super::keyword::Keyword;
use super::symbol::{FOREIGN, Symbol, UnicodeMeaning, look_alike, unicode_meaning};
use super::token::{DashToken, Token, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::span::Span;

pub(crate) use nesting::balance;

/// The largest number of errors that are reported for a text.
const MAX_ERRORS: usize = 20;

/// What the lexer made of a text.
#[derive(Debug, Default)]
pub struct Lexed {
    /// The tokens in order.
    pub tokens: Vec<Token>,
    /// What was wrong; empty for a good text.
    pub errors: Vec<Diagnostic>,
}

/// Cuts a text into tokens.
pub fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer {
        text,
        position: 0,
        lexed: Lexed::default(),
        line_comment: false,
        blank_line: false,
    };
    while text[lexer.position..].starts_with('\u{feff}') {
        lexer.position += '\u{feff}'.len_utf8();
    }
    while lexer.lexed.errors.len() < MAX_ERRORS && lexer.next() {}
    let Lexed { tokens, errors } = &mut lexer.lexed;
    if errors.is_empty() {
        errors.extend(nesting::mark(text, tokens).map(|(error, _)| error));
    }
    lexer.lexed
}

/// The state of a run.
struct Lexer<'a> {
    text: &'a str,
    position: usize,
    lexed: Lexed,
    /// Whether the current line has a `///`.
    line_comment: bool,
    /// Whether a blank line was skipped since the last token.
    blank_line: bool,
}

impl<'a> Lexer<'a> {
    /// Reads one token; false at the end of the text.
    fn next(&mut self) -> bool {
        self.skip_trivia();
        if self.position >= self.text.len() {
            return false;
        }
        let start = self.position;
        match self.token() {
            Ok(Some((kind, length))) => {
                self.position = start + length;
                self.push(kind, start);
            }
            Ok(None) => {
                let diagnostic = self.stray(start);
                let length = self.rest().chars().next().map_or(1, char::len_utf8);
                self.position = (start + length).max(diagnostic.span.end as usize);
                self.lexed.errors.push(diagnostic);
            }
            Err(diagnostic) => {
                self.position = (diagnostic.span.end as usize).max(start + 1).min(self.text.len());
                while !self.text.is_char_boundary(self.position) {
                    self.position += 1;
                }
                self.lexed.errors.push(diagnostic);
            }
        }
        true
    }

    /// The kind and length of the token here, by the first alternative that succeeds.
    fn token(&mut self) -> Result<Option<(TokenKind, usize)>, Diagnostic> {
        if let Some(length) = self.piece_declaration()? {
            return Ok(Some((TokenKind::PieceDeclaration, length)));
        }
        if self.rest().starts_with("///") {
            return self.line_comment().map(Some);
        }
        if let Some(found) = self.outcome().or_else(|| self.number()) {
            return Ok(Some(found));
        }
        if let Some(found) = self.repetition()? {
            return Ok(Some(found));
        }
        if let Some(found) = self.castling().or_else(|| self.unicode_operator()) {
            return Ok(Some(found));
        }
        if let Some(found) = self.backslash()? {
            return Ok(Some(found));
        }
        if let Some((designator, length)) = designator::read(self.text, self.position)? {
            return Ok(Some((TokenKind::Designator(designator), length)));
        }
        if let Some(found) = self.dash().or_else(|| self.punctuator()) {
            return Ok(Some(found));
        }
        if let Some(found) = self.file_name() {
            return Ok(Some(found));
        }
        if let Some(found) = self.string()? {
            return Ok(Some(found));
        }
        Ok(self.word())
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = Span::new(start, self.position);
        let after_blank_line = std::mem::take(&mut self.blank_line);
        self.lexed.tokens.push(Token {
            kind,
            span,
            after_blank_line,
            in_path: false,
            ends_paths: 0,
        });
    }

    fn line_comment(&mut self) -> Result<(TokenKind, usize), Diagnostic> {
        if self.line_comment {
            let span = Span::new(self.position, self.position + 3);
            return Err(
                Diagnostic::new(Code::BadLineComment, span, "a line can hold only one `///` comment")
                    .help("write all parts behind the first `///`"),
            );
        }
        self.line_comment = true;
        Ok((TokenKind::LineComment, 3))
    }

    fn unicode_operator(&self) -> Option<(TokenKind, usize)> {
        let symbol = self.rest().chars().next().filter(|c| !c.is_ascii())?;
        let length = symbol.len_utf8();
        match unicode_meaning(symbol)? {
            UnicodeMeaning::Keyword(keyword) => Some((TokenKind::Keyword(keyword), length)),
            UnicodeMeaning::Symbol(operator @ (Symbol::Ampersand | Symbol::Bar))
                if self.rest()[length..].starts_with('=') =>
            {
                let assign = if operator == Symbol::Bar {
                    Symbol::BarAssign
                } else {
                    Symbol::AmpersandAssign
                };
                Some((TokenKind::Symbol(assign), length + 1))
            }
            UnicodeMeaning::Symbol(operator) => Some((TokenKind::Symbol(operator), length)),
            UnicodeMeaning::Men(_) | UnicodeMeaning::Capture | UnicodeMeaning::HalfDash => None,
        }
    }

    fn dash(&self) -> Option<(TokenKind, usize)> {
        let rest = self.rest();
        let (capture, length) = if rest.starts_with("--") && !rest.starts_with("-->") {
            (false, 2)
        } else if rest.starts_with("[x]") {
            (true, 3)
        } else if rest.starts_with("\u{2015}\u{2015}") {
            (false, 6)
        } else if rest.starts_with('\u{d7}') {
            (true, 2)
        } else {
            return None;
        };
        let (left_tied, right_tied) = (self.is_left_tied(), is_right_tied(&rest[length..]));
        Some((
            TokenKind::Dash(DashToken {
                capture,
                left_tied,
                right_tied,
            }),
            length,
        ))
    }

    /// Whether what stands immediately to the left counts as a left operand
    /// (docs/language/moves.md#the-move-operators).
    fn is_left_tied(&self) -> bool {
        let Some(previous) = self
            .lexed
            .tokens
            .last()
            .filter(|token| token.span.end as usize == self.position)
        else {
            return false;
        };
        match previous.kind {
            TokenKind::Symbol(Symbol::Element) => false,
            TokenKind::Symbol(symbol) => {
                !symbol.text().ends_with(['(', '{', ':', '+', '-', '*', '/', '>', '<'])
                    && !symbol.text().ends_with([',', '~', '=', '|', '&'])
            }
            _ => true,
        }
    }

    fn punctuator(&self) -> Option<(TokenKind, usize)> {
        let rest = self.rest();
        let symbol = Symbol::ALL.iter().find(|symbol| rest.starts_with(symbol.text()))?;
        Some((TokenKind::Symbol(*symbol), symbol.text().len()))
    }

    /// The error for a text between quotation marks of another kind.
    fn foreign_quotes(&self, start: usize, opening: char) -> Option<Diagnostic> {
        let closing: &[char] = match opening {
            '\'' | '`' => &['\'', '`'],
            '\u{201c}' | '\u{201d}' | '\u{201e}' => &['\u{201c}', '\u{201d}', '"'],
            '\u{2018}' | '\u{2019}' | '\u{201a}' => &['\u{2018}', '\u{2019}'],
            '\u{ab}' => &['\u{bb}'],
            _ => return None,
        };
        let inside = &self.rest()[opening.len_utf8()..];
        let line = &inside[..inside.find('\n').unwrap_or(inside.len())];
        let (text, behind) = line.split_once(closing)?;
        if text.contains('"') {
            return None;
        }
        let length = opening.len_utf8() + line.len() - behind.len();
        let span = Span::new(start, start + length);
        let message = "a text stands in other quotation marks than `\"`";
        let straight = format!("\"{text}\"");
        let diagnostic = Diagnostic::new(Code::InvalidCharacter, span, message).help(format!("write `{straight}`"));
        Some(diagnostic.fix(Fix::replace(format!("write `{straight}`"), span, straight)))
    }

    /// The error for a character that starts no token.
    fn stray(&self, start: usize) -> Diagnostic {
        let Some(character) = self.rest().chars().next() else {
            return Diagnostic::new(
                Code::InvalidCharacter,
                Span::new(start, start),
                "unexpected end of the text",
            );
        };
        if let Some(diagnostic) = self.foreign_quotes(start, character) {
            return diagnostic;
        }
        let span = Span::new(start, start + character.len_utf8());
        let error = |message: String| Diagnostic::new(Code::InvalidCharacter, span, message);
        if let Some((_, replacement)) = FOREIGN.iter().find(|(foreign, _)| *foreign == character) {
            return error(format!("U+{:04X} is no symbol of CQL 6", character as u32))
                .help(format!("write {replacement}"));
        }
        if let Some(latin) = look_alike(character) {
            return error(format!("U+{:04X} only looks like `{latin}`", character as u32))
                .help(format!("write the Latin `{latin}`"))
                .fix(Fix::replace(format!("write `{latin}`"), span, latin));
        }
        match unicode_meaning(character) {
            Some(UnicodeMeaning::HalfDash) => error("a single U+2015 is no token".into()).help("write two of them"),
            Some(UnicodeMeaning::Men(_)) => error("a Unicode piece runs into the text behind it".into())
                .label("followed by a letter, a digit or a bracket")
                .help("put a blank behind the piece; do not mix Unicode and ASCII pieces in one designator"),
            _ if character == '!' => error("`!` is no operator of CQL".into())
                .help("write `not`, or `!=` to compare")
                .fix(Fix::replace("write `not`", span, "not ")),
            _ if character == '\'' || character == '`' => {
                error(format!("`{character}` starts no token")).help("strings stand in double quotation marks")
            }
            _ if character.is_ascii_graphic() => error(format!("`{character}` starts no token")),
            _ => error(format!("invalid character U+{:04X}", character as u32)),
        }
    }
}

/// Whether what stands immediately to the right belongs to a dash.
fn is_right_tied(after: &str) -> bool {
    match after.chars().next() {
        None => false,
        Some('/') => !trivia::starts_comment(after),
        Some(next) => !next.is_ascii_whitespace() && !"}):*+?;\u{b}".contains(next),
    }
}

/// Whether the character can be part of a word.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// The length of the word that a text starts with; 0 if there is none.
fn word_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes.first().is_none_or(u8::is_ascii_digit) {
        return 0;
    }
    bytes.iter().position(|&byte| !is_word(byte)).unwrap_or(bytes.len())
}

impl Lexer<'_> {
    /// `[Aa]` or its symbol, glued to a name that is neither reserved nor a square.
    fn piece_declaration(&self) -> Result<Option<usize>, Diagnostic> {
        let rest = self.rest();
        let length = if rest.starts_with("[Aa]") {
            4
        } else if rest.starts_with(super::symbol::ANY_PIECE) {
            super::symbol::ANY_PIECE.len_utf8()
        } else {
            return Ok(None);
        };
        let name = &rest[length..];
        let word = word_length(name);
        if word == 0 || Keyword::from_text(&name[..word]).is_some() {
            return Ok(None);
        }
        let square = designator::squares(self.text, self.position + length)?;
        Ok(if square.is_some() { None } else { Some(length) })
    }
}

#[cfg(test)]
mod tests;
