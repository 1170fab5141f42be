//! What the other parts of a conjunction say is a constant inside each of its parts: where it is White's turn, it need not be asked
//! which color a set is about, and of men that are not pinned, not which of them are. Bounds that differ only there become exact.

use language::hir::PinValue;
use postings::Term;
use shakmaty::Bitboard;

use crate::expr::{Candidates, Expr, ExprMut, NumberExpr, SetExpr, Truth, not_empty, possible_men};

/// Expressions with more parts are left as they are.
const MOST_PARTS: usize = 20_000;

impl Candidates {
    /// The same positions, where what is known from one part of a conjunction is not asked in others.
    #[must_use]
    pub(crate) fn with_known(self) -> Candidates {
        let left = |truth: Truth| Known::default().in_truth(&truth).unwrap_or(truth);
        let certain = self.certain();
        match self.exact {
            _ if !chooses(&self.truth) && !chooses(&certain) => self,
            true => Candidates::exactly(left(self.truth)),
            false => Candidates::between(left(self.truth), left(certain)),
        }
    }
}

/// Whether an expression, which is not too large to be copied, has a set that depends on a condition.
fn chooses(truth: &Truth) -> bool {
    let is_choice = |part: Expr<'_>| {
        matches!(
            part,
            Expr::Set(SetExpr::Choose(..)) | Expr::Number(NumberExpr::Choose(..))
        )
    };
    let expr = Expr::Truth(truth);
    !expr.is_larger_than(MOST_PARTS) && expr.has(&is_choice)
}

/// What is known where an expression is asked.
#[derive(Clone, Debug, Default)]
struct Known {
    /// Lists, and whether the position is in each of them.
    terms: Vec<(Term, bool)>,
    /// Pins that the squares of interest are not in.
    no_pins: Vec<SetExpr>,
}

impl Known {
    /// The same without what is known of squares.
    fn of_position(&self) -> Known {
        Known {
            terms: self.terms.clone(),
            no_pins: Vec::new(),
        }
    }

    /// The condition that is left; `None` if it is the same.
    fn in_truth(&self, truth: &Truth) -> Option<Truth> {
        match truth {
            Truth::Term(term) => {
                let &(_, holds) = self.terms.iter().find(|(known, _)| known == term)?;
                Some(if holds { Truth::Always } else { Truth::Never })
            }
            Truth::Not(inner) => self.in_truth(inner).map(Truth::not),
            Truth::And(parts) => {
                let literals = parts
                    .iter()
                    .filter_map(literal)
                    .filter(|fact| !self.terms.contains(fact));
                let inside = Known {
                    terms: self.terms.iter().copied().chain(literals).collect(),
                    no_pins: Vec::new(),
                };
                let left = parts.iter().map(|part| match literal(part) {
                    Some(_) => self.in_truth(part),
                    None => inside.in_truth(part),
                });
                changed(parts, left.collect()).map(Truth::all)
            }
            Truth::Or(parts) => {
                let left = parts.iter().map(|part| self.in_truth(part)).collect();
                changed(parts, left).map(Truth::any)
            }
            Truth::Any(set) => self.in_set(set).map(not_empty),
            // They are about other positions.
            Truth::After(..) | Truth::Temporal(_) | Truth::Move(_) => None,
            other => {
                let mut copy = other.clone();
                self.in_parts(ExprMut::Truth(&mut copy)).then_some(copy)
            }
        }
    }

