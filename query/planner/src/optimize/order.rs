//! Puts the parts of a conjunction into the cheapest order of evaluation.
//!
//! What an expression costs and how often it holds is estimated from the statistics of the lists and from constants,
//! which were measured: `cqldex explain QUERY --analyze --threads 1` prints for each expression of a plan how many
//! positions and how much time were expected, and the real figures of the expression alone. Over the questions of
//! `benches/queries.txt`, sets and numbers take between a third and three times the expected time; the expected share
//! is right within a factor of ten.

use language::hir::PinValue;
use postings::{BLOCK_SIZE, Term};
use shakmaty::{Role, Square};

use super::made_moves::without_implied;
use crate::expr::{SetExpr, Temporal, Truth};
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

    /// The complement.
    fn of_not(self) -> Estimate {
        Estimate {
            cost: self.cost + 0.1,
            share: 1.0 - self.share,
        }
    }

    /// The same at another position.
    fn of_after(self) -> Estimate {
        Estimate {
            cost: self.cost + SHIFTING,
            share: self.share,
        }
    }

    /// A condition on other positions; its parts are evaluated in whole games, and `comparing` is what that takes beside.
    fn of_temporal(comparing: f64, parts: &[Estimate]) -> Estimate {
        let cost = parts.iter().fold(PASS + comparing, |cost, part| cost + part.cost);
        let share = parts.last().map_or(1.0, |last| last.share);
        Estimate {
            cost,
            // A condition that holds in few positions still holds somewhere in most games.
            share: (share * 40.0).min(0.9),
        }
    }

    /// A conjunction, its parts in order.
    fn of_all(parts: &[Estimate]) -> Estimate {
        let nothing = Estimate { cost: 0.0, share: 1.0 };
        parts.iter().fold(nothing, |all, part| {
            // Later parts are asked only where the earlier ones left something in a block. What is costly takes less time where
            // that is little.
            let enough = if part.cost > CHEAP { ENOUGH } else { 1.0 };
            Estimate {
                cost: all.cost + part.cost * (all.share * f64::from(BLOCK_SIZE) / enough).min(1.0),
                share: all.share * part.share,
            }
        })
    }

    /// A disjunction, of which one part at most holds in a position, or several may.
    fn of_any(one_at_most: bool, parts: &[Estimate]) -> Estimate {
        let nothing = Estimate { cost: 0.0, share: 0.0 };
        parts.iter().fold(nothing, |any, part| {
            let new = if one_at_most { 1.0 } else { 1.0 - any.share };
            Estimate {
                cost: any.cost + part.cost,
                share: (any.share + new * part.share).min(1.0),
            }
        })
    }
}

/// The estimate of each part.
fn of_parts<'t, S: TermSource>(
    parts: impl IntoIterator<Item = &'t Truth>,
    source: &S,
    positions: u32,
) -> Result<Vec<Estimate>, S::Error> {
    parts.into_iter().map(|part| part.estimate(source, positions)).collect()
}

/// Parts of an expression, each in order, sorted by a rank, with their estimates.
fn sorted<S: TermSource>(
    parts: Vec<Truth>,
    source: &S,
    positions: u32,
    rank: impl Fn(&Truth, &Estimate) -> f64,
) -> Result<(Vec<Truth>, Vec<Estimate>), S::Error> {
    let mut ranked = Vec::with_capacity(parts.len());
    for part in parts {
        let (part, estimate) = part.ordered_and_estimated(source, positions)?;
        ranked.push((rank(&part, &estimate), part, estimate));
    }
    ranked.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    Ok(ranked.into_iter().map(|(_, part, estimate)| (part, estimate)).unzip())
}

