//! One segment of a snapshot. Its parts are read when they are first asked for.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use chess::{AnnotationKind, Annotations, GameText, MoveTree, Outcome};
use postings::{BLOCK_SIZE, BLOCK_WORDS, Damage, Postings, Term, TermStats, varint::Reader};
use roaring::RoaringBitmap;
use shakmaty::Color;

use crate::{
    annotations::{self, AnnotationDirectory},
    directory::Directory,
    error::{Error, Result},
    frame,
    key::Key,
    removed::Removed,
    segment_files::SegmentFiles,
    segment_meta::SegmentMeta,
    store::Store,
    tags::{TagColumn, TagValues, decode_array},
    text_block::TextBlock,
    texts::{self, outcome_from_code},
    trees::{self, TreeBlock},
};

/// The arrays over the games of a segment, in the column `tags`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Array {
    /// The number of positions of each game.
    Lengths,
    /// The first game of each block, and the number of games.
    Blocks,
    WhiteRatings,
    BlackRatings,
    Outcomes,
    /// The identity of each game; equal games have equal identities.
    Identities,
    /// The directory of the annotations.
    Annotations,
    Tag(TagColumn),
}

impl Array {
    /// The number in the key.
    pub(crate) const fn number(self) -> u8 {
        match self {
            Array::Lengths => 0,
            Array::Blocks => 1,
            Array::WhiteRatings => 2,
            Array::BlackRatings => 3,
            Array::Outcomes => 4,
            Array::Identities => 5,
            Array::Annotations => 6,
            Array::Tag(column) => 8 + column as u8,
        }
    }
}

/// The parts that were read. They are kept as long as the segment.
#[derive(Debug, Default)]
struct Loaded {
    directory: OnceLock<Arc<Directory>>,
    starts: OnceLock<Arc<[u32]>>,
    beginnings: OnceLock<Arc<[u64]>>,
    blocks: OnceLock<Arc<[u32]>>,
    tags: [OnceLock<Arc<TagValues>>; TagColumn::ALL.len()],
    ratings: [OnceLock<Arc<[u16]>>; 2],
    outcomes: OnceLock<Arc<[Outcome]>>,
    annotations: OnceLock<Option<Arc<AnnotationDirectory>>>,
    empty: OnceLock<Arc<Postings>>,
}

#[derive(Debug)]
struct Inner {
    files: Arc<SegmentFiles>,
    meta: SegmentMeta,
    removed: Arc<Removed>,
    loaded: Arc<Loaded>,
}

/// One segment of a snapshot: `Send`, `Sync`, cheap to clone.
#[derive(Clone, Debug)]
pub struct Segment {
    inner: Arc<Inner>,
}

