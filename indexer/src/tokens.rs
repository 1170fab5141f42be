//! A tokenizer for movetext that pgn-reader would not read completely.
//!
//! pgn-reader silently drops `;` comments and unknown words, ends a game at a blank line, and ends a comment at the
//! first closing brace. This tokenizer keeps what CQL 6.2 keeps (docs/language/pgn.md#games).

use chess::Outcome;

use crate::spelling::Spelled;

/// A piece of movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    /// A move; `None` for a word that looks like a move but can't be read.
    Move(Option<Spelled>),
    /// A numeric annotation glyph, or a sign with the same meaning.
    Nag(u8),
    /// A comment, without its braces.
    Comment(&'a str),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
    Outcome(Outcome),
    /// Anything else that is not white space.
    Unknown,
    /// The beginning of a comment without an end.
    Unterminated,
}

/// Splits movetext into tokens.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str, at: usize) -> Tokens<'a> {
        Tokens { text, at }
    }

    /// The offset after the last token.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    fn bytes(&self) -> &'a [u8] {
        self.text.as_bytes()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    /// Skips white space, `;` comments, and lines that begin with `%`.
    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b';' => self.skip_line(),
                b'%' if self.at == 0 || self.bytes()[self.at - 1] == b'\n' => self.skip_line(),
                _ if byte.is_ascii_whitespace() || byte == 0 => self.at += 1,
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes()[self.at..];
        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
    }

    /// The next token and its offset. Move numbers are skipped.
    pub(crate) fn next(&mut self) -> Option<(usize, Token<'a>)> {
        loop {
            self.skip_blank();
            let start = self.at;
            let token = match self.peek()? {
                b'{' => self.comment(),
                b'(' => self.single(Token::Open),
                b')' => self.single(Token::Close),
                b'}' | b']' | b'>' => self.single(Token::Unknown),
                b'[' => self.skip_to(b']'),
                b'<' => self.skip_to(b'>'),
                b'$' => self.numbered_nag(),
                b'!' | b'?' => self.signs(),
                b'*' => self.single(Token::Outcome(Outcome::Unknown)),
                _ => match self.word() {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Some((start, token));
        }
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.at += 1;
        token
    }

    /// Skips text in brackets, which has no meaning in movetext. It ends at the end of the line at the latest.
    fn skip_to(&mut self, close: u8) -> Token<'a> {
        let rest = &self.bytes()[self.at..];
        self.at += memchr::memchr2(close, b'\n', rest).map_or(rest.len(), |end| end + 1);
        Token::Unknown
    }

    /// Reads a comment. Braces inside have to match; otherwise the comment ends at the first closing brace.
    fn comment(&mut self) -> Token<'a> {
        let body = self.at + 1;
        let rest = &self.text[body..];
        let mut depth = 1;
        let mut first_close = None;
        for at in memchr::memchr2_iter(b'{', b'}', rest.as_bytes()) {
            if rest.as_bytes()[at] == b'{' {
                depth += 1;
                continue;
            }
            depth -= 1;
            first_close = first_close.or(Some(at));
            if depth == 0 {
                self.at = body + at + 1;
                return Token::Comment(&rest[..at]);
            }
        }
        match first_close {
            Some(at) => {
                self.at = body + at + 1;
                Token::Comment(&rest[..at])
            }
            None => {
                self.at = self.text.len();
                Token::Unterminated
            }
        }
    }

    fn numbered_nag(&mut self) -> Token<'a> {
        self.at += 1;
        let digits = self.bytes()[self.at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let text = &self.text[self.at..self.at + digits];
        self.at += digits;
        // As in CQL, the number is kept modulo 256.
        let number = text
            .bytes()
            .fold(0u8, |number, digit| number.wrapping_mul(10).wrapping_add(digit - b'0'));
        if digits == 0 {
            Token::Unknown
        } else {
            Token::Nag(number)
        }
    }

    fn signs(&mut self) -> Token<'a> {
        let rest = &self.bytes()[self.at..];
        let (length, nag) = match rest {
            [b'!', b'!', ..] => (2, 3),
            [b'?', b'?', ..] => (2, 4),
            [b'!', b'?', ..] => (2, 5),
            [b'?', b'!', ..] => (2, 6),
            [b'!', ..] => (1, 1),
            _ => (1, 2),
        };
        self.at += length;
        Token::Nag(nag)
    }

    /// Reads a word. Returns `None` for a move number (a move may follow it immediately), and for decoration such as a
    /// mark of check.
    fn word(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let is_end = |c: char| c.is_ascii_whitespace() || "(){}[];$!?<>*\0".contains(c);
        let end = rest.find(is_end).unwrap_or(rest.len());
        let word = &rest[..end];
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
        let is_number = dots > 0 || (digits == word.len() && word != "0000");
        if is_number && digits + dots > 0 {
            self.at += digits + dots;
            return None;
        }
        self.at += end;
        // Decoration that is separated from its move by a blank.
        let is_decoration = matches!(
            word,
            "+" | "++" | "#" | "ep" | "e.p." | "ch" | "ch." | "mate" | "," | ":" | "-"
        );
        if is_decoration { None } else { Some(classify(word)) }
    }
}

