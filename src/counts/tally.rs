//! Counts of games and positions in groups, while they are counted.

use std::collections::HashMap;

use chess::Outcome;
use shakmaty::Color;

use super::dimension::{Codes, Dimension};
use super::key::Key;
use super::unit::Unit;

/// Groups are found by their place in a list if there can be at most this many.
const LISTED: Code = 1 << 16;

/// The keys of a group in one number.
type Code = u128;

/// By this many things can be counted at once: a segment has fewer than 2^22 games, so that the keys of five things fit into
/// one number.
pub(super) const MOST: usize = 5;

/// How many games and positions a group has, and how the games ended.
///
/// ```
/// use cqldex::GroupCount;
///
/// let mut count = GroupCount::default();
/// (count.games, count.white, count.draw, count.black) = (5, 2, 1, 1);
/// assert_eq!(count.score(), Some(62.5));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupCount {
    /// How many games have a position in the group.
    pub games: u64,
    /// How many positions there are in the group.
    pub positions: u64,
    /// How many of the games White has won.
    pub white: u64,
    /// How many were drawn.
    pub draw: u64,
    /// How many Black has won.
    pub black: u64,
    /// How many of the games the player has won whom the group is about: it is counted by player.
    pub won: u64,
    /// The same for games that this player has lost.
    pub lost: u64,
    /// How many games of the whole database there are in the group, those without a position included; 0 unless they are
    /// asked for.
    pub database_games: u64,
}

impl GroupCount {
    /// White's points in percent of the games whose result is known; `None` if there is none.
    pub fn score(&self) -> Option<f64> {
        percent(2 * self.white + self.draw, 2 * self.finished())
    }

    /// The points in percent of the player whom the group is about.
    pub fn player_score(&self) -> Option<f64> {
        percent(2 * self.won + self.draw, 2 * (self.won + self.lost + self.draw))
    }

    /// How many games have a known result.
    pub fn finished(&self) -> u64 {
        self.white + self.draw + self.black
    }

    /// Adds the games and positions of a part of the group.
    pub(super) fn add(&mut self, other: &GroupCount) {
        self.games = self.games.saturating_add(other.games);
        self.positions = self.positions.saturating_add(other.positions);
        self.white = self.white.saturating_add(other.white);
        self.draw = self.draw.saturating_add(other.draw);
        self.black = self.black.saturating_add(other.black);
        self.won = self.won.saturating_add(other.won);
        self.lost = self.lost.saturating_add(other.lost);
        self.database_games = self.database_games.saturating_add(other.database_games);
    }

    /// Adds a game without its positions. `player` is the color of the player whom the group is about.
    pub(super) fn add_game(&mut self, outcome: Outcome, player: Option<Color>) {
        self.games += 1;
        let winner = match outcome {
            Outcome::White => Color::White,
            Outcome::Black => Color::Black,
            Outcome::Draw => {
                self.draw += 1;
                return;
            }
            Outcome::Unknown => return,
        };
        match winner {
            Color::White => self.white += 1,
            Color::Black => self.black += 1,
        }
        match player {
            Some(player) if player == winner => self.won += 1,
            Some(_) => self.lost += 1,
            None => {}
        }
    }
}

/// A part in percent.
pub(super) fn percent(part: u64, all: u64) -> Option<f64> {
    (all > 0).then(|| 100.0 * part as f64 / all as f64)
}

/// The groups of a unit, by the numbers of their keys: those of all dimensions are the digits of one number.
#[derive(Debug)]
struct Groups {
    listed: Vec<u32>,
    found: HashMap<Code, u32>,
    groups: Vec<Group>,
}

#[derive(Debug)]
struct Group {
    code: Code,
    count: GroupCount,
    /// The last game that was counted; games come in order.
    last: u32,
}

/// No group in a list, and no game.
const NONE: u32 = u32::MAX;

impl Groups {
    fn new(codes: Code) -> Groups {
        let listed = usize::try_from(codes).ok().filter(|_| codes <= LISTED);
        Groups {
            listed: vec![NONE; listed.unwrap_or_default()],
            found: HashMap::new(),
            groups: Vec::new(),
        }
    }

