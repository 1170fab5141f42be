//! What is known of the value of a filter that may not be computed exactly: a set between two sets, a number between two
//! numbers.

use shakmaty::Bitboard;

use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, count_of, not_empty, possible, union_of};

/// Bounds of a set of squares.
#[derive(Clone, Debug)]
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

    /// The result of an operation that gives more squares when its operands have more.
    pub(super) fn map<const N: usize>(
        operands: [SetBounds; N],
        operation: impl Fn([SetExpr; N]) -> SetExpr,
    ) -> SetBounds {
        if operands.iter().all(SetBounds::is_exact) {
            return SetBounds::Exact(operation(operands.map(|operand| operand.may().clone())));
        }
        let must = match operands.iter().any(|operand| is_empty(operand.must())) {
            true => SetExpr::Constant(Bitboard::EMPTY),
            false => operation(operands.each_ref().map(|operand| operand.must().clone())),
        };
        SetBounds::Between {
            must,
            may: operation(operands.map(|operand| operand.may().clone())),
        }
    }

    /// The same for a list of operands. `is_strict` says that the result is empty if one of them is.
    pub(super) fn map_list(
        operands: Vec<SetBounds>,
        is_strict: bool,
        operation: impl Fn(Vec<SetExpr>) -> SetExpr,
    ) -> SetBounds {
        if operands.iter().all(SetBounds::is_exact) {
            return SetBounds::Exact(operation(operands.into_iter().map(|set| set.may().clone()).collect()));
        }
        let must = match is_strict && operands.iter().any(|operand| is_empty(operand.must())) {
            true => SetExpr::Constant(Bitboard::EMPTY),
            false => operation(operands.iter().map(|set| set.must().clone()).collect()),
        };
        SetBounds::Between {
            must,
            may: operation(operands.into_iter().map(|set| set.may().clone()).collect()),
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

    /// How many squares it has.
    pub(super) fn count(self) -> NumberBounds {
        let number = |set: SetExpr| count_of(set);
        match self {
            SetBounds::Exact(set) => NumberBounds::exactly(number(set), Candidates::EVERYWHERE),
            SetBounds::Between { may, must } => NumberBounds {
                least: Some(number(must)),
                most: (may != SetExpr::Constant(Bitboard::FULL)).then(|| number(may)),
                is_exact: false,
                valid: Candidates::EVERYWHERE,
            },
        }
    }
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

/// Bounds of a number, and where there is one.
#[derive(Clone, Debug)]
pub(super) struct NumberBounds {
    /// The number is not below this one; `None` if nothing is known. If it is exact, this is the number.
    least: Option<NumberExpr>,
    /// The number is not above this one.
    most: Option<NumberExpr>,
    is_exact: bool,
    /// Where the filter has a number.
    pub(super) valid: Candidates,
}

impl NumberBounds {
    pub(super) fn exactly(number: NumberExpr, valid: Candidates) -> NumberBounds {
        NumberBounds {
            least: Some(number),
            most: None,
            is_exact: true,
            valid,
        }
    }

    /// Any number, where there is one.
    pub(super) fn unknown(valid: Candidates) -> NumberBounds {
        NumberBounds::between(None, None, valid)
    }

    pub(super) fn between(least: Option<NumberExpr>, most: Option<NumberExpr>, valid: Candidates) -> NumberBounds {
        NumberBounds {
            least,
            most,
            is_exact: false,
            valid,
        }
    }

    /// The number and where there is one, if both are known.
    pub(super) fn exact(self) -> Option<(NumberExpr, Truth)> {
        match self.is_exact && self.valid.exact {
            true => self.least.map(|number| (number, self.valid.truth)),
            false => None,
        }
    }

    /// The number, if it is known where there is one.
    pub(super) fn value(&self) -> Option<&NumberExpr> {
        self.least.as_ref().filter(|_| self.is_exact)
    }

    pub(super) fn least(&self) -> Option<&NumberExpr> {
        self.least.as_ref()
    }

    pub(super) fn most(&self) -> Option<&NumberExpr> {
        match self.is_exact {
            true => self.least.as_ref(),
            false => self.most.as_ref(),
        }
    }

    /// The same number where a condition holds, too.
    pub(super) fn and(self, condition: Candidates) -> NumberBounds {
        NumberBounds {
            valid: Candidates::both(condition, self.valid),
            ..self
        }
    }

    /// What is known of it in another position of the game: constants.
    pub(super) fn elsewhere(&self) -> NumberBounds {
        let constant = |number: Option<&NumberExpr>| {
            number
                .filter(|number| matches!(number, NumberExpr::Constant(_)))
                .cloned()
        };
        match self.value() {
            Some(NumberExpr::Constant(n)) => NumberBounds::exactly(NumberExpr::Constant(*n), Candidates::EVERYWHERE),
            _ => NumberBounds::between(constant(self.least()), constant(self.most()), Candidates::EVERYWHERE),
        }
    }
}