/// Classifies a word that is not a move number.
fn classify(word: &str) -> Token<'_> {
    let plain = word.replace(
        ['\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'],
        "-",
    );
    if let Some(outcome) = read_outcome(&plain) {
        return Token::Outcome(outcome);
    }
    if let Some(nag) = read_sign(word) {
        return Token::Nag(nag);
    }
    let figures = plain.replace(|c| matches!(c, '\u{2654}'..='\u{265f}' | '\u{fe0e}' | '\u{fe0f}'), "\0");
    let letters = if figures == plain {
        plain
    } else {
        figures_to_letters(&plain)
    };
    match Spelled::from_word(&letters) {
        Some(spelled) => Token::Move(Some(spelled)),
        // A word that begins like a move and has a rank is an unreadable move. The moves after it can't be trusted.
        None if letters.starts_with(|c| "abcdefghKQRBNPO0".contains(c))
            && letters.contains(|c| "12345678".contains(c)) =>
        {
            Token::Move(None)
        }
        None => Token::Unknown,
    }
}

/// Replaces chess symbols by the letters of English notation. The symbol of a pawn is left out.
fn figures_to_letters(word: &str) -> String {
    let letter = |c| match c {
        '\u{2654}' | '\u{265a}' => Some('K'),
        '\u{2655}' | '\u{265b}' => Some('Q'),
        '\u{2656}' | '\u{265c}' => Some('R'),
        '\u{2657}' | '\u{265d}' => Some('B'),
        '\u{2658}' | '\u{265e}' => Some('N'),
        '\u{2659}' | '\u{265f}' | '\u{fe0e}' | '\u{fe0f}' => None,
        other => Some(other),
    };
    word.chars().filter_map(letter).collect()
}

fn read_outcome(word: &str) -> Option<Outcome> {
    Some(match word {
        "1-0" => Outcome::White,
        "0-1" => Outcome::Black,
        "1/2-1/2" | "1/2" | "\u{bd}-\u{bd}" => Outcome::Draw,
        _ => return None,
    })
}

