//! A running search, as an iterator over the games that match.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use std::{thread, vec};

use crossbeam_channel::{Receiver, select, select_biased};
use planner::Effects;
use search::{Search, SearchError, Threads};
use storage::Snapshot;

use crate::cancel::{Cancel, Run};
use crate::error::{Cause, Error, Result};
use crate::leaders::Leaders;
use crate::options::Planned;
use crate::query::Query;
use crate::sets::PositionSet;

/// How much a search gives of each match.
///
/// ```
/// use cqldex::{Database, Detail, Dialect, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate comment \"the end\"", Dialect::Auto)?;
/// let options = SearchOptions { detail: Detail::Results, ..SearchOptions::default() };
/// let game = database.search(&query, options).next().expect("a game matches")?;
/// assert!(!game.result.comments.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use search::Detail;

/// What a search finds: a game with its matching positions.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let game = database.search(&query, SearchOptions::default()).next().expect("a game matches")?;
/// assert_eq!((game.number, game.positions.len()), (1, 1));
/// assert_eq!(game.positions[0].ply, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use search::GameMatch;

/// One of the matching positions of a game.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("check", Dialect::Auto)?;
/// let game = database.search(&query, SearchOptions::default()).next().expect("a game matches")?;
/// let position = &game.positions[0];
/// assert_eq!(position.ply, 4);
/// assert_eq!(position.fen(), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use search::Match;

/// How far a search is, readable from other threads.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Progress, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let progress = Progress::default();
/// let seen = progress.clone();
/// let watcher = std::thread::spawn(move || {
///     while seen.fraction() < 1.0 {
///         std::thread::sleep(std::time::Duration::from_millis(5));
///     }
///     seen.matching_games()
/// });
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let options = SearchOptions { progress, ..SearchOptions::default() };
/// assert_eq!(database.search(&query, options).count(), 1);
/// assert_eq!(watcher.join().unwrap(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use search::Progress;

/// How a search is run, and what it did.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, Route, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let scan = SearchOptions { route: Route::Scan, ..SearchOptions::default() };
/// let slow = database.search(&query, scan).summary()?;
/// let quick = database.search(&query, SearchOptions::default()).summary()?;
/// assert_eq!(slow.positions, quick.positions);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(inline)]
pub use search::{KeptUse, Route, SkippedGames, StageSummary, Summary};

#[doc(inline)]
pub use evaluator::Rules;

/// How many batches of games may wait to be taken; a batch has a few thousand positions at most.
const WAITING: usize = 4;

/// How long something that was cancelled is waited for where it can't be left alone.
const PATIENCE: Duration = Duration::from_millis(100);

/// A running search: the games that match, in the order of the database.
///
/// It owns all that it needs, so that it can be sent to another thread, and outlive the [`Database`](crate::Database).
/// The search begins at once and runs ahead of the iteration by a few batches. Dropping the iterator ends it and waits
/// until its threads have left the database: milliseconds, and a tenth of a second at most. The first error ends the
/// iteration.
///
/// ```
/// use cqldex::{Cancel, Database, Dialect, Error, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let cancel = Cancel::default();
/// let options = SearchOptions { cancel: cancel.clone(), ..SearchOptions::default() };
/// let mut matches = database.search(&query, options);
/// while let Some(game) = matches.next() {
///     println!("game {}, {:.0} % searched", game?.number, 100.0 * matches.progress().fraction());
/// }
/// assert_eq!(matches.summary()?.games, 1);
///
/// // From any thread, at any time:
/// cancel.cancel();
/// let options = SearchOptions { cancel, ..SearchOptions::default() };
/// assert!(matches!(database.search(&query, options).next(), Some(Err(Error::Cancelled))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Matches {
    receiver: Receiver<Message>,
    batch: vec::IntoIter<GameMatch>,
    /// What [`Matches::wait`] has received.
    waiting: Option<Message>,
    outcome: Option<Result<Found>>,
    is_over: bool,
    run: Arc<Run>,
    progress: Progress,
    /// When its time is over, and how much it had.
    deadline: Option<(Instant, Duration)>,
    pool: Threads,
    threads: usize,
}

/// What comes from the thread that searches.
#[derive(Debug)]
enum Message {
    /// Games, in order.
    Games(Vec<GameMatch>),
    /// How it ended.
    End(Box<Result<Found>>),
}

/// What a search that has come to its end has found.
///
/// ```
/// use cqldex::{Database, Detail, Dialect, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// // Lists one position, and knows them all.
/// let options = SearchOptions { collect: true, limit: Some(1), ..SearchOptions::default() };
/// let found = database.search(&Query::parse("btm", Dialect::Auto)?, options).found()?;
/// assert_eq!(found.summary.positions, 2);
/// let positions = found.positions.expect("they were collected");
/// assert_eq!(positions.iter().collect::<Vec<_>>(), [(1, 1), (1, 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// What the search did.
    pub summary: Summary,
    /// All matching positions, if [`SearchOptions::collect`](crate::SearchOptions::collect) asked for them.
    pub positions: Option<PositionSet>,
}

