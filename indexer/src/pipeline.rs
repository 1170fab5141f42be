//! The threads of an indexing run: one reads and cuts, several read games and index them, one puts them in order and
//! writes.
//!
//! Games are numbered in the order of the input whatever the number of threads: pieces of text are numbered when they
//! are cut and put in order again before they become part of a segment. How much text is on its way at once is
//! limited, and with it the memory.

use std::{
    collections::BTreeMap,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use storage::{BatchBuilder, Database, GameBatch, SegmentBuilder};

use crate::{
    error::{Error, Result},
    reader::GameReader,
    report::{Observer, Options, Progress, Reason, Skipped, Summary},
    source::{self, Input, Stream},
    splitter::{Sections, Splitter},
};

/// How much text a worker gets at once: about a thousand games.
const TEXT_BYTES: usize = 1 << 20;

/// How much text is on its way at once, for each worker.
const IN_FLIGHT_BYTES: usize = 10 << 20;

/// Adds the games of files, directories and `-` (standard input) to a database.
///
/// Games are committed segment by segment; what was committed stays whatever happens later.
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
    let open = |at: usize| source::open(&inputs[at]);
    run(database, &inputs, open, options, observer, started)
}

/// Adds the games of a stream to a database; `input` says what to call it, and how long it is if that is known.
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
    run(database, &inputs, open, options, observer, Instant::now())
}

/// Reads the inputs one after the other; `open` is called once for each.
fn run(
    database: &mut Database,
    inputs: &[Input],
    open: impl FnMut(usize) -> Result<Stream> + Send,
    options: &Options,
    observer: &dyn Observer,
    started: Instant,
) -> Result<Summary> {
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let gate = Gate::new(IN_FLIGHT_BYTES * (threads + 1));
    let bytes_done = Arc::new(AtomicU64::new(0));
    let (text_sender, text_receiver) = bounded(2 * threads);
    let (batch_sender, batch_receiver) = unbounded();
    let mut writer = Writer {
        database,
        options,
        observer,
        inputs,
        threads,
        segment: SegmentBuilder::new(),
        summary: Summary::default(),
        progress: Progress {
            bytes_total: inputs.iter().map(|input| input.size).sum(),
            ..Progress::default()
        },
        games_in_file: 0,
        file: None,
    };
    let result = thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let _stop = StopOnPanic(&gate);
            read_inputs(inputs, open, &gate, options, &bytes_done, text_sender)
        });
        for _ in 0..threads {
            let (texts, batches) = (text_receiver.clone(), batch_sender.clone());
            let gate = &gate;
            scope.spawn(move || {
                let _stop = StopOnPanic(gate);
                work(&texts, &batches);
            });
        }
        drop((text_receiver, batch_sender));
        let written = writer.write_all(&batch_receiver, &gate, &bytes_done);
        gate.stop();
        // Workers that wait to give something away go on when nobody takes it any more.
        drop(batch_receiver);
        match reading.join() {
            Ok(read) => written.and(read),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    let Writer { mut summary, .. } = writer;
    summary.cancelled = options.cancel.load(Ordering::Relaxed);
    summary.elapsed = started.elapsed();
    result.map(|()| summary)
}

/// A piece of text on its way to a worker.
struct Text {
    number: u64,
    input: usize,
    sections: Sections,
}

/// What a worker made of a piece of text.
struct Batch {
    number: u64,
    input: usize,
    /// How long the text was.
    bytes: usize,
    games: GameBatch,
    /// How many games the text had, skipped ones counted.
    found: u64,
    /// Without the file; games are counted from the beginning of the text.
    problems: Vec<Problem>,
}

struct Problem {
    game: u64,
    line: u64,
    offset: u64,
    reason: Reason,
    kept: bool,
}

/// Cuts all inputs into texts, one after the other. The first that can't be read ends the run.
fn read_inputs(
    inputs: &[Input],
    mut open: impl FnMut(usize) -> Result<Stream>,
    gate: &Gate,
    options: &Options,
    bytes_done: &Arc<AtomicU64>,
    texts: Sender<Text>,
) -> Result<()> {
    let mut number = 0;
    for (at, input) in inputs.iter().enumerate() {
        let mut splitter = Splitter::new(source::unpack(open(at)?, &input.path, bytes_done)?);
        loop {
            let next = splitter.next_sections(TEXT_BYTES).map_err(|source| Error::Read {
                path: input.path.clone(),
                offset: splitter.offset(),
                source,
            })?;
            let Some(sections) = next else { break };
            let is_stopped = options.cancel.load(Ordering::Relaxed) || !gate.enter(sections.bytes.len());
            if is_stopped
                || texts
                    .send(Text {
                        number,
                        input: at,
                        sections,
                    })
                    .is_err()
            {
                return Ok(());
            }
            number += 1;
        }
    }
    Ok(())
}

