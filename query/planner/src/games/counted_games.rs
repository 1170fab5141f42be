//! The games that have moves as often as a temporal expression needs them.

use std::sync::Arc;

use super::Evaluation;
use super::spans::GameMarks;
use crate::expr::{MoveGroup, MoveTimes, TemporalOp, Truth, Ways, outer_temporals};
use crate::positions::{PositionSet, Ranks};
use crate::sweep::Scratch;

/// Ways that are not moves may cost this much, in plane operations for a block: they are asked twice.
const MOST_FOR_OTHERS: f64 = 1_000.0;

impl Evaluation<'_> {
    /// Those of some whole games that have the moves that a temporal expression needs as often as it needs them. The moves of
    /// a game are counted while they are read, which takes less time than to look where each of many conditions holds.
    pub(super) fn with_enough_moves(
        &self,
        op: &TemporalOp,
        games: PositionSet,
        marks: &GameMarks,
        scratch: &mut Scratch,
    ) -> PositionSet {
        // Moves of variations are not read.
        match marks.branching.is_empty() {
            true => MoveTimes::of(op)
                .iter()
                .fold(games, |games, times| self.that_have(times, games, marks, scratch)),
            false => games,
        }
    }

    fn that_have(
        &self,
        times: &MoveTimes<'_>,
        games: PositionSet,
        marks: &GameMarks,
        scratch: &mut Scratch,
    ) -> PositionSet {
        let Ways { moves, mut others } = Ways::of(times.condition);
        let (moves, by_lists): (Vec<&Truth>, Vec<&Truth>) = moves.into_iter().partition(|way| counted(way).is_some());
        others.extend(by_lists);
        let others = Truth::any(others.into_iter().cloned().collect::<Vec<_>>());
        let is_cheap = || outer_temporals(&others).is_empty() && others.cost() < MOST_FOR_OTHERS;
        let (Some(first), Some(last)) = (marks.games.first(), marks.games.last()) else {
            return games;
        };
        let Some((group, conditions)) = in_one_group(&moves) else {
            return games;
        };
        // Few games are looked through as they are.
        if others != Truth::Never && (games.is_sparse() || !is_cheap()) {
            return games;
        }
        let others = match others {
            Truth::Never => None,
            others => Some(self.find(&others, first.start..last.end, scratch).into_positions()),
        };
        let others = others.as_ref().filter(|others| !others.is_empty()).map(Ranks::of);
        self.moves.read(group, |from| games.first_from(from));
        let mut kept = games.empty();
        self.moves.ask_counts(group, |known| {
            games.each_game(marks, |index, game| {
                let of_moves = conditions.iter().map(|&condition| known.of(condition, index));
                let of_others = others.iter().map(|others| others.count_in(game));
                if of_moves.chain(of_others).fold(0, u32::saturating_add) >= times.least {
                    kept.set_range(game.clone(), true);
                }
            });
        });
        kept
    }
}

/// The group of conditions on the next move whose games are counted, and the numbers of some of them there; `None` if they have
/// no such group, or several.
fn in_one_group<'t>(moves: &[&'t Truth]) -> Option<(&'t Arc<MoveGroup>, Vec<usize>)> {
    let mut moves = moves.iter().filter_map(|truth| counted(truth)).peekable();
    let (group, _) = *moves.peek()?;
    let numbers: Option<Vec<usize>> = moves
        .map(|(other, number)| Arc::ptr_eq(group, other).then_some(number))
        .collect();
    Some((group, numbers?))
}

/// Where the games are counted in which a condition on the next move holds.
fn counted(truth: &Truth) -> Option<(&Arc<MoveGroup>, usize)> {
    match truth {
        Truth::Move(next) => next.place().filter(|(group, _)| group.is_counted()),
        _ => None,
    }
}
