//! Which men can take part in pins.

use language::hir::{ManSet, PinValue};
use shakmaty::{Bitboard, Role};

use super::{SetExpr, possible_men};

impl SetExpr {
    /// `pin from F through T to G` (docs/language/positions.md#pins), each of the sets without men that can't be in it: queens,
    /// rooks and bishops pin, and what they pin is of the other color.
    pub(crate) fn pins([from, through, to]: [SetExpr; 3], value: PinValue) -> SetExpr {
        let pinning = possible_men(&from).intersection(sliders());
        let pinned = possible_men(&through).intersection(enemies_of(pinning));
        let pinning = pinning.intersection(enemies_of(pinned));
        if pinning == ManSet::NONE {
            return SetExpr::Constant(Bitboard::EMPTY);
        }
        // Nothing is pinned to a man of the color that pins.
        let behind = match [ManSet::WHITE, ManSet::BLACK].map(|color| color.is_superset(pinning)) {
            [false, false] => ManSet::ANYTHING,
            [is_white, _] => ManSet::EMPTY_SQUARE | if is_white { ManSet::BLACK } else { ManSet::WHITE },
        };
        let parts = [(from, pinning), (through, pinned), (to, behind)].map(|(set, men)| among(set, men));
        SetExpr::Pins(Box::new(parts), value)
    }
}

/// The men of a set that are of some kinds. All squares may stay: who stands there is asked when pins are looked for.
fn among(set: SetExpr, men: ManSet) -> SetExpr {
    match set {
        SetExpr::Constant(Bitboard::FULL) => set,
        _ if men.is_superset(possible_men(&set)) => set,
        SetExpr::Pins(mut parts, value) => {
            let part = &mut parts[value as usize];
            *part = among(part.clone(), men);
            SetExpr::pins(*parts, value)
        }
        set => SetExpr::intersection(vec![set, SetExpr::Contents(men, Bitboard::FULL)]),
    }
}

/// The men that can pin.
pub(crate) fn sliders() -> ManSet {
    let roles = [Role::Queen, Role::Rook, Role::Bishop];
    roles
        .into_iter()
        .fold(ManSet::NONE, |all, role| all | ManSet::from_role(role))
}

/// The men that men of some kinds can pin, or that can pin them.
fn enemies_of(men: ManSet) -> ManSet {
    let colors = [ManSet::WHITE, ManSet::BLACK].into_iter();
    let colors = colors.filter(|color| color.intersection(men) != ManSet::NONE);
    colors.fold(ManSet::NONE, |all, color| all | color.swap_colors())
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use shakmaty::Color;

    use super::*;

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    fn kinds(color: Color, roles: &[Role]) -> ManSet {
        let kinds = roles.iter().map(|&role| ManSet::from_man(Man::new(color, role)));
        kinds.fold(ManSet::NONE, |all, man| all | man)
    }

    #[test]
    fn who_cannot_take_part_is_left_out() {
        let (line_pieces, all) = ([Role::Queen, Role::Rook, Role::Bishop], ManSet::WHITE | ManSet::BLACK);
        let kings = ManSet::from_role(Role::King);
        let one = SetExpr::pins([ManSet::WHITE, all, kings].map(contents), PinValue::Through);
        let black_king = kinds(Color::Black, &[Role::King]);
        let white_line_pieces = kinds(Color::White, &line_pieces);
        let parts = [white_line_pieces, ManSet::BLACK, black_king].map(contents);
        assert_eq!(one, SetExpr::Pins(Box::new(parts), PinValue::Through));
        // What is pinned can pin only if it is a line piece.
        let two = SetExpr::pins([one, contents(all), contents(kings)], PinValue::Through);
        let black_line_pieces = kinds(Color::Black, &line_pieces);
        let inner = [white_line_pieces, black_line_pieces, black_king].map(contents);
        let inner = SetExpr::Pins(Box::new(inner), PinValue::Through);
        let parts = [
            inner,
            contents(ManSet::WHITE),
            contents(kinds(Color::White, &[Role::King])),
        ];
        assert_eq!(two, SetExpr::Pins(Box::new(parts), PinValue::Through));
        let knights = contents(ManSet::from_role(Role::Knight));
        let anything = || SetExpr::Constant(Bitboard::FULL);
        let nobody = SetExpr::pins([knights, anything(), anything()], PinValue::From);
        assert_eq!(nobody, SetExpr::Constant(Bitboard::EMPTY));
        let any = [anything(), anything(), anything()];
        assert_eq!(
            SetExpr::pins(any.clone(), PinValue::To),
            SetExpr::Pins(Box::new(any), PinValue::To)
        );
    }
}
