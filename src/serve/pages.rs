//! Pages of an answer that is held: matches, or games.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::Answer;
use super::app::App;
use super::config::{LONGEST_PAGE, PAGE};
use super::matches::{MatchReader, header};
use super::order::Order;
use super::problem::{Problem, json_response};
use super::request::Parameters;

#[derive(Debug, Deserialize)]
pub(crate) struct Range {
    from: Option<u64>,
    count: Option<usize>,
    #[serde(default)]
    sort: Order,
    marks: Option<bool>,
}

impl Range {
    fn count(&self) -> usize {
        self.count.unwrap_or(PAGE).min(LONGEST_PAGE)
    }
}

/// `GET answers/{id}`
pub(crate) async fn matches(
    app: State<Arc<App>>,
    id: Path<String>,
    range: Parameters<Range>,
) -> Result<Response, Problem> {
    page(app, id, range, "matches", read).await
}

/// `GET answers/{id}/games`
pub(crate) async fn games(
    app: State<Arc<App>>,
    id: Path<String>,
    range: Parameters<Range>,
) -> Result<Response, Problem> {
    page(app, id, range, "rows", rows).await
}

/// A page: what it is of, and the list that is on it.
async fn page(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(range): Parameters<Range>,
    name: &'static str,
    list: fn(&Answer, &Range, u64) -> Result<Vec<Value>, Problem>,
) -> Result<Response, Problem> {
    let answer = app.answers.get(&id)?;
    let page = app
        .short(move |_| {
            let from = range.from.unwrap_or_default();
            Ok(json!({
                "answer": id,
                "games": answer.games,
                "positions": answer.positions.len(),
                "from": from,
                "sort": range.sort.name(),
                name: list(&answer, &range, from)?,
            }))
        })
        .await?;
    Ok(json_response(&page))
}

/// Matches from one number on.
fn read(answer: &Answer, range: &Range, from: u64) -> Result<Vec<Value>, Problem> {
    let query = &answer.asked.query;
    // A regular expression could take forever, and here it would take a thread of the server.
    let marks = range.marks.unwrap_or(true) && !query.has_regex();
    let variations = answer.asked.work.question.variations;
    let mut reader = MatchReader::new(answer.reader(), marks.then_some((query, variations)));
    let mut matches = Vec::new();
    let index = |at: usize| usize::try_from(from).unwrap_or(usize::MAX).saturating_add(at);
    if range.sort == Order::Found && answer.sorted.is_none() {
        let end = from.saturating_add(range.count() as u64);
        let found: Vec<(u64, u32)> = (from..end).map_while(|n| answer.positions.nth(n)).collect();
        for of_game in found.chunk_by(|a, b| a.0 == b.0) {
            let nodes: Vec<u32> = of_game.iter().map(|&(_, node)| node).collect();
            matches.extend(reader.read(index(matches.len()), of_game[0].0, &nodes, &[])?);
        }
        return Ok(matches);
    }
    let ordered = answer.ordered(range.sort)?;
    for (game, skip, take) in ordered.slice(from, range.count() as u64) {
        let nodes = answer.positions.of_game(game);
        let (skip, take) = (
            usize::try_from(skip).unwrap_or(usize::MAX),
            usize::try_from(take).unwrap_or(usize::MAX),
        );
        let nodes: Vec<u32> = nodes.into_iter().skip(skip).take(take).collect();
        let values = answer.sort_values(game);
        matches.extend(reader.read(index(matches.len()), game, &nodes, values)?);
    }
    Ok(matches)
}

/// Games from one on, each with the number of its first match.
fn rows(answer: &Answer, range: &Range, from: u64) -> Result<Vec<Value>, Problem> {
    let (reader, ordered) = (answer.reader(), answer.ordered(range.sort)?);
    let mut rows = Vec::new();
    let first = usize::try_from(from).unwrap_or(usize::MAX);
    for (index, game, matches) in ordered.games(first, range.count()) {
        let Some(about) = reader.header(game)? else { continue };
        let mut row = header(&about);
        row["index"] = json!(index);
        row["game"] = json!(game);
        row["matches"] = json!(matches);
        rows.push(row);
    }
    Ok(rows)
}

/// `DELETE answers/{id}`
pub(crate) async fn forget(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    match app.answers.forget(&id) {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Problem::not_found("answer-gone", "this answer is not held")),
    }
}
