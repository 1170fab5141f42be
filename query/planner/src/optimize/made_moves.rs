//! Leaves out conditions that a condition on the next move implies: whose turn it is, that the main line goes on, and that the move
//! is neither castling nor a null move.

use language::hir::ManSet;
use postings::Term;
use shakmaty::CastlingSide;

use crate::expr::Truth;

/// The same conditions without those that one of them implies which is found by reading the moves.
pub(super) fn without_implied(mut parts: Vec<Truth>) -> Vec<Truth> {
    let is_found = |part: &Truth| matches!(part, Truth::Move(next) if next.place().is_some() && !next.follows_a_man());
    if parts.len() < 2 || !parts.iter().any(is_found) {
        return parts;
    }
    let found = parts
        .iter()
        .filter(|part| is_found(part))
        .filter_map(|part| match part {
            Truth::Move(next) => Some(next.pattern().movers),
            _ => None,
        });
    let movers = found.fold(ManSet::ANYTHING, ManSet::intersection);
    parts.retain(|part| !is_implied(part, movers));
    parts
}

/// Whether a condition holds wherever one of these men makes a move of its own.
fn is_implied(part: &Truth, movers: ManSet) -> bool {
    match part {
        Truth::Term(Term::WhiteToMove) => ManSet::WHITE.is_superset(movers),
        Truth::Not(inner) => match &**inner {
            Truth::Term(Term::WhiteToMove) => ManSet::BLACK.is_superset(movers),
            Truth::Term(Term::MainlineEnd) => true,
            Truth::After(1, made) => is_no_move_of_one_man(made),
            _ => false,
        },
        _ => false,
    }
}

/// Whether the last move was castling or a null move, and nothing else is said.
fn is_no_move_of_one_man(made: &Truth) -> bool {
    match made {
        Truth::Term(Term::NullMove | Term::Castled(CastlingSide::KingSide | CastlingSide::QueenSide)) => true,
        Truth::Or(parts) => parts.iter().all(is_no_move_of_one_man),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use shakmaty::{Color, Role, Square};

    use super::*;
    use crate::expr::{MoveGroup, MovePattern, NextMove, SetExpr, castled, not_empty};

    /// Moves of rooks of some colors, which cost so much by lists that the moves are read.
    fn rook_moves(colors: &[Color]) -> Truth {
        let men = colors.iter().map(|&color| Man::new(color, Role::Rook));
        let men = men.fold(ManSet::NONE, |all, man| all | ManSet::from_man(man));
        let set = SetExpr::Contents(men, shakmaty::Bitboard::FULL);
        let attack = |set: SetExpr| SetExpr::Attacks(Box::new(set.clone()), Box::new(set));
        NextMove::truth(MovePattern::of(men), not_empty(attack(attack(attack(set)))))
    }

    #[test]
    fn what_a_move_implies_is_left_out_where_moves_are_read() {
        let turn = Truth::Term(Term::WhiteToMove);
        let end = Truth::Term(Term::MainlineEnd).not();
        let null = Truth::Term(Term::NullMove).after(1).not();
        let castles = castled(language::hir::CastleSide::Any).after(1).not();
        let check = Truth::Term(Term::Check);
        let king = Truth::Term(Term::Placement(Man::new(Color::White, Role::King), Square::E1)).not();
        for (colors, kept_turns) in [
            (&[Color::White][..], vec![turn.clone().not()]),
            (&[Color::Black], vec![turn.clone()]),
            (&Color::ALL, vec![turn.clone(), turn.clone().not()]),
        ] {
            let moves = rook_moves(colors);
            let implied = vec![
                turn.clone(),
                turn.clone().not(),
                end.clone(),
                null.clone(),
                castles.clone(),
            ];
            let parts: Vec<Truth> = [moves.clone(), check.clone(), king.clone()]
                .into_iter()
                .chain(implied)
                .collect();
            // By lists, all of this is needed.
            assert_eq!(without_implied(parts.clone()), parts);
            assert!(MoveGroup::gather(&Truth::And(
                [moves.clone(), check.clone(), king.clone()].into()
            )));
            let kept: Vec<Truth> = [moves, check.clone(), king.clone()]
                .into_iter()
                .chain(kept_turns)
                .collect();
            assert_eq!(without_implied(parts), kept);
        }
    }
}
