//! Numbers, results, repetitions, strings and what a backslash starts.

use chess::Outcome;

use super::{Lexer, is_word};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::token::TokenKind;

/// The upper bound of `{n,}`, and the largest bound of any repetition.
const MAX_REPETITION: u32 = 100_000;

impl Lexer<'_> {
    /// A result, if it is the whole run of word characters, hyphens and slashes.
    pub(super) fn outcome(&self) -> Option<(TokenKind, usize)> {
        let bytes = self.rest().as_bytes();
        if !matches!(bytes.first(), Some(b'0' | b'1')) {
            return None;
        }
        let in_run = |byte: u8| is_word(byte) || byte == b'-' || byte == b'/';
        let length = bytes
            .iter()
            .take(8)
            .position(|&byte| !in_run(byte))
            .unwrap_or(bytes.len().min(8));
        let outcome = match &bytes[..length] {
            b"1-0" => Outcome::White,
            b"0-1" => Outcome::Black,
            b"1/2-1/2" => Outcome::Draw,
            _ => return None,
        };
        Some((TokenKind::Outcome(outcome), length))
    }

    /// Decimal digits; the value wraps.
    pub(super) fn number(&self) -> Option<(TokenKind, usize)> {
        let (value, length) = decimal(self.rest())?;
        #[expect(clippy::cast_possible_wrap, reason = "wraps (docs/language/syntax.md#numbers)")]
        Some((TokenKind::Number(value as i32), length))
    }

    /// `{n}`, `{n,}`, `{,m}`, `{n,m}` without blanks.
    pub(super) fn repetition(&self) -> Result<Option<(TokenKind, usize)>, Diagnostic> {
        let rest = self.rest();
        let Some(inner) = rest.strip_prefix('{') else {
            return Ok(None);
        };
        let (first, first_length) = decimal(inner).map_or((None, 0), |(value, length)| (Some(value), length));
        let mut length = 1 + first_length;
        let comma = rest[length..].starts_with(',');
        let mut second = None;
        if comma {
            length += 1;
            if let Some((value, digits)) = decimal(&rest[length..]) {
                second = Some(value);
                length += digits;
            }
        }
        if !rest[length..].starts_with('}') || first.is_none() && !comma {
            return Ok(None);
        }
        length += 1;
        let error = |message: &str| {
            let span = Span::new(self.position, self.position + length);
            Err(Diagnostic::new(Code::BadRepetition, span, message))
        };
        if first.is_none() && second.is_none() {
            return error("a repetition needs a bound").map_err(|e| e.help("write `*` for any number"));
        }
        let min = first.unwrap_or(0);
        let max = if comma { second.unwrap_or(MAX_REPETITION) } else { min };
        if min > MAX_REPETITION || max > MAX_REPETITION {
            return error("a repetition of more than 100000");
        }
        if max < min {
            return error("the bounds of a repetition descend");
        }
        Ok(Some((TokenKind::Repetition { min, max }, length)))
    }

    /// `"text"`; there are no escapes.
    pub(super) fn string(&self) -> Result<Option<(TokenKind, usize)>, Diagnostic> {
        let Some(inner) = self.rest().strip_prefix('"') else {
            return Ok(None);
        };
        match inner.find(['"', '\n']) {
            Some(end) if inner[end..].starts_with('"') => Ok(Some((TokenKind::String(inner[..end].into()), end + 2))),
            end => {
                let span = Span::new(self.position, self.position + 1 + end.unwrap_or(inner.len()));
                Err(
                    Diagnostic::new(Code::UnterminatedString, span, "a string is not closed on its line")
                        .help("close it with `\"`; a line break inside a text is written `\"a\" + \\n + \"b\"`"),
                )
            }
        }
    }

    /// `\n` and its like, `\1`, `\-1`.
    pub(super) fn backslash(&self) -> Result<Option<(TokenKind, usize)>, Diagnostic> {
        let Some(inner) = self.rest().strip_prefix('\\') else {
            return Ok(None);
        };
        let bytes = inner.as_bytes();
        let text = |text: &str| Ok(Some((TokenKind::String(text.into()), 2)));
        let is_alone = !bytes.get(1).is_some_and(|&byte| is_word(byte));
        match bytes.first() {
            Some(b'"') => return text("\""),
            Some(b'\\') => return text("\\"),
            Some(b'n') if is_alone => return text("\n"),
            Some(b'r') if is_alone => return text("\r"),
            Some(b't') if is_alone => return text("\t"),
            _ => {}
        }
        let minus = usize::from(bytes.first() == Some(&b'-'));
        let digits = decimal(&inner[minus..]).filter(|(_, length)| *length <= 2);
        let Some((group, length)) = digits else {
            let span = Span::new(self.position, self.position + 1);
            return Err(
                Diagnostic::new(Code::BadBackslash, span, "a backslash starts no token here").help(
                    "`\\n`, `\\r`, `\\t`, `\\\"` and `\\\\` are characters, `\\1` to `\\99` groups of the last `~~`",
                ),
            );
        };
        let kind = if minus == 1 {
            TokenKind::GroupStart(group)
        } else {
            TokenKind::Group(group)
        };
        Ok(Some((kind, 1 + minus + length)))
    }
}

/// The number that a text starts with, wrapped to 32 bits, and its length.
fn decimal(text: &str) -> Option<(u32, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    let (value, length) = digits.fold((0u32, 0), |(value, length), digit| {
        (value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')), length + 1)
    });
    (length > 0).then_some((value, length))
}
