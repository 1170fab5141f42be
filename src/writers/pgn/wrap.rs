//! The text of a game: movetext in lines of limited length, in a buffer of limited size.

/// Lines are broken so that none has more than this many bytes before its last blank.
const WIDTH: usize = 80;
/// What ends a game that fills its buffer.
const TRUNCATED: &[u8] = b" game truncated by CQL } * \n";
/// A game counts as truncated when at most this many bytes are left.
const SPARE: usize = 4;

/// Takes words and blanks, and breaks lines where a blank would stand.
///
/// CQL writes a game into a buffer of fixed size. A word that does not fit is left out, but shorter words after it are
/// written, so that a truncated game ends in a few odd characters. Here it is the same, so that outputs can be compared.
#[derive(Debug)]
pub(super) struct Lines {
    text: Vec<u8>,
    column: usize,
    /// The size of the buffer, one more than it may hold; `None` for no limit.
    size: Option<usize>,
}

impl Lines {
    /// Begins after the tags of a game.
    pub(super) fn new(tags: Vec<u8>, size: Option<usize>) -> Lines {
        Lines {
            text: tags,
            column: 0,
            size,
        }
    }

    /// Writes something that is not broken: on the next line if this one has no room for it. Returns whether the buffer
    /// has room for it.
    pub(super) fn word(&mut self, word: &[u8]) -> bool {
        self.wide_word(word, word.len())
    }

    /// The same for something that needs `width` columns, which may be more than its length.
    pub(super) fn wide_word(&mut self, word: &[u8], width: usize) -> bool {
        if self.column + width >= WIDTH {
            self.end_line();
        }
        self.glue(word)
    }

    /// Writes something on this line, however long it is.
    pub(super) fn glue(&mut self, word: &[u8]) -> bool {
        if self.size.is_some_and(|size| self.text.len() + word.len() >= size) {
            return false;
        }
        self.text.extend_from_slice(word);
        self.column += word.len();
        true
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
        self.glue(b"\n");
        self.column = 0;
    }

    /// All that was written, with a note if the buffer is full.
    pub(super) fn into_text(mut self) -> Vec<u8> {
        if self.size.is_some_and(|size| self.text.len() + SPARE >= size) {
            self.text.extend_from_slice(TRUNCATED);
            self.text.push(b'\n');
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: Lines) -> String {
        String::from_utf8(lines.into_text()).unwrap()
    }

    #[test]
    fn lines_break_at_the_80th_column() {
        let mut lines = Lines::new(Vec::new(), None);
        lines.word(&[b'a'; 78]);
        lines.blank();
        lines.word(b"b");
        lines.blank();
        lines.word(&[b'c'; 76]);
        lines.blank();
        // A word may end in column 79, and then no blank follows.
        lines.word(b"d");
        lines.blank();
        lines.word(b"e");
        let (a, c) = ("a".repeat(78), "c".repeat(76));
        assert_eq!(text(lines), format!("{a} \nb {c} \nd e"));
        let mut lines = Lines::new(Vec::new(), None);
        lines.word(&[b'a'; 79]);
        lines.blank();
        lines.word(b"b");
        assert_eq!(text(lines), format!("{}\nb", "a".repeat(79)));
    }

    #[test]
    fn what_does_not_fit_is_left_out_and_said() {
        let mut lines = Lines::new(b"[A]".to_vec(), Some(12));
        assert!(lines.word(b"12345"));
        assert!(!lines.word(b"1234"));
        assert!(lines.word(b"abc"));
        assert!(!lines.word(b"d"));
        assert_eq!(text(lines), "[A]12345abc game truncated by CQL } * \n\n");
        let mut lines = Lines::new(Vec::new(), Some(12));
        lines.word(b"1234567");
        assert_eq!(text(lines), "1234567");
    }
}
