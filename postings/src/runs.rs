//! Posting lists while they are made: runs of consecutive positions, by term.

use crate::term::Term;

/// No segment has more positions than this, so that ids and lengths of runs fit 32 bits.
pub const MAX_POSITIONS: u64 = 1 << 31;

/// What the planner knows of a posting list without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermStats {
    /// How many positions it has.
    pub cardinality: u32,
    /// How many runs of consecutive positions.
    pub runs: u32,
    /// How many bytes it takes on disk.
    pub bytes: u32,
}

/// Consecutive positions, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first position.
    pub start: u32,
    /// The last position.
    pub last: u32,
}

/// The runs of all terms, ascending, no two of a term touching, while games are added.
#[derive(Clone, Debug)]
pub struct TermRuns {
    lists: Vec<Vec<Run>>,
}

impl Default for TermRuns {
    fn default() -> TermRuns {
        TermRuns::new()
    }
}

impl TermRuns {
    /// No runs of any term.
    pub fn new() -> TermRuns {
        TermRuns {
            lists: vec![Vec::new(); Term::CODES],
        }
    }

    /// Adds a run that lies behind all others of the term; it is joined to the last one if they touch.
    #[inline]
    pub fn push(&mut self, code: u16, run: Run) {
        push(&mut self.lists[usize::from(code)], run);
    }

    /// Takes all runs out. The memory is kept for more.
    pub fn pack(&mut self) -> PackedRuns {
        let mut runs = Vec::with_capacity(self.lists.iter().map(Vec::len).sum());
        let mut ends = Vec::with_capacity(self.lists.len());
        for list in &mut self.lists {
            runs.append(list);
            ends.push(runs.len());
        }
        PackedRuns { runs, ends }
    }
}

/// The runs of all terms of a batch of games, one term after the other.
#[derive(Clone, Debug)]
pub struct PackedRuns {
    runs: Vec<Run>,
    /// By code, where the runs of the term end.
    ends: Vec<usize>,
}

impl PackedRuns {
    /// The runs of the term with this code.
    pub fn list(&self, code: u16) -> &[Run] {
        let code = usize::from(code);
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.runs[start..self.ends[code]]
    }

    /// How many bytes the runs take.
    pub fn size(&self) -> usize {
        size_of_val(self.runs.as_slice())
    }
}

/// Adds runs of games that follow, whose first position is `offset`.
pub fn append(list: &mut Vec<Run>, others: &[Run], offset: u32) {
    let moved = |run: &Run| Run {
        start: run.start + offset,
        last: run.last + offset,
    };
    if let Some((first, rest)) = others.split_first() {
        push(list, moved(first));
        list.extend(rest.iter().map(moved));
    }
}

/// Adds a run that lies behind all others of the list; it is joined to the last one if they touch.
#[inline]
pub fn push(list: &mut Vec<Run>, run: Run) {
    match list.last_mut() {
        Some(last) if last.last + 1 == run.start => last.last = run.last,
        _ => list.push(run),
    }
}

/// The statistics of a list. The caller fills in `bytes`.
#[expect(clippy::cast_possible_truncation, reason = "there are no more runs than positions")]
pub fn stats(runs: &[Run]) -> TermStats {
    let cardinality = runs.iter().map(|run| run.last - run.start + 1).sum();
    TermStats {
        cardinality,
        runs: runs.len() as u32,
        bytes: 0,
    }
}
