//! A chunk of a list: sixteen blocks, each full, empty, a bitmap or tokens.

use super::tokens::{self, STEPS, token_bytes};
use super::{BLOCK_SIZE, BLOCK_WORDS, BLOCKS, Block};

/// The bytes before the blocks: the form of the tokens, and one byte a block.
pub(super) const HEADER: usize = 1 + BLOCKS as usize;

/// The byte of a block, where it is not the number of tokens: the block is empty.
pub(super) const NOTHING: u8 = 0;
/// The block is full; it has no bytes.
pub(super) const ALL: u8 = 254;
/// The block is a bitmap.
pub(super) const BITMAP: u8 = 255;

/// The bytes of a bitmap.
pub(super) const BITMAP_BYTES: usize = 8 * BLOCK_WORDS;

/// A chunk whose blocks have been located.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chunk<'a> {
    /// The blocks, one after the other.
    content: &'a [u8],
    form: u8,
    /// By block: number of tokens, or one of the values above.
    kinds: [u8; BLOCKS as usize],
    /// By block, where it begins.
    starts: [u16; BLOCKS as usize],
}

impl<'a> Chunk<'a> {
    /// A chunk without positions.
    pub(super) const EMPTY: Chunk<'static> = Chunk::uniform(NOTHING);
    /// A chunk with all positions.
    pub(super) const FULL: Chunk<'static> = Chunk::uniform(ALL);

    const fn uniform(kind: u8) -> Chunk<'static> {
        Chunk {
            content: &[],
            form: STEPS,
            kinds: [kind; BLOCKS as usize],
            starts: [0; BLOCKS as usize],
        }
    }

    /// Finds the blocks.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a block has no more bytes than a bitmap, 512"
    )]
    pub(super) fn open(bytes: &'a [u8]) -> Chunk<'a> {
        let Some((header, content)) = bytes.split_first_chunk::<HEADER>() else {
            return Chunk::EMPTY;
        };
        let [form, kinds @ ..] = *header;
        // Sixteen bitmaps are 8,192 bytes.
        let (mut starts, mut at) = ([0; BLOCKS as usize], 0u16);
        for (start, kind) in starts.iter_mut().zip(kinds) {
            *start = at;
            at += size(form, kind) as u16;
        }
        Chunk {
            content,
            form,
            kinds,
            starts,
        }
    }

    /// Whether the bytes end where the last block does, and the form is a known one.
    pub(super) fn is_complete(&self) -> bool {
        let sizes = self.kinds.map(|kind| size(self.form, kind));
        sizes.iter().sum::<usize>() == self.content.len() && tokens::is_form(self.form)
    }

    /// The byte of a block.
    #[inline]
    pub(super) fn kind(&self, block: u32) -> u8 {
        self.kinds[(block % BLOCKS) as usize]
    }

    #[inline]
    fn bytes(&self, block: u32, size: usize) -> &'a [u8] {
        let start = usize::from(self.starts[(block % BLOCKS) as usize]);
        self.content.get(start..start + size).unwrap_or_default()
    }

    /// Makes `into` the positions of a block; false if it has none, and then `into` is not touched.
    #[inline]
    pub(super) fn read(&self, block: u32, into: &mut Block) -> bool {
        match self.kind(block) {
            NOTHING => return false,
            ALL => into.fill(u64::MAX),
            BITMAP => {
                let words = self.words(block);
                into.fill(0);
                for (word, theirs) in into.iter_mut().zip(words) {
                    *word = theirs;
                }
            }
            count => {
                into.fill(0);
                tokens::set(self.form, self.tokens(block, count), into);
            }
        }
        true
    }

    /// The words of a block that is a bitmap.
    #[inline]
    fn words(&self, block: u32) -> impl Iterator<Item = u64> + 'a {
        let bytes = self.bytes(block, BITMAP_BYTES);
        bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
    }

    /// The `count` tokens of a block.
    #[inline]
    fn tokens(&self, block: u32, count: u8) -> &'a [u8] {
        self.bytes(block, size(self.form, count))
    }

    /// Calls `each` with the start and end of each run of a block, ascending, counted from its beginning; the end is
    /// left out. Runs may be empty, and may touch.
    #[inline]
    pub(super) fn walk(&self, block: u32, mut each: impl FnMut(u32, u32)) {
        match self.kind(block) {
            NOTHING => {}
            ALL => each(0, BLOCK_SIZE),
            BITMAP => {
                for (word, base) in self.words(block).zip((0..).step_by(64)) {
                    for bit in bits::ones(word) {
                        each(base + bit, base + bit + 1);
                    }
                }
            }
            count => tokens::walk(self.form, self.tokens(block, count), each),
        }
    }
}

/// How many bytes a block takes.
#[inline]
fn size(form: u8, kind: u8) -> usize {
    match kind {
        ALL => 0,
        BITMAP => BITMAP_BYTES,
        count => usize::from(count) * token_bytes(form),
    }
}
