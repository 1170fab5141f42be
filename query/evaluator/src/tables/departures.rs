//! From which positions of a game there are moves from a square, to a square, or of a piece: where a filter needs such a
//! move, it is not evaluated at the others.

use shakmaty::Bitboard;

use crate::game::GameView;
use crate::nodes::NodeSet;

/// Sets of more squares are not looked up one by one.
const MOST_SQUARES: usize = 8;

/// What the squares of a move are taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mover {
    /// All moves.
    Any,
    /// Those that begin, or end, on one of these squares.
    Squares(Bitboard),
    /// Those of a piece, by its identity number.
    Piece(u8),
}

impl Mover {
    /// Whether it leaves out enough to be looked up.
    fn is_narrow(self) -> bool {
        match self {
            Mover::Any => false,
            Mover::Squares(squares) => squares.count() <= MOST_SQUARES,
            Mover::Piece(_) => true,
        }
    }
}

/// The positions of a game by the squares of the moves that leave them.
#[derive(Debug, Default)]
pub(crate) struct Departures {
    is_known: bool,
    stride: usize,
    /// By square, this number of words: the positions with a move from it, then those with a move to it.
    words: Vec<u64>,
}

impl Departures {
    /// Forgets the last game.
    pub(super) fn start_game(&mut self) {
        self.is_known = false;
    }

    /// Adds the positions that may have a move like this; false if that says too little.
    pub(super) fn add(&mut self, game: &GameView, from: Mover, to: Mover, all: &mut NodeSet) -> bool {
        if !from.is_narrow() && !to.is_narrow() {
            return false;
        }
        if let (Mover::Squares(_), _) | (_, Mover::Squares(_)) = (from, to) {
            self.find(game);
        }
        if let Mover::Piece(id) = from {
            for child in game.moves_of(1 << (id % 64), 1, game.last_node()) {
                let holds = match to {
                    Mover::Squares(squares) => game.edge(child).is_some_and(|edge| (edge.to & squares).any()),
                    _ => true,
                };
                if let Some(head) = game.parent(child).filter(|_| holds) {
                    all.insert(head);
                }
            }
            return true;
        }
        for index in 0..self.stride {
            let from = self.word(from, 0, index);
            let to = self.word(to, 64, index);
            all.add_word(index, from & to);
        }
        true
    }

    /// The positions among 64 with a move that begins (`first` is 0) or ends (64) like this.
    fn word(&self, mover: Mover, first: usize, index: usize) -> u64 {
        match mover {
            Mover::Squares(squares) if mover.is_narrow() => squares.into_iter().fold(0, |all, square| {
                all | self.words[(first + usize::from(square)) * self.stride + index]
            }),
            _ => u64::MAX,
        }
    }

    fn find(&mut self, game: &GameView) {
        if self.is_known {
            return;
        }
        self.is_known = true;
        self.stride = game.len().div_ceil(64);
        self.words.clear();
        self.words.resize(128 * self.stride, 0);
        for child in game.nodes() {
            let (Some(edge), Some(head)) = (game.edge(child), game.parent(child)) else {
                continue;
            };
            let sides = [(edge.from, 0), (edge.to, 64)];
            for (squares, first) in sides {
                for square in squares {
                    let start = (first + usize::from(square)) * self.stride;
                    bits::insert(&mut self.words[start..start + self.stride], head);
                }
            }
        }
    }
}
