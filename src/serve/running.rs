//! A search that runs: on a thread of the server, or in a process of its own.
//!
//! A search can be stopped within milliseconds, with one exception: a regular expression can't be interrupted. A query that
//! has some runs in a process of its own, which can be ended at any time and gives back what it had. So does what could
//! need much memory.

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use cqldex::Query;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::child::{Line, Order};
use super::databases::Open;
use super::problem::Problem;
use super::work::{Reins, Result as Found, Step, Task, Work, request_ended};

/// How many steps may wait to be taken.
const WAITING: usize = 16;

/// A search on its way.
pub(crate) trait Search {
    /// What comes next; `None` when the search is over.
    async fn next(&mut self) -> Option<Result<Step, Problem>>;

    /// How far it is: the fields of a progress event but the time.
    fn progress(&self) -> Value;

    /// How much of it is done, from 0 to 1.
    fn fraction(&self) -> f64;

    /// Stops it and waits until nothing of it is left.
    async fn stop(self);
}

/// A search that runs. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Running {
    steps: mpsc::Receiver<Result<Step, Problem>>,
    reins: Reins,
    /// The last progress that a process has written.
    latest: Arc<Mutex<Option<Value>>>,
    /// What searches, until it has ended.
    task: Option<JoinHandle<()>>,
}

/// Whether a search should have a process of its own.
fn is_risky(query: &Query, task: &Task) -> bool {
    // A whole answer is sorted in memory.
    let is_large = matches!(task, Task::File(_)) && query.is_sorted();
    query.has_regex() || query.has_messages() || is_large
}

impl Running {
    /// Starts a search. `memory` is how many megabytes a process may take.
    pub(crate) fn start(open: &Arc<Open>, query: &Query, work: &Work, memory: u64) -> Running {
        let (sender, steps) = mpsc::channel(WAITING);
        let (reins, latest) = (Reins::default(), Arc::default());
        let (open, work) = (Arc::clone(open), work.clone());
        let task = if is_risky(query, &work.task) {
            let order = Order {
                database: open.path.clone(),
                memory,
                work,
            };
            let latest = Arc::clone(&latest);
            tokio::spawn(async move {
                if let Err(problem) = watch(&order, &open, &latest, &sender).await {
                    let _ = sender.send(Err(problem)).await;
                }
            })
        } else {
            let (query, reins) = (query.clone(), reins.clone());
            tokio::task::spawn_blocking(move || {
                let give = &mut |step| sender.blocking_send(Ok(step)).is_ok();
                if let Err(problem) = work.run(&open.database, &query, &reins, give) {
                    let _ = sender.blocking_send(Err(problem));
                }
            })
        };
        Running {
            steps,
            reins,
            latest,
            task: Some(task),
        }
    }
}

impl Search for Running {
    async fn next(&mut self) -> Option<Result<Step, Problem>> {
        if let Some(step) = self.steps.recv().await {
            return Some(step);
        }
        // A thread that has panicked closes the channel, too, and that is no end of a search.
        match self.task.as_mut()?.await {
            Ok(()) => {
                self.task = None;
                None
            }
            Err(error) => {
                self.task = None;
                Some(Err(Problem::internal(error)))
            }
        }
    }

    fn progress(&self) -> Value {
        if let Some(latest) = &*self.latest.lock().unwrap_or_else(PoisonError::into_inner) {
            return latest.clone();
        }
        self.reins.progress()
    }

    fn fraction(&self) -> f64 {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some(progress) => progress["fraction"].as_f64().unwrap_or_default(),
            None => self.reins.progress.fraction(),
        }
    }

    async fn stop(mut self) {
        self.reins.cancel.cancel();
        self.steps.close();
        while self.steps.recv().await.is_some() {}
        if let Some(task) = &mut self.task {
            let _ = task.await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.reins.cancel.cancel();
    }
}

/// Runs a process, and passes on what it says. The process ends with this future.
async fn watch(
    order: &Order,
    open: &Open,
    latest: &Mutex<Option<Value>>,
    sender: &mpsc::Sender<Result<Step, Problem>>,
) -> Result<(), Problem> {
    let (mut child, output) = spawn(order).await.map_err(Problem::internal)?;
    let mut lines = BufReader::new(output).lines();
    let mut positions: Vec<(u64, u32)> = Vec::new();
    let mut sorted: Option<Vec<_>> = None;
    loop {
        let line = tokio::select! {
            line = lines.next_line() => line.map_err(Problem::internal)?,
            () = sender.closed() => return Err(request_ended()),
        };
        let Some(line) = line else { break };
        let step = match serde_json::from_str(&line).map_err(Problem::internal)? {
            Line::Progress(value) => {
                *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
                continue;
            }
            Line::Positions(mut more) => {
                positions.append(&mut more);
                continue;
            }
            Line::Sorted(mut more) => {
                sorted.get_or_insert_default().append(&mut more);
                continue;
            }
            Line::Problem(body) => return Err(Problem::from_body(&body)),
            Line::Matches(matches) => Step::Matches(matches),
            Line::Piece { length, mut bytes } => {
                bytes.resize(length, 0);
                lines
                    .get_mut()
                    .read_exact(&mut bytes)
                    .await
                    .map_err(Problem::internal)?;
                Step::Piece(bytes)
            }
            Line::Explanation(value) => Step::Explanation(value),
            Line::Summary(summary) => Step::Found(Box::new(Found {
                summary,
                positions: open.database.sets().of(std::mem::take(&mut positions))?,
                sorted: sorted.take(),
            })),
            Line::End => return Ok(()),
        };
        if sender.send(Ok(step)).await.is_err() {
            return Err(request_ended());
        }
    }
    // It has ended without a word: the system has ended it, or it had no memory left.
    let status = child.wait().await.map_err(Problem::internal)?;
    Err(Problem::new(
        axum::http::StatusCode::SERVICE_UNAVAILABLE,
        "memory-limit",
        format!(
            "the search has ended early ({status}): it wanted more memory than the {} MB that it may have",
            order.memory
        ),
    ))
}

/// Starts a process and tells it what to do.
async fn spawn(order: &Order) -> std::io::Result<(Child, ChildStdout)> {
    let mut child = Command::new(own_program()?)
        .arg("serve-search")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let (input, output) = (child.stdin.take(), child.stdout.take());
    let (Some(mut input), Some(output)) = (input, output) else {
        return Err(std::io::ErrorKind::BrokenPipe.into());
    };
    input.write_all(json!(order).to_string().as_bytes()).await?;
    drop(input);
    Ok((child, output))
}

/// The program that this process runs. On Linux it can be started again even when another one was installed in its place.
fn own_program() -> std::io::Result<PathBuf> {
    let link = PathBuf::from("/proc/self/exe");
    match cfg!(target_os = "linux") && link.exists() {
        true => Ok(link),
        false => std::env::current_exe(),
    }
}
