//! Posting lists while they are made: runs of consecutive positions, by term.

use crate::{id::CHUNK_SIZE, snapshot::TermStats, term::Term};

/// Consecutive positions, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) last: u32,
}

/// The runs of all terms, ascending, no two of a term touching.
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

    /// The runs of the term with this code.
    pub(crate) fn list(&self, code: u16) -> &[Run] {
        &self.lists[usize::from(code)]
    }

    /// Adds a run that lies behind all others of the term; it is joined to the last one if they touch.
    #[inline]
    pub(crate) fn push(&mut self, code: u16, run: Run) {
        push(&mut self.lists[usize::from(code)], run);
    }

    /// Adds the runs of games that follow, whose first position is `offset` here.
    pub(crate) fn append(&mut self, other: &TermRuns, offset: u32) {
        for (list, others) in self.lists.iter_mut().zip(&other.lists) {
            let moved = |run: &Run| Run {
                start: run.start + offset,
                last: run.last + offset,
            };
            if let Some((first, rest)) = others.split_first() {
                push(list, moved(first));
                list.extend(rest.iter().map(moved));
            }
        }
    }
}

#[inline]
fn push(list: &mut Vec<Run>, run: Run) {
    match list.last_mut() {
        Some(last) if last.last + 1 == run.start => last.last = run.last,
        _ => list.push(run),
    }
}

/// Roaring's mark of a serialization without run containers.
pub(crate) const COOKIE_PLAIN: u32 = 12346;
/// Roaring's mark, in the lower half, of a serialization with run containers.
pub(crate) const COOKIE_RUNS: u32 = 12347;
/// From how many containers on a serialization with runs has offsets too.
pub(crate) const OFFSETS_FROM: usize = 4;
/// Up to how many ids a container without runs is an array of them.
pub(crate) const ARRAY_MAX: u32 = 4096;
/// The bytes of a bitmap container.
pub(crate) const BITMAP_BYTES: usize = 8192;

/// The part of a list inside one chunk.
struct Container {
    key: u16,
    cardinality: u32,
    runs: Vec<(u16, u16)>,
}

impl Container {
    fn is_runs(&self) -> bool {
        2 + 4 * self.runs.len() < self.plain_size()
    }

    fn plain_size(&self) -> usize {
        if self.cardinality <= ARRAY_MAX {
            2 * self.cardinality as usize
        } else {
            BITMAP_BYTES
        }
    }

    fn size(&self) -> usize {
        if self.is_runs() {
            2 + 4 * self.runs.len()
        } else {
            self.plain_size()
        }
    }

    fn write(&self, out: &mut Vec<u8>) {
        if self.is_runs() {
            out.extend_from_slice(&(self.runs.len() as u16).to_le_bytes());
            for &(start, last) in &self.runs {
                out.extend_from_slice(&start.to_le_bytes());
                out.extend_from_slice(&(last - start).to_le_bytes());
            }
        } else if self.cardinality <= ARRAY_MAX {
            for id in self.runs.iter().flat_map(|&(start, last)| start..=last) {
                out.extend_from_slice(&id.to_le_bytes());
            }
        } else {
            let mut words = [0; BITMAP_BYTES / 8];
            for &(start, last) in &self.runs {
                crate::chunk::or_run(&mut words, u32::from(start), u32::from(last));
            }
            for word in words {
                out.extend_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Cuts runs where chunks end.
fn containers(runs: &[Run]) -> Vec<Container> {
    let mut containers: Vec<Container> = Vec::new();
    for run in runs {
        let mut start = run.start;
        loop {
            let key = (start / CHUNK_SIZE) as u16;
            let last = run.last.min(start | (CHUNK_SIZE - 1));
            if containers.last().is_none_or(|container| container.key != key) {
                containers.push(Container {
                    key,
                    cardinality: 0,
                    runs: Vec::new(),
                });
            }
            if let Some(container) = containers.last_mut() {
                container.cardinality += last - start + 1;
                container.runs.push((start as u16, last as u16));
            }
            if last == run.last {
                break;
            }
            start = last + 1;
        }
    }
    containers
}

/// Roaring's portable serialization of the runs of one term, each container in the smallest of its three forms; and
/// what the planner wants to know of it (but for `bytes`, which is for the caller to fill in).
pub(crate) fn encode(runs: &[Run]) -> (Vec<u8>, TermStats) {
    let containers = containers(runs);
    let any_runs = containers.iter().any(Container::is_runs);
    let count = containers.len();
    let mut out = Vec::new();
    if any_runs {
        out.extend_from_slice(&(COOKIE_RUNS | (count as u32 - 1) << 16).to_le_bytes());
        let mut flags = vec![0u8; count.div_ceil(8)];
        for (index, _) in containers
            .iter()
            .enumerate()
            .filter(|(_, container)| container.is_runs())
        {
            flags[index / 8] |= 1 << (index % 8);
        }
        out.extend_from_slice(&flags);
    } else {
        out.extend_from_slice(&COOKIE_PLAIN.to_le_bytes());
        out.extend_from_slice(&(count as u32).to_le_bytes());
    }
    for container in &containers {
        out.extend_from_slice(&container.key.to_le_bytes());
        out.extend_from_slice(&((container.cardinality - 1) as u16).to_le_bytes());
    }
    if !any_runs || count >= OFFSETS_FROM {
        let mut offset = out.len() + 4 * count;
        for container in &containers {
            out.extend_from_slice(&(offset as u32).to_le_bytes());
            offset += container.size();
        }
    }
    for container in &containers {
        container.write(&mut out);
    }
    let cardinality = containers.iter().map(|container| container.cardinality).sum();
    (
        out,
        TermStats {
            cardinality,
            runs: runs.len() as u32,
            bytes: 0,
        },
    )
}