/// The signs of the Chess Informant and of ChessBase, as numeric glyphs.
fn read_sign(word: &str) -> Option<u8> {
    Some(match word {
        "=" => 10,
        "~" | "\u{221e}" => 13,
        "+/=" | "+=" | "\u{2a72}" => 14,
        "=/+" | "=+" | "\u{2a71}" => 15,
        "+/-" | "\u{b1}" => 16,
        "-/+" | "\u{2213}" => 17,
        "+-" | "+--" => 18,
        "-+" | "--+" => 19,
        "N" => 146,
        "D" => 201,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingSide, File, Role, Square};

    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut tokens = Tokens::new(text, 0);
        std::iter::from_fn(|| tokens.next().map(|(_, token)| token)).collect()
    }

    fn to(square: Square) -> Token<'static> {
        Token::Move(Some(Spelled::Man {
            role: None,
            file: None,
            rank: None,
            to: square,
            promotion: None,
        }))
    }

    #[test]
    fn numbers_and_results() {
        assert_eq!(
            tokens("1.e4 1... e5\n2 . d4 1-0"),
            [
                to(Square::E4),
                to(Square::E5),
                to(Square::D4),
                Token::Outcome(Outcome::White)
            ]
        );
        assert_eq!(
            tokens("00 0-1 1/2-1/2 *"),
            [
                Token::Outcome(Outcome::Black),
                Token::Outcome(Outcome::Draw),
                Token::Outcome(Outcome::Unknown)
            ]
        );
    }

    #[test]
    fn comments_nest_if_they_match() {
        assert_eq!(tokens("{a {b} c} e4"), [Token::Comment("a {b} c"), to(Square::E4)]);
        assert_eq!(tokens("{a {b c} e4"), [Token::Comment("a {b c"), to(Square::E4)]);
        assert_eq!(tokens("e4 {a"), [to(Square::E4), Token::Unterminated]);
        assert_eq!(
            tokens("; {\n%x\ne4 % e5"),
            [to(Square::E4), Token::Unknown, to(Square::E5)]
        );
    }

    #[test]
    fn glyphs_of_all_kinds() {
        let nags = |text| {
            tokens(text)
                .into_iter()
                .map(|token| if let Token::Nag(n) = token { n } else { 255 })
                .collect::<Vec<_>>()
        };
        assert_eq!(
            nags("$300 ! ? !! ?? !? ?! = +/= =+ =/+ ~ D N +/- -+"),
            [44, 1, 2, 3, 4, 5, 6, 10, 14, 15, 15, 13, 201, 146, 16, 19]
        );
    }

    #[test]
    fn odd_spellings_of_moves() {
        let man = |role, file: Option<File>, rank, to, promotion| {
            Token::Move(Some(Spelled::Man {
                role,
                file,
                rank,
                to,
                promotion,
            }))
        };
        let square = |from: Square, to| man(None, Some(from.file()), Some(from.rank()), to, None);
        assert_eq!(
            tokens("e7-e5 a7a6 Ng1f3"),
            [
                square(Square::E7, Square::E5),
                square(Square::A7, Square::A6),
                man(
                    Some(Role::Knight),
                    Some(File::G),
                    Some(shakmaty::Rank::First),
                    Square::F3,
                    None
                )
            ]
        );
        let queen = Some(Role::Queen);
        assert_eq!(
            tokens("a8Q a8=Q+ a7a8q axb8/Q"),
            [
                man(None, None, None, Square::A8, queen),
                man(None, None, None, Square::A8, queen),
                man(None, Some(File::A), Some(shakmaty::Rank::Seventh), Square::A8, queen),
                man(None, Some(File::A), None, Square::B8, queen)
            ]
        );
        let short = Token::Move(Some(Spelled::Castle(CastlingSide::KingSide)));
        let long = Token::Move(Some(Spelled::Castle(CastlingSide::QueenSide)));
        assert_eq!(
            tokens("O-O OO o-o 0-0+ O-O-O# 0\u{2013}0\u{2013}0"),
            [short, short, short, short, long, long]
        );
        assert_eq!(tokens("-- Z0 null"), [Token::Move(Some(Spelled::Null)); 3]);
        let capture = Spelled::PawnCapture {
            from: File::D,
            to: File::C,
            promotion: None,
        };
        assert_eq!(
            tokens("dc \u{2658}f3 exd5ep"),
            [
                Token::Move(Some(capture)),
                man(Some(Role::Knight), None, None, Square::F3, None),
                man(None, Some(File::E), None, Square::D5, None)
            ]
        );
        assert_eq!(
            tokens("Nf33 better ep who e9"),
            [Token::Move(None), Token::Unknown, Token::Unknown, Token::Unknown]
        );
    }

    proptest! {
        #[test]
        fn any_text_comes_to_an_end(text in "[a-h1-8 {}()$!?;%\\n.=+x\\-O\\[\\]<>\u{2658}]{0,60}|.{0,60}") {
            let mut tokens = Tokens::new(&text, 0);
            let mut last = None;
            while let Some((at, _)) = tokens.next() {
                prop_assert!(last < Some(at) && text.is_char_boundary(at) && tokens.at() > at);
                last = Some(at);
            }
        }
    }
}
