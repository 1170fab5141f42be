//! Pawns that stay pawns on the way of a path: those that may not make the moves it takes to promote.

use language::hir::{Dash, Filter, ManSet, Node, Path, PathStep, Repeat, VariableId};
use shakmaty::{Bitboard, Color, Rank, Role, Square};

use super::Lowering;

impl Lowering<'_> {
    /// The piece variables whose man can't promote before a path that begins here is over.
    pub(super) fn pawns_that_stay(&self, path: &Path) -> Vec<VariableId> {
        let given = self.scope.pieces_given_here();
        let stays = |&(variable, men, squares): &(VariableId, ManSet, Bitboard)| {
            let is_counted = match &path.focus {
                None => !path.single_color,
                // Moves out of focus are not among the steps.
                Some(focus) => self.has_piece(&focus.pieces, variable, men),
            };
            is_counted && self.most_moves(variable, &path.steps) < least_to_promote(men, squares)
        };
        given.iter().filter(|given| stays(given)).map(|given| given.0).collect()
    }

    /// How many moves a piece may make in some steps.
    fn most_moves(&self, variable: VariableId, steps: &[PathStep]) -> u32 {
        let times = |count: u32, repeat: Repeat| match count {
            0 => 0,
            count => repeat.max.map_or(u32::MAX, |max| count.saturating_mul(max)),
        };
        steps.iter().fold(0, |count: u32, step| {
            count.saturating_add(match step {
                PathStep::Filter(_) => 0,
                PathStep::Dash { dash, repeat } => times(u32::from(self.may_move(variable, dash)), *repeat),
                PathStep::Chain { steps, repeat } => times(self.most_moves(variable, steps), *repeat),
            })
        })
    }

    /// Whether a piece may make the move of a dash.
    fn may_move(&self, variable: VariableId, dash: &Dash) -> bool {
        !dash.left.as_ref().is_some_and(|left| self.leaves_out(left, variable))
    }

    /// Whether a set has certainly not the square of a piece.
    fn leaves_out(&self, set: &Filter, variable: VariableId) -> bool {
        match &set.node {
            Node::Complement(inner) => self.has_piece(inner, variable, ManSet::ANYTHING),
            Node::Intersection(parts) => parts.iter().any(|part| self.leaves_out(part, variable)),
            Node::NoTransform(inner) => self.leaves_out(inner, variable),
            _ => false,
        }
    }

    /// Whether a set has certainly the square of a piece that is one of these men.
    fn has_piece(&self, set: &Filter, variable: VariableId, men: ManSet) -> bool {
        match &set.node {
            Node::Designator(designator) => designator.squares == Bitboard::FULL && designator.men.is_superset(men),
            Node::Union(parts) => parts.iter().any(|part| self.has_piece(part, variable, men)),
            Node::NoTransform(inner) => self.has_piece(inner, variable, men),
            _ => self.piece_variable(set) == Some(variable),
        }
    }
}

/// The least number of moves with which a man that is one of these on one of some squares promotes.
fn least_to_promote(men: ManSet, squares: Bitboard) -> u32 {
    let of_color = |color: Color| {
        let is_pawn = men.contains(chess::Man::new(color, Role::Pawn));
        squares
            .into_iter()
            .filter(move |_| is_pawn)
            .map(move |square| moves_to_promote(color, square))
    };
    Color::ALL.into_iter().flat_map(of_color).min().unwrap_or(u32::MAX)
}

/// The least number of moves with which a pawn promotes.
fn moves_to_promote(color: Color, square: Square) -> u32 {
    let rank = match color {
        Color::White => square.rank(),
        Color::Black => square.rank().flip_vertical(),
    };
    // The first move may be a double step.
    u32::from(Rank::Eighth) - u32::from(rank) - u32::from(rank == Rank::Second)
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    /// Whether a promotion in the game is of interest.
    fn may_promote(text: &str) -> bool {
        lowered(text).0.contains("promoted to")
    }

    #[test]
    fn a_pawn_promotes_where_it_makes_enough_moves() {
        for path in [
            "piece T in Pa-h2-4 {path T-- ~T--+ {mate T attacks k}}",
            "piece T in Pa-h2-4 {path T--(T attacks k) ~T--+(mate T attacks k)}",
            "piece T in Pa-h2-4 {path focus A T-- ~T--+ {mate T attacks k}}",
            "piece T in pa-h7 {path (T--{2} ~T--*){2} {mate T attacks K}}",
            "piece T in Pa-h5 {path --{2} {mate T attacks k}}",
        ] {
            assert!(!may_promote(path), "{path}");
        }
        for path in [
            "piece T in Pa-h2-4 {path T-- --+ {mate T attacks k}}",
            "piece T in Pa-h2-4 {path focus [Kk] K--+ {mate T attacks k}}",
            "piece T in Pa-h2-4 {path singlecolor T-- ~T--+ {mate T attacks k}}",
            "piece T in Pa-h2 {path --{5} {mate T attacks k}}",
            "piece T in pa-h7 {path (T--{2} ~T--*){3} {mate T attacks K}}",
            "piece T in Pa-h5 {path --{3} {mate T attacks k}}",
            "piece T in Pa-h7 {path ~Q--+ {mate T attacks k}}",
            "piece T in Pa-h2-4 {path T-- ~T--+ {find {mate T attacks k}}}",
        ] {
            assert!(may_promote(path), "{path}");
        }
    }

    #[test]
    fn a_double_step_is_one_move() {
        use shakmaty::{Color, Square};
        for (color, square, moves) in [
            (Color::White, Square::E2, 5),
            (Color::White, Square::E3, 5),
            (Color::White, Square::E7, 1),
            (Color::Black, Square::E2, 1),
            (Color::Black, Square::E6, 5),
            (Color::Black, Square::E7, 5),
        ] {
            assert_eq!(super::moves_to_promote(color, square), moves, "{square}");
        }
    }
}
