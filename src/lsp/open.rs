//! The texts that are open in the editor.

use std::ops::Range;

use cqldex::editor::{Document, Encoding, LineColumn, Lines};
use cqldex::{Checked, Dialect, QueryOptions, check};
use lsp_types::{Position, TextDocumentContentChangeEvent, Uri};

/// A text, read and checked.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) document: Document,
    /// Errors and warnings, and the query if there is no error.
    pub(super) checked: Checked,
    lines: Lines,
}

impl Open {
    pub(super) fn new(uri: Uri, version: i32, text: String, encoding: Encoding, strict: bool) -> Open {
        let options = QueryOptions {
            strict,
            ..QueryOptions::default()
        };
        Open {
            uri,
            version,
            checked: check(&text, &options),
            lines: Lines::new(&text, encoding),
            document: Document::new(text, Dialect::Auto),
        }
    }

    pub(super) fn text(&self) -> &str {
        self.document.text()
    }

    /// The byte at a place.
    pub(super) fn byte(&self, place: Position) -> usize {
        byte(self.text(), &self.lines, place)
    }

    /// The place of a byte.
    pub(super) fn place(&self, byte: usize) -> Position {
        let LineColumn { line, column } = self.lines.place(self.text(), byte);
        Position::new(line, column)
    }

    /// The places of some bytes.
    pub(super) fn range(&self, bytes: Range<usize>) -> lsp_types::Range {
        lsp_types::Range::new(self.place(bytes.start), self.place(bytes.end.max(bytes.start)))
    }

    /// The text without folders.
    pub(super) fn name(&self) -> &str {
        let uri = self.uri.as_str();
        uri.rsplit('/').next().unwrap_or(uri)
    }
}

fn byte(text: &str, lines: &Lines, place: Position) -> usize {
    let place = LineColumn {
        line: place.line,
        column: place.character,
    };
    lines.byte(text, place)
}

/// A text after changes, one after the other.
pub(super) fn changed(mut text: String, changes: Vec<TextDocumentContentChangeEvent>, encoding: Encoding) -> String {
    for change in changes {
        match change.range {
            None => text = change.text,
            Some(range) => {
                let lines = Lines::new(&text, encoding);
                let (start, end) = (byte(&text, &lines, range.start), byte(&text, &lines, range.end));
                text.replace_range(start..end.max(start), &change.text);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(start: (u32, u32), end: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
        TextDocumentContentChangeEvent {
            range: Some(lsp_types::Range::new(
                Position::new(start.0, start.1),
                Position::new(end.0, end.1),
            )),
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn changes_follow_each_other() {
        let changes = vec![
            change((0, 0), (0, 2), "\u{2658}x"),
            change((0, 2), (0, 2), "y"),
            change((9, 9), (0, 0), "z"),
        ];
        assert_eq!(
            changed("ab\ncd".to_owned(), changes, Encoding::Utf16),
            "\u{2658}xy\ncdz"
        );
    }
}
