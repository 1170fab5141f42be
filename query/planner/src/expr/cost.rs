//! Upper bounds for the cost of expressions, in plane operations for a block of positions, whatever share of the
//! positions their parts let through.

use postings::Term;

use super::possible::{at_the_beginning, everywhere, possible};
use super::{Expr, NumberExpr, SetExpr, TemporalOp, Truth, Wanted};

/// The lists of a quantity are made when they are first needed: 12 ns for each position.
pub(crate) const A_QUANTITY: f64 = 2_500.0;

/// To compare the positions of games, which are played through: 40 ns for each.
const ALIKE: f64 = 8_000.0;

/// To run an automaton: 25 ns for each position.
const ACCEPTED: f64 = 5_000.0;

/// What a condition costs that is only asked where something rare is the case, as in a few positions of a block: a share of what
/// it costs otherwise.
const IF_RARE: f64 = 0.05;

impl Truth {
    /// Whether it only holds at a mate, at a stalemate, or where there are more men of a kind than at the beginning of a game.
    fn is_rare(&self) -> bool {
        match self {
            Truth::Term(Term::Mate | Term::Stalemate) => true,
            Truth::Term(Term::AtLeast(man, least)) => usize::from(*least) > at_the_beginning(*man),
            _ => false,
        }
    }

    /// What the expression costs at most, in plane operations for a block, whatever its parts let through.
    pub(crate) fn cost(&self) -> f64 {
        match self {
            Truth::Always | Truth::Never => 0.0,
            Truth::Term(_) | Truth::PositionSet(_) | Truth::Games(_) | Truth::PlyAtLeast(_) => 1.0,
            Truth::Given(_) => A_QUANTITY,
            Truth::Not(inner) => inner.cost(),
            Truth::And(parts) => parts.cost(|parts| {
                let costs = |is_rare: bool| {
                    let parts = parts.iter().filter(move |part| part.is_rare() == is_rare);
                    parts.map(Truth::cost).sum::<f64>()
                };
                let rare = costs(true);
                rare + costs(false) * if rare > 0.0 { IF_RARE } else { 1.0 }
            }),
            Truth::Or(parts) => parts.cost(|parts| parts.iter().map(Truth::cost).sum()),
            Truth::Any(set) | Truth::Single(set) => set.cost(),
            Truth::Compare(_, a, b) => a.cost() + b.cost() + 40.0,
            Truth::After(_, inner) => inner.cost() + 1.0,
            Truth::Move(next) => next.cost(),
            Truth::Temporal(temporal) => {
                temporal.op.parts().map(Truth::cost).sum::<f64>() + 150.0 + temporal.op.comparing()
            }
        }
    }
}

impl TemporalOp {
    /// What comparing positions costs, in plane operations for a block, beside the pass that each of them takes.
    pub(crate) fn comparing(&self) -> f64 {
        match self {
            TemporalOp::Alike { .. } => ALIKE,
            TemporalOp::Accepted { automaton, .. } => match automaton.wanted {
                Wanted::Any => ACCEPTED,
                Wanted::Longest(_) | Wanted::First(_) => 3.0 * ACCEPTED,
            },
            _ => 0.0,
        }
    }
}

