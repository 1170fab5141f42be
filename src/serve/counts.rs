//! Counts of an answer, for pictures: by year, result, opening, move, rating and side to move.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::extract::{Path, State};
use axum::response::Response;
use cqldex::{GameHeader, GameReader, Query};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answers::Answer;
use super::app::App;
use super::config::SHORT;
use super::databases::Totals;
use super::matches::side;
use super::order::mean_rating;
use super::problem::{Problem, json_response};
use super::question::Question;
use super::request::Parameters;
use super::sample::sample;

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

/// What a bucket is called; numbers come in their own order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(u64),
    Text(String),
}

impl Key {
    fn name(&self) -> String {
        match self {
            Key::Number(number) => number.to_string(),
            Key::Text(text) => text.clone(),
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    buckets: BTreeMap<Key, Count>,
    unknown: Count,
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
            let (counts, complete) = match by {
                By::Move | By::Side => by_position(&answer, by)?,
                _ => by_game(&answer, by)?,
            };
            Ok(json!({
                "answer": id,
                "by": by.name(),
                "games": answer.games,
                "positions": answer.positions.len(),
                "complete": complete,
                "buckets": counts.buckets.iter().map(|(key, count)| bucket(key, *count)).collect::<Vec<_>>(),
                "unknown": { "games": counts.unknown.games, "positions": counts.unknown.positions },
            }))
        })
        .await?;
    Ok(json_response(&value))
}

fn bucket(key: &Key, count: Count) -> Value {
    let mut value = json!({ "key": key.name(), "games": count.games, "positions": count.positions });
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

    /// The bucket of a game.
    fn key(self, header: &GameHeader) -> Option<Key> {
        match self {
            By::Year => header.date.year.map(|year| Key::Number(u64::from(year))),
            By::Result => Some(Key::Text(header.outcome.result().to_owned())),
            By::Eco => header.eco.clone().map(Key::Text),
            By::Opening => header
                .eco
                .as_ref()
                .and_then(|eco| eco.get(..2))
                .map(|eco| Key::Text(eco.to_owned())),
            By::Rating => mean_rating(header).map(|rating| Key::Number(rating / 100 * 100)),
            By::Move | By::Side => None,
        }
    }
}

impl Counts {
    fn at(&mut self, key: Option<Key>) -> &mut Count {
        match key {
            Some(key) => self.buckets.entry(key).or_default(),
            None => &mut self.unknown,
        }
    }
}

/// Counts what headers say, of the answer and of the whole database.
fn by_game(answer: &Answer, by: By) -> Result<(Counts, bool), Problem> {
    let (started, reader) = (Instant::now(), answer.reader());
    let mut counts = Counts::default();
    for (index, (game, positions)) in answer.positions.counts().enumerate() {
        if index % 1024 == 0 && started.elapsed() > SHORT {
            return Ok((counts, false));
        }
        let Some(header) = reader.header(game)? else { continue };
        let count = counts.at(by.key(&header));
        count.games += 1;
        count.positions += u64::from(positions);
    }
    // Also of all games, as far as there is time for it.
    if let Some(all) = of_database(answer, &reader, by, started)? {
        for (key, count) in &mut counts.buckets {
            count.all = all.get(&key.name()).copied();
        }
    }
    Ok((counts, true))
}

/// How many games of the whole database are in each bucket; `None` if that takes too long.
fn of_database(answer: &Answer, reader: &GameReader, by: By, started: Instant) -> Result<Option<Arc<Totals>>, Problem> {
    let open = &answer.asked.open;
    let known = || open.totals.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(totals) = known().get(by.name()) {
        return Ok(Some(Arc::clone(totals)));
    }
    let mut totals = Totals::new();
    for number in 1..=open.database.last_number() {
        if number % 1024 == 0 && started.elapsed() > SHORT {
            return Ok(None);
        }
        if let Some(key) = reader.header(number)?.and_then(|header| by.key(&header)) {
            *totals.entry(key.name()).or_default() += 1;
        }
    }
    let totals = Arc::new(totals);
    known().insert(by.name(), Arc::clone(&totals));
    Ok(Some(totals))
}

/// Counts what is different in each position: numbers of moves, sides to move.
fn by_position(answer: &Answer, by: By) -> Result<(Counts, bool), Problem> {
    let query = anything()?;
    let (started, mut counts) = (Instant::now(), Counts::default());
    let mut positions = cqldex::Squares::new(&query, answer.reader(), Some(true));
    for game in sample(&answer.positions) {
        if started.elapsed() > SHORT {
            return Ok((counts, false));
        }
        let nodes = answer.positions.of_game(game);
        let mut of_game: BTreeMap<Key, u64> = BTreeMap::new();
        for (number, color) in positions.moves(game, &nodes)? {
            let key = match by {
                By::Move => Key::Number(u64::from(number)),
                _ => Key::Text(side(color).to_owned()),
            };
            *of_game.entry(key).or_default() += 1;
        }
        for (key, positions) in of_game {
            let count = counts.at(Some(key));
            count.games += 1;
            count.positions += positions;
        }
    }
    Ok((counts, true))
}

fn anything() -> Result<Query, Problem> {
    Question::of("true".to_owned()).parse()
}
