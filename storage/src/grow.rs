//! Changes of a database: adding games, joining small segments, removing games, compacting, rebuilding.
//!
//! Segments stay in the order of their games, so only neighbours are joined. Joining is tiered, as in a log-structured
//! merge tree: when the segments at the end together are at least [`RATIO`] times as large as the one before them, they
//! are joined with it. So a game is copied a logarithmic number of times, and few segments are small.

use std::ops::Range;

use crate::{
    batch::{SegmentBuilder, SegmentData},
    database::{Database, Slot},
    error::{Error, Result},
    id::SegmentId,
    kept::{Lock, Part, Span, Transfer, push_span},
    record::SegmentRecord,
    removed::Removed,
    segment::Segment,
    source::Source,
    steps,
    unpack::{self, Keep},
    verify::{self, Progress},
};

/// How many times as large as a segment those behind it have to be together before they are joined with it.
const RATIO: u64 = 7;

/// The most positions that a segment gets by joining.
const FULL: u32 = 1 << 22;

/// Games to be added in one commit, and the sources to be recorded with them.
#[derive(Debug)]
pub struct Addition {
    /// The games; there may be none.
    pub games: SegmentBuilder,
    /// The sources of the games, with their numbers.
    pub sources: Vec<(u32, Source)>,
    /// The number of threads that encode the segment.
    pub threads: usize,
    /// The most positions that a segment gets by joining.
    pub full: u32,
}

impl Default for Addition {
    fn default() -> Addition {
        Addition {
            games: SegmentBuilder::new(),
            sources: Vec::new(),
            threads: 1,
            full: FULL,
        }
    }
}

/// What compaction did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// The number of segments before and after.
    pub segments: [u64; 2],
    /// The number of bytes before and after.
    pub bytes: [u64; 2],
    /// How many removed games were deleted from the disk.
    pub dropped: u64,
    /// Games that have other numbers now, ascending by their old numbers.
    pub moved: Vec<Moved>,
}

/// Consecutive games that got other numbers, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Moved {
    /// The old numbers.
    pub from: Range<u64>,
    /// The new number of the first.
    pub to: u64,
}

/// What rebuilding did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rebuilt {
    /// How many segments were checked.
    pub segments: u64,
    /// The segments that were rebuilt, by their old numbers.
    pub rebuilt: Vec<SegmentId>,
    /// Games that could not be read and were removed, counted from 1.
    pub lost: Vec<u64>,
    /// Whether the copy of the records was damaged.
    pub copy: bool,
}

impl Database {
    /// Adds games behind the others and records their sources, all in one commit. Small segments at the end are joined
    /// with the new games.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading, or the disk fails. A damaged segment is no error; it is not joined.
    pub fn add(&mut self, addition: Addition) -> Result<()> {
        self.check_writable()?;
        let Addition {
            games,
            sources,
            threads,
            full,
        } = addition;
        if games.games() == 0 {
            return if sources.is_empty() {
                Ok(())
            } else {
                self.apply(self.kept_slots(), &sources)
            };
        }
        let mut first = self.first_to_join(u64::from(games.positions()), u64::from(full));
        let (mut joined, mut removed) = match join(&self.segments()[first..]) {
            Ok(joined) => joined,
            Err(Error::Corrupt { .. }) => {
                first = self.segments().len();
                (SegmentBuilder::new(), Removed::default())
            }
            Err(error) => return Err(error),
        };
        let postings = match games.encode_behind(&joined, threads) {
            // The content of a list is first read here, so damage in it is first found here.
            Err(Error::Corrupt { .. }) if first < self.segments().len() => {
                first = self.segments().len();
                (joined, removed) = (SegmentBuilder::new(), Removed::default());
                games.encode_behind(&joined, threads)
            }
            postings => postings,
        }?;
        joined.join(games)?;
        steps::reached("segments joined");
        let mut record = self.write_segment(joined.finish_with(postings))?;
        for old in &self.records()[first..] {
            record.add_removed(old);
        }
        let _lock = self.carry_joined(first, &record)?;
        let mut slots = self.kept_slots();
        slots.truncate(first);
        slots.push(Slot::New(record, removed));
        self.apply(slots, &sources)
    }

