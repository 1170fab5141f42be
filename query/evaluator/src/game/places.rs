//! Where each piece of a game stands in each position.

use std::ops::Range;

use shakmaty::{Bitboard, Square};

use super::{GameView, NO_PIECE, node_at};

/// No square: the piece was captured, or no piece has that number.
pub(super) const NO_SQUARE: u8 = 64;

/// How many pieces a row has; few games have more.
const PIECES: usize = 32;

/// The first number of each row of a position with any number of pieces.
const FIRST_IN_ROW: [u8; 2] = [0, 32];

/// The places in a row.
const IN_ROW: [u8; PIECES] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30,
    31,
];

/// For each position, the square of each piece by its identity number.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// How many rows a position has.
    width: usize,
    rows: Vec<[u8; PIECES]>,
}

impl Places {
    /// Forgets all positions.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
    }

    /// Begins with a position in which men stand on these squares, with room for some more.
    pub(super) fn begin(&mut self, occupied: Bitboard, positions: usize) {
        self.width = occupied.count().div_ceil(PIECES).max(1);
        self.rows.clear();
        self.rows.reserve(self.width * positions);
        let mut squares = occupied.into_iter().map(u8::from);
        for _ in 0..self.width {
            self.rows
                .push([(); PIECES].map(|()| squares.next().unwrap_or(NO_SQUARE)));
        }
    }

    /// How many positions there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len() / self.width.max(1)
    }

    /// The last position.
    pub(super) fn last(&self) -> Option<u32> {
        self.len().checked_sub(1).map(node_at)
    }

    /// Keeps the first positions.
    pub(super) fn truncate(&mut self, positions: usize) {
        self.rows.truncate(positions * self.width);
    }

    /// Adds positions of another game, if its pieces are known, with room for pieces that are added there.
    pub(super) fn extend(&mut self, other: &Places, positions: Range<usize>) {
        if other.rows.is_empty() {
            return;
        }
        if self.rows.is_empty() {
            self.width = FIRST_IN_ROW.len();
        }
        for position in positions {
            let of_position = (0..other.width).filter_map(|row| other.rows.get(position * other.width + row));
            let missing = std::iter::repeat(&[NO_SQUARE; PIECES]);
            self.rows.extend(of_position.chain(missing).take(self.width));
        }
    }

    /// Adds a position behind another one, in which one piece was captured, if it is one, and another one stands on a square.
    #[inline]
    pub(super) fn push(&mut self, before: u32, captured: u8, mover: u8, to: Square) {
        let from = before as usize * self.width;
        for (first, row) in FIRST_IN_ROW.into_iter().zip(from..from + self.width) {
            let Some(mut squares) = self.rows.get(row).copied() else {
                return;
            };
            let [captured, mover] = [captured, mover].map(|id| id.wrapping_sub(first));
            // Byte by byte, the next copy would have to wait until these bytes are in memory.
            for (square, here) in squares.iter_mut().zip(IN_ROW) {
                let kept = if here == captured { NO_SQUARE } else { *square };
                *square = if here == mover { u8::from(to) } else { kept };
            }
            self.rows.push(squares);
        }
    }

    /// Adds a position where all pieces stand as in another one.
    pub(super) fn push_copy(&mut self, of: u32) {
        let first = of as usize * self.width;
        if first + self.width <= self.rows.len() {
            self.rows.extend_from_within(first..first + self.width);
        }
    }

    /// Takes the last position away.
    pub(super) fn pop(&mut self) {
        self.rows.truncate(self.rows.len().saturating_sub(self.width));
    }

    /// Puts a piece on a square, or nowhere, in the last position.
    pub(super) fn put(&mut self, id: u8, square: u8) {
        let (row, place) = (usize::from(id) / PIECES, usize::from(id) % PIECES);
        let last = self.rows.len().saturating_sub(self.width);
        if row < self.width
            && let Some(squares) = self.rows.get_mut(last + row)
        {
            squares[place] = square;
        }
    }

    /// Where a piece stands, if it is on the board.
    #[inline]
    pub(super) fn find(&self, position: u32, id: u8) -> Option<Square> {
        let (row, place) = (usize::from(id) / PIECES, usize::from(id) % PIECES);
        if row >= self.width {
            return None;
        }
        let square = self.rows.get(position as usize * self.width + row)?[place];
        (square != NO_SQUARE).then(|| Square::new(u32::from(square)))
    }

    /// The rows of a position; none if it is not known.
    pub(super) fn rows(&self, position: u32) -> &[[u8; PIECES]] {
        let first = position as usize * self.width;
        self.rows.get(first..first + self.width).unwrap_or_default()
    }

    /// The piece that stands on a square.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a word has eight bytes")]
    pub(super) fn piece_on(&self, position: u32, square: Square) -> Option<u8> {
        /// Each byte of a word.
        const EACH: u64 = u64::from_le_bytes([1; 8]);
        let wanted = EACH * u64::from(u8::from(square));
        let words = self.rows(position).iter().flat_map(|row| row.as_chunks::<8>().0);
        for (number, word) in (0u8..).zip(words) {
            let differs = u64::from_le_bytes(*word) ^ wanted;
            // The first byte without a bit has its highest bit here.
            let same = differs.wrapping_sub(EACH) & !differs & (EACH << 7);
            if same != 0 {
                return Some(number * 8 + (same.trailing_zeros() / 8) as u8);
            }
        }
        None
    }

    /// Who stands on each square.
    pub(super) fn board(&self, position: u32) -> [u8; 64] {
        let mut on = [NO_PIECE; 64];
        for (id, &square) in (0..).zip(self.rows(position).as_flattened()) {
            if let Some(on) = on.get_mut(usize::from(square)) {
                *on = id;
            }
        }
        on
    }
}

