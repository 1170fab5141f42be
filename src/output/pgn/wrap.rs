//! Movetext in lines of limited length.

/// Lines are broken so that none has more than this many bytes before its last blank.
const WIDTH: usize = 80;

/// Takes words and blanks, and breaks lines where a blank would stand.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: Vec<u8>,
    column: usize,
}

impl Lines {
    /// Writes something that is not broken: on the next line if this one has no room for it.
    pub(super) fn word(&mut self, word: &[u8]) {
        self.wide_word(word, word.len());
    }

    /// The same for something that asks for more room than it takes.
    pub(super) fn wide_word(&mut self, word: &[u8], width: usize) {
        if self.column + width >= WIDTH {
            self.end_line();
        }
        self.glue(word);
    }

    /// Writes something on this line, however long it is.
    pub(super) fn glue(&mut self, word: &[u8]) {
        self.text.extend_from_slice(word);
        self.column += word.len();
    }

    /// Writes a blank, or ends the line where it would be the last of it.
    pub(super) fn blank(&mut self) {
        if self.column + 1 >= WIDTH {
            self.end_line();
        } else {
            self.glue(b" ");
        }
    }

    /// Ends the line.
    pub(super) fn end_line(&mut self) {
        self.text.push(b'\n');
        self.column = 0;
    }

    /// All that was written.
    pub(super) fn into_text(self) -> Vec<u8> {
        self.text
    }
}