    /// Carries answers and sets over from the segments from `first` on to the one that they were joined to. Segments
    /// that only come and do not replace others need no lock: a set that is saved at the same time has none of their
    /// positions, as if it had been saved before.
    fn carry_joined(&self, first: usize, new: &SegmentRecord) -> Result<Option<Lock>> {
        let mut to = 0;
        let mut parts = Vec::new();
        for old in &self.records()[first..] {
            parts.push(Part::whole(old.key(), old.positions, to));
            to += old.positions;
        }
        if parts.is_empty() {
            return Ok(None);
        }
        let transfer = [Transfer::new(new, parts)];
        let snapshot = self.snapshot();
        snapshot.answers().carry(&self.keys(), &transfer);
        snapshot.sets().carry(&self.keys(), &transfer).map(Some)
    }

    /// The first of the segments at the end that are to be joined with this many new positions.
    fn first_to_join(&self, positions: u64, full: u64) -> usize {
        let mut first = self.segments().len();
        let mut sum = positions;
        for (at, record) in self.records().iter().enumerate().rev() {
            let size = u64::from(record.positions);
            if sum + size > full {
                break;
            }
            if RATIO * size <= sum {
                first = at;
            }
            sum += size;
        }
        first
    }

    /// Removes games, given by their numbers, counted from 0 over the database. Returns how many of them existed. The
    /// other games keep their numbers until [`Database::compact`].
    ///
    /// # Errors
    ///
    /// When the database was opened for reading or is damaged, or the disk fails.
    pub fn remove(&mut self, games: impl IntoIterator<Item = u64>) -> Result<u64> {
        self.check_writable()?;
        let snapshot = self.snapshot();
        let mut fresh: Vec<Removed> = vec![Removed::default(); self.segments().len()];
        let mut count = 0;
        for game in games {
            if let Some((at, local)) = snapshot.locate(game) {
                count += u64::from(fresh[at].insert(local));
            }
        }
        if count == 0 {
            return Ok(0);
        }
        let mut slots = Vec::with_capacity(fresh.len());
        for (at, fresh) in fresh.iter().enumerate() {
            slots.push(if fresh.is_empty() {
                Slot::Kept(at)
            } else {
                let segment = &self.segments()[at];
                let (positions, mainline) = unpack::count_positions(segment, fresh)?;
                let mut record = self.records()[at];
                record.removed_games += fresh.count();
                record.removed_positions += positions;
                record.removed_mainline += mainline;
                let mut removed = segment.removed().clone();
                removed.insert_all(fresh);
                Slot::Changed(at, record, removed)
            });
        }
        self.apply(slots, &[])?;
        Ok(count)
    }

    /// Deletes removed games from the disk and joins small segments. Games behind a deleted one get other numbers.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading or is damaged, or the disk fails. Then the database stays as it was.
    pub fn compact(&mut self, threads: usize) -> Result<Compaction> {
        self.check_writable()?;
        let bytes = |database: &Database| {
            database
                .snapshot()
                .segments()
                .iter()
                .map(|meta| meta.stored_bytes)
                .sum()
        };
        let mut report = Compaction {
            segments: [self.segments().len() as u64; 2],
            bytes: [bytes(self); 2],
            ..Compaction::default()
        };
        let mut next = 1;
        for segment in self.segments() {
            let first = segment.meta().first_game + 1;
            for game in 0..segment.meta().games {
                let old = first + u64::from(game);
                if segment.is_removed(game) {
                    report.dropped += 1;
                    continue;
                }
                match report.moved.last_mut() {
                    Some(last) if last.from.end == old && old != next => last.from.end += 1,
                    _ if old != next => report.moved.push(Moved {
                        from: old..old + 1,
                        to: next,
                    }),
                    _ => {}
                }
                next += 1;
            }
        }
        let mut slots = Vec::new();
        let mut transfers = Vec::new();
        for group in self.groups() {
            if let [at] = *group
                && self.segments()[at].removed().is_empty()
            {
                slots.push(Slot::Kept(at));
                continue;
            }
            if let Some(data) = self.compacted(&group, threads)? {
                let record = self.write_segment(data)?;
                transfers.push(Transfer::new(&record, self.live_parts(&group)?));
                slots.push(Slot::New(record, Removed::default()));
            }
        }
        let changes = slots.len() != self.segments().len() || slots.iter().any(|slot| !matches!(slot, Slot::Kept(_)));
        if changes {
            let snapshot = self.snapshot();
            let _lock = snapshot.sets().carry(&self.keys(), &transfers)?;
            self.apply(slots, &[])?;
            // The commit is complete. Answers that can't be removed now go when the bound is reached.
            let _ = snapshot.answers().clear();
            steps::reached("answers dropped");
        }
        report.segments[1] = self.segments().len() as u64;
        report.bytes[1] = bytes(self);
        Ok(report)
    }

