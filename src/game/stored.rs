//! The stored games of a database, read one by one.

use chess::{AnnotationKind, Annotations, GameText, MoveTree, PackedMove};
use storage::{Snapshot, TextBlock, TreeBlock};

use crate::error::Result;

/// Where a game is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The index of the segment in the snapshot.
    pub(crate) segment: usize,
    /// The number of the game in the segment.
    pub(crate) game: u32,
}

/// A block of games that was read last, and where it is stored: segment and block.
type Last<B> = Option<((usize, u32), B)>;

/// Reads the games of a snapshot.
///
/// A block has a few dozen games and is compressed as a whole. The last one stays unpacked, because matching games mostly
/// come in the order of the database.
#[derive(Debug)]
pub(crate) struct StoredGames {
    snapshot: Snapshot,
    trees: Last<TreeBlock>,
    texts: Last<TextBlock>,
    annotations: Last<Vec<Annotations>>,
}

impl StoredGames {
    pub(crate) fn new(snapshot: Snapshot) -> StoredGames {
        StoredGames {
            snapshot,
            trees: None,
            texts: None,
            annotations: None,
        }
    }

    /// Where the game with this number is stored; `None` if there is none, or it was removed.
    pub(crate) fn locate(&self, number: u64) -> Option<Place> {
        let (segment, game) = self.snapshot.locate(number.checked_sub(1)?)?;
        Some(Place { segment, game })
    }

    /// Reads the moves of a game into a tree whose memory is used again.
    pub(crate) fn tree(&mut self, place: Place, tree: &mut MoveTree) -> Result<()> {
        let segment = self.snapshot.segment(place.segment);
        let (block, index) = segment.block_of(place.game)?;
        let at = (place.segment, block);
        let trees = last(&mut self.trees, at, || segment.trees(block))?;
        Ok(trees.tree(index, tree)?)
    }

    /// Reads the tags, comments and glyphs of a game.
    pub(crate) fn text(&mut self, place: Place) -> Result<GameText> {
        let segment = self.snapshot.segment(place.segment);
        let (block, index) = segment.block_of(place.game)?;
        let at = (place.segment, block);
        let texts = last(&mut self.texts, at, || segment.text_block(block))?;
        Ok(texts.text(index)?)
    }

    /// Reads the clocks and evaluations in the comments of a game.
    pub(crate) fn annotations(&mut self, place: Place) -> Result<&Annotations> {
        let segment = self.snapshot.segment(place.segment);
        let (block, index) = segment.block_of(place.game)?;
        let at = (place.segment, block);
        let games = last(&mut self.annotations, at, || {
            segment.annotations(block, AnnotationKind::ALL)
        })?;
        Ok(&games[index])
    }
}

/// The move that is played in a position next, in the same line.
pub(crate) fn next_move(tree: &MoveTree, node: u32) -> Option<PackedMove> {
    let next = node + 1;
    let begins_variation = tree.branches.binary_search_by_key(&next, |branch| branch.node).is_ok();
    // `moves[i]` leads to node `i + 1`.
    let played = tree.moves.get(node as usize);
    played.copied().filter(|_| !begins_variation)
}

/// The block at a place: the last one, or it is read and becomes the last one.
fn last<B>(slot: &mut Last<B>, at: (usize, u32), read: impl FnOnce() -> storage::Result<B>) -> storage::Result<&B> {
    if slot.as_ref().is_none_or(|(place, _)| *place != at) {
        *slot = None;
        *slot = Some((at, read()?));
    }
    match slot {
        Some((_, block)) => Ok(block),
        None => unreachable!("the block was just read"),
    }
}
