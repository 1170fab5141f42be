//! `:relation` of CQL 1: a later position with the same diagram, more or less (docs/language/cql1.md#relation).

use super::{Designator, Filter, NumberRange};

/// Which later positions are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiagramScope {
    /// Those of the main line.
    Mainline,
    /// All.
    All,
    /// Those of variations.
    Variations,
}

/// Whether some later position relates to the current one.
#[derive(Clone, Debug, Hash)]
pub struct DiagramRelation {
    /// `:pattern`: the squares that are compared, as designators of the list around; `None` for all squares.
    pub area: Option<Vec<Filter>>,
    /// `:shift`: the later diagram may be moved.
    pub shift: bool,
    /// `:flip`: the later diagram may be turned and mirrored.
    pub flip: bool,
    /// The men that may be missing later. Transforms of the list around do not touch what stands inside.
    pub missing: Designator,
    /// How many have to be.
    pub missing_range: NumberRange,
    /// The men that may be new later.
    pub new: Designator,
    /// How many have to be.
    pub new_range: NumberRange,
    /// `:originalsamecount`: how many men stand where they stood, the later diagram not moved.
    pub same: Option<NumberRange>,
    /// `:originaldifferentcount`: how many squares differ, the later diagram not moved.
    pub different: Option<NumberRange>,
    /// Whether the side to move is the same, or the other; `None` if it does not matter.
    pub same_side: Option<bool>,
    /// Where to look.
    pub scope: DiagramScope,
}
