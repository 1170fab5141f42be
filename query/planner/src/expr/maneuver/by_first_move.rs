//! Where the second man of a maneuver has to come, by the only move that the first one makes before the second is chosen.
//!
//! Most moves lead nowhere: what they would have to cross has no room, or nobody comes there. That is known for each pair of
//! squares, before anything is played through.

use shakmaty::{Bitboard, Square};

use super::needs::Later;
use super::state::State;
use super::visitors::Others;
use super::{Action, Check, Spot};

/// How many pairs of squares there are.
const PAIRS: usize = 64 * 64;

/// By the squares of a move, where the second man has to come.
#[derive(Debug)]
pub(super) struct ByFirstMove {
    /// How many conditions there are on where it comes.
    conditions: usize,
    /// By pair of squares, the squares of each condition. It has to come to one of each.
    squares: Vec<Bitboard>,
}

impl ByFirstMove {
    /// Works it out for a maneuver; `None` if the first man may make more moves before, or nothing is known of the second one.
    /// `later` is what has to hold then, and `visits` are the men that have to come to a square.
    pub(super) fn of(actions: &[Action], later: &[Later], visits: &[(usize, Spot)]) -> Option<ByFirstMove> {
        let joined = actions.iter().position(|action| *action == Action::Join)?;
        let before = &actions[..joined];
        let is_plain = |action: &Action| match action {
            Action::Move { man, .. } => *man == Some(0),
            Action::Test(_) | Action::Set(..) => true,
            _ => false,
        };
        let moves = before.iter().filter(|action| matches!(action, Action::Move { .. }));
        if moves.count() != 1 || !before.iter().all(is_plain) {
            return None;
        }
        let later: Vec<&Later> = later.iter().filter(|later| later.has_moved()).collect();
        let visits = visits.iter().filter(|(man, spot)| *man == 1 && !spot.is_about(1));
        let visits: Vec<Spot> = visits.map(|&(_, spot)| spot).collect();
        let conditions = later.len() + visits.len();
        if conditions == 0 {
            return None;
        }
        let mut squares = Vec::with_capacity(conditions * PAIRS);
        for from in Square::ALL {
            for to in Square::ALL {
                match begun(before, from, to) {
                    Some(state) => {
                        squares.extend(later.iter().map(|later| later.squares(&state)));
                        squares.extend(visits.iter().map(|&spot| state.squares(spot)));
                    }
                    None => squares.extend(std::iter::repeat_n(Bitboard::EMPTY, conditions)),
                }
            }
        }
        let says_something = squares.iter().any(|&squares| squares != Bitboard::FULL);
        says_something.then_some(ByFirstMove { conditions, squares })
    }

    /// Those of some men that come to all squares to which the second man has to come after a move.
    #[inline]
    pub(super) fn that_can_follow<'v>(&self, from: Square, to: Square, men: Others<'v>) -> Others<'v> {
        let first = (usize::from(from) * 64 + usize::from(to)) * self.conditions;
        let conditions = self.squares[first..].iter().take(self.conditions);
        conditions.fold(men, |men, &squares| match squares {
            Bitboard::FULL => men,
            squares => men.that_come_to_one_of(squares),
        })
    }
}

/// The state behind a move of the first man and what is asked with it; `None` if that can't hold.
fn begun(actions: &[Action], from: Square, to: Square) -> Option<State> {
    let mut state = State::at(from);
    for action in actions {
        match action {
            Action::Move { to: target, .. } => {
                state.last = Some((from, to));
                state.now[0] = to;
                if target.is_some_and(|target| !Check::Same(target, Spot::To).can_hold(&mut state)) {
                    return None;
                }
            }
            Action::Test(check) if !check.can_hold(&mut state) => return None,
            Action::Set(variable, spot) => state.variables[*variable] = state.squares(*spot),
            _ => {}
        }
    }
    Some(state)
}

#[cfg(test)]
mod tests {
    use language::hir::ManSet;

    use super::super::needs::{later_checks, visits};
    use super::*;
    use crate::expr::move_pattern::MovePattern;

    fn moved(man: usize, to: Option<Spot>) -> Action {
        Action::Move {
            man: Some(man),
            pattern: MovePattern::of(ManSet::WHITE),
            to,
        }
    }

    #[test]
    fn the_second_man_comes_to_what_the_first_one_crosses() {
        let crossed = Spot::Variable(0);
        let crosses = Action::Test(Check::Line(vec![Spot::First(0), crossed, Spot::Now(0)]));
        let follows = moved(1, Some(crossed));
        let actions = [moved(0, None), crosses, Action::Join, follows.clone()];
        let by_move = ByFirstMove::of(&actions, &later_checks(&actions), &visits(&actions));
        let by_move = by_move.expect("the first man makes one move");
        let squares = |from, to| by_move.squares[usize::from(from) * 64 + usize::from(to)];
        assert_eq!(
            squares(Square::A1, Square::D1),
            Bitboard::from(Square::B1) | Bitboard::from(Square::C1)
        );
        assert_eq!(squares(Square::A1, Square::B1), Bitboard::EMPTY);
        // Another move may come before.
        let more = [moved(0, None), moved(0, None), Action::Join, follows];
        assert!(ByFirstMove::of(&more, &later_checks(&more), &visits(&more)).is_none());
    }
}
