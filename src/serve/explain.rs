//! `POST explain`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;

use super::app::App;
use super::asking::ask;
use super::drive::{Event, drive};
use super::lane::Lane;
use super::problem::{Problem, json_response};
use super::question::Question;
use super::request::{Db, Json, Parameters};
use super::work::{Step, Task, Work};

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    question: Question,
    #[serde(default)]
    analyze: bool,
}

/// `POST explain`
pub(crate) async fn explain(
    State(app): State<Arc<App>>,
    Parameters(Db { db }): Parameters<Db>,
    Json(Request { question, analyze }): Json<Request>,
) -> Result<Response, Problem> {
    let task = Task::Explain { analyze };
    let asked = ask(&app, db, Work { question, task }).await?;
    let ticket = app.queue.enter(Lane::Quick)?;
    let (mut found, mut driving) = (None, drive(&app, &asked, ticket));
    while let Some(event) = driving.next().await {
        if let Event::Step(Step::Explanation(value)) = event? {
            found = Some(value);
        }
    }
    let found = found.ok_or_else(|| Problem::internal("the search has ended without an explanation"))?;
    Ok(json_response(&found))
}
