//! Filters about moves (docs/language/moves.md).

use super::{Filter, ManSet};

/// Which moves of the position are meant beside those of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Legality {
    /// `legal`
    Legal,
    /// `pseudolegal`: the own king may be left attacked.
    Pseudolegal,
}

/// Which castling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastleSide {
    /// `castle`
    Any,
    /// `o-o`
    King,
    /// `o-o-o`
    Queen,
}

/// What a `move` filter gives: decided by its first parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveValue {
    /// Whether there is such a move.
    Logical,
    /// The from-squares.
    From,
    /// The to-squares.
    To,
    /// The capture squares.
    Capture,
    /// `count`: how many.
    Count,
}

/// `move` with its parameters.
#[derive(Clone, Debug, Hash)]
pub struct MoveFilter {
    /// What it gives.
    pub value: MoveValue,
    /// `from S`
    pub from: Option<Filter>,
    /// `to S`
    pub to: Option<Filter>,
    /// `capture S`
    pub capture: Option<Filter>,
    /// `promote D`: the roles, color ignored.
    pub promote: Option<ManSet>,
    /// `enpassant`
    pub en_passant: bool,
    /// `enpassantsquare S`
    pub en_passant_square: Option<Filter>,
    /// `null`
    pub null: bool,
    /// `castle`, `o-o`, `o-o-o`
    pub castle: Option<CastleSide>,
    /// `primary` (true), `secondary` (false)
    pub primary: Option<bool>,
    /// `previous`: the move that led here.
    pub previous: bool,
    /// `legal`, `pseudolegal`: possible moves instead of the game's.
    pub legality: Option<Legality>,
    /// `comment (...)`
    pub comment: Option<Vec<Filter>>,
}

impl MoveFilter {
    /// `move` alone: any move of the game.
    pub const ANY: MoveFilter = MoveFilter {
        value: MoveValue::Logical,
        from: None,
        to: None,
        capture: None,
        promote: None,
        en_passant: false,
        en_passant_square: None,
        null: false,
        castle: None,
        primary: None,
        previous: false,
        legality: None,
        comment: None,
    };
}

/// What a pawn has to become.
#[derive(Clone, Debug, Hash)]
pub enum Promotion {
    /// `=Q`, `=[RB]`; any promotion for all men.
    Roles(ManSet),
    /// `="RQ"` or another string filter.
    Text(Box<Filter>),
}

/// `A--B=Q(target)`, `A[x]B`
#[derive(Clone, Debug, Hash)]
pub struct Dash {
    /// `[x]`
    pub capture: bool,
    /// The from-squares; any by default.
    pub left: Option<Filter>,
    /// The to-squares (capture squares for `[x]`); any by default.
    pub right: Option<Filter>,
    /// `=...`
    pub promotion: Option<Promotion>,
    /// The filters that must match after the move; the last one gives the value.
    pub target: Vec<Filter>,
}
