//! Rough forms of costly conditions: they hold wherever the conditions do, and leave out what takes long and excludes little.

use language::hir::Comparison;
use shakmaty::{Bitboard, Square};

use crate::expr::{Expr, NumberExpr, SetExpr, Truth, not_empty};

/// A part that costs less, in plane operations for a block, is never left out.
const COSTLY: f64 = 500.0;

impl Truth {
    /// A condition that holds wherever this one does. It does not ask for the costly things that must not be, nor which squares
    /// are new in a set, nor for moves that are read, and of alternatives it asks one costly part each.
    pub(super) fn rough(&self) -> Truth {
        match self {
            Truth::And(parts) => Truth::all(parts.iter().map(Truth::rough).collect::<Vec<_>>()),
            Truth::Or(parts) => Truth::any(parts.iter().map(alternative).collect::<Vec<_>>()),
            Truth::Not(inner) if inner.cost() > COSTLY || is_left_out(Expr::Truth(inner)) => Truth::Always,
            Truth::Any(set) => not_empty(rough(set)),
            // There may be more squares.
            Truth::Single(set) if is_left_out(Expr::Set(set)) => not_empty(rough(set)),
            Truth::After(ids, inner) => inner.rough().after(*ids),
            Truth::Compare(comparison, number, least)
                if let (NumberExpr::Count(set), NumberExpr::Constant(_)) = (&**number, &**least)
                    && let Some(comparison) = at_least(*comparison) =>
            {
                let count = NumberExpr::Count(rough(set));
                Truth::Compare(comparison, Box::new(count), least.clone())
            }
            Truth::Temporal(_) => Truth::Always,
            other if is_left_out(Expr::Truth(other)) => Truth::Always,
            other => other.clone(),
        }
    }
}

/// What holds of any larger number, too, if a comparison holds.
fn at_least(comparison: Comparison) -> Option<Comparison> {
    match comparison {
        Comparison::Greater => Some(Comparison::Greater),
        Comparison::Equal | Comparison::GreaterEqual => Some(Comparison::GreaterEqual),
        _ => None,
    }
}

/// A part that costs more, in plane operations for a block, is very costly: a loop that is written out for each square.
const VERY_COSTLY: f64 = 50_000.0;

/// Beside a very costly part, other parts are kept while their costs add up to this many times less.
const TIMES_LESS: f64 = 8.0;

/// Of an alternative, all that is cheap, the one of the other parts that excludes most for its cost, and those that cost next to
/// nothing beside the most costly one.
fn alternative(truth: &Truth) -> Truth {
    let rough = truth.rough();
    let Truth::And(parts) = rough else { return rough };
    let (cheap, mut costly): (Vec<Truth>, Vec<Truth>) = parts.into_iter().partition(|part| part.cost() < COSTLY);
    costly.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
    let most = costly.iter().map(Truth::cost).fold(0.0, f64::max);
    let mut left = if most > VERY_COSTLY { most / TIMES_LESS } else { 0.0 };
    let kept = costly.into_iter().enumerate().filter(|(number, part)| {
        left -= part.cost();
        *number == 0 || left > 0.0
    });
    Truth::all(cheap.into_iter().chain(kept.map(|(_, part)| part)))
}

/// The cost of a condition for what it excludes: men rarely stand on one line, and one of several things is often the case.
fn rank(truth: &Truth) -> f64 {
    match truth {
        Truth::Any(set) | Truth::Single(set) => rank_of_set(set),
        Truth::Compare(..) => 0.5 * truth.cost(),
        Truth::Or(_) => 2.0 * truth.cost(),
        _ => truth.cost(),
    }
}

fn rank_of_set(set: &SetExpr) -> f64 {
    set.cost() * if has_lines(set) { 0.25 } else { 1.0 }
}

