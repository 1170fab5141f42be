//! Which positions of a game another one repeats: neither a pawn move nor a capture is ever taken back, and between two of these
//! boards are compared by a hash (A. L. Zobrist, "A new hashing method with application for game playing", 1970).

use std::sync::LazyLock;

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets};
use language::hir::ManSet;
use shakmaty::{Role, Square};

use super::keys::mixed;

/// How many positions in a row there are at least when one of them is repeated: each side moves away and back.
const SHORTEST: usize = 5;

/// The same where a null move or castling is among the moves, which may leave the men where they are.
const SHORTEST_WITH_SPECIAL: usize = 2;

/// By man and square, what a man there adds to the hash of a board; an empty square adds nothing.
static PARTS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let men = (0..Man::KINDS as u64 * 64).map(mixed);
    men.chain([0; 64]).collect()
});

/// The positions of a game whose men stand in another one as they do there.
#[derive(Debug, Default)]
pub(super) struct Repeatable {
    places: Vec<u64>,
    /// The hashes and the places of positions in a row, without what is the same for all of them.
    row: Vec<(u64, u32)>,
}

impl Repeatable {
    /// Reads a game.
    pub(super) fn read(&mut self, board: &Mailbox, line: &[PackedMove]) {
        self.places.clear();
        self.places.resize(line.len() / bits::BITS as usize + 1, 0);
        let (parts, pawns) = (&**PARTS, ManSet::from_role(Role::Pawn));
        let part = |man: Man, square: Square| parts[man.index() * 64 + usize::from(square)];
        let mut board = board.clone();
        let (mut hash, mut shortest) = (0, SHORTEST);
        self.row.clear();
        self.row.push((hash, 0));
        for (place, &m) in (1..).zip(line) {
            let (from, to) = (m.from(), m.to());
            let mover = board.at(from);
            let is_last = match m.kind() {
                MoveKind::Null => {
                    shortest = SHORTEST_WITH_SPECIAL;
                    false
                }
                MoveKind::Castle => {
                    shortest = SHORTEST_WITH_SPECIAL;
                    let (rook, (king_to, rook_to)) = (board.at(to), castling_targets(from, to));
                    hash ^= part(mover, from) ^ part(rook, to) ^ part(mover, king_to) ^ part(rook, rook_to);
                    false
                }
                MoveKind::Normal => {
                    hash ^= part(mover, from) ^ part(mover, to);
                    pawns.contains(mover) || board.at(to).color().is_some()
                }
                _ => true,
            };
            board.play(m);
            if is_last {
                self.end_row(shortest);
                (hash, shortest) = (0, SHORTEST);
            }
            self.row.push((hash, place));
        }
        self.end_row(shortest);
    }

    /// Adds those of the positions in a row that are repeated, if there are enough, and begins a new row.
    fn end_row(&mut self, shortest: usize) {
        if self.row.len() >= shortest {
            self.row.sort_unstable();
            for pair in self.row.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                pair.iter()
                    .for_each(|&(_, place)| bits::insert(&mut self.places, place));
            }
        }
        self.row.clear();
    }

    /// The positions, by their places.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        bits::ones_of(&self.places)
    }

    /// Whether the position at a place may be repeated.
    #[inline]
    pub(super) fn contains(&self, place: u32) -> bool {
        bits::contains(&self.places, place)
    }
}

#[cfg(test)]
mod tests {
    use chess::Board;

    use super::*;

    /// The places of a game that are repeated, where each move is two squares.
    fn places(moves: &[(Square, Square)]) -> Vec<u32> {
        let line: Vec<PackedMove> = (moves.iter())
            .map(|&(from, to)| PackedMove::new(from, to, MoveKind::Normal))
            .collect();
        let mut repeatable = Repeatable::default();
        repeatable.read(&Mailbox::of(&Board::initial()), &line);
        assert!(repeatable.iter().all(|place| repeatable.contains(place)));
        repeatable.iter().collect()
    }

    #[test]
    fn what_was_before_a_pawn_move_or_a_capture_does_not_come_back() {
        use Square::{B8, C6, D4, E2, E4, F3, G1};
        let (out, back) = ([(G1, F3), (B8, C6)], [(F3, G1), (C6, B8)]);
        let pair = [out, back].concat();
        // Out and back again: the first and the last position are the same.
        assert_eq!(places(&pair), [0, 4]);
        assert_eq!(places(&pair[..3]), []);
        assert_eq!(places(&[&[(E2, E4)], &pair[..]].concat()), [1, 5]);
        assert_eq!(places(&[&pair[..], &[(E2, E4)], &pair[..]].concat()), [0, 4, 5, 9]);
        assert_eq!(places(&[&pair[..], &pair[..]].concat()), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        // A knight goes where the other one takes it.
        let taken = [(G1, F3), (B8, C6), (F3, D4), (C6, D4)];
        assert_eq!(places(&taken), []);
        assert_eq!(places(&[&pair[..], &taken[..]].concat()), [0, 1, 2, 4, 5, 6]);
    }

    #[test]
    fn the_same_boards_are_found_as_by_comparing_them() {
        use Square::{A1, A4, B1, B8, C3, C6, E1, E8, F1, F8, G1, H1, H4};
        let normal = |from, to| PackedMove::new(from, to, MoveKind::Normal);
        // White may castle, and black has room for the king.
        let mut first = Mailbox::of(&Board::initial());
        for (from, to) in [(F1, A4), (G1, H4), (F8, C6)] {
            first.play(normal(from, to));
        }
        let moves = [
            normal(B1, C3),
            normal(C3, B1),
            normal(B8, F8),
            normal(F8, B8),
            normal(E8, F8),
            normal(F8, E8),
            PackedMove::new(E1, H1, MoveKind::Castle),
            normal(G1, E1),
            normal(F1, H1),
            PackedMove::NULL,
            normal(A1, B1),
            normal(B1, A1),
        ];
        let mut repeated = 0;
        for seed in 0..300u32 {
            let (mut line, mut boards) = (Vec::new(), vec![first.clone()]);
            for number in (0..60u32).map(|at| (seed * 60 + at).wrapping_mul(0x9e37_79b9) >> 20) {
                let m = moves[number as usize % moves.len()];
                let mut board = boards[boards.len() - 1].clone();
                let is_empty = |square| board.at(square) == Man::EMPTY;
                let is_possible = match m.kind() {
                    MoveKind::Castle => !is_empty(E1) && !is_empty(H1) && is_empty(F1) && is_empty(G1),
                    MoveKind::Null => true,
                    _ => !is_empty(m.from()) && is_empty(m.to()),
                };
                if is_possible {
                    board.play(m);
                    boards.push(board);
                    line.push(m);
                }
            }
            let is_repeated = |&(_, board): &(u32, &Mailbox)| boards.iter().filter(|&other| other == board).count() > 1;
            let expected = (0..).zip(&boards).filter(is_repeated).map(|(place, _)| place);
            let expected: Vec<u32> = expected.collect();
            let mut repeatable = Repeatable::default();
            repeatable.read(&first, &line);
            assert_eq!(repeatable.iter().collect::<Vec<_>>(), expected, "{line:?}");
            repeated += expected.len();
        }
        assert!(repeated > 1000);
    }
}
