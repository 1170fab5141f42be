//! What a search does for a request, on the thread that it is called on: in the server, or in a process of its own.

use std::time::{Duration, Instant};

use cqldex::format::milliseconds;
use cqldex::{Cancel, Database, Detail, Error, GameMatch, PositionSet, Progress, Query, Rank, SearchOptions, Summary};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::file::File;
use super::matches::MatchReader;
use super::problem::Problem;
use super::question::Question;
use crate::explained;

/// Something that searches.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Work {
    pub(crate) question: Question,
    pub(crate) task: Task,
}

/// What is wanted of a search.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) enum Task {
    /// The first matches, the counts, and all positions.
    Search { first: usize, marks: bool },
    /// How it is planned, and with `analyze` run.
    Explain { analyze: bool },
    /// All of it as a file.
    File(File),
}

/// What comes from a search, piece by piece.
#[derive(Debug)]
pub(crate) enum Step {
    /// Some of the first matches, in order.
    Matches(Vec<Value>),
    /// A piece of a file.
    Piece(Vec<u8>),
    /// An explanation.
    Explanation(Value),
    /// The search is over.
    Found(Box<Result>),
}

impl Step {
    /// Whether nothing comes after it.
    pub(crate) fn is_last(&self) -> bool {
        matches!(self, Step::Found(_) | Step::Explanation(_))
    }
}

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Result {
    pub(crate) summary: Value,
    pub(crate) positions: PositionSet,
    /// The games in their order, if the query sorts.
    pub(crate) sorted: Option<Vec<SortedGame>>,
}

/// A game in the order of a query.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct SortedGame {
    pub(crate) number: u64,
    /// The values of the sort keys.
    pub(crate) values: Vec<Option<String>>,
}

/// What the caller watches and stops the work with.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reins {
    pub(crate) progress: Progress,
    pub(crate) cancel: Cancel,
}

impl Reins {
    /// How far the work is: the fields of a progress event but the time.
    pub(crate) fn progress(&self) -> Value {
        let progress = &self.progress;
        json!({
            "type": "progress",
            "fraction": progress.fraction(),
            "gamesDone": progress.games_done(),
            "gamesTotal": progress.games_total(),
            "games": progress.matching_games(),
            "positions": progress.matching_positions(),
        })
    }
}

/// After how long each match is sent at once.
const SLOW: Duration = Duration::from_millis(40);

/// How many matches are sent together before that.
const TOGETHER: usize = 12;

/// How many messages of a query are sent.
const MESSAGES: usize = 1000;

/// Takes what comes; returns whether the client still waits for it.
pub(crate) type Give<'a> = dyn FnMut(Step) -> bool + Send + 'a;

/// The client has gone.
pub(crate) fn request_ended() -> Problem {
    Error::Cancelled.into()
}

impl Work {
    /// Does it.
    pub(crate) fn run(
        &self,
        database: &Database,
        query: &Query,
        reins: &Reins,
        give: &mut Give<'_>,
    ) -> std::result::Result<(), Problem> {
        let options = SearchOptions {
            progress: reins.progress.clone(),
            cancel: reins.cancel.clone(),
            ..self.question.options()
        };
        match &self.task {
            &Task::Search { first, marks } => search(database, query, options, (first, marks), give),
            &Task::Explain { analyze } => {
                let explanation = match analyze {
                    true => database.analyze(query, options),
                    false => database.explain(query, options),
                }?;
                give(Step::Explanation(explained::json(&explanation)));
                Ok(())
            }
            Task::File(file) => file.write(database, query, options, &mut |piece| give(Step::Piece(piece))),
        }
    }
}

