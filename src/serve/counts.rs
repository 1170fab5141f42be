//! Counts of an answer, for pictures: by year, result, opening, move, rating and side to move. Columns of headers and lists
//! of the index are read, and games only for positions in variations.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Path, State};
use axum::response::Response;
use cqldex::{Color, CountOptions, Key, Query, Squares};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::Answer;
use super::app::App;
use super::config::SHORT;
use super::matches::side;
use super::problem::{Problem, json_response};
use super::question::Question;
use super::request::Parameters;

/// By what matches are counted.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum By {
    Year,
    Result,
    Eco,
    Opening,
    Move,
    Rating,
    Side,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    by: By,
}

/// Games and positions of a bucket.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: u64,
    positions: u64,
    /// How many games of the whole database are in it.
    all: Option<u64>,
}

#[derive(Debug, Default)]
struct Counts {
    buckets: BTreeMap<Key, Count>,
    unknown: Count,
    /// Whether the time was over before all were counted.
    is_cut: bool,
}

/// `GET answers/{id}/counts`
pub(crate) async fn counts(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(Request { by }): Parameters<Request>,
) -> Result<Response, Problem> {
    let answer = app.answers.get(&id)?;
    let value = app
        .picture(move |_| {
            let counts = match by.header() {
                Some(header) => by_header(&answer, header)?,
                None => by_position(&answer, by)?,
            };
            let all = counts.buckets.values().chain([&counts.unknown]);
            Ok(json!({
                "answer": id,
                "by": by.name(),
                "games": answer.games,
                "positions": answer.positions.len(),
                "complete": !counts.is_cut,
                "counted": all.map(|count| count.positions).sum::<u64>(),
                "buckets": counts.buckets.iter().map(|(key, count)| bucket(key, *count)).collect::<Vec<_>>(),
                "unknown": { "games": counts.unknown.games, "positions": counts.unknown.positions },
            }))
        })
        .await?;
    Ok(json_response(&value))
}

/// What a bucket is called.
fn name(key: &Key) -> String {
    match key {
        Key::Number(number) => number.to_string(),
        Key::Text(text) => text.to_string(),
        _ => String::new(),
    }
}

fn bucket(key: &Key, count: Count) -> Value {
    let mut value = json!({ "key": name(key), "games": count.games, "positions": count.positions });
    if let Some(all) = count.all {
        value["databaseGames"] = json!(all);
    }
    value
}

impl By {
    fn name(self) -> &'static str {
        match self {
            By::Year => "year",
            By::Result => "result",
            By::Eco => "eco",
            By::Opening => "opening",
            By::Move => "move",
            By::Rating => "rating",
            By::Side => "side",
        }
    }

    /// What of the header decides; `None` for what is different in each position.
    fn header(self) -> Option<cqldex::By> {
        Some(match self {
            By::Year => cqldex::By::Year,
            By::Result => cqldex::By::Result,
            By::Eco => cqldex::By::Opening,
            By::Opening => cqldex::By::OpeningGroup,
            By::Rating => cqldex::By::Rating,
            By::Move | By::Side => return None,
        })
    }
}

impl Counts {
    fn at(&mut self, key: Key) -> &mut Count {
        match key {
            Key::Unknown => &mut self.unknown,
            key => self.buckets.entry(key).or_default(),
        }
    }
}

/// Counts what headers say, of the answer and of the whole database.
fn by_header(answer: &Answer, header: cqldex::By) -> Result<Counts, Problem> {
    let options = CountOptions {
        whole_database: true,
        ..CountOptions::default()
    };
    let database = &answer.asked.open.database;
    let found = database.counts(&answer.positions, &[header], &options)?;
    let mut counts = Counts::default();
    for (keys, found) in found.groups().filter(|(_, found)| found.games > 0) {
        for key in keys {
            *counts.at(key.clone()) = Count {
                games: found.games,
                positions: found.positions,
                all: Some(found.database_games),
            };
        }
    }
    Ok(counts)
}

/// How many positions are counted between two looks at the clock.
const BETWEEN: u32 = 1 << 14;

/// Buckets by their number, each with the last game that was counted in it: games come in their order.
#[derive(Debug, Default)]
struct Buckets(Vec<(Count, Option<u64>)>);

impl Buckets {
    /// Counts a position.
    fn add(&mut self, bucket: u32, game: u64) {
        let bucket = bucket as usize;
        if bucket >= self.0.len() {
            self.0.resize(bucket + 1, Default::default());
        }
        let (count, last) = &mut self.0[bucket];
        count.positions += 1;
        if *last != Some(game) {
            *last = Some(game);
            count.games += 1;
        }
    }
}

/// Counts what is different in each position: numbers of moves, sides to move. Lists say it, but for the number of a move in
/// a variation: there the game is opened.
fn by_position(answer: &Answer, by: By) -> Result<Counts, Problem> {
    let (started, mut seen, mut found) = (Instant::now(), 0_u32, Buckets::default());
    let mut in_variations: Vec<(u64, u32)> = Vec::new();
    let all = answer.positions.turns(&mut |turn| {
        match (by, turn.move_number) {
            (By::Move, Some(number)) => found.add(number, turn.game),
            (By::Move, None) => in_variations.push((turn.game, turn.position)),
            _ => found.add(u32::from(turn.side == Color::Black), turn.game),
        }
        seen = seen.wrapping_add(1);
        seen % BETWEEN != 0 || started.elapsed() < SHORT
    })?;
    let mut counts = Counts {
        is_cut: !all,
        ..Counts::default()
    };
    let query = anything()?;
    let mut boards = Squares::new(&query, answer.reader(), Some(true));
    let mut variations = Buckets::default();
    for of_game in in_variations.chunk_by(|a, b| a.0 == b.0) {
        if started.elapsed() > SHORT {
            counts.is_cut = true;
            break;
        }
        let nodes: Vec<u32> = of_game.iter().map(|&(_, node)| node).collect();
        for (number, _) in boards.moves(of_game[0].0, &nodes)? {
            variations.add(number, of_game[0].0);
        }
    }
    let of_lists = found.0.into_iter().zip(0_i64..);
    for ((count, _), bucket) in of_lists.chain(variations.0.into_iter().zip(0..)) {
        if count.positions == 0 {
            continue;
        }
        let key = match by {
            By::Move => Key::Number(bucket),
            _ => Key::Text(side(if bucket == 0 { Color::White } else { Color::Black }).into()),
        };
        let total = counts.at(key);
        total.games += count.games;
        total.positions += count.positions;
    }
    Ok(counts)
}

fn anything() -> Result<Query, Problem> {
    Question::of("true".to_owned()).parse()
}