/// Whether a set asks for men on one line.
fn has_lines(set: &SetExpr) -> bool {
    match set {
        SetExpr::Rays { .. } | SetExpr::Pins(..) => true,
        SetExpr::Intersection(parts) => parts.iter().any(has_lines),
        SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => has_lines(a) || has_lines(b),
        _ => false,
    }
}

/// A set that has all squares of another one.
fn rough(set: &SetExpr) -> SetExpr {
    let boxed = |set: &SetExpr| Box::new(rough(set));
    let list = |parts: &[SetExpr]| parts.iter().map(rough).collect::<Vec<_>>();
    match set {
        SetExpr::Added(inner) | SetExpr::Nth(_, inner) => rough(inner),
        SetExpr::Complement(inner) if inner.cost() > COSTLY || is_left_out(Expr::Set(inner)) => {
            SetExpr::Constant(Bitboard::FULL)
        }
        SetExpr::Union(parts) => SetExpr::Union(list(parts).into()),
        SetExpr::Intersection(parts) => {
            let (mut kept, mut costly): (Vec<SetExpr>, Vec<SetExpr>) =
                list(parts).into_iter().partition(|part| part.cost() < COSTLY);
            costly.sort_by(|a, b| rank_of_set(a).total_cmp(&rank_of_set(b)));
            kept.extend(costly.into_iter().take(1));
            SetExpr::intersection(kept)
        }
        SetExpr::Attacks(from, to) => SetExpr::Attacks(boxed(from), boxed(to)),
        SetExpr::AttackedBy(to, from) => SetExpr::AttackedBy(boxed(to), boxed(from)),
        SetExpr::Steps {
            directions,
            min,
            max,
            from,
        } => SetExpr::Steps {
            directions: *directions,
            min: *min,
            max: *max,
            from: boxed(from),
        },
        SetExpr::Rays {
            lines,
            arguments,
            gives_first,
        } => SetExpr::Rays {
            lines: *lines,
            arguments: list(arguments),
            gives_first: *gives_first,
        },
        SetExpr::Pins(parts, value) => SetExpr::Pins(Box::new([0, 1, 2].map(|part| rough(&parts[part]))), *value),
        SetExpr::Between { directions, ends } => SetExpr::Between {
            directions: *directions,
            ends: Box::new([rough(&ends[0]), rough(&ends[1])]),
        },
        SetExpr::Choose(condition, then, otherwise) if !is_left_out(Expr::Truth(condition)) => {
            SetExpr::Choose(condition.clone(), boxed(then), boxed(otherwise))
        }
        SetExpr::After(ids, inner) => SetExpr::After(*ids, boxed(inner)),
        SetExpr::Squares(parts) => {
            let parts: Vec<(Square, Truth)> = parts.iter().map(|(square, truth)| (*square, truth.rough())).collect();
            match parts.iter().all(|(_, truth)| *truth == Truth::Always) {
                true => SetExpr::Constant(parts.iter().map(|(square, _)| *square).collect()),
                false => SetExpr::Squares(parts.into()),
            }
        }
        other if is_left_out(Expr::Set(other)) => SetExpr::Constant(Bitboard::FULL),
        other => other.clone(),
    }
}

/// Whether an expression asks for squares that are new in a set, or for moves that are read.
fn is_left_out(expr: Expr<'_>) -> bool {
    expr.has(&|part| match part {
        Expr::Set(set) => matches!(set, SetExpr::Added(_)),
        Expr::Truth(truth) => is_read(truth),
        Expr::Number(_) => false,
    })
}

