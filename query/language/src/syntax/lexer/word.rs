//! Words: castling, reserved words, names, and the file names behind `input` and `output`.

use super::{Lexer, word_length};
use crate::syntax::keyword::Keyword;
use crate::syntax::token::TokenKind;

impl Lexer<'_> {
    /// `o-o` and `o-o-o`, where they do not run into a word.
    pub(super) fn castling(&self) -> Option<(TokenKind, usize)> {
        let rest = self.rest();
        let runs_on = |length: usize, hyphen: bool| {
            rest[length..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$' || hyphen && c == '-')
        };
        if rest.starts_with("o-o-o") && !runs_on(5, false) {
            Some((TokenKind::Keyword(Keyword::CastleQueen), 5))
        } else if rest.starts_with("o-o") && !runs_on(3, true) {
            Some((TokenKind::Keyword(Keyword::CastleKing), 3))
        } else {
            None
        }
    }

    /// `input` or `output` with the file name behind it.
    pub(super) fn file_name(&self) -> Option<(TokenKind, usize)> {
        let rest = self.rest();
        let word = &rest[..word_length(rest)];
        if word != "input" && word != "output" {
            return None;
        }
        let name = rest[word.len()..].trim_start_matches([' ', '\t', '\r', '\n', '\u{b}', '\u{c}']);
        let start = rest.len() - name.len();
        if name.is_empty() || start == word.len() {
            return None;
        }
        let (file, length) = match name.strip_prefix('"') {
            Some(quoted) => {
                let end = quoted.find(['"', '\n']).filter(|&end| quoted[end..].starts_with('"'))?;
                (&quoted[..end], end + 2)
            }
            None => {
                let end = name
                    .find(|c: char| c.is_ascii_whitespace() || c == ')')
                    .unwrap_or(name.len());
                (&name[..end], end)
            }
        };
        if file.is_empty() {
            return None;
        }
        let kind = if word == "input" {
            TokenKind::InputFile(file.into())
        } else {
            TokenKind::OutputFile(file.into())
        };
        Some((kind, start + length))
    }

    /// A reserved word or a name.
    pub(super) fn word(&self) -> Option<(TokenKind, usize)> {
        let rest = self.rest();
        let length = word_length(rest);
        let word = &rest[..length];
        match Keyword::from_text(word) {
            _ if word.is_empty() => None,
            Some(keyword) => Some((TokenKind::Keyword(keyword), length)),
            None => Some((TokenKind::Identifier(word.into()), length)),
        }
    }
}
