//! Chains of pins: a man that is pinned pins another one. Before such a chain is followed from man to man, it is asked whether there is
//! a man for each of its links. That takes one look at all pins of these men, and most positions have none.

use shakmaty::Bitboard;

use crate::expr::{SetExpr, Truth, not_empty, possible_men};

impl Truth {
    /// The same expression, what each link of a chain of pins needs asked, too, where there has to be such a chain.
    #[must_use]
    pub(crate) fn with_links_of_pins(self) -> Truth {
        match self {
            Truth::And(parts) => Truth::And(parts.into_iter().map(Truth::with_links_of_pins).collect()).flattened(),
            Truth::Or(parts) => Truth::Or(parts.into_iter().map(Truth::with_links_of_pins).collect()),
            Truth::Any(set) => {
                let links = links(&set);
                match links.is_empty() {
                    true => Truth::Any(set),
                    false => Truth::all(links.into_iter().chain([Truth::Any(set)])),
                }
            }
            other => other,
        }
    }
}

/// What the inner pins of a chain need: a man that is pinned by one of the kinds that can pin it.
fn links(mut set: &SetExpr) -> Vec<Truth> {
    let mut links = Vec::new();
    while let SetExpr::Pins(outer, _) = set
        && let SetExpr::Pins(inner, value) = &outer[0]
    {
        let [from, through, to] = &**inner;
        let pinning = SetExpr::Contents(possible_men(from), Bitboard::FULL);
        links.push(not_empty(SetExpr::pins([pinning, through.clone(), to.clone()], *value)));
        set = &outer[0];
    }
    links
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::{ManSet, PinValue};
    use shakmaty::{Color, Role};

    use super::*;

    #[test]
    fn each_link_but_the_last_is_asked_alone() {
        let contents = |men| SetExpr::Contents(men, Bitboard::FULL);
        let all = contents(ManSet::WHITE | ManSet::BLACK);
        let through = |from: SetExpr| SetExpr::pins([from, all.clone(), all.clone()], PinValue::Through);
        let any = |set: &SetExpr| Truth::Any(Box::new(set.clone()));
        let rook = contents(ManSet::from_man(Man::new(Color::White, Role::Rook)));
        let attacked = SetExpr::AttackedBy(Box::new(rook), Box::new(contents(ManSet::BLACK)));
        let one = through(attacked);
        assert_eq!(any(&one).with_links_of_pins(), any(&one));
        let three = through(through(one));
        let Truth::And(parts) = any(&three).with_links_of_pins() else {
            panic!("no links of {three:?}");
        };
        // Two links, and the chain itself.
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[2], any(&three));
        let kinds = |set: &SetExpr| match set {
            SetExpr::Pins(parts, PinValue::Through) => [0, 1].map(|part| possible_men(&parts[part])),
            other => panic!("{other:?} is no pin"),
        };
        let links: Vec<[ManSet; 2]> = parts[..2]
            .iter()
            .map(|part| match part {
                Truth::Any(set) => kinds(set),
                other => panic!("{other:?} asks for no pin"),
            })
            .collect();
        let sliders = |color| {
            let roles = [Role::Queen, Role::Rook, Role::Bishop].into_iter();
            roles.fold(ManSet::NONE, |all, role| all | ManSet::from_man(Man::new(color, role)))
        };
        let (white, black) = (sliders(Color::White), sliders(Color::Black));
        let rook = ManSet::from_man(Man::new(Color::White, Role::Rook));
        assert_eq!(links, [[black, white], [rook, black]]);
    }
}
