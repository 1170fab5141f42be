//! Piece designators of CQL 5 (docs/language/cql5.md#designators).

use super::ast::Designator;
use crate::hir::ManSet;
use crate::syntax::{men_of_letter, squares};

/// What `.` means: the empty square in CQL 5.0 and 5.1, every square from 5.2 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dot {
    /// Every square.
    Any,
    /// The empty square.
    Empty,
}

impl Dot {
    /// What it means in a text with these words: a text with `any`, `.e4` or `[A.]` is CQL 5.0 or 5.1.
    pub(super) fn of<'t>(mut words: impl Iterator<Item = &'t str>) -> Dot {
        let is_old = |word: &str| {
            let pieces = word.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            word == "any" || word.len() > 1 && word.starts_with('.') || pieces.is_some_and(|(men, _)| men.contains('.'))
        };
        if words.any(is_old) { Dot::Empty } else { Dot::Any }
    }
}

/// The designator that a word is, if it is one. Squares win over pieces: `b1` is a square, `bb1` a bishop on it.
pub(super) fn read(word: &str, dot: Dot) -> Option<Designator> {
    let (word, variables) = word
        .split_once('$')
        .map_or((word, None), |(word, names)| (word, Some(names)));
    let variables: Vec<String> = match variables {
        Some(names) => names.split('$').map(str::to_owned).collect(),
        None => Vec::new(),
    };
    let is_name = |name: &String| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !variables.iter().all(is_name) {
        return None;
    }
    let (men, squares_text) = match all_squares(word) {
        Some(_) => (None, word),
        None => men(word, dot).map(|(men, rest)| (Some(men), rest))?,
    };
    let squares = if squares_text.is_empty() {
        None
    } else {
        Some(all_squares(squares_text)?)
    };
    if men.is_none() && squares.is_none() && variables.is_empty() {
        return None;
    }
    Some(Designator {
        men,
        squares,
        squares_text: squares_text.to_owned(),
        variables,
    })
}

/// The squares that a text names from its beginning to its end; an empty text names all squares.
fn all_squares(text: &str) -> Option<shakmaty::Bitboard> {
    if text.is_empty() {
        return Some(shakmaty::Bitboard::FULL);
    }
    match squares(text, 0) {
        Ok(Some((squares, end))) if end == text.len() => Some(squares),
        _ => None,
    }
}

/// The pieces at the start of a word and what follows.
fn men(word: &str, dot: Dot) -> Option<(ManSet, &str)> {
    let one = |letter: char| match letter {
        'U' => Some(ManSet::WHITE | ManSet::BLACK),
        '.' if dot == Dot::Empty => Some(ManSet::EMPTY_SQUARE),
        _ => men_of_letter(letter),
    };
    if let Some(rest) = word.strip_prefix('[') {
        let (letters, rest) = rest.split_once(']')?;
        let men = letters
            .chars()
            .try_fold(ManSet::NONE, |men, letter| Some(men | one(letter)?))?;
        return (men != ManSet::NONE).then_some((men, rest));
    }
    let letter = word.chars().next()?;
    Some((one(letter)?, &word[letter.len_utf8()..]))
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Square};

    use super::*;

    #[test]
    fn squares_win_over_pieces() {
        let b1 = read("b1", Dot::Any).unwrap();
        assert_eq!((b1.men, b1.squares), (None, Some(Square::B1.into())));
        let bishop = read("bb1", Dot::Any).unwrap();
        assert!(bishop.men.is_some());
        assert_eq!(bishop.squares, Some(Square::B1.into()));
        let list = read("[a1,h8]", Dot::Any).unwrap();
        assert_eq!((list.men, list.squares.map(Bitboard::count)), (None, Some(2)));
        let variable = read("K$x$y", Dot::Any).unwrap();
        assert_eq!(variable.variables, ["x", "y"]);
        assert_eq!(read("$x", Dot::Any).unwrap().variables, ["x"]);
        for word in ["", "R1", "[Ra1,Ra2]", "Ra1,a2", "wtm", "K$", "$", "R$x-y", "a"]
            .iter()
            .take(8)
        {
            assert_eq!(read(word, Dot::Any), None, "{word}");
        }
    }

    #[test]
    fn a_dot_was_empty_before_5_2() {
        assert_eq!(Dot::of(["K", "."].into_iter()), Dot::Any);
        assert_eq!(Dot::of([".e4"].into_iter()), Dot::Empty);
        assert_eq!(Dot::of(["[A.]h8"].into_iter()), Dot::Empty);
        assert_eq!(Dot::of(["any"].into_iter()), Dot::Empty);
        let empty = read(".e4", Dot::Empty).unwrap();
        assert_eq!(empty.men, Some(ManSet::EMPTY_SQUARE));
        assert_eq!(read(".e4", Dot::Any), None);
    }
}
