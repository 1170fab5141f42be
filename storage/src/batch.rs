//! New games: batches, which many threads build, and the segment that the batches are put into.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use chess::{Annotations, Game, GameText, MoveTree, Outcome};
use postings::{Extractor, Postings, Term, TermStats, runs};

use crate::{
    annotations::{self, KINDS, Sealed},
    error::{Error, Result},
    frame::{self, Sealer},
    header::Header,
    identity::identity,
    lists::Lists,
    tags::{TagBuilder, TagColumn, TagValues},
    texts, threads, trees,
};

/// The most games in a block. Smaller blocks compress less, larger ones make reading a single game slower.
pub(crate) const BLOCK_GAMES: usize = 64;

/// A block with this many positions, or this many bytes of comments, ends early.
pub(crate) const BLOCK_SIZE: usize = 1 << 17;

/// The level of zstd for each column, by measurements on half a million games: see `docs/format.md`, chapter 10.
pub(crate) const TREES_LEVEL: i32 = 3;
pub(crate) const TEXTS_LEVEL: i32 = 3;
pub(crate) const TAGS_LEVEL: i32 = 3;
pub(crate) const ANNOTATIONS_LEVEL: i32 = 3;

/// A block of games, encoded and in frames.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) games: u32,
    pub(crate) trees: Vec<u8>,
    pub(crate) texts: Vec<u8>,
    /// By kind.
    pub(crate) annotations: [Sealed; KINDS],
}

/// The arrays over games, of a batch or of a segment.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// The number of positions of each game.
    pub(crate) lengths: Vec<u32>,
    pub(crate) tags: [TagBuilder; TagColumn::ALL.len()],
    pub(crate) ratings: [Vec<u16>; 2],
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) identities: Vec<u64>,
}

impl Columns {
    fn push(&mut self, game: &Game) {
        let header = Header::from_text(&game.text);
        self.identities.push(identity(game));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the positions of a batch are counted in 32 bits"
        )]
        self.lengths.push(game.tree.len() as u32);
        for (builder, column) in self.tags.iter_mut().zip(TagColumn::ALL) {
            builder.push(header.get(column));
        }
        for (ratings, rating) in self.ratings.iter_mut().zip(header.ratings()) {
            ratings.push(rating);
        }
        self.outcomes.push(header.outcome());
    }

    fn append(&mut self, other: &Columns) {
        self.lengths.extend_from_slice(&other.lengths);
        for (builder, other) in self.tags.iter_mut().zip(&other.tags) {
            builder.append(other);
        }
        for (ratings, other) in self.ratings.iter_mut().zip(&other.ratings) {
            ratings.extend_from_slice(other);
        }
        self.outcomes.extend_from_slice(&other.outcomes);
        self.identities.extend_from_slice(&other.identities);
    }
}

/// Packs games into blocks.
pub(crate) struct BlockBuilder {
    trees_sealer: Sealer,
    texts_sealer: Sealer,
    blocks: Vec<Block>,
    trees: Vec<MoveTree>,
    texts: Vec<GameText>,
    annotations: Vec<Annotations>,
    size: usize,
}

impl BlockBuilder {
    pub(crate) fn new() -> BlockBuilder {
        BlockBuilder {
            trees_sealer: Sealer::new(TREES_LEVEL),
            texts_sealer: Sealer::new(TEXTS_LEVEL),
            blocks: Vec::new(),
            trees: Vec::new(),
            texts: Vec::new(),
            annotations: Vec::new(),
            size: 0,
        }
    }

    /// Adds a game.
    pub(crate) fn push(&mut self, game: Game) -> Result<()> {
        self.size += game.tree.len().max(text_size(&game.text));
        self.trees.push(game.tree);
        self.texts.push(game.text);
        self.annotations.push(game.annotations);
        if self.trees.len() == BLOCK_GAMES || self.size >= BLOCK_SIZE {
            self.end_block()
        } else {
            Ok(())
        }
    }

    /// Adds an encoded block.
    pub(crate) fn push_block(&mut self, block: Block) -> Result<()> {
        self.end_block()?;
        self.blocks.push(block);
        Ok(())
    }

    fn end_block(&mut self) -> Result<()> {
        if !self.trees.is_empty() {
            #[expect(clippy::cast_possible_truncation, reason = "a block has up to BLOCK_GAMES games")]
            let games = self.trees.len() as u32;
            self.blocks.push(Block {
                games,
                trees: self.trees_sealer.seal(&trees::encode(&self.trees))?,
                texts: self.texts_sealer.seal(&texts::encode(&self.texts))?,
                annotations: annotations::seal(&self.annotations, Sealer::new(ANNOTATIONS_LEVEL))?,
            });
        }
        self.trees.clear();
        self.texts.clear();
        self.annotations.clear();
        self.size = 0;
        Ok(())
    }

