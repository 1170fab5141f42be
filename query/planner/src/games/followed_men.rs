//! The men of a game, each with its moves.

use chess::{Mailbox, Man, MoveKind, PackedMove, castling_targets, en_passant_square};
use shakmaty::Square;

use crate::expr::OwnMove;

/// No man stands there.
const NOBODY: u8 = u8::MAX;

/// Men that are followed from move to move.
#[derive(Debug)]
pub(super) struct FollowedMen {
    /// By square, the number of the man that stands there.
    on: [u8; 64],
    /// By man, where it stood at first and its moves; more than there are, so that their memory is used again.
    men: Vec<(Square, Vec<OwnMove>)>,
    /// How many there are.
    count: usize,
}

impl FollowedMen {
    /// Nobody.
    pub(super) fn new() -> FollowedMen {
        FollowedMen {
            on: [NOBODY; 64],
            men: Vec::new(),
            count: 0,
        }
    }

    /// Those men of a board that are followed, who have not moved.
    pub(super) fn begin(&mut self, board: &Mailbox, is_followed: impl Fn(Man) -> bool) {
        self.on = [NOBODY; 64];
        self.count = 0;
        for square in Square::ALL {
            if !is_followed(board.at(square)) {
                continue;
            }
            match self.men.get_mut(self.count) {
                Some((first, moves)) => {
                    *first = square;
                    moves.clear();
                }
                None => self.men.push((square, Vec::new())),
            }
            self.on[usize::from(square)] = u8::try_from(self.count).unwrap_or(NOBODY);
            self.count += 1;
        }
    }

    /// Notes a move of a man that is not followed.
    #[inline]
    pub(super) fn play_another(&mut self, m: PackedMove) {
        match m.kind() {
            MoveKind::Castle | MoveKind::Null => {}
            MoveKind::EnPassant => {
                self.lift(en_passant_square(m.from(), m.to()));
            }
            _ => {
                self.lift(m.to());
            }
        }
    }

    /// Notes a move that is made in a position, of some kinds. A null move is nobody's.
    pub(super) fn play(&mut self, position: u32, m: PackedMove, kinds: u64) {
        match m.kind() {
            MoveKind::Null => {}
            MoveKind::Castle => {
                let (king_to, rook_to) = castling_targets(m.from(), m.to());
                let castling = [(self.lift(m.from()), king_to), (self.lift(m.to()), rook_to)];
                for (man, to) in castling {
                    self.put(man, OwnMove { position, to, kinds });
                }
            }
            kind => {
                if kind == MoveKind::EnPassant {
                    self.lift(en_passant_square(m.from(), m.to()));
                }
                let man = self.lift(m.from());
                let to = m.to();
                self.put(man, OwnMove { position, to, kinds });
            }
        }
    }

    fn lift(&mut self, square: Square) -> u8 {
        std::mem::replace(&mut self.on[usize::from(square)], NOBODY)
    }

    fn put(&mut self, man: u8, own: OwnMove) {
        self.on[usize::from(own.to)] = man;
        if let Some((_, moves)) = self.men.get_mut(usize::from(man)) {
            moves.push(own);
        }
    }

    /// The men that have moved: where they stood at first, and their moves.
    pub(super) fn moved(&self) -> impl Iterator<Item = (Square, &[OwnMove])> {
        let men = self.men[..self.count]
            .iter()
            .map(|(square, moves)| (*square, &moves[..]));
        men.filter(|(_, moves)| !moves.is_empty())
    }
}
