//! Kept answers: what is known of the segments before a search, and what the search adds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use planner::RemainingPositions;
use storage::{Answer, Answers, Fingerprint, PackedAnswer, Section, SectionCounts, Sections, SegmentMeta, Snapshot};

use super::fingerprint::fingerprint;
use super::record::Record;
use super::segment_plan::{Expected, SegmentPlan};
use super::{Search, Summary};

/// The kept answers to the question of a search.
#[derive(Debug)]
pub(super) struct KeptAnswers {
    /// Where they are; `None` if answers to this question are not kept.
    place: Option<(Answers, Fingerprint)>,
    /// What is known.
    answer: Option<Answer>,
    /// What the caller knows; used instead of a kept answer.
    given: Option<Sections>,
    /// A search that took less time than this is not worth keeping; more is asked of large answers.
    worth: Duration,
    /// How many positions the snapshot has.
    positions: f64,
    /// Whether one of the segments has shown that the search may take long enough.
    may_be_worth_it: AtomicBool,
    /// Whether the answer has turned out to be too large for the time that it takes.
    is_given_up: AtomicBool,
    /// Whether all matching positions are noted, because the caller wants them.
    pub(super) collects: bool,
    /// How many bytes were noted so far.
    noted: AtomicU64,
}

/// zstd makes bitmaps smaller by this factor at best, as far as we have seen. An answer that is too large even then is not
/// noted to the end.
const PACKED: f64 = 0.6;

/// What the space for all answers is worth, as a multiple of what a search is worth: an answer that takes a hundredth of it
/// has to save twice the time. One that fills it drives all others out, and saves a second at least.
const SPACE: f64 = 100.0;

/// While matches are only counted, noting them begins where a search is expected to take at least this part of the time
/// that makes an answer of the expected size worth keeping: as much as expectations are wrong by.
const EXPECTED: f64 = 0.25;

/// An answer is given up where it took less than this part of the time that its size asks for.
const HOPELESS: f64 = 0.9;

/// What was found, as far as it may be kept.
#[derive(Debug, Default)]
pub(super) struct Findings {
    packed: PackedAnswer,
    /// Segments that are not packed yet: the search may turn out to be too short.
    waiting: Vec<(SegmentMeta, Record)>,
    /// About how many bytes both take, before they are packed.
    bytes: u64,
}

/// What an earlier search found in a segment.
#[derive(Debug)]
pub(super) struct KeptAnswer(Section);

/// What is known of a segment, if it can be used. Games that were removed when it was found may be missing in it, so that
/// it can't be used for a snapshot from before that.
fn usable(answer: Option<&Answer>, meta: &SegmentMeta) -> Option<SectionCounts> {
    let counts = answer?.counts(meta)?;
    is_usable(counts.covered, counts.removed, meta).then_some(counts)
}

/// Whether a section is not about more positions, or more removed games, than a segment has.
fn is_usable(covered: u32, removed: u32, meta: &SegmentMeta) -> bool {
    covered <= meta.positions && removed <= meta.removed.games
}

/// For how many segments there is a kept answer to a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptSegments {
    /// Segments where all games are answered.
    pub whole: u64,
    /// Segments where the first games are answered: others have been added since.
    pub partly: u64,
    /// All segments.
    pub all: u64,
}

impl KeptSegments {
    /// What is kept for a search, whether it uses that or not; `None` if answers to such a question are not kept.
    pub(super) fn read(search: &Search<'_>, snapshot: &Snapshot) -> Option<KeptSegments> {
        let answer = snapshot.answers().open(&fingerprint(search, snapshot)?);
        let mut kept = KeptSegments::default();
        for meta in snapshot.segments() {
            kept.all += 1;
            match usable(answer.as_ref(), meta) {
                Some(counts) if counts.covered == meta.positions => kept.whole += 1,
                Some(_) => kept.partly += 1,
                None => {}
            }
        }
        Some(kept)
    }
}

