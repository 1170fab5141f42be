//! The boards of a game, each made when it is first asked for: most searches ask for few of them.

use chess::{Board, Mailbox, PackedMove};
use once_cell::sync::OnceCell;
use shakmaty::Color;

/// At every eighth position of the main line, what stands on each square is kept. A board is rebuilt from the last of these.
const STRIDE: usize = 8;

/// Copies a board to its place. Inlined, the compiler makes two copies of it.
#[inline(never)]
fn put(place: &mut OnceCell<Board>, board: &Board) {
    *place = OnceCell::with_value(board.clone());
}

/// The boards of a game, by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Boards {
    boards: Vec<OnceCell<Board>>,
    /// What stands on each square in the first position of the main line and in each one [`STRIDE`] after it.
    kept: OnceCell<Vec<Mailbox>>,
}

impl Boards {
    /// Forgets the last game.
    pub(super) fn clear(&mut self) {
        self.boards.clear();
        self.kept.take();
    }

    /// Takes over a main line with this number of positions, the first of which is given.
    pub(super) fn load(&mut self, start: Board, positions: usize) {
        self.clear();
        self.boards.push(OnceCell::with_value(start));
        self.boards.resize_with(positions, OnceCell::new);
    }

    /// Makes the boards of the first positions, the main line, which is quicker than one by one. `moves` has the move that
    /// leads to each.
    pub(super) fn make(&mut self, moves: &[Option<PackedMove>]) {
        let Some(mut board) = self.boards.first().and_then(OnceCell::get).cloned() else {
            return;
        };
        for (place, &m) in self.boards.iter_mut().zip(moves).skip(1) {
            if let Some(m) = m {
                board.play(m);
            }
            put(place, &board);
        }
    }

    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.boards.len()
    }

    /// The board of a position; `moves` has the move that leads to each, `main_line` the number of positions of the main
    /// line.
    #[inline]
    pub(super) fn get(&self, node: usize, moves: &[Option<PackedMove>], main_line: usize) -> &Board {
        let board = &self.boards[node];
        match board.get() {
            Some(board) => board,
            None => board.get_or_init(|| self.rebuilt(node, &moves[..main_line])),
        }
    }

    /// The board of a position of the main line: from that of the position before it if that was made, as where positions are
    /// asked for in turn.
    fn rebuilt(&self, node: usize, moves: &[Option<PackedMove>]) -> Board {
        if let Some(before) = node.checked_sub(1).and_then(|before| self.boards[before].get()) {
            let mut board = before.clone();
            if let Some(m) = moves[node] {
                board.play(m);
            }
            return board;
        }
        let kept = self.kept.get_or_init(|| self.strides(moves));
        // The line may have grown since.
        let from = (node / STRIDE).min(kept.len() - 1);
        let mut mailbox = kept[from].clone();
        let moves = &moves[from * STRIDE + 1..=node];
        moves.iter().flatten().for_each(|&m| mailbox.play(m));
        mailbox.to_board(self.turn(node))
    }

    fn strides(&self, moves: &[Option<PackedMove>]) -> Vec<Mailbox> {
        let mut kept = Vec::with_capacity(moves.len() / STRIDE + 1);
        let start = self.boards.first().and_then(OnceCell::get);
        let mut mailbox = Mailbox::of(start.unwrap_or(&Board::EMPTY));
        for stride in moves.chunks(STRIDE) {
            // The first of all is no move.
            let (first, others) = stride.split_at(1);
            first.iter().flatten().for_each(|&m| mailbox.play(m));
            kept.push(mailbox.clone());
            others.iter().flatten().for_each(|&m| mailbox.play(m));
        }
        kept
    }

    /// The side to move in a position.
    #[inline]
    pub(super) fn turn(&self, node: usize) -> Color {
        match self.boards[node].get() {
            Some(board) => board.turn(),
            // Those of variations are all made. On the main line, the sides take turns.
            None => {
                let first = self.boards[0].get().map_or(Color::White, Board::turn);
                if node.is_multiple_of(2) { first } else { !first }
            }
        }
    }

    /// The last board, to be changed; `None` if there is none, or it was not made.
    pub(super) fn last_mut(&mut self) -> Option<&mut Board> {
        self.boards.last_mut()?.get_mut()
    }

    /// Adds a board.
    pub(super) fn push(&mut self, board: Board) {
        self.boards.push(OnceCell::with_value(board));
    }

    /// Makes the main line, of which there is at least the first board, this long. The new boards are made when they are
    /// asked for.
    pub(super) fn grow(&mut self, positions: usize) {
        self.boards.resize_with(positions, OnceCell::new);
    }

    /// Gives the last position its board, if it has none.
    pub(super) fn make_last(&mut self, board: &Board) {
        if let Some(last) = self.boards.last() {
            last.get_or_init(|| board.clone());
        }
    }

    /// Takes the last board away.
    pub(super) fn pop(&mut self) {
        self.boards.pop();
    }

    /// Keeps the first boards, of a main line that stays the same if there are any.
    pub(super) fn truncate(&mut self, kept: usize) {
        self.boards.truncate(kept);
        if kept == 0 {
            self.kept.take();
        }
    }
}
