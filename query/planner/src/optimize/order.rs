//! Puts the parts of a conjunction into the cheapest order of evaluation.
//!
//! What an expression costs and how often it holds is estimated from the statistics of the lists and from constants,
//! which were measured: `cqldex explain QUERY --analyze --threads 1` prints for each expression of a plan how many
//! positions and how much time were expected, and the real figures of the expression alone. Over the questions of
//! `benches/queries.txt`, sets and numbers take between a third and three times the expected time; the expected share
//! is right within a factor of ten.

use postings::{BLOCK_SIZE, Term};
use shakmaty::Role;

use crate::expr::{Temporal, Truth};
use crate::source::TermSource;

/// The expected cost of an expression, and the expected share of positions where it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Plane operations for a block.
    pub cost: f64,
    /// The share of positions where it holds.
    pub share: f64,
}

/// How long a plane operation takes on one thread.
pub(super) const NANOSECONDS: f64 = 20.0;

/// What it costs to read a block of a posting list, in plane operations: 200 ns for any block.
const READING: f64 = 10.0;

/// The additional cost of reading it at an offset: two blocks, and a shift.
const SHIFTING: f64 = 20.0;

/// What a pass over the positions of a block costs, game by game.
const PASS: f64 = 50.0;

/// Alternatives that cost less than this, in plane operations, are left in their order.
const CHEAP: f64 = 100.0;

/// With this many positions in a block, a costly condition takes as long as with all.
const ENOUGH: f64 = 64.0;

/// The share of positions in which a set has a square: medians over the questions.
const NOT_EMPTY: f64 = 0.1;

/// The share of positions in which a comparison holds.
const COMPARED: f64 = 0.2;

impl Estimate {
    /// How long it is expected to take for this number of positions.
    pub fn nanoseconds(&self, positions: u32) -> f64 {
        self.cost * f64::from(positions) / f64::from(BLOCK_SIZE) * NANOSECONDS
    }
}

