//! What one or two men do move after move, and how the squares lie that they come from and go to.
//!
//! Lists know nothing of the squares of two moves together: that a rook crosses the square to which another rook goes later.
//! Where the moves of a game are read and its men are followed (`courses.rs`), a maneuver is played through from each of their
//! moves. It is an upper bound: what stands between the men, and what else is asked, is not looked at.

mod by_first_move;
mod needs;
mod play;
mod standing;
mod state;
mod visitors;

use language::hir::ManSet;

use super::move_pattern::MovePattern;

pub(super) use self::play::NumberedManeuver;

/// How many men have a part in a maneuver at most.
pub(crate) const MOST_MEN: usize = 2;

/// How many variables are followed at most.
pub(crate) const MOST_VARIABLES: usize = 4;

/// Moves of one or two men. From its beginning, only moves of its men count; between them others may move.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct Maneuver {
    /// What each man is where it begins.
    pub(crate) men: Vec<ManSet>,
    /// Whether the second man may be the first one.
    pub(crate) may_be_same: bool,
    /// Whether it counts, too, that one of the men is captured.
    pub(crate) counts_captures: bool,
    /// Whether castling is a move of the rook, too. If not, the rook then stands elsewhere without a move.
    pub(crate) castling_counts: bool,
    /// Whether it may hold after any number of moves of its men; otherwise the first man moves now.
    pub(crate) waits: bool,
    pub(crate) actions: Vec<Action>,
}

/// One thing that happens or has to hold; the next one is behind it, and there is a match behind the last one.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Action {
    /// One of the men makes such a move.
    Move {
        /// Which one, if that is known.
        man: Option<usize>,
        pattern: MovePattern,
        /// Where it goes, if that is a square that is spoken of.
        to: Option<Spot>,
    },
    /// This man is captured.
    Captured(usize),
    Test(Check),
    /// A variable gets a square.
    Set(usize, Spot),
    /// Goes on at one place or at the other.
    Either(usize, usize),
    Goto(usize),
    /// The second man is chosen. It has not moved since the beginning.
    Join,
    /// The second man is chosen, at any time since the beginning. From now on, only its moves count.
    JoinAnyTime,
}

/// A square that is spoken of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spot {
    /// Where a man stands.
    Now(usize),
    /// Where it stood at the beginning.
    First(usize),
    /// Where the last move came from.
    From,
    /// Where the last move went.
    To,
    /// A square that is not known but is the same wherever it is spoken of, or that was set.
    Variable(usize),
}

/// How squares lie.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Check {
    Same(Spot, Spot),
    /// On one line, in this order.
    Line(Vec<Spot>),
    /// On one line with at least this many squares between.
    Apart([Spot; 2], usize),
    /// Side by side.
    Beside([Spot; 2]),
    /// Others have made at least this many moves since the beginning.
    OtherMoves(u32),
    All(Vec<Check>),
    Any(Vec<Check>),
}

impl Maneuver {
    /// All moves that are made.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &MovePattern> {
        self.actions.iter().filter_map(|action| match action {
            Action::Move { pattern, .. } => Some(pattern),
            _ => None,
        })
    }
}

impl Spot {
    /// Whether it is a square of a man.
    pub(crate) fn is_about(self, man: usize) -> bool {
        self == Spot::Now(man) || self == Spot::First(man)
    }
}

impl Check {
    /// Whether it says something of a man.
    pub(crate) fn is_about(&self, man: usize) -> bool {
        match self {
            Check::Same(a, b) => a.is_about(man) || b.is_about(man),
            Check::Line(spots) => spots.iter().any(|spot| spot.is_about(man)),
            Check::Apart(spots, _) | Check::Beside(spots) => spots.iter().any(|spot| spot.is_about(man)),
            Check::OtherMoves(_) => false,
            Check::All(parts) | Check::Any(parts) => parts.iter().any(|part| part.is_about(man)),
        }
    }

    /// Where the last move has to lead, if that is all that is asked.
    pub(crate) fn target(&self) -> Option<Spot> {
        match *self {
            Check::Same(Spot::To, spot) | Check::Same(spot, Spot::To) if spot != Spot::From => Some(spot),
            Check::All(ref parts) if parts.len() == 1 => parts[0].target(),
            _ => None,
        }
    }

    /// Speaks of one spot instead of another.
    pub(crate) fn replace(&mut self, old: Spot, new: Spot) {
        let put = |spot: &mut Spot| {
            if *spot == old {
                *spot = new;
            }
        };
        match self {
            Check::Same(a, b) => [a, b].into_iter().for_each(put),
            Check::Line(spots) => spots.iter_mut().for_each(put),
            Check::Apart(spots, _) | Check::Beside(spots) => spots.iter_mut().for_each(put),
            Check::OtherMoves(_) => {}
            Check::All(parts) | Check::Any(parts) => parts.iter_mut().for_each(|part| part.replace(old, new)),
        }
    }
}
