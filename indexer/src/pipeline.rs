//! The threads of an indexing run: one reads and splits text, several read and index games, one writes segments.
//!
//! Games are numbered in the order of the input for any number of threads: pieces of text are numbered when they are
//! split, and sorted again before they are added to a segment. The amount of text in flight is limited, and so is the
//! memory used.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use crossbeam_channel::{Receiver, bounded, unbounded};
use storage::{Addition, Database, SegmentBuilder, Source};

use crate::{
    duplicates::Duplicates,
    error::{Error, Result},
    games::Problem,
    gate::{Gate, StopOnPanic},
    report::{Observer, Options, Progress, Reason, Skipped, Summary},
    resume::{self, Known, Reading},
    source::{self, Input, Stream},
    splitter::Sections,
    worker::{self, Batch, Step, Text, Worker},
};

/// The size of a piece of text for one worker: about a thousand games. Small files are split into smaller pieces, so
/// that all workers have work. A thread costs more than it saves for a few hundred games: that is the least.
const TEXT_BYTES: usize = 1 << 20;
const LEAST_TEXT_BYTES: usize = 1 << 19;

/// The limit for the text in flight, for each worker.
const IN_FLIGHT_BYTES: usize = 10 << 20;

/// Adds the games of files, directories and `-` (standard input) to a database.
///
/// Games are committed segment by segment, together with how far each file was read. Committed games stay even if the
/// run fails later, and the same call continues after them. Text whose games are already in the database is skipped,
/// unless [`Options::repeat`] is set.
///
/// # Errors
///
/// When a source can't be opened (then nothing is indexed), when one can't be read to its end (what was read before
/// is committed), or when the database fails.
pub fn index(
    database: &mut Database,
    sources: &[PathBuf],
    options: &Options,
    observer: &dyn Observer,
) -> Result<Summary> {
    let started = Instant::now();
    let inputs = source::find(sources)?;
    let open = |at: usize| source::open(&inputs[at], &options.cancel);
    let known = match options.repeat {
        true => Vec::new(),
        false => database.sources()?,
    };
    run(database, &inputs, open, Some(known), options, observer, started)
}

/// Adds the games of a stream to a database. `input` is its name and, if known, its length.
///
/// # Errors
///
/// When the stream can't be read to its end (what was read before is committed), or when the database fails.
pub fn index_stream(
    database: &mut Database,
    stream: Box<dyn Read + Send>,
    input: (&Path, Option<u64>),
    options: &Options,
    observer: &dyn Observer,
) -> Result<Summary> {
    let inputs = [Input {
        path: input.0.to_owned(),
        size: input.1,
    }];
    let mut stream = Some(stream);
    let open = move |_| Ok(stream.take().unwrap_or_else(|| Box::new(io::empty())));
    run(database, &inputs, open, None, options, observer, Instant::now())
}

