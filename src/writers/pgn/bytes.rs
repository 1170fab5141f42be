//! The bytes of texts.
//!
//! CQL 6.2 has no notion of encodings: it copies bytes. Two things happen to those that are not ASCII
//! (docs/language/output.md#bytes): in a comment that the query adds to, each becomes a question mark, and wherever a
//! text is written, two bytes of which the first is C3, a letter of Western Europe in UTF-8, become the one byte that
//! the letter is in Latin-1.

use std::borrow::Cow;

use chess::TextEncoding;
use encoding_rs::WINDOWS_1252;

/// How the texts of games are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// The bytes that CQL 6.2 writes: those of the PGN, mixed with Latin-1 and question marks.
    Cql,
    /// UTF-8 throughout.
    #[default]
    Utf8,
}

/// Turns the texts of one game into bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encoder {
    /// The encoding of the output.
    pub(super) encoding: Encoding,
    /// The encoding of the PGN that the game came from.
    pub(super) source: TextEncoding,
}

impl Encoder {
    fn is_decoded(self) -> bool {
        self.encoding == Encoding::Cql && self.source == TextEncoding::Windows1252
    }

    /// A text of the game as it was in the PGN, or as UTF-8.
    pub(super) fn bytes(self, text: &str) -> Cow<'_, [u8]> {
        if self.is_decoded() {
            WINDOWS_1252.encode(text).0
        } else {
            Cow::Borrowed(text.as_bytes())
        }
    }

    /// A text that the query made, possibly from texts of the game.
    pub(super) fn added(self, text: &[u8]) -> Vec<u8> {
        match str::from_utf8(text) {
            Ok(text) => self.bytes(text).into_owned(),
            Err(_) if self.encoding == Encoding::Utf8 => String::from_utf8_lossy(text).into_owned().into_bytes(),
            Err(_) => text.to_vec(),
        }
    }

    /// Replaces what a comment that the query added to may not have: braces, and in CQL's encoding all that is not ASCII.
    pub(super) fn plain(self, comment: &mut [u8]) {
        for byte in comment {
            match byte {
                b'{' | b'}' => *byte = b'_',
                127.. if self.encoding == Encoding::Cql => *byte = b'?',
                _ => {}
            }
        }
    }

    /// The bytes as they are written.
    pub(super) fn written(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        if self.encoding == Encoding::Utf8 || memchr::memchr(0xc3, bytes).is_none() {
            return Cow::Borrowed(bytes);
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            match (byte, bytes.get(at + 1)) {
                (0xc3, Some(&next @ 0x80..=0xbf)) => {
                    out.push(next + 0x40);
                    at += 2;
                }
                _ => {
                    out.push(byte);
                    at += 1;
                }
            }
        }
        Cow::Owned(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn western_letters_become_one_byte() {
        let encoder = |encoding, source| Encoder { encoding, source };
        let text = "\u{e9} \u{bd} \u{20ac}";
        let cql = encoder(Encoding::Cql, TextEncoding::Utf8);
        assert_eq!(*cql.written(&cql.bytes(text)), *b"\xe9 \xc2\xbd \xe2\x82\xac");
        let latin = encoder(Encoding::Cql, TextEncoding::Windows1252);
        assert_eq!(*latin.written(&latin.bytes(text)), *b"\xe9 \xbd \x80");
        for source in [TextEncoding::Utf8, TextEncoding::Windows1252] {
            let utf8 = encoder(Encoding::Utf8, source);
            assert_eq!(*utf8.written(&utf8.bytes(text)), *text.as_bytes());
        }
    }

    #[test]
    fn changed_comments_lose_braces_and_what_is_not_ascii() {
        for (encoding, wanted) in [(Encoding::Cql, "_??_"), (Encoding::Utf8, "_\u{e9}_")] {
            let source = TextEncoding::Utf8;
            let mut comment = "{\u{e9}}".to_owned().into_bytes();
            Encoder { encoding, source }.plain(&mut comment);
            assert_eq!(comment, wanted.as_bytes());
        }
    }
}
