//! `relation`, the comparison of two positions of a game in CQL 5 (docs/language/cql5.md#relation).

use super::{Filter, NumberRange, SortId};
use crate::transform::{Map, Transform};

/// `relation F ... PARAMETER ...`: some other position of the game, the target, satisfies the filters and all
/// parameters; the current position is the source.
#[derive(Clone, Debug, Hash)]
pub struct Relation {
    /// `silent`: the pairs are not noted in the game.
    pub quiet: bool,
    /// What has to match at the target.
    pub targets: Vec<Filter>,
    /// How source and target have to be related, one parameter at least.
    pub parameters: Vec<RelationParameter>,
}

/// One condition on source and target.
#[derive(Clone, Debug, Hash)]
pub enum RelationParameter {
    /// `(tomove match)` (true), `(tomove mismatch)` (false)
    SideToMove(bool),
    /// `(ancestor)`: the target comes before the source in its line.
    Ancestor,
    /// `(descendant)`: the target comes after the source in its line.
    Descendant,
    /// `(lcasource R)` and its like: half-moves from the latest common ancestor.
    Distance {
        /// Which distance.
        to: LcaDistance,
        /// What it has to be.
        range: NumberRange,
        /// `sort`
        sort: Option<SortId>,
    },
    /// `(lcasubstring R)`: the longest run of consecutive moves that the ways from the latest common ancestor share.
    CommonMoves {
        /// What its length has to be; one at least.
        range: NumberRange,
        /// `sort`
        sort: Option<SortId>,
    },
    /// `(sourcesquares S targetsquares T match R mismatch R)`, behind an echo transform or not.
    Squares(SquareComparison),
}

/// Which distance from the latest common ancestor is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LcaDistance {
    /// `lcasource`
    Source,
    /// `lcatarget`
    Target,
    /// `lcamax`
    Max,
    /// `lcasum`
    Sum,
}

/// How many squares of a comparison set have to have the same contents in source and target, and how many not.
#[derive(Clone, Debug, Hash)]
pub struct SquareComparison {
    /// `sourcesquares S`, evaluated at the source; `None` for all squares.
    pub source: Option<Filter>,
    /// `targetsquares S`, evaluated at the target; `None` for all squares.
    pub target: Option<Filter>,
    /// `match R`; 0 to 64 if the text has none.
    pub matching: NumberRange,
    /// `mismatch R`; 0 to 64 if the text has none.
    pub mismatching: NumberRange,
    /// The transform that the target is looked at through; `None` for the identity.
    pub echo: Option<EchoTransform>,
}

/// An echo transform: a set of maps without the identity (docs/language/cql5.md#echo-transforms).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EchoTransform {
    /// `echoflip`
    Flip,
    /// `echoflipvertical`
    FlipVertical,
    /// `echofliphorizontal`
    FlipHorizontal,
    /// `echorotate90`
    Rotate90,
    /// `echoshift`
    Shift,
    /// `echoshiftvertical`
    ShiftVertical,
    /// `echoshifthorizontal`
    ShiftHorizontal,
}

impl EchoTransform {
    /// All of them.
    pub const ALL: [EchoTransform; 7] = [
        EchoTransform::Flip,
        EchoTransform::FlipVertical,
        EchoTransform::FlipHorizontal,
        EchoTransform::Rotate90,
        EchoTransform::Shift,
        EchoTransform::ShiftVertical,
        EchoTransform::ShiftHorizontal,
    ];

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            EchoTransform::Flip => "echoflip",
            EchoTransform::FlipVertical => "echoflipvertical",
            EchoTransform::FlipHorizontal => "echofliphorizontal",
            EchoTransform::Rotate90 => "echorotate90",
            EchoTransform::Shift => "echoshift",
            EchoTransform::ShiftVertical => "echoshiftvertical",
            EchoTransform::ShiftHorizontal => "echoshifthorizontal",
        }
    }

    /// The maps, the identity never among them: the program of CQL 5.2 takes it for `echoflip`, against its manual.
    pub fn maps(self) -> Vec<Map> {
        let transform = match self {
            EchoTransform::Flip => Transform::Flip,
            EchoTransform::FlipVertical => Transform::FlipVertical,
            EchoTransform::FlipHorizontal => Transform::FlipHorizontal,
            EchoTransform::Rotate90 => Transform::Rotate90,
            EchoTransform::Shift => Transform::Shift,
            EchoTransform::ShiftVertical => Transform::ShiftVertical,
            EchoTransform::ShiftHorizontal => Transform::ShiftHorizontal,
        };
        transform.maps().into_iter().flatten().collect()
    }

    /// Whether the maps move the board as a whole, so that squares can leave it.
    pub fn is_shift(self) -> bool {
        matches!(
            self,
            EchoTransform::Shift | EchoTransform::ShiftVertical | EchoTransform::ShiftHorizontal
        )
    }
}

impl Relation {
    /// Whether a parameter sorts the games.
    pub fn is_sorted(&self) -> bool {
        self.parameters.iter().any(|parameter| {
            matches!(
                parameter,
                RelationParameter::Distance { sort: Some(_), .. }
                    | RelationParameter::CommonMoves { sort: Some(_), .. }
            )
        })
    }

    /// Whether a parameter asks for the latest common ancestor.
    pub fn asks_for_ancestor(&self) -> bool {
        self.parameters.iter().any(|parameter| {
            matches!(
                parameter,
                RelationParameter::Distance { .. } | RelationParameter::CommonMoves { .. }
            )
        })
    }
}
