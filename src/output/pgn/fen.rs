//! The tag that says where a game starts.

use chess::{Board, GameText};
use shakmaty::Square;

/// The FEN of a game in CQL's spelling: the board and the side to move as they are, the other fields as they were
/// given as far as they can be read. Nothing if the game has none.
pub(super) fn tag(text: &GameText, board: &Board) -> Option<String> {
    let given = super::tags::find(text, "FEN").filter(|fen| !fen.trim().is_empty())?;
    let mut fields = given.split_ascii_whitespace().skip(2);
    let castling = castling(fields.next().unwrap_or("-"));
    let en_passant = fields.next().and_then(|field| field.parse::<Square>().ok());
    let en_passant = en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
    // Both counters have 16 bits in CQL; the first move is not number 0.
    let mut counter = || fields.next().and_then(|field| field.parse::<i64>().ok()).unwrap_or(0);
    let (half_moves, full_moves) = (counter() & 0xffff, counter().max(1) & 0xffff);
    let mut pieces = shakmaty::Board::empty();
    for square in board.occupied() {
        if let Some(piece) = board.at(square).piece() {
            pieces.set_piece_at(square, piece);
        }
    }
    let (placement, turn) = (pieces.board_fen(), board.turn().char());
    Some(format!(
        "{placement} {turn} {castling} {en_passant} {half_moves} {full_moves}"
    ))
}

/// Castling rights in the usual order; those of Chess960 as they are.
fn castling(given: &str) -> String {
    let is_right = |letter: &char| matches!(letter.to_ascii_uppercase(), 'A'..='H' | 'K' | 'Q');
    let rights: String = given.chars().filter(is_right).collect();
    if rights.is_empty() {
        return "-".to_owned();
    }
    if rights.contains(|letter| !"KQkq".contains(letter)) {
        return rights;
    }
    "KQkq".chars().filter(|&letter| rights.contains(letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The FEN tag of a game that has this one.
    fn written(fen: &str) -> Option<String> {
        let text = GameText {
            tags: vec![("FEN".to_owned(), fen.to_owned())],
            ..GameText::default()
        };
        tag(&text, &Board::initial())
    }

    #[test]
    fn missing_fields_are_filled_in() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
        for (given, wanted) in [
            ("x w", "- - 0 1"),
            ("x  w  qkQK  -  3  12 extra", "KQkq - 3 12"),
            ("x w kK e6", "Kk e6 0 1"),
            ("x w - - -3 0", "- - 65533 1"),
            ("x w - - 0 70000", "- - 0 4464"),
            ("x w HAha - 0 1", "HAha - 0 1"),
            ("x w 0 1", "- - 0 1"),
        ] {
            assert_eq!(written(given), Some(format!("{board} {wanted}")), "{given}");
        }
        assert_eq!(written(" "), None);
    }
}
