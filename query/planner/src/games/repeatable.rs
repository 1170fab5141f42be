//! Which positions of a game another one repeats, as far as the men are asked for: neither a pawn move nor a capture is ever
//! taken back, and between two of these boards are compared by a hash (A. L. Zobrist, "A new hashing method with application for
//! game playing", 1970).

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets};
use language::hir::ManSet;
use shakmaty::{Bitboard, Role, Square};

use super::keys::{CONTENTS, mixed};
use crate::expr::{Alike, SetExpr, Turns};

/// The positions of a game in which certain men stand as they do in another one.
#[derive(Debug)]
pub(super) struct Repeatable {
    /// By man and square, what a man there adds to the hash of a board; an empty square and men that are not asked for add nothing.
    parts: Vec<u64>,
    /// What the side to move adds to it, by turn.
    turns: [u64; 2],
    /// How many positions in a row there are at least when one of them is repeated.
    shortest: usize,
    /// The same where a null move or castling is among the moves, which may leave the men where they are.
    shortest_with_special: usize,
    /// The pawns whose moves are never taken back.
    pawns: ManSet,
    /// The men that don't come back when they are captured.
    captured: ManSet,
    places: Vec<u64>,
    /// The hashes and the places of positions in a row, without what is the same for all of them.
    row: Vec<(u64, u32)>,
}

impl Repeatable {
    /// Men that have to stand on the same squares in two positions; `None` if most positions would be left.
    pub(super) fn of(alike: &Alike) -> Option<Repeatable> {
        if alike.itself {
            return None;
        }
        if alike.has_same_board() {
            let distinct = std::array::from_fn(|man| if man < Man::KINDS { man as u64 + 1 } else { 0 });
            // Each side moves away and back.
            return Some(Repeatable::with_labels(distinct, [0; 2], [5, 2]));
        }
        // Men of one side stay where they are while the other side moves.
        if alike.turns != Some(Turns::Same) {
            return None;
        }
        let sets = alike.sets.iter().filter_map(|sets| match sets {
            [
                SetExpr::Contents(there, Bitboard::FULL),
                SetExpr::Contents(here, Bitboard::FULL),
            ] if there == here => Some(*here),
            _ => None,
        });
        let mut labels = [0; CONTENTS];
        for (digit, men) in sets.take(u64::BITS as usize).enumerate() {
            for man in Man::all().filter(|&man| men.contains(man) != men.contains(Man::EMPTY)) {
                labels[man.index()] |= 1 << digit;
            }
        }
        let is_any = labels.iter().any(|&label| label != 0);
        is_any.then(|| Repeatable::with_labels(labels, [0, mixed(0)], [3, 3]))
    }

