//! Games that end with a position that was not played (docs/language/cqli.md#imagined-positions): the moves up to a
//! position of another game, and imagined positions behind it.

use chess::{Man, PackedMove};
use shakmaty::{Color, Square};

use super::identities::move_pieces;
use super::places::NO_SQUARE;
use super::{GameView, NO_PIECE, node_at};

impl GameView {
    /// Makes this the line that leads to a position of another game. If this was a line of the same game before, the
    /// positions of its main line stay.
    pub(crate) fn load_line(&mut self, game: &GameView, node: u32, is_same_game: bool) {
        let end = node as usize + 1;
        let shared = end.min(game.main_line);
        let is_linear = shared == end || !game.has_variations();
        let kept = match is_same_game && is_linear {
            true => shared.min(self.main_line),
            false => 0,
        };
        self.boards.truncate(kept);
        self.moves.truncate(kept);
        self.places.truncate(kept);
        self.ahead.take();
        self.virtual_main_line.take();
        (self.number, self.fullmoves, self.added) = (game.number, game.fullmoves, game.added);
        if is_linear {
            self.main_line = shared;
            // Few filters ask for the boards before the last one.
            if shared > kept {
                if kept == 0 {
                    self.boards.push(game.board(0).clone());
                }
                self.boards.grow(shared);
            }
            (shared..end).for_each(|index| self.boards.push(game.board(node_at(index)).clone()));
            self.boards.make_last(game.board(node));
            self.moves.extend_from_slice(&game.moves[kept..end]);
            self.places.extend(&game.places, kept..end);
            return;
        }
        self.main_line = 0;
        let mut line = vec![node];
        while let Some(parent) = line.last().and_then(|&node| game.parent(node)) {
            line.push(parent);
        }
        for index in line.into_iter().rev().map(|node| node as usize) {
            self.boards.push(game.board(node_at(index)).clone());
            self.moves.push(game.moves[index]);
            self.places.extend(&game.places, index..index + 1);
        }
    }

    /// Adds the position behind a move.
    pub(crate) fn push_move(&mut self, m: PackedMove) {
        self.push_copy();
        if let Some(board) = self.boards.last_mut() {
            board.play(m);
        }
        if let Some(last) = self.moves.last_mut() {
            *last = Some(m);
        }
        if let Some(last) = self.places.last() {
            let mut on = self.places.board(last);
            move_pieces(&mut on, m, |id, square| self.places.put(id, square));
        }
    }

    /// Adds the last position again, as one that no move leads to.
    pub(crate) fn push_copy(&mut self) {
        self.ahead.take();
        self.virtual_main_line.take();
        if let Some(last) = self.boards.last_mut().cloned() {
            self.boards.push(last);
        }
        self.moves.push(None);
        if let Some(last) = self.places.last() {
            self.places.push_copy(last);
        }
    }

    /// Takes the last position away.
    pub(crate) fn pop(&mut self) {
        self.boards.pop();
        self.moves.pop();
        self.places.pop();
    }

    /// Gives the move to a side, in the last position.
    pub(crate) fn set_turn(&mut self, turn: Color) {
        self.virtual_main_line.take();
        if let Some(board) = self.boards.last_mut() {
            board.set_turn(turn);
        }
    }

    /// Takes the man on a square away, in the last position.
    pub(crate) fn remove_man(&mut self, square: Square) {
        self.replace(square, Man::EMPTY, NO_PIECE);
    }

    /// Puts a new man on a square, in the last position.
    pub(crate) fn add_man(&mut self, square: Square, man: Man) {
        // The men of the start have the first numbers.
        let id = self.board(0).occupied().count() + self.added;
        self.added += 1;
        let id = u8::try_from(id).ok().filter(|&id| id < NO_SQUARE);
        self.replace(square, man, id.unwrap_or(NO_PIECE));
    }

    /// Puts the man on a square on another one, in the last position.
    pub(crate) fn move_man(&mut self, from: Square, to: Square) {
        let man = self.boards.last_mut().map_or(Man::EMPTY, |board| board.at(from));
        let id = self.last_piece_on(from).unwrap_or(NO_PIECE);
        self.remove_man(from);
        self.replace(to, man, id);
    }

    fn replace(&mut self, square: Square, man: Man, id: u8) {
        if let Some(board) = self.boards.last_mut() {
            board.replace(square, man);
        }
        if let Some(before) = self.last_piece_on(square) {
            self.places.put(before, NO_SQUARE);
        }
        self.places.put(id, u8::from(square));
    }

    /// The piece that stands on a square in the last position.
    fn last_piece_on(&self, square: Square) -> Option<u8> {
        self.places.piece_on(self.places.last()?, square)
    }
}