impl KeptAnswers {
    /// Reads what is known, if the search uses it.
    pub(super) fn read(search: &Search<'_>, snapshot: &Snapshot) -> KeptAnswers {
        let options = search.options.answers.unwrap_or_default();
        let place = search.options.answers.and_then(|_| fingerprint(search, snapshot));
        let place = place.map(|question| {
            let answers = snapshot.answers();
            let answers = match options.bound {
                Some(bytes) => answers.with_bound(bytes),
                None => answers,
            };
            (answers, question)
        });
        KeptAnswers {
            answer: place.as_ref().and_then(|(answers, question)| answers.open(question)),
            place,
            worth: options.worth,
            positions: snapshot.positions() as f64,
            may_be_worth_it: AtomicBool::new(false),
            is_given_up: AtomicBool::new(false),
            given: None,
            collects: false,
            noted: AtomicU64::new(0),
        }
    }

    /// The same for a search that gives all matching positions. If the caller knows some, these are used instead of a kept answer.
    pub(super) fn collecting(search: &Search<'_>, snapshot: &Snapshot, known: &Sections) -> KeptAnswers {
        let mut answers = KeptAnswers::read(search, snapshot);
        answers.collects = true;
        answers.given = (!known.is_empty()).then(|| known.clone());
        answers
    }

    /// Adds the positions of the segments that were known as a whole.
    pub(super) fn add_known(&self, segments: &[SegmentMeta], found: &mut Sections) {
        for meta in segments {
            if found.get(&meta.key).is_none()
                && let Some(known) = self.of(meta).filter(|known| known.covers(meta))
            {
                found.insert(meta.key, known.0);
            }
        }
    }

    /// Whether nothing more is noted, because what was noted so far is more than can be kept.
    pub(super) fn is_too_large(&self) -> bool {
        !self.collects && self.noted_too_much()
    }

    /// Whether what was noted so far is more than can be kept, or than is worth keeping. Once it is, it stays so.
    fn noted_too_much(&self) -> bool {
        let noted = self.noted.load(Ordering::Relaxed) as f64;
        let bound = |(answers, _): &(Answers, Fingerprint)| answers.bound() as f64;
        self.is_given_up.load(Ordering::Relaxed)
            || self.place.as_ref().is_some_and(|place| noted * PACKED > bound(place))
    }

    /// How long a search has to take for an answer of `bytes` packed bytes to be kept.
    fn worth_of(&self, bytes: f64) -> Duration {
        let bound = self.place.as_ref().map_or(1, |(answers, _)| answers.bound().max(1));
        self.worth.mul_f64(1.0 + SPACE * bytes / bound as f64)
    }

    /// Counts what a task has noted.
    pub(super) fn count(&self, record: &Record) {
        self.noted.fetch_add(record.bytes(), Ordering::Relaxed);
    }

    /// What is known of a segment.
    pub(super) fn of(&self, meta: &SegmentMeta) -> Option<KeptAnswer> {
        if let Some(given) = &self.given {
            let section = given.get(&meta.key)?;
            return is_usable(section.covered, section.removed, meta).then(|| KeptAnswer(section.clone()));
        }
        usable(self.answer.as_ref(), meta)?;
        self.answer.as_ref()?.section(meta).map(KeptAnswer)
    }

    /// How many games and positions of a segment match; `None` if not all games are known, or some may have been removed
    /// since they were counted.
    pub(super) fn counts(&self, meta: &SegmentMeta) -> Option<(u64, u64)> {
        let answer = self.answer.as_ref().filter(|_| self.given.is_none());
        let counts = usable(answer, meta)?;
        let is_counted = counts.games > 0 || counts.positions == 0;
        let is_complete = is_counted && counts.covered == meta.positions && counts.removed == meta.removed.games;
        is_complete.then(|| (u64::from(counts.games), u64::from(counts.positions)))
    }

