//! What is known of a set of squares that may not be computed exactly: it lies between two sets.

use shakmaty::Bitboard;

use super::intervals::NumberBounds;
use crate::expr::{Candidates, SetExpr, Truth, count_of, not_empty, possible, union_of};

/// Bounds of a set of squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SetBounds {
    /// Exactly this set.
    Exact(SetExpr),
    /// At least the squares that it must have, and at most those that it may have.
    Between { may: SetExpr, must: SetExpr },
}

impl SetBounds {
    /// Any set.
    pub(super) const UNKNOWN: SetBounds = SetBounds::Between {
        may: SetExpr::Constant(Bitboard::FULL),
        must: SetExpr::Constant(Bitboard::EMPTY),
    };

    /// At most these squares.
    pub(super) fn at_most(may: SetExpr) -> SetBounds {
        SetBounds::Between {
            may,
            must: SetExpr::Constant(Bitboard::EMPTY),
        }
    }

    /// Whether it may be any set.
    pub(super) fn is_unknown(&self) -> bool {
        *self == SetBounds::UNKNOWN
    }

    pub(super) fn is_exact(&self) -> bool {
        matches!(self, SetBounds::Exact(_))
    }

    /// The set, if it is known.
    pub(super) fn exact(self) -> Option<SetExpr> {
        match self {
            SetBounds::Exact(set) => Some(set),
            SetBounds::Between { .. } => None,
        }
    }

    /// The squares that it may have.
    pub(super) fn may(&self) -> &SetExpr {
        match self {
            SetBounds::Exact(set) | SetBounds::Between { may: set, .. } => set,
        }
    }

    /// The squares that it must have.
    pub(super) fn must(&self) -> &SetExpr {
        match self {
            SetBounds::Exact(set) | SetBounds::Between { must: set, .. } => set,
        }
    }

    /// Where it is not empty.
    pub(super) fn not_empty(self) -> Candidates {
        match self {
            SetBounds::Exact(set) => Candidates::exactly(not_empty(set)),
            SetBounds::Between { may, must } => Candidates::between(not_empty(may), not_empty(must)),
        }
    }

    /// The result of an operation that gives more squares when its operands have more, and none if one of them has none.
    pub(super) fn map<const N: usize>(
        operands: [SetBounds; N],
        operation: impl Fn([SetExpr; N]) -> SetExpr,
    ) -> SetBounds {
        SetBounds::map_list(operands.into(), true, |sets| {
            operation(sets.try_into().expect("there is a set for each operand"))
        })
    }

    /// The same for a list of operands. `is_strict` says that the result is empty if one of them is.
    pub(super) fn map_list(
        operands: Vec<SetBounds>,
        is_strict: bool,
        operation: impl Fn(Vec<SetExpr>) -> SetExpr,
    ) -> SetBounds {
        let is_exact = operands.iter().all(SetBounds::is_exact);
        let may = operation(operands.iter().map(|set| set.may().clone()).collect());
        if is_exact {
            return SetBounds::Exact(may);
        }
        let must = match is_strict && operands.iter().any(|operand| is_empty(operand.must())) {
            true => SetExpr::Constant(Bitboard::EMPTY),
            false => operation(operands.into_iter().map(|set| set.must().clone()).collect()),
        };
        match may == must {
            true => SetBounds::Exact(may),
            false => SetBounds::Between { may, must },
        }
    }

    pub(super) fn union(operands: Vec<SetBounds>) -> SetBounds {
        SetBounds::map_list(operands, false, union)
    }

    pub(super) fn intersection(operands: Vec<SetBounds>) -> SetBounds {
        SetBounds::map_list(operands, true, SetExpr::intersection)
    }

    pub(super) fn complement(self) -> SetBounds {
        match self {
            SetBounds::Exact(set) => SetBounds::Exact(complement(set)),
            SetBounds::Between { may, must } => SetBounds::Between {
                may: complement(must),
                must: complement(may),
            },
        }
    }

    /// The set where a condition holds, and no square elsewhere.
    pub(super) fn where_holds(self, condition: Candidates) -> SetBounds {
        let empty = || SetExpr::Constant(Bitboard::EMPTY);
        let chosen = |truth: Truth, set: SetExpr| match truth {
            Truth::Always => set,
            Truth::Never => empty(),
            _ if is_empty(&set) => empty(),
            truth => SetExpr::Choose(Box::new(truth), Box::new(set), Box::new(empty())),
        };
        let certain = condition.certain();
        match self {
            SetBounds::Exact(set) if condition.exact => SetBounds::Exact(chosen(condition.truth, set)),
            bounds => SetBounds::Between {
                must: chosen(certain, bounds.must().clone()),
                may: chosen(condition.truth, bounds.may().clone()),
            },
        }
    }

    /// What is known of it in another position of the game: squares don't move.
    pub(super) fn elsewhere(&self) -> SetBounds {
        match self {
            SetBounds::Exact(SetExpr::Constant(squares)) => SetBounds::Exact(SetExpr::Constant(*squares)),
            bounds => SetBounds::at_most(SetExpr::Constant(possible(bounds.may()))),
        }
    }

