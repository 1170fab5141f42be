//! Piece designators (docs/language/cql1.md#designators).

use chess::Man;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use crate::hir::{Designator, ManSet};

/// What a designator is: contents and squares, or a tagged piece on squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'t> {
    /// `R[a1,h1]`
    Plain(Designator),
    /// `$rook[a1]`
    Tagged(&'t str, Bitboard),
}

/// Why a text is no designator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It does not look like one.
    Foreign,
    /// It begins like one; the message says what is wrong.
    Bad(String),
    /// It is one of another kind of chess.
    Variant(&'static str),
}

/// What the text of a designator says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read<'t> {
    pub(super) piece: Piece<'t>,
    /// Whether it is written as only CQL-S writes it.
    pub(super) is_cqls: bool,
}

/// The contents that a letter or figurine stands for.
fn contents(c: char) -> Option<ManSet> {
    let of = |color, role| Some(ManSet::from_man(Man::new(color, role)));
    let two = |color, a, b| Some(of(color, a)? | of(color, b)?);
    let man = |index: u32| {
        let roles = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let color = if index < 6 { Color::White } else { Color::Black };
        of(color, roles[index as usize % 6])
    };
    match c {
        '\u{2654}'..='\u{265f}' => man(c as u32 - 0x2654),
        'A' | '\u{25cb}' => Some(ManSet::WHITE),
        'a' | '\u{25cf}' => Some(ManSet::BLACK),
        'U' | '\u{25d1}' => Some(ManSet::WHITE | ManSet::BLACK),
        'M' | '\u{25b3}' => two(Color::White, Role::Queen, Role::Rook),
        'm' | '\u{25b2}' => two(Color::Black, Role::Queen, Role::Rook),
        'I' | '\u{25bd}' => two(Color::White, Role::Bishop, Role::Knight),
        'i' | '\u{25bc}' => two(Color::Black, Role::Bishop, Role::Knight),
        '.' => Some(ManSet::EMPTY_SQUARE),
        '?' => Some(ManSet::ANYTHING),
        _ if c.is_ascii() => {
            let role = Role::from_char(c)?;
            of(
                if c.is_ascii_uppercase() {
                    Color::White
                } else {
                    Color::Black
                },
                role,
            )
        }
        _ => None,
    }
}

/// Reads an atom as a designator.
pub(super) fn read(text: &str) -> Result<Read<'_>, Wrong> {
    if let Some(tagged) = text.strip_prefix('$') {
        return read_tagged(tagged);
    }
    let mut rest = text;
    let mut men = ManSet::NONE;
    match rest.strip_prefix('[') {
        Some(inside) => {
            let (list, behind) = inside.split_once(']').ok_or_else(|| {
                Wrong::Bad("a bracket is not closed; there are no blanks inside a designator".to_owned())
            })?;
            if list.is_empty() {
                return Err(Wrong::Bad("brackets without pieces; `?[]` has no squares".to_owned()));
            }
            for c in list.chars() {
                men = men | piece(c)?;
            }
            rest = behind;
        }
        None => {
            let first = rest.chars().next().ok_or(Wrong::Foreign)?;
            men = men | contents(first).ok_or(Wrong::Foreign)?;
            rest = &rest[first.len_utf8()..];
        }
    }
    if rest.starts_with('~') {
        return Err(Wrong::Variant("promoted pieces (`~`)"));
    }
    let squares = squares(rest)?;
    Ok(Read {
        piece: Piece::Plain(Designator {
            men,
            squares: squares.unwrap_or(Bitboard::FULL),
        }),
        is_cqls: !text.is_ascii() || names_square_colors(rest),
    })
}

fn piece(c: char) -> Result<ManSet, Wrong> {
    match c {
        '~' => Err(Wrong::Variant("promoted pieces (`~`)")),
        c => contents(c).ok_or_else(|| Wrong::Bad(format!("`{c}` stands for no piece"))),
    }
}

fn read_tagged(text: &str) -> Result<Read<'_>, Wrong> {
    let end = text.find('[').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return Err(Wrong::Bad("a tag has no name".to_owned()));
    }
    let squares = squares(rest)?.unwrap_or(Bitboard::FULL);
    Ok(Read {
        piece: Piece::Tagged(name, squares),
        is_cqls: names_square_colors(rest),
    })
}

/// Light and dark squares, as a letter or a sign.
fn square_color(c: char) -> Option<Bitboard> {
    match c {
        'L' | '\u{25a1}' => Some(Bitboard::LIGHT_SQUARES),
        'D' | '\u{25a0}' => Some(Bitboard::DARK_SQUARES),
        _ => None,
    }
}

fn names_square_colors(squares: &str) -> bool {
    squares.chars().any(|c| square_color(c).is_some())
}

/// The square part; `None` if there is none.
fn squares(text: &str) -> Result<Option<Bitboard>, Wrong> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(inside) = text.strip_prefix('[') {
        let list = inside
            .strip_suffix(']')
            .ok_or_else(|| Wrong::Bad("a bracket is not closed; there are no blanks inside a designator".to_owned()))?;
        if list.is_empty() {
            return Ok(Some(Bitboard::EMPTY));
        }
        let mut all = Bitboard::EMPTY;
        for block in list.split(',') {
            if block == "+" || block == "*" {
                return Err(Wrong::Variant("pieces in hand"));
            }
            all |= self::block(block, true)?;
        }
        return Ok(Some(all));
    }
    block(text, false).map(Some)
}

