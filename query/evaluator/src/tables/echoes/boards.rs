//! The boards of a game, stored so that the common squares of two of them are found quickly.

use std::ops::Range;

use chess::Board;
use shakmaty::{Bitboard, Color, Role};

use super::contents::Labels;
use crate::game::node_at;
use crate::nodes::NodeSet;

/// The boards of a game.
#[derive(Debug, Default)]
pub(crate) struct Boards {
    /// What stands on the squares, as a number of four digits for each; by position.
    planes: Vec<[u64; 4]>,
}

impl Boards {
    /// Forgets what belongs to one game.
    pub(crate) fn clear(&mut self) {
        self.planes.clear();
    }

    /// Reads the boards of a game, if that has not been done.
    pub(crate) fn read<'g>(&mut self, boards: impl Iterator<Item = &'g Board>) {
        if self.planes.is_empty() {
            self.planes.extend(boards.map(planes));
        }
    }

    /// The squares with different contents.
    #[inline]
    pub(crate) fn difference(&self, a: u32, b: u32) -> Bitboard {
        let (a, b) = (&self.planes[a as usize], &self.planes[b as usize]);
        Bitboard((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]))
    }
}

/// Which boards of a game have the same labels, regardless of the side to move.
#[derive(Debug, Default)]
pub(crate) struct SameBoards {
    /// The labels of all squares, by position.
    keys: Vec<[u64; 4]>,
    /// The next later position with the same labels, by position; itself where there is none.
    next_same: Vec<u32>,
    /// The first position with the same labels, by position.
    first_same: Vec<u32>,
    /// By a hash: one more than the first position with some labels; 0 where there is none.
    table: Vec<u32>,
}

impl SameBoards {
    /// Forgets what belongs to one game.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
    }

    /// Finds out which boards are the same, if that has not been done.
    pub(crate) fn join<'g>(&mut self, boards: impl Iterator<Item = &'g Board>, labels: Labels) {
        if self.keys.is_empty() {
            self.keys.extend(boards.map(|board| labels.on(board)));
            self.find_same();
        }
    }

    /// The positions of a range that have the same labels, itself included.
    pub(crate) fn same(&self, node: u32, range: &Range<u32>, nodes: &mut NodeSet) {
        nodes.clear(self.keys.len());
        let mut other = self.first_same[node as usize];
        loop {
            if range.contains(&other) {
                nodes.insert(other);
            }
            let next = self.next_same[other as usize];
            if next == other {
                break;
            }
            other = next;
        }
    }

    fn find_same(&mut self) {
        let count = self.keys.len();
        let size = (2 * count).next_power_of_two().max(2);
        self.table.clear();
        self.table.resize(size, 0);
        let nodes = 0..node_at(count);
        self.next_same.clear();
        self.next_same.extend(nodes.clone());
        self.first_same.clear();
        self.first_same.extend(nodes.clone());
        // `last[first]` is the last position so far with the same labels as the position `first`.
        let mut last: Vec<u32> = Vec::with_capacity(count);
        for node in nodes {
            let key = &self.keys[node as usize];
            let mut place = hash(key) & (size - 1);
            last.push(node);
            loop {
                let Some(first) = self.table[place].checked_sub(1) else {
                    self.table[place] = node + 1;
                    break;
                };
                if self.keys[first as usize] == *key {
                    self.first_same[node as usize] = first;
                    self.next_same[last[first as usize] as usize] = node;
                    last[first as usize] = node;
                    break;
                }
                place = (place + 1) & (size - 1);
            }
        }
    }
}

/// A hash of the labels of a board: 32 bits, the upper half of the product.
fn hash(planes: &[u64; 4]) -> usize {
    let mix = |hash: u64, plane: &u64| (hash.rotate_left(23) ^ plane).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let upper = planes.iter().fold(0, mix) >> 32;
    usize::try_from(upper).unwrap_or(0)
}

/// What stands on the squares: three digits for the role, 0 for no man, and one for the color.
fn planes(board: &Board) -> [u64; 4] {
    let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.role(role).0);
    [
        pawns | bishops | queens,
        knights | bishops | kings,
        rooks | queens | kings,
        board.color(Color::Black).0,
    ]
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;

    #[test]
    fn boards_that_are_the_same_are_found() {
        let board = |square, letter| {
            let piece = shakmaty::Piece::from_char(letter).expect("the letter of a piece");
            Board::from_pieces([(square, piece)], Color::White)
        };
        let all = [
            board(Square::A1, 'K'),
            board(Square::A1, 'k'),
            board(Square::A1, 'K'),
            board(Square::H8, 'K'),
            board(Square::A1, 'K'),
        ];
        let mut boards = Boards::default();
        boards.read(all.iter());
        let mut joined = SameBoards::default();
        joined.join(all.iter(), Labels::distinct());
        let mut same = NodeSet::default();
        let mut of = |node, range| {
            joined.same(node, &range, &mut same);
            same.iter().collect::<Vec<_>>()
        };
        assert_eq!(of(2, 0..5), [0, 2, 4]);
        assert_eq!(of(0, 1..5), [2, 4]);
        assert_eq!(of(1, 0..5), [1]);
        assert_eq!(boards.difference(0, 1).count(), 1);
        assert_eq!(boards.difference(0, 2).count(), 0);
        assert_eq!(boards.difference(0, 3).count(), 2);
    }
}
