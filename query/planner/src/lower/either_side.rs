//! Moves of either side: what is asked of the moves of White and of those of Black in the same way is one condition.

use std::sync::Arc;

use shakmaty::Color;

use crate::expr::{NextMove, Truth, turn};

/// Where White moves and the first condition holds, or Black moves and the second one does.
pub(super) fn of_either_side(white: Truth, black: Truth) -> Truth {
    match together(&white, &black) {
        Some(both) => both,
        None => by_turn(white, black),
    }
}

fn by_turn(white: Truth, black: Truth) -> Truth {
    let ways = [(Color::White, white), (Color::Black, black)];
    Truth::any(ways.map(|(color, made)| Truth::all([turn(color), made])))
}

/// The same as one condition, if both ask the same but for the color of men. One of its parts then tells whose turn it is.
fn together(white: &Truth, black: &Truth) -> Option<Truth> {
    let (white, black) = (white.conjuncts(), black.conjuncts());
    if white.len() != black.len() {
        return None;
    }
    let mut tells_turn = false;
    let parts = white.iter().zip(black).map(|parts| match parts {
        (white, black) if white == black => Some(white.clone()),
        (Truth::Move(white), Truth::Move(black)) => {
            tells_turn = true;
            one_move(white, black)
        }
        _ => None,
    });
    let parts: Option<Vec<Truth>> = parts.collect();
    parts.filter(|_| tells_turn).map(Truth::all)
}

/// A move of White or of Black as one condition.
fn one_move(white: &Arc<NextMove>, black: &Arc<NextMove>) -> Option<Truth> {
    if white.follows_a_man() || black.follows_a_man() {
        return None;
    }
    let pattern = white.pattern().of_either_side(black.pattern())?;
    let listed = by_turn(white.listed().clone(), black.listed().clone());
    Some(NextMove::truth(pattern, listed))
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use postings::Term;
    use shakmaty::{Bitboard, Role, Square};

    use super::*;
    use crate::expr::{MovePattern, SetExpr, not_empty};

    /// A move of a side's men to some squares onto some men, by lists that say nothing.
    fn moves(color: Color, to: Bitboard, onto: ManSet) -> Truth {
        let men = color.fold_wb(ManSet::WHITE, ManSet::BLACK);
        let pattern = MovePattern {
            to,
            onto,
            ..MovePattern::of(men)
        };
        let attacked = SetExpr::Contents(men, to);
        NextMove::truth(
            pattern,
            not_empty(SetExpr::Attacks(Box::new(attacked.clone()), Box::new(attacked))),
        )
    }

    #[test]
    fn moves_of_both_sides_become_one_where_only_the_colors_differ() {
        let squares = Bitboard::from(Square::E4);
        let check = Truth::Term(Term::Check);
        let of = |color: Color| {
            let enemies = color.fold_wb(ManSet::BLACK, ManSet::WHITE);
            Truth::all([moves(color, squares, enemies), check.clone()])
        };
        let both = of_either_side(of(Color::White), of(Color::Black));
        let [Truth::Move(next), other] = both.conjuncts() else {
            panic!("not one move: {both:?}")
        };
        assert_eq!(*other, check);
        let anyone = ManSet::WHITE | ManSet::BLACK;
        let pattern = MovePattern {
            to: squares,
            onto: anyone,
            ..MovePattern::of(anyone)
        };
        assert_eq!(*next.pattern(), pattern);
    }

    #[test]
    fn moves_that_differ_in_more_stay_two() {
        let squares = [Square::E4, Square::E5].map(Bitboard::from);
        let queen = ManSet::from_man(Man::new(Color::White, Role::Queen));
        let white = moves(Color::White, squares[0], ManSet::BLACK);
        for black in [
            moves(Color::Black, squares[1], ManSet::WHITE),
            // Black would capture the queen, and a white man never does.
            moves(Color::Black, squares[0], queen | ManSet::EMPTY_SQUARE),
            Truth::all([moves(Color::Black, squares[0], ManSet::WHITE), Truth::Term(Term::Check)]),
            Truth::Term(Term::Check),
        ] {
            let ways = by_turn(white.clone(), black.clone());
            assert_eq!(of_either_side(white.clone(), black), ways);
        }
        // Without a move nothing would tell whose turn it is.
        let check = Truth::Term(Term::Check);
        assert_eq!(
            of_either_side(check.clone(), check.clone()),
            by_turn(check.clone(), check)
        );
    }
}
