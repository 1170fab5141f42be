//! Places in a text as lines and columns, which count what an editor counts.

/// What the columns of an editor count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    fn width(self, letter: char) -> usize {
        match self {
            Encoding::Utf8 => letter.len_utf8(),
            Encoding::Utf16 => letter.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }
}

/// A place: line and column, both from 0 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The column, in the units of an [`Encoding`].
    pub column: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// Reads a text. A line ends with a line feed, a carriage return, or both.
    pub fn new(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Lines { starts, encoding }
    }

    /// Line and column of a byte of the text; inside a character, those of the character.
    pub fn place(&self, text: &str, byte: usize) -> LineColumn {
        let byte = byte.min(text.len());
        let line = self.starts.partition_point(|&start| start <= byte).saturating_sub(1);
        let start = self.starts[line];
        let before = text[start..]
            .char_indices()
            .take_while(|(at, letter)| start + at + letter.len_utf8() <= byte);
        let column: usize = before.map(|(_, letter)| self.encoding.width(letter)).sum();
        LineColumn {
            line: number(line),
            column: number(column),
        }
    }

    /// The byte at a place; behind the end of a line, its end, and behind the text, the end of that.
    pub fn byte(&self, text: &str, place: LineColumn) -> usize {
        let Some(&start) = self.starts.get(place.line as usize) else {
            return text.len();
        };
        let end = self.starts.get(place.line as usize + 1).copied().unwrap_or(text.len());
        let line = text[start..end].trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, letter) in line.char_indices() {
            if column >= place.column as usize {
                return start + at;
            }
            column += self.encoding.width(letter);
        }
        start + line.len()
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "K\u{2659}a1\r\n\u{1F600}x\rlast\n";

    #[test]
    fn places_go_there_and_back() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let lines = Lines::new(TEXT, encoding);
            for (byte, letter) in TEXT.char_indices().chain([(TEXT.len(), ' ')]) {
                if letter == '\n' && TEXT[..byte].ends_with('\r') {
                    continue;
                }
                assert_eq!(lines.byte(TEXT, lines.place(TEXT, byte)), byte, "{encoding:?}");
            }
        }
    }

    #[test]
    fn columns_count_code_units() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        let place = lines.place(TEXT, TEXT.find('x').unwrap());
        assert_eq!(place, LineColumn { line: 1, column: 2 });
        assert_eq!(lines.place(TEXT, TEXT.len()), LineColumn { line: 3, column: 0 });
    }

    #[test]
    fn any_place_is_somewhere() {
        let lines = Lines::new(TEXT, Encoding::Utf16);
        let at = |line, column| lines.byte(TEXT, LineColumn { line, column });
        assert_eq!(at(0, 900), 6);
        assert_eq!(at(90, 0), TEXT.len());
        // Inside a character is behind it.
        assert_eq!(at(1, 1), TEXT.find('x').unwrap());
        for byte in 0..TEXT.len() + 9 {
            lines.place(TEXT, byte);
        }
    }
}
