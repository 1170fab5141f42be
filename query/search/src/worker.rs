//! What one thread keeps from task to task.

use std::sync::{Arc, Mutex};

use chess::{Annotations, MoveTree, Quantities, Start};
use evaluator::{Evaluator, GameView, Limits};
use planner::Scratch;
use storage::{SegmentId, TextBlock, TreeBlock};

use super::Search;

/// An evaluator, and what it works on.
#[derive(Debug)]
pub(super) struct Worker<'q> {
    pub(super) evaluator: Evaluator<'q>,
    pub(super) scratch: Scratch,
    pub(super) game: LoadedGame,
}

/// The game that is evaluated, and the blocks that were read for it.
#[derive(Debug)]
pub(super) struct LoadedGame {
    pub(super) view: GameView,
    /// The same before its moves are read: only its first position is there.
    pub(super) unread: GameView,
    pub(super) tree: MoveTree,
    /// The block of trees that was read last.
    pub(super) trees: Block<Arc<TreeBlock>>,
    /// Whether few games of a block are read.
    pub(super) is_selective: bool,
    /// How many bytes of blocks of trees were read that are not counted yet.
    pub(super) bytes_read: u64,
    /// The block of texts that was read last.
    pub(super) texts: Block<TextBlock>,
    /// The block of annotations that was read last.
    pub(super) annotations: Block<Vec<Annotations>>,
    /// Its clocks and evaluations.
    pub(super) quantities: Quantities,
}

impl LoadedGame {
    /// No game.
    fn none() -> LoadedGame {
        LoadedGame {
            view: GameView::default(),
            unread: without_moves(),
            tree: MoveTree {
                start: Start::Standard,
                moves: Vec::new(),
                branches: Vec::new(),
            },
            trees: Block::default(),
            is_selective: false,
            bytes_read: 0,
            texts: Block::default(),
            annotations: Block::default(),
            quantities: Quantities::default(),
        }
    }
}

/// The block of games of a kind that a thread read last: the games of a search mostly come in the order of the database.
#[derive(Debug)]
pub(super) struct Block<B>(Option<(SegmentId, u32, B)>);

impl<B> Default for Block<B> {
    fn default() -> Block<B> {
        Block(None)
    }
}

impl<B> Block<B> {
    /// The block of a segment with this number; `read` reads it if it was not the last one.
    pub(super) fn get(
        &mut self,
        segment: SegmentId,
        number: u32,
        read: impl FnOnce() -> storage::Result<B>,
    ) -> storage::Result<&B> {
        if !matches!(&self.0, Some((last, block, _)) if (*last, *block) == (segment, number)) {
            // The memory of the last block is free before the next one is unpacked.
            self.0 = None;
            self.0 = Some((segment, number, read()?));
        }
        match &self.0 {
            Some((.., block)) => Ok(block),
            None => unreachable!("the block was just read"),
        }
    }
}

/// A game without moves.
pub(super) fn without_moves() -> GameView {
    let mut view = GameView::default();
    view.load(&MoveTree::default(), false);
    view
}

/// The workers of a search; each is used by one thread at a time.
#[derive(Debug)]
pub(super) struct Workers<'s, 'q> {
    search: &'s Search<'q>,
    limits: &'s Limits,
    idle: Mutex<Vec<Worker<'q>>>,
}

impl<'s, 'q> Workers<'s, 'q> {
    pub(super) fn new(search: &'s Search<'q>, limits: &'s Limits) -> Workers<'s, 'q> {
        Workers {
            search,
            limits,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Lends a worker.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Worker<'q>) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let spare = idle().pop();
        let mut worker = spare.unwrap_or_else(|| Worker {
            evaluator: Evaluator::new(self.search.query, self.limits.clone()),
            scratch: Scratch::default(),
            game: LoadedGame::none(),
        });
        let result = work(&mut worker);
        idle().push(worker);
        result
    }
}
