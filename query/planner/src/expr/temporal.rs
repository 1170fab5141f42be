//! Conditions on positions that may be any number of plies away: linear temporal logic with past operators, over the
//! moves of a game.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::{Alike, Automaton, Expr, Truth};

/// A condition on other positions of the same game. `Until` and its like mean what they do in linear temporal logic.
#[derive(Clone, Debug)]
pub struct Temporal {
    /// Its number in the plan, under which its positions are kept; those inside have smaller ones.
    pub id: usize,
    /// The condition.
    pub op: TemporalOp,
}

/// Expressions with the same meaning are equal, even if their numbers differ.
impl PartialEq for Temporal {
    fn eq(&self, other: &Temporal) -> bool {
        self.op == other.op
    }
}

impl Hash for Temporal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.op.hash(state);
    }
}

/// The operators of a [`Temporal`].
#[derive(Clone, Debug, PartialEq, Hash)]
pub enum TemporalOp {
    /// It holds after one more move; only where variations are searched, else it is an offset.
    Next(Truth),
    /// It held before the last move; only where variations are searched, else it is an offset.
    Previous(Truth),
    /// It holds in some position of the game.
    InGame(Truth),
    /// The second holds here or later, and the first from here up to the position before that.
    Until {
        /// The condition from here on.
        through: Truth,
        /// The condition at the end.
        then: Truth,
        /// How many plies apart the positions are that are looked at.
        stride: u32,
    },
    /// The second holds here or earlier, and the first from here back to the position after that.
    Since {
        /// The condition back from here.
        through: Truth,
        /// The condition at the beginning.
        then: Truth,
        /// How many plies apart the positions are that are looked at.
        stride: u32,
    },
    /// It holds here and in the positions after this one, that many in all.
    InARow(Truth, u32),
    /// It holds in `min` to `max` positions from here on (or from here back), this one included.
    Count {
        /// What holds.
        of: Truth,
        /// Whether the positions up to this one are meant.
        backward: bool,
        /// The least number of positions.
        min: u32,
        /// The largest number of positions.
        max: u32,
    },
    /// It holds in a position of the game that has something in common with this one.
    Alike {
        /// What holds there.
        target: Truth,
        /// What they have in common.
        alike: Arc<Alike>,
    },
    /// An automaton accepts the positions from this one on.
    Accepted {
        /// The conditions of its states, by their numbers; there is one at least.
        conditions: Vec<Truth>,
        /// The states.
        automaton: Arc<Automaton>,
    },
}

impl TemporalOp {
    /// The conditions inside.
    pub fn parts(&self) -> impl Iterator<Item = &Truth> + Clone {
        let (first, rest): (&[Truth], _) = match self {
            TemporalOp::Next(inner)
            | TemporalOp::Previous(inner)
            | TemporalOp::InGame(inner)
            | TemporalOp::InARow(inner, _)
            | TemporalOp::Count { of: inner, .. }
            | TemporalOp::Alike { target: inner, .. } => (std::slice::from_ref(inner), None),
            TemporalOp::Until { through, then, .. } | TemporalOp::Since { through, then, .. } => {
                (std::slice::from_ref(through), Some(then))
            }
            TemporalOp::Accepted { conditions, .. } => (conditions, None),
        };
        first.iter().chain(rest)
    }

    /// The conditions inside, in the same order.
    pub(crate) fn parts_mut(&mut self) -> impl Iterator<Item = &mut Truth> {
        let (first, rest): (&mut [Truth], _) = match self {
            TemporalOp::Next(inner)
            | TemporalOp::Previous(inner)
            | TemporalOp::InGame(inner)
            | TemporalOp::InARow(inner, _)
            | TemporalOp::Count { of: inner, .. }
            | TemporalOp::Alike { target: inner, .. } => (std::slice::from_mut(inner), None),
            TemporalOp::Until { through, then, .. } | TemporalOp::Since { through, then, .. } => {
                (std::slice::from_mut(through), Some(then))
            }
            TemporalOp::Accepted { conditions, .. } => (conditions, None),
        };
        first.iter_mut().chain(rest)
    }
}

/// The temporal expressions of a condition, without those inside another one.
pub(crate) fn outer_temporals(truth: &Truth) -> Vec<&Temporal> {
    let mut temporals = Vec::new();
    collect(Expr::Truth(truth), &mut temporals);
    temporals
}

fn collect<'t>(expr: Expr<'t>, temporals: &mut Vec<&'t Temporal>) {
    match expr {
        Expr::Truth(Truth::Temporal(temporal)) => temporals.push(temporal),
        _ => expr.for_each_part(|_, part| collect(part, temporals)),
    }
}
