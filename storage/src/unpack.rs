//! Turns stored segments into batches of games, to be joined with others or to be indexed again.

use std::ops::Range;

use chess::{AnnotationKind, Game, MoveTree};
use postings::{Damage, Run, Term, TermStats};
use shakmaty::Color;

use crate::{
    annotations::{self, KINDS, Sealed},
    batch::{ANNOTATIONS_LEVEL, BLOCK_GAMES, BLOCK_SIZE, BatchBuilder, Block, BlockBuilder, Columns, GameBatch},
    column::Column,
    error::{Error, Result},
    frame::{self, Sealer},
    key::Key,
    lists::{self, Lists, StoredLists},
    removed::Removed,
    segment::Segment,
    tags::{TagBuilder, TagColumn},
    threads,
};

/// How many blocks become one batch when games are indexed again.
const BLOCKS_PER_BATCH: u32 = 16;

/// A batch of games that were indexed again, and the numbers of games that could not be read.
type Reindexed = (GameBatch, Vec<u32>);

/// Reads a segment with its posting lists. Games are not decoded, except those of small blocks, which are packed into
/// larger ones.
pub(crate) fn unpack(segment: &Segment) -> Result<GameBatch> {
    let lengths = segment.starts()?.windows(2).map(|two| two[1] - two[0]).collect();
    let mut tags: [TagBuilder; TagColumn::ALL.len()] = Default::default();
    for (builder, column) in tags.iter_mut().zip(TagColumn::ALL) {
        *builder = TagBuilder::of(&*segment.tag_values(column)?);
    }
    let columns = Columns {
        lengths,
        tags,
        ratings: [
            segment.ratings(Color::White)?.to_vec(),
            segment.ratings(Color::Black)?.to_vec(),
        ],
        outcomes: segment.outcomes()?.to_vec(),
        identities: segment.identities()?,
    };
    let mut blocks = BlockBuilder::new();
    for number in 0..segment.block_count()? {
        let id = segment.meta().id;
        let Range { start, end } = segment.block_games(number)?;
        let block = Block {
            games: end - start,
            trees: segment.store().sealed(Key::trees(id, number))?,
            texts: segment.store().sealed(Key::texts(id, number))?,
            annotations: annotations_of(segment, number)?,
        };
        if is_small(&block) {
            for game in games(segment, number)? {
                blocks.push(game)?;
            }
        } else {
            blocks.push_block(block)?;
        }
    }
    Ok(GameBatch {
        positions: segment.meta().positions,
        columns,
        blocks: blocks.finish()?,
        lists: Lists::Stored(StoredLists::read(segment)?),
        pgn_bytes: segment.meta().pgn_bytes,
    })
}

/// The annotations of a block. Those of an older format are encoded.
fn annotations_of(segment: &Segment, block: u32) -> Result<[Sealed; KINDS]> {
    let Some(directory) = segment.annotation_directory()? else {
        let games = segment.annotations(block, AnnotationKind::ALL)?;
        return annotations::seal(&games, Sealer::new(ANNOTATIONS_LEVEL));
    };
    let mut all: [Sealed; KINDS] = Default::default();
    for (kind, sealed) in AnnotationKind::ALL.into_iter().zip(&mut all) {
        let entry = directory.get(block, kind);
        if entry.bytes > 0 {
            sealed.positions = entry.positions;
            let key = Key::annotations(segment.meta().id, kind, block);
            sealed.bytes = segment.store().sealed(key)?;
        }
    }
    Ok(all)
}

/// Whether a block should be packed together with others: it has less than half of the games and of the bytes that a
/// block may have.
fn is_small(block: &Block) -> bool {
    let size = frame::length(&block.trees) / 2 + frame::length(&block.texts);
    2 * (block.games as usize) < BLOCK_GAMES && 2 * size < BLOCK_SIZE
}

/// Reads the runs of a term and checks them against the directory.
fn postings(segment: &Segment, term: Term) -> Result<Vec<Run>> {
    let mut list = Vec::new();
    let stats = segment.term_stats(term)?;
    if stats != TermStats::default() {
        let key = Key::term(segment.meta().id, term);
        segment.store().read_value(key, |sealed| {
            lists::decode(sealed, stats, segment.meta().positions, &mut list)
        })?;
    }
    Ok(list)
}