    /// Groups of segments that compaction makes into one, by their places.
    fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut sum = 0;
        for (at, record) in self.records().iter().enumerate() {
            let live = u64::from(record.positions - record.removed_positions);
            match groups.last_mut() {
                Some(group) if sum + live <= u64::from(FULL) => {
                    group.push(at);
                    sum += live;
                }
                _ => {
                    groups.push(vec![at]);
                    sum = live;
                }
            }
        }
        groups
    }

    /// One segment with the games of several that are not removed; `None` if there are no such games.
    fn compacted(&self, group: &[usize], threads: usize) -> Result<Option<SegmentData>> {
        let mut builder = SegmentBuilder::new();
        for &at in group {
            let segment = &self.segments()[at];
            if segment.removed().is_empty() {
                builder.append(unpack::unpack(segment)?)?;
            } else {
                for batch in unpack::reindex(segment, Keep::Live, None, threads)?.0 {
                    builder.append(batch)?;
                }
            }
        }
        if builder.games() == 0 {
            return Ok(None);
        }
        builder.finish(threads).map(Some)
    }

    /// Where the positions of games that are not removed are in the segment that compaction makes of a group.
    fn live_parts(&self, group: &[usize]) -> Result<Vec<Part>> {
        let mut to = 0;
        let mut parts = Vec::new();
        for &at in group {
            let segment = &self.segments()[at];
            let starts = segment.starts()?;
            let mut spans = Vec::new();
            for game in (0..segment.meta().games).filter(|&game| !segment.is_removed(game)) {
                let from = starts[game as usize]..starts[game as usize + 1];
                let length = from.end - from.start;
                push_span(&mut spans, from, to);
                to += length;
            }
            parts.push(Part::without_removed(segment.meta(), spans));
        }
        Ok(parts)
    }

    /// Rebuilds the index of damaged segments, or with `all` of all segments, from the stored games. With `give_up`,
    /// games that can't be read are removed; without, they are an error. In a database of an older format all segments
    /// are rebuilt, and it has our format when the last of them is.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading, games are damaged, or the disk fails.
    pub fn rebuild(
        &mut self,
        all: bool,
        give_up: bool,
        threads: usize,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<Rebuilt> {
        self.check_writable()?;
        let is_older = self.is_of_older_format()?;
        let all = all || is_older;
        let report = if all {
            verify::Report::default()
        } else {
            self.snapshot().verify(progress)?
        };
        let mut rebuilt = Rebuilt {
            segments: self.segments().len() as u64,
            ..Rebuilt::default()
        };
        for at in 0..self.segments().len() {
            let segment = self.segments()[at].clone();
            let id = segment.meta().id;
            if all || report.problems.iter().any(|(damaged, _)| *damaged == id) {
                self.rebuild_segment(at, &segment, give_up, threads, &mut rebuilt)?;
                rebuilt.rebuilt.push(id);
            }
        }
        if is_older {
            steps::reached("segments of an older format rebuilt");
            self.set_format()?;
        }
        if !rebuilt.rebuilt.is_empty() {
            // They may come from the damaged index.
            let _ = self.snapshot().answers().clear();
            steps::reached("answers dropped");
        }
        rebuilt.copy = report
            .records
            .iter()
            .any(|error| !matches!(error, Error::DamagedSet { .. }));
        // Rebuilding a segment is a commit, which writes a new copy.
        if rebuilt.copy && rebuilt.rebuilt.is_empty() {
            self.renew_copy()?;
        }
        Ok(rebuilt)
    }

    fn rebuild_segment(
        &mut self,
        at: usize,
        segment: &Segment,
        give_up: bool,
        threads: usize,
        rebuilt: &mut Rebuilt,
    ) -> Result<()> {
        let keep = if give_up { Keep::Readable } else { Keep::All };
        let mut builder = SegmentBuilder::new();
        let mut lost = Removed::default();
        match segment.recover_blocks() {
            Ok(()) => {
                let (batches, unreadable) = unpack::reindex(segment, keep, None, threads)?;
                lost = unreadable;
                for batch in batches {
                    builder.append(batch)?;
                }
            }
            // The blocks do not say how many games they have: all games are lost. They keep their numbers.
            Err(Error::Corrupt { .. }) if give_up => {
                builder.append(unpack::empty(segment.meta().games)?)?;
                for game in 0..segment.meta().games {
                    lost.insert(game);
                }
            }
            Err(error) => return Err(error),
        }
        if builder.games() != segment.meta().games {
            return Err(unpack::contradiction(segment, "the segment has lost games"));
        }
        let first = segment.meta().first_game + 1;
        let known = segment.removed();
        rebuilt.lost.extend(
            lost.games()
                .filter(|&game| !known.contains(game))
                .map(|game| first + u64::from(game)),
        );
        let mut removed = known.clone();
        removed.insert_all(&lost);
        let mut record = self.write_rebuilt(&builder.finish(threads)?)?;
        record.pgn_bytes = segment.meta().pgn_bytes;
        record.removed_games = removed.count();
        let new = self.unapplied(&record);
        (record.removed_positions, record.removed_mainline) = unpack::count_positions(&new, &removed)?;
        let transfer = Transfer::new(
            &record,
            vec![Part::of(segment.meta(), surviving(segment, &new, &lost)?)],
        );
        let _lock = self.snapshot().sets().carry(&self.keys(), &[transfer])?;
        let mut slots = self.kept_slots();
        slots[at] = Slot::New(record, removed);
        self.apply(slots, &[])
    }
}

