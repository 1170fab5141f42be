//! Whether the moves in focus that follow may be those of a path: quickly, and without its conditions between them.

use chess::MoveKind;
use language::hir::{Dash, Filter, Node, Path, Promotion, Range, VariableId};
use shakmaty::Bitboard;

use super::focus::Focused;
use crate::board::{along, designator};
use crate::guards::Outline;
use crate::machine::Machine;
use crate::value::Value;

impl<'a> Machine<'a, '_> {
    /// Whether the moves from here on may be those of a path that is not evaluated yet, as far as it is known which pieces are
    /// in focus.
    pub(crate) fn may_follow_path(&self, path: &Path, outline: &Outline<'a>) -> bool {
        let focused = match &path.focus {
            None if path.single_color => {
                let board = self.board();
                Some(Focused::on(self.pieces_on(board.color(board.turn()))))
            }
            None => None,
            Some(focus) if focus.capture => return true,
            Some(focus) => match self.pieces_known(&focus.pieces, &outline.assigned) {
                Some(pieces) => Some(Focused::on(pieces)),
                None => return true,
            },
        };
        self.may_follow(outline, focused)
    }

    /// The pieces that variables hold or that are of some kinds, a bit for each, if a set is that and nothing else.
    fn pieces_known(&self, set: &Filter, changing: &[VariableId]) -> Option<u64> {
        match &set.node {
            Node::Variable(variable) if !changing.contains(variable) => {
                match self.state.variables[variable.0 as usize] {
                    Some(Value::Piece(id)) => Some(1 << (id % 64)),
                    _ => None,
                }
            }
            Node::Designator(men) => Some(self.pieces_on(designator(self.board(), men))),
            Node::Union(parts) => parts
                .iter()
                .try_fold(0, |all, part| Some(all | self.pieces_known(part, changing)?)),
            _ => None,
        }
    }

    /// Whether the moves from here on may be those of a path. Where there are variations, that is not looked at.
    pub(super) fn may_follow(&self, outline: &Outline<'a>, focused: Option<Focused>) -> bool {
        let game = self.game;
        if game.has_variations() {
            return true;
        }
        let last = game.last_node();
        let mut child = self.node + 1;
        // The first move has to be in focus; before later ones, others are passed over.
        if child > last || focused.is_some_and(|focused| !focused.holds(game, child)) {
            return false;
        }
        let mut open = outline.first;
        loop {
            let mut made = 0;
            for number in bits::ones(open) {
                let asked = outline.moves[number as usize];
                if asked.is_none_or(|dash| self.may_make(dash, child, &outline.assigned)) {
                    made |= 1 << number;
                }
            }
            if made & outline.last != 0 {
                return true;
            }
            open = bits::ones(made).fold(0, |open, number| open | outline.after[number as usize]);
            let next = match focused {
                Some(focused) => focused.next(game, child + 1, last),
                None => Some(child + 1).filter(|&child| child <= last),
            };
            match next {
                Some(next) if open != 0 => child = next,
                _ => return false,
            }
        }
    }

    /// Whether a dash may accept the move to a child, as far as squares that are quickly known tell.
    fn may_make(&self, dash: &Dash, child: u32, changing: &[VariableId]) -> bool {
        let Some(edge) = self.game.edge(child) else { return true };
        if let Some(Promotion::Roles(men)) = &dash.promotion
            && !edge.promotes_to(*men)
        {
            return false;
        }
        if dash.capture && edge.capture.is_none() {
            return false;
        }
        // King and rook are accepted each with its own squares.
        if edge.packed.kind() == MoveKind::Castle {
            return true;
        }
        let meets = |set: &Option<Filter>, squares: Bitboard| {
            let set = set
                .as_ref()
                .and_then(|set| self.squares_known(set, child - 1, changing));
            set.is_none_or(|set| (set & squares).any())
        };
        let target = match dash.capture {
            true => edge.capture.map_or(Bitboard::EMPTY, Bitboard::from_square),
            false => edge.to,
        };
        meets(&dash.left, edge.from) && meets(&dash.right, target)
    }

    /// Squares outside of which a set has none at a position, if that is quickly known. The values of some variables are
    /// not: they change on the way there.
    pub(crate) fn squares_known(&self, set: &Filter, node: u32, changing: &[VariableId]) -> Option<Bitboard> {
        let known = |set: &Filter| self.squares_known(set, node, changing);
        match &set.node {
            Node::Designator(designator) => Some(designator.squares),
            Node::Variable(variable) if !changing.contains(variable) => {
                match self.state.variables[variable.0 as usize].as_ref()? {
                    Value::Set(squares) => Some(*squares),
                    Value::Piece(id) => {
                        let square = self.game.find_piece(node, *id);
                        Some(square.map_or(Bitboard::EMPTY, Bitboard::from_square))
                    }
                    _ => None,
                }
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => {
                let (min, max) = Range::steps(range.as_ref())?;
                Some(along(known(argument)?, *directions, min, max))
            }
            Node::Union(parts) => parts
                .iter()
                .try_fold(Bitboard::EMPTY, |all, part| Some(all | known(part)?)),
            Node::Intersection(parts) => parts.iter().filter_map(known).reduce(|a, b| a & b),
            Node::NoTransform(inner) => known(inner),
            _ => None,
        }
    }
}
