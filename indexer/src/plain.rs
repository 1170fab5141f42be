//! Checks whether pgn-reader reads a game without losing anything.
//!
//! pgn-reader silently drops text that it does not understand, so its input is checked first: tag lines as in the
//! standard, one blank line, then movetext with only moves in SAN, numbers, comments, variations and glyphs, and one
//! result at the end. Nearly all games of a collection are like that. The others are read by our own tokenizer.

/// pgn-reader does not read longer tag lines.
const MAX_TAG: usize = 250;

/// The offset of the movetext of a plain game, or `None` if the game is not plain.
pub(crate) fn movetext_of(section: &[u8]) -> Option<usize> {
    let mut at = 0;
    while section.get(at) == Some(&b'[') {
        let length = memchr::memchr(b'\n', &section[at..])?;
        let line = &section[at..at + length];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if !is_plain_tag(line) {
            return None;
        }
        at += length + 1;
    }
    at += end_of_line(&section[at..])?;
    is_plain_movetext(&section[at..]).then_some(at)
}

/// The length of the line end at the beginning of a text, if there is one.
fn end_of_line(text: &[u8]) -> Option<usize> {
    match text {
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// `[Name "value"]` with no other quotation mark and no backslash.
fn is_plain_tag(line: &[u8]) -> bool {
    let Some(body) = line.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"\"]")) else {
        return false;
    };
    let name = body
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .count();
    let value = body[name..].strip_prefix(b" \"");
    line.len() <= MAX_TAG && name > 0 && value.is_some_and(|value| memchr::memchr3(b'"', b'\\', b'\0', value).is_none())
}