/// One or more files and ranks: `a3`, `?7`; ranges only inside brackets: `b-d3`, `a1-8`.
fn block(text: &str, ranges: bool) -> Result<Bitboard, Wrong> {
    let bad = || {
        Wrong::Bad(format!(
            "`{text}` names no squares; a square is a file and a rank, and ranges stand in brackets: `[a-c1-2]`"
        ))
    };
    // A color of squares is named once, as file or as rank.
    if text.chars().filter(|&c| square_color(c).is_some()).count() > 1 {
        return Err(bad());
    }
    let mut rest = text;
    let files = coordinate(&mut rest, ranges, 'a').ok_or_else(bad)?;
    // `?[27]` in two published examples: any file, rank 2 or 7.
    if let Some(inside) = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let mut rest = inside;
        let mut ranks = Bitboard::EMPTY;
        while !rest.is_empty() {
            rest = rest.strip_prefix(',').unwrap_or(rest);
            ranks |= coordinate(&mut rest, true, '1').ok_or_else(bad)?;
        }
        return Ok(files & ranks);
    }
    let ranks = coordinate(&mut rest, ranges, '1').ok_or_else(bad)?;
    if !rest.is_empty() {
        return Err(bad());
    }
    Ok(files & ranks)
}

/// A file or rank with its wildcards: the squares on it.
fn coordinate(rest: &mut &str, ranges: bool, first: char) -> Option<Bitboard> {
    let c = rest.chars().next()?;
    if let Some(squares) = square_color(c) {
        *rest = &rest[c.len_utf8()..];
        return Some(squares);
    }
    if c == '?' {
        *rest = &rest[1..];
        return Some(Bitboard::FULL);
    }
    let index = |c: char| (c as u32).checked_sub(first as u32).filter(|&index| index < 8);
    let from = index(c)?;
    *rest = &rest[1..];
    let mut to = from;
    if ranges && let Some(behind) = rest.strip_prefix('-') {
        to = index(behind.chars().next()?)?;
        *rest = &behind[1..];
    }
    let (from, to) = (from.min(to), from.max(to));
    let on = |square: &Square| {
        let at = if first == 'a' {
            u32::from(square.file())
        } else {
            u32::from(square.rank())
        };
        from <= at && at <= to
    };
    let all = File::ALL
        .into_iter()
        .flat_map(|file| Rank::ALL.into_iter().map(move |rank| Square::from_coords(file, rank)));
    Some(all.filter(on).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Designator {
        match read(text).unwrap().piece {
            Piece::Plain(designator) => designator,
            other => panic!("{other:?}"),
        }
    }

    fn squares_of(text: &str) -> usize {
        plain(text).squares.count()
    }

    #[test]
    fn pieces_have_letters_and_figurines() {
        for (text, figurine) in [
            ("K", "\u{2654}"),
            ("q", "\u{265b}"),
            ("P", "\u{2659}"),
            ("p", "\u{265f}"),
            ("A", "\u{25cb}"),
            ("a", "\u{25cf}"),
            ("M", "\u{25b3}"),
            ("m", "\u{25b2}"),
            ("I", "\u{25bd}"),
            ("i", "\u{25bc}"),
            ("U", "\u{25d1}"),
        ] {
            assert_eq!(plain(text), plain(figurine), "{text}");
            assert!(!read(text).unwrap().is_cqls && read(figurine).unwrap().is_cqls);
        }
        assert_eq!(plain("M").men, plain("[QR]").men);
        assert_eq!(plain("i").men, plain("[nb]").men);
        assert_eq!(plain("?").men, ManSet::ANYTHING);
        assert_eq!(plain(".d4").men, ManSet::EMPTY_SQUARE);
        assert_eq!(plain("[A.]").men, ManSet::WHITE | ManSet::EMPTY_SQUARE);
    }

    #[test]
    fn squares_are_single_or_in_brackets() {
        for (text, count) in [
            ("R", 64),
            ("Ra3", 1),
            ("Ra?", 8),
            ("R?7", 8),
            ("R??", 64),
            ("?b?", 8),
            ("R[a-c1]", 3),
            ("R[f-h6-8]", 9),
            ("R[a1,c4]", 2),
            ("R[a-h1-2,a8,h8]", 18),
            ("R[]", 0),
            ("RL?", 32),
            ("KD1", 4),
            ("K[\u{25a1}?]", 32),
            ("[Pp]?[27]", 16),
            ("M?[1-7]", 56),
            ("ba4", 1),
        ] {
            assert_eq!(squares_of(text), count, "{text}");
        }
        assert_eq!(plain("R[c-a1]"), plain("R[a-c1]"));
    }

    #[test]
    fn tags_have_squares_in_brackets() {
        let tagged = |text| read(text).unwrap().piece;
        assert_eq!(tagged("$rook[a1]"), Piece::Tagged("rook", Square::A1.into()));
        assert_eq!(tagged("$rook"), Piece::Tagged("rook", Bitboard::FULL));
    }

    #[test]
    fn everything_else_is_an_error() {
        for text in [":wtm", "wtm", "", "xyz", "12"] {
            assert_eq!(read(text), Err(Wrong::Foreign), "{text}");
        }
        for text in [
            "R[a1", "[RX]a1", "Ra", "Ra9", "Ra1-2", "R[a1,]", "[]", "$", "R[LD]", "a3", "Rook", "R[a1]b2",
        ] {
            assert!(matches!(read(text), Err(Wrong::Bad(_))), "{text}: {:?}", read(text));
        }
        for text in ["Q~a1", "[Q~q~][a1,h1]", "N[+]", "N[*]"] {
            assert!(matches!(read(text), Err(Wrong::Variant(_))), "{text}");
        }
    }
}
