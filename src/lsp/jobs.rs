//! Searches that run beside the server. Each belongs to a request and to a text: it ends early when the editor takes the request
//! back, or when the text changes.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use cqldex::format::count;
use cqldex::{Cancel, Error, Query, Summary};
use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{ErrorCode, RequestId, Response};
use lsp_types::{CodeLens, Command};
use serde_json::{Value, json};

use super::games::{GAMES, Games};
use super::refusal::Refusal;

/// How long the end of the server waits for searches.
const PATIENCE: Duration = Duration::from_secs(2);

/// A search that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    id: RequestId,
    answer: Result<Answer, Refusal>,
}

/// What a search gives.
#[derive(Debug)]
struct Answer {
    value: Value,
    written: Option<Written>,
}

/// A file with games, for the editor to show.
#[derive(Debug)]
pub(super) struct Written {
    pub(super) file: PathBuf,
    pub(super) message: String,
}

#[derive(Debug)]
struct Running {
    uri: String,
    cancel: Cancel,
    /// Why it was stopped.
    stopped: Option<Refusal>,
}

/// All searches that run.
#[derive(Debug)]
pub(super) struct Jobs {
    running: HashMap<RequestId, Running>,
    sender: Sender<Ended>,
    receiver: Receiver<Ended>,
}

impl Jobs {
    pub(super) fn new() -> Jobs {
        let (sender, receiver) = unbounded();
        Jobs {
            running: HashMap::new(),
            sender,
            receiver,
        }
    }

    /// Where searches come out that have ended.
    pub(super) fn ended(&self) -> &Receiver<Ended> {
        &self.receiver
    }

    /// Counts what matches, for a lens.
    pub(super) fn count(
        &mut self,
        id: RequestId,
        uri: String,
        mut lens: CodeLens,
        query: Query,
        games: Arc<Games>,
    ) -> Result<(), Refusal> {
        let address = uri.clone();
        self.start(id, uri, move |cancel| {
            let title = match games.count(&query, cancel) {
                Ok(summary) => format!("{} in {}", counts(&summary), games.name()),
                Err(error) => format!("not counted: {}", first_line(&error)),
            };
            lens.command = Some(Command::new(
                title,
                super::actions::SHOW_MATCHES.to_owned(),
                Some(vec![json!(address)]),
            ));
            Ok(Answer {
                value: json!(lens),
                written: None,
            })
        })
    }

    /// Writes what matches to a file.
    pub(super) fn write(
        &mut self,
        id: RequestId,
        uri: String,
        file: PathBuf,
        query: Query,
        games: Arc<Games>,
    ) -> Result<(), Refusal> {
        self.start(id, uri, move |cancel| {
            let summary = games.write(&query, &file, cancel);
            let summary = summary.map_err(|error| Refusal::failed(first_line(&error)))?;
            let name = games.name();
            let message = match summary.games {
                0 => format!("nothing matches in {name}"),
                games if games > GAMES as u64 => {
                    let first = count(GAMES as u64, "game");
                    format!(
                        "{} in {name}; the first {first} are in {}",
                        counts(&summary),
                        file.display()
                    )
                }
                _ => format!("{} in {name}; the games are in {}", counts(&summary), file.display()),
            };
            let value = json!({
                "games": summary.games,
                "positions": summary.positions,
                "file": (summary.games > 0).then(|| file.display().to_string()),
                "message": message,
            });
            Ok(Answer {
                value,
                written: Some(Written { file, message }),
            })
        })
    }

    fn start(
        &mut self,
        id: RequestId,
        uri: String,
        work: impl FnOnce(Cancel) -> Result<Answer, Refusal> + Send + 'static,
    ) -> Result<(), Refusal> {
        let cancel = Cancel::default();
        let (inside, sender, own) = (cancel.clone(), self.sender.clone(), id.clone());
        let run = move || {
            // Nobody waits for it when the server has ended.
            let _ = sender.send(Ended {
                id: own,
                answer: work(inside),
            });
        };
        let thread = thread::Builder::new().name("search".to_owned()).spawn(run);
        thread.map_err(|error| Refusal::failed(error.to_string()))?;
        let stopped = None;
        self.running.insert(id, Running { uri, cancel, stopped });
        Ok(())
    }

    /// The editor no longer wants an answer.
    pub(super) fn cancel(&mut self, id: &RequestId) {
        if let Some(running) = self.running.get_mut(id) {
            running.stop(ErrorCode::RequestCanceled, "the request was cancelled");
        }
    }

    /// A text has changed or is gone, or the database is another.
    pub(super) fn outdate(&mut self, uri: Option<&str>) {
        let outdated = self
            .running
            .values_mut()
            .filter(|running| uri.is_none_or(|uri| running.uri == uri));
        outdated.for_each(|running| running.stop(ErrorCode::ContentModified, "the text has changed"));
    }

    /// The response to a request whose search has ended, and what is to be shown.
    pub(super) fn finish(&mut self, ended: Ended) -> (Response, Option<Written>) {
        let stopped = self.running.remove(&ended.id).and_then(|running| running.stopped);
        match (stopped, ended.answer) {
            (Some(refusal), _) | (None, Err(refusal)) => (refusal.response(ended.id), None),
            (None, Ok(answer)) => (Response::new_ok(ended.id, answer.value), answer.written),
        }
    }

    /// Stops all searches, and waits until they have left the database.
    pub(super) fn end(&mut self) {
        self.outdate(None);
        let end = Instant::now() + PATIENCE;
        while !self.running.is_empty() {
            match self.receiver.recv_deadline(end) {
                Ok(ended) => self.running.remove(&ended.id),
                Err(_) => return,
            };
        }
    }
}

impl Running {
    fn stop(&mut self, code: ErrorCode, why: &str) {
        self.stopped.get_or_insert_with(|| Refusal::new(code, why));
        self.cancel.cancel();
    }
}

/// "12 games, 34 positions"
fn counts(summary: &Summary) -> String {
    format!(
        "{}, {}",
        count(summary.games, "game"),
        count(summary.positions, "position")
    )
}

/// What went wrong, in a line.
fn first_line(error: &Error) -> String {
    match error {
        Error::Query(error) | Error::Evaluation(error) => {
            let first = error.diagnostics().first();
            first.map(|first| first.message.clone()).unwrap_or_default()
        }
        error => error.to_string().lines().next().unwrap_or_default().to_owned(),
    }
}