    fn at(&mut self, code: Code) -> &mut Group {
        let next = u32::try_from(self.groups.len()).unwrap_or(NONE);
        let place = match self.listed.is_empty() {
            false => &mut self.listed[usize::try_from(code).unwrap_or_default()],
            true => self.found.entry(code).or_insert(NONE),
        };
        if *place == NONE {
            *place = next;
            self.groups.push(Group {
                code,
                count: GroupCount::default(),
                last: NONE,
            });
        }
        &mut self.groups[*place as usize]
    }
}

/// Counts the games and positions of a unit. With `whole`, also all games of the database.
pub(super) fn tally(
    unit: &Unit,
    dimensions: &[&Dimension],
    outcomes: &[Outcome],
    whole: bool,
) -> Vec<(Vec<Key>, GroupCount)> {
    let sizes = dimensions.iter().map(|dimension| dimension.keys.len().max(1) as Code);
    let sizes: Vec<Code> = sizes.collect();
    let mut groups = Groups::new(sizes.iter().product());
    let is_of_position = dimensions.iter().any(|dimension| dimension.codes.is_of_position());
    let (mut of_game, mut of_position, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for (game, ranks) in &unit.games {
        let outcome = outcomes[*game as usize];
        codes_of_game(dimensions, &sizes, *game, &mut of_game, &mut memory);
        for &(code, player) in &of_game {
            if !is_of_position {
                let group = groups.at(code);
                group.count.add_game(outcome, player);
                group.count.positions += ranks.len() as u64;
                continue;
            }
            for rank in ranks.clone() {
                codes_of_position(dimensions, &sizes, rank, code, &mut of_position);
                for &code in &of_position {
                    let group = groups.at(code);
                    group.count.positions += 1;
                    if group.last != *game {
                        group.last = *game;
                        group.count.add_game(outcome, player);
                    }
                }
            }
        }
    }
    if whole && !is_of_position {
        for game in unit.range.clone().filter(|&game| !unit.segment.is_removed(game)) {
            codes_of_game(dimensions, &sizes, game, &mut of_game, &mut memory);
            for &(code, _) in &of_game {
                groups.at(code).count.database_games += 1;
            }
        }
    }
    let decoded = groups.groups.into_iter().map(|group| {
        let mut rest = group.code;
        let key = |(dimension, size): (&&Dimension, &Code)| {
            let key = dimension.keys.get(usize::try_from(rest % size).unwrap_or(usize::MAX));
            rest /= size;
            key.cloned().unwrap_or(Key::Unknown)
        };
        (dimensions.iter().zip(&sizes).map(key).collect(), group.count)
    });
    decoded.collect()
}

/// The groups that a game is in, as far as all its positions are in the same ones, each with the player whom it is about.
/// The first dimension is the lowest digit.
fn codes_of_game(
    dimensions: &[&Dimension],
    sizes: &[Code],
    game: u32,
    codes: &mut Vec<(Code, Option<Color>)>,
    memory: &mut Vec<(Code, Option<Color>)>,
) {
    codes.clear();
    codes.push((0, None));
    let mut scale = 1;
    for (dimension, size) in dimensions.iter().zip(sizes) {
        if !dimension.codes.is_of_position() {
            memory.clear();
            for &(code, player) in &*codes {
                dimension.codes.of_game(game, &mut |digit, own| {
                    memory.push((code + scale * Code::from(digit), player.or(own)));
                });
            }
            std::mem::swap(codes, memory);
        }
        scale *= size;
    }
}

/// The groups that a position is in, given those of its game.
fn codes_of_position(dimensions: &[&Dimension], sizes: &[Code], rank: usize, of_game: Code, codes: &mut Vec<Code>) {
    codes.clear();
    codes.push(of_game);
    let mut scale = 1;
    for (dimension, size) in dimensions.iter().zip(sizes) {
        match &dimension.codes {
            Codes::Positions(own) => {
                let digit = scale * Code::from(own[rank]);
                codes.iter_mut().for_each(|code| *code += digit);
            }
            Codes::Squares(_) => {
                let before = std::mem::take(codes);
                for code in before {
                    dimension
                        .codes
                        .of_position(rank, &mut |digit| codes.push(code + scale * Code::from(digit)));
                }
            }
            Codes::Games(..) | Codes::Players(..) => {}
        }
        scale *= size;
    }
}
