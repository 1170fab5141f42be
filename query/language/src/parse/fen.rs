//! The board of a `fen` filter: 64 designators (docs/language/positions.md#boards).

use shakmaty::{Bitboard, File, Rank, Square};

use crate::hir::{Designator, ManSet};
use crate::syntax::men_of_letter;

/// The designators of a board, or what is wrong with it. Text behind the last square is ignored.
pub(crate) fn board(text: &str) -> Result<Vec<Designator>, String> {
    let mut designators = Vec::with_capacity(64);
    let mut symbols = text.chars();
    for rank in Rank::ALL.into_iter().rev() {
        let mut file = 0;
        while file < 8 {
            let Some(symbol) = symbols.next() else {
                return Err(format!("the board ends on rank {rank}, before its last square"));
            };
            let (men, count) = match symbol {
                '1'..='8' => (ManSet::EMPTY_SQUARE, symbol as u32 - '0' as u32),
                '.' => (ManSet::ANYTHING, 1),
                '/' => return Err(format!("rank {rank} of the board has fewer than 8 squares")),
                letter => match men_of_letter(letter) {
                    Some(men) => (men, 1),
                    None => return Err(format!("`{letter}` is no piece of a board")),
                },
            };
            if file + count > 8 {
                return Err(format!("rank {rank} of the board has more than 8 squares"));
            }
            for file in file..file + count {
                let square = Square::from_coords(File::new(file), rank);
                designators.push(Designator {
                    men,
                    squares: Bitboard::from_square(square),
                });
            }
            file += count;
        }
        if rank != Rank::First && symbols.next() != Some('/') {
            return Err(format!("expected `/` after rank {rank} of the board"));
        }
    }
    Ok(designators)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_until_the_last_square() {
        let designators = board("rnbqkbnr/8/44/8/8/8/8/AaP_.1RK w - - 0 1").unwrap();
        assert_eq!(designators.len(), 64);
        assert_eq!(designators[56].men, ManSet::WHITE);
        assert_eq!(designators[56].squares, Bitboard::from_square(Square::A1));
        assert_eq!(designators[60].men, ManSet::ANYTHING);
    }

    #[test]
    fn says_what_is_wrong() {
        assert_eq!(
            board("8/8/").unwrap_err(),
            "the board ends on rank 6, before its last square"
        );
        assert_eq!(
            board("7/8/8/8/8/8/8/8").unwrap_err(),
            "rank 8 of the board has fewer than 8 squares"
        );
        assert_eq!(
            board("88/8/8/8/8/8/8/8").unwrap_err(),
            "expected `/` after rank 8 of the board"
        );
        assert_eq!(
            board("7k1/8/8/8/8/8/8/8").unwrap_err(),
            "expected `/` after rank 8 of the board"
        );
        assert_eq!(board("9/8/8/8/8/8/8/8").unwrap_err(), "`9` is no piece of a board");
    }
}
