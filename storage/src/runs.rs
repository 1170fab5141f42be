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

    /// How many bytes the runs take.
    pub(crate) fn size(&self) -> usize {
        size_of_val(self.runs.as_slice())
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

/// Reads what [`encode`] wrote into memory that is used again.
pub(crate) fn decode_into(bytes: &[u8], runs: &mut Vec<Run>) -> Result<(), Damage> {
    runs.clear();
    // A run takes two bytes at least.
    runs.reserve(bytes.len() / 2);
    let mut at = 0;
    // Positions only grow, so that it is enough to look at the last one.
    let mut free = 0u64;
    while at < bytes.len() {
        let (gap, length) = match bytes.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(eight) => two_numbers(u64::from_le_bytes(*eight), &mut at),
            None => None,
        }
        .map_or_else(|| two_long_numbers(bytes, &mut at), Ok)?;
        let start = free + gap;
        let last = start + length;
        runs.push(Run {
            start: start as u32,
            last: last as u32,
        });
        free = last + 2;
    }
    if free > MAX_POSITIONS + 1 {
        Err(Damage::Invalid("positions out of range"))
    } else {
        Ok(())
    }
}

/// Two varints of one or two bytes each, as nearly all are, from the next eight bytes; nothing if one is longer.
/// Without a branch on their lengths, which can't be predicted.
#[inline]
fn two_numbers(eight: u64, at: &mut usize) -> Option<(u64, u64)> {
    let number = |word: u64| {
        let is_long = word >> 7 & 1;
        let number = word & 0x7f | word >> 1 & 0x3f80 & is_long.wrapping_neg();
        (number, 8 + 8 * is_long, word >> 15 & is_long)
    };
    let (gap, gap_bits, gap_is_longer) = number(eight);
    let (length, length_bits, length_is_longer) = number(eight >> gap_bits);
    if gap_is_longer | length_is_longer != 0 {
        return None;
    }
    *at += ((gap_bits + length_bits) / 8) as usize;
    Some((gap, length))
}

/// Two varints of up to 32 bits.
#[cold]
fn two_long_numbers(bytes: &[u8], at: &mut usize) -> Result<(u64, u64), Damage> {
    let mut reader = Reader::new(&bytes[*at..]);
    let before = reader.len();
    let numbers = (reader.varint32()?, reader.varint32()?);
    *at += before - reader.len();
    Ok((u64::from(numbers.0), u64::from(numbers.1)))
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
