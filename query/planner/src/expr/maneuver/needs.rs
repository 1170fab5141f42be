//! What a maneuver needs whatever way it takes, to leave out most men before anything is played through.

use shakmaty::{Bitboard, Square};

use super::state::State;
use super::{Action, Check, Spot};

/// The actions up to the first branch and those behind the last place that one leads to: no way leaves them out.
fn certain(actions: &[Action]) -> impl Iterator<Item = (usize, &Action)> {
    let is_branch = |action: &Action| matches!(action, Action::Either(..) | Action::Goto(_));
    let first = actions.iter().position(is_branch).unwrap_or(actions.len());
    let targets = actions.iter().enumerate().map(|(at, action)| match action {
        Action::Either(a, b) => *a.max(b),
        Action::Goto(_) => at + 1,
        _ => 0,
    });
    let end = targets.max().unwrap_or(0).max(first);
    let all = actions.iter().enumerate();
    all.filter(move |(at, _)| *at < first || *at >= end)
}

/// The men that have to come to a square, as far as it is one of the beginning or that of a variable that is not set later than
/// the man is chosen.
pub(super) fn visits(actions: &[Action]) -> Vec<(usize, Spot)> {
    let is_choice = |action: &Action| matches!(action, Action::Join | Action::JoinAnyTime);
    let joined = actions.iter().position(is_choice).unwrap_or(0);
    let is_set = |variable: usize, man: usize| {
        let from = if man == 0 { 0 } else { joined };
        let mut later = actions[from..].iter();
        later.any(|action| matches!(action, Action::Set(set, _) if *set == variable))
    };
    let mut visits = Vec::new();
    for (_, action) in certain(actions) {
        match action {
            Action::Move {
                man: Some(man),
                to: Some(to),
                ..
            } => visits.push((*man, *to)),
            Action::Test(check) => check.visits(&mut visits),
            _ => {}
        }
    }
    visits.retain(|&(man, spot)| match spot {
        Spot::First(_) => true,
        Spot::Variable(variable) => !is_set(variable, man),
        _ => false,
    });
    visits
}

/// A bit for each kind of move that a man makes whatever happens. Kinds from the 65th on have no bit and are left out: a plan
/// with that many does without maneuvers.
pub(super) fn needed_kinds(actions: &[Action], kinds: &[usize], man: usize) -> u64 {
    let is_made = |action: &Action| matches!(action, Action::Move { man: Some(mover), .. } if *mover == man);
    let made = certain(actions).filter(|(_, action)| is_made(action));
    let bit = |kind: usize| u32::try_from(kind).ok().and_then(|kind| 1u64.checked_shl(kind));
    made.filter_map(|(at, _)| bit(kinds[at])).fold(0, |all, bit| all | bit)
}

/// Whether a man is captured whatever happens.
pub(super) fn is_captured(actions: &[Action], man: usize) -> bool {
    certain(actions).any(|(_, action)| *action == Action::Captured(man))
}

/// A move that the first man makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FirstMove {
    /// Of which kind it is.
    pub(super) kind: usize,
    /// Whether the second man has to come to where it leads.
    pub(super) is_for_two: bool,
}

/// The moves of the first man with which it begins.
pub(super) fn first_moves(actions: &[Action], kinds: &[usize], visited_when_set: &[usize]) -> Vec<FirstMove> {
    let mut moves: Vec<FirstMove> = Vec::new();
    for (&kind, action) in kinds.iter().zip(actions) {
        match (action, moves.last_mut()) {
            (Action::Move { man: Some(0), .. }, _) => moves.push(FirstMove {
                kind,
                is_for_two: false,
            }),
            (Action::Set(variable, Spot::To), Some(last)) => last.is_for_two |= visited_when_set.contains(variable),
            (Action::Test(_) | Action::Set(..), _) => {}
            _ => break,
        }
    }
    moves
}

/// Whether no way leaves out the choice of the second man where it has not moved yet.
pub(super) fn always_joins(actions: &[Action]) -> bool {
    certain(actions).any(|(_, action)| *action == Action::Join)
}

/// How many times are looked at, at most, where something has to hold behind the choice of the second man.
pub(super) const MOST_LATER: usize = 4;

/// What has to hold at one time behind the choice of the second man.
#[derive(Debug, PartialEq)]
pub(super) struct Later {
    checks: Vec<Check>,
    /// Whether the second man may have moved by then.
    may_have_moved: bool,
    /// Whether it has moved by then, whatever happens.
    has_moved: bool,
}

