//! Piece and square designators (docs/language/positions.md#designators).

use chess::Man;
use shakmaty::{Bitboard, Square};

use super::is_word;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Designator, ManSet};
use crate::span::Span;
use crate::syntax::symbol::{UnicodeMeaning, unicode_meaning};

/// The designator at this place and its length. Pieces with squares are tried first, then squares, then pieces; each
/// has to end at the end of a word.
pub(super) fn read(text: &str, start: usize) -> Result<Option<(Designator, usize)>, Diagnostic> {
    let men = men(text, start)?;
    if let Some((men, after)) = men
        && let Some((squares, end)) = squares(text, after)?
        && ends(text, end)
    {
        return Ok(Some((Designator { men, squares }, end - start)));
    }
    if let Some((squares, end)) = squares(text, start)?
        && ends(text, end)
    {
        return Ok(Some((
            Designator {
                men: ManSet::ANYTHING,
                squares,
            },
            end - start,
        )));
    }
    Ok(men
        .filter(|(_, end)| ends(text, *end))
        .map(|(men, end)| (Designator::anywhere(men), end - start)))
}

/// Whether a designator may end here.
fn ends(text: &str, position: usize) -> bool {
    match text.as_bytes().get(position) {
        None => true,
        Some(b'[') => text[position..].starts_with("[x]"),
        Some(b']') => false,
        Some(&byte) => !is_word(byte),
    }
}

/// The contents that a letter stands for.
pub(crate) fn men_of_letter(letter: char) -> Option<ManSet> {
    let index = match letter {
        'A' => return Some(ManSet::WHITE),
        'a' => return Some(ManSet::BLACK),
        '_' => return Some(ManSet::EMPTY_SQUARE),
        _ => "PNBRQKpnbrqk".find(letter)?,
    };
    Man::from_index(u8::try_from(index).ok()?).map(ManSet::from_man)
}

/// Pieces in one of the four forms, and where they end.
fn men(text: &str, start: usize) -> Result<Option<(ManSet, usize)>, Diagnostic> {
    let bracket = text[start..].starts_with('[');
    let mut position = start + usize::from(bracket);
    let Some(first) = text[position..].chars().next() else {
        return Ok(None);
    };
    let mut set = ManSet::NONE;
    if first.is_ascii() {
        while let Some(men) = text[position..].chars().next().and_then(men_of_letter) {
            set = set | men;
            position += 1;
            if !bracket {
                break;
            }
        }
    } else {
        let mut seen: Vec<char> = Vec::new();
        while let Some(symbol) = text[position..].chars().next()
            && let Some(UnicodeMeaning::Men(letters)) = unicode_meaning(symbol)
        {
            let end = position + symbol.len_utf8();
            for letter in letters.chars() {
                if seen.contains(&letter) {
                    let message = "a piece stands twice in one designator";
                    return Err(Diagnostic::new(Code::DuplicatePiece, Span::new(position, end), message)
                        .help("put a blank between two filters"));
                }
                seen.push(letter);
                set = set | men_of_letter(letter).unwrap_or(ManSet::NONE);
            }
            position = end;
        }
    }
    if set == ManSet::NONE {
        return Ok(None);
    }
    if bracket {
        if !text[position..].starts_with(']') {
            return Ok(None);
        }
        position += 1;
    }
    Ok(Some((set, position)))
}

/// Squares, one group or a list in brackets, and where they end.
pub(crate) fn squares(text: &str, start: usize) -> Result<Option<(Bitboard, usize)>, Diagnostic> {
    if !text[start..].starts_with('[') {
        return group(text, start);
    }
    let mut set = Bitboard::EMPTY;
    let mut position = start + 1;
    while let Some((squares, end)) = group(text, position)? {
        set |= squares;
        position = end + 1;
        match text.as_bytes().get(end) {
            Some(b',') => {}
            Some(b']') => return Ok(Some((set, position))),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// `a1`, `a-c1-3`
fn group(text: &str, start: usize) -> Result<Option<(Bitboard, usize)>, Diagnostic> {
    let Some((files, after)) = range(text, start, b'a'..=b'h', "files")? else {
        return Ok(None);
    };
    let Some((ranks, end)) = range(text, after, b'1'..=b'8', "ranks")? else {
        return Ok(None);
    };
    let squares = Square::ALL.into_iter().filter(|square| {
        let (file, rank) = (square.file(), square.rank());
        files.contains(&(b'a' + u8::from(file))) && ranks.contains(&(b'1' + u8::from(rank)))
    });
    Ok(Some((squares.collect(), end)))
}

/// One character of the alphabet, or two with a hyphen between them.
fn range(
    text: &str,
    start: usize,
    alphabet: std::ops::RangeInclusive<u8>,
    what: &str,
) -> Result<Option<(std::ops::RangeInclusive<u8>, usize)>, Diagnostic> {
    let at = |position: usize| {
        text.as_bytes()
            .get(position)
            .copied()
            .filter(|byte| alphabet.contains(byte))
    };
    let Some(first) = at(start) else { return Ok(None) };
    if text.as_bytes().get(start + 1) != Some(&b'-') {
        return Ok(Some((first..=first, start + 1)));
    }
    match at(start + 2) {
        None => Ok(Some((first..=first, start + 1))),
        Some(last) if last < first => {
            let span = Span::new(start, start + 3);
            let (first, last) = (char::from(first), char::from(last));
            Err(Diagnostic::new(
                Code::BadSquareRange,
                span,
                format!("the {what} `{first}-{last}` descend"),
            )
            .help(format!(
                "write `{last}-{first}` for a range; a difference needs blanks around the minus sign"
            )))
        }
        Some(last) => Ok(Some((first..=last, start + 3))),
    }
}
