//! Pure mates and stalemates: what has to hold around the king (docs/language/positions.md#pure-model-and-ideal-mates).

use chess::Man;
use language::hir::{Comparison, ManSet, PinValue, Purity};
use postings::Term;
use shakmaty::{Bitboard, Color, Role, Square};

use super::moved_men::men_of;
use super::possible_moves::pinned;
use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, count_of, not_empty, turn};

/// Where a mate or stalemate may be as pure as that. No square next to the king is attacked twice, and for more than a pure one
/// each man of the other side that has to take part attacks one of these squares or the king, is pinned, or pins. What a man
/// attacks behind the king is not looked at, as it gives check then.
pub(super) fn pure_mate(purity: Purity, stalemate: bool) -> Candidates {
    let over = Truth::Term(if stalemate { Term::Stalemate } else { Term::Mate });
    let sides = Color::ALL.map(|loser| Truth::all([turn(loser), is_field_pure(loser), take_part(loser, purity)]));
    Candidates::at_most(Truth::all([over, Truth::any(sides)]))
}

/// Where no square next to the king of a side is attacked by two men of the other side.
fn is_field_pure(loser: Color) -> Truth {
    let winners = contents(men_of(!loser));
    let twice = Square::ALL.map(|square| {
        let attackers = SetExpr::Attacks(
            Box::new(winners.clone()),
            Box::new(SetExpr::Constant(Bitboard::from_square(square))),
        );
        let are_two = Truth::Compare(
            Comparison::GreaterEqual,
            Box::new(count_of(attackers)),
            Box::new(NumberExpr::Constant(2)),
        );
        (square, are_two)
    });
    let twice = SetExpr::Squares(twice.into());
    not_empty(SetExpr::intersection(vec![twice, field(loser)])).not()
}

/// Where each man of the winning side that has to take part may do so.
fn take_part(loser: Color, purity: Purity) -> Truth {
    let winner = !loser;
    let needed = match purity {
        Purity::Pure => return Truth::Always,
        Purity::Model => [Role::King, Role::Pawn].iter().fold(men_of(winner), |men, &role| {
            men.without(ManSet::from_man(Man::new(winner, role)))
        }),
        Purity::Ideal => men_of(winner),
    };
    let targets = SetExpr::Union([king(loser), field(loser)].into());
    let attacking = SetExpr::Attacks(Box::new(contents(needed)), Box::new(targets));
    let anywhere = SetExpr::Constant(Bitboard::FULL);
    let pinning = SetExpr::Pins(Box::new([anywhere.clone(), anywhere, king(loser)]), PinValue::From);
    let partakers = SetExpr::Union([attacking, pinned(winner), pinning].into());
    let idle = SetExpr::intersection(vec![contents(needed), SetExpr::Complement(Box::new(partakers))]);
    not_empty(idle).not()
}

/// The squares next to the king of a side.
fn field(color: Color) -> SetExpr {
    SetExpr::AttackedBy(Box::new(SetExpr::Constant(Bitboard::FULL)), Box::new(king(color)))
}

fn king(color: Color) -> SetExpr {
    contents(ManSet::from_man(Man::new(color, Role::King)))
}

fn contents(men: ManSet) -> SetExpr {
    SetExpr::Contents(men, Bitboard::FULL)
}
