//! The games of an answer in an order in which the first ones stand for all of them.

use cqldex::PositionSet;

/// How many rounds there are.
const ROUNDS: usize = 64;

/// All games that have a position, with the number of these positions: each round goes once through the whole database,
/// and takes every 64th game. Who stops halfway has seen games of all years and sources.
pub(crate) fn sample(positions: &PositionSet) -> impl Iterator<Item = (u64, u32)> {
    let games: Vec<(u64, u32)> = positions.counts().collect();
    let rounds = ROUNDS.min(games.len());
    (0..rounds).flat_map(move |round| {
        let round = games.iter().skip(round).step_by(ROUNDS).copied();
        round.collect::<Vec<_>>()
    })
}
