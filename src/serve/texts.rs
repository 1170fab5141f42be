//! Work on the text of a query: its other spelling, its translation.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;

use super::app::App;
use super::problem::{Problem, json_response};
use super::question::Named;
use super::request::Json;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Spelling {
    Ascii,
    Unicode,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Convert {
    query: String,
    to: Spelling,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Translate {
    query: String,
    #[serde(default)]
    dialect: Named,
}

/// `POST convert`
pub(crate) async fn convert(
    State(app): State<Arc<App>>,
    Json(Convert { query, to }): Json<Convert>,
) -> Result<Response, Problem> {
    let convert = move |_: &App| match to {
        Spelling::Ascii => Ok(cqldex::to_ascii(&query)?),
        Spelling::Unicode => Ok(cqldex::to_unicode(&query)?),
    };
    let text = app.short(convert).await?;
    Ok(json_response(&json!({ "query": text })))
}

/// `POST translate`
pub(crate) async fn translate(
    State(app): State<Arc<App>>,
    Json(Translate { query, dialect }): Json<Translate>,
) -> Result<Response, Problem> {
    let translate = move |_: &App| Ok(cqldex::translate(&query, dialect.into())?);
    let text = app.short(translate).await?;
    Ok(json_response(&json!({ "query": text })))
}
