//! Takes what the tasks of a search find, in order, and gives it on.

use std::ops::ControlFlow;

use super::ordered::{Find, TaskError};
use super::parts::Parts;
use super::{GameMatch, Search, SearchError, SkippedGames, Summary};

/// What has come from the tasks so far.
pub(super) struct Collector<'a, 's, 'q> {
    search: &'s Search<'q>,
    parts: &'a Parts<'s, 'q>,
    segments: &'s [storage::SegmentMeta],
    sink: &'a mut dyn FnMut(GameMatch),
    summary: Summary,
    /// How many positions may still be listed.
    left: u64,
    /// How many games were listed.
    listed_games: u64,
    /// What was found in a segment that may still turn out to be damaged: then it is left out as a whole.
    kept: Vec<Find>,
    /// Whether the segment is left out.
    is_skipped: bool,
}

impl<'a, 's, 'q> Collector<'a, 's, 'q> {
    pub(super) fn new(
        search: &'s Search<'q>,
        parts: &'a Parts<'s, 'q>,
        segments: &'s [storage::SegmentMeta],
        sink: &'a mut dyn FnMut(GameMatch),
    ) -> Collector<'a, 's, 'q> {
        Collector {
            search,
            parts,
            segments,
            sink,
            summary: Summary::default(),
            left: search.options.limit.unwrap_or(u64::MAX),
            listed_games: 0,
            kept: Vec::new(),
            is_skipped: false,
        }
    }

    /// Takes what comes from a task.
    pub(super) fn take(&mut self, task: usize, find: Result<Find, TaskError>) -> Result<ControlFlow<()>, SearchError> {
        let place = self.parts.place(task);
        let is_end = !matches!(find, Ok(Find::Games(_)));
        match find {
            _ if self.is_skipped => {}
            Ok(find) if self.search.options.skip_damaged => self.kept.push(find),
            Ok(find) => self.add(find),
            Err(error) => {
                let error = match error {
                    TaskError::Own(error) => error,
                    TaskError::Shared => self.parts.failure(place.segment),
                };
                match error {
                    SearchError::Storage(error) if self.search.skips(&error) => {
                        let skipped = SkippedGames::of(&self.segments[place.segment], &error);
                        self.summary.skipped.push(skipped);
                        self.kept.clear();
                        self.is_skipped = true;
                    }
                    error => return Err(error),
                }
            }
        }
        if is_end && place.is_last {
            if let Some(part) = self.parts.close(place.segment).filter(|_| !self.is_skipped) {
                self.summary.games_searched += u64::from(part.games_searched());
                self.summary.positions_searched += u64::from(part.positions_searched());
                part.note_lists(&mut self.summary);
            }
            self.is_skipped = false;
            for find in std::mem::take(&mut self.kept) {
                self.add(find);
            }
        }
        if self.left == 0 && self.search.options.stop_at_limit {
            self.summary.stopped_at_limit = true;
            return Ok(ControlFlow::Break(()));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// What was done, when nothing more comes.
    pub(super) fn finish(mut self) -> Summary {
        for segment in 0..self.segments.len() {
            if let Some(part) = self.parts.close(segment) {
                part.note_lists(&mut self.summary);
            }
        }
        if self.summary.stopped_at_limit {
            // Others may be found already, or not: it depends on the threads.
            self.summary.games = self.listed_games;
            self.summary.positions = self.search.options.limit.unwrap_or_default();
        }
        self.summary
    }

    fn add(&mut self, find: Find) {
        let games = match find {
            Find::Games(games) => games,
            Find::End(mut found) => {
                self.summary.add(&mut found);
                found.games
            }
        };
        for mut game in games {
            if self.left == 0 && self.search.options.stop_at_limit {
                return;
            }
            let keep = usize::try_from(self.left)
                .unwrap_or(usize::MAX)
                .min(game.positions.len());
            self.left -= keep as u64;
            if keep > 0 || self.search.options.limit.is_none() {
                game.positions.truncate(keep);
                self.listed_games += 1;
                (self.sink)(game);
            }
        }
    }
}
