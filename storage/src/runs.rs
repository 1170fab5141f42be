//! Posting lists while they are made: runs of consecutive positions, by term.

use crate::{
    error::Damage,
    snapshot::TermStats,
    term::Term,
    varint::{self, Reader},
};

/// No segment has more positions, so that ids and lengths of runs fit 32 bits with room to spare.
pub(crate) const MAX_POSITIONS: u64 = 1 << 31;

/// Consecutive positions, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) last: u32,
}

/// The runs of all terms, ascending, no two of a term touching, while games are added.
#[derive(Clone, Debug)]
pub(crate) struct TermRuns {
    lists: Vec<Vec<Run>>,
}

impl TermRuns {
    pub(crate) fn new() -> TermRuns {
        TermRuns {
            lists: vec![Vec::new(); Term::CODES],
        }
    }

    /// Adds a run that lies behind all others of the term; it is joined to the last one if they touch.
    #[inline]
    pub(crate) fn push(&mut self, code: u16, run: Run) {
        push(&mut self.lists[usize::from(code)], run);
    }

    /// Takes all runs out; what is left has the memory to go on.
    pub(crate) fn pack(&mut self) -> PackedRuns {
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
pub(crate) struct PackedRuns {
    runs: Vec<Run>,
    /// By code, where the runs of the term end.
    ends: Vec<usize>,
}

impl PackedRuns {
    /// The runs of the term with this code.
    pub(crate) fn list(&self, code: u16) -> &[Run] {
        let code = usize::from(code);
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.runs[start..self.ends[code]]
    }
}

/// Adds runs of games that follow, whose first position is `offset`.
pub(crate) fn append(list: &mut Vec<Run>, others: &[Run], offset: u32) {
    let moved = |run: &Run| Run {
        start: run.start + offset,
        last: run.last + offset,
    };
    if let Some((first, rest)) = others.split_first() {
        push(list, moved(first));
        list.extend(rest.iter().map(moved));
    }
}

#[inline]
fn push(list: &mut Vec<Run>, run: Run) {
    match list.last_mut() {
        Some(last) if last.last + 1 == run.start => last.last = run.last,
        _ => list.push(run),
    }
}

/// Writes runs for the disk: for each, how many positions lie between it and the one before, less one, and how many
/// it has, less one. Together with zstd this takes half the bytes of roaring's runs, which zstd alone can't pack.
pub(crate) fn encode(runs: &[Run]) -> Vec<u8> {
    let mut out = Vec::with_capacity(3 * runs.len());
    // Invariant: the lowest position where a run can start without touching the one before.
    let mut free = 0;
    for run in runs {
        varint::put(&mut out, u64::from(run.start - free));
        varint::put(&mut out, u64::from(run.last - run.start));
        free = run.last + 2;
    }
    out
}

/// Reads what [`encode`] wrote.
pub(crate) fn decode(bytes: &[u8]) -> Result<Vec<Run>, Damage> {
    let mut runs = Vec::with_capacity(bytes.len() / 2);
    let mut reader = Reader::new(bytes);
    let mut free = 0u64;
    while reader.len() > 0 {
        let start = free + u64::from(reader.varint32()?);
        let last = start + u64::from(reader.varint32()?);
        if last >= MAX_POSITIONS {
            return Err(Damage::Invalid("positions out of range"));
        }
        runs.push(Run {
            start: start as u32,
            last: last as u32,
        });
        free = last + 2;
    }
    Ok(runs)
}

/// What the planner wants to know of a list; `bytes` is for the caller to fill in.
pub(crate) fn stats(runs: &[Run]) -> TermStats {
    let cardinality = runs.iter().map(|run| run.last - run.start + 1).sum();
    TermStats {
        cardinality,
        runs: runs.len() as u32,
        bytes: 0,
    }
}
