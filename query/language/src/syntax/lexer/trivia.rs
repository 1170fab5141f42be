//! White space and comments (docs/language/syntax.md#white-space-and-comments).

use super::Lexer;
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::token::TokenKind;

/// Whether the text starts with a comment; three slashes alone are a filter.
pub(super) fn starts_comment(text: &str) -> bool {
    text.starts_with(';')
        || text.starts_with("/*")
        || text.starts_with("//") && (!text.starts_with("///") || text.starts_with("////"))
}

impl Lexer<'_> {
    /// Skips to the next token, closing a `///` comment at the end of its line.
    pub(super) fn skip_trivia(&mut self) {
        // Whether only white space has been seen since the last end of a line.
        let mut line_is_blank = false;
        loop {
            let rest = self.rest();
            match rest.as_bytes().first() {
                Some(b'\n') => {
                    self.end_line_comment();
                    self.blank_line |= line_is_blank;
                    line_is_blank = true;
                    self.position += 1;
                }
                Some(b' ' | b'\t' | b'\r' | 0x0b | 0x0c) => self.position += 1,
                _ if rest.starts_with("/*") => {
                    line_is_blank = false;
                    self.skip_block_comment();
                }
                _ if starts_comment(rest) => {
                    line_is_blank = false;
                    self.position += rest.find('\n').unwrap_or(rest.len());
                }
                None => {
                    self.end_line_comment();
                    return;
                }
                Some(_) => return,
            }
        }
    }

    fn end_line_comment(&mut self) {
        if std::mem::take(&mut self.line_comment) {
            let blank_line = std::mem::take(&mut self.blank_line);
            self.push(TokenKind::LineCommentEnd, self.position);
            self.blank_line = blank_line;
        }
    }

    fn skip_block_comment(&mut self) {
        let start = self.position;
        match self.rest()[2..].find("*/") {
            Some(length) => self.position += length + 4,
            None => {
                self.position = self.text.len();
                let span = Span::new(start, start + 2);
                self.lexed.errors.push(
                    Diagnostic::new(Code::UnterminatedComment, span, "a comment is not closed")
                        .label("opened here")
                        .help("close it with `*/`"),
                );
            }
        }
    }
}