impl Truth {
    /// The same expression, its conjunctions ordered: what excludes most for its cost comes first.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn ordered<S: TermSource>(self, source: &S, positions: u32) -> Result<Truth, S::Error> {
        Ok(self.ordered_and_estimated(source, positions)?.0)
    }

    /// The same with its estimate, for which no part is estimated twice.
    fn ordered_and_estimated<S: TermSource>(self, source: &S, positions: u32) -> Result<(Truth, Estimate), S::Error> {
        Ok(match self {
            Truth::Not(inner) => {
                let (inner, estimate) = inner.ordered_and_estimated(source, positions)?;
                (Truth::Not(Box::new(inner)), estimate.of_not())
            }
            Truth::After(ids, inner) => {
                let (inner, estimate) = inner.ordered_and_estimated(source, positions)?;
                (Truth::After(ids, Box::new(inner)), estimate.of_after())
            }
            Truth::Temporal(temporal) => {
                let (mut op, mut estimates) = (temporal.op, Vec::new());
                for part in op.parts_mut() {
                    let (ordered, estimate) =
                        std::mem::replace(part, Truth::Always).ordered_and_estimated(source, positions)?;
                    *part = ordered;
                    estimates.push(estimate);
                }
                let estimate = Estimate::of_temporal(op.comparing(), &estimates);
                (Truth::Temporal(Box::new(Temporal { id: temporal.id, op })), estimate)
            }
            Truth::Or(parts) => {
                let one_at_most = exclude_each_other(&parts);
                let (parts, estimates) = sorted(parts.into_vec(), source, positions, |part, estimate| {
                    // Cheap ones first: where they hold, the others are not asked.
                    if let Truth::Term(_) = part {
                        // The long lists first: then the others may not be needed.
                        -estimate.share
                    } else if estimate.cost < CHEAP {
                        0.0
                    } else {
                        estimate.cost / estimate.share.max(1e-6)
                    }
                })?;
                (Truth::Or(parts.into()), Estimate::of_any(one_at_most, &estimates))
            }
            Truth::And(parts) => {
                let mut parts = without_implied(parts.into_vec());
                if let [_] = parts[..] {
                    return parts.swap_remove(0).ordered_and_estimated(source, positions);
                }
                // The usual order of predicates: by cost for each position that is excluded.
                let (parts, estimates) = sorted(parts, source, positions, |_, estimate| {
                    estimate.cost / (1.0 - estimate.share).max(1e-6)
                })?;
                (Truth::And(parts.into()), Estimate::of_all(&estimates))
            }
            Truth::Move(next) if next.place().is_none() => {
                let listed = next.listed().clone();
                listed.ordered_and_estimated(source, positions)?
            }
            // The parts of sets and numbers are evaluated in the order in which they are written.
            one @ (Truth::Always
            | Truth::Never
            | Truth::Term(_)
            | Truth::PositionSet(_)
            | Truth::Given(_)
            | Truth::Games(_)
            | Truth::PlyAtLeast(_)
            | Truth::Move(_)
            | Truth::Any(_)
            | Truth::Compare(..)
            | Truth::Single(_)) => {
                let estimate = one.estimate(source, positions)?;
                (one, estimate)
            }
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
            Truth::Not(inner) => inner.estimate(source, positions)?.of_not(),
            Truth::After(_, inner) => inner.estimate(source, positions)?.of_after(),
            Truth::Temporal(temporal) => {
                let estimates = of_parts(temporal.op.parts(), source, positions)?;
                Estimate::of_temporal(temporal.op.comparing(), &estimates)
            }
            Truth::And(parts) => Estimate::of_all(&of_parts(parts, source, positions)?),
            Truth::Or(parts) => Estimate::of_any(exclude_each_other(parts), &of_parts(parts, source, positions)?),
            Truth::Any(set) | Truth::Single(set) => Estimate {
                cost: set.cost(),
                share: share_of_pins(set, source, positions)?.map_or(NOT_EMPTY, |share| share.min(NOT_EMPTY)),
            },
            Truth::Compare(_, a, b) => Estimate {
                cost: a.cost() + b.cost() + 40.0,
                share: COMPARED,
            },
        })
    }
}

/// The share of positions that have a man of a set, if there are lists of all that it has: of pinned men.
fn share_of_pins<S: TermSource>(set: &SetExpr, source: &S, positions: u32) -> Result<Option<f64>, S::Error> {
    Ok(match set {
        SetExpr::Pinned(color) => {
            let mut all = 0.0;
            for square in Square::ALL {
                all += f64::from(source.cardinality(Term::Pinned(*color, square))?);
            }
            Some((all / f64::from(positions.max(1))).min(1.0))
        }
        SetExpr::Union(parts) => {
            let mut all = Some(0.0);
            for part in &**parts {
                all = all
                    .zip(share_of_pins(part, source, positions)?)
                    .map(|(all, share)| all + share);
            }
            all
        }
        SetExpr::Intersection(parts) => {
            let mut least: Option<f64> = None;
            for part in &**parts {
                let share = share_of_pins(part, source, positions)?;
                least = least.into_iter().chain(share).reduce(f64::min);
            }
            least
        }
        SetExpr::Pins(parts, _) => share_of_pins(&parts[PinValue::Through as usize], source, positions)?,
        _ => None,
    })
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
