//! Moves whose target is said by where they begin, `piece X in A X--up 1 X`, or by where men stand, `Q--up 1 Q`.

use std::sync::Arc;

use language::hir::{Directions, Filter, ManSet, Node, Range, VariableId};
use shakmaty::{Bitboard, Square};

use super::moved_men::{comes, leaves};
use crate::expr::{MovePattern, NextMove, SetExpr, Truth};
use crate::geometry::step;

/// Where a piece may go, by the square where it stands.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) struct Reach([Bitboard; 64]);

/// What was lowered for moves of certain men that go where a [`Reach`] says: a loop over the piece that moves asks for it on each
/// of its squares.
pub(super) type ReachesLowered = Vec<(Reach, ManSet, Truth)>;

impl Reach {
    /// Where the piece of a variable may go if it goes to a square of a set; `None` if that does not depend on where it
    /// stands.
    pub(super) fn of(mover: Option<VariableId>, to: Option<&Filter>) -> Option<Reach> {
        let (mover, to) = (mover?, to?);
        let from = Square::ALL.map(|square| squares(to, mover, square));
        from.iter().any(|squares| *squares != from[0]).then_some(Reach(from))
    }

    /// Where the piece of a variable may go if it goes to a square of a set that does not depend on where it stands.
    pub(super) fn fixed(mover: VariableId, to: &Filter) -> Bitboard {
        squares(to, mover, Square::A1)
    }

    /// By square of origin, where to.
    pub(super) fn by_origin(&self) -> Arc<[Bitboard; 64]> {
        Arc::new(self.0)
    }

    /// Where the next move is such a one, made by one of these men.
    pub(super) fn truth(&self, movers: ManSet, known: &mut ReachesLowered) -> Truth {
        if let Some((.., truth)) = known.iter().find(|(reach, men, _)| *men == movers && reach == self) {
            return truth.clone();
        }
        let truth = self.lowered(movers);
        known.push((self.clone(), movers, truth.clone()));
        truth
    }

    fn lowered(&self, movers: ManSet) -> Truth {
        let pattern = MovePattern {
            reach: Some(self.by_origin()),
            ..MovePattern::of(movers)
        };
        let listed = Square::ALL.map(|square| {
            let goes = |to: Bitboard| {
                to.into_iter()
                    .flat_map(move |to| movers.iter().map(move |man| comes(man, to)))
            };
            let leaves = movers.iter().map(|man| leaves(man, square));
            Truth::all([Truth::any(leaves), Truth::any(goes(self.0[usize::from(square)]))])
        });
        NextMove::truth(pattern, Truth::any(listed))
    }
}

/// Where a set has the squares some steps away from certain men: these men, and by square where one of them has to stand for
/// the square to be in the set.
pub(super) fn near(set: &SetExpr) -> Option<(ManSet, Arc<[Bitboard; 64]>)> {
    let SetExpr::Steps {
        directions,
        min,
        max,
        from,
    } = set
    else {
        return None;
    };
    let SetExpr::Contents(men, squares) = **from else {
        return None;
    };
    let mut by_target = [Bitboard::EMPTY; 64];
    for from in squares {
        for target in steps(from, *directions, *min, *max) {
            by_target[usize::from(target)].add(from);
        }
    }
    Some((men, Arc::new(by_target)))
}

/// The squares some steps away.
fn steps(from: Square, directions: Directions, min: i32, max: i32) -> Bitboard {
    let steps = directions.iter().flat_map(|direction| {
        let (dx, dy) = direction.delta();
        (min..=max).filter_map(move |steps| step(from, dx * steps, dy * steps))
    });
    steps.collect()
}

/// The squares that a set has at most while the piece of a variable stands on a square.
fn squares(set: &Filter, piece: VariableId, at: Square) -> Bitboard {
    match &set.node {
        Node::Variable(variable) if *variable == piece => at.into(),
        Node::Designator(designator) => designator.squares,
        Node::NoTransform(inner) => squares(inner, piece, at),
        Node::Union(parts) => parts
            .iter()
            .fold(Bitboard::EMPTY, |all, part| all | squares(part, piece, at)),
        Node::Intersection(parts) => parts
            .iter()
            .fold(Bitboard::FULL, |all, part| all & squares(part, piece, at)),
        Node::SquareColor(light, inner) => {
            let color = if *light {
                Bitboard::LIGHT_SQUARES
            } else {
                Bitboard::DARK_SQUARES
            };
            squares(inner, piece, at) & color
        }
        Node::Direction {
            directions,
            range,
            argument,
        } => {
            let Some((min, max)) = Range::steps(range.as_ref()) else {
                return Bitboard::FULL;
            };
            let from = squares(argument, piece, at).into_iter();
            from.fold(Bitboard::EMPTY, |all, from| all | steps(from, *directions, min, max))
        }
        _ => Bitboard::FULL,
    }
}