    /// Boards are the same where all squares have the same labels; 0 is that of an empty square.
    fn with_labels(
        labels: [u64; CONTENTS],
        turns: [u64; 2],
        [shortest, shortest_with_special]: [usize; 2],
    ) -> Repeatable {
        let label = |man: Man| labels[man.index()];
        let is_alone = |man: &Man| Man::all().filter(|&other| label(other) == label(*man)).count() == 1;
        let pawns = Man::all().filter(|man| man.role() == Some(Role::Pawn));
        // A pawn without a label becomes a man that has one.
        let can_add = |pawn: Man| {
            let mut others = Man::all().filter(|man| man.color() == pawn.color() && man.role() != Some(Role::King));
            label(pawn) == 0 && others.any(|man| label(man) != 0)
        };
        let is_captured_for_good = |man: &Man| label(*man) != 0 && !pawns.clone().any(can_add);
        let part = |man: Man, square: u64| match label(man) {
            0 => 0,
            label => mixed(label.wrapping_mul(64).wrapping_add(square)),
        };
        let contents = || Man::all().chain([Man::EMPTY]);
        Repeatable {
            parts: contents()
                .flat_map(|man| (0..64).map(move |square| part(man, square)))
                .collect(),
            turns,
            shortest,
            shortest_with_special,
            pawns: (pawns.clone().filter(|pawn| label(*pawn) != 0 && is_alone(pawn))).collect(),
            captured: Man::all().filter(is_captured_for_good).collect(),
            places: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Reads a game.
    pub(super) fn read(&mut self, board: &Mailbox, line: &[PackedMove]) {
        self.places.clear();
        self.places.resize(line.len() / bits::BITS as usize + 1, 0);
        let mut board = board.clone();
        let (mut hash, mut shortest) = (0, self.shortest);
        self.row.clear();
        self.row.push((hash, 0));
        for (place, &m) in (1..).zip(line) {
            let (from, to) = (m.from(), m.to());
            let mover = board.at(from);
            let mut is_last = self.pawns.contains(mover);
            match m.kind() {
                MoveKind::Null => shortest = self.shortest_with_special,
                MoveKind::Castle => {
                    shortest = self.shortest_with_special;
                    let (rook, (king_to, rook_to)) = (board.at(to), castling_targets(from, to));
                    let king = self.part(mover, from) ^ self.part(mover, king_to);
                    hash ^= king ^ self.part(rook, to) ^ self.part(rook, rook_to);
                }
                MoveKind::Normal | MoveKind::DoubleStep => {
                    let captured = board.at(to);
                    hash ^= self.part(mover, from) ^ self.part(mover, to) ^ self.part(captured, to);
                    is_last |= self.captured.contains(captured);
                }
                _ if is_last => {}
                _ => {
                    let mut after = board.clone();
                    after.play(m);
                    hash ^= self.on(&board) ^ self.on(&after);
                }
            }
            board.play(m);
            if is_last {
                self.end_row(shortest);
                (hash, shortest) = (0, self.shortest);
            }
            self.row.push((hash ^ self.turns[place as usize % 2], place));
        }
        self.end_row(shortest);
    }

    #[inline]
    fn part(&self, man: Man, square: Square) -> u64 {
        self.parts[man.index() * 64 + usize::from(square)]
    }

    fn on(&self, board: &Mailbox) -> u64 {
        let parts = Square::ALL.map(|square| self.part(board.at(square), square));
        parts.into_iter().fold(0, |hash, part| hash ^ part)
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
    use shakmaty::Color;

    use super::*;

    fn whole_boards() -> Repeatable {
        let alike = Alike {
            same_contents: 64..=64,
            ..Alike::any()
        };
        Repeatable::of(&alike).expect("whole boards can be compared")
    }

    /// Certain men on the same squares, with the same side to move.
    fn men_stay(sets: &[ManSet]) -> Repeatable {
        let squares = |men: &ManSet| SetExpr::Contents(*men, Bitboard::FULL);
        let alike = Alike {
            turns: Some(Turns::Same),
            sets: sets.iter().map(|men| [squares(men), squares(men)]).collect(),
            ..Alike::any()
        };
        Repeatable::of(&alike).expect("men can be compared")
    }

    /// The places of a game that are repeated, where each move is two squares.
    fn places(moves: &[(Square, Square)]) -> Vec<u32> {
        let line: Vec<PackedMove> = (moves.iter())
            .map(|&(from, to)| PackedMove::new(from, to, MoveKind::Normal))
            .collect();
        let mut repeatable = whole_boards();
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
                let side = [Color::White, Color::Black][line.len() % 2];
                let is_possible = match m.kind() {
                    _ if m != PackedMove::NULL && board.at(m.from()).color() != Some(side) => false,
                    MoveKind::Castle => !is_empty(E1) && !is_empty(H1) && is_empty(F1) && is_empty(G1),
                    MoveKind::Null => true,
                    _ => !is_empty(m.from()) && (is_empty(m.to()) || m.from() != m.to() && number % 17 == 0),
                };
                if is_possible {
                    board.play(m);
                    boards.push(board);
                    line.push(m);
                }
            }
            let mut check = |mut repeatable: Repeatable, is_same: &dyn Fn(u32, u32) -> bool| {
                let places = || (0..).zip(&boards).map(|(place, _)| place);
                let is_repeated = |&place: &u32| places().filter(|&other| is_same(place, other)).count() > 1;
                let expected: Vec<u32> = places().filter(is_repeated).collect();
                repeatable.read(&first, &line);
                assert_eq!(repeatable.iter().collect::<Vec<_>>(), expected, "{line:?}");
                repeated += expected.len();
            };
            let board = |place: u32| &boards[place as usize];
            check(whole_boards(), &|a, b| board(a) == board(b));
            for sets in [
                &[ManSet::BLACK][..],
                &[ManSet::from_role(Role::King), ManSet::from_role(Role::Pawn)],
                &[
                    ManSet::WHITE | ManSet::from_role(Role::Bishop),
                    ManSet::from_role(Role::Rook),
                ],
            ] {
                let men = |place: u32, set: ManSet| Square::ALL.map(|square| set.contains(board(place).at(square)));
                let are_same = |a: u32, b: u32| sets.iter().all(|&set| men(a, set) == men(b, set));
                check(men_stay(sets), &|a, b| a % 2 == b % 2 && are_same(a, b));
            }
        }
        assert!(repeated > 1000);
    }
}
