//! Positions that were not in the game (docs/language/cqli.md#imagined-positions).

use shakmaty::Color;

use super::{Designator, Filter};

/// A change that `imagine` makes to the board.
#[derive(Clone, Debug, Hash)]
pub enum Change {
    /// `remove S`: the squares become empty.
    Remove(Filter),
    /// `add Qd4`, `add Q on S`: the man stands on these squares, in the place of what was there.
    Add {
        /// One kind of man; its squares, if no set is given.
        man: Designator,
        /// S
        squares: Option<Filter>,
    },
    /// `move S to T`: the man on the only square of S stands on the only square of T.
    Move(Filter, Filter),
    /// `sidetomove white`, `sidetomove black`
    Turn(Color),
    /// `sidetomove reverse`
    OtherTurn,
}