impl Truth {
    /// The same expression, its conjunctions ordered: what excludes most for its cost comes first.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn ordered<S: TermSource>(self, source: &S, positions: u32) -> Result<Truth, S::Error> {
        Ok(match self {
            Truth::Not(inner) => Truth::Not(Box::new(inner.ordered(source, positions)?)),
            Truth::After(ids, inner) => Truth::After(ids, Box::new(inner.ordered(source, positions)?)),
            Truth::Temporal(temporal) => Truth::Temporal(Box::new(Temporal {
                id: temporal.id,
                op: temporal.op.try_map(|part| part.ordered(source, positions))?,
            })),
            Truth::Or(parts) => {
                let mut ranked = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = part.ordered(source, positions)?;
                    let estimate = part.estimate(source, positions)?;
                    // Cheap ones first: where they hold, the others are not asked.
                    let rank = if let Truth::Term(_) = part {
                        // The long lists first: then the others may not be needed.
                        -estimate.share
                    } else if estimate.cost < CHEAP {
                        0.0
                    } else {
                        estimate.cost / estimate.share.max(1e-6)
                    };
                    ranked.push((rank, part));
                }
                ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
                Truth::Or(ranked.into_iter().map(|(_, part)| part).collect())
            }
            Truth::And(parts) => {
                let mut ranked = Vec::with_capacity(parts.len());
                for part in parts {
                    let part = part.ordered(source, positions)?;
                    let estimate = part.estimate(source, positions)?;
                    // The usual order of predicates: by cost for each position that is excluded.
                    ranked.push((estimate.cost / (1.0 - estimate.share).max(1e-6), part));
                }
                ranked.sort_by(|(a, _), (b, _)| a.total_cmp(b));
                Truth::And(ranked.into_iter().map(|(_, part)| part).collect())
            }
            Truth::Move(next) if next.place().is_none() => next.listed().clone().ordered(source, positions)?,
            // The parts of sets and numbers are evaluated in the order in which they are written.
            Truth::Always
            | Truth::Never
            | Truth::Term(_)
            | Truth::PositionSet(_)
            | Truth::Given(_)
            | Truth::Games(_)
            | Truth::PlyAtLeast(_)
            | Truth::Move(_)
            | Truth::Any(_)
            | Truth::Compare(..)
            | Truth::Single(_) => self,
        })
    }

    /// Estimates the cost of the expression, and the share of positions where it holds.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn estimate<S: TermSource>(&self, source: &S, positions: u32) -> Result<Estimate, S::Error> {
        Ok(match self {
            Truth::Always => Estimate { cost: 0.0, share: 1.0 },
            Truth::Never => Estimate { cost: 0.0, share: 0.0 },
            Truth::Term(term) => {
                let share = f64::from(source.cardinality(*term)?) / f64::from(positions.max(1));
                Estimate {
                    cost: READING,
                    share: share.min(1.0),
                }
            }
            Truth::PositionSet(set) => {
                let share = source
                    .sets()
                    .get(set.index)
                    .map_or(0.0, |list| list.cardinality() as f64 / f64::from(positions.max(1)));
                Estimate { cost: READING, share }
            }
            Truth::Given(quantity) => Estimate {
                cost: self.cost(),
                share: match source.given(*quantity)? {
                    Some(given) => (f64::from(given) / f64::from(positions.max(1))).min(1.0),
                    None => 1.0,
                },
            },
            Truth::Games(index) => Estimate {
                cost: READING,
                share: source.share_of_games(*index),
            },
            Truth::Move(next) => {
                let listed = next.listed().estimate(source, positions)?;
                Estimate {
                    cost: next.place().map_or(listed.cost, |_| next.cost()),
                    share: listed.share.min(next.pattern().share()) * next.share_of_course(),
                }
            }
            Truth::PlyAtLeast(_) => Estimate {
                cost: READING,
                share: 0.5,
            },
            Truth::Not(inner) => {
                let inner = inner.estimate(source, positions)?;
                Estimate {
                    cost: inner.cost + 0.1,
                    share: 1.0 - inner.share,
                }
            }
            Truth::After(_, inner) => {
                let inner = inner.estimate(source, positions)?;
                Estimate {
                    cost: inner.cost + SHIFTING,
                    share: inner.share,
                }
            }
            // Its parts are evaluated in whole games. A condition that holds in few positions still holds somewhere in
            // most games.
            Truth::Temporal(temporal) => {
                let (mut cost, mut share): (f64, f64) = (PASS + temporal.op.comparing(), 1.0);
                for part in temporal.op.parts() {
                    let part = part.estimate(source, positions)?;
                    cost += part.cost;
                    share = part.share;
                }
                Estimate {
                    cost,
                    share: (share * 40.0).min(0.9),
                }
            }
            Truth::And(parts) => {
                let mut all = Estimate { cost: 0.0, share: 1.0 };
                for part in parts {
                    let part = part.estimate(source, positions)?;
                    // Later parts are asked only where the earlier ones left something in a block. What is costly takes less
                    // time where that is little.
                    let enough = if part.cost > CHEAP { ENOUGH } else { 1.0 };
                    all.cost += part.cost * (all.share * f64::from(BLOCK_SIZE) / enough).min(1.0);
                    all.share *= part.share;
                }
                all
            }
            Truth::Or(parts) => {
                let mut any = Estimate { cost: 0.0, share: 0.0 };
                let one_at_most = exclude_each_other(parts);
                for part in parts {
                    let part = part.estimate(source, positions)?;
                    any.cost += part.cost;
                    let new = if one_at_most { 1.0 } else { 1.0 - any.share };
                    any.share = (any.share + new * part.share).min(1.0);
                }
                any
            }
            Truth::Any(set) | Truth::Single(set) => Estimate {
                cost: set.cost(),
                share: NOT_EMPTY,
            },
            Truth::Compare(_, a, b) => Estimate {
                cost: a.cost() + b.cost() + 40.0,
                share: COMPARED,
            },
        })
    }
}

/// Whether no two of these hold in the same position: different men on one square, or different squares of a king.
fn exclude_each_other(parts: &[Truth]) -> bool {
    let mut places = parts.iter().map(|part| match part {
        Truth::Term(Term::Placement(man, square)) => Some((*man, *square)),
        _ => None,
    });
    let Some(Some((man, square))) = places.next() else {
        return false;
    };
    let mut others = places.clone();
    let is_king = man.role() == Some(Role::King);
    is_king && places.all(|place| place.is_some_and(|(other, _)| other == man))
        || others.all(|place| place.is_some_and(|(_, other)| other == square))
}
