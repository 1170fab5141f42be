//! Clocks and evaluations: what the commands `[%clk]`, `[%emt]` and `[%eval]` in the comments of a game say, and the
//! numbers that follow from it for every position (docs/language/annotations.md).
//!
//! [`Annotations`] are what the comments say, and what a database stores. [`Quantities`] are what filters ask for.

mod command;
mod quantities;

pub use quantities::{Quantities, Quantity, QuantitySet};

use self::command::{Command, Commands};
use crate::tree::MoveTree;

/// The evaluation of a mate is this, less the number of moves up to it; negative where Black mates. As in many engines.
pub const MATE: i16 = 32_000;

/// The largest evaluation that is no mate, in centipawns; what is above it is read as this.
pub const MAX_EVALUATION: i16 = 30_000;

/// A mate on the board, until it is known who is mated.
const MATED: i16 = i16::MIN;

/// A kind of annotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnnotationKind {
    /// `[%clk]`
    Clock,
    /// `[%emt]`
    Elapsed,
    /// `[%eval]`
    Evaluation,
}

impl AnnotationKind {
    /// All kinds.
    pub const ALL: [AnnotationKind; 3] = [
        AnnotationKind::Clock,
        AnnotationKind::Elapsed,
        AnnotationKind::Evaluation,
    ];
}

/// What the comments of a game say of clocks and evaluations. Each list is ascending by node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// `[%clk]`: what the clock of the side that made the move shows after it, in milliseconds.
    pub clocks: Vec<(u32, u32)>,
    /// `[%emt]`: how long the side that made the move took for it, in milliseconds.
    pub elapsed: Vec<(u32, u32)>,
    /// `[%eval]`: the evaluation of the position in centipawns, as White sees it; for mates see [`MATE`].
    pub evaluations: Vec<(u32, i16)>,
    /// What each move adds to the clock, in seconds, by the tag `TimeControl`; `None` if it does not tell, or if there
    /// is no clock.
    pub increment: Option<u32>,
}

impl Annotations {
    /// What the comments of a stored game say, each given with its node, and its tags.
    pub fn of(tree: &MoveTree, comments: &[(u32, String)], tags: &[(String, String)]) -> Annotations {
        let mut found = Annotations::default();
        for (node, comment) in comments {
            found.note(*node, comment);
        }
        found.finish(tree, tags);
        found
    }

    /// The nodes that have an annotation of a kind, ascending.
    pub fn nodes(&self, kind: AnnotationKind) -> Vec<u32> {
        fn nodes<T>(list: &[(u32, T)]) -> Vec<u32> {
            list.iter().map(|(node, _)| *node).collect()
        }
        match kind {
            AnnotationKind::Clock => nodes(&self.clocks),
            AnnotationKind::Elapsed => nodes(&self.elapsed),
            AnnotationKind::Evaluation => nodes(&self.evaluations),
        }
    }

    /// Whether the comments say nothing.
    pub fn is_empty(&self) -> bool {
        self.clocks.is_empty() && self.elapsed.is_empty() && self.evaluations.is_empty()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.clocks.clear();
        self.elapsed.clear();
        self.evaluations.clear();
        self.increment = None;
    }

    /// Adds what a comment on a node says. Of several commands of a kind on one node the first one counts.
    pub fn note(&mut self, node: u32, comment: &str) {
        for command in Commands::of(comment) {
            match command {
                Command::Clock(time) => add(&mut self.clocks, node, time),
                Command::Elapsed(time) => add(&mut self.elapsed, node, time),
                Command::Centipawns(value) => add(&mut self.evaluations, node, value),
                Command::Mate(0) => add(&mut self.evaluations, node, MATED),
                Command::Mate(moves) => add(&mut self.evaluations, node, moves.signum() * MATE - moves),
            }
        }
    }

    /// Gives the nodes other numbers.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        fn renumbered<T>(list: &mut [(u32, T)], number: impl Fn(u32) -> u32) {
            list.iter_mut().for_each(|(node, _)| *node = number(*node));
            list.sort_by_key(|(node, _)| *node);
        }
        renumbered(&mut self.clocks, &number);
        renumbered(&mut self.elapsed, &number);
        renumbered(&mut self.evaluations, &number);
    }

    /// Adds what the moves and the tags say, when all comments are noted.
    pub fn finish(&mut self, tree: &MoveTree, tags: &[(String, String)]) {
        if !self.clocks.is_empty() {
            let control = tags.iter().find(|(name, _)| name == "TimeControl");
            self.increment = control.and_then(|(_, control)| increment(control));
        }
        if self.evaluations.iter().any(|(_, value)| *value == MATED) {
            let turns = quantities::turns(tree);
            for (node, value) in self.evaluations.iter_mut().filter(|(_, value)| *value == MATED) {
                // The side to move is mated.
                let white = turns.get(*node as usize).is_some_and(|turn| turn.is_white());
                *value = if white { -MATE } else { MATE };
            }
        }
    }
}

/// Adds a value behind the others, unless the node has one.
fn add<T>(list: &mut Vec<(u32, T)>, node: u32, value: T) {
    // Comments come in the order of the PGN: those on one node may have those of a variation between them, whose nodes
    // have larger numbers.
    let is_new = list.last().is_none_or(|(last, _)| *last < node);
    if is_new || !list.iter().rev().any(|(other, _)| *other == node) {
        list.push((node, value));
    }
}

/// The increment that a `TimeControl` tag tells, in seconds: `180+2` 2, `600` 0, `40/5400+30:1800+30` that of the first
/// period.
fn increment(control: &str) -> Option<u32> {
    let first = control.split(':').next()?;
    let period = first
        .split_once('/')
        .map_or(first, |(moves, rest)| match is_number(moves) {
            true => rest,
            false => first,
        });
    let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
    match is_number(base) && is_number(increment) {
        true => increment.parse().ok(),
        false => None,
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests;