fn is_plain_movetext(text: &[u8]) -> bool {
    let mut at = 0;
    let mut depth = 0usize;
    let mut after_blank = true;
    while let Some(&byte) = text.get(at) {
        match byte {
            b' ' => at += 1,
            b'\n' | b'\r' => {
                // A blank line would end the game for pgn-reader, a percent sign would hide the line.
                let Some(length) = end_of_line(&text[at..]) else {
                    return false;
                };
                let next = text.get(at + length);
                if matches!(next, Some(b'\n' | b'\r')) {
                    return text[at..].trim_ascii().is_empty() && depth == 0 && at > 0;
                }
                if next == Some(&b'%') || after_blank && at == 0 {
                    return false;
                }
                at += length;
            }
            b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'O' => match word(&text[at..]) {
                Some(length) => at += length,
                None => return false,
            },
            b'0'..=b'9' | b'*' => match number_or_result(&text[at..]) {
                Some(Number::Number(length)) => at += length,
                Some(Number::Result(length)) => {
                    return depth == 0 && text[at + length..].trim_ascii().is_empty();
                }
                None => return false,
            },
            b'{' => match comment(&text[at..]) {
                Some(length) => at += length,
                None => return false,
            },
            b'(' => {
                depth += 1;
                at += 1;
            }
            b')' => {
                let Some(outer) = depth.checked_sub(1) else {
                    return false;
                };
                depth = outer;
                at += 1;
            }
            b'$' => {
                let digits = text[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                // CQL keeps larger numbers modulo 256. pgn-reader does not.
                if !(1..=2).contains(&digits) || !ends_token(text.get(at + 1 + digits)) {
                    return false;
                }
                at += 1 + digits;
            }
            _ => return false,
        }
        after_blank = false;
    }
    false
}

fn ends_token(next: Option<&u8>) -> bool {
    matches!(next, None | Some(b' ' | b'\n' | b'\r' | b')' | b'{' | b'$' | b'('))
}

/// The length of a move in SAN, with any `!` and `?`, if a token ends there.
#[inline]
fn word(text: &[u8]) -> Option<usize> {
    if text[0] == b'O' {
        let length = if text.starts_with(b"O-O-O") {
            5
        } else if text.starts_with(b"O-O") {
            3
        } else {
            return None;
        };
        let suffix = text[length..]
            .iter()
            .take_while(|byte| matches!(byte, b'+' | b'#' | b'!' | b'?'))
            .count();
        let is_suffix = matches!(
            &text[length..length + suffix],
            [] | [b'+' | b'#' | b'!' | b'?'] | [_, b'!' | b'?']
        );
        return (is_suffix && ends_token(text.get(length + suffix))).then_some(length + suffix);
    }
    let mut state = san::START;
    for (at, &byte) in text.iter().enumerate() {
        state = san::STEPS[usize::from(state)][usize::from(san::CLASSES[usize::from(byte)])];
        if state <= san::END {
            return (state == san::END).then_some(at);
        }
    }
    None
}

/// An automaton for moves in SAN.
mod san {
    /// The classes of bytes.
    const FILE: u8 = 1;
    const RANK: u8 = 2;
    const PIECE: u8 = 3;
    const KING: u8 = 4;
    const CAPTURE: u8 = 5;
    const PROMOTES: u8 = 6;
    const CHECK: u8 = 7;
    const SIGN: u8 = 8;
    const STOP: u8 = 9;
    const KINDS: usize = 10;

    /// The states: no move, and a move that has ended, before the others.
    const NONE: u8 = 0;
    pub(super) const END: u8 = 1;
    pub(super) const START: u8 = 2;
    const MAN: u8 = 3;
    const MAN_FILE: u8 = 4;
    const MAN_RANK: u8 = 5;
    const MAN_SQUARE: u8 = 6;
    const TAKES: u8 = 7;
    const TO_FILE: u8 = 8;
    const TO: u8 = 9;
    const PAWN_FILE: u8 = 10;
    const PAWN_TAKES: u8 = 11;
    const PAWN_TO_FILE: u8 = 12;
    const PAWN_TO: u8 = 13;
    const PROMOTION: u8 = 14;
    const CHECKED: u8 = 15;
    const SIGNED: u8 = 16;
    const SIGNED_TWICE: u8 = 17;
    const STATES: usize = 18;

    const EDGES: &[(u8, u8, u8)] = &[
        (START, PIECE, MAN),
        (START, KING, MAN),
        (START, FILE, PAWN_FILE),
        (MAN, FILE, MAN_FILE),
        (MAN, RANK, MAN_RANK),
        (MAN, CAPTURE, TAKES),
        (MAN_FILE, RANK, MAN_SQUARE),
        (MAN_FILE, FILE, TO_FILE),
        (MAN_FILE, CAPTURE, TAKES),
        (MAN_RANK, FILE, TO_FILE),
        (MAN_RANK, CAPTURE, TAKES),
        (MAN_SQUARE, FILE, TO_FILE),
        (MAN_SQUARE, CAPTURE, TAKES),
        (TAKES, FILE, TO_FILE),
        (TO_FILE, RANK, TO),
        (PAWN_FILE, RANK, PAWN_TO),
        (PAWN_FILE, CAPTURE, PAWN_TAKES),
        (PAWN_TAKES, FILE, PAWN_TO_FILE),
        (PAWN_TO_FILE, RANK, PAWN_TO),
        (PAWN_TO, PROMOTES, PROMOTION),
        (PROMOTION, PIECE, TO),
        (CHECKED, SIGN, SIGNED),
        (CHECKED, STOP, END),
        (SIGNED, SIGN, SIGNED_TWICE),
        (SIGNED, STOP, END),
        (SIGNED_TWICE, STOP, END),
    ];

    /// The next state by state and class.
    pub(super) static STEPS: [[u8; KINDS]; STATES] = {
        let mut steps = [[NONE; KINDS]; STATES];
        let mut at = 0;
        while at < EDGES.len() {
            let (from, class, to) = EDGES[at];
            steps[from as usize][class as usize] = to;
            at += 1;
        }
        // States in which a move can end.
        let over = [MAN_SQUARE, TO, PAWN_TO];
        at = 0;
        while at < over.len() {
            steps[over[at] as usize][CHECK as usize] = CHECKED;
            steps[over[at] as usize][SIGN as usize] = SIGNED;
            steps[over[at] as usize][STOP as usize] = END;
            at += 1;
        }
        steps
    };

    /// The class of every byte.
    pub(super) static CLASSES: [u8; 256] = {
        let mut classes = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            #[expect(clippy::cast_possible_truncation, reason = "it is below 256")]
            let class = match byte as u8 {
                b'a'..=b'h' => FILE,
                b'1'..=b'8' => RANK,
                b'N' | b'B' | b'R' | b'Q' => PIECE,
                b'K' => KING,
                b'x' => CAPTURE,
                b'=' => PROMOTES,
                b'+' | b'#' => CHECK,
                b'!' | b'?' => SIGN,
                b' ' | b'\n' | b'\r' | b')' | b'{' | b'$' | b'(' => STOP,
                _ => 0,
            };
            classes[byte] = class;
            byte += 1;
        }
        classes
    };
}

