//! `relation` of CQL 5 and `:relation` of CQL 1: what must hold at its source, and somewhere else in the game.

use std::ops::RangeInclusive;

use chess::Man;
use language::hir::{
    Comparison, Designator, DiagramRelation, DiagramScope, ManSet, NumberRange, Relation, RelationParameter,
    SquareComparison,
};
use shakmaty::Bitboard;

use super::Lowering;
use super::alike::InCommon;
use super::scope::Way;
use crate::expr::{Alike, Candidates, NumberExpr, SetExpr, Truth, Turns};

impl<'q> Lowering<'q> {
    /// Where a relation may match. The comparison of boards that are turned or moved is left to the evaluator.
    pub(super) fn relation_truth(&mut self, relation: &'q Relation) -> Candidates {
        let (mut source, mut target) = (Vec::new(), Vec::new());
        for filter in &relation.targets {
            target.push(self.truth_elsewhere(None, filter));
        }
        let mut alike = Alike::any();
        let mut exact = true;
        for parameter in &relation.parameters {
            match parameter {
                RelationParameter::Ancestor => alike.after = false,
                RelationParameter::Descendant => alike.before = false,
                RelationParameter::SideToMove(same) => alike.add(&InCommon::Turns(turns(*same))),
                RelationParameter::Squares(squares) => {
                    match same_squares(squares) {
                        Some(range) => alike.add(&InCommon::Contents(range)),
                        None => exact = false,
                    }
                    if squares.matching.min > 0 || squares.mismatching.min > 0 {
                        // Some square has to be compared.
                        if let Some(set) = &squares.source {
                            source.push(self.truth(set).truth);
                        }
                        if let Some(set) = &squares.target {
                            target.push(Candidates::at_most(self.truth_elsewhere(None, set).truth));
                        }
                    }
                }
                RelationParameter::Distance { .. } | RelationParameter::CommonMoves { .. } => exact = false,
            }
        }
        let target = Candidates::all(target);
        let exact = exact && target.exact && !self.variations;
        let target = Candidates::new(target.truth, exact);
        let found = match (alike.before, alike.after) {
            // Later ids are not always later in the game.
            _ if self.variations => self.in_game(target),
            _ if !alike.compares_nothing() || alike.turns.is_some() => self.alike(target, alike),
            (before, after) => {
                let ways = [(after, Way::Forward), (before, Way::Backward)].into_iter();
                let ways = ways.filter(|(is_possible, _)| *is_possible).map(|(_, way)| {
                    let further = self.eventually(way, target.clone());
                    self.one_move_away(way, further)
                });
                Candidates::any(ways.collect::<Vec<_>>())
            }
        };
        Candidates::both(Candidates::new(Truth::all(source), exact), found)
    }

    /// Where a later position may have a diagram that is nearly the same.
    pub(super) fn diagram_truth(&mut self, relation: &DiagramRelation) -> Candidates {
        if self.variations || relation.scope != DiagramScope::Mainline {
            return Candidates::UNKNOWN;
        }
        let mut alike = Alike {
            before: false,
            ..Alike::any()
        };
        if let Some(same) = relation.same_side {
            alike.add(&InCommon::Turns(turns(same)));
        }
        // Men that are shifted beyond the edge of the board are not compared.
        if relation.area.is_none() && !relation.shift {
            // The men of other kinds are all there in both.
            let changing =
                changing(relation.missing, relation.missing_range) | changing(relation.new, relation.new_range);
            for man in Man::all().filter(|&man| !changing.contains(man)) {
                let men = || SetExpr::Contents(ManSet::from_man(man), Bitboard::FULL);
                alike.add(&match relation.flip {
                    true => InCommon::Numbers(Comparison::Equal, [men(), men()].map(NumberExpr::Count)),
                    false => InCommon::Sets([men(), men()]),
                });
            }
            if !relation.flip {
                // All that differs is missing later, or new.
                let (missing, new) = (relation.missing_range, relation.new_range);
                let [min, max] = [
                    missing.min.max(0).saturating_add(new.min.max(0)),
                    missing.max.saturating_add(new.max),
                ];
                alike.add(&InCommon::Contents(not_of_64(NumberRange { min, max })));
            }
        }
        if let (None, Some(different)) = (&relation.area, relation.different) {
            alike.add(&InCommon::Contents(not_of_64(different)));
        }
        match alike.compares_nothing() {
            true => Candidates::UNKNOWN,
            false => Candidates::at_most(self.alike(Candidates::EVERYWHERE, alike).truth),
        }
    }
}

/// The men that may be missing or new.
fn changing(designator: Designator, range: NumberRange) -> ManSet {
    match range.max > 0 && designator.squares.any() {
        true => designator.men,
        false => ManSet::NONE,
    }
}

fn turns(same: bool) -> Turns {
    if same { Turns::Same } else { Turns::Different }
}

/// How many squares have the same contents, if all are compared, and the board is not turned or moved.
fn same_squares(squares: &SquareComparison) -> Option<RangeInclusive<u32>> {
    if squares.source.is_some() || squares.target.is_some() || squares.echo.is_some() {
        return None;
    }
    let (same, other) = (of_64(squares.matching), not_of_64(squares.mismatching));
    Some(*same.start().max(other.start())..=*same.end().min(other.end()))
}

/// The numbers of squares in a range.
fn of_64(range: NumberRange) -> RangeInclusive<u32> {
    let number = |number: i32| u32::try_from(number.clamp(0, 64)).unwrap_or(0);
    match range.max < 0 || range.min > 64 {
        true => RangeInclusive::new(1, 0),
        false => number(range.min)..=number(range.max),
    }
}

/// The numbers of squares that are left if those of a range are taken away.
fn not_of_64(range: NumberRange) -> RangeInclusive<u32> {
    let range = of_64(range);
    match range.is_empty() {
        true => range,
        false => 64 - range.end()..=64 - range.start(),
    }
}
