//! The virtual main line: what is reached by primary moves and by variations of Black's moves, up to a null move
//! (docs/language/games.md).

use chess::MoveKind;
use shakmaty::Color;

use super::{GameView, node_at};

impl GameView {
    /// Whether a position lies on the virtual main line. That is found out for all positions at once.
    pub(crate) fn is_on_virtual_main_line(&self, node: u32) -> bool {
        bits::contains(
            self.virtual_main_line.get_or_init(|| self.find_virtual_main_line()),
            node,
        )
    }

    /// A bit for each position.
    fn find_virtual_main_line(&self) -> Vec<u64> {
        let mut found = vec![0; self.len().div_ceil(bits::BITS as usize)];
        bits::insert(&mut found, 0);
        for node in 1..node_at(self.len()) {
            let black_moved = self.turn(node) == Color::White;
            let is_null = self.moves[node as usize].is_some_and(|m| m.kind() == MoveKind::Null);
            if !is_null
                && (black_moved || !self.is_secondary(node))
                && self.parent(node).is_some_and(|parent| bits::contains(&found, parent))
            {
                bits::insert(&mut found, node);
            }
        }
        found
    }
}