impl GameView {
    /// The identity number of the piece on a square, if there is one.
    pub fn identity(&self, node: u32, square: Square) -> Option<u8> {
        self.places.piece_on(node, square)
    }

    /// Where the piece with this identity stands, if it is on the board.
    #[inline]
    pub fn find_piece(&self, node: u32, id: u8) -> Option<Square> {
        self.places.find(node, id)
    }

    /// The squares on which not the same piece stands at two positions; all, if pieces were not identified.
    pub(crate) fn other_pieces(&self, a: u32, b: u32) -> Bitboard {
        let (a, b) = (self.places.rows(a), self.places.rows(b));
        if a.is_empty() || b.is_empty() {
            return Bitboard::FULL;
        }
        let pieces = a.as_flattened().iter().zip(b.as_flattened());
        let elsewhere = pieces.filter(|(a, b)| a != b).flat_map(|(&a, &b)| [a, b]);
        let squares = elsewhere.filter(|&square| square != NO_SQUARE);
        squares.map(|square| Square::new(u32::from(square))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where pieces stand is the same from both sides.
    fn assert_consistent(places: &Places, position: u32) {
        let on = places.board(position);
        for square in Square::ALL {
            let piece = places.piece_on(position, square);
            assert_eq!(
                piece,
                Some(on[usize::from(square)]).filter(|&id| id != NO_PIECE),
                "{square}"
            );
            assert!(
                piece.is_none_or(|id| places.find(position, id) == Some(square)),
                "{square}"
            );
        }
    }

    #[test]
    fn pieces_are_found_however_many_there_are() {
        for count in [2u8, 32, 33, 63] {
            let occupied = Bitboard((1 << count) - 1);
            let mut places = Places::default();
            places.begin(occupied, 4);
            // The last piece captures the first one, then goes to a free square.
            let [first, last] = [0, count - 1];
            places.push(0, first, last, Square::A1);
            places.push(1, NO_PIECE, last, Square::H8);
            places.push_copy(0);
            let found = |position: u32| [first, last].map(|id| places.find(position, id));
            let at_first = [Some(Square::A1), Some(Square::new(u32::from(last)))];
            assert_eq!([0, 3].map(found), [at_first; 2], "{count} pieces");
            assert_eq!(found(1), [None, Some(Square::A1)], "{count} pieces");
            assert_eq!(found(2), [None, Some(Square::H8)], "{count} pieces");
            (0..4).for_each(|position| assert_consistent(&places, position));
            assert_eq!(places.find(0, 64), None);
            assert_eq!(places.last(), Some(3));
        }
    }

    #[test]
    fn a_line_of_another_game_has_room_for_pieces_that_are_added() {
        let mut game = Places::default();
        game.begin(Bitboard(0xffff_0000_0000_ffff), 2);
        game.push(0, NO_PIECE, 3, Square::D4);
        let mut line = Places::default();
        line.extend(&Places::default(), 0..2);
        assert_eq!(line.last(), None);
        line.extend(&game, 0..2);
        line.push_copy(1);
        line.put(40, u8::from(Square::E5));
        line.put(3, NO_SQUARE);
        assert_eq!(line.piece_on(2, Square::E5), Some(40));
        assert_eq!([line.find(1, 3), line.find(2, 3)], [Some(Square::D4), None]);
        (0..3).for_each(|position| assert_consistent(&line, position));
        line.pop();
        assert_eq!(line.len(), 2);
    }
}
