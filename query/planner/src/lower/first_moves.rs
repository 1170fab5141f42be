//! Paths that can't both be made from one position: their first moves are those of different pieces.

use chess::Man;
use language::hir::{Filter, ManSet, Node, PathStep, VariableId};
use shakmaty::{Color, Role};

use super::Lowering;
use crate::filters::assigns;

impl<'q> Lowering<'q> {
    /// Whether two of the paths that have to match here begin with moves of different pieces, where there is only one line to follow.
    pub(super) fn begin_with_different_moves(&self, list: impl Iterator<Item = &'q Filter>) -> bool {
        if self.variations {
            return false;
        }
        let mut begun: Vec<VariableId> = Vec::new();
        for filter in list {
            // What is said of a piece before may be said of another one behind.
            begun.retain(|&piece| !assigns(filter, piece));
            let Node::Path(path) = &filter.node else { continue };
            let Some(first) = self.first_mover(&path.steps) else {
                continue;
            };
            if path.single_color || assigns(filter, first) {
                continue;
            }
            if begun.iter().any(|&other| !self.may_move_together(first, other)) {
                return true;
            }
            begun.push(first);
        }
        false
    }

    /// The piece that makes the first move of some steps, whatever happens. It is the next move of the game, in focus or not.
    fn first_mover(&self, steps: &[PathStep]) -> Option<VariableId> {
        let step = steps.iter().find(|step| !matches!(step, PathStep::Filter(_)))?;
        match step {
            PathStep::Dash { dash, repeat } if repeat.min > 0 => self.piece_variable(dash.left.as_ref()?),
            PathStep::Chain { steps, repeat } if repeat.min > 0 => self.first_mover(steps),
            _ => None,
        }
    }

    /// Whether two pieces may be one, or may castle.
    fn may_move_together(&self, a: VariableId, b: VariableId) -> bool {
        let may_be = |variable: VariableId, role: Role| {
            let men = self
                .scope
                .men_in(self.scope.frame, variable)
                .unwrap_or(ManSet::ANYTHING);
            Color::ALL.iter().any(|&color| men.contains(Man::new(color, role)))
        };
        let may_castle = |king, rook| may_be(king, Role::King) && may_be(rook, Role::Rook);
        a == b || !self.scope.are_distinct(a, b) || may_castle(a, b) || may_castle(b, a)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    #[test]
    fn paths_from_one_position_begin_with_one_move() {
        for (text, is_possible) in [
            (
                "piece X in Q piece Y in ([QR] & ~X) {{path focus (X|Y) X-- Y--} {path focus (Y|X) Y-- X--}}",
                false,
            ),
            (
                "piece X in Q piece Y in ([QR] & ~X) {{path focus (X|Y) X-- Y--} {path focus (Y|X) X-- X--}}",
                true,
            ),
            (
                "piece X in Q piece Y in ([QR] & ~X) {{path focus (X|Y) X-- Y--} {path focus Y Y-- Y--}}",
                false,
            ),
            (
                "piece X in Q piece Y in ([QR] & ~X) {{path focus (X|Y) X-- Y--} find {path focus (Y|X) Y-- X--}}",
                true,
            ),
            (
                "piece X in Q piece Y in ([QR] & ~X) {{path focus (X|Y) X--? Y--} {path focus (X|Y) Y-- X--}}",
                true,
            ),
            (
                "piece X in Q piece Y in [QR] {{path focus (X|Y) X-- Y--} {path focus (X|Y) Y-- X--}}",
                true,
            ),
            // Castling moves both.
            (
                "piece X in K piece Y in (R & ~X) {{path focus (X|Y) X-- Y--} {path focus (X|Y) Y-- X--}}",
                true,
            ),
        ] {
            assert_eq!(lowered(text).0 != "nowhere", is_possible, "{text}: {}", lowered(text).0);
        }
    }
}
