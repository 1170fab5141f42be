//! The boards of a segment at some positions, rebuilt from the moves of their games.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions and games of a segment have 32-bit numbers"
)]

use std::cell::{Cell, RefCell};
use std::sync::{Arc, LazyLock};

use chess::{Board, Mailbox, MoveTree, PackedMove, Start};
use planner::game_at;
use storage::{Segment, TreeBlock};

/// The boards of a segment.
#[derive(Debug)]
pub(super) struct SegmentBoards<'a> {
    segment: &'a Segment,
    /// The first position of each game, and the number of all positions behind them.
    starts: &'a [u32],
    /// The size on disk of the blocks of moves that were read.
    bytes: Cell<u64>,
    /// The first error of reading.
    error: RefCell<Option<storage::Error>>,
    /// The last game whose moves were asked for.
    last: RefCell<Game>,
}

impl<'a> SegmentBoards<'a> {
    pub(super) fn new(segment: &'a Segment, starts: &'a [u32]) -> SegmentBoards<'a> {
        SegmentBoards {
            segment,
            starts,
            bytes: Cell::new(0),
            error: RefCell::new(None),
            last: RefCell::default(),
        }
    }

    /// The size on disk of the blocks of moves that were read; the error if one could not be, and boards are missing.
    pub(super) fn into_bytes(self) -> Result<u64, storage::Error> {
        match self.error.into_inner() {
            Some(error) => Err(error),
            None => Ok(self.bytes.get()),
        }
    }

    fn replay(
        &self,
        positions: &mut dyn Iterator<Item = u32>,
        each: &mut dyn FnMut(u32, &Mailbox),
    ) -> Result<(), storage::Error> {
        let mut games = Games {
            source: self,
            game: Game::default(),
            line: Line::of(&MoveTree::default()),
        };
        // The game that the last position is in, and where it ends.
        let (mut game, mut end) = (0, 0);
        for (rank, position) in (0..).zip(positions) {
            if self.starts.last().is_none_or(|&all| position >= all) {
                break;
            }
            if position >= end {
                game = game_at(self.starts, game, position);
                end = self.starts[game + 1];
                games.open(game as u32)?;
            }
            each(rank, games.board((position - self.starts[game]) as usize));
        }
        Ok(())
    }
}

impl planner::Boards for SegmentBoards<'_> {
    fn visit(&self, positions: &mut dyn Iterator<Item = u32>, each: &mut dyn FnMut(u32, &Mailbox)) {
        if let Err(error) = self.replay(positions, each) {
            self.error.borrow_mut().get_or_insert(error);
        }
    }

    fn line(&self, game: u32, each: &mut dyn FnMut(&Mailbox, &[PackedMove])) {
        let mut last = self.last.borrow_mut();
        if let Err(error) = last.open(self, game) {
            self.error.borrow_mut().get_or_insert(error);
            return;
        }
        let tree = &last.tree;
        let moves = tree.mainline_len().saturating_sub(1);
        each(&Line::of(tree).board, &tree.moves[..moves]);
    }
}

/// A game, and the block of games that it is in.
#[derive(Debug, Default)]
struct Game {
    block: Option<Arc<TreeBlock>>,
    tree: MoveTree,
}

impl Game {
    fn open(&mut self, source: &SegmentBoards<'_>, game: u32) -> Result<(), storage::Error> {
        let SegmentBoards {
            segment, bytes, starts, ..
        } = source;
        let trees = match self.block.take() {
            Some(trees) if trees.games().contains(&game) => trees,
            _ => {
                let (block, _) = segment.block_of(game)?;
                let trees = segment.shared_trees(block, true)?;
                bytes.set(bytes.get() + trees.stored_bytes() as u64);
                trees
            }
        };
        let positions = starts[game as usize + 1] - starts[game as usize];
        let index = (game - trees.games().start) as usize;
        trees.indexed_tree(index, positions, &mut self.tree)?;
        self.block = Some(trees);
        Ok(())
    }
}

/// The games of a segment, one at a time.
struct Games<'a> {
    source: &'a SegmentBoards<'a>,
    game: Game,
    line: Line,
}

impl Games<'_> {
    fn open(&mut self, game: u32) -> Result<(), storage::Error> {
        self.game.open(self.source, game)?;
        self.line = Line::of(&self.game.tree);
        Ok(())
    }

    /// The board at a node of the game.
    fn board(&mut self, node: usize) -> &Mailbox {
        // The nodes of the main line are the first.
        if node >= self.line.node && node < self.game.tree.mainline_len() {
            self.line.play(&self.game.tree.moves[self.line.node..node]);
        } else {
            self.line = Line::of(&self.game.tree);
            self.line.play(&self.game.tree.moves_to(node));
            // Whatever is asked next begins anew.
            self.line.node = usize::MAX;
        }
        &self.line.board
    }
}

/// A board on its way through a game.
struct Line {
    board: Mailbox,
    /// Where it is on the main line.
    node: usize,
}

impl Line {
    /// The first position of a game.
    fn of(tree: &MoveTree) -> Line {
        static INITIAL: LazyLock<Mailbox> = LazyLock::new(|| Mailbox::of(&Board::initial()));
        Line {
            board: match &tree.start {
                Start::Standard => INITIAL.clone(),
                Start::Setup { board, .. } => Mailbox::of(board),
            },
            node: 0,
        }
    }

    fn play(&mut self, moves: &[PackedMove]) {
        moves.iter().for_each(|&m| self.board.play(m));
        self.node += moves.len();
    }
}
