//! What a query needs of a game, so that a search reads no more of it.

use chess::{Quantity, QuantitySet};
use language::facts::Reads;
use language::hir::{Node, Query};

/// What a query needs of a game beside its boards and header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
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
        let moves = query.body.any(&mut |filter| {
            matches!(
                filter.node,
                Node::Dash(_) | Node::CountMoves(None, _) | Node::Move(_) | Node::Path(_)
            )
        });
        Needs {
            moves,
            identity: reads.intersects(Reads::IDENTITY),
            quantities: quantities(reads),
            text,
            header: text || reads.intersects(Reads::HEADER) || !query.header.outcomes.is_empty(),
        }
    }
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
