//! Whether few positions are better put side by side before a heavy expression is evaluated for them.

use std::collections::{HashMap, HashSet};

use crate::expr::{Truth, hash_of};
use crate::lists::Terms;

/// What it costs to read a list for positions that lie side by side, in plane operations for a block of them.
const READING: f64 = 50.0;

/// Whether an expression costs less for the blocks that positions fill side by side than for the blocks in which they are. In
/// these, a condition that is asked at several distances is evaluated once.
pub(super) fn is_better_side_by_side(truth: &Truth, side_by_side: u32, live: u32) -> bool {
    let cost = truth.cost();
    let whole = cost_of_whole_blocks(truth, &mut HashSet::new()).min(cost);
    let reading = READING * lists_read(truth) as f64;
    f64::from(side_by_side) * (cost + reading) < f64::from(live) * whole
}

fn cost_of_whole_blocks(truth: &Truth, known: &mut HashSet<u64>) -> f64 {
    match truth {
        Truth::And(parts) | Truth::Or(parts) => parts.iter().map(|part| cost_of_whole_blocks(part, known)).sum(),
        Truth::Not(inner) => cost_of_whole_blocks(inner, known),
        Truth::After(_, inner) if !known.insert(hash_of(&**inner)) => 1.0,
        other => other.cost(),
    }
}

/// How many lists are read, each as often as the distances at which it is.
fn lists_read(truth: &Truth) -> usize {
    let mut by_distance = HashMap::new();
    collect(truth, 0, &mut by_distance);
    by_distance.values().map(Terms::count).sum()
}

fn collect(truth: &Truth, distance: i32, by_distance: &mut HashMap<i32, Terms>) {
    match truth {
        Truth::And(parts) | Truth::Or(parts) => parts.iter().for_each(|part| collect(part, distance, by_distance)),
        Truth::Not(inner) => collect(inner, distance, by_distance),
        Truth::After(ids, inner) => collect(inner, distance.saturating_add(*ids), by_distance),
        // Where these hold is known.
        Truth::Temporal(_) => {}
        other => by_distance.entry(distance).or_insert_with(Terms::none).truth(other),
    }
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use shakmaty::{Bitboard, Color, Role};

    use super::*;
    use crate::expr::SetExpr;

    /// Some white men attack the black queen.
    fn attacked(men: &[Role]) -> Truth {
        let man = |color, role| ManSet::from_man(Man::new(color, role));
        let white = men
            .iter()
            .fold(ManSet::NONE, |all, &role| all | man(Color::White, role));
        let set = |men| Box::new(SetExpr::Contents(men, Bitboard::FULL));
        Truth::Any(Box::new(SetExpr::Attacks(
            set(white),
            set(man(Color::Black, Role::Queen)),
        )))
    }

    #[test]
    fn conditions_at_several_distances_are_evaluated_for_whole_blocks_for_longer() {
        let one = attacked(&[Role::Queen, Role::Rook]);
        let distances = [1, 3, 5, 7, 9];
        let all = Truth::all(distances.map(|ids| Truth::After(ids, Box::new(one.clone()))));
        assert!(is_better_side_by_side(&one, 1, 100));
        assert!(is_better_side_by_side(&all, 1, 1_000));
        assert!(!is_better_side_by_side(&all, 1, 4));
        // As many positions, but one distance.
        let once = Truth::After(1, Box::new(one));
        let fewest = |truth: &Truth| (1..).find(|&live| is_better_side_by_side(truth, 1, live));
        assert!(fewest(&all) > fewest(&once).map(|live| 3 * live));
    }

    #[test]
    fn lists_are_counted_for_each_distance_at_which_they_are_read() {
        let knights = attacked(&[Role::Knight]);
        let here = lists_read(&knights);
        assert_eq!(here, 2 * 64);
        let later = Truth::After(2, Box::new(knights.clone()));
        assert_eq!(lists_read(&Truth::all([knights.clone(), later])), 2 * here);
        let others = attacked(&[Role::Knight, Role::Pawn]);
        assert_eq!(lists_read(&Truth::any([knights, others])), here + 64);
    }
}