    /// Returns all blocks and leaves the builder empty.
    pub(crate) fn finish(&mut self) -> Result<Vec<Block>> {
        self.end_block()?;
        Ok(std::mem::take(&mut self.blocks))
    }
}

/// Builds batches of games. Each thread has its own builder and keeps it for many batches.
pub struct BatchBuilder {
    extractor: Extractor,
    columns: Columns,
    blocks: BlockBuilder,
}

impl Default for BatchBuilder {
    fn default() -> BatchBuilder {
        BatchBuilder::new()
    }
}

impl std::fmt::Debug for BatchBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BatchBuilder")
            .field("games", &self.columns.lengths.len())
            .finish_non_exhaustive()
    }
}

/// Some hundreds or thousands of games, encoded and indexed, without a place in a segment yet.
#[derive(Debug)]
pub struct GameBatch {
    pub(crate) positions: u32,
    pub(crate) columns: Columns,
    pub(crate) blocks: Vec<Block>,
    pub(crate) lists: Lists,
    pub(crate) pgn_bytes: u64,
}

impl GameBatch {
    /// How many games the batch has.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "each game has a position, and positions have numbers of 32 bits"
    )]
    pub fn games(&self) -> u32 {
        self.columns.lengths.len() as u32
    }

    /// How many positions they have.
    pub fn positions(&self) -> u32 {
        self.positions
    }
}

impl BatchBuilder {
    /// A builder without games.
    pub fn new() -> BatchBuilder {
        BatchBuilder {
            extractor: Extractor::new(),
            columns: Columns::default(),
            blocks: BlockBuilder::new(),
        }
    }

    /// Adds a game. Its moves need not be legal, but [`Board`](chess::Board) has to be able to play them.
    ///
    /// # Errors
    ///
    /// When the batch has too many positions to number, or the game can't be compressed.
    pub fn push(&mut self, game: Game) -> Result<()> {
        self.extractor.push(&game.tree)?;
        self.columns.push(&game);
        self.blocks.push(game)
    }

    /// How many positions were added since the last batch.
    pub fn positions(&self) -> u32 {
        self.extractor.positions()
    }

    /// Returns the games since the last batch, whose size as PGN is `pgn_bytes`, and leaves the builder empty.
    ///
    /// # Errors
    ///
    /// When a game can't be compressed.
    pub fn finish(&mut self, pgn_bytes: u64) -> Result<GameBatch> {
        Ok(GameBatch {
            positions: self.extractor.positions(),
            columns: std::mem::take(&mut self.columns),
            blocks: self.blocks.finish()?,
            lists: Lists::Made(self.extractor.finish()),
            pgn_bytes,
        })
    }
}

fn text_size(text: &GameText) -> usize {
    let comments = text.comments.iter().chain(&text.variation_comments);
    let empty = text.empty_variations.iter().filter_map(|empty| empty.comment.as_ref());
    comments.map(|(_, comment)| comment).chain(empty).map(String::len).sum()
}

/// Builds a segment from batches, in order.
#[derive(Debug)]
pub struct SegmentBuilder {
    positions: u32,
    columns: Columns,
    blocks: Vec<Block>,
    /// The first position of each batch, and its lists.
    lists: Vec<(u32, Lists)>,
    pgn_bytes: u64,
}

impl Default for SegmentBuilder {
    fn default() -> SegmentBuilder {
        SegmentBuilder::new()
    }
}

impl SegmentBuilder {
    /// A segment without games.
    pub fn new() -> SegmentBuilder {
        SegmentBuilder {
            positions: 0,
            columns: Columns::default(),
            blocks: Vec::new(),
            lists: Vec::new(),
            pgn_bytes: 0,
        }
    }