    /// Whether the matching positions of a segment are noted while it is searched. `only_counts` says that the plan counts
    /// them without looking at each: then noting them would take longer than many a search.
    pub(super) fn records(&self, search: &Search<'_>, plan: &SegmentPlan, only_counts: bool) -> bool {
        let is_partial = search.options.stop_at_limit && search.options.limit.is_some();
        let is_kept = || self.place.is_some() && (!only_counts || self.may_be_worth_it(plan));
        !is_partial && (self.collects || is_kept())
    }

    /// Whether the search may take long enough, judged by the segments up to this one.
    fn may_be_worth_it(&self, plan: &SegmentPlan) -> bool {
        let known = || self.may_be_worth_it.load(Ordering::Relaxed);
        let positions = f64::from(plan.meta().positions);
        let share = positions / self.positions.max(1.0);
        let is_expected = |Expected { work, matching }: Expected| {
            // Two bytes for each match, or a bit for each position.
            let bytes = (2.0 * matching).min(positions / 8.0) * PACKED / share;
            work >= self.worth_of(bytes).as_nanos() as f64 * share * EXPECTED
        };
        let may_be = known() || plan.expected().is_ok_and(is_expected);
        self.may_be_worth_it.fetch_or(may_be, Ordering::Relaxed);
        may_be
    }

    /// Takes what was found in a segment, if it may be kept. It is packed as soon as the search has taken long enough for
    /// its size: meanwhile the other threads go on; at the end they would wait.
    pub(super) fn add(&self, meta: &SegmentMeta, record: Record, found: &mut Findings, summary: &Summary) {
        if self.place.is_none() || self.noted_too_much() {
            return;
        }
        found.bytes += record.bytes();
        found.waiting.push((*meta, record));
        let asked = self.worth_of(found.bytes as f64 * PACKED);
        if summary.work() < (asked - self.worth).mul_f64(HOPELESS) {
            self.is_given_up.store(true, Ordering::Relaxed);
            *found = Findings::default();
        }
        self.pack(found, summary);
    }

    /// Packs what waits, if the search has taken long enough.
    fn pack(&self, found: &mut Findings, summary: &Summary) {
        if summary.work() < self.worth_of(found.bytes as f64 * PACKED) {
            return;
        }
        for (meta, record) in found.waiting.drain(..) {
            // What can't be packed is not kept.
            let _ = record.pack(&meta, &mut found.packed);
        }
    }

    /// Keeps what a search has found, if it took long enough.
    pub(super) fn write(&self, mut found: Findings, summary: &mut Summary) {
        let Some((answers, question)) = &self.place else { return };
        if self.noted_too_much() {
            return;
        }
        self.pack(&mut found, summary);
        let asked = self.worth_of(found.packed.bytes() as f64);
        if !found.waiting.is_empty() || found.packed.is_empty() || summary.work() < asked {
            return;
        }
        match answers.write_packed(question, found.packed) {
            Ok(bytes) => summary.kept.written = bytes,
            Err(_) => summary.kept.failed = true,
        }
    }
}

impl KeptAnswer {
    /// Whether nothing is left to search in the segment.
    pub(super) fn covers(&self, meta: &SegmentMeta) -> bool {
        self.0.covered == meta.positions
    }

    /// How many games are covered, from the first on, given the first position of each and the end of the last.
    pub(super) fn games(&self, starts: &[u32]) -> usize {
        let covered = self.0.covered;
        starts.partition_point(|&start| start <= covered).saturating_sub(1)
    }

    /// The matching positions of a range. The memory is all zeros.
    pub(super) fn within(&self, range: &Range<u32>) -> RemainingPositions {
        let mut positions = RemainingPositions::none(range);
        let mut runs = self.0.positions.range(range.clone());
        while let Some(run) = runs.next_range() {
            positions.add_range(*run.start()..*run.end() + 1);
        }
        positions
    }
}
