//! Named sets: what there is, and requests that save an answer as a set, rename and delete sets.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use cqldex::SetInfo;
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
use super::problem::{Problem, json_response};
use super::request::{Db, Json, Parameters};

/// What is saved as a set.
#[derive(Debug, Deserialize)]
pub(crate) struct Save {
    answer: String,
    #[serde(default)]
    replace: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Rename {
    name: String,
}

/// `GET sets`
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Parameters(Db { db }): Parameters<Db>,
) -> Result<Response, Problem> {
    let value = app
        .short(move |app| {
            let sets = app.databases.get(db.as_deref())?.database.sets().list()?;
            Ok(json!({
                "sets": sets.iter().map(about).collect::<Vec<_>>(),
                "mayChange": app.config.may_change_sets(),
            }))
        })
        .await?;
    Ok(json_response(&value))
}

fn about(set: &SetInfo) -> Value {
    json!({
        "name": set.name,
        "games": set.games,
        "positions": set.positions,
        "gamesMissing": set.games_missing,
        "live": set.live,
        "damage": set.damage,
    })
}

/// `PUT sets/{name}`
pub(crate) async fn save(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Json(Save { answer, replace }): Json<Save>,
) -> Result<Response, Problem> {
    allowed(&app)?;
    let answer = app.answers.get(&answer)?;
    let value = app
        .short(move |_| {
            if !answer.is_whole() {
                let message =
                    "the answer has more positions than the server holds; `cqldex query --save` saves all of them";
                return Err(Problem::new(StatusCode::CONFLICT, "incomplete", message));
            }
            // The answer may be of a state of the database before this one; then its positions are no longer certain.
            let sets = answer.asked.open.database.sets();
            sets.save(&name, &answer.positions, replace)?;
            Ok(about(&sets.info(&name)?))
        })
        .await?;
    Ok(json_response(&value))
}

/// `PATCH sets/{name}`
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Parameters(Db { db }): Parameters<Db>,
    Json(to): Json<Rename>,
) -> Result<Response, Problem> {
    allowed(&app)?;
    let value = app
        .short(move |app| {
            let open = app.databases.get(db.as_deref())?;
            let sets = open.database.sets();
            sets.rename(&name, &to.name)?;
            Ok(about(&sets.info(&to.name)?))
        })
        .await?;
    Ok(json_response(&value))
}

/// `DELETE sets/{name}`
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Parameters(Db { db }): Parameters<Db>,
) -> Result<StatusCode, Problem> {
    allowed(&app)?;
    app.short(move |app| {
        let open = app.databases.get(db.as_deref())?;
        Ok(open.database.sets().delete(&name)?)
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn allowed(app: &App) -> Result<(), Problem> {
    if app.config.may_change_sets() {
        return Ok(());
    }
    let message = "sets are changed only on the machine that serves: without `--host`, `--public`, and another address";
    Err(Problem::forbidden("not-allowed", message))
}