/// Reads the inputs one after the other. `open` is called once for each input, or twice when its beginning is known.
/// Without `known`, the sources of the games are not recorded.
fn run(
    database: &mut Database,
    inputs: &[Input],
    mut open: impl FnMut(usize) -> Result<Stream> + Send,
    known: Option<Vec<(u32, Source)>>,
    options: &Options,
    observer: &dyn Observer,
    started: Instant,
) -> Result<Summary> {
    let bytes_total = inputs.iter().map(|input| input.size).sum::<Option<u64>>();
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let workers = bytes_total.map_or(threads, |bytes| {
        let pieces = usize::try_from(bytes / LEAST_TEXT_BYTES as u64).unwrap_or(threads);
        threads.min(pieces + 1)
    });
    let notes = known.is_some();
    let gate = Gate::new(IN_FLIGHT_BYTES * (workers + 1));
    let bytes_done = Arc::new(AtomicU64::new(0));
    let duplicates = match options.skip_duplicates {
        true => Some(Duplicates::new(&database.snapshot())?),
        false => None,
    };
    let duplicates = duplicates.as_ref();
    let text_bytes = bytes_total.map_or(TEXT_BYTES, |bytes| {
        let share = usize::try_from(bytes / (4 * workers as u64)).unwrap_or(TEXT_BYTES);
        share.clamp(LEAST_TEXT_BYTES, TEXT_BYTES)
    });
    let mut writer = Writer {
        database,
        options,
        observer,
        inputs,
        threads,
        segment: SegmentBuilder::new(),
        summary: Summary::default(),
        progress: Progress {
            bytes_total,
            ..Progress::default()
        },
        is_announced: false,
        games_in_file: 0,
        source: None,
        known: None,
        pending: BTreeMap::new(),
        notes,
    };
    let mut reader = InputReader {
        gate: &gate,
        options,
        bytes_done: &bytes_done,
        known: known
            .into_iter()
            .flatten()
            .map(|(number, source)| (Some(number), source))
            .collect(),
        notes,
        text_bytes,
        number: 0,
    };
    let result = if bytes_total.is_some_and(|bytes| bytes < LEAST_TEXT_BYTES as u64) {
        let mut alone = Alone {
            worker: Worker::new(duplicates),
            writer: &mut writer,
            gate: &gate,
            bytes_done: &bytes_done,
            failure: None,
        };
        let read = reader.read_all(inputs, &mut open, &mut |text| alone.take(text));
        match alone.failure {
            Some(error) => Err(error),
            None => writer.finish().and(read),
        }
    } else {
        thread::scope(|scope| {
            let (text_sender, text_receiver) = bounded(2 * workers);
            let (batch_sender, batch_receiver) = unbounded();
            let gate = &gate;
            let reading = scope.spawn(move || {
                let _stop = StopOnPanic(gate);
                reader.read_all(inputs, &mut open, &mut |text| text_sender.send(text).is_ok())
            });
            for _ in 0..workers {
                let (texts, batches) = (text_receiver.clone(), batch_sender.clone());
                scope.spawn(move || {
                    let _stop = StopOnPanic(gate);
                    worker::work(&texts, &batches, duplicates);
                });
            }
            drop((text_receiver, batch_sender));
            let written = writer.write_all(&batch_receiver, gate, &bytes_done);
            gate.stop();
            if let Some(duplicates) = duplicates {
                duplicates.stop();
            }
            // Releases workers that wait to send a batch.
            drop(batch_receiver);
            match reading.join() {
                Ok(read) => written.and(read),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    };
    let Writer { mut summary, .. } = writer;
    summary.cancelled = options.cancel.load(Ordering::Relaxed);
    summary.elapsed = started.elapsed();
    result.map(|()| summary)
}

/// Splits all inputs into texts, one after the other. The first one that can't be read ends the run.
struct InputReader<'a> {
    gate: &'a Gate,
    options: &'a Options,
    bytes_done: &'a Arc<AtomicU64>,
    /// Texts that are in the database already, or are added in this run.
    known: Vec<Known>,
    /// Whether the sources of games are recorded.
    notes: bool,
    text_bytes: usize,
    number: u64,
}

/// Receives texts. Returns whether it wants more.
type TakeText<'a> = &'a mut dyn FnMut(Text) -> bool;

impl InputReader<'_> {
    fn read_all(
        &mut self,
        inputs: &[Input],
        open: &mut dyn FnMut(usize) -> Result<Stream>,
        take: TakeText<'_>,
    ) -> Result<()> {
        for (at, input) in inputs.iter().enumerate() {
            let done = Arc::new(AtomicU64::new(0));
            let before = self.bytes_done.load(Ordering::Relaxed);
            let (mut splitter, known) = resume::open(
                input,
                &self.known,
                &mut || source::unpack(open(at)?, &input.path, &done),
                &done,
            )?;
            let begin = Step::Begin(known);
            let mut goes_on = take(self.text(at, Sections::default(), begin, &splitter, false));
            while goes_on {
                let next = splitter.next_sections(self.text_bytes).map_err(|source| Error::Read {
                    path: input.path.clone(),
                    offset: splitter.offset(),
                    source,
                })?;
                self.bytes_done
                    .store(before + done.load(Ordering::Relaxed), Ordering::Relaxed);
                // After a cancellation, the text may end before the end of the file.
                if self.options.cancel.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let Some(sections) = next else { break };
                goes_on = self.gate.enter(sections.bytes.len())
                    && take(self.text(at, sections, Step::Games, &splitter, false));
            }
            if !goes_on || !take(self.text(at, Sections::default(), Step::End, &splitter, true)) {
                return Ok(());
            }
            if self.notes && !self.options.repeat && splitter.offset() > 0 {
                self.known.push((None, mark(input, &splitter, true)));
            }
        }
        Ok(())
    }

    /// The next text.
    fn text(&mut self, input: usize, sections: Sections, step: Step, splitter: &Reading, is_complete: bool) -> Text {
        self.number += 1;
        Text {
            number: self.number - 1,
            input,
            sections,
            step,
            mark: mark_of(splitter, is_complete),
        }
    }
}

/// How far a file was read.
fn mark_of(splitter: &Reading, is_complete: bool) -> Source {
    Source {
        bytes: splitter.offset(),
        lines: splitter.line() - 1,
        is_complete,
        head: splitter.hasher().head(),
        hash: splitter.hasher().hash(),
        ..Source::default()
    }
}

fn mark(input: &Input, splitter: &Reading, is_complete: bool) -> Source {
    Source {
        name: input.path.display().to_string(),
        ..mark_of(splitter, is_complete)
    }
}

/// Does everything on one thread: for a few games, more threads cost more than they save.
struct Alone<'a, 'w> {
    worker: Worker<'a>,
    writer: &'a mut Writer<'w>,
    gate: &'a Gate,
    bytes_done: &'a AtomicU64,
    failure: Option<Error>,
}

impl Alone<'_, '_> {
    /// Adds the games of a text to the segment. Returns false if the run has ended.
    fn take(&mut self, text: Text) -> bool {
        let taken = self.worker.make_batch(text).and_then(|batch| match batch {
            None => Ok(false),
            Some(batch) => self.writer.take(batch, self.gate, self.bytes_done).map(|()| true),
        });
        taken.unwrap_or_else(|error| {
            self.failure = Some(error);
            false
        })
    }
}

/// Sorts batches, adds them to segments, and commits the segments.
struct Writer<'a> {
    database: &'a mut Database,
    options: &'a Options,
    observer: &'a dyn Observer,
    inputs: &'a [Input],
    threads: usize,
    segment: SegmentBuilder,
    summary: Summary,
    progress: Progress,
    /// Whether the observer knows about the current file.
    is_announced: bool,
    /// The number of games of the current file so far.
    games_in_file: u64,
    /// The source number of the current file, if it has one.
    source: Option<u32>,
    /// The part of the current file that was in the database before the run.
    known: Option<Source>,
    /// The sources to be recorded with the next commit.
    pending: BTreeMap<u32, Source>,
    /// Whether sources are recorded.
    notes: bool,
}