impl Matches {
    /// Starts a search on a thread of its own.
    pub(crate) fn start(
        query: Query,
        snapshot: Snapshot,
        plan: Planned,
        cancel: &Cancel,
        leaders: &Leaders,
    ) -> Matches {
        let run = cancel.run();
        let progress = plan.options.progress.clone();
        let threads = match Effects::of(query.expanded()) {
            // What it remembers goes from game to game.
            Effects::Database => 1,
            _ => plan.options.threads.count(),
        };
        let deadline = plan
            .timeout
            .and_then(|timeout| Some((Instant::now().checked_add(timeout)?, timeout)));
        let pool = plan.options.threads.clone();
        let (sender, receiver) = crossbeam_channel::bounded(WAITING);
        let (stop, stopped) = (Arc::clone(&run.stop), run.stopped.clone());
        // Whether the message was sent. A search that was stopped does not wait for room: the caller may keep the iterator
        // without taking anything more.
        let send = move |message| {
            select! {
                send(sender, message) -> sent => sent.is_ok(),
                recv(stopped) -> _ => false,
            }
        };
        let watched = Watched::new(&progress);
        let (collects, plan_stops) = (plan.collects, plan.stops_at_limit());
        let plan_known = plan.known.clone();
        let work = move || {
            let outcome = guarded(|| {
                let sets = plan.sets.clone();
                let restricted = sets.restricted(&query, &snapshot)?;
                let options = sets.read(plan.options(&query, stop)?, &restricted, &snapshot)?;
                let saving = sets.saving(&query, &options, &snapshot)?;
                let search = Search::new(&restricted, options);
                let sink = &mut |games| match send(Message::Games(games)) {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                };
                if collects && plan_stops {
                    return Err(Error::Incomplete);
                }
                let failed = |error| query.search_error(error);
                if saving.is_none() && !collects && plan_known.is_none() {
                    let summary = search.stream(&snapshot, sink).map_err(failed)?;
                    return Ok(Found {
                        summary,
                        positions: None,
                    });
                }
                let known = plan_known.unwrap_or_default();
                let (summary, sections) = search.collect(&snapshot, &known, sink).map_err(failed)?;
                if let Some(saving) = saving {
                    saving.finish(&snapshot, sections.clone())?;
                }
                let collect = || PositionSet::new(snapshot.clone(), sections);
                let positions = collects.then(collect).transpose()?;
                Ok(Found { summary, positions })
            });
            // When the caller receives the end, the search no longer reads the database, and its progress has ended.
            drop(snapshot);
            drop(watched);
            // The outcome of a search that was stopped is not needed.
            let _ = send(Message::End(Box::new(outcome)));
        };
        let mut matches = Matches {
            receiver,
            batch: Vec::new().into_iter(),
            waiting: None,
            outcome: None,
            is_over: false,
            run,
            progress,
            deadline,
            pool,
            threads,
        };
        if let Err(error) = leaders.run(work) {
            matches.outcome = Some(Err(error));
        }
        matches
    }

    /// How far the search is; the same value as in [`SearchOptions::progress`](crate::SearchOptions::progress).
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Waits for the end of the search and gives what it did. Games that were not taken are dropped.
    ///
    /// # Errors
    ///
    /// When the search fails. Each error is given once: if the iteration has given it already, this is
    /// [`Error::Cancelled`] for a search that was cancelled, and otherwise an [`Error::Internal`] without the reason.
    pub fn summary(self) -> Result<Summary> {
        Ok(self.found()?.summary)
    }

    /// The same, with all matching positions if [`SearchOptions::collect`](crate::SearchOptions::collect) asked for them.
    ///
    /// # Errors
    ///
    /// As [`Matches::summary`].
    pub fn found(mut self) -> Result<Found> {
        for game in self.by_ref() {
            game?;
        }
        match self.outcome.take() {
            Some(outcome) => outcome,
            None if self.run.is_stopped() => Err(Error::Cancelled),
            None => Err(Error::Internal("the search has failed before".to_owned())),
        }
    }

    /// Cancels the search and waits until its threads have left the database, but no longer than `patience`. Returns
    /// whether they have. A program that is about to end gives them a moment.
    pub fn close(self, patience: Duration) -> bool {
        self.leave(patience)
    }

    /// What [`Matches::close`] does.
    fn leave(&self, patience: Duration) -> bool {
        self.run.stop();
        let deadline = Instant::now() + patience;
        loop {
            match self.receiver.recv_deadline(deadline) {
                Ok(_) => {}
                Err(error) => return error.is_disconnected(),
            }
        }
    }