/// Makes batches of texts until there are no more.
fn work(texts: &Receiver<Text>, batches: &Sender<Result<Batch>>) {
    let mut reader = GameReader::new();
    let mut builder = match BatchBuilder::new() {
        Ok(builder) => builder,
        Err(error) => {
            // The receiver is gone only when the run is over.
            let _ = batches.send(Err(error.into()));
            return;
        }
    };
    for text in texts {
        let batch = make_batch(&text, &mut reader, &mut builder);
        if batches.send(batch).is_err() {
            return;
        }
    }
}

fn make_batch(text: &Text, reader: &mut GameReader, builder: &mut BatchBuilder) -> Result<Batch> {
    let sections = &text.sections;
    let mut found = 0;
    let mut problems = Vec::new();
    let mut failure = None;
    let mut problem = |game, at: usize, reason, kept| {
        let (line, offset) = (sections.line_at(at), sections.offset + at as u64);
        problems.push(Problem {
            game,
            line,
            offset,
            reason,
            kept,
        });
    };
    let is_utf16 = sections.offset == 0 && matches!(sections.bytes.as_slice(), [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    if is_utf16 {
        problem(1, 0, Reason::Encoding, false);
    }
    for range in sections.ranges().filter(|_| !is_utf16) {
        let start = range.start;
        reader.read(&sections.bytes[range], |reading| {
            found += 1;
            let kept = reading.game.is_some();
            for (at, reason) in reading.problems {
                problem(found, start + at, reason, kept);
            }
            if let Some(game) = reading.game
                && let Err(error) = builder.push(game)
            {
                failure = Some(error);
            }
        });
    }
    if sections.is_cut {
        problem(found, sections.bytes.len(), Reason::TooLarge, true);
    }
    match failure {
        Some(error) => Err(error.into()),
        None => {
            let games = builder.finish(sections.bytes.len() as u64)?;
            Ok(Batch {
                number: text.number,
                input: text.input,
                bytes: sections.bytes.len(),
                games,
                found,
                problems,
            })
        }
    }
}

/// Puts batches in order and into segments, and commits these.
struct Writer<'a> {
    database: &'a mut Database,
    options: &'a Options,
    observer: &'a dyn Observer,
    inputs: &'a [Input],
    threads: usize,
    segment: SegmentBuilder,
    summary: Summary,
    progress: Progress,
    /// The file that the last batch came from, and how many games it has had.
    file: Option<usize>,
    games_in_file: u64,
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
                let bytes = batch.bytes;
                self.progress.bytes_done = bytes_done.load(Ordering::Relaxed);
                self.write(batch)?;
                gate.leave(bytes);
            }
        }
        self.commit()?;
        self.observer.progress(&self.progress);
        Ok(())
    }

    fn write(&mut self, batch: Batch) -> Result<()> {
        let path: &Path = &self.inputs[batch.input].path;
        if self.file != Some(batch.input) {
            self.file = Some(batch.input);
            self.games_in_file = 0;
            self.summary.files += 1;
            self.observer.file(path);
        }
        let mut last_damaged = None;
        for Problem {
            game,
            line,
            offset,
            reason,
            kept,
        } in batch.problems
        {
            let game = self.games_in_file + game;
            *self.summary.reasons.entry(reason.kind()).or_default() += 1;
            if !kept {
                self.summary.skipped_games += 1;
            } else if last_damaged != Some(game) {
                last_damaged = Some(game);
                self.summary.damaged_games += 1;
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
        self.progress.games = self.summary.games;
        self.progress.positions = self.summary.positions;
        self.observer.progress(&self.progress);
        Ok(())
    }

    fn commit(&mut self) -> Result<()> {
        let segment = std::mem::take(&mut self.segment);
        if segment.games() > 0 {
            self.progress.committed += u64::from(segment.games());
            self.database.commit(segment.finish(self.threads)?)?;
            self.summary.segments += 1;
        }
        Ok(())
    }
}

/// Limits how many bytes of text are on their way.
struct Gate {
    limit: usize,
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    inside: usize,
    is_stopped: bool,
}

impl Gate {
    fn new(limit: usize) -> Gate {
        Gate {
            limit,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room, or nobody else is inside; false if the run is to end.
    fn enter(&self, bytes: usize) -> bool {
        let mut state = self.state();
        while !state.is_stopped && state.inside > 0 && state.inside + bytes > self.limit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.inside += bytes;
        !state.is_stopped
    }

    fn leave(&self, bytes: usize) {
        self.state().inside -= bytes;
        self.changed.notify_all();
    }

    /// Lets nobody in any more.
    fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}

/// Ends the run when a thread panics, so that no other waits for it.
struct StopOnPanic<'a>(&'a Gate);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
