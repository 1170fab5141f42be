//! Which piece is which: each is followed from the root through the game.

use chess::{MoveKind, PackedMove, castling_targets, en_passant_square};
use shakmaty::Square;

use super::places::NO_SQUARE;
use super::{GameView, NO_PIECE, node_at};

impl GameView {
    /// Follows every piece from the root through the game (docs/language/games.md#positions-and-their-numbers), for
    /// filters that ask for identity.
    pub fn identify(&mut self) {
        let (occupied, positions) = (self.board(0).occupied(), self.len());
        self.places.begin(occupied, positions);
        self.moved.clear();
        self.moved.push((0, 0));
        self.tracks.begin(positions, occupied.count());
        let (mut on, mut before) = (self.places.board(0), 0);
        for node in 1..positions {
            let parent = self.parent(node_at(node)).unwrap_or(0);
            if parent != before {
                on = self.places.board(parent);
            }
            before = node_at(node);
            let moved = match self.moves[node] {
                Some(m) if m.is_plain() => {
                    let lift = |square: Square| std::mem::replace(&mut on[usize::from(square)], NO_PIECE);
                    let [mover, captured] = [m.from(), m.to()].map(lift);
                    on[usize::from(m.to())] = mover;
                    self.places.push(parent, captured, mover, m.to());
                    (bit(mover), bit(captured))
                }
                other => {
                    self.places.push_copy(parent);
                    other.map_or((0, 0), |m| {
                        let moved = moved_pieces(&on, m);
                        move_pieces(&mut on, m, |id, square| self.places.put(id, square));
                        moved
                    })
                }
            };
            self.tracks.note(moved.0, node_at(node));
            self.moved.push(moved);
        }
    }
}

/// A bit for a piece.
#[inline]
fn bit(id: u8) -> u64 {
    match id {
        NO_PIECE => 0,
        id => 1 << (id % 64),
    }
}

/// The pieces that a move moves and the one that it captures, a bit for each, given what stands on each square before it.
fn moved_pieces(on: &[u8; 64], m: PackedMove) -> (u64, u64) {
    let on = |square: Square| bit(on[usize::from(square)]);
    let (from, to) = (m.from(), m.to());
    match m.kind() {
        MoveKind::Castle => (on(from) | on(to), 0),
        MoveKind::EnPassant => (on(from), on(en_passant_square(from, to))),
        MoveKind::Null => (on(from), 0),
        _ => (on(from), on(to)),
    }
}

/// Moves the pieces, given what stands on each square, and tells where those that are somewhere else then are.
pub(super) fn move_pieces(on: &mut [u8; 64], m: PackedMove, mut put: impl FnMut(u8, u8)) {
    let mut lift = |square: Square| std::mem::replace(&mut on[usize::from(square)], NO_PIECE);
    let mut arrivals = [(NO_PIECE, m.to()); 2];
    let mut captured = [NO_PIECE; 2];
    match m.kind() {
        MoveKind::Null => return,
        MoveKind::Castle => {
            let (king_to, rook_to) = castling_targets(m.from(), m.to());
            arrivals = [(lift(m.from()), king_to), (lift(m.to()), rook_to)];
            // Damaged data can have men there.
            captured = [lift(king_to), lift(rook_to)];
        }
        kind => {
            arrivals[0].0 = lift(m.from());
            captured[0] = lift(m.to());
            if kind == MoveKind::EnPassant {
                captured[1] = lift(en_passant_square(m.from(), m.to()));
            }
        }
    }
    for id in captured.into_iter().filter(|&id| id != NO_PIECE) {
        put(id, NO_SQUARE);
    }
    for (id, square) in arrivals.into_iter().filter(|&(id, _)| id != NO_PIECE) {
        put(id, u8::from(square));
        on[usize::from(square)] = id;
    }
}
