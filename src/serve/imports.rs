//! Adding games: files that a page sends are indexed while they arrive.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path as FilePath, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use cqldex::format::milliseconds;
use cqldex::{Cancel, Database, IndexOptions, IndexProgress, IndexSummary, Observer, Options, Skipped};
use hyper::body::{Body as _, Bytes};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::config::BODY_TIME;
use super::problem::Problem;

/// How many things that were left out are kept of each addition, and how many are sent at a time.
const SKIPPED: usize = 100_000;
const SENT: usize = 1000;

/// How many additions are remembered.
const REMEMBERED: usize = 32;

/// How often it is looked whether an addition was cancelled.
const LOOK: Duration = Duration::from_millis(100);

/// How many pieces of a file may wait to be indexed.
const WAITING: usize = 8;

/// The additions of games.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    all: Mutex<BTreeMap<u64, Arc<Import>>>,
    next: AtomicU64,
    /// One at a time writes.
    writing: tokio::sync::Mutex<()>,
}

/// One of them.
#[derive(Debug)]
pub(crate) struct Import {
    id: String,
    database: String,
    file: String,
    bytes_total: Option<u64>,
    started: Instant,
    cancel: Cancel,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    name: &'static str,
    progress: IndexProgress,
    skipped: Vec<Value>,
    skipped_total: u64,
    summary: Option<IndexSummary>,
    error: Option<Problem>,
    elapsed: Option<Duration>,
}

impl Imports {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Import>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One by its id.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Import>, Problem> {
        let all = self.lock();
        let found = all.values().rev().find(|import| import.id == id).cloned();
        found.ok_or_else(|| Problem::not_found("not-found", "no such addition of games is known"))
    }

    /// Remembers one.
    pub(crate) fn add(&self, import: Arc<Import>) {
        let mut all = self.lock();
        all.insert(self.next.fetch_add(1, Ordering::Relaxed), import);
        while all.len() > REMEMBERED {
            let over = all
                .iter()
                .find(|(_, import)| import.lock().summary.is_some() || import.lock().error.is_some());
            let Some(oldest) = over.map(|(number, _)| *number) else {
                break;
            };
            all.remove(&oldest);
        }
    }

    /// All that are remembered, the oldest first.
    pub(crate) fn all(&self) -> Vec<Arc<Import>> {
        self.lock().values().cloned().collect()
    }

    /// Ends all of them; what is committed stays.
    pub(crate) fn cancel(&self) {
        for import in self.lock().values() {
            import.cancel.cancel();
        }
    }

    /// Waits until nothing is added any longer.
    pub(crate) async fn ended(&self) {
        let _writing = self.writing.lock().await;
    }
}

impl Import {
    /// One that waits; the target is a database and the name of a file.
    pub(crate) fn new(id: String, (database, file): (String, String), bytes_total: Option<u64>) -> Arc<Import> {
        Arc::new(Import {
            id,
            database,
            file,
            bytes_total,
            started: Instant::now(),
            cancel: Cancel::default(),
            state: Mutex::new(State {
                name: "waiting",
                progress: IndexProgress::default(),
                skipped: Vec::new(),
                skipped_total: 0,
                summary: None,
                error: None,
                elapsed: None,
            }),
        })
    }

    /// Asks it to end; what is committed stays.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, outcome: Result<IndexSummary, Problem>) {
        let mut state = self.lock();
        state.elapsed = Some(self.started.elapsed());
        match outcome {
            Ok(summary) => {
                state.name = if summary.cancelled { "cancelled" } else { "done" };
                state.summary = Some(summary);
            }
            Err(problem) => {
                state.name = if self.cancel.is_cancelled() {
                    "cancelled"
                } else {
                    "failed"
                };
                state.error = Some(problem);
            }
        }
    }

    /// How far it is, and what was left out.
    pub(crate) fn json(&self, skipped_from: usize) -> Value {
        let state = self.lock();
        let progress = &state.progress;
        let skipped = state.skipped.iter().skip(skipped_from).take(SENT);
        json!({
            "id": self.id,
            "database": self.database,
            "file": self.file,
            "state": state.name,
            "bytesDone": progress.bytes_done,
            "bytesTotal": self.bytes_total,
            "games": progress.games,
            "positions": progress.positions,
            "committed": progress.committed,
            "elapsedMs": milliseconds(state.elapsed.unwrap_or_else(|| self.started.elapsed())),
            "skipped": skipped.collect::<Vec<_>>(),
            "skippedFrom": skipped_from,
            "skippedTotal": state.skipped_total,
            "summary": state.summary.as_ref().map(summary),
            "error": state.error.as_ref().map(Problem::body),
        })
    }
}

fn summary(summary: &IndexSummary) -> Value {
    json!({
        "games": summary.games,
        "positions": summary.positions,
        "skippedGames": summary.skipped_games,
        "duplicates": summary.duplicates,
        "knownGames": summary.known_games,
        "damagedGames": summary.damaged_games,
        "reasons": summary.reasons,
        "elapsedMs": milliseconds(summary.elapsed),
        "cancelled": summary.cancelled,
    })
}