impl SetExpr {
    /// What the set costs at most, in plane operations for a block.
    pub(crate) fn cost(&self) -> f64 {
        match self {
            SetExpr::Constant(_) => 1.0,
            SetExpr::Contents(men, squares) => f64::from(men.bits().count_ones()) * squares.count() as f64,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.cost(|parts| parts.iter().map(|part| part.cost() + 64.0).sum())
            }
            SetExpr::Complement(inner) => inner.cost() + 64.0,
            SetExpr::Steps {
                directions,
                min,
                max,
                from,
            } => from.cost() + (directions.iter().count() as f64) * 64.0 * f64::from(max - min + 1),
            SetExpr::Pinned(_) => 64.0,
            SetExpr::Pawns(..) => 250.0,
            // Occupied squares, and rays from everywhere.
            SetExpr::Attacks(from, to) | SetExpr::AttackedBy(to, from) => {
                attacks_cost(from, to) + from.cost() + to.cost() + 100.0
            }
            // A wave for each argument in each direction, and the cost of the occupied squares.
            SetExpr::Rays { arguments, .. } => {
                let all: f64 = arguments.iter().map(|argument| argument.cost() + 1500.0).sum();
                all + 800.0
            }
            SetExpr::Pins(arguments, _) => arguments.iter().map(SetExpr::cost).sum::<f64>() + 5000.0,
            SetExpr::Between { directions, ends } => {
                ends.iter().map(SetExpr::cost).sum::<f64>() + directions.iter().count() as f64 * 150.0
            }
            SetExpr::Choose(condition, a, b) => condition.cost() + a.cost() + b.cost() + 64.0,
            SetExpr::Squares(parts) => parts.cost(|parts| parts.iter().map(|(_, truth)| truth.cost() + 1.0).sum()),
            // It is read here, and at an offset.
            SetExpr::Added(inner) => inner.cost() * 2.5 + 64.0,
            SetExpr::After(_, inner) => inner.cost() * 1.5,
            SetExpr::Nth(number, inner) => inner.cost() + 64.0 * (*number as f64 + 2.0),
        }
    }
}

/// What it costs to send out the attacks from every square that a set can have. Those of few squares can attack few others.
fn attacks_cost(from: &SetExpr, to: &SetExpr) -> f64 {
    let share = (possible(to).count() as f64 / 16.0).min(1.0);
    possible(from).count() as f64 * 35.0 * share
}

impl NumberExpr {
    /// What the number costs at most, in plane operations for a block.
    pub(crate) fn cost(&self) -> f64 {
        match self {
            NumberExpr::Constant(_) => 1.0,
            NumberExpr::Quantity(_) => A_QUANTITY,
            NumberExpr::Count(set) | NumberExpr::Power(set) if let Some(men) = everywhere(set) => {
                f64::from(men.bits().count_ones()) * 25.0
            }
            NumberExpr::Count(set) | NumberExpr::Coordinate(_, set) => set.cost() + 130.0,
            NumberExpr::CountTrue(truths) => truths.iter().map(|truth| truth.cost() + 5.0).sum(),
            NumberExpr::Power(set) => set.cost() + 1000.0,
            NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) | NumberExpr::Choose(_, a, b) => {
                a.cost() + b.cost() + 20.0
            }
            NumberExpr::Scaled(_, inner) => inner.cost() + 40.0,
            NumberExpr::Table(inner, _, values) => inner.cost() + 12.0 * values.len() as f64,
            NumberExpr::Max(parts) => parts.iter().map(|part| part.cost() + 60.0).sum(),
            NumberExpr::After(_, inner) => inner.cost() * 1.5,
        }
    }
}

impl Truth {
    /// About how long the evaluator needs for the filters behind the expression in one position, in nanoseconds.
    pub fn evaluation(&self) -> f64 {
        evaluation(Expr::Truth(self))
    }
}

fn evaluation(expr: Expr<'_>) -> f64 {
    let own = match expr {
        // Men on squares, or a designator.
        Expr::Truth(Truth::Or(parts)) if parts.iter().all(|part| matches!(part, Truth::Term(_))) => return 10.0,
        Expr::Truth(Truth::Temporal(_)) => 1_000.0,
        Expr::Set(SetExpr::Attacks(..) | SetExpr::AttackedBy(..) | SetExpr::Between { .. }) => 60.0,
        Expr::Set(SetExpr::Rays { .. } | SetExpr::Pins(..) | SetExpr::Pinned(_)) => 150.0,
        Expr::Set(SetExpr::Steps { .. } | SetExpr::Pawns(..)) => 30.0,
        Expr::Truth(_) | Expr::Set(_) | Expr::Number(_) => 8.0,
    };
    let mut all = own;
    expr.for_each_part(|_, part| all += evaluation(part));
    all
}
