//! Where a man stands a few moves before or after a position in which its square is known.

use chess::Man;
use language::hir::ManSet;
use shakmaty::{Bitboard, Color, Role};

use super::bounds::SetBounds;
use crate::expr::{SetExpr, not_empty, sometime, union_of};

/// Over more moves than this, it is not followed whether a man has stayed where it is.
const MOST_MOVES: i32 = 8;

/// The square of a man `ids` positions after the one where its squares and what it can be are known, or before it for
/// negative numbers, if that is known; `all` is what it can be there. It counts only where both positions are in one game.
pub(super) fn man_beside(squares: &SetBounds, men: ManSet, all: ManSet, ids: Option<i32>) -> SetBounds {
    let somewhere = SetExpr::Contents(all, Bitboard::FULL);
    let known = squares.must();
    let ids = match ids {
        Some(ids) if ids != 0 && ids.abs() <= MOST_MOVES => ids,
        _ => return SetBounds::at_most(somewhere),
    };
    if *known == SetExpr::Constant(Bitboard::EMPTY) {
        return SetBounds::at_most(match ids.abs() {
            // It is still there, or it has moved.
            1 => {
                let stayed = SetExpr::intersection(vec![squares.may().clone().after(-ids), somewhere]);
                union_of(vec![stayed, only_here(all, -ids)])
            }
            _ => somewhere,
        });
    }
    // Where such a man stands before and after a move, it is the same one: nothing captures its own side, and in castling
    // only the king can come to where the rook was, or the rook to where the king was.
    let classes = classes(all);
    let is_one_of_several = classes.len() > 1;
    let stayed = classes.iter().map(|&class| {
        // What it is where it is known need not be asked if it can be one thing only.
        let alike = stand_from_here(class, -ids, is_one_of_several);
        SetExpr::intersection(vec![known.clone().after(-ids), alike])
    });
    let stayed = union_of(stayed.collect());
    let choose = |elsewhere| {
        SetExpr::Choose(
            Box::new(not_empty(stayed.clone())),
            Box::new(stayed.clone()),
            Box::new(elsewhere),
        )
    };
    // If it has not stayed, the one move between was its own, or it was captured.
    if ids.abs() == 1 && men.has_one_color() {
        let found = choose(only_here(all, -ids));
        return match squares.is_exact() && !is_one_of_several {
            true => SetBounds::Exact(found),
            false => SetBounds::Between {
                may: found,
                must: stayed,
            },
        };
    }
    SetBounds::Between {
        may: choose(somewhere),
        must: stayed,
    }
}

/// The squares on which men of these kinds stand that stand on the same square `ids` positions later, or before for negative
/// numbers; it counts only where both positions are in one game.
pub(super) fn men_on_same_square(men: ManSet, ids: i32) -> SetBounds {
    let kinds = || men.iter().filter(|&man| man != Man::EMPTY);
    let stayed = || {
        union_of(
            kinds()
                .map(|man| stand_from_here(ManSet::from_man(man), ids, true))
                .collect(),
        )
    };
    // A man that stays over one move is the one that stood there, and what it was.
    if ids.abs() == 1 {
        return SetBounds::Exact(stayed());
    }
    let everywhere = |men| SetExpr::Contents(men, Bitboard::FULL);
    let may = kinds().map(|man| {
        let there = everywhere(one_man_elsewhere(man, ids)).after(ids);
        SetExpr::intersection(vec![everywhere(ManSet::from_man(man)), there])
    });
    let may = union_of(may.collect());
    match ids.abs() <= MOST_MOVES {
        true => SetBounds::Between { may, must: stayed() },
        false => SetBounds::at_most(may),
    }
}

/// Where some of these men stand all the time from here to the position that many ids later, with that one or without it.
fn stand_from_here(men: ManSet, ids: i32, with_last: bool) -> SetExpr {
    let positions = ids.abs() + i32::from(with_last);
    let stand = (0..positions).map(|moves| SetExpr::Contents(men, Bitboard::FULL).after(moves * ids.signum()));
    SetExpr::intersection(stand.collect())
}

/// What a man can be some moves later, or what it can have been.
fn one_man_elsewhere(man: Man, ids: i32) -> ManSet {
    let Some((role, color)) = man.role().zip(man.color()) else {
        return ManSet::ANYTHING;
    };
    let one = ManSet::from_man(man);
    match role {
        _ if ids > 0 => sometime(one, true),
        Role::King | Role::Pawn => one,
        _ => one | ManSet::from_man(Man::new(color, Role::Pawn)),
    }
}

/// These men by color, and kings by themselves.
fn classes(men: ManSet) -> Vec<ManSet> {
    let kings: ManSet = Color::ALL
        .map(|color| Man::new(color, Role::King))
        .into_iter()
        .collect();
    let classes = [ManSet::WHITE, ManSet::BLACK].map(|own| {
        let own = men.intersection(own);
        [own.intersection(kings), own.without(kings)]
    });
    let classes = classes.into_iter().flatten();
    classes.filter(|&class| class != ManSet::NONE).collect()
}

/// Where one of these men stands that does not stand there some ids later.
fn only_here(men: ManSet, ids: i32) -> SetExpr {
    let kinds = men.iter().map(|man| {
        let here = SetExpr::Contents(ManSet::from_man(man), Bitboard::FULL);
        let there = here.clone().after(ids);
        SetExpr::intersection(vec![here, SetExpr::Complement(Box::new(there))])
    });
    union_of(kinds.collect())
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    #[test]
    fn a_man_that_stays_is_where_it_was() {
        for (text, parts) in [
            ("piece X in R {X==a1 not parent:X==X}", "(R & ~next R)"),
            ("piece X in R {X==a1 not child:X==X}", "(R & ~before R)"),
            ("piece X in Q {X attacks k child:child:X==X}", "(Qa1 & before Q)"),
        ] {
            let (truth, is_exact) = lowered(text);
            assert!(truth.contains(parts), "{is_exact} {text}: {truth}");
        }
    }

    #[test]
    fn whether_men_have_moved_is_asked_of_all_squares_together() {
        for text in [
            "piece X in R {not parent:X==X X attacks k}",
            "piece X in [NB] {X==child:X a attacks X}",
        ] {
            let (truth, is_exact) = lowered(text);
            assert!(is_exact && !truth.contains("a1"), "{text}: {truth}");
        }
    }
}
