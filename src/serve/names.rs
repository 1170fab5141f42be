//! `GET names`: players, events, places and openings that begin with or contain what is typed.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
use super::problem::{Problem, json_response};
use super::request::Parameters;
use crate::name_list::{Field, Name};

/// How many names are given by default, and at most.
const NAMES: usize = 12;
const MOST: usize = 100;

/// How long what is typed may be, in bytes.
const LONGEST: usize = 200;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    db: Option<String>,
    field: Field,
    #[serde(default)]
    text: String,
    count: Option<usize>,
}

/// `GET names`
pub(crate) async fn names(
    State(app): State<Arc<App>>,
    Parameters(request): Parameters<Request>,
) -> Result<Response, Problem> {
    if request.text.len() > LONGEST {
        return Err(Problem::bad_request(format!("`text` has at most {LONGEST} bytes")));
    }
    let value = app
        .short(move |app| {
            let open = app.databases.get(request.db.as_deref())?;
            let names = open.names(request.field)?;
            let found = names.find(&request.text, request.count.unwrap_or(NAMES).min(MOST));
            let name = |name: &Name| json!({ "name": name.name, "games": name.games });
            Ok(json!({ "names": found.into_iter().map(name).collect::<Vec<Value>>() }))
        })
        .await?;
    Ok(json_response(&value))
}
