//! What is there: the server, its databases and their sizes.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde_json::json;

use super::app::App;
use super::assets;
use super::config::BODY;
use super::problem::{Problem, json_response};
use super::request::{Db, Parameters};

/// `GET server`
pub(crate) async fn server(State(app): State<Arc<App>>) -> Response {
    let limits = &app.config.limits;
    json_response(&json!({
        "name": "cqldex",
        "version": env!("CARGO_PKG_VERSION"),
        "public": app.config.public,
        "limits": {
            "seconds": limits.time.as_secs_f64(),
            "searches": limits.searches,
            "waiting": limits.waiting,
            "answers": limits.answers,
            "memoryMb": limits.memory,
            "bodyBytes": BODY,
        },
        "page": assets::has_page(),
    }))
}

/// `GET databases`
pub(crate) async fn databases(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let list = app
        .picture(|app| Ok(app.databases.list(app.config.may_index())))
        .await?;
    Ok(json_response(&list))
}

/// `GET stats`
pub(crate) async fn stats(
    State(app): State<Arc<App>>,
    Parameters(Db { db }): Parameters<Db>,
) -> Result<Response, Problem> {
    let value = app
        .short(move |app| {
            let open = app.databases.get(db.as_deref())?;
            let stats = open.database.stats()?;
            Ok(json!({
                "database": open.name,
                "games": stats.games,
                "positions": stats.positions,
                "removed": stats.removed,
                "segments": stats.segments,
                "bytes": stats.bytes,
                "pgnBytes": stats.pgn_bytes,
                "answers": { "count": stats.answers.count, "bytes": stats.answers.bytes },
                "sets": { "count": stats.sets.count, "bytes": stats.sets.bytes },
                "version": open.version,
            }))
        })
        .await?;
    Ok(json_response(&value))
}
