//! A consistent view of a database: what queries read.

use std::{ops::Range, sync::Arc};

use shakmaty::Color;

use crate::{
    error::Result,
    game::{GameText, Outcome},
    id::SegmentId,
    postings::Postings,
    stats::Stats,
    tags::{TagColumn, TagValues},
    term::Term,
    trees::TreeBlock,
    verify::{Progress, Report},
};

/// What a snapshot knows of a segment without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SegmentMeta {
    /// Its number in the database.
    pub id: SegmentId,
    /// How many games it has: their local numbers are 0 up to this.
    pub games: u32,
    /// How many positions it has: their ids are 0 up to this.
    pub positions: u32,
    /// The number of its first game, counted from 0 over the whole database; users are shown one more.
    pub first_game: u64,
    /// How many bytes of PGN its games were.
    pub pgn_bytes: u64,
    /// How many bytes it takes on disk.
    pub stored_bytes: u64,
}

/// What the planner knows of a posting list without reading it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermStats {
    /// How many positions it has.
    pub cardinality: u32,
    /// How many runs of consecutive positions.
    pub runs: u32,
    /// How many bytes it takes on disk.
    pub bytes: u32,
}

/// What was committed when the snapshot was taken.
#[derive(Clone, Debug)]
pub struct Snapshot {
    segments: Arc<[SegmentMeta]>,
}

impl Snapshot {
    /// The segments, in the order of their games.
    pub fn segments(&self) -> &[SegmentMeta] {
        &self.segments
    }

    /// The `index`th segment; cheap, and as long-lived as its holder likes.
    ///
    /// # Panics
    ///
    /// When there is no such segment.
    pub fn segment(&self, _index: usize) -> Segment {
        unimplemented!()
    }

    /// How many games there are in all.
    pub fn games(&self) -> u64 {
        unimplemented!()
    }

    /// How many positions there are in all.
    pub fn positions(&self) -> u64 {
        unimplemented!()
    }

    /// Where a game is that is counted from 0 over the whole database: index of the segment, number in it.
    pub fn locate(&self, _game: u64) -> Option<(usize, u32)> {
        unimplemented!()
    }

    /// Sizes and counts.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn stats(&self) -> Result<Stats> {
        unimplemented!()
    }

    /// Reads everything and checks it: checksums, decoding, order and range of ids, and the postings against the
    /// boards that the stored moves lead to. Damage is listed in the report; it is no error.
    ///
    /// # Errors
    ///
    /// When the database can't be read at all.
    pub fn verify(&self, _progress: &mut dyn FnMut(Progress)) -> Result<Report> {
        unimplemented!()
    }
}

/// One segment of a snapshot: `Send`, `Sync`, cheap to clone.
#[derive(Clone, Debug)]
pub struct Segment {
    meta: SegmentMeta,
}

impl Segment {
    /// Counts and numbers.
    pub fn meta(&self) -> &SegmentMeta {
        &self.meta
    }

    /// The positions where a term holds; an empty list when there is none. Recently read lists are kept in memory.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn postings(&self, _term: Term) -> Result<Arc<Postings>> {
        unimplemented!()
    }

    /// The size of a posting list, without reading it.
    ///
    /// # Errors
    ///
    /// When the segment's directory is missing or damaged.
    pub fn term_stats(&self, _term: Term) -> Result<TermStats> {
        unimplemented!()
    }

    /// The first position of every game, and one entry more: the number of positions.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn starts(&self) -> Result<Arc<[u32]>> {
        unimplemented!()
    }

    /// The first game of every block of games, and one entry more: the number of games. Blocks have up to 64 games.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn blocks(&self) -> Result<Arc<[u32]>> {
        unimplemented!()
    }

    /// The block that a game is in, and its place in the block.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such game.
    pub fn block_of(&self, _game: u32) -> Result<(u32, usize)> {
        unimplemented!()
    }

    /// The games of a block.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such block.
    pub fn block_games(&self, _block: u32) -> Result<Range<u32>> {
        unimplemented!()
    }

    /// The move trees of a block of games.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn trees(&self, _block: u32) -> Result<TreeBlock> {
        unimplemented!()
    }

    /// The words of one game: tags, comments, glyphs, outcome.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn text(&self, _game: u32) -> Result<GameText> {
        unimplemented!()
    }

    /// A column of strings, read when first asked for.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn tag_values(&self, _column: TagColumn) -> Result<Arc<TagValues>> {
        unimplemented!()
    }

    /// The rating of the player of these men in every game, 0 where unknown.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn ratings(&self, _color: Color) -> Result<Arc<[u16]>> {
        unimplemented!()
    }

    /// The outcome of every game.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn outcomes(&self) -> Result<Arc<[Outcome]>> {
        unimplemented!()
    }
}
