//! Counters: persistent variables to which a query only adds numbers, under conditions that leave nothing behind.
//!
//! `if mate persistent Mates += 1` adds one for each position where the condition holds. How many these are is a question
//! of its own, which the index mostly answers without evaluating a position. So such filters are taken out of the query,
//! and their conditions are counted by searches of their own. What is left is searched as always.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use evaluator::Value;
use language::facts::{Leaves, Reads};
use language::hir::{Arithmetic, AssignOp, Filter, Kind, Node, Query, VariableId};
use planner::Effects;
use storage::Snapshot;

use super::{Detail, GameMatch, Progress, Route, RunOptions, Search, SearchError, Summary};

/// With more conditions than this, none is counted alone: each has a query of its own, with all variables.
const MAX_CONDITIONS: usize = 256;

/// A query in parts.
#[derive(Debug)]
pub(super) struct Split {
    /// What is left of the query.
    rest: Query,
    counted: Vec<Counted>,
}

/// A number that is added to a variable, with its name.
type Addition = (String, i32);

/// A condition whose positions are counted.
#[derive(Debug)]
struct Counted {
    condition: Query,
    /// What is added for each position.
    additions: Vec<Addition>,
}

/// A filter that always matches, and only adds numbers.
#[derive(Debug)]
struct Counting<'q> {
    /// Where they are added; everywhere if there is none.
    condition: Option<&'q Filter>,
    additions: Vec<Addition>,
}

impl Split {
    /// Takes out of a query what can be counted; `None` if there is nothing to count. `detail` is what is wanted of the
    /// games.
    pub(super) fn of(query: &Query, detail: Detail) -> Option<Split> {
        let parts = match &query.body.node {
            Node::Compound(list) => list.as_slice(),
            _ => std::slice::from_ref(&query.body),
        };
        // A path, a line or a string that is searched leaves what later filters may read.
        let unseen = Reads::PATH | Reads::PATH_END | Reads::GROUPS;
        if !query.variables.iter().any(|variable| variable.persistent) || query.body.all_reads().intersects(unseen) {
            return None;
        }
        let is_sum = sums(query);
        let mut rest = Vec::new();
        let mut conditions = Vec::new();
        let mut is_reached = true;
        for part in parts {
            let counting = if is_reached {
                Counting::of(query, &is_sum, part)
            } else {
                None
            };
            match counting {
                Some(counting)
                    if counting
                        .condition
                        .is_none_or(|condition| is_apart(query, condition, detail)) =>
                {
                    conditions.push(counting);
                }
                _ => {
                    // Where this fails, those after it are not reached.
                    is_reached = false;
                    rest.push(part.clone());
                }
            }
        }
        if conditions.is_empty() || conditions.len() > MAX_CONDITIONS {
            return None;
        }
        let counted = conditions.into_iter().map(|counting| Counted {
            condition: query.counting(counting.condition.cloned()),
            additions: counting.additions,
        });
        Some(Split {
            counted: counted.collect(),
            rest: query.with_filters(rest),
        })
    }

    /// How many conditions are counted.
    fn len(&self) -> usize {
        self.counted.len()
    }

    /// Counts the conditions, and says what they add to the variables.
    fn count(
        &self,
        snapshot: &Snapshot,
        options: &RunOptions,
        summary: &mut Summary,
    ) -> Result<HashMap<&str, i32>, SearchError> {
        let options = RunOptions {
            detail: Detail::Count,
            limit: None,
            progress: Progress::default(),
            answers: None,
            ..options.clone()
        };
        let mut added: HashMap<&str, i32> = HashMap::new();
        for Counted { condition, additions } in &self.counted {
            let found = Search::whole(condition, options.clone()).run(snapshot, &mut |_| ())?;
            summary.add_work(&found);
            for (name, number) in additions {
                let sum = added.entry(name).or_default();
                *sum = sum.wrapping_add(times(*number, found.positions));
            }
        }
        Ok(added)
    }
}

