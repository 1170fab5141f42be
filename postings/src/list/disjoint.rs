//! The positions of lists that have none in common, a chunk at a time.

use super::container::{Content, words};
use super::{CHUNK_SIZE, CHUNK_WORDS, Chunk, Postings, fill};

/// Puts lists together that have no position in common, such as those of all men on one square.
#[derive(Clone, Debug)]
pub struct DisjointUnion {
    /// The runs of all lists as a sum of numbers. The last word is for what ends with the chunk.
    sum: Box<[u64; CHUNK_WORDS + 1]>,
}

impl Default for DisjointUnion {
    fn default() -> DisjointUnion {
        DisjointUnion {
            sum: Box::new([0; CHUNK_WORDS + 1]),
        }
    }
}

impl DisjointUnion {
    /// Makes `into` the positions of a chunk that are in one of some lists; false, and `into` is left as it is, if there are
    /// none. Lists that have positions in common give wrong ones.
    pub fn read<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a Postings> + Clone,
        chunk: u32,
        into: &mut Chunk,
    ) -> bool {
        let (mut any, mut has_bitmap) = (false, false);
        for list in lists.clone() {
            match list.content(chunk) {
                Content::Empty => continue,
                Content::Bitmap(_) => has_bitmap = true,
                content => content.walk(|start, end| {
                    fill::begin(&mut self.sum[..], start);
                    fill::finish(&mut self.sum[..], end.min(CHUNK_SIZE));
                }),
            }
            any = true;
        }
        if !any {
            return false;
        }
        into.copy_from_slice(&self.sum[..CHUNK_WORDS]);
        self.sum.fill(0);
        fill::carry_on(into);
        if has_bitmap {
            for list in lists {
                if let Content::Bitmap(bytes) = list.content(chunk) {
                    for (word, theirs) in into.iter_mut().zip(words(bytes)) {
                        *word |= theirs;
                    }
                }
            }
        }
        true
    }
}
