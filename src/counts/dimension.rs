//! What games and positions are counted by, as small numbers.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use chess::Outcome;
use shakmaty::Color;
use storage::{Segment, TagColumn};

use super::by::{By, Source, result_key};
use super::key::Key;
use crate::error::Result;

/// How many points of rating are counted together.
const BAND: u16 = 100;

/// Groups by one thing: the keys of the groups, and which of them games or positions are in.
#[derive(Debug)]
pub(super) struct Dimension {
    pub(super) keys: Vec<Key>,
    pub(super) codes: Codes,
}

/// The places of groups in the list of keys.
#[derive(Debug)]
pub(super) enum Codes {
    /// By game: of all games of a segment, from the first.
    Games(u32, Vec<u32>),
    /// The same for both players.
    Players(u32, [Vec<u32>; 2]),
    /// By position, in the order of those of a unit.
    Positions(Vec<u32>),
    /// By position, a bit for each of 64 squares.
    Squares(Vec<u64>),
}

/// Gives a number to each key.
#[derive(Debug)]
pub(super) struct Numbering<K> {
    numbers: HashMap<K, u32>,
    pub(super) keys: Vec<K>,
}

impl<K: Hash + Eq + Clone> Numbering<K> {
    pub(super) fn new() -> Numbering<K> {
        Numbering {
            numbers: HashMap::new(),
            keys: Vec::new(),
        }
    }

    /// The number of a key.
    pub(super) fn of(&mut self, key: K) -> u32 {
        let next = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(key).or_insert_with_key(|key| {
            self.keys.push(key.clone());
            next
        })
    }
}

/// The groups that the headers of a segment make; `None` if it is not the header that makes them.
pub(super) fn of_segment(segment: &Segment, by: &By) -> Result<Option<Arc<Dimension>>> {
    let Some(source) = by.source() else { return Ok(None) };
    let mut keys = Numbering::new();
    let codes = match source {
        Source::Tag(column, key) => Codes::Games(0, tags(segment, column, key, &mut keys)?),
        Source::Players => {
            let mut names = |column| tags(segment, column, Key::of_name, &mut keys);
            Codes::Players(0, [names(TagColumn::White)?, names(TagColumn::Black)?])
        }
        Source::Result => {
            const ALL: [Outcome; 4] = [Outcome::White, Outcome::Draw, Outcome::Black, Outcome::Unknown];
            let codes = ALL.map(|outcome| (outcome, keys.of(result_key(outcome))));
            let code = |outcome: &Outcome| {
                codes
                    .iter()
                    .find(|(other, _)| other == outcome)
                    .map_or(0, |(_, code)| *code)
            };
            Codes::Games(0, segment.outcomes()?.iter().map(code).collect())
        }
        Source::Rating(color) => {
            let rating = match color {
                Some(color) => segment.ratings(color)?.to_vec(),
                None => {
                    let (white, black) = (segment.ratings(Color::White)?, segment.ratings(Color::Black)?);
                    white
                        .iter()
                        .zip(&*black)
                        .map(|(&white, &black)| mean([white, black]))
                        .collect()
                }
            };
            // Place 0 is that of games whose rating is not known.
            let mut codes = Vec::new();
            let mut code = |rating: u16| {
                let place = if rating == 0 { 0 } else { usize::from(rating / BAND) + 1 };
                if place >= codes.len() {
                    codes.resize(place + 1, None);
                }
                *codes[place].get_or_insert_with(|| {
                    keys.of(match rating {
                        0 => Key::Unknown,
                        _ => Key::Number(i64::from(rating / BAND * BAND)),
                    })
                })
            };
            Codes::Games(0, rating.into_iter().map(&mut code).collect())
        }
    };
    Ok(Some(Arc::new(Dimension { keys: keys.keys, codes })))
}

/// The groups of a tag of each game.
fn tags(segment: &Segment, column: TagColumn, key: fn(&str) -> Key, keys: &mut Numbering<Key>) -> Result<Vec<u32>> {
    let values = segment.tag_values(column)?;
    let groups: Vec<u32> = values.distinct().iter().map(|value| keys.of(key(value))).collect();
    Ok(values.codes().iter().map(|&code| groups[code as usize]).collect())
}

/// The mean of both ratings; 0 if one is not known.
pub(super) fn mean([white, black]: [u16; 2]) -> u16 {
    match white.min(black) {
        0 => 0,
        _ => white.midpoint(black),
    }
}

impl Codes {
    /// Whether positions of a game can be in different groups.
    pub(super) fn is_of_position(&self) -> bool {
        matches!(self, Codes::Positions(_) | Codes::Squares(_))
    }

    /// The groups of a game, each with the color of the player whose group it is.
    pub(super) fn of_game(&self, game: u32, add: &mut dyn FnMut(u32, Option<Color>)) {
        match self {
            Codes::Games(first, codes) => add(codes[(game - first) as usize], None),
            Codes::Players(first, [white, black]) => {
                let at = (game - first) as usize;
                add(white[at], Some(Color::White));
                // Who plays against a namesake has one game, and not two.
                if black[at] != white[at] {
                    add(black[at], Some(Color::Black));
                }
            }
            Codes::Positions(_) | Codes::Squares(_) => {}
        }
    }

    /// The groups of a position.
    pub(super) fn of_position(&self, rank: usize, add: &mut dyn FnMut(u32)) {
        match self {
            Codes::Positions(codes) => add(codes[rank]),
            Codes::Squares(sets) => {
                let mut set = sets[rank];
                while set != 0 {
                    add(set.trailing_zeros());
                    set &= set - 1;
                }
            }
            Codes::Games(..) | Codes::Players(..) => {}
        }
    }
}