    /// How many games the segment has.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "each game has a position, and positions have numbers of 32 bits"
    )]
    pub fn games(&self) -> u32 {
        self.columns.lengths.len() as u32
    }

    /// How many positions they have.
    pub fn positions(&self) -> u32 {
        self.positions
    }

    /// Adds the games of a batch behind the others.
    ///
    /// # Errors
    ///
    /// When the segment would have too many positions to number.
    pub fn append(&mut self, batch: GameBatch) -> Result<()> {
        self.join(SegmentBuilder {
            positions: batch.positions,
            columns: batch.columns,
            blocks: batch.blocks,
            lists: vec![(0, batch.lists)],
            pgn_bytes: batch.pgn_bytes,
        })
    }

    /// Adds the games of another segment behind the others.
    pub(crate) fn join(&mut self, other: SegmentBuilder) -> Result<()> {
        let positions = self.positions.checked_add(other.positions).ok_or(Error::TooLarge {
            what: "a segment of more than four thousand million positions",
        })?;
        let base = self.positions;
        let moved = other.lists.into_iter().map(|(offset, lists)| (base + offset, lists));
        self.lists.extend(moved);
        self.columns.append(&other.columns);
        self.blocks.extend(other.blocks);
        self.pgn_bytes += other.pgn_bytes;
        self.positions = positions;
        Ok(())
    }

    /// Encodes the segment, on this many threads.
    pub(crate) fn finish(self, threads: usize) -> Result<SegmentData> {
        let postings = encode_postings(&self.lists_from(0), threads)?;
        Ok(self.finish_with(postings))
    }

    /// Encodes the posting lists of another segment with the games of this one behind it.
    pub(crate) fn encode_behind(&self, other: &SegmentBuilder, threads: usize) -> Result<Vec<EncodedPostings>> {
        let mut lists = other.lists_from(0);
        lists.extend(self.lists_from(other.positions));
        encode_postings(&lists, threads)
    }

    fn lists_from(&self, base: u32) -> Vec<(u32, &Lists)> {
        self.lists
            .iter()
            .map(|(offset, lists)| (base + offset, lists))
            .collect()
    }

    /// Encodes the rest of a segment whose posting lists are encoded already.
    pub(crate) fn finish_with(self, postings: Vec<EncodedPostings>) -> SegmentData {
        let mut starts = Vec::with_capacity(self.columns.lengths.len() + 1);
        let mut next = 0;
        starts.push(0);
        starts.extend(self.columns.lengths.iter().map(|length| {
            next += length;
            next
        }));
        SegmentData {
            positions: self.positions,
            pgn_bytes: self.pgn_bytes,
            starts,
            blocks: self.blocks,
            postings,
            tags: self.columns.tags.map(TagBuilder::finish),
            ratings: self.columns.ratings,
            outcomes: self.columns.outcomes,
            identities: self.columns.identities,
        }
    }
}

/// A posting list, encoded and in a frame.
#[derive(Debug)]
pub(crate) struct EncodedPostings {
    pub(crate) term: Term,
    pub(crate) stats: TermStats,
    pub(crate) sealed: Vec<u8>,
}

/// A segment in memory, encoded, complete.
#[derive(Debug)]
pub(crate) struct SegmentData {
    pub(crate) positions: u32,
    pub(crate) pgn_bytes: u64,
    pub(crate) starts: Vec<u32>,
    pub(crate) blocks: Vec<Block>,
    /// Ascending by term; terms that do not occur are left out.
    pub(crate) postings: Vec<EncodedPostings>,
    pub(crate) tags: [TagValues; TagColumn::ALL.len()],
    pub(crate) ratings: [Vec<u16>; 2],
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) identities: Vec<u64>,
}

/// Compresses posting lists, which makes them a fifth smaller. Higher levels of zstd find nothing more in them.
const LISTS: Sealer = Sealer::new(1);

/// Lists of segments with fewer bytes of them are not compressed: that takes longer than to write them, and the segment will soon
/// be joined with others.
const STORED: usize = 4 << 20;

/// The least number of bytes of lists that a thread is started for.
const SHARE: usize = 4 << 20;

/// Encodes the lists of all terms that occur, on several threads.
fn encode_postings(lists: &[(u32, &Lists)], threads: usize) -> Result<Vec<EncodedPostings>> {
    let occurs = |term: &Term| lists.iter().any(|(_, lists)| lists.has(*term));
    let terms: Vec<Term> = Term::all().filter(occurs).collect();
    let size: usize = lists.iter().map(|(_, lists)| lists.size()).sum();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(terms.len())));
    let work = || -> Result<()> {
        let (mut list, mut scratch) = (Vec::new(), Vec::new());
        while let Some(&term) = terms.get(next.fetch_add(1, Ordering::Relaxed)) {
            list.clear();
            for (offset, lists) in lists {
                lists.append_to(&mut list, term, *offset, &mut scratch)?;
            }
            let bytes = Postings::encode(&list);
            let sealed = match size < STORED {
                true => frame::store(&bytes),
                false => LISTS.seal(&bytes),
            }?;
            #[expect(clippy::cast_possible_truncation, reason = "a frame holds up to a gigabyte")]
            let bytes = sealed.len() as u32;
            let stats = TermStats {
                bytes,
                ..runs::stats(&list)
            };
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push(EncodedPostings { term, stats, sealed });
        }
        Ok(())
    };
    // For a few games threads cost more than they save.
    let threads = threads.min(1 + size / SHARE);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mine = work();
        others.into_iter().map(threads::join).fold(mine, Result::and)
    })?;
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|postings| postings.term);
    Ok(done)
}
