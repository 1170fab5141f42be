//! What a plan is expected to do, and what it does: for `explain`.

use std::time::{Duration, Instant};

use evaluator::Limits;
use planner::{LoadedPostings, PlanNode};
use storage::Snapshot;

use super::segment_plan::{PlanStage, SegmentPlan, whole};
use super::segment_plans::SegmentPlans;
use super::segment_search::TASK;
use super::sets::QuerySets;
use super::worker::Workers;
use super::{Search, SearchError};

/// An expression of a plan with what it lets through, in all segments together.
#[derive(Clone, Debug)]
pub struct PlanLine {
    /// The expression in words, without those inside.
    pub text: String,
    /// How many positions it is expected to let through.
    pub expected: u64,
    /// How long one thread is expected to take for that, alone.
    pub expected_time: Duration,
    /// How many it lets through alone, and how long one thread takes to find them.
    pub actual: Option<(u64, Duration)>,
    /// The expressions inside, in the order in which they are asked.
    pub children: Vec<PlanLine>,
    /// How many expressions inside are left out here.
    pub hidden: usize,
}

/// The plan of a query for a database.
#[derive(Clone, Debug)]
pub struct ToldPlan {
    /// As it is run on the largest segment.
    pub line: PlanLine,
    /// What is expected of its stages there.
    pub stages: Vec<PlanStage>,
    /// How many games with variations have a plan of their own, which only gives candidates. The plan here is that of the
    /// other games.
    pub games_apart: u64,
}

/// About how many expressions are told.
const LINES: usize = 60;

/// A segment, and all lists that the plan reads there.
struct Source {
    part: SegmentPlan,
    postings: LoadedPostings,
}

impl<'q> Search<'q> {
    /// The plan for a database; nothing for an empty one. Measuring asks every expression alone, everywhere.
    ///
    /// # Errors
    ///
    /// When the database can't be read, a filter on headers raises an error, or the search is stopped from outside.
    pub fn told_plan(&self, snapshot: &Snapshot, measure: bool) -> Result<Option<ToldPlan>, SearchError> {
        let metas = snapshot.segments();
        let Some(largest) = (0..metas.len()).max_by_key(|&index| metas[index].positions) else {
            return Ok(None);
        };
        let limits = Limits::default();
        let workers = Workers::new(self, &limits);
        let sets = QuerySets::read(self, snapshot)?;
        let open = |index| SegmentPlans::open(self, &snapshot.segment(index), &workers, &sets);
        let plans = (0..metas.len()).map(open).collect::<Result<Vec<_>, _>>()?;
        let games_apart = plans.iter().map(|plans| u64::from(plans.games_apart())).sum();
        let parts: Vec<SegmentPlan> = plans.into_iter().map(|plans| plans.main).collect();
        let truth = parts[largest].truth().clone();
        let stages = parts[largest].expected_stages(TASK);
        let mut sources = Vec::new();
        for part in parts {
            sources.push(Source {
                postings: LoadedPostings::read(&part.statistics(), std::slice::from_ref(&truth))?,
                part,
            });
        }
        let line = self.line(&PlanNode::of(&truth, LINES), &sources, measure)?;
        Ok(Some(ToldPlan {
            line,
            stages,
            games_apart,
        }))
    }

    fn line(&self, node: &PlanNode<'_>, sources: &[Source], measure: bool) -> Result<PlanLine, SearchError> {
        if self.is_stopped() {
            return Err(SearchError::Stopped);
        }
        let (mut expected, mut nanoseconds) = (0.0, 0.0);
        for Source { part, .. } in sources {
            let meta = part.meta();
            let estimate = node.truth.estimate(&part.statistics(), meta.positions)?;
            expected += estimate.share * f64::from(meta.positions - meta.removed.positions);
            nanoseconds += estimate.nanoseconds(meta.positions);
        }
        let mut actual = None;
        if measure {
            let started = Instant::now();
            let mut count = 0;
            for Source { part, postings, .. } in sources {
                count += part.count(node.truth, postings)?;
            }
            actual = Some((count, started.elapsed()));
        }
        let children = node
            .children
            .iter()
            .map(|child| self.line(child, sources, measure))
            .collect::<Result<_, _>>()?;
        Ok(PlanLine {
            text: node.text.clone(),
            expected: whole(expected),
            expected_time: Duration::from_nanos(whole(nanoseconds)),
            actual,
            children,
            hidden: node.hidden,
        })
    }
}
