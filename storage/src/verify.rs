//! The check of a whole database.

use std::{
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use chess::{AnnotationKind, Game, MoveTree};
use postings::{Damage, Extractor, PackedRuns, Term, TermStats, runs};
use shakmaty::Color;

use crate::{
    column::Column,
    error::{Error, Result, is_missing},
    header::Header,
    id::SegmentId,
    identity::identity,
    key::Key,
    record::FileRecord,
    segment::{Array, Segment},
    store::Store,
    tags::TagColumn,
    threads,
};

/// The progress of [`Snapshot::verify`](crate::Snapshot::verify).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// How many games were checked.
    pub games_done: u64,
    /// How many games there are.
    pub games_total: u64,
}

/// What [`Snapshot::verify`](crate::Snapshot::verify) found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// How many games were read and replayed.
    pub games: u64,
    /// How many positions they have.
    pub positions: u64,
    /// How many posting lists were compared with the replayed games.
    pub postings: u64,
    /// Damage in segments.
    pub problems: Vec<(SegmentId, Error)>,
    /// Damage in records: those of sources, the copy of the records that each commit leaves, and sets with names. Damage
    /// in the records of segments is found when the database is opened.
    pub records: Vec<Error>,
}

impl Report {
    /// Whether no damage was found.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.records.is_empty()
    }
}

/// Checks all segments, one a thread.
pub(crate) fn verify(
    store: &Store,
    segments: &[Segment],
    files: &[[FileRecord; 4]],
    progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Report> {
    let games_total = segments.iter().map(|segment| u64::from(segment.meta().games)).sum();
    let paths = store.segment_files()?;
    let next = AtomicUsize::new(0);
    let shared = Mutex::new((0, progress));
    let work = || {
        let mut reports = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(segment) = segments.get(at) else {
                return reports;
            };
            let mut check = Check {
                segment,
                report: Report::default(),
                replayed: true,
            };
            check.files(&paths, &files[at]);
            let games = check.games(&mut |games| {
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let (done, progress) = &mut *shared;
                *done += games;
                progress(Progress {
                    games_done: *done,
                    games_total,
                });
            });
            match games {
                Ok(runs) => check.all_postings(&runs),
                Err(error) => check.problem(error),
            }
            if let Err(error) = check.identities() {
                check.problem(error);
            }
            reports.push((at, check.report));
        }
    };
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(segments.len());
    let mut reports: Vec<(usize, Report)> = thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut reports = work();
        reports.extend(others.into_iter().flat_map(threads::join));
        reports
    });
    reports.sort_by_key(|(at, _)| *at);
    let mut all = Report {
        records: records(store)?,
        ..Report::default()
    };
    for (_, report) in reports {
        all.games += report.games;
        all.positions += report.positions;
        all.postings += report.postings;
        all.problems.extend(report.problems);
    }
    Ok(all)
}

/// Damage in the records of sources and in the copy of all records.
fn records(store: &Store) -> Result<Vec<Error>> {
    let sources = store.sources().err();
    Ok(sources.into_iter().chain(store.copy_problem()?).collect())
}

/// The check of one segment.
struct Check<'a> {
    segment: &'a Segment,
    report: Report,
    /// Whether all games could be replayed. Only then the postings can be compared with them.
    replayed: bool,
}

