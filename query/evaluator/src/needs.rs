//! What a query needs of a game, so that a search reads no more of it.

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
            text,
            header: text || reads.intersects(Reads::HEADER) || !query.header.outcomes.is_empty(),
        }
    }
}