    /// The same, but any set where a condition holds.
    pub(super) fn except(self, open: Truth) -> SetBounds {
        let chosen = |other: Bitboard, set: &SetExpr| match &open {
            Truth::Always => SetExpr::Constant(other),
            Truth::Never => set.clone(),
            _ if matches!(set, SetExpr::Constant(squares) if *squares == other) => set.clone(),
            open => SetExpr::Choose(
                Box::new(open.clone()),
                Box::new(SetExpr::Constant(other)),
                Box::new(set.clone()),
            ),
        };
        match open {
            Truth::Never => self,
            _ => SetBounds::Between {
                may: chosen(Bitboard::FULL, self.may()),
                must: chosen(Bitboard::EMPTY, self.must()),
            },
        }
    }

    /// One set where a condition holds, the other elsewhere.
    pub(super) fn chosen(holds: &Candidates, then: SetBounds, otherwise: SetBounds) -> SetBounds {
        if let (SetBounds::Exact(a), SetBounds::Exact(b)) = (&then, &otherwise)
            && a == b
        {
            return then;
        }
        if let Some(added) = added_to(&otherwise, &then) {
            return SetBounds::union(vec![otherwise, added.where_holds(holds.clone())]);
        }
        match holds.exact {
            true => {
                let choose = |then: &SetExpr, otherwise: &SetExpr| match (&holds.truth, then == otherwise) {
                    (Truth::Always, _) | (_, true) => then.clone(),
                    (Truth::Never, _) => otherwise.clone(),
                    (truth, _) => SetExpr::Choose(
                        Box::new(truth.clone()),
                        Box::new(then.clone()),
                        Box::new(otherwise.clone()),
                    ),
                };
                let may = choose(then.may(), otherwise.may());
                match then.is_exact() && otherwise.is_exact() {
                    true => SetBounds::Exact(may),
                    false => SetBounds::Between {
                        may,
                        must: choose(then.must(), otherwise.must()),
                    },
                }
            }
            false => {
                let fails = holds.clone().not();
                SetBounds::union(vec![then.where_holds(holds.clone()), otherwise.where_holds(fails)])
            }
        }
    }

    /// How many squares it has.
    pub(super) fn count(self) -> NumberBounds {
        let number = |set: SetExpr| count_of(set);
        match self {
            SetBounds::Exact(set) => NumberBounds::exactly(number(set), Candidates::EVERYWHERE),
            SetBounds::Between { may, must } => {
                NumberBounds::between(Some(number(must)), Some(number(may)), Candidates::EVERYWHERE)
            }
        }
    }
}

/// What one set has more than another one, if it is made of that and others: such a set can grow again and again without its
/// expression getting much longer each time.
fn added_to(part: &SetBounds, whole: &SetBounds) -> Option<SetBounds> {
    let may = parts_added(part.may(), whole.may())?;
    if part.is_exact() && whole.is_exact() {
        return Some(SetBounds::Exact(may));
    }
    let must = parts_added(part.must(), whole.must())?;
    Some(SetBounds::Between { may, must })
}

fn parts_added(part: &SetExpr, whole: &SetExpr) -> Option<SetExpr> {
    let parts = |set: &SetExpr| match set {
        SetExpr::Union(parts) => parts.to_vec(),
        SetExpr::Constant(Bitboard::EMPTY) => Vec::new(),
        one => vec![one.clone()],
    };
    let mut added = parts(whole);
    for known in parts(part) {
        let is_there = |part: &SetExpr| match (part, &known) {
            (SetExpr::Constant(squares), SetExpr::Constant(known)) => squares.is_superset(*known),
            (SetExpr::Contents(men, squares), SetExpr::Contents(same, known)) => {
                men == same && squares.is_superset(*known)
            }
            (part, known) => part == known,
        };
        let place = added.iter().position(is_there)?;
        match (&mut added[place], known) {
            (SetExpr::Constant(squares), SetExpr::Constant(known))
            | (SetExpr::Contents(_, squares), SetExpr::Contents(_, known)) => *squares &= !known,
            _ => {}
        }
        let is_nothing = match &added[place] {
            SetExpr::Constant(squares) | SetExpr::Contents(_, squares) => squares.is_empty(),
            _ => true,
        };
        if is_nothing {
            added.remove(place);
        }
    }
    Some(union(added))
}

fn is_empty(set: &SetExpr) -> bool {
    matches!(set, SetExpr::Constant(Bitboard::EMPTY))
}

fn union(parts: Vec<SetExpr>) -> SetExpr {
    if parts
        .iter()
        .any(|part| matches!(part, SetExpr::Constant(Bitboard::FULL)))
    {
        return SetExpr::Constant(Bitboard::FULL);
    }
    union_of(parts)
}

fn complement(set: SetExpr) -> SetExpr {
    match set {
        SetExpr::Constant(squares) => SetExpr::Constant(!squares),
        set => SetExpr::Complement(Box::new(set)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    #[test]
    fn a_set_that_a_loop_adds_to_is_exact() {
        for text in [
            "Open=[] square X in a-h1 {if not [Pp] & vertical 0 7 X then Open|=vertical 0 7 X else true} #Open==8",
            "Seen=[] square X in a-h1-4 if X attackedby a then Seen|=X #Seen>20",
            "Seen=[a8] piece X in A if X attacks k then Seen|=X Seen & [RQ]",
        ] {
            let (truth, is_exact) = lowered(text);
            assert!(is_exact && truth != "everywhere", "{text}: {truth}");
        }
    }
}