impl Check<'_> {
    fn problem(&mut self, error: Error) {
        self.report.problems.push((self.segment.meta().id, error));
    }

    fn wrong_array(&self, array: Array, what: &'static str) -> Error {
        Key::array(self.segment.meta().id, array.number()).corrupt(Damage::Invalid(what))
    }

    /// Compares the sizes and checksums of the files with those that were recorded when they were written.
    fn files(&mut self, paths: &[(Column, u32, PathBuf)], records: &[FileRecord; 4]) {
        let id = self.segment.meta().id;
        for (column, record) in Column::with_files(id.layout()).iter().copied().zip(records) {
            let own = paths
                .iter()
                .filter(|(of, segment, _)| (*of, *segment) == (column, id.get()));
            let mut found = false;
            for (_, _, path) in own {
                found = true;
                let reason = match FileRecord::of(path) {
                    Ok(file) if file.bytes != record.bytes => Damage::Invalid("the file has another size"),
                    Ok(file) if file != *record => Damage::Checksum,
                    Ok(_) => continue,
                    Err(error) if is_missing(&error) => Damage::FileMissing,
                    Err(error) => {
                        self.problem(Error::io(path)(error));
                        continue;
                    }
                };
                self.problem(Error::DamagedFile {
                    path: path.clone(),
                    column: column.name(),
                    reason,
                });
            }
            if !found {
                self.problem(Key::segment(id, column).corrupt(Damage::FileMissing));
            }
        }
    }

    /// Compares the identities with those of the stored games.
    fn identities(&mut self) -> Result<()> {
        let identities = self.segment.identities()?;
        let mut game = Game::default();
        for block in 0..self.segment.block_count()? {
            // Blocks that can't be read have been reported already.
            let (Ok(trees), Ok(texts)) = (self.segment.trees(block), self.segment.texts(block)) else {
                continue;
            };
            for (index, (number, text)) in trees.games().zip(texts).enumerate() {
                game.text = text;
                if trees.tree(index, &mut game.tree).is_ok() && identities[number as usize] != identity(&game) {
                    return Err(self.wrong_array(Array::Identities, "an identity is not that of the game"));
                }
            }
        }
        Ok(())
    }

    /// Reads and replays all games. Returns the runs that the posting lists should have.
    fn games(&mut self, progress: &mut dyn FnMut(u64)) -> Result<PackedRuns> {
        let mut extractor = Extractor::new();
        let starts = self.segment.starts()?;
        let mut tree = MoveTree::default();
        for block in 0..self.segment.block_count()? {
            let games = self.segment.block_games(block)?;
            match self.segment.trees(block) {
                Ok(trees) => {
                    for (index, game) in games.clone().enumerate() {
                        let read = trees.tree(index, &mut tree);
                        if read.is_ok() && extractor.positions() != starts[game as usize] {
                            self.problem(self.wrong_array(Array::Lengths, "a game has another number of positions"));
                            self.replayed = false;
                        }
                        if let Err(error) = read.and_then(|()| Ok(extractor.push(&tree)?)) {
                            self.problem(error);
                            self.replayed = false;
                        }
                    }
                }
                Err(error) => {
                    self.problem(error);
                    self.replayed = false;
                }
            }
            for checked in [self.texts(block), self.annotations(block)] {
                if let Err(error) = checked {
                    self.problem(error);
                }
            }
            self.report.games += games.len() as u64;
            progress(games.len() as u64);
        }
        self.report.positions += u64::from(extractor.positions());
        Ok(extractor.finish())
    }

    /// Compares the tags, ratings and outcomes of a block with those in the texts.
    fn texts(&mut self, block: u32) -> Result<()> {
        let first = self.segment.block_games(block)?.start;
        let texts = self.segment.texts(block)?;
        for (game, text) in (first..).zip(&texts) {
            let header = Header::from_text(text);
            for column in TagColumn::ALL {
                if self.segment.tag_values(column)?.get(game).unwrap_or("") != header.get(column) {
                    return Err(self.wrong_array(Array::Tag(column), "a value is not that of the game's tag"));
                }
            }
            let ratings = [Color::White, Color::Black].map(|color| self.segment.ratings(color));
            let [white, black] = ratings;
            if [white?[game as usize], black?[game as usize]] != header.ratings() {
                return Err(self.wrong_array(Array::WhiteRatings, "a rating is not that of the game's tag"));
            }
            if self.segment.outcomes()?[game as usize] != header.outcome() {
                return Err(self.wrong_array(Array::Outcomes, "an outcome is not that of the game"));
            }
        }
        Ok(())
    }

    /// Compares the annotations of a block with their directory, and their nodes with the positions of the games.
    fn annotations(&self, block: u32) -> Result<()> {
        let Some(directory) = self.segment.annotation_directory()? else {
            return Ok(());
        };
        let (games, starts) = (self.segment.block_games(block)?, self.segment.starts()?);
        for kind in AnnotationKind::ALL {
            let mut found = 0;
            for (game, annotations) in games.clone().zip(self.segment.annotations(block, [kind])?) {
                let nodes = annotations.nodes(kind);
                let positions = starts[game as usize + 1] - starts[game as usize];
                if nodes.last().is_some_and(|node| *node >= positions) {
                    return Err(self.wrong_array(Array::Annotations, "an annotation has no position"));
                }
                found += nodes.len();
            }
            if found != directory.get(block, kind).positions as usize {
                return Err(self.wrong_array(
                    Array::Annotations,
                    "a block has more or fewer annotations than it should",
                ));
            }
        }
        Ok(())
    }

    /// Checks the posting lists of all terms.
    fn all_postings(&mut self, runs: &PackedRuns) {
        for term in Term::all() {
            self.report.postings += 1;
            if let Err(error) = self.postings(term, runs) {
                self.problem(error);
            }
        }
    }

    /// Reads a posting list and compares it with the directory and with the runs that it should have.
    fn postings(&self, term: Term, runs: &PackedRuns) -> Result<()> {
        let key = Key::term(self.segment.meta().id, term);
        let postings = self.segment.postings(term)?;
        let mut found = Vec::new();
        postings.decode_into(&mut found).map_err(|damage| key.corrupt(damage))?;
        let stats = self.segment.term_stats(term)?;
        let has_these_stats = TermStats { bytes: 0, ..stats } == runs::stats(&found);
        let is_inside = found.last().is_none_or(|run| run.last < self.segment.meta().positions);
        if !has_these_stats || !is_inside {
            return Err(key.corrupt(Damage::Invalid("the list is not the one that the directory tells of")));
        }
        let is_listed = !matches!(term, Term::Pinned(..)) || self.segment.lists_pins()?;
        if self.replayed && is_listed && found != runs.list(term.code()) {
            return Err(key.corrupt(Damage::Invalid("the list is not that of the stored games")));
        }
        Ok(())
    }
}
