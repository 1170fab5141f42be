//! Which posting lists an expression reads.

use chess::Man;
use language::hir::{ManSet, PawnStructure};
use postings::Term;
use shakmaty::{Bitboard, Role};

use super::bound::in_stages;
use super::expr::{NumberExpr, SetExpr, Truth};
use super::leaves::TermSource;
use super::lower_sets::{possible, possible_men};

/// Terms, some of which depend on what a segment has.
#[derive(Debug)]
pub(super) struct Terms {
    /// By the term's code.
    used: Vec<bool>,
    /// Men that are counted over the whole board.
    counted: ManSet,
}

impl Terms {
    /// The terms of expressions.
    pub(super) fn of(truths: &[Truth]) -> Terms {
        let mut terms = Terms {
            used: vec![false; Term::CODES],
            counted: ManSet::NONE,
        };
        truths.iter().for_each(|truth| terms.truth(truth));
        terms
    }

    /// All of them, as a segment needs them.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub(super) fn list<S: TermSource>(mut self, source: &S) -> Result<Vec<Term>, S::Error> {
        for man in self.counted.iter().filter(|man| man.role() != Some(Role::King)) {
            for n in 1..=Term::MAX_COUNT {
                self.add(Term::AtLeast(man, n));
            }
            // More than the thermometers tell: the squares are counted.
            if source.cardinality(Term::AtLeast(man, Term::MAX_COUNT))? > 0 {
                self.placements(ManSet::from_man(man), Bitboard::FULL);
            }
        }
        let used = (0..).zip(&self.used).filter(|(_, is_used)| **is_used);
        Ok(used.filter_map(|(code, _)| Term::from_code(code)).collect())
    }

    fn add(&mut self, term: Term) {
        self.used[term.code() as usize] = true;
    }

    /// The lists of these men on these squares; whether a square is empty is told by all men.
    fn placements(&mut self, men: ManSet, squares: Bitboard) {
        let men: Vec<Man> = if men.contains(Man::EMPTY) {
            Man::all().collect()
        } else {
            men.iter().collect()
        };
        for square in squares {
            for &man in &men {
                self.add(Term::Placement(man, square));
            }
        }
    }

    /// Whatever stands in the way of a line.
    fn everything(&mut self) {
        self.placements(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
    }

    fn truth(&mut self, truth: &Truth) {
        match truth {
            Truth::Always | Truth::Never | Truth::Games(_) | Truth::PlyAtLeast(_) => {}
            Truth::Term(term) => self.add(*term),
            Truth::Not(inner) | Truth::After(_, inner) => self.truth(inner),
            // They are evaluated in stages, too.
            Truth::Tree(tree) => tree.step.parts().for_each(|part| {
                in_stages(part).iter().for_each(|stage| self.truth(stage));
            }),
            Truth::And(parts) | Truth::Or(parts) => parts.iter().for_each(|part| self.truth(part)),
            Truth::Any(set) | Truth::Single(set) => self.set(set),
            Truth::Compare(_, a, b) => {
                self.number(a);
                self.number(b);
            }
        }
    }

    fn set(&mut self, set: &SetExpr) {
        match set {
            SetExpr::Constant(_) => {}
            SetExpr::Contents(men, squares) => self.placements(*men, *squares),
            SetExpr::Pawns(structure, color) => {
                let pawns = |color| ManSet::from_man(Man::new(color, Role::Pawn));
                self.placements(pawns(*color), Bitboard::FULL);
                if *structure == PawnStructure::Passed {
                    self.placements(pawns(!*color), Bitboard::FULL);
                }
            }
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.iter().for_each(|part| self.set(part)),
            SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } | SetExpr::After(_, inner) => {
                self.set(inner);
            }
            SetExpr::Attacks(from, to) | SetExpr::AttackedBy(to, from) => {
                let men = possible_men(from);
                if men.iter().any(is_slider) {
                    self.everything();
                } else {
                    self.placements(men, possible(from));
                }
                self.set(from);
                self.set(to);
            }
            SetExpr::Rays { arguments, .. } => {
                self.everything();
                arguments.iter().for_each(|argument| self.set(argument));
            }
            SetExpr::Pins(arguments, _) => {
                self.everything();
                arguments.iter().for_each(|argument| self.set(argument));
            }
            SetExpr::Between { ends, .. } => ends.iter().for_each(|end| self.set(end)),
            SetExpr::Choose(condition, a, b) => {
                self.truth(condition);
                self.set(a);
                self.set(b);
            }
            SetExpr::Squares(parts) => parts.iter().for_each(|(_, truth)| self.truth(truth)),
        }
    }

    fn number(&mut self, number: &NumberExpr) {
        match number {
            NumberExpr::Constant(_) => {}
            NumberExpr::Count(set) | NumberExpr::Power(set) if let Some(men) = everywhere(set) => {
                self.counted = self.counted | men;
            }
            NumberExpr::Count(set) | NumberExpr::Coordinate(_, set) => self.set(set),
            NumberExpr::Power(set) => {
                self.placements(possible_men(set), possible(set));
                self.set(set);
            }
            NumberExpr::CountTrue(truths) => truths.iter().for_each(|truth| self.truth(truth)),
            NumberExpr::After(_, inner) => self.number(inner),
            NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
                self.number(a);
                self.number(b);
            }
            NumberExpr::Choose(condition, a, b) => {
                self.truth(condition);
                self.number(a);
                self.number(b);
            }
        }
    }
}

/// The men of a set that is all squares where they stand.
pub(super) fn everywhere(set: &SetExpr) -> Option<ManSet> {
    match set {
        SetExpr::Contents(men, Bitboard::FULL) if !men.contains(Man::EMPTY) => Some(*men),
        _ => None,
    }
}

/// Whether what stands in its way matters to a man; on a square that may be empty, anything may stand.
fn is_slider(man: Man) -> bool {
    man == Man::EMPTY || matches!(man.role(), Some(Role::Bishop | Role::Rook | Role::Queen))
}