/// Whether this is a condition on moves that are read: no list has them.
fn is_read(truth: &Truth) -> bool {
    matches!(truth, Truth::Move(next) if next.place().is_some())
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use postings::Term;
    use shakmaty::{Color, Role};

    use super::*;
    use crate::expr::{Course, MoveGroup, MovePattern, NextMove};

    fn men(color: Color, role: Role) -> SetExpr {
        SetExpr::Contents(ManSet::from_man(Man::new(color, role)), Bitboard::FULL)
    }

    fn attacked(to: SetExpr, from: SetExpr) -> SetExpr {
        SetExpr::AttackedBy(Box::new(to), Box::new(from))
    }

    fn any(set: SetExpr) -> Truth {
        Truth::Any(Box::new(set))
    }

    #[test]
    fn what_must_not_be_is_left_out_where_it_is_costly() {
        let white = SetExpr::Contents(ManSet::WHITE, Bitboard::FULL);
        let [rook, queen] = [Role::Rook, Role::Queen].map(|role| men(Color::Black, role));
        let loose = SetExpr::Complement(Box::new(attacked(SetExpr::Constant(Bitboard::FULL), white.clone())));
        let one = attacked(SetExpr::Intersection([rook.clone(), loose].into()), queen.clone());
        assert_eq!(any(one.clone()).rough(), any(attacked(rook.clone(), queen.clone())));
        // What costs little is kept.
        let check = Truth::Term(Term::Check).not();
        let attack = any(attacked(queen.clone(), white)).not();
        let truth = Truth::And([check.clone(), attack, any(one)].into());
        let expected = Truth::And([check, any(attacked(rook, queen))].into());
        assert_eq!(truth.rough(), expected);
    }

    #[test]
    fn alternatives_keep_one_costly_part() {
        let [rook, queen] = [Role::Rook, Role::Queen].map(|role| men(Color::Black, role));
        let white = SetExpr::Contents(ManSet::WHITE, Bitboard::FULL);
        let (cheap, costly) = (any(attacked(white.clone(), rook)), any(attacked(queen, white)));
        let [first, second] = [Term::WhiteToMove, Term::Check].map(Truth::Term);
        let both = Truth::And([first.clone(), cheap.clone(), costly.clone()].into());
        let kept = [&cheap, &costly].into_iter().min_by(|a, b| rank(a).total_cmp(&rank(b)));
        let kept = Truth::all([first.clone()].into_iter().chain(kept.cloned()));
        let alternatives = Truth::Or([both.clone(), second.clone()].into());
        assert_eq!(alternatives.rough(), Truth::Or([kept, second].into()));
        // Of a conjunction, all parts are asked one after the other.
        assert_eq!(both.rough(), both);
    }

    #[test]
    fn men_need_not_be_new() {
        let knight = men(Color::White, Role::Knight);
        let new = SetExpr::Added(Box::new(knight.clone()));
        let queen = men(Color::Black, Role::Queen);
        let attack = |from: &SetExpr| any(attacked(queen.clone(), from.clone()));
        assert_eq!(attack(&new).rough(), attack(&knight));
        assert_eq!(attack(&new).not().rough(), Truth::Always);
        let none = SetExpr::Complement(Box::new(new));
        assert_eq!(
            any(SetExpr::Intersection([knight.clone(), none].into())).rough(),
            any(knight).rough()
        );
    }

    #[test]
    fn moves_that_are_read_are_left_out() {
        let rook = Man::new(Color::White, Role::Rook);
        let moves = |from: Square| {
            let listed = Truth::Term(Term::Placement(rook, from));
            NextMove::course(MovePattern::of(ManSet::from_man(rook)), Course::Later(from), listed)
        };
        let [check, turn] = [Term::Check, Term::WhiteToMove].map(Truth::Term);
        let truth = Truth::And([check.clone(), moves(Square::A1), turn.clone()].into());
        // Lists are kept.
        assert_eq!(truth.rough(), truth);
        let squares = |truth: &dyn Fn(Square) -> Truth| {
            let parts = [Square::A1, Square::B1].map(|square| (square, truth(square)));
            any(SetExpr::Squares(parts.into()))
        };
        let read = Truth::And([truth, moves(Square::A1).not(), squares(&moves)].into());
        assert!(MoveGroup::gather(&read));
        assert_eq!(read.rough(), Truth::all([check, turn]));
    }
}