    /// The same for a set.
    fn in_set(&self, set: &SetExpr) -> Option<SetExpr> {
        match set {
            SetExpr::Pins(..) if self.no_pins.iter().any(|pins| is_within(set, pins)) => {
                Some(SetExpr::Constant(Bitboard::EMPTY))
            }
            SetExpr::Choose(condition, then, otherwise) => match self.of_position().in_truth(condition) {
                Some(Truth::Always) => Some(self.in_set(then).unwrap_or_else(|| (**then).clone())),
                Some(Truth::Never) => Some(self.in_set(otherwise).unwrap_or_else(|| (**otherwise).clone())),
                left => {
                    let [a, b] = [then, otherwise].map(|set| self.in_set(set));
                    if left.is_none() && a.is_none() && b.is_none() {
                        return None;
                    }
                    let or_same = |left: Option<SetExpr>, set: &SetExpr| Box::new(left.unwrap_or_else(|| set.clone()));
                    let condition = Box::new(left.unwrap_or_else(|| (**condition).clone()));
                    Some(SetExpr::Choose(condition, or_same(a, then), or_same(b, otherwise)))
                }
            },
            SetExpr::Complement(inner) => Some(match self.in_set(inner)? {
                SetExpr::Constant(squares) => SetExpr::Constant(!squares),
                left => SetExpr::Complement(Box::new(left)),
            }),
            SetExpr::Union(parts) => {
                let left = parts.iter().map(|part| self.in_set(part)).collect();
                let mut left = changed(parts, left)?;
                left.retain(|part| *part != SetExpr::Constant(Bitboard::EMPTY));
                Some(match left.len() {
                    0 => SetExpr::Constant(Bitboard::EMPTY),
                    1 => left.swap_remove(0),
                    _ => SetExpr::Union(left.into()),
                })
            }
            SetExpr::Intersection(parts) => {
                let mut inside = self.clone();
                inside.no_pins.extend(parts.iter().filter_map(no_pins).cloned());
                let left = parts.iter().map(|part| match no_pins(part) {
                    Some(_) => self.in_set(part),
                    None => inside.in_set(part),
                });
                changed(parts, left.collect()).map(SetExpr::intersection)
            }
            // They are about other positions.
            SetExpr::After(..) | SetExpr::Added(_) => None,
            other => {
                let mut copy = other.clone();
                self.of_position().in_parts(ExprMut::Set(&mut copy)).then_some(copy)
            }
        }
    }

    fn in_number(&self, number: &NumberExpr) -> Option<NumberExpr> {
        match number {
            NumberExpr::After(..) => None,
            NumberExpr::Choose(condition, then, otherwise) => {
                let chosen = match self.in_truth(condition) {
                    Some(Truth::Always) => then,
                    Some(Truth::Never) => otherwise,
                    _ => {
                        let mut copy = number.clone();
                        return self.in_parts(ExprMut::Number(&mut copy)).then_some(copy);
                    }
                };
                Some(self.in_number(chosen).unwrap_or_else(|| (**chosen).clone()))
            }
            other => {
                let mut copy = other.clone();
                self.in_parts(ExprMut::Number(&mut copy)).then_some(copy)
            }
        }
    }

    /// Changes the parts of an expression; whether there was something to change.
    fn in_parts(&self, expr: ExprMut<'_>) -> bool {
        let mut is_changed = false;
        expr.for_each_part(&mut |part| {
            is_changed |= match part {
                ExprMut::Truth(truth) => put(self.in_truth(truth), truth),
                ExprMut::Set(set) => put(self.in_set(set), set),
                ExprMut::Number(number) => put(self.in_number(number), number),
            };
        });
        is_changed
    }
}

/// Puts what is left in the place of an expression.
fn put<T>(left: Option<T>, place: &mut T) -> bool {
    left.is_some_and(|left| {
        *place = left;
        true
    })
}

/// The parts with what is left of them; `None` if they are all the same.
fn changed<T: Clone>(parts: &[T], left: Vec<Option<T>>) -> Option<Vec<T>> {
    if left.iter().all(Option::is_none) {
        return None;
    }
    let all = left.into_iter().zip(parts);
    Some(all.map(|(left, part)| left.unwrap_or_else(|| part.clone())).collect())
}

/// A list, and whether the position has to be in it, if that is all that a condition says.
fn literal(truth: &Truth) -> Option<(Term, bool)> {
    match truth {
        Truth::Term(term) => Some((*term, true)),
        Truth::Not(inner) => match **inner {
            Truth::Term(term) => Some((term, false)),
            _ => None,
        },
        _ => None,
    }
}

/// The pins of whose squares a set has none.
fn no_pins(set: &SetExpr) -> Option<&SetExpr> {
    match set {
        SetExpr::Complement(inner) if matches!(**inner, SetExpr::Pins(..)) => Some(inner),
        _ => None,
    }
}

