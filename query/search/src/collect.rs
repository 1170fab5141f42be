//! Collects the results of the tasks of a search in order, and hands the games to the sink.

use std::ops::ControlFlow;

use storage::Sections;

use super::kept::{Findings, KeptAnswers};
use super::ordered::{Find, TaskError};
use super::record::Record;
use super::segments::Segments;
use super::{GameMatch, Search, SearchError, SkippedGames, Summary};

/// What has come from the tasks so far.
pub(super) struct Collector<'a, 's, 'q> {
    search: &'s Search<'q>,
    open: &'a Segments<'s, 'q>,
    segments: &'s [storage::SegmentMeta],
    sink: &'a mut dyn FnMut(Vec<GameMatch>) -> ControlFlow<()>,
    summary: Summary,
    /// How many positions may still be listed.
    left: u64,
    /// How many games were listed.
    listed_games: u64,
    /// What was found in a segment that may still turn out to be damaged: then it is left out as a whole.
    kept: Vec<Find>,
    /// Whether the segment is left out.
    is_skipped: bool,
    /// What was found in the segment, if it may be kept.
    record: Record,
    /// What was found in the segments before, if it may be kept.
    findings: Findings,
    /// The same, if the caller wants it, and the segments that were left out.
    sections: Sections,
    answers: &'s KeptAnswers,
}

impl<'a, 's, 'q> Collector<'a, 's, 'q> {
    pub(super) fn new(
        search: &'s Search<'q>,
        open: &'a Segments<'s, 'q>,
        (segments, answers): (&'s [storage::SegmentMeta], &'s KeptAnswers),
        sink: &'a mut dyn FnMut(Vec<GameMatch>) -> ControlFlow<()>,
    ) -> Collector<'a, 's, 'q> {
        Collector {
            search,
            open,
            segments,
            sink,
            summary: Summary::default(),
            left: search.options.limit.unwrap_or(u64::MAX),
            listed_games: 0,
            kept: Vec::new(),
            is_skipped: false,
            record: Record::default(),
            findings: Findings::default(),
            sections: Sections::new(),
            answers,
        }
    }

    /// Takes what comes from a task.
    pub(super) fn take(
        &mut self,
        task: usize,
        mut find: Result<Find, TaskError>,
    ) -> Result<ControlFlow<()>, SearchError> {
        let place = self.open.place(task);
        let is_end = !matches!(find, Ok(Find::Games(_)));
        if let Ok(Find::End(found)) = &mut find
            && let Some(record) = found.record.take()
        {
            self.record.add(record);
        }
        match find {
            _ if self.is_skipped => {}
            Ok(find) if self.search.options.skip_damaged => self.kept.push(find),
            Ok(find) => self.add(find)?,
            Err(error) => {
                let error = match error {
                    TaskError::Own(error) => error,
                    TaskError::Shared => self.open.failure(place.segment),
                };
                match error {
                    SearchError::Storage(error) if self.search.skips(&error) => {
                        let skipped = SkippedGames::of(&self.segments[place.segment], &error);
                        self.summary.skipped.push(skipped);
                        let meta = &self.segments[place.segment];
                        self.sections.lack(meta.key, meta.games - meta.removed.games);
                        self.kept.clear();
                        self.is_skipped = true;
                    }
                    error => return Err(error),
                }
            }
        }
        if is_end && place.is_last {
            for find in std::mem::take(&mut self.kept) {
                self.add(find)?;
            }
            if let Some(segment) = self.open.close(place.segment).filter(|_| !self.is_skipped) {
                self.summary.games_searched += u64::from(segment.games_searched());
                self.summary.positions_searched += u64::from(segment.positions_searched());
                segment.note_lists(&mut self.summary);
                self.summary.kept.games += u64::from(segment.games_known());
                self.summary.kept.segments += u64::from(segment.is_known());
                self.summary.opening += segment.opening;
                if segment.is_recorded {
                    let meta = &self.segments[place.segment];
                    let record = std::mem::take(&mut self.record);
                    if self.answers.collects {
                        self.sections.insert(meta.key, record.to_section(meta));
                    }
                    self.answers.add(meta, record, &mut self.findings, &self.summary);
                }
            }
            self.record = Record::default();
            self.is_skipped = false;
        }
        if self.left == 0 && self.search.options.stop_at_limit {
            self.summary.stopped_at_limit = true;
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What was done, when nothing more comes, and what may be kept of it.
    pub(super) fn finish(mut self) -> (Summary, Sections, Findings) {
        for index in 0..self.segments.len() {
            if let Some(segment) = self.open.close(index) {
                segment.note_lists(&mut self.summary);
            }
        }
        if self.summary.stopped_at_limit {
            // Others may be found already, or not: it depends on the threads.
            self.summary.games = self.listed_games;
            self.summary.positions = self.search.options.limit.unwrap_or_default();
        }
        (self.summary, self.sections, self.findings)
    }

    /// Counts what was found, and hands the games over as far as the limit allows.
    fn add(&mut self, find: Find) -> Result<(), SearchError> {
        let mut games = match find {
            Find::Games(games) => games,
            Find::End(mut found) => {
                self.summary.add(&mut found);
                found.games
            }
        };
        if self.search.options.limit.is_some() {
            games.retain_mut(|game| {
                let keep = usize::try_from(self.left)
                    .unwrap_or(usize::MAX)
                    .min(game.positions.len());
                self.left -= keep as u64;
                game.positions.truncate(keep);
                keep > 0
            });
        }
        self.listed_games += games.len() as u64;
        if !games.is_empty() && (self.sink)(games).is_break() {
            return Err(SearchError::Stopped);
        }
        Ok(())
    }
}