/// What the indexer says.
impl Observer for Import {
    fn progress(&self, progress: &IndexProgress) {
        self.lock().progress = *progress;
    }

    fn skipped(&self, skipped: &Skipped) {
        let mut state = self.lock();
        state.skipped_total += 1;
        if state.skipped.len() < SKIPPED {
            state.skipped.push(json!({
                "game": skipped.game,
                "line": skipped.line,
                "reason": skipped.reason.to_string(),
                "kind": skipped.reason.kind(),
                "kept": skipped.kept,
            }));
        }
    }
}

/// Adds a file while it arrives.
pub(crate) async fn run(
    imports: &Imports,
    import: Arc<Import>,
    path: PathBuf,
    body: Body,
    skip_duplicates: Option<bool>,
) {
    let _writing = imports.writing.lock().await;
    import.lock().name = "running";
    let (sender, receiver) = mpsc::channel(WAITING);
    let feeding = tokio::spawn(feed(body, sender, import.cancel.clone()));
    let inside = Arc::clone(&import);
    let indexed = tokio::task::spawn_blocking(move || index(&inside, &path, receiver, skip_duplicates));
    let outcome = match indexed.await {
        Ok(outcome) => outcome,
        Err(error) => Err(Problem::internal(error)),
    };
    feeding.abort();
    import.end(outcome);
}

fn index(
    import: &Import,
    path: &FilePath,
    pieces: mpsc::Receiver<Piece>,
    skip_duplicates: Option<bool>,
) -> Result<IndexSummary, Problem> {
    let made = Made::of(path);
    let mut database = Database::open_or_create(path, Options::default())?;
    let options = IndexOptions {
        // A file that is sent again adds only what is new in it.
        skip_duplicates: skip_duplicates.unwrap_or(true),
        cancel: import.cancel.clone(),
        ..IndexOptions::default()
    };
    let stream = Pieces {
        pieces,
        current: Bytes::new(),
        is_over: false,
    };
    let name = FilePath::new(&import.file);
    let outcome = database.index_stream(stream, (name, import.bytes_total), &options, import);
    let is_empty = database.games() == 0;
    drop(database);
    if is_empty && outcome.as_ref().map_or(true, |summary| summary.cancelled) {
        made.remove();
    }
    let committed = import.lock().progress.committed;
    outcome.map_err(|error| {
        let kept = match committed {
            0 => "nothing of it was added".to_owned(),
            games => format!("{games} of its games were added and stay"),
        };
        Problem::from(error).with(&format!("{kept}; it can be sent again"))
    })
}

/// A database that is made for an addition, with the folders above it. If nothing comes of the addition, they go again.
struct Made {
    /// The folders that were not there, the database first.
    folders: Vec<PathBuf>,
}

impl Made {
    fn of(path: &FilePath) -> Made {
        let missing = path.ancestors().take_while(|folder| !folder.exists());
        Made {
            folders: missing.map(FilePath::to_owned).collect(),
        }
    }

    /// Removes what was made. A folder that has something else by now stays.
    fn remove(self) {
        let mut folders = self.folders.iter();
        let Some(database) = folders.next() else { return };
        // What can't be removed is an empty database, which the same file can still go to.
        let mut is_gone = std::fs::remove_dir_all(database).is_ok();
        for folder in folders {
            is_gone = is_gone && std::fs::remove_dir(folder).is_ok();
        }
    }
}

/// What arrives of a file.
enum Piece {
    Bytes(Bytes),
    /// The file is complete.
    End,
}

/// Passes on what arrives.
async fn feed(mut body: Body, sender: mpsc::Sender<Piece>, cancel: Cancel) {
    let mut last = Instant::now();
    loop {
        let next = std::future::poll_fn(|context| std::pin::Pin::new(&mut body).poll_frame(context));
        let piece = match timeout(LOOK, next).await {
            Err(_) if !cancel.is_cancelled() && last.elapsed() < BODY_TIME => continue,
            Ok(Some(Ok(frame))) => match frame.into_data() {
                Ok(bytes) => Piece::Bytes(bytes),
                Err(_) => continue,
            },
            Ok(None) => Piece::End,
            // The client has gone, or sends nothing. The reader sees a file that ends too early.
            Ok(Some(Err(_))) | Err(_) => return,
        };
        last = Instant::now();
        let is_end = matches!(piece, Piece::End);
        if sender.send(piece).await.is_err() || is_end {
            return;
        }
    }
}

/// The pieces as a stream for the indexer, which reads on a thread of its own.
struct Pieces {
    pieces: mpsc::Receiver<Piece>,
    current: Bytes,
    is_over: bool,
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.current.is_empty() && !self.is_over {
            match self.pieces.blocking_recv() {
                Some(Piece::Bytes(bytes)) => self.current = bytes,
                Some(Piece::End) => self.is_over = true,
                None => {
                    return Err(io::Error::new(
                        io::ErrorKind::ConnectionAborted,
                        "the file did not arrive whole",
                    ));
                }
            }
        }
        let count = buffer.len().min(self.current.len());
        buffer[..count].copy_from_slice(&self.current.split_to(count));
        Ok(count)
    }
}
