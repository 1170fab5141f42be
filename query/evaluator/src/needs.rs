//! What a query needs of a game, so that a search reads no more of it.

use chess::{Quantity, QuantitySet};
use language::facts::Reads;
use language::hir::{Filter, Node, Query};

/// What a query needs of a game beside its boards and header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The boards of all positions, which are compared with each other.
    pub boards: bool,
    /// The identity of the pieces.
    pub identity: bool,
    /// What each move does to the board.
    pub moves: bool,
    /// Tags, comments and glyphs.
    pub text: bool,
    /// The header's strings and numbers.
    pub header: bool,
    /// Clocks and evaluations.
    pub quantities: QuantitySet,
}

impl Needs {
    /// What the filters of a query ask for.
    pub fn of(query: &Query) -> Needs {
        let reads = query.body.all_reads();
        let text = reads.intersects(Reads::TEXT);
        Needs {
            boards: query
                .body
                .any(&mut |part| matches!(part.node, Node::Echo { .. } | Node::Relation(_))),
            moves: asks_for_played_moves(&query.body),
            identity: reads.intersects(Reads::IDENTITY),
            quantities: quantities(reads),
            text,
            header: text || reads.intersects(Reads::HEADER) || !query.header.outcomes.is_empty(),
        }
    }
}

/// Whether a filter asks often what the moves of the game do.
fn asks_for_played_moves(filter: &Filter) -> bool {
    let mut asks = match &filter.node {
        Node::Dash(_) | Node::CountMoves(None, _) | Node::Path(_) => true,
        Node::Move(m) => m.legality.is_none(),
        _ => false,
    };
    filter.for_each_child(&mut |child| {
        // The moves before a target are looked at one by one.
        let is_target_of = matches!(filter.node, Node::AfterMove { .. }) && matches!(child.node, Node::Move(_));
        asks = asks || !is_target_of && asks_for_played_moves(child);
    });
    asks
}

fn quantities(reads: Reads) -> QuantitySet {
    let read = |quantity: &Quantity| {
        reads.intersects(match quantity {
            Quantity::WhiteClock | Quantity::BlackClock => Reads::CLOCK,
            Quantity::MoveTime => Reads::MOVE_TIME,
            Quantity::Evaluation => Reads::EVALUATION,
        })
    };
    QuantitySet::of(Quantity::ALL.into_iter().filter(read))
}
