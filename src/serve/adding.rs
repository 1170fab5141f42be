//! Requests that add games.

use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::response::Response;
use hyper::body::Body as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
use super::imports::{self, Import};
use super::problem::{Problem, json_response};
use super::request::Parameters;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Target {
    db: String,
    file: String,
    skip_duplicates: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct From {
    skipped_from: Option<usize>,
}

/// `GET imports`
pub(crate) async fn list(State(app): State<Arc<App>>) -> Response {
    let imports: Vec<Value> = app.imports.all().iter().map(|import| import.json(0)).collect();
    json_response(&json!({ "imports": imports }))
}

/// `GET imports/{id}`
pub(crate) async fn progress(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(From { skipped_from }): Parameters<From>,
) -> Result<Response, Problem> {
    let import = app.imports.get(&id)?;
    Ok(json_response(&import.json(skipped_from.unwrap_or_default())))
}

/// `DELETE imports/{id}`
pub(crate) async fn cancel(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Problem> {
    let import = app.imports.get(&id)?;
    import.cancel();
    Ok(json_response(&import.json(0)))
}

/// `PUT imports/{id}`
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(target): Parameters<Target>,
    request: Request,
) -> Result<Response, Problem> {
    if !app.config.may_index() {
        let message =
            "games are added only on the machine that serves, below the folder that `cqldex serve --root` names";
        return Err(Problem::forbidden("not-allowed", message));
    }
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if id.is_empty() || id.len() > 64 || !id.chars().all(is_plain) || app.imports.get(&id).is_ok() {
        return Err(Problem::bad_request(
            "the id of an addition is new, and has 1 to 64 letters, digits, `-` and `_`",
        ));
    }
    let path = app.databases.path(&target.db)?;
    let length = request.body().size_hint().exact();
    let import = Import::new(id, (target.db, target.file), length);
    app.imports.add(Arc::clone(&import));
    // It goes on to its end in order even if the client goes away: then the file ends with an error.
    let inside = Arc::clone(&import);
    let body = request.into_body();
    let task = tokio::spawn(async move {
        imports::run(&app.imports, inside, path, body, target.skip_duplicates).await;
    });
    task.await.map_err(Problem::internal)?;
    Ok(json_response(&import.json(0)))
}
