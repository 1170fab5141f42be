//! The squares that each piece comes to later in the game: whether a piece is ever on a square again is known without a look
//! at the positions in between.

use shakmaty::Bitboard;

use super::GameView;
use super::places::NO_SQUARE;

/// For each position, the squares on which each piece stands somewhere below it.
#[derive(Clone, Debug, Default)]
pub(super) struct Ahead {
    /// By position, this number of sets: one for each piece by its identity number.
    stride: usize,
    squares: Vec<Bitboard>,
}

impl Ahead {
    fn of(game: &GameView) -> Ahead {
        let stride = game.board(0).occupied().count();
        let mut squares = vec![Bitboard::EMPTY; stride * game.places.len()];
        let add = |squares: &mut [Bitboard], node: u32| {
            let places = game.places.rows(node).as_flattened();
            match game.moved.get(node as usize + 1) {
                // Others stand where they stand at the next position, which is in there.
                Some((moved, captured)) if !game.has_variations() => {
                    for id in bits::ones(moved | captured) {
                        add_all(&mut squares[id as usize..][..1], &places[id as usize..]);
                    }
                }
                _ => add_all(squares, places),
            }
        };
        for node in (1..game.last_node() + 1).rev() {
            let Some(parent) = game.parent(node) else { continue };
            let (above, below) = squares.split_at_mut(stride * node as usize);
            let above = &mut above[stride * parent as usize..][..stride];
            for (above, below) in above.iter_mut().zip(below) {
                *above |= *below;
            }
            add(above, node);
        }
        Ahead { stride, squares }
    }
}

/// Adds to sets, one for each piece, where these stand.
fn add_all(sets: &mut [Bitboard], places: &[u8]) {
    for (set, &place) in sets.iter_mut().zip(places) {
        if place != NO_SQUARE {
            set.0 |= 1 << place;
        }
    }
}

impl GameView {
    /// The squares on which a piece stands at positions below a node; all if that is not known.
    #[inline]
    pub(crate) fn squares_ahead(&self, node: u32, id: u8) -> Bitboard {
        // Imagined positions are added one by one.
        if self.places.len() != self.boards.len() || self.added > 0 {
            return Bitboard::FULL;
        }
        let Ahead { stride, squares } = self.ahead.get_or_init(|| Ahead::of(self));
        let id = usize::from(id);
        match id < *stride {
            true => squares[stride * node as usize + id],
            false => Bitboard::FULL,
        }
    }
}