impl Writer<'_> {
    fn write_all(&mut self, batches: &Receiver<Result<Batch>>, gate: &Gate, bytes_done: &AtomicU64) -> Result<()> {
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        for batch in batches {
            let batch = batch?;
            waiting.insert(batch.number, batch);
            while let Some(batch) = waiting.remove(&next) {
                next += 1;
                self.take(batch, gate, bytes_done)?;
            }
        }
        self.finish()
    }

    /// Writes the next batch.
    fn take(&mut self, batch: Batch, gate: &Gate, bytes_done: &AtomicU64) -> Result<()> {
        let bytes = batch.bytes;
        self.progress.bytes_done = bytes_done.load(Ordering::Relaxed);
        self.write(batch)?;
        gate.leave(bytes);
        Ok(())
    }

    /// Commits the last segment.
    fn finish(&mut self) -> Result<()> {
        self.commit()?;
        self.observer.progress(&self.progress);
        Ok(())
    }

    fn write(&mut self, batch: Batch) -> Result<()> {
        match batch.step {
            Step::Begin(known) => {
                self.begin(batch.input, known);
                Ok(())
            }
            Step::Games => self.add(batch),
            Step::End => {
                self.note(batch.input, batch.mark);
                Ok(())
            }
        }
    }

    /// Begins a file.
    fn begin(&mut self, input: usize, known: Option<Known>) {
        self.games_in_file = 0;
        self.is_announced = false;
        self.source = known.as_ref().and_then(|(number, _)| *number);
        if let Some((_, known)) = &known {
            self.announce(input);
            let path: &Path = &self.inputs[input].path;
            self.games_in_file = known.games;
            self.summary.known_games += known.games;
            self.observer.known(path, known);
        }
        self.known = known.map(|(_, known)| known);
    }

    /// Announces the current file to the observer, once.
    fn announce(&mut self, input: usize) {
        if !self.is_announced {
            self.is_announced = true;
            self.summary.files += 1;
            self.observer.file(&self.inputs[input].path);
        }
    }

    /// Records how far a file was read.
    fn note(&mut self, input: usize, mark: Source) {
        let is_known = |known: &Source| known.is_complete && known.bytes == mark.bytes;
        if !self.notes || mark.bytes == 0 || self.known.as_ref().is_some_and(is_known) {
            return;
        }
        let number = *self.source.get_or_insert_with(|| self.database.new_source());
        let source = Source {
            name: self.inputs[input].path.display().to_string(),
            games: self.games_in_file,
            ..mark
        };
        self.pending.insert(number, source);
    }

    fn add(&mut self, batch: Batch) -> Result<()> {
        self.announce(batch.input);
        self.report(batch.input, batch.problems);
        self.games_in_file += batch.found;
        self.summary.bytes += batch.bytes as u64;
        self.summary.games += u64::from(batch.games.games());
        self.summary.positions += u64::from(batch.games.positions());
        let is_full = self.segment.positions() > 0
            && self.segment.positions().saturating_add(batch.games.positions()) > self.options.segment_positions;
        if is_full {
            self.commit()?;
        }
        self.segment.append(batch.games)?;
        self.note(batch.input, batch.mark);
        self.progress.games = self.summary.games;
        self.progress.positions = self.summary.positions;
        self.observer.progress(&self.progress);
        Ok(())
    }

    /// Reports problems to the observer.
    fn report(&mut self, input: usize, problems: Vec<Problem>) {
        let path: &Path = &self.inputs[input].path;
        let mut last_damaged = None;
        for Problem {
            game,
            line,
            offset,
            reason,
            kept,
        } in problems
        {
            let game = self.games_in_file + game;
            if let Reason::Duplicate { .. } = reason {
                self.summary.duplicates += 1;
            } else {
                *self.summary.reasons.entry(reason.kind()).or_default() += 1;
                if !kept {
                    self.summary.skipped_games += 1;
                } else if last_damaged != Some(game) {
                    last_damaged = Some(game);
                    self.summary.damaged_games += 1;
                }
            }
            self.observer.skipped(&Skipped {
                file: path.to_owned(),
                game,
                line,
                offset,
                reason,
                kept,
            });
        }
    }

    fn commit(&mut self) -> Result<()> {
        let games = std::mem::take(&mut self.segment);
        let count = u64::from(games.games());
        self.database.add(Addition {
            games,
            sources: std::mem::take(&mut self.pending).into_iter().collect(),
            threads: self.threads,
            full: self.options.segment_positions,
        })?;
        self.progress.committed += count;
        self.summary.segments += u64::from(count > 0);
        Ok(())
    }
}
