//! The tokens of CQL 5: six delimiters, strings, and words that end at a blank or delimiter
//! (docs/language/cql5.md#text).

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    /// One of `( ) { } * + ?`.
    Sign(char),
    /// `"..."`, without the quotation marks.
    Text(&'t str),
    /// Anything else; a colon before a keyword is gone.
    Word(&'t str),
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) kind: TokenKind<'t>,
    pub(super) span: Span,
}

/// Whether the character ends a word and is a token of its own.
fn is_sign(c: char) -> bool {
    matches!(c, '(' | ')' | '{' | '}' | '*' | '+' | '?')
}

/// Cuts a text into tokens.
pub(super) fn lex(text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut position = text.len() - text.trim_start_matches('\u{feff}').len();
    while let Some(first) = text[position..].chars().next() {
        let rest = &text[position..];
        let line = rest.find('\n').unwrap_or(rest.len());
        if first.is_whitespace() {
            position += first.len_utf8();
            continue;
        }
        if first == ';' {
            position += line;
            continue;
        }
        let (kind, length) = if is_sign(first) {
            (TokenKind::Sign(first), 1)
        } else if first == '"' {
            let Some(length) = rest[1..line].find('"') else {
                let span = Span::new(position, position + line);
                let message = "a string has no closing quotation mark on its line";
                return Err(Diagnostic::new(Code::UnterminatedString, span, message));
            };
            (TokenKind::Text(&rest[1..=length]), length + 2)
        } else {
            let length = rest
                .find(|c: char| c.is_whitespace() || is_sign(c))
                .unwrap_or(rest.len());
            let word = &rest[..length];
            let keyword = word.strip_prefix(':');
            let keyword = keyword.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
            (TokenKind::Word(keyword.unwrap_or(word)), length)
        };
        let span = Span::new(position, position + length);
        tokens.push(Token { kind, span });
        position += length;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<TokenKind<'_>> {
        lex(text).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn words_end_at_blanks_and_delimiters() {
        use TokenKind::{Sign, Text, Word};
        assert_eq!(
            words("next*(a+)\nR[a1,h8] ; a comment\n\"a b\":wtm"),
            [
                Word("next"),
                Sign('*'),
                Sign('('),
                Word("a"),
                Sign('+'),
                Sign(')'),
                Word("R[a1,h8]"),
                Text("a b"),
                Word("wtm"),
            ]
        );
        assert_eq!(words("wtm;x"), [Word("wtm;x")], "a comment starts a token");
        assert_eq!(lex("\"a\nb\"").unwrap_err().code, Code::UnterminatedString);
    }
}
