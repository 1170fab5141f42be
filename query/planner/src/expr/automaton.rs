//! Finite automata over the positions of a game: what a `line` accepts (docs/language/sequences.md#line).
//!
//! Each constituent of the line, written out as often as it has to be repeated, is a state; a state consumes one position, in
//! which its condition holds. So there is no transition without a position (Glushkov's construction).

use std::ops::RangeInclusive;

/// How many states an automaton may have: a bit for each.
pub(crate) const MOST_STATES: usize = u64::BITS as usize;

/// An automaton whose states are tested in order: those of fewer repetitions come first.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Automaton {
    /// By state, the number of its condition.
    pub(crate) conditions: Vec<usize>,
    /// The states that consume the first position, in order.
    pub(crate) first: Vec<usize>,
    /// By state, those that can consume the position after it, in order.
    pub(crate) follow: Vec<Vec<usize>>,
    /// A bit for each state that may consume the last position.
    pub(crate) accepts: u64,
    /// Whether the next position is an earlier one.
    pub(crate) backward: bool,
    /// How many plies apart the positions are.
    pub(crate) stride: u32,
    /// Which match counts, and how many positions it must have.
    pub(crate) wanted: Wanted,
}

/// What is asked of the matches that begin at a position.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) enum Wanted {
    /// There is one.
    Any,
    /// The number of positions of the longest one is in this range.
    Longest(RangeInclusive<u32>),
    /// That of the first one is, in the order of the states.
    First(RangeInclusive<u32>),
}