enum Number {
    Number(usize),
    Result(usize),
}

/// A move number with its dots, or a result.
#[inline]
fn number_or_result(text: &[u8]) -> Option<Number> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = text[digits..].iter().take_while(|&&byte| byte == b'.').count();
    if dots > 0 {
        return (1..5)
            .contains(&digits)
            .then_some(Number::Number(digits + dots))
            .filter(|_| text[0] != b'0');
    }
    let result = [b"1-0".as_slice(), b"0-1", b"1/2-1/2", b"*"]
        .into_iter()
        .find(|result| text.starts_with(result))?;
    let is_end = matches!(text.get(result.len()), None | Some(b' ' | b'\n' | b'\r'));
    is_end.then_some(Number::Result(result.len()))
}

/// A comment without braces in it.
fn comment(text: &[u8]) -> Option<usize> {
    let end = memchr::memchr(b'}', text)?;
    memchr::memchr(b'{', &text[1..end]).is_none().then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_games_are_plain() {
        for movetext in [
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O 1-0",
            "1.e4 e5\n2.Nf3! {a comment; with (all) $kinds} Nc6?! $1 (2... d6 3. d4) 3.Bb5 1/2-1/2\n\n",
            "1... R1e2+ 2. axb8=Q# Qa1xb2 3. O-O-O+ *",
            "*\n",
            "1. e4 (1. d4)(1. c4) *",
        ] {
            let game = format!("[Event \"?\"]\n[Site \"a b\"]\n\n{movetext}");
            assert!(movetext_of(game.as_bytes()).is_some(), "{movetext}");
            assert!(
                movetext_of(game.replace('\n', "\r\n").as_bytes()).is_some(),
                "{movetext}"
            );
        }
    }

    #[test]
    fn everything_else_goes_the_long_way() {
        for movetext in [
            "1. e4 e5",
            "1. e4 e5 1-0 2. d4",
            "1. e7-e5 *",
            "1. dc *",
            "1. a8Q *",
            "1. 0-0 *",
            "1. OO *",
            "1. -- *",
            "1. e4 ; x\n *",
            "1. e4\n\ne5 *",
            "1. e4 {a {b} c} *",
            "1. e4 {",
            "1. e4 = *",
            "1. e4 $300 *",
            "1. e4 N *",
            "1. e4 (1. d4 *",
            "1. e4 ) *",
            "1. e4\n%x\n*",
            "1. e4e5 *",
            "null *",
            "1. exd *",
            "1. x *",
            "1-0 *",
            "00 *",
            "1. e4 e5 [Event \"x\"] *",
            "1. Nf33 *",
            "1. e4\te5 *",
            "1 e4 *",
            "1. e4!!! *",
            "",
            "\n1. e4 *",
        ] {
            let game = format!("[Event \"?\"]\n\n{movetext}");
            assert!(movetext_of(game.as_bytes()).is_none(), "{movetext}");
        }
        for game in [
            "[Event \"a\\\"b\"]\n\n*",
            "[Event \"a\"\n\n*",
            "[Event \"a\"]\n*",
            "[ Event \"a\"]\n\n*",
        ] {
            assert!(movetext_of(game.as_bytes()).is_none(), "{game}");
        }
    }
}
