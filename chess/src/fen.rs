//! Positions in Forsyth-Edwards notation (FEN).

use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use crate::board::{Board, Man};

/// What the moves before a position allow beside its board: castling and en passant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The square behind a pawn that has just made a double step.
    pub en_passant: Option<Square>,
    /// Castling by color and side: White first, the king's side first.
    pub castling: [[bool; 2]; 2],
}

impl Rights {
    /// The FEN of a board with these rights. The counters are always `0 1` (docs/language/positions.md#boards).
    ///
    /// ```
    /// use chess::{Board, Rights};
    ///
    /// let rights = Rights { castling: [[true; 2]; 2], ..Rights::default() };
    /// let fen = rights.fen(&Board::initial());
    /// assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    /// ```
    pub fn fen(self, board: &Board) -> String {
        let mut fen = String::with_capacity(80);
        board.append_placement(&mut fen);
        fen.push(' ');
        fen.push(board.turn().char());
        fen.push(' ');
        let letters = ['K', 'Q', 'k', 'q']
            .into_iter()
            .zip(self.castling.into_iter().flatten());
        let before = fen.len();
        fen.extend(letters.filter(|&(_, allowed)| allowed).map(|(letter, _)| letter));
        if fen.len() == before {
            fen.push('-');
        }
        fen.push(' ');
        match self.en_passant {
            Some(square) => square.append_to_string(&mut fen),
            None => fen.push('-'),
        }
        fen.push_str(" 0 1");
        fen
    }
}

impl Board {
    /// Appends the first field of a FEN: the men, rank by rank from the eighth.
    fn append_placement(&self, fen: &mut String) {
        let skip = |fen: &mut String, files: u32| {
            if files > 0 {
                fen.extend(char::from_digit(files, 10));
            }
        };
        for rank in Rank::ALL.into_iter().rev() {
            let mut next = 0;
            for square in self.occupied() & Bitboard::from(rank) {
                let file = u32::from(square.file());
                skip(fen, file - next);
                fen.push(self.at(square).letter());
                next = file + 1;
            }
            skip(fen, 8 - next);
            if rank != Rank::First {
                fen.push('/');
            }
        }
    }

    /// This board as the value of a FEN tag in CQL's spelling, given the tag of the game: men and side to move are
    /// those of the board, the other fields are taken from the tag as far as they can be read
    /// (docs/language/output.md#games-as-pgn).
    pub fn fen_tag(&self, given: &str) -> String {
        let mut fields = given.split_ascii_whitespace().skip(2);
        // Without the field, CQL allows what kings and rooks at home allow.
        let castling = fields.next().map_or_else(|| self.rights_at_home(), castling);
        let en_passant = fields.next().and_then(|field| field.parse::<Square>().ok());
        let en_passant = en_passant.map_or_else(|| "-".to_owned(), |square| square.to_string());
        // Both counters have 16 bits in CQL; the number of the first move is at least 1.
        let mut counter = || fields.next().and_then(|field| field.parse::<i64>().ok()).unwrap_or(0);
        let (half_moves, full_moves) = (counter() & 0xffff, counter().max(1) & 0xffff);
        let mut fen = String::with_capacity(80);
        self.append_placement(&mut fen);
        let turn = self.turn().char();
        fen.push_str(&format!(" {turn} {castling} {en_passant} {half_moves} {full_moves}"));
        fen
    }

    /// Castling rights of kings and rooks that stand where they usually start.
    fn rights_at_home(&self) -> String {
        let stands = |square: Square, color: Color, role: Role| self.at(square) == Man::new(color, role);
        let is_at_home = |&right: &char| {
            let color = Color::from_white(right.is_ascii_uppercase());
            let rank = color.fold_wb(Rank::First, Rank::Eighth);
            let file = if right.eq_ignore_ascii_case(&'k') {
                File::H
            } else {
                File::A
            };
            stands(Square::from_coords(File::E, rank), color, Role::King)
                && stands(Square::from_coords(file, rank), color, Role::Rook)
        };
        castling(&"KQkq".chars().filter(is_at_home).collect::<String>())
    }
}

/// The value of a FEN tag in CQL's spelling, as [`Board::fen_tag`] has it; nothing if the tag can't be read.
pub fn fen_tag(given: &str) -> Option<String> {
    let mut fields = given.split_ascii_whitespace();
    let men = shakmaty::Board::from_ascii_board_fen(fields.next()?.as_bytes()).ok()?;
    let turn = match fields.next()? {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        _ => return None,
    };
    Some(Board::from_pieces(men.iter(), turn).fen_tag(given))
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

    #[test]
    fn missing_fields_of_a_tag_are_filled_in() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
        for (given, wanted) in [
            ("x w", "KQkq - 0 1"),
            ("x  w  qkQK  -  3  12 extra", "KQkq - 3 12"),
            ("x w kK e6", "Kk e6 0 1"),
            ("x w - - -3 0", "- - 65533 1"),
            ("x w - - 0 70000", "- - 0 4464"),
            ("x w HAha - 0 1", "HAha - 0 1"),
            ("x w 0 1", "- - 0 1"),
        ] {
            assert_eq!(Board::initial().fen_tag(given), format!("{board} {wanted}"), "{given}");
        }
    }

    #[test]
    fn a_tag_is_spelled_without_the_board_of_its_game() {
        for (given, wanted) in [
            ("4k3/8/8/8/8/8/8/4K11R w K - 1 0", "4k3/8/8/8/8/8/8/4K2R w K - 1 1"),
            (" 4k3/8/8/8/8/8/8/4K2R  b  - - 3 12", "4k3/8/8/8/8/8/8/4K2R b - - 3 12"),
            ("r3k3/8/8/8/8/8/8/4K1RR w", "r3k3/8/8/8/8/8/8/4K1RR w Kq - 0 1"),
            ("r2k4/8/8/8/8/8/8/R3R2K w", "r2k4/8/8/8/8/8/8/R3R2K w - - 0 1"),
        ] {
            assert_eq!(fen_tag(given).as_deref(), Some(wanted));
        }
        for unreadable in [
            "",
            "4k3/8/8/8/8/8/8/4K2 w",
            "4k3/8/8/8/8/8/8/4K3",
            "4k3/8/8/8/8/8/8/4K3 x",
        ] {
            assert_eq!(fen_tag(unreadable), None, "{unreadable}");
        }
    }

    #[test]
    fn rights_and_gaps_are_written() {
        let rights = Rights {
            en_passant: Some(Square::E3),
            castling: [[true, false], [false, true]],
        };
        assert_eq!(rights.fen(&Board::EMPTY), "8/8/8/8/8/8/8/8 w Kq e3 0 1");
    }
}
