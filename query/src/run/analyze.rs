//! What a plan is expected to do, and what it does: for `explain`.

use std::time::{Duration, Instant};

use storage::{Segment, Snapshot};

use super::part::Part;
use super::worker::Workers;
use super::{Search, SearchError};
use crate::eval::Limits;
use crate::plan::{Evaluation, GameLines, GameRanges, Leaves, PlanNode, Scratch};

/// An expression of a plan with what it lets through, in all segments together.
#[derive(Clone, Debug)]
pub struct PlanLine {
    /// The expression in words, without those inside.
    pub text: String,
    /// How many positions it is expected to let through.
    pub expected: u64,
    /// How many it lets through alone, and how long one thread takes to find them.
    pub actual: Option<(u64, Duration)>,
    /// The expressions inside, in the order in which they are asked.
    pub children: Vec<PlanLine>,
    /// How many expressions inside are left out here.
    pub hidden: usize,
}

/// About how many expressions are told.
const LINES: usize = 60;

/// A segment with what its sweeps need.
struct Source {
    segment: Segment,
    leaves: Leaves,
    games: Vec<GameRanges>,
    lines: GameLines,
}

impl Search<'_> {
    /// The plan as it is run on the largest segment of a database; nothing for an empty one. Measuring asks every
    /// expression alone, everywhere.
    ///
    /// # Errors
    ///
    /// When the database can't be read, a filter on headers raises an error, or the search is stopped from outside.
    pub fn plan_lines(&self, snapshot: &Snapshot, measure: bool) -> Result<Option<PlanLine>, SearchError> {
        let metas = snapshot.segments();
        let Some(largest) = (0..metas.len()).max_by_key(|&index| metas[index].positions) else {
            return Ok(None);
        };
        let limits = Limits::default();
        let workers = Workers::new(self, &limits);
        let part = Part::open(self, snapshot.segment(largest), &workers)?;
        let truth = part.truth().clone();
        let mut sources = Vec::new();
        for index in 0..metas.len() {
            let segment = snapshot.segment(index);
            let part = Part::open(self, segment.clone(), &workers)?;
            let (games, lines) = part.into_games();
            sources.push(Source {
                leaves: Leaves::read(&segment, std::slice::from_ref(&truth))?,
                games,
                lines,
                segment,
            });
        }
        Ok(Some(self.line(&PlanNode::of(&truth, LINES), &sources, measure)?))
    }

    fn line(&self, node: &PlanNode<'_>, sources: &[Source], measure: bool) -> Result<PlanLine, SearchError> {
        if self.is_stopped() {
            return Err(SearchError::Stopped);
        }
        let mut expected = 0.0;
        for source in sources {
            expected += node.expected(&source.segment, source.segment.meta().positions)?;
        }
        let actual = measure.then(|| {
            let started = Instant::now();
            let count = sources.iter().map(|source| count(node, source)).sum();
            (count, started.elapsed())
        });
        let children = node
            .children
            .iter()
            .map(|child| self.line(child, sources, measure))
            .collect::<Result<_, _>>()?;
        Ok(PlanLine {
            text: node.text.clone(),
            expected: expected.round() as u64,
            actual,
            children,
            hidden: node.hidden,
        })
    }
}

/// How many positions an expression lets through.
fn count(node: &PlanNode<'_>, source: &Source) -> u64 {
    let evaluation = Evaluation {
        leaves: &source.leaves,
        headers: &source.games,
        lines: &source.lines,
    };
    evaluation
        .first(node.truth, 0..source.lines.games(), Vec::new(), &mut Scratch::default())
        .count()
}