impl Search<'_> {
    /// How many conditions of the query are counted by searches of their own, because it only adds numbers to persistent
    /// variables where they hold.
    pub fn counted_apart(&self) -> usize {
        self.split.as_ref().map_or(0, Split::len)
    }

    /// Counts what can be counted apart, and runs what is left of the query; `None` if that raises an error, as another may
    /// come first where all stands together.
    pub(super) fn run_split(
        &self,
        split: &Split,
        snapshot: &Snapshot,
        sink: &mut dyn FnMut(Vec<GameMatch>) -> ControlFlow<()>,
    ) -> Result<Option<Summary>, SearchError> {
        let started = Instant::now();
        let mut work = Summary::default();
        let added = match split.count(snapshot, &self.options, &mut work) {
            Ok(added) => added,
            Err(SearchError::Runtime(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        // No answer to a query with persistent variables is kept.
        let options = RunOptions {
            answers: None,
            ..self.options.clone()
        };
        let rest = Search::whole(&split.rest, options);
        let mut summary = rest.stream(snapshot, sink)?;
        summary.add_work(&work);
        add_to(&mut summary.persistent, &added);
        summary.elapsed = started.elapsed();
        Ok(Some(summary))
    }
}

/// Adds to the values of the persistent variables.
fn add_to(values: &mut [(String, Value)], added: &HashMap<&str, i32>) {
    for (name, value) in values {
        if let (Value::Number(number), Some(more)) = (value, added.get(name.as_str())) {
            *number = number.wrapping_add(*more);
        }
    }
}

/// A number times a count; numbers of the language wrap around.
fn times(number: i32, count: u64) -> i32 {
    let low = u32::try_from(count & u64::from(u32::MAX)).unwrap_or_default();
    number.wrapping_mul(low.cast_signed())
}

impl<'q> Counting<'q> {
    /// `is_sum` says which variables are sums.
    fn of(query: &Query, is_sum: &[bool], filter: &'q Filter) -> Option<Counting<'q>> {
        let (condition, then) = match &filter.node {
            Node::If(condition, then, None) => (Some(&**condition), &**then),
            _ => (None, filter),
        };
        let mut additions = Vec::new();
        add_additions(query, is_sum, then, &mut additions).then_some(Counting { condition, additions })
    }
}

/// Adds what a filter adds to sums; false if it does anything else.
fn add_additions(query: &Query, is_sum: &[bool], filter: &Filter, all: &mut Vec<Addition>) -> bool {
    match &filter.node {
        Node::Compound(list) if !list.is_empty() => list.iter().all(|part| add_additions(query, is_sum, part, all)),
        Node::Assign(variable, AssignOp::Arithmetic(op), argument) if is_sum[variable.0 as usize] => {
            let Node::Number(number) = argument.node else {
                return false;
            };
            let number = match op {
                Arithmetic::Add => number,
                Arithmetic::Subtract => number.wrapping_neg(),
                _ => return false,
            };
            all.push((query.variables[variable.0 as usize].name.clone(), number));
            true
        }
        _ => false,
    }
}

/// By variable, whether it is persistent and nothing but a sum: nothing reads it, and it does not matter in which order numbers
/// are added to it.
fn sums(query: &Query) -> Vec<bool> {
    let mut is_sum: Vec<bool> = query.variables.iter().map(|variable| variable.persistent).collect();
    query.body.any(&mut |part| {
        match &part.node {
            Node::Assign(_, AssignOp::Arithmetic(Arithmetic::Add | Arithmetic::Subtract), _) => {}
            Node::Unbind(variable) | Node::AssertBound(variable) => is_sum[variable.0 as usize] = false,
            _ => {
                let mut uses = |variable: VariableId| is_sum[variable.0 as usize] = false;
                part.for_each_variable(&mut uses);
                part.facts().assigns.into_iter().for_each(uses);
            }
        }
        false
    });
    is_sum
}

/// Whether a condition can be evaluated apart from the query: it reads nothing that is left by other filters, and leaves
/// nothing that is seen.
fn is_apart(query: &Query, condition: &Filter, detail: Detail) -> bool {
    let comments = match detail {
        Detail::Results => Leaves::NOTHING,
        Detail::Count | Detail::Positions => Leaves::COMMENTS,
    };
    let is_silent = !condition.any(&mut |part| part.facts().leaves.without(comments) != Leaves::NOTHING);
    // A string has no truth.
    is_silent && condition.kind != Kind::String && {
        let alone = query.counting(Some(condition.clone()));
        Effects::of(&alone) == Effects::Position
    }
}

/// Whether conditions can be counted apart in a run with these options.
pub(super) fn is_possible(options: &RunOptions) -> bool {
    options.route == Route::Plan && !options.stop_at_limit && !options.rules.unbound_moves
}