    /// Waits for the next game, or the end, but no longer than `patience`. Returns whether it is there: then the next call
    /// of [`Iterator::next`] does not wait. Whoever has something else to look after in the meantime waits bit by bit.
    ///
    /// ```
    /// use std::time::Duration;
    /// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let query = Query::parse("mate", Dialect::Auto)?;
    /// let mut matches = database.search(&query, SearchOptions::default());
    /// while !matches.wait(Duration::from_millis(20)) {
    ///     // Something else.
    /// }
    /// assert_eq!(matches.next().expect("a game matches")?.number, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wait(&mut self, patience: Duration) -> bool {
        if self.is_over || self.batch.len() > 0 || self.waiting.is_some() {
            return true;
        }
        self.waiting = self.receive(crossbeam_channel::after(patience));
        self.waiting.is_some()
    }

    /// The next message, and how the search ended once it has; `None` if the patience ends before.
    fn receive(&mut self, patience: Receiver<Instant>) -> Option<Message> {
        if let Some(message) = self.waiting.take() {
            return Some(message);
        }
        if let Some(outcome) = self.outcome.take() {
            return Some(Message::End(Box::new(outcome)));
        }
        // A search that can't be interrupted does not keep its caller waiting.
        if self.run.is_stopped() {
            return Some(Message::End(Box::new(Err(Error::Cancelled))));
        }
        let ended = |_| {
            Message::End(Box::new(Err(match self.run.is_stopped() {
                true => Error::Cancelled,
                false => Error::Internal("the search has ended without a result".to_owned()),
            })))
        };
        let over = match self.deadline {
            Some((deadline, _)) => crossbeam_channel::at(deadline),
            None => crossbeam_channel::never(),
        };
        Some(select_biased! {
            recv(self.run.stopped) -> _ => Message::End(Box::new(Err(Error::Cancelled))),
            recv(self.receiver) -> message => match message {
                Ok(Message::Games(_)) if self.deadline.is_some_and(|(deadline, _)| deadline < Instant::now()) => {
                    self.time_is_over()
                }
                message => message.unwrap_or_else(ended),
            },
            recv(over) -> _ => self.time_is_over(),
            recv(patience) -> _ => return None,
        })
    }

    /// Stops the search because its time is over.
    fn time_is_over(&self) -> Message {
        self.run.stop();
        let timeout = self.deadline.map_or(Duration::ZERO, |(_, timeout)| timeout);
        Message::End(Box::new(Err(Error::TimedOut(timeout))))
    }
}

impl Iterator for Matches {
    type Item = Result<GameMatch>;

    fn next(&mut self) -> Option<Result<GameMatch>> {
        loop {
            if self.is_over {
                return None;
            }
            if self.run.is_stopped() {
                self.batch = Vec::new().into_iter();
                self.waiting = self.waiting.take().filter(|waiting| matches!(waiting, Message::End(_)));
            } else if let Some(game) = self.batch.next() {
                return Some(Ok(game));
            }
            match self.receive(crossbeam_channel::never()) {
                None => {}
                Some(Message::Games(games)) => self.batch = games.into_iter(),
                Some(Message::End(outcome)) => {
                    self.is_over = true;
                    match *outcome {
                        Ok(summary) => self.outcome = Some(Ok(summary)),
                        Err(error) => return Some(Err(error)),
                    }
                }
            }
        }
    }
}

impl std::iter::FusedIterator for Matches {}

impl Drop for Matches {
    /// Waits a moment for the threads: where a program ends while one of them reads the database, RocksDB's own end fails.
    fn drop(&mut self) {
        if !self.leave(PATIENCE) {
            // A search that can't be interrupted may keep threads forever.
            self.pool.renew();
        }
    }
}

impl Query {
    /// Why a search of this query failed.
    pub(crate) fn search_error(&self, error: SearchError) -> Error {
        match error {
            SearchError::Query(error) => Error::Query(self.error(vec![*error])),
            SearchError::Runtime(error) => Error::Evaluation(self.error(vec![(&*error).into()])),
            error => error.into(),
        }
    }
}

/// The progress of a search. It ends when this is dropped, so that it ends in every case: after an error or a panic, and
/// when no thread could be started.
struct Watched(Progress);

impl Watched {
    fn new(progress: &Progress) -> Watched {
        Watched(progress.clone())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Runs something on a thread of its own, and returns soon when it is cancelled, although the thread may need longer
/// to end.
pub(crate) fn run_cancellable<T: Send + 'static>(
    run: &Run,
    progress: &Progress,
    work: impl FnOnce(Arc<AtomicBool>) -> Result<T> + Send + 'static,
) -> Result<T> {
    let (sender, receiver) = crossbeam_channel::bounded(1);
    let stop = Arc::clone(&run.stop);
    let watched = Watched::new(progress);
    spawn(move || {
        let outcome = guarded(|| work(stop));
        drop(watched);
        // The caller may have gone on.
        let _ = sender.send(outcome);
    })?;
    select! {
        recv(receiver) -> outcome => outcome.unwrap_or_else(|_| Err(Error::Internal("no result".to_owned()))),
        recv(run.stopped) -> _ => {
            // The caller may be about to end the program: a moment for the threads to leave the database.
            let _ = receiver.recv_timeout(PATIENCE);
            Err(Error::Cancelled)
        }
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<()> {
    let builder = thread::Builder::new().name("cqldex-search".to_owned());
    let spawned = builder.spawn(work);
    spawned.map(|_| ()).map_err(|error| Error::Resources(Cause::new(error)))
}

/// Makes an error of a panic.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(Error::Internal(panic_message(&*panic))))
}

/// What a thread said when it panicked.
fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a search has panicked".to_owned())
}
