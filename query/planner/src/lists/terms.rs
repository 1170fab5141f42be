//! Which posting lists an expression reads.

use chess::Man;
use language::hir::{ManSet, PawnStructure};
use postings::Term;
use shakmaty::{Bitboard, Role, Square};

use crate::expr::{Expr, NumberExpr, SetExpr, Truth, everywhere, possible, possible_men};
use crate::source::TermSource;

/// Terms, some of which depend on what a segment has.
#[derive(Debug)]
pub(crate) struct Terms {
    /// By the term's code.
    used: Vec<bool>,
    /// Men that are counted over the whole board.
    counted: ManSet,
}

impl Terms {
    /// No terms.
    pub(crate) fn none() -> Terms {
        Terms {
            used: vec![false; Term::CODES],
            counted: ManSet::NONE,
        }
    }

    /// How many there are. Lists of men that are counted over the whole board are left out: they are few.
    pub(crate) fn count(&self) -> usize {
        self.used.iter().filter(|&&is_used| is_used).count()
    }

    /// The terms of expressions.
    pub(super) fn of(truths: &[Truth]) -> Terms {
        let mut terms = Terms::none();
        truths.iter().for_each(|truth| terms.truth(truth));
        terms
    }

    /// All terms, resolved for a segment.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub(super) fn list<S: TermSource>(mut self, source: &S) -> Result<Vec<Term>, S::Error> {
        for man in self.counted.iter().filter(|man| man.role() != Some(Role::King)) {
            for n in 1..=Term::MAX_COUNT {
                self.add(Term::AtLeast(man, n));
            }
            // If there may be more men than these lists count, the squares are counted.
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

    /// The lists of these men on these squares; a square is empty where none of all men stands.
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

    /// The lists of all men that can block a line.
    fn everything(&mut self) {
        self.placements(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
    }

    fn expression(&mut self, expr: Expr<'_>) {
        match expr {
            Expr::Truth(truth) => self.truth(truth),
            Expr::Set(set) => self.set(set),
            Expr::Number(number) => self.number(number),
        }
    }

    /// The lists of what is inside an expression.
    fn parts(&mut self, expr: Expr<'_>) {
        expr.for_each_part(|_, part| self.expression(part));
    }

    /// Adds those that a condition reads.
    pub(crate) fn truth(&mut self, truth: &Truth) {
        match truth {
            Truth::Term(term) => self.add(*term),
            Truth::Temporal(temporal) => return temporal.op.parts().for_each(|part| self.truth(part)),
            Truth::Always | Truth::Never | Truth::Games(_) | Truth::PlyAtLeast(_) | Truth::PositionSet(_) => {}
            Truth::Given(_) => {}
            Truth::Not(_) | Truth::And(_) | Truth::Or(_) | Truth::Any(_) | Truth::Compare(..) => {}
            Truth::Single(_) | Truth::After(..) | Truth::Move(_) => {}
        }
        self.parts(Expr::Truth(truth));
    }

    fn set(&mut self, set: &SetExpr) {
        match set {
            SetExpr::Contents(men, squares) => self.placements(*men, *squares),
            SetExpr::Pawns(structure, color) => {
                let pawns = |color| ManSet::from_man(Man::new(color, Role::Pawn));
                self.placements(pawns(*color), Bitboard::FULL);
                if *structure == PawnStructure::Passed {
                    self.placements(pawns(!*color), Bitboard::FULL);
                }
            }
            SetExpr::Pinned(color) => {
                for square in Square::ALL {
                    self.add(Term::Pinned(*color, square));
                }
            }
            SetExpr::Attacks(from, _) | SetExpr::AttackedBy(_, from) => {
                let men = possible_men(from);
                if men.iter().any(is_slider) {
                    self.everything();
                } else {
                    self.placements(men, possible(from));
                }
            }
            SetExpr::Rays { .. } | SetExpr::Pins(..) => self.everything(),
            SetExpr::Constant(_) | SetExpr::Union(_) | SetExpr::Intersection(_) | SetExpr::Complement(_) => {}
            SetExpr::Steps { .. } | SetExpr::Between { .. } | SetExpr::Choose(..) => {}
            SetExpr::Added(_) => self.add(Term::Initial),
            SetExpr::Squares(_) | SetExpr::After(..) | SetExpr::Nth(..) => {}
        }
        self.parts(Expr::Set(set));
    }

    fn number(&mut self, number: &NumberExpr) {
        match number {
            NumberExpr::Count(set) | NumberExpr::Power(set) if let Some(men) = everywhere(set) => {
                self.counted = self.counted | men;
                return;
            }
            NumberExpr::Power(set) => self.placements(possible_men(set), possible(set)),
            NumberExpr::Constant(_) | NumberExpr::Count(_) | NumberExpr::CountTrue(_) | NumberExpr::Sum(..) => {}
            NumberExpr::Difference(..) | NumberExpr::Coordinate(..) | NumberExpr::Choose(..) => {}
            NumberExpr::Table(..) => {}
            NumberExpr::After(..) | NumberExpr::Scaled(..) | NumberExpr::Max(_) | NumberExpr::Quantity(_) => {}
        }
        self.parts(Expr::Number(number));
    }
}

/// Whether other men can block a man. A set that may include empty squares may have any man.
fn is_slider(man: Man) -> bool {
    man == Man::EMPTY || matches!(man.role(), Some(Role::Bishop | Role::Rook | Role::Queen))
}
