//! The games of an answer in the order that a page asks for.

use std::cmp::{Ordering, Reverse};

use cqldex::{GameHeader, PositionSet};
use serde::Deserialize;

use super::problem::Problem;
use super::work::SortedGame;

/// In which order matches are shown.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Hash)]
pub(crate) enum Order {
    /// As the query sorts, and else as in the database.
    #[default]
    #[serde(rename = "found")]
    Found,
    #[serde(rename = "year")]
    Year,
    #[serde(rename = "-year")]
    YearDown,
    #[serde(rename = "rating")]
    Rating,
    #[serde(rename = "-rating")]
    RatingDown,
    #[serde(rename = "white")]
    White,
    #[serde(rename = "black")]
    Black,
    #[serde(rename = "matches")]
    Matches,
}

/// Games in an order, with the number of the first match of each.
#[derive(Debug)]
pub(crate) struct Ordered {
    games: Vec<u64>,
    /// One more than games: the last is how many matches there are.
    starts: Vec<u64>,
}

/// What a game is sorted by.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Number(u64),
    Down(Reverse<u64>),
    Text(String),
    /// Behind all others.
    Unknown,
}

impl Order {
    /// Its name in a request.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Order::Found => "found",
            Order::Year => "year",
            Order::YearDown => "-year",
            Order::Rating => "rating",
            Order::RatingDown => "-rating",
            Order::White => "white",
            Order::Black => "black",
            Order::Matches => "matches",
        }
    }

    fn key(self, header: Option<&GameHeader>, matches: u32) -> Key {
        let number = |number: Option<u64>| number.map_or(Key::Unknown, Key::Number);
        let down = |number: Option<u64>| number.map_or(Key::Unknown, |number| Key::Down(Reverse(number)));
        let text = |text: Option<&String>| match text.map(String::as_str) {
            None | Some("" | "?") => Key::Unknown,
            Some(text) => Key::Text(text.to_lowercase()),
        };
        let year = || header.and_then(|header| header.date.year).map(u64::from);
        match self {
            Order::Found => Key::Unknown,
            Order::Year => number(year()),
            Order::YearDown => down(year()),
            Order::Rating => number(header.and_then(mean_rating)),
            Order::RatingDown => down(header.and_then(mean_rating)),
            Order::White => text(header.map(|header| &header.white)),
            Order::Black => text(header.map(|header| &header.black)),
            Order::Matches => Key::Down(Reverse(u64::from(matches))),
        }
    }
}

/// The mean of the ratings of both players, if both are known.
pub(crate) fn mean_rating(header: &GameHeader) -> Option<u64> {
    let (white, black) = (header.white_rating?, header.black_rating?);
    Some((u64::from(white) + u64::from(black)) / 2)
}

impl Ordered {
    pub(crate) fn new(
        order: Order,
        positions: &PositionSet,
        sorted: Option<&[SortedGame]>,
    ) -> Result<Ordered, Problem> {
        let games: Vec<(u64, u32)> = match (order, sorted) {
            (Order::Found, Some(sorted)) => {
                let counts: std::collections::HashMap<u64, u32> = positions.counts().collect();
                let count = |game: &SortedGame| (game.number, counts.get(&game.number).copied().unwrap_or_default());
                sorted.iter().map(count).collect()
            }
            _ => {
                let reader = positions.reader();
                let mut keyed = Vec::new();
                for (game, matches) in positions.counts() {
                    let header = match order {
                        Order::Matches => None,
                        _ => reader.header(game)?,
                    };
                    keyed.push((order.key(header.as_ref(), matches), game, matches));
                }
                keyed.sort_unstable_by(|a, b| Ordering::then_with(a.0.cmp(&b.0), || a.1.cmp(&b.1)));
                keyed.into_iter().map(|(_, game, matches)| (game, matches)).collect()
            }
        };
        let mut starts = Vec::with_capacity(games.len() + 1);
        let mut start = 0;
        starts.push(start);
        for (_, matches) in &games {
            start += u64::from(*matches);
            starts.push(start);
        }
        Ok(Ordered {
            games: games.into_iter().map(|(game, _)| game).collect(),
            starts,
        })
    }

    /// The games that have the matches from one number on: how many of the matches of each come before, and how many are
    /// wanted.
    pub(crate) fn slice(&self, from: u64, count: u64) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let total = self.starts.last().copied().unwrap_or_default();
        let (from, end) = (from.min(total), from.saturating_add(count).min(total));
        let first = self.starts.partition_point(|&start| start <= from).saturating_sub(1);
        let places = first..self.games.len();
        places
            .map(move |place| {
                let (start, stop) = (self.starts[place].max(from), self.starts[place + 1].min(end));
                (place, self.games[place], start, stop)
            })
            .take_while(move |&(_, _, start, _)| start < end)
            .filter(|&(_, _, start, stop)| start < stop)
            .map(move |(place, game, start, stop)| (game, start - self.starts[place], stop - start))
    }

    /// Some games: the number of the first match, the game, and how many matches it has.
    pub(crate) fn games(&self, from: usize, count: usize) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let places = (from..self.games.len()).take(count);
        places.map(|place| {
            let (start, end) = (self.starts[place], self.starts[place + 1]);
            (start, self.games[place], end - start)
        })
    }
}
