//! Filters at other positions of the game, and what a value that was given at one position says at another one.

use language::hir::ManSet;
use shakmaty::Bitboard;

use super::Lowering;
use super::bounds::SetBounds;
use super::frames::Frame;
use super::scope::Way;
use crate::expr::{SetExpr, Truth};

/// A man is followed over so many plies.
pub(super) const MOST_FOLLOWED: i32 = 3;

impl Lowering<'_> {
    /// A filter at another position: after moves, before them, or anywhere in the game.
    pub(super) fn elsewhere<T>(&mut self, way: Option<Way>, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.enter(way == Some(Way::Forward), None);
        let value = lower(self);
        self.scope.frame = outer;
        value
    }

    /// A filter so many plies later, or earlier. In variations it is not known which position that is.
    pub(super) fn plies_on<T>(&mut self, plies: i32, lower: impl FnOnce(&mut Self) -> T) -> T {
        let known = (!self.variations).then_some(plies);
        let outer = self.scope.enter(plies >= 0, known);
        let value = lower(self);
        self.scope.frame = outer;
        value
    }

    /// A filter at the position of a frame.
    pub(super) fn within<T>(&mut self, frame: Frame, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope.frame, frame);
        let value = lower(self);
        self.scope.frame = outer;
        value
    }
}

impl SetBounds {
    /// The set that is this one so many ids later; `None` if that is too far.
    pub(super) fn after(&self, ids: i32) -> Option<SetBounds> {
        let reach = self.may().reach().max(self.must().reach());
        if reach + ids.abs() > Truth::REACH {
            return None;
        }
        Some(SetBounds::map_list(vec![self.clone()], false, |mut sets| {
            after(ids, sets.swap_remove(0))
        }))
    }
}

/// A set so many ids later. Squares don't move.
fn after(ids: i32, set: SetExpr) -> SetExpr {
    match set {
        set @ SetExpr::Constant(_) => set,
        SetExpr::After(others, inner) => after(ids + others, *inner),
        set if ids == 0 => set,
        set => SetExpr::After(ids, Box::new(set)),
    }
}

/// The squares where a man may stand that was on one of some squares so many plies before, where each man that it can be is
/// one of some kinds.
pub(super) fn carried(squares: &SetExpr, men: ManSet, plies: i32) -> SetExpr {
    let now = SetExpr::Contents(men, Bitboard::FULL);
    let before = |plies: i32| after(-plies, now.clone());
    let stood = (1..=plies).map(before).collect();
    let moved = SetExpr::Complement(Box::new(SetExpr::intersection(stood)));
    SetExpr::intersection(vec![
        now.clone(),
        SetExpr::Union(vec![after(-plies, squares.clone()), moved]),
    ])
}
