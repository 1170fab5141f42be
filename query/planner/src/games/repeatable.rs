//! Which positions of a game another one may repeat: neither a pawn move nor a capture is ever taken back.

use chess::{Mailbox, MoveKind, PackedMove};
use language::hir::ManSet;
use shakmaty::Role;

/// How many positions in a row there are at least when one of them is repeated: each side moves away and back.
const SHORTEST: u32 = 5;

/// The same where a null move or castling is among the moves, which may leave the men where they are.
const SHORTEST_WITH_SPECIAL: u32 = 2;

/// The positions of a game whose men may stand in another one as they do there.
#[derive(Debug, Default)]
pub(super) struct Repeatable {
    places: Vec<u64>,
}

impl Repeatable {
    /// Reads a game.
    pub(super) fn read(&mut self, board: &Mailbox, line: &[PackedMove]) {
        self.places.clear();
        self.places.resize(line.len() / bits::BITS as usize + 1, 0);
        let pawns = ManSet::from_role(Role::Pawn);
        let mut board = board.clone();
        // Where the positions in a row begin, and how many there are if one of them is repeated.
        let (mut since, mut shortest) = (0, SHORTEST);
        let mut end = 0;
        for &m in line {
            end += 1;
            let is_last = match m.kind() {
                MoveKind::Null | MoveKind::Castle => {
                    shortest = SHORTEST_WITH_SPECIAL;
                    false
                }
                MoveKind::Normal => pawns.contains(board.at(m.from())) || board.at(m.to()).color().is_some(),
                _ => true,
            };
            board.play(m);
            if is_last {
                self.add(since, end, shortest);
                (since, shortest) = (end, SHORTEST);
            }
        }
        self.add(since, end + 1, shortest);
    }

    /// Adds the positions in a row from one place up to another, if there are enough.
    fn add(&mut self, since: u32, end: u32, shortest: u32) {
        if end - since >= shortest {
            bits::set_range(&mut self.places, since..end);
        }
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
    use shakmaty::Square;

    use super::*;

    /// The places of a game that may be repeated, where each move is two squares.
    fn places(moves: &[(Square, Square)]) -> Vec<u32> {
        let line: Vec<PackedMove> = (moves.iter())
            .map(|&(from, to)| PackedMove::new(from, to, MoveKind::Normal))
            .collect();
        let mut repeatable = Repeatable::default();
        repeatable.read(&Mailbox::of(&Board::initial()), &line);
        (0..=u32::try_from(line.len()).unwrap_or(u32::MAX))
            .filter(|&place| repeatable.contains(place))
            .collect()
    }

    #[test]
    fn what_was_before_a_pawn_move_or_a_capture_does_not_come_back() {
        use Square::{B8, C6, D4, E2, E4, F3, G1};
        let (out, back) = ([(G1, F3), (B8, C6)], [(F3, G1), (C6, B8)]);
        let pair = [out, back].concat();
        // Out and back again: the first and the last position are the same.
        assert_eq!(places(&pair), [0, 1, 2, 3, 4]);
        assert_eq!(places(&pair[..3]), []);
        assert_eq!(places(&[&[(E2, E4)], &pair[..]].concat()), [1, 2, 3, 4, 5]);
        // A knight goes where the other one takes it.
        let taken = [(G1, F3), (B8, C6), (F3, D4), (C6, D4)];
        assert_eq!(places(&taken), []);
        assert_eq!(places(&[&pair[..], &taken[..]].concat()), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
