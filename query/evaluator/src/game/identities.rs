//! Which piece is which: each is followed from the root through the game.

use chess::{MoveKind, PackedMove, castling_targets, en_passant_square};
use shakmaty::Square;

use super::{GameView, NO_PIECE, NO_SQUARE, node_at};

impl GameView {
    /// Follows every piece from the root through the game (docs/language/games.md#positions-and-their-numbers), for
    /// filters that ask for identity.
    pub fn identify(&mut self) {
        let mut identities = [NO_PIECE; 64];
        let mut places = [NO_SQUARE; 64];
        for (id, square) in (0u8..).zip(self.board(0).occupied()) {
            identities[usize::from(square)] = id;
            places[usize::from(id)] = u8::from(square);
        }
        self.identities.clear();
        self.identities.push(identities);
        self.places.clear();
        self.places.push(places);
        self.moved.clear();
        self.moved.push((0, 0));
        let positions = self.len();
        self.tracks.begin(positions, self.board(0).occupied().count());
        let mut before = 0;
        for node in 1..self.len() {
            let parent = self.parent(node_at(node)).unwrap_or(0);
            if parent != before {
                identities = self.identities[parent as usize];
                places = self.places[parent as usize];
            }
            before = node_at(node);
            let moved = self.moves[node].map_or((0, 0), |m| {
                let moved = moved_pieces(&identities, m);
                move_identities(&mut identities, &mut places, m);
                moved
            });
            self.tracks.note(moved.0, node_at(node));
            self.moved.push(moved);
            self.identities.push(identities);
            self.places.push(places);
        }
    }
}

/// The pieces that a move moves and the one that it captures, a bit for each, given what stands on each square before it.
#[inline]
fn moved_pieces(ids: &[u8; 64], m: PackedMove) -> (u64, u64) {
    let on = |square: Square| match ids[usize::from(square)] {
        NO_PIECE => 0,
        id => 1 << (id % 64),
    };
    let (from, to) = (m.from(), m.to());
    if m.is_plain() {
        return (on(from), on(to));
    }
    match m.kind() {
        MoveKind::Castle => (on(from) | on(to), 0),
        MoveKind::EnPassant => (on(from), on(en_passant_square(from, to))),
        MoveKind::Null => (on(from), 0),
        _ => (on(from), on(to)),
    }
}

/// Moves the pieces, given what stands on each square and where each piece stands.
#[inline]
pub(super) fn move_identities(ids: &mut [u8; 64], places: &mut [u8; 64], m: PackedMove) {
    if !m.is_plain() {
        return move_special(ids, places, m);
    }
    let mut lift = |square: Square| std::mem::replace(&mut ids[usize::from(square)], NO_PIECE);
    let (mover, captured) = (lift(m.from()), lift(m.to()));
    if let Some(place) = places.get_mut(usize::from(captured)) {
        *place = NO_SQUARE;
    }
    if let Some(place) = places.get_mut(usize::from(mover)) {
        *place = u8::from(m.to());
        ids[usize::from(m.to())] = mover;
    }
}

/// The same for a move that is not plain.
fn move_special(ids: &mut [u8; 64], places: &mut [u8; 64], m: PackedMove) {
    let mut lift = |square: Square| std::mem::replace(&mut ids[usize::from(square)], NO_PIECE);
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
    for id in captured {
        if let Some(place) = places.get_mut(usize::from(id)) {
            *place = NO_SQUARE;
        }
    }
    for (id, square) in arrivals {
        if let Some(place) = places.get_mut(usize::from(id)) {
            *place = u8::from(square);
            ids[usize::from(square)] = id;
        }
    }
}