/// Where the positions of the games that are not lost are in a rebuilt segment.
fn surviving(old: &Segment, new: &Segment, lost: &Removed) -> Result<Vec<Span>> {
    let new_starts = new.starts()?;
    let mut spans = Vec::new();
    if let Ok(starts) = old.starts() {
        for game in (0..new.meta().games).filter(|&game| !lost.contains(game)) {
            let at = game as usize;
            push_span(&mut spans, starts[at]..starts[at + 1], new_starts[at]);
        }
        return Ok(spans);
    }
    // The old lengths of lost games are not known, but those of all games before the first one and behind the last are.
    let (old_end, new_end) = (old.meta().positions, new.meta().positions);
    let before = lost.games().next().map_or(new_end, |first| new_starts[first as usize]);
    let behind = lost
        .games()
        .last()
        .map_or(0, |last| new_end - new_starts[last as usize + 1]);
    if before + behind <= old_end {
        push_span(&mut spans, 0..before, 0);
        push_span(&mut spans, old_end - behind..old_end, new_end - behind);
    }
    Ok(spans)
}

/// The games of consecutive segments, and which of them are removed.
fn join(segments: &[Segment]) -> Result<(SegmentBuilder, Removed)> {
    let (mut builder, mut removed) = (SegmentBuilder::new(), Removed::default());
    for segment in segments {
        let first = builder.games();
        for game in segment.removed().games() {
            removed.insert(first + game);
        }
        builder.append(unpack::unpack(segment)?)?;
    }
    Ok((builder, removed))
}
