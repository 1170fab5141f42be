//! Orbits of men on squares, folded into bitboard algebra: variants that are the same up to a translation are tested
//! together, by shifting the bitboards of their men onto each other.

use chess::Board;
use language::hir::{Designator, Filter, FilterId, ManSet, Node, Query};
use shakmaty::Bitboard;

use crate::board::contents;
use crate::per_filter::PerFilter;

/// The orbits of a query that could be folded.
#[derive(Debug, Default)]
pub(crate) struct Orbits {
    folded: PerFilter<Folded>,
}

/// Conjunctions of men on single squares.
#[derive(Debug)]
struct Folded(Vec<Class>);

/// Variants that are translations of each other.
#[derive(Debug)]
struct Class {
    /// Which men, and how far from the anchor, in numbers of squares; the first is the anchor.
    atoms: Vec<(ManSet, i32)>,
    /// The anchors of the variants. From none of them an atom leaves the board.
    anchors: Bitboard,
}

impl Orbits {
    /// Folds what can be folded in a query.
    pub(crate) fn of(query: &Query) -> Orbits {
        let mut orbits = Orbits::default();
        query.body.any(&mut |filter| {
            if let Node::Orbit { variants, .. } = &filter.node
                && let Some(folded) = Folded::of(variants)
            {
                orbits.folded.insert(filter.id(), folded);
            }
            false
        });
        orbits
    }

    /// Whether an orbit was folded.
    pub(crate) fn has(&self, orbit: &Filter) -> bool {
        self.folded.get(orbit.id()).is_some()
    }

    /// How many variants of an orbit match, if it was folded.
    #[inline]
    pub(crate) fn count(&self, orbit: &Filter, board: &Board) -> Option<u32> {
        self.count_of(orbit.id(), board)
    }

    /// The same, given the orbit's number.
    #[inline]
    pub(crate) fn count_of(&self, orbit: FilterId, board: &Board) -> Option<u32> {
        let folded = self.folded.get(orbit)?;
        Some(folded.0.iter().map(|class| class.count(board)).sum())
    }
}

impl Folded {
    /// `None` if a variant has anything but men on single squares, or if no two variants can be tested together.
    fn of(variants: &[Filter]) -> Option<Folded> {
        let mut classes: Vec<Class> = Vec::new();
        for variant in variants {
            let mut atoms = Vec::new();
            collect(variant, &mut atoms)?;
            let (_, anchor) = *atoms.first()?;
            for (_, square) in &mut atoms {
                *square -= anchor;
            }
            let anchor = Bitboard(1 << anchor);
            match classes.iter_mut().find(|class| class.atoms == atoms) {
                // Distances along a rank and around the edge of the board may be the same number: the anchor tells them
                // apart.
                Some(class) if class.anchors.intersect(anchor).any() => return None,
                Some(class) => class.anchors |= anchor,
                None => classes.push(Class { atoms, anchors: anchor }),
            }
        }
        (classes.len() < variants.len()).then_some(Folded(classes))
    }
}

impl Class {
    #[inline]
    fn count(&self, board: &Board) -> u32 {
        let mut left = self.anchors;
        for &(men, offset) in &self.atoms {
            let here = contents(board, men).0;
            let moved = if offset >= 0 { here >> offset } else { here << -offset };
            left &= Bitboard(moved);
            if left.is_empty() {
                return 0;
            }
        }
        left.0.count_ones()
    }
}

/// The men and squares of a conjunction; `None` if there is anything else in it.
fn collect(filter: &Filter, atoms: &mut Vec<(ManSet, i32)>) -> Option<()> {
    match &filter.node {
        Node::Designator(Designator { men, squares }) if squares.count() == 1 => {
            atoms.push((*men, i32::from(u8::from(squares.first()?))));
            Some(())
        }
        Node::Compound(list) => list.iter().try_for_each(|part| collect(part, atoms)),
        Node::And(a, b) => {
            collect(a, atoms)?;
            collect(b, atoms)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        language::compile(text, language::Dialect::Cql6, &language::ParseOptions::default())
            .expect("the query is accepted")
    }

    fn classes(text: &str) -> Vec<usize> {
        let mut orbits = Orbits::of(&query(text));
        orbits.folded.iter_mut().map(|folded| folded.0.len()).collect()
    }

    #[test]
    fn translations_share_a_class() {
        assert_eq!(classes("shift { Nf5 qd6 }"), [1]);
        assert_eq!(classes("flip shift { Nf5 qd6 }").len(), 1);
        // Seven ranks and a file: no two variants of one class may be mixed up.
        assert_eq!(classes("shift { Ka1 kh1 }"), [1]);
    }

    #[test]
    fn other_conditions_are_left_alone() {
        assert!(classes("flip { K attacks q }").is_empty());
        assert!(classes("shift { Pd-e4 }").is_empty());
        assert!(classes("Nf5").is_empty());
    }

    #[test]
    fn what_is_folded_counts_as_the_variants_do() {
        let board = Board::initial();
        for text in [
            "shift { Pd2 pd7 }",
            "shift { Rh1 Pa2 }",
            "flip shift { Ng1 Rh1 }",
            "rotate90 { Ra1 ra8 }",
        ] {
            let query = query(text);
            let orbits = Orbits::of(&query);
            query.body.any(&mut |filter| {
                if let Node::Orbit { variants, .. } = &filter.node {
                    let matches = |variant: &&Filter| {
                        let mut atoms = Vec::new();
                        collect(variant, &mut atoms).expect("single squares");
                        atoms
                            .iter()
                            .all(|&(men, square)| contents(&board, men).0 >> square & 1 != 0)
                    };
                    let expected = variants.iter().filter(matches).count();
                    if let Some(count) = orbits.count(filter, &board) {
                        assert_eq!(count as usize, expected, "{text}");
                    }
                }
                false
            });
        }
    }
}
