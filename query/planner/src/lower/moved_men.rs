//! What a move does to one man: it leaves a square, comes to one, or is captured there.

use chess::Man;
use language::hir::ManSet;
use postings::Term;
use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::expr::{MovePattern, NextMove, Truth, any_contents};

pub(super) fn stands(man: Man, square: Square) -> Truth {
    Truth::Term(Term::Placement(man, square))
}

/// The man is on the square and will be gone after the move.
pub(super) fn leaves(man: Man, square: Square) -> Truth {
    Truth::all([stands(man, square), stands(man, square).after(1).not()])
}

/// The man is not on the square and will be after the move.
pub(super) fn comes(man: Man, square: Square) -> Truth {
    Truth::all([
        stands(man, square).after(1),
        stands(man, square).not(),
        pawn_behind(man, square),
    ])
}

/// If the man is a pawn, and the square so far back that it comes there only from its first rank, where setups alone have
/// pawns: that one stands there. Segments without such pawns have no list of them, and then no pawn comes.
fn pawn_behind(man: Man, square: Square) -> Truth {
    let Some((Role::Pawn, color)) = man.role().zip(man.color()) else {
        return Truth::Always;
    };
    let [first, second] = color.fold_wb([Rank::First, Rank::Second], [Rank::Eighth, Rank::Seventh]);
    match square.rank() {
        rank if rank == first => Truth::Never,
        rank if rank == second => {
            let from = attacks::king_attacks(square) & Bitboard::from_rank(first);
            any_contents(ManSet::from_man(man), from)
        }
        _ => Truth::Always,
    }
}

pub(super) fn men_of(color: Color) -> ManSet {
    if color == Color::White {
        ManSet::WHITE
    } else {
        ManSet::BLACK
    }
}

/// The move that led here captured one of these.
pub(super) fn captured_one_of(men: ManSet) -> Truth {
    let men = men.iter().filter(|&man| man != Man::EMPTY);
    Truth::any(men.map(|man| Truth::Term(Term::Captured(man))))
}

/// One of these men goes from one of these squares.
pub(super) fn leave(men: ManSet, squares: Bitboard) -> Truth {
    let listed = men
        .iter()
        .flat_map(|man| squares.into_iter().map(move |square| leaves(man, square)));
    let pattern = MovePattern {
        from: squares,
        ..MovePattern::of(men)
    };
    NextMove::truth(pattern, Truth::any(listed))
}

/// One of these men of the other side is captured on one of the squares.
pub(super) fn gone(men: ManSet, squares: Bitboard) -> Truth {
    if squares == Bitboard::FULL {
        return captured_one_of(men).after(1);
    }
    Truth::any(
        men.iter()
            .flat_map(|man| squares.into_iter().map(move |square| leaves(man, square))),
    )
}

/// The move captures one of these men of the other side on one of the squares.
pub(super) fn captures(men: ManSet, squares: Bitboard, color: Color) -> Truth {
    let listed = gone(men, squares);
    let pattern = MovePattern {
        captured: Some((men, squares)),
        ..MovePattern::of(men_of(color))
    };
    match squares {
        Bitboard::FULL => listed,
        _ => NextMove::truth(pattern, listed),
    }
}
