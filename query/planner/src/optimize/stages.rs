//! Cuts a conjunction into stages: what is costly waits for what is cheap.

use super::bound::bound;
use crate::expr::Truth;

/// A conjunction in two stages: the cheap conditions with bounds of the others, and then the others, evaluated only
/// where the first stage holds.
pub fn stages_of(truth: &Truth) -> Vec<Truth> {
    /// Conditions that cost more plane operations than this are in the second stage.
    const COSTLY: f64 = 100.0;
    let parts = match truth {
        Truth::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (cheap, costly): (Vec<&Truth>, Vec<&Truth>) = parts.iter().partition(|part| part.cost() <= COSTLY);
    let bounds = costly.iter().map(|part| bound(part));
    let first = Truth::all(cheap.into_iter().cloned().chain(bounds).collect::<Vec<_>>());
    let last = Truth::all(costly.into_iter().cloned().collect::<Vec<_>>());
    let last = Some(last).filter(|stage| *stage != Truth::Always);
    std::iter::once(first).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use postings::Term;
    use shakmaty::{Bitboard, Color, Role};

    use super::*;
    use crate::expr::SetExpr;

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    #[test]
    fn what_is_costly_waits_for_what_is_cheap() {
        let pawn = Truth::Term(Term::Placement(
            Man::new(Color::White, Role::Pawn),
            shakmaty::Square::D4,
        ));
        let white = || Box::new(contents(ManSet::WHITE));
        let attack = Truth::Any(Box::new(SetExpr::Attacks(white(), Box::new(contents(ManSet::BLACK)))));
        let stages = stages_of(&Truth::And(vec![attack.clone(), pawn.clone()]));
        assert_eq!(stages, [pawn.clone(), attack]);
        assert_eq!(stages_of(&pawn), [pawn]);
    }
}
