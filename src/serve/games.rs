//! Games: all positions with moves, comments and glyphs, or PGN.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use cqldex::{Game, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
use super::matches::{MatchReader, side, squares, squares_of};
use super::problem::{Problem, json_response};
use super::request::Parameters;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    db: Option<String>,
    answer: Option<String>,
}

/// `GET games/{number}` and `GET games/{number}.pgn`
pub(crate) async fn game(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Parameters(request): Parameters<Request>,
) -> Result<Response, Problem> {
    let (number, is_pgn) = match name.strip_suffix(".pgn") {
        Some(number) => (number, true),
        None => (name.as_str(), false),
    };
    let missing = || Problem::not_found("no-such-game", format!("there is no game `{name}`"));
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let number: u64 = number.parse().ok().filter(|_| is_number).ok_or_else(missing)?;
    let absent = missing();
    app.short(move |app| {
        // The games of an answer have the numbers of the database that was searched.
        let answer = request.answer.as_deref().map(|id| app.answers.get(id)).transpose()?;
        let mut reader = match &answer {
            Some(answer) => answer.reader(),
            None => app.databases.get(request.db.as_deref())?.database.reader(),
        };
        let game = reader.game(number)?.ok_or(absent)?;
        if is_pgn {
            let name = format!("attachment; filename=\"game-{number}.pgn\"");
            let headers = [
                (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
                (header::CACHE_CONTROL, "no-store"),
                (header::CONTENT_DISPOSITION, &name),
            ];
            return Ok((headers, game.pgn()).into_response());
        }
        let mut value = whole(number, &game);
        if let Some(answer) = answer {
            let nodes = answer.positions.of_game(number);
            let query = &answer.asked.query;
            let marks = (!query.has_regex()).then_some((query, answer.asked.work.question.variations));
            let marks = MatchReader::new(reader, marks).marks(number, &nodes)?;
            let marks = marks.unwrap_or_else(|| vec![0; nodes.len()]);
            let matched = nodes.iter().zip(marks);
            let matched = matched.map(|(node, marks)| json!({ "position": node, "marks": squares(marks) }));
            value["matches"] = matched.collect();
        }
        Ok(json_response(&value))
    })
    .await
}

fn whole(number: u64, game: &Game) -> Value {
    let about = game.header();
    json!({
        "number": number,
        "header": {
            "white": about.white,
            "black": about.black,
            "whiteRating": about.white_rating,
            "blackRating": about.black_rating,
            "event": about.event,
            "site": about.site,
            "date": about.date.to_string(),
            "year": about.date.year,
            "result": about.outcome.result(),
            "eco": about.eco,
        },
        "tags": game.tags().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>(),
        "positions": game.positions().map(position).collect::<Vec<_>>(),
    })
}

fn position(here: Position<'_>) -> Value {
    let (from, to) = squares_of(here.last_move());
    let mut value = json!({
        "id": here.id(),
        "parent": here.parent().map(Position::id),
        "next": here.next().map(Position::id),
        "variations": here.variations().map(Position::id).collect::<Vec<_>>(),
        "ply": here.ply(),
        "depth": here.depth(),
        "fen": here.fen(),
        "turn": side(here.turn()),
        "moveNumber": here.move_number(),
        "san": here.san(),
        "from": from,
        "to": to,
    });
    if let Some(comment) = here.comment() {
        value["comment"] = json!(comment);
    }
    if let Some(comment) = here.variation_comment() {
        value["before"] = json!(comment);
    }
    let nags: Vec<u8> = here.nags().collect();
    if !nags.is_empty() {
        value["glyphs"] = nags.iter().map(|&nag| json!(glyph(nag))).collect();
        value["nags"] = json!(nags);
    }
    value
}

/// The sign of a numeric annotation glyph.
fn glyph(nag: u8) -> String {
    let sign = match nag {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        7 => "\u{25a1}",
        10 => "=",
        13 => "\u{221e}",
        14 => "+=",
        15 => "=+",
        16 => "\u{b1}",
        17 => "\u{2213}",
        18 => "+-",
        19 => "-+",
        22 | 23 => "\u{2a00}",
        32 | 33 => "\u{27f3}",
        36 | 37 => "\u{2192}",
        40 | 41 => "\u{2191}",
        44 | 45 => "=\u{221e}",
        132 | 133 => "\u{21c6}",
        138 | 139 => "\u{2295}",
        140 => "\u{2206}",
        146 => "N",
        nag => return format!("${nag}"),
    };
    sign.to_owned()
}
