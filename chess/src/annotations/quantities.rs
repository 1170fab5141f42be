//! The numbers that filters ask for, at every position of a game.

use std::fmt;

use shakmaty::Color;

use super::{AnnotationKind, Annotations, MATE};
use crate::tree::MoveTree;

/// A number that the comments of a game give for its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// White's clock after White's last move, in seconds.
    WhiteClock,
    /// Black's clock after Black's last move, in seconds.
    BlackClock,
    /// How long the move took that led to the position, in seconds.
    MoveTime,
    /// The evaluation of the position in centipawns, as White sees it.
    Evaluation,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Quantity; 4] = [
        Quantity::WhiteClock,
        Quantity::BlackClock,
        Quantity::MoveTime,
        Quantity::Evaluation,
    ];

    /// The least and the largest value that it can have.
    pub fn range(self) -> (i64, i64) {
        match self {
            Quantity::WhiteClock | Quantity::BlackClock | Quantity::MoveTime => (0, i64::from(seconds(u32::MAX))),
            Quantity::Evaluation => (-i64::from(MATE), i64::from(MATE)),
        }
    }

    /// The clock of a side.
    pub fn clock(color: Color) -> Quantity {
        color.fold_wb(Quantity::WhiteClock, Quantity::BlackClock)
    }

    /// Whether it is worked out from annotations of a kind.
    fn needs(self, kind: AnnotationKind) -> bool {
        match kind {
            AnnotationKind::Clock => self != Quantity::Evaluation,
            AnnotationKind::Elapsed => self == Quantity::MoveTime,
            AnnotationKind::Evaluation => self == Quantity::Evaluation,
        }
    }
}

/// As in a query.
impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Quantity::WhiteClock => "clock white",
            Quantity::BlackClock => "clock black",
            Quantity::MoveTime => "movetime",
            Quantity::Evaluation => "eval",
        })
    }
}

/// Some of the quantities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuantitySet(u8);

impl QuantitySet {
    /// Those of a list.
    pub fn of(quantities: impl IntoIterator<Item = Quantity>) -> QuantitySet {
        QuantitySet(
            quantities
                .into_iter()
                .fold(0, |set, quantity| set | 1 << quantity as u8),
        )
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = Quantity> {
        Quantity::ALL
            .into_iter()
            .filter(move |quantity| self.0 >> *quantity as u8 & 1 != 0)
    }

    /// The kinds of annotations that they are worked out from.
    pub fn kinds(self) -> impl Iterator<Item = AnnotationKind> {
        let kinds = AnnotationKind::ALL.into_iter();
        kinds.filter(move |kind| self.iter().any(|quantity| quantity.needs(*kind)))
    }
}

/// Some quantities at every position of a game. The memory is used again for the next game.
#[derive(Clone, Debug, Default)]
pub struct Quantities {
    /// By quantity, then by node; empty if no position has a value.
    values: [Vec<Option<i32>>; Quantity::ALL.len()],
    /// The clock of the side that moved, in milliseconds, by node.
    clocks: Vec<Option<u32>>,
}

impl Quantities {
    /// Works out some quantities of a game.
    pub fn load(&mut self, tree: &MoveTree, annotations: &Annotations, wanted: QuantitySet) {
        self.values.iter_mut().for_each(Vec::clear);
        if annotations.is_empty() {
            return;
        }
        for quantity in wanted.iter() {
            match quantity {
                Quantity::Evaluation => {
                    let evaluations = annotations.evaluations.iter();
                    let evaluations = evaluations.map(|&(node, value)| (node, i32::from(value)));
                    fill(&mut self.values[quantity as usize], tree.len(), evaluations);
                }
                Quantity::WhiteClock | Quantity::BlackClock => self.load_clock(tree, annotations, quantity),
                Quantity::MoveTime => self.load_times(tree, annotations),
            }
        }
    }

    /// The value at a node, if it has one.
    #[inline]
    pub fn get(&self, quantity: Quantity, node: u32) -> Option<i32> {
        self.values[quantity as usize].get(node as usize).copied().flatten()
    }

    /// The value of every node; nothing if none has one.
    pub fn values(&self, quantity: Quantity) -> &[Option<i32>] {
        &self.values[quantity as usize]
    }

    /// Behind a move of the side, what the comment on it says; behind a move of the other side, what it was before.
    fn load_clock(&mut self, tree: &MoveTree, annotations: &Annotations, quantity: Quantity) {
        if annotations.clocks.is_empty() {
            return;
        }
        fill(&mut self.clocks, tree.len(), annotations.clocks.iter().copied());
        let turns = turns(tree);
        let side = if quantity == Quantity::WhiteClock {
            Color::White
        } else {
            Color::Black
        };
        let values = &mut self.values[quantity as usize];
        values.push(None);
        for (node, parent) in (1..).zip(parents(tree)) {
            let at = if turns[parent] == side { node } else { parent };
            // No move leads to the first position.
            values.push(self.clocks[at].filter(|_| at != 0).map(seconds));
        }
    }

    /// What the comment says, or else by how much the clock of the side went down since its last move.
    fn load_times(&mut self, tree: &MoveTree, annotations: &Annotations) {
        let values = &mut self.values[Quantity::MoveTime as usize];
        let elapsed = annotations.elapsed.iter();
        fill(values, tree.len(), elapsed.map(|&(node, time)| (node, seconds(time))));
        let Some(increment) = annotations.increment.filter(|_| !annotations.clocks.is_empty()) else {
            return;
        };
        fill(&mut self.clocks, tree.len(), annotations.clocks.iter().copied());
        let parents: Vec<usize> = std::iter::once(0).chain(parents(tree)).collect();
        for (node, &parent) in parents.iter().enumerate().skip(1) {
            let before = parents[parent];
            // Where the side has not moved before, its clock is not known.
            if before == 0 || values[node].is_some() {
                continue;
            }
            if let (Some(before), Some(now)) = (self.clocks[before], self.clocks[node]) {
                let whole = i64::from(before) + 1_000 * i64::from(increment) - i64::from(now);
                // Where the clock shows more, time was added that is not known.
                values[node] = u32::try_from(whole).ok().map(seconds);
            }
        }
    }
}

/// A list by node.
fn fill<T: Copy>(list: &mut Vec<Option<T>>, nodes: usize, values: impl Iterator<Item = (u32, T)>) {
    list.clear();
    list.resize(nodes, None);
    for (node, value) in values {
        if let Some(place) = list.get_mut(node as usize) {
            *place = Some(value);
        }
    }
}

/// Whole seconds.
#[expect(clippy::cast_possible_wrap, reason = "a thousandth of 32 bits is below 2^23")]
fn seconds(milliseconds: u32) -> i32 {
    (milliseconds / 1_000) as i32
}

/// The parent of each node but the root.
fn parents(tree: &MoveTree) -> impl Iterator<Item = usize> + '_ {
    let mut branches = tree.branches.iter().peekable();
    (1..tree.len()).map(move |node| {
        let branch = branches.next_if(|branch| branch.node as usize == node);
        // A damaged tree could refer to a node that does not exist yet.
        branch.map_or(node - 1, |branch| (branch.parent as usize).min(node - 1))
    })
}

/// The side to move at each node.
pub(super) fn turns(tree: &MoveTree) -> Vec<Color> {
    let mut turns = Vec::with_capacity(tree.len());
    turns.push(tree.start.board().turn());
    for parent in parents(tree) {
        let turn: Color = turns[parent];
        turns.push(!turn);
    }
    turns
}