/// Returns the value of a slot, or makes it and keeps it there.
fn load<T: Clone>(slot: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<T> {
    match slot.get() {
        Some(value) => Ok(value.clone()),
        None => {
            let value = make()?;
            Ok(slot.get_or_init(|| value).clone())
        }
    }
}

impl Segment {
    pub(crate) fn new(store: Arc<Store>, meta: SegmentMeta, removed: Removed) -> Segment {
        Segment {
            inner: Arc::new(Inner {
                files: SegmentFiles::new(store, meta.id),
                meta,
                removed: Arc::new(removed),
                loaded: Arc::default(),
            }),
        }
    }

    /// The same segment after a commit that changed its numbers or removed games. What was read stays loaded.
    pub(crate) fn changed(&self, meta: SegmentMeta, removed: Removed) -> Segment {
        Segment {
            inner: Arc::new(Inner {
                files: Arc::clone(&self.inner.files),
                meta,
                removed: Arc::new(removed),
                loaded: Arc::clone(&self.inner.loaded),
            }),
        }
    }

    pub(crate) fn store(&self) -> &Store {
        self.inner.files.store()
    }

    /// What keeps the files of the segment.
    pub(crate) fn files(&self) -> &Arc<SegmentFiles> {
        &self.inner.files
    }

    pub(crate) fn removed(&self) -> &Removed {
        &self.inner.removed
    }

    /// Whether a game was removed. It keeps its number, and its positions keep their ids, but it must not be shown.
    #[inline]
    pub fn is_removed(&self, game: u32) -> bool {
        self.inner.removed.contains(game)
    }

    /// The removed games among some games, ascending.
    pub fn removed_games(&self, games: Range<u32>) -> impl Iterator<Item = u32> + '_ {
        self.inner.removed.games_in(games)
    }

    /// Takes the positions of removed games out of a set of positions of the segment.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn without_removed(&self, positions: &mut RoaringBitmap) -> Result<()> {
        if self.removed().is_empty() || positions.is_empty() {
            return Ok(());
        }
        let starts = self.starts()?;
        let mut removed = RoaringBitmap::new();
        for game in self.removed().games() {
            removed.insert_range(starts[game as usize]..starts[game as usize + 1]);
        }
        *positions -= removed;
        Ok(())
    }

    /// What a snapshot knows of the segment without reading it.
    pub fn meta(&self) -> &SegmentMeta {
        &self.inner.meta
    }

    /// The positions where a term holds. Recently read lists are kept in memory.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn postings(&self, term: Term) -> Result<Arc<Postings>> {
        let stats = self.term_stats(term)?;
        if stats == TermStats::default() {
            return load(&self.inner.loaded.empty, || Ok(Arc::default()));
        }
        let id = self.meta().id;
        let postings = self.store().postings(id, term, stats)?;
        if postings.fits(self.meta().positions) {
            return Ok(postings);
        }
        let damage = Damage::Invalid("the list has positions that the segment does not have");
        Err(Key::term(id, term).corrupt(damage))
    }

    /// Whether the list of a term can be had without reading it.
    pub fn has_in_memory(&self, term: Term) -> bool {
        self.store().has_in_memory(self.meta().id, term)
    }

    /// The size of a posting list, without reading the list; all zero if the term does not occur.
    ///
    /// # Errors
    ///
    /// When the segment's directory is missing or damaged.
    pub fn term_stats(&self, term: Term) -> Result<TermStats> {
        Ok(self.directory()?.get(term))
    }

    /// Whether there are lists of pinned men. Segments of a database of an older format have none.
    ///
    /// # Errors
    ///
    /// When the format of the database can't be read.
    pub fn lists_pins(&self) -> Result<bool> {
        self.store().lists_pins()
    }

    /// Whether a game has variations.
    ///
    /// # Errors
    ///
    /// When the segment's directory is missing or damaged.
    pub fn has_variations(&self) -> Result<bool> {
        Ok(self.term_stats(Term::Mainline)?.cardinality < self.meta().positions)
    }

    pub(crate) fn directory(&self) -> Result<Arc<Directory>> {
        load(&self.inner.loaded.directory, || {
            let key = Key::directory(self.meta().id);
            self.store()
                .read_framed(key, |bytes| Ok(Arc::new(Directory::decode(&bytes)?)))
        })
    }

    /// Reads an array over the games.
    fn array<T>(&self, array: Array, decode: impl FnOnce(&mut Reader<'_>) -> Result<T, Damage>) -> Result<T> {
        let key = Key::array(self.meta().id, array.number());
        self.store().read_framed(key, |bytes| {
            let mut reader = Reader::new(&bytes);
            let value = decode(&mut reader)?;
            reader.finish()?;
            Ok(value)
        })
    }

    /// The first position of every game, followed by the number of positions.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn starts(&self) -> Result<Arc<[u32]>> {
        let SegmentMeta { games, positions, .. } = *self.meta();
        load(&self.inner.loaded.starts, || {
            self.array(Array::Lengths, |reader| {
                let lengths = decode_array(reader, games, u32::from_le_bytes)?;
                let mut starts = Vec::with_capacity(lengths.len() + 1);
                starts.push(0);
                let mut next = 0u32;
                for length in lengths {
                    next = next.checked_add(length).ok_or(Damage::Invalid("a game is too long"))?;
                    starts.push(next);
                }
                let is_sound = next == positions && starts.is_sorted_by(|a, b| a < b);
                if is_sound {
                    Ok(starts.into())
                } else {
                    Err(Damage::Invalid("the games do not fill the segment"))
                }
            })
        })
    }

    /// The same as a bit for each position, the first in the lowest bit of the first word. The words are those of whole blocks of
    /// [`BLOCK_SIZE`] positions.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn beginnings(&self) -> Result<Arc<[u64]>> {
        load(&self.inner.loaded.beginnings, || {
            let starts = self.starts()?;
            let blocks = self.meta().positions.div_ceil(BLOCK_SIZE);
            let mut words = vec![0; blocks as usize * BLOCK_WORDS];
            starts[..starts.len() - 1]
                .iter()
                .for_each(|&start| bits::insert(&mut words, start));
            Ok(words.into())
        })
    }

    /// The first game of every block, followed by the number of games.
    fn blocks(&self) -> Result<Arc<[u32]>> {
        load(&self.inner.loaded.blocks, || {
            self.array(Array::Blocks, |reader| {
                #[expect(clippy::cast_possible_truncation, reason = "a frame holds up to a gigabyte")]
                let count = (reader.len() / 4) as u32;
                let blocks = decode_array(reader, count, u32::from_le_bytes)?;
                let ends = blocks.first().zip(blocks.last());
                let is_sound = ends == Some((&0, &self.meta().games)) && blocks.is_sorted_by(|a, b| a < b);
                if is_sound {
                    Ok(blocks.into())
                } else {
                    Err(Damage::Invalid("the blocks do not fill the segment"))
                }
            })
        })
    }

    /// Reads the number of games of each block from the block itself, if the array of these numbers is damaged.
    pub(crate) fn recover_blocks(&self) -> Result<()> {
        if self.blocks().is_ok() {
            return Ok(());
        }
        let (mut blocks, mut games, mut block) = (vec![0], 0, 0);
        while games < self.meta().games {
            let [trees, texts] = [Key::trees, Key::texts].map(|key| key(self.meta().id, block));
            let count = |bytes: Vec<u8>| {
                u32::try_from(Reader::new(&bytes).count()?).map_err(|_| Damage::Invalid("a number is too large"))
            };
            let store = self.store();
            let found = store
                .read_framed(trees, count)
                .or_else(|error| store.read_framed(texts, count).map_err(|_| error))?;
            if found == 0 || found > self.meta().games - games {
                return Err(trees.corrupt(Damage::Invalid("a block has more or fewer games than it should")));
            }
            games += found;
            blocks.push(games);
            block += 1;
        }
        // Another thread may have been faster; it has found the same.
        let _ = self.inner.loaded.blocks.set(blocks.into());
        Ok(())
    }

    /// How many blocks of games there are. A block has up to 64 games.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "each block has a game, and games have numbers of 32 bits"
    )]
    pub fn block_count(&self) -> Result<u32> {
        Ok(self.blocks()?.len() as u32 - 1)
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
    #[expect(
        clippy::cast_possible_truncation,
        reason = "each block has a game, and games have numbers of 32 bits"
    )]
    pub fn block_of(&self, game: u32) -> Result<(u32, usize)> {
        assert!(game < self.meta().games, "the segment has no such game");
        let blocks = self.blocks()?;
        let block = blocks.partition_point(|&first| first <= game) - 1;
        Ok((block as u32, (game - blocks[block]) as usize))
    }

    /// The games of a block, which has to exist.
    pub(crate) fn block_games(&self, block: u32) -> Result<Range<u32>> {
        let blocks = self.blocks()?;
        Ok(blocks[block as usize]..blocks[block as usize + 1])
    }

    /// The move trees of a block of games.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such block.
    pub fn trees(&self, block: u32) -> Result<TreeBlock> {
        let games = self.block_games(block)?;
        let key = Key::trees(self.meta().id, block);
        self.store().read_value(key, |sealed| {
            let mut block = trees::decode(frame::open(sealed)?, games, key)?;
            block.stored = sealed.len();
            Ok(block)
        })
    }

    /// The same from memory, if it is there. `keep` keeps it there as posting lists are: for those who read few games of many
    /// blocks.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such block.
    pub fn shared_trees(&self, block: u32, keep: bool) -> Result<Arc<TreeBlock>> {
        self.store().trees(self.meta().id, block, keep, || self.trees(block))
    }

    /// The error of a block of move trees in which a game has no position that the index has.
    pub fn lacks_position(&self, block: u32) -> Error {
        let reason = Damage::Invalid("the index has a position that is not in its game");
        Key::trees(self.meta().id, block).corrupt(reason)
    }

    /// The tags, comments, glyphs and outcomes of a block of games, unpacked and to be read one by one.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such block.
    pub fn text_block(&self, block: u32) -> Result<TextBlock> {
        let games = self.block_games(block)?.len();
        let key = Key::texts(self.meta().id, block);
        self.store()
            .read_framed(key, |bytes| Ok(TextBlock::new(bytes, games, key)))
    }

    /// The texts of all games of a block. This is cheaper than reading them one by one.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such block.
    pub fn texts(&self, block: u32) -> Result<Vec<GameText>> {
        let games = self.block_games(block)?.len();
        let key = Key::texts(self.meta().id, block);
        self.store().read_value(key, |sealed| {
            let bytes = frame::open(sealed)?;
            (0..games).map(|index| texts::decode(&bytes, index, games)).collect()
        })
    }

    /// The directory of the annotations; `None` in a segment of format 7, which has none.
    pub(crate) fn annotation_directory(&self) -> Result<Option<Arc<AnnotationDirectory>>> {
        load(&self.inner.loaded.annotations, || {
            let blocks = self.block_count()? as usize;
            let key = Key::array(self.meta().id, Array::Annotations.number());
            let read = self
                .store()
                .read_framed(key, |bytes| Ok(Arc::new(AnnotationDirectory::decode(&bytes, blocks)?)));
            match read {
                Err(Error::Corrupt {
                    reason: Damage::Missing,
                    ..
                }) => Ok(None),
                read => read.map(Some),
            }
        })
    }

    /// How many positions have an annotation of a kind; `None` in a segment of format 7, which does not store it.
    ///
    /// # Errors
    ///
    /// When the stored bytes are damaged.
    pub fn annotated(&self, kind: AnnotationKind) -> Result<Option<u64>> {
        let directory = self.annotation_directory()?;
        Ok(directory.map(|directory| directory.positions(kind)))
    }

    /// The annotations of some kinds of all games of a block. A segment of format 7 does not have them; then they are read
    /// from the comments.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    ///
    /// # Panics
    ///
    /// When the segment has no such block.
    pub fn annotations(&self, block: u32, kinds: impl IntoIterator<Item = AnnotationKind>) -> Result<Vec<Annotations>> {
        let Some(directory) = self.annotation_directory()? else {
            return self.annotations_of_comments(block);
        };
        let mut games = vec![Annotations::default(); self.block_games(block)?.len()];
        for kind in kinds {
            if directory.get(block, kind).bytes > 0 {
                let key = Key::annotations(self.meta().id, kind, block);
                self.store()
                    .read_framed(key, |bytes| annotations::decode(&bytes, kind, &mut games))?;
            }
        }
        Ok(games)
    }

    /// The annotations in the comments that a block of games has kept.
    fn annotations_of_comments(&self, block: u32) -> Result<Vec<Annotations>> {
        let trees = self.trees(block)?;
        let mut tree = MoveTree::default();
        let texts = self.texts(block)?.into_iter().enumerate();
        let read = texts.map(|(index, text)| {
            if text.comments.is_empty() {
                return Ok(Annotations::default());
            }
            trees.tree(index, &mut tree)?;
            Ok(Annotations::of(&tree, &text.comments, &text.tags))
        });
        read.collect()
    }

    /// The values of a tag in every game.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn tag_values(&self, column: TagColumn) -> Result<Arc<TagValues>> {
        load(&self.inner.loaded.tags[column as usize], || {
            let key = Key::array(self.meta().id, Array::Tag(column).number());
            let games = self.meta().games;
            self.store()
                .read_framed(key, |bytes| Ok(Arc::new(TagValues::decode(&bytes, games)?)))
        })
    }

    /// The rating of a player in every game; 0 where it is unknown.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn ratings(&self, color: Color) -> Result<Arc<[u16]>> {
        let (slot, array) = match color {
            Color::White => (0, Array::WhiteRatings),
            Color::Black => (1, Array::BlackRatings),
        };
        load(&self.inner.loaded.ratings[slot], || {
            let games = self.meta().games;
            self.array(array, |reader| {
                Ok(decode_array(reader, games, u16::from_le_bytes)?.into())
            })
        })
    }

    /// The [`identity`](crate::identity()) of every game. It is read again at each call.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn identities(&self) -> Result<Vec<u64>> {
        let games = self.meta().games;
        self.array(Array::Identities, |reader| {
            decode_array(reader, games, u64::from_le_bytes)
        })
    }

    /// The outcome of every game.
    ///
    /// # Errors
    ///
    /// When the stored bytes are missing or damaged.
    pub fn outcomes(&self) -> Result<Arc<[Outcome]>> {
        load(&self.inner.loaded.outcomes, || {
            self.array(Array::Outcomes, |reader| {
                let codes = reader.bytes(self.meta().games as usize)?;
                codes.iter().map(|&code| outcome_from_code(code)).collect()
            })
        })
    }
}