/// The games of a block.
fn games(segment: &Segment, block: u32) -> Result<Vec<Game>> {
    let trees = segment.trees(block)?;
    let texts = segment.texts(block)?;
    let annotations = segment.annotations(block, AnnotationKind::ALL)?;
    let read = |(index, (text, annotations))| {
        let mut tree = MoveTree::default();
        trees.tree(index, &mut tree)?;
        Ok(Game {
            tree,
            text,
            annotations,
        })
    };
    texts.into_iter().zip(annotations).enumerate().map(read).collect()
}

/// Which games are indexed again, and what replaces the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// All games, removed ones too.
    All,
    /// All games that are not removed. The others are left out.
    Live,
    /// All games that can be read. Empty games replace the others.
    Readable,
}

/// The number of a game, and the game that replaces it.
type Replacement<'a> = Option<(u32, &'a Game)>;

/// Indexes the stored games of a segment again, on several threads. Returns the batches, and the games that could not
/// be read.
pub(crate) fn reindex(
    segment: &Segment,
    keep: Keep,
    replacement: Replacement<'_>,
    threads: usize,
) -> Result<(Vec<GameBatch>, Removed)> {
    let count = segment.block_count()?;
    let ranges: Vec<Range<u32>> = (0..count)
        .step_by(BLOCKS_PER_BATCH as usize)
        .map(|first| first..count.min(first + BLOCKS_PER_BATCH))
        .collect();
    let share = ranges.len().div_ceil(threads.max(1)).max(1);
    let parts: Vec<Result<Vec<Reindexed>>> = std::thread::scope(|scope| {
        let handles: Vec<_> = ranges
            .chunks(share)
            .map(|ranges| {
                scope.spawn(move || {
                    let mut builder = BatchBuilder::new();
                    let batch =
                        |range: &Range<u32>| reindex_blocks(segment, range.clone(), keep, replacement, &mut builder);
                    ranges.iter().map(batch).collect()
                })
            })
            .collect();
        handles.into_iter().map(threads::join).collect()
    });
    let (mut batches, mut lost) = (Vec::new(), Removed::default());
    for part in parts {
        for (batch, games) in part? {
            batches.push(batch);
            for game in games {
                lost.insert(game);
            }
        }
    }
    Ok((batches, lost))
}

/// Empty games: without moves and texts.
pub(crate) fn empty(games: u32) -> Result<GameBatch> {
    let mut builder = BatchBuilder::new();
    for _ in 0..games {
        builder.push(Game::default())?;
    }
    builder.finish(0)
}

fn reindex_blocks(
    segment: &Segment,
    blocks: Range<u32>,
    keep: Keep,
    replacement: Replacement<'_>,
    builder: &mut BatchBuilder,
) -> Result<Reindexed> {
    let meta = segment.meta();
    let mut lost = Vec::new();
    let mut kept = 0;
    for block in blocks {
        let numbers = segment.block_games(block)?;
        let read = match games(segment, block) {
            Err(Error::Corrupt { .. }) if keep == Keep::Readable => {
                lost.extend(numbers.clone());
                vec![Game::default(); numbers.len()]
            }
            read => read?,
        };
        for (number, game) in numbers.zip(read) {
            if keep != Keep::Live || !segment.is_removed(number) {
                let other = replacement.filter(|(replaced, _)| *replaced == number);
                builder.push(other.map_or(game, |(_, other)| other.clone()))?;
                kept += 1;
            }
        }
    }
    // The size of a single game as PGN is not stored, so this is an estimate.
    let pgn_bytes = meta.pgn_bytes * kept / u64::from(meta.games.max(1));
    Ok((builder.finish(pgn_bytes)?, lost))
}

/// How many positions the games of a segment have, and how many of them are on main lines.
pub(crate) fn count_positions(segment: &Segment, games: &Removed) -> Result<(u32, u32)> {
    let starts = segment.starts()?;
    let mut runs = postings(segment, Term::Mainline)?.into_iter().peekable();
    let (mut positions, mut mainline) = (0, 0);
    for game in games.games() {
        let (start, end) = (starts[game as usize], starts[game as usize + 1]);
        positions += end - start;
        while runs.next_if(|run| run.last < start).is_some() {}
        // A run can reach into the next game, which then looks at it again.
        while let Some(run) = runs.peek().filter(|run| run.start < end) {
            mainline += (run.last + 1).min(end) - run.start.max(start);
            if run.last >= end {
                break;
            }
            runs.next();
        }
    }
    Ok((positions, mainline))
}

/// The error for values of a segment that contradict each other.
pub(crate) fn contradiction(segment: &Segment, what: &'static str) -> Error {
    Key::segment(segment.meta().id, Column::Boards).corrupt(Damage::Invalid(what))
}
