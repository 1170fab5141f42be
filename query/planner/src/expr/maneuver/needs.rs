//! What a maneuver needs whatever way it takes, to leave out most men before anything is played through.

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

/// What has to hold at some time behind the choice of the second man.
#[derive(Debug, Default)]
pub(super) struct Later {
    pub(super) checks: Vec<Check>,
    /// Whether the second man makes a move before.
    pub(super) moves_before: bool,
}

/// What has to hold behind the choice of the second man, if the first one has made its last move by then and no variable is
/// set.
pub(super) fn later_checks(actions: &[Action]) -> Later {
    let Some(joined) = actions.iter().position(|action| *action == Action::Join) else {
        return Later::default();
    };
    let changes = |action: &Action| match action {
        Action::Move { man, .. } => *man != Some(1),
        Action::Set(..) => true,
        _ => false,
    };
    if actions[joined..].iter().any(changes) {
        return Later::default();
    }
    let mut later = Later::default();
    for (_, action) in certain(actions).filter(|(at, _)| *at > joined) {
        match action {
            Action::Test(check) => later.checks.push(check.clone()),
            Action::Move { man: Some(1), .. } => later.moves_before |= later.checks.is_empty(),
            _ => {}
        }
    }
    later
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

    use super::super::super::move_table::MovePattern;
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
}
