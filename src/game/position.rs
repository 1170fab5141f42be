//! A position of a game, and the way from one to the next.

use chess::{Board, PackedMove};
use shakmaty::Color;

use super::Game;

/// A position in the tree of a [`Game`].
#[derive(Clone, Copy, Debug)]
pub struct Position<'g> {
    game: &'g Game,
    id: u32,
}

impl<'g> Position<'g> {
    pub(super) fn new(game: &'g Game, id: u32) -> Position<'g> {
        Position { game, id }
    }

    /// Its `positionid`: 0 for the start of the game, then in the order of the PGN, but a move before its variations.
    /// [`Match::node`](crate::Match::node) is the same number.
    pub fn id(self) -> u32 {
        self.id
    }

    /// Half-moves from the start of the game.
    pub fn ply(self) -> u32 {
        self.game.view.ply(self.id)
    }

    /// How many variations it is inside of; 0 on the main line.
    pub fn depth(self) -> u32 {
        self.game.view.depth(self.id)
    }

    /// The men and the side to move.
    pub fn board(self) -> &'g Board {
        self.game.view.board(self.id)
    }

    /// The side to move.
    pub fn turn(self) -> Color {
        self.board().turn()
    }

    /// The FEN as CQL's filter `fen` gives it: castling rights and en passant square come from the moves of the game,
    /// the counters are always `0 1`.
    pub fn fen(self) -> String {
        self.game.view.rights(self.id).fen(self.board())
    }

    /// The number of the move that is to be played, as PGN has it.
    pub fn move_number(self) -> u32 {
        self.game.view.printed_move_number(self.id)
    }

    /// The move that led here; `None` at the start of the game.
    pub fn last_move(self) -> Option<PackedMove> {
        self.game.view.last_move(self.id)
    }

    /// The move that led here in standard algebraic notation, such as `Nf6`.
    pub fn san(self) -> Option<String> {
        Some(self.parent()?.board().san(self.last_move()?))
    }

    /// The same with its number: `12.Nf3`, `12...Nf6`.
    pub fn numbered_san(self) -> Option<String> {
        let (parent, san) = (self.parent()?, self.san()?);
        let dots = if parent.turn() == Color::White { "." } else { "..." };
        Some(format!("{}{dots}{san}", parent.move_number()))
    }

    /// The comment on it; that on the start of the game stands before the first move.
    pub fn comment(self) -> Option<&'g str> {
        find(&self.game.text().comments, self.id)
    }

    /// The comment at the beginning of the variation that starts with the move to this position.
    pub fn variation_comment(self) -> Option<&'g str> {
        find(&self.game.text().variation_comments, self.id)
    }

    /// The numeric annotation glyphs of the move that led here: 1 is `!`, 2 is `?`.
    pub fn nags(self) -> impl Iterator<Item = u8> + 'g {
        let nags = &self.game.text().nags;
        let first = nags.partition_point(|&(id, _)| id < self.id);
        let of_this = nags[first..].iter().take_while(move |&&(id, _)| id == self.id);
        of_this.map(|&(_, nag)| nag)
    }

    /// The position before the last move.
    pub fn parent(self) -> Option<Position<'g>> {
        let id = self.game.view.parent(self.id)?;
        Some(Position { id, ..self })
    }

    /// The position after the next move of the same line; `None` at its end.
    pub fn next(self) -> Option<Position<'g>> {
        let id = self.game.view.primary_child(self.id)?;
        Some(Position { id, ..self })
    }

    /// The positions after each move that is given here: that of [`Position::next`], then the first of each variation.
    pub fn children(self) -> impl Iterator<Item = Position<'g>> + 'g {
        self.game.view.children(self.id).map(move |id| Position { id, ..self })
    }

    /// The first position of each variation that begins here.
    pub fn variations(self) -> impl Iterator<Item = Position<'g>> + 'g {
        let next = self.next().map(|next| next.id);
        self.children().filter(move |child| Some(child.id) != next)
    }
}

impl PartialEq for Position<'_> {
    /// Whether it is the same position of the same game in memory.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.game, other.game) && self.id == other.id
    }
}

impl Eq for Position<'_> {}

/// The text of a position in a list that ascends by position.
fn find(texts: &[(u32, String)], id: u32) -> Option<&str> {
    let index = texts.binary_search_by_key(&id, |&(id, _)| id).ok()?;
    Some(&texts[index].1)
}
