//! Where the squares of a set are in the positions of an answer.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use cqldex::{Kind, Squares};
use serde::Deserialize;
use serde_json::json;

use super::app::App;
use super::config::SHORT;
use super::problem::{Problem, json_response};
use super::question::Question;
use super::request::Parameters;
use super::sample::sample;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    set: String,
}

/// `GET answers/{id}/squares`
pub(crate) async fn squares(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(Request { set }): Parameters<Request>,
) -> Result<Response, Problem> {
    let answer = app.answers.get(&id)?;
    let value = app
        .picture(move |_| {
            let query = Question::of(set.clone()).parse()?;
            let refused = |message| Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "not-allowed", message);
            if query.kind() != Kind::Set {
                return Err(refused("squares are counted of a set, such as `N` or `n attacks K`"));
            }
            if query.has_regex() {
                return Err(refused("a set with a regular expression is not counted"));
            }
            // Where men stand is in the index. Everything else needs the boards of the games.
            if let Some(counts) = answer.positions.squares(&query)? {
                return Ok(json!({
                    "answer": id,
                    "set": set,
                    "positions": answer.positions.len(),
                    "complete": true,
                    "counts": counts.to_vec(),
                }));
            }
            let variations = answer.asked.work.question.variations;
            let variations = variations.unwrap_or(answer.asked.query.header().variations);
            let mut squares = Squares::new(&query, answer.reader(), Some(variations));
            let (started, mut counts, mut looked) = (Instant::now(), [0_u64; 64], 0_u64);
            let mut complete = true;
            for (game, _) in sample(&answer.positions) {
                if started.elapsed() > SHORT {
                    complete = false;
                    break;
                }
                let nodes = answer.positions.of_game(game);
                looked += nodes.len() as u64;
                for set in squares.sets(game, &nodes)? {
                    for (square, count) in counts.iter_mut().enumerate() {
                        *count += set >> square & 1;
                    }
                }
            }
            Ok(json!({
                "answer": id,
                "set": set,
                "positions": looked,
                "complete": complete,
                "counts": counts.to_vec(),
            }))
        })
        .await?;
    Ok(json_response(&value))
}
