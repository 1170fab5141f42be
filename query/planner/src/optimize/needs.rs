//! What a game needs to have somewhere, for a condition on several of its positions to hold: a promotion, a mate, a rare
//! man. Where few games have it, they are found first, and the condition is evaluated for these alone.

use language::hir::Comparison;
use postings::Term;

use super::order::Estimate;
use crate::expr::{NumberExpr, SetExpr, Temporal, TemporalOp, Truth, outer_temporals};
use crate::source::TermSource;

/// A need is of use if no more than this share of the games has it.
const RARE: f64 = 0.4;

/// How many lists a need may have.
const MAX_LISTS: usize = 32;

/// A condition on games that is left where a condition on positions holds somewhere, and how much is left; `None` if it
/// would not be worth asking.
///
/// # Errors
///
/// When the statistics can't be read.
pub(super) fn game_need<S: TermSource>(
    truth: &Truth,
    source: &S,
    positions: u32,
) -> Result<Option<(Truth, Estimate)>, S::Error> {
    let search = Needs { source, positions };
    let mut best: Option<Need> = None;
    for part in truth
        .conjuncts()
        .iter()
        .filter(|part| !outer_temporals(part).is_empty())
    {
        best = rarer(best, search.of_truth(part)?);
    }
    let Some(Need { lists, share }) = best else {
        return Ok(None);
    };
    let games = source.cardinality(Term::Initial)?.max(1);
    let share = share * f64::from(positions) / f64::from(games);
    if share > RARE {
        return Ok(None);
    }
    let cost = 1_000.0 + 10.0 * lists.len() as f64;
    let lists = lists.into_iter().map(Truth::Term);
    let somewhere = Temporal {
        id: truth.unused_number(),
        op: TemporalOp::InGame(Truth::any(lists)),
    };
    Ok(Some((Truth::Temporal(Box::new(somewhere)), Estimate { cost, share })))
}

/// Lists of which one holds somewhere in the game, and the share of positions where one does.
struct Need {
    lists: Vec<Term>,
    share: f64,
}

/// The one that fewer positions have.
fn rarer(a: Option<Need>, b: Option<Need>) -> Option<Need> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.share < a.share { b } else { a }),
        (a, b) => a.or(b),
    }
}

struct Needs<'s, S> {
    source: &'s S,
    positions: u32,
}

impl<S: TermSource> Needs<'_, S> {
    /// What a game needs that has a position where this holds.
    fn of_truth(&self, truth: &Truth) -> Result<Option<Need>, S::Error> {
        match truth {
            Truth::Never => self.one_of(&[]),
            Truth::Term(term) => self.one_of(&[*term]),
            Truth::After(_, inner) => self.of_truth(inner),
            Truth::Move(next) => self.of_truth(next.listed()),
            Truth::And(parts) => {
                let mut best = None;
                for part in parts {
                    best = rarer(best, self.of_truth(part)?);
                }
                Ok(best)
            }
            Truth::Or(parts) => self.any(parts.iter().map(|part| self.of_truth(part))),
            Truth::Temporal(temporal) => match &temporal.op {
                TemporalOp::Count { min: 0, .. } => Ok(None),
                TemporalOp::Next(of)
                | TemporalOp::Previous(of)
                | TemporalOp::InGame(of)
                | TemporalOp::InARow(of, 1..)
                | TemporalOp::Count { of, .. }
                | TemporalOp::Until { then: of, .. }
                | TemporalOp::Alike { target: of, .. }
                | TemporalOp::Since { then: of, .. } => self.of_truth(of),
                TemporalOp::InARow(_, 0) => Ok(None),
                TemporalOp::Accepted { conditions, automaton } => self.any(
                    (automaton.first.iter()).map(|&state| self.of_truth(&conditions[automaton.conditions[state]])),
                ),
            },
            Truth::Any(set) | Truth::Single(set) => self.of_set(set),
            Truth::Compare(comparison, number, least) => match (comparison, &**number, &**least) {
                (Comparison::GreaterEqual | Comparison::Equal, NumberExpr::Count(set), NumberExpr::Constant(1..))
                | (Comparison::Greater, NumberExpr::Count(set), NumberExpr::Constant(0..)) => self.of_set(set),
                (
                    Comparison::GreaterEqual | Comparison::Equal,
                    NumberExpr::CountTrue(parts),
                    NumberExpr::Constant(1..),
                )
                | (Comparison::Greater, NumberExpr::CountTrue(parts), NumberExpr::Constant(0..)) => {
                    self.any(parts.iter().map(|part| self.of_truth(part)))
                }
                _ => Ok(None),
            },
            Truth::Always
            | Truth::PositionSet(_)
            | Truth::Given(_)
            | Truth::Games(_)
            | Truth::Not(_)
            | Truth::PlyAtLeast(_) => Ok(None),
        }
    }

    /// What a game needs that has a position where this set has a square.
    fn of_set(&self, set: &SetExpr) -> Result<Option<Need>, S::Error> {
        match set {
            SetExpr::Squares(parts) => self.any(parts.iter().map(|(_, truth)| self.of_truth(truth))),
            SetExpr::Intersection(parts) => {
                let mut best = None;
                for part in parts {
                    best = rarer(best, self.of_set(part)?);
                }
                Ok(best)
            }
            SetExpr::Union(parts) => self.any(parts.iter().map(|part| self.of_set(part))),
            SetExpr::After(_, inner) | SetExpr::Nth(_, inner) => self.of_set(inner),
            SetExpr::Choose(truth, then, otherwise) if **otherwise == SetExpr::Constant(shakmaty::Bitboard::EMPTY) => {
                Ok(rarer(self.of_truth(truth)?, self.of_set(then)?))
            }
            _ => Ok(None),
        }
    }

    /// What a game needs that has what one of several alternatives needs.
    fn any(&self, parts: impl Iterator<Item = Result<Option<Need>, S::Error>>) -> Result<Option<Need>, S::Error> {
        let mut lists = Vec::new();
        for part in parts {
            let Some(part) = part? else { return Ok(None) };
            for list in part.lists {
                if !lists.contains(&list) {
                    lists.push(list);
                }
            }
            if lists.len() > MAX_LISTS {
                return Ok(None);
            }
        }
        self.one_of(&lists)
    }

    fn one_of(&self, lists: &[Term]) -> Result<Option<Need>, S::Error> {
        let mut share = 0.0;
        for list in lists {
            share += f64::from(self.source.cardinality(*list)?) / f64::from(self.positions.max(1));
        }
        Ok(Some(Need {
            lists: lists.to_vec(),
            share,
        }))
    }
}