/// Whether each square of some pins is one of other pins, as far as that is seen at once.
fn is_within(pins: &SetExpr, others: &SetExpr) -> bool {
    let (SetExpr::Pins(parts, PinValue::Through), SetExpr::Pins(of_others, PinValue::Through)) = (pins, others) else {
        return false;
    };
    parts.iter().zip(&**of_others).all(|(part, other)| match other {
        SetExpr::Constant(Bitboard::FULL) => true,
        SetExpr::Contents(men, Bitboard::FULL) => men.is_superset(possible_men(part)),
        _ => part == other,
    })
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use shakmaty::{Color, Role};

    use super::*;

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    fn pinned_to(kings: ManSet) -> SetExpr {
        let anywhere = SetExpr::Constant(Bitboard::FULL);
        SetExpr::Pins(
            Box::new([anywhere.clone(), anywhere, contents(kings)]),
            PinValue::Through,
        )
    }

    fn not(set: SetExpr) -> SetExpr {
        SetExpr::Complement(Box::new(set))
    }

    /// Rooks that meet a condition of their own, as a knight beside them; in check none does.
    fn lively(is_certain: bool) -> SetExpr {
        let knights = contents(ManSet::from_role(Role::Knight));
        let free = SetExpr::Attacks(Box::new(knights), Box::new(SetExpr::Constant(Bitboard::FULL)));
        if !is_certain {
            return free;
        }
        let king = ManSet::from_man(Man::new(Color::White, Role::King));
        let free = SetExpr::intersection(vec![free, not(pinned_to(king))]);
        let none = SetExpr::Constant(Bitboard::EMPTY);
        SetExpr::Choose(Box::new(Truth::Term(Term::Check)), Box::new(none), Box::new(free))
    }

    fn rooks_that_are_not(lively: SetExpr, also: Vec<SetExpr>) -> SetExpr {
        let rooks = contents(ManSet::from_role(Role::Rook));
        SetExpr::intersection([vec![rooks, not(lively)], also].concat())
    }

    #[test]
    fn what_differs_only_where_something_else_is_known_becomes_exact() {
        let bound = |is_certain: bool, safe: &[Truth], unpinned: &[SetExpr]| {
            let set = rooks_that_are_not(lively(is_certain), unpinned.to_vec());
            Truth::all(safe.iter().cloned().chain([not_empty(set)]))
        };
        let known = |safe: &[Truth], unpinned: &[SetExpr]| {
            let bounds = [true, false].map(|is_certain| bound(is_certain, safe, unpinned));
            let [most, least] = bounds;
            Candidates::between(most, least).with_known()
        };
        let safe = [Truth::Term(Term::Check).not()];
        let unpinned = [not(pinned_to(ManSet::from_role(Role::King)))];
        assert!(!known(&[], &[]).exact);
        assert!(!known(&safe, &[]).exact);
        assert!(!known(&[], &unpinned).exact);
        let both = known(&safe, &unpinned);
        assert!(both.exact);
        assert_eq!(both.truth, bound(false, &safe, &unpinned));
    }

    #[test]
    fn alternatives_and_other_positions_know_nothing_of_each_other() {
        let set = |then, otherwise| {
            let [then, otherwise] = [then, otherwise].map(|role| Box::new(contents(ManSet::from_role(role))));
            not_empty(SetExpr::Choose(
                Box::new(Truth::Term(Term::WhiteToMove)),
                then,
                otherwise,
            ))
        };
        let depends = || set(Role::Rook, Role::Queen);
        let turn = Truth::Term(Term::WhiteToMove);
        let left = |truth: Truth| Candidates::exactly(truth).with_known().truth;
        let rook = not_empty(contents(ManSet::from_role(Role::Rook)));
        assert_eq!(
            left(Truth::all([turn.clone(), depends()])),
            Truth::all([turn.clone(), rook])
        );
        for same in [
            Truth::any([turn.clone(), depends()]),
            Truth::all([turn.clone(), depends().after(1)]),
            Truth::all([turn.clone().after(1), depends()]),
        ] {
            assert_eq!(left(same.clone()), same);
        }
        let queen = not_empty(contents(ManSet::from_role(Role::Queen)));
        let other = Truth::all([turn.clone().not(), depends()]);
        assert_eq!(left(other), Truth::all([turn.not(), queen]));
    }
}