/// Searches; the first matches are given as they come, or in their order at the end.
fn search(
    database: &Database,
    query: &Query,
    options: SearchOptions,
    (first, marks): (usize, bool),
    give: &mut Give<'_>,
) -> std::result::Result<(), Problem> {
    let is_sorted = query.is_sorted();
    let variations = options.variations;
    let options = SearchOptions {
        collect: true,
        limit: (!is_sorted).then_some(first as u64),
        detail: if is_sorted { Detail::Results } else { Detail::Positions },
        ..options
    };
    let started = Instant::now();
    let mut reader = MatchReader::new(database.reader(), marks.then_some((query, variations)));
    let mut matches = database.search(query, options);
    let (mut ranks, mut ready, mut index) = (Vec::new(), Vec::new(), 0);
    for game in &mut matches {
        let game: GameMatch = game?;
        if is_sorted {
            ranks.push(query.rank(&game));
            continue;
        }
        let nodes: Vec<u32> = game.positions.iter().map(|position| position.node).collect();
        ready.extend(reader.read(index, game.number, &nodes, &[])?);
        index += nodes.len();
        // The first board is shown at once.
        let is_time = index == nodes.len() || ready.len() >= TOGETHER || started.elapsed() > SLOW;
        if is_time && !give(Step::Matches(std::mem::take(&mut ready))) {
            return Err(request_ended());
        }
    }
    if !ready.is_empty() {
        give(Step::Matches(ready));
    }
    let found = matches.found()?;
    let positions = found.positions.unwrap_or_else(|| database.sets().none());
    let sorted = is_sorted.then(|| sorted(query, ranks));
    if let Some(games) = &sorted {
        give(Step::Matches(first_of(games, &positions, first, &mut reader)?));
    }
    give(Step::Found(Box::new(Result {
        summary: summary(&found.summary, &positions),
        positions,
        sorted,
    })));
    Ok(())
}

fn sorted(query: &Query, mut ranks: Vec<Rank>) -> Vec<SortedGame> {
    ranks.sort_unstable_by(|a, b| query.compare(a, b));
    let text = |value: &Option<_>| {
        let value = value.as_ref().map(ToString::to_string)?;
        // Texts are shown between quotation marks.
        let inner = value.strip_prefix('"').and_then(|inner| inner.strip_suffix('"'));
        Some(inner.map(str::to_owned).unwrap_or(value))
    };
    let game = |rank: Rank| SortedGame {
        number: rank.number,
        values: rank.values.iter().map(text).collect(),
    };
    ranks.into_iter().map(game).collect()
}

/// The first matches of games in order.
fn first_of(
    games: &[SortedGame],
    positions: &PositionSet,
    first: usize,
    reader: &mut MatchReader<'_>,
) -> std::result::Result<Vec<Value>, Problem> {
    let mut matches = Vec::new();
    for game in games {
        if matches.len() >= first {
            break;
        }
        let mut nodes = positions.of_game(game.number);
        nodes.truncate(first - matches.len());
        matches.extend(reader.read(matches.len(), game.number, &nodes, &game.values)?);
    }
    Ok(matches)
}

/// What a search did, without what the server adds.
fn summary(summary: &Summary, positions: &PositionSet) -> Value {
    let message = |text: &Vec<u8>| String::from_utf8_lossy(text).into_owned();
    json!({
        "type": "summary",
        "games": summary.games,
        "positions": summary.positions,
        "gamesSearched": summary.games_searched,
        "positionsSearched": summary.positions_searched,
        "candidates": summary.candidates,
        "evaluated": summary.evaluated,
        "held": positions.len(),
        "keptGames": summary.kept.games,
        "elapsedMs": milliseconds(summary.elapsed),
        "messages": summary.messages.iter().take(MESSAGES).map(message).collect::<Vec<_>>(),
        "persistent": summary.persistent.iter()
            .map(|(name, value)| json!({ "name": name, "value": value.to_string() })).collect::<Vec<_>>(),
        "incompleteSets": summary.incomplete_sets.iter()
            .map(|(name, games)| json!({ "name": name, "games": games })).collect::<Vec<_>>(),
    })
}
