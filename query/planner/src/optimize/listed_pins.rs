//! Pins to kings, which the index has lists of: they take the place of looking along the lines of the board.

use chess::Man;
use language::hir::{ManSet, PinValue};
use shakmaty::{Bitboard, Color, Role};

use crate::expr::{Expr, ExprMut, SetExpr, Truth, possible_men, sliders};

impl Truth {
    /// The same condition where the lists of pinned men say what they can. Of other pins to a king, they say which men may be pinned.
    #[must_use]
    pub fn with_listed_pins(mut self) -> Truth {
        change(ExprMut::Truth(&mut self));
        self
    }
}

/// Changes an expression, inside first. One without such pins is not touched: its lists are shared by others.
fn change(mut expr: ExprMut<'_>) {
    let seen = match &expr {
        ExprMut::Truth(truth) => Expr::Truth(truth),
        ExprMut::Set(set) => Expr::Set(set),
        ExprMut::Number(number) => Expr::Number(number),
    };
    if !has_pins(seen) {
        return;
    }
    if let ExprMut::Set(set) = &mut expr
        && let SetExpr::Pins(parts, value) = &mut **set
    {
        parts.iter_mut().for_each(|part| change(ExprMut::Set(part)));
        let colors = pinned_to(possible_men(&parts[PinValue::To as usize]));
        if !colors.is_empty() {
            let listed = SetExpr::Union(colors.into_iter().map(SetExpr::Pinned).collect());
            let through = parts[PinValue::Through as usize].clone();
            let through = SetExpr::intersection(vec![listed, through]);
            match *value == PinValue::Through && is_any_pin(parts) {
                true => **set = through,
                false => parts[PinValue::Through as usize] = through,
            }
        }
        return;
    }
    expr.for_each_part(&mut change);
}

/// Whether an expression asks for pins to a king.
fn has_pins(expr: Expr<'_>) -> bool {
    expr.has(&|part| match part {
        Expr::Set(SetExpr::Pins(parts, _)) => !pinned_to(possible_men(&parts[PinValue::To as usize])).is_empty(),
        _ => false,
    })
}

/// The colors of men that are pinned to some men, if these are kings.
fn pinned_to(men: ManSet) -> Vec<Color> {
    let is_meant = |color: &Color| men.intersection(king(*color)) != ManSet::NONE;
    match ManSet::from_role(Role::King).is_superset(men) {
        true => Color::ALL.into_iter().filter(is_meant).collect(),
        false => Vec::new(),
    }
}

fn king(color: Color) -> ManSet {
    ManSet::from_man(Man::new(color, Role::King))
}

/// Whether all that is asked of a pin is to which kings it is: any line piece may pin, and each king of a color is meant.
fn is_any_pin([from, _, to]: &[SetExpr; 3]) -> bool {
    let SetExpr::Contents(kings, Bitboard::FULL) = to else {
        return false;
    };
    let pinning = match from {
        SetExpr::Constant(Bitboard::FULL) => ManSet::ANYTHING,
        SetExpr::Contents(men, Bitboard::FULL) => *men,
        _ => return false,
    };
    pinned_to(*kings).into_iter().all(|color| {
        let enemies = color.fold_wb(ManSet::BLACK, ManSet::WHITE);
        pinning.is_superset(sliders().intersection(enemies))
    })
}

#[cfg(test)]
mod tests {
    use language::hir::Comparison;

    use crate::expr::{NumberExpr, compare, not_empty};

    use super::*;

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    fn through_to_kings(from: SetExpr, through: SetExpr) -> SetExpr {
        SetExpr::pins(
            [from, through, contents(ManSet::from_role(Role::King))],
            PinValue::Through,
        )
    }

    #[test]
    fn any_pin_to_a_king_is_read_from_lists() {
        let anywhere = || SetExpr::Constant(Bitboard::FULL);
        let pinned = Color::ALL.map(SetExpr::Pinned);
        let all = SetExpr::Union(pinned.clone().into());
        let changed = |set: SetExpr| not_empty(set).with_listed_pins();
        assert_eq!(
            changed(through_to_kings(anywhere(), anywhere())),
            Truth::Any(Box::new(all))
        );
        let black = contents(ManSet::BLACK);
        let [_, of_black] = pinned;
        let of_black = SetExpr::intersection(vec![of_black, black.clone()]);
        assert_eq!(changed(through_to_kings(anywhere(), black)), not_empty(of_black));
    }

    #[test]
    fn other_pins_to_a_king_look_at_these_men_only() {
        let rook = contents(ManSet::from_man(Man::new(Color::White, Role::Rook)));
        let black = contents(ManSet::BLACK);
        let Truth::Any(set) = not_empty(through_to_kings(rook.clone(), black.clone())).with_listed_pins() else {
            panic!("no set is asked for");
        };
        let of_black = SetExpr::Union([SetExpr::Pinned(Color::Black)].into());
        let SetExpr::Pins(parts, PinValue::Through) = *set else {
            panic!("{set:?} is no pin");
        };
        assert_eq!(parts[..2], [rook, SetExpr::intersection(vec![of_black, black])]);
    }

    #[test]
    fn other_pins_stay() {
        let queens = contents(ManSet::from_role(Role::Queen));
        let white = contents(ManSet::WHITE);
        let pins = SetExpr::pins([white.clone(), contents(ManSet::BLACK), queens], PinValue::From);
        let relative = not_empty(pins);
        assert_eq!(relative.clone().with_listed_pins(), relative);
        // Inside others, pins to a king are found.
        let to_king = through_to_kings(SetExpr::Constant(Bitboard::FULL), white);
        let count = NumberExpr::Count(SetExpr::Complement(Box::new(to_king)));
        let many = compare(Comparison::Greater, count, NumberExpr::Constant(3));
        assert!(has_pins(Expr::Truth(&many)));
        let both = Truth::And([relative.clone(), many].into()).with_listed_pins();
        assert!(!has_pins(Expr::Truth(&both)));
        assert_eq!(both.conjuncts()[0], relative);
    }
}