/// What has to hold behind the choice of the second man, if the first one has made its last move by then and no variable is
/// set.
pub(super) fn later_checks(actions: &[Action]) -> Vec<Later> {
    let Some(joined) = actions.iter().position(|action| *action == Action::Join) else {
        return Vec::new();
    };
    let changes = |action: &Action| match action {
        Action::Move { man, .. } => *man != Some(1),
        Action::Set(..) => true,
        _ => false,
    };
    if actions[joined..].iter().any(changes) {
        return Vec::new();
    }
    let certain: Vec<usize> = certain(actions).map(|(at, _)| at).collect();
    let mut all: Vec<Later> = Vec::new();
    let (mut may_have_moved, mut has_moved, mut is_same_time) = (false, false, false);
    for (at, action) in actions.iter().enumerate().skip(joined + 1) {
        let is_certain = certain.contains(&at);
        match action {
            Action::Test(check) if is_certain => match all.last_mut().filter(|_| is_same_time) {
                Some(later) => later.checks.push(check.clone()),
                None => {
                    all.push(Later {
                        checks: vec![check.clone()],
                        may_have_moved,
                        has_moved,
                    });
                    is_same_time = true;
                }
            },
            _ => {
                is_same_time = false;
                may_have_moved |= matches!(action, Action::Move { .. });
                has_moved |= is_certain && matches!(action, Action::Move { .. });
            }
        }
    }
    all.truncate(MOST_LATER);
    all
}

impl Later {
    /// The squares where the second man can stand when that holds.
    pub(super) fn squares(&self, state: &State) -> Bitboard {
        let is_known = |spot| match spot {
            Spot::First(0) | Spot::Now(0) => true,
            Spot::From | Spot::To => !self.may_have_moved,
            _ => false,
        };
        let squares = self
            .checks
            .iter()
            .map(|check| check.squares_of_second(state, &is_known));
        squares.fold(Bitboard::FULL, |all, squares| all & squares)
    }

    /// Whether the second man has moved by then, whatever happens.
    pub(super) fn has_moved(&self) -> bool {
        self.has_moved
    }

    /// Where the second man may stand by then that stands on a square and then goes to others.
    pub(super) fn reached(&self, from: Square, to: Bitboard) -> Bitboard {
        match self.has_moved {
            true => to,
            false => to | Bitboard::from_square(from),
        }
    }
}

/// Whether what always has to hold can hold if both men are one.
pub(super) fn can_be_same(actions: &[Action]) -> bool {
    certain(actions).all(|(_, action)| match action {
        Action::Test(check) => check.can_be_of_one(),
        _ => true,
    })
}

/// The variables that get their only value before the second man is chosen, to whose squares that man has to come. They are set
/// on every way, once.
pub(super) fn visited_when_set(actions: &[Action], visits: &[(usize, Spot)]) -> Vec<usize> {
    let sets = |action: &Action| match action {
        Action::Set(variable, _) => Some(*variable),
        _ => None,
    };
    let is_set_once = |variable: usize| actions.iter().filter_map(sets).filter(|set| *set == variable).count() == 1;
    let is_choice = |action: &Action| matches!(action, Action::Join | Action::JoinAnyTime);
    let before = actions.iter().position(is_choice).unwrap_or(0);
    let on_every_way = certain(actions).take_while(|(at, _)| *at < before);
    let variables = on_every_way.filter_map(|(_, action)| sets(action));
    variables
        .filter(|&variable| is_set_once(variable) && visits.contains(&(1, Spot::Variable(variable))))
        .collect()
}

impl Check {
    /// Whether it can hold if both men are one, which never stands on two squares of a line.
    fn can_be_of_one(&self) -> bool {
        let of_one = |spot: Spot| match spot {
            Spot::Now(_) => Spot::Now(0),
            Spot::First(_) => Spot::First(0),
            other => other,
        };
        match self {
            Check::Same(..) | Check::Apart(..) | Check::Beside(_) | Check::OtherMoves(_) => true,
            Check::Line(spots) => {
                let squares = spots.iter().enumerate();
                !squares
                    .clone()
                    .any(|(at, &spot)| spots[at + 1..].iter().any(|&other| of_one(other) == of_one(spot)))
            }
            Check::All(parts) => parts.iter().all(Check::can_be_of_one),
            Check::Any(parts) => parts.iter().any(Check::can_be_of_one),
        }
    }

    fn visits(&self, visits: &mut Vec<(usize, Spot)>) {
        match *self {
            Check::Same(Spot::Now(man), Spot::First(of)) | Check::Same(Spot::First(of), Spot::Now(man))
                if man != of =>
            {
                visits.push((man, Spot::First(of)));
            }
            Check::All(ref parts) => parts.iter().for_each(|part| part.visits(visits)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use language::hir::ManSet;

    use super::super::super::move_pattern::MovePattern;
    use super::*;

    #[test]
    fn more_kinds_of_moves_than_bits_are_no_error() {
        let moved = || Action::Move {
            man: Some(0),
            pattern: MovePattern::of(ManSet::WHITE),
            to: None,
        };
        assert_eq!(needed_kinds(&[moved(), moved(), moved()], &[3, 64, 200], 0), 1 << 3);
    }

    #[test]
    fn a_man_is_captured_where_no_way_leaves_that_out() {
        let captured = |man| [Action::Captured(0), Action::Captured(1)].map(|action| is_captured(&[action], man));
        assert_eq!(captured(0), [true, false]);
        assert_eq!(captured(1), [false, true]);
        assert!(!is_captured(&[Action::Either(1, 2), Action::Captured(0)], 0));
    }
}
