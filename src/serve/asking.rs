//! `POST search`: the answer comes as it is found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use cqldex::format::milliseconds;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::{Answer, Asked};
use super::app::{App, Turn, secret};
use super::config::{LONGEST_PAGE, PAGE};
use super::drive::{Event, drive};
use super::lane::Lane;
use super::problem::Problem;
use super::question::Question;
use super::queue::Ticket;
use super::request::{Db, Json, Parameters};
use super::stream::{Pieces, pieces};
use super::work::{Step, Task, Work};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    #[serde(flatten)]
    question: Question,
    page: Option<String>,
    first: Option<usize>,
    marks: Option<bool>,
}

/// A search whose answer is sent to a client.
struct Asking {
    id: String,
    pieces: Pieces,
    /// How many of the matches were sent; a search that begins again gives them again.
    sent: usize,
    given: usize,
    started: bool,
    waiting: Instant,
    waited: Duration,
    asked: Asked,
    app: Arc<App>,
}

pub(crate) async fn search(
    State(app): State<Arc<App>>,
    Parameters(Db { db }): Parameters<Db>,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    if request
        .page
        .as_ref()
        .is_some_and(|page| page.is_empty() || page.len() > 64)
    {
        return Err(Problem::bad_request("`page` has 1 to 64 bytes"));
    }
    let turn = app.turn(request.page.as_deref());
    let work = Work {
        question: request.question,
        task: Task::Search {
            first: request.first.unwrap_or(PAGE).min(LONGEST_PAGE),
            marks: request.marks.unwrap_or(true),
        },
    };
    let asked = ask(&app, db, work).await?;
    let ticket = app.queue.enter(Lane::Quick)?;
    let (pieces, response) = pieces("application/x-ndjson");
    let asking = Asking {
        id: secret().map_err(Problem::internal)?,
        pieces,
        sent: 0,
        given: 0,
        started: false,
        waiting: Instant::now(),
        waited: Duration::ZERO,
        asked,
        app,
    };
    tokio::spawn(asking.run(ticket, turn));
    Ok(response)
}

/// Finds the database and reads the query.
pub(crate) async fn ask(app: &Arc<App>, db: Option<String>, work: Work) -> Result<Asked, Problem> {
    app.short(move |app| {
        Ok(Asked {
            open: app.databases.get(db.as_deref())?,
            query: work.question.parse()?,
            work,
        })
    })
    .await
}

impl Asking {
    /// Searches until the end, or until the client has gone. The last line is the summary or an error, and nothing comes
    /// after either.
    async fn run(mut self, ticket: Ticket, mut turn: Turn) {
        let mut driving = drive(&self.app, &self.asked, ticket);
        let pieces = self.pieces.clone();
        loop {
            let event = tokio::select! {
                event = driving.next() => event,
                () = pieces.gone() => return,
                () = turn.over() => {
                    let message = "the page has asked something else";
                    Some(Err(Problem::new(StatusCode::CONFLICT, "replaced", message)))
                }
            };
            let problem = match event {
                Some(Ok(event)) => {
                    let is_last = matches!(&event, Event::Step(step) if step.is_last());
                    self.send(event).await;
                    match is_last {
                        true => return,
                        false => continue,
                    }
                }
                Some(Err(problem)) => problem,
                None => Problem::internal("the search has ended without a result"),
            };
            drop(driving);
            let event = json!({ "type": "error", "error": problem.body() });
            return pieces.line(&event).await;
        }
    }

    async fn send(&mut self, event: Event) {
        match event {
            Event::Queued(place) => {
                self.pieces.try_line(&json!({ "type": "queued", "place": place }));
            }
            Event::Started => {
                self.waited += self.waiting.elapsed();
                self.given = 0;
                if !std::mem::replace(&mut self.started, true) {
                    let event = json!({
                        "type": "started",
                        "answer": self.id,
                        "sorted": self.asked.query.is_sorted(),
                        "gamesTotal": self.asked.open.database.games(),
                    });
                    self.pieces.line(&event).await;
                }
            }
            Event::Progress(mut progress, elapsed) => {
                self.waiting = Instant::now();
                progress["elapsedMs"] = json!(milliseconds(elapsed));
                self.pieces.try_line(&progress);
            }
            Event::Step(Step::Matches(matches)) => self.matches(matches).await,
            Event::Step(Step::Found(found)) => {
                let mut summary = found.summary.clone();
                summary["answer"] = json!(self.id);
                summary["waitedMs"] = json!(milliseconds(self.waited));
                // Held before its name is sent: the next request may ask for it.
                self.app
                    .answers
                    .hold(self.id.clone(), Answer::new(self.asked.clone(), *found));
                self.pieces.line(&summary).await;
            }
            Event::Step(Step::Piece(_) | Step::Explanation(_)) => {}
        }
    }

    /// Sends matches that were not sent.
    async fn matches(&mut self, mut matches: Vec<Value>) {
        let known = self.sent.saturating_sub(self.given).min(matches.len());
        self.given += matches.len();
        matches.drain(..known);
        if !matches.is_empty() {
            let event = json!({ "type": "matches", "from": self.sent, "matches": matches });
            self.sent += matches.len();
            self.pieces.line(&event).await;
        }
    }
}
