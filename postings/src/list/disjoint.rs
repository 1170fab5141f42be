//! The positions of lists that have none in common, a chunk at a time.

use super::container::{Content, words};
use super::{CHUNK_SIZE, CHUNK_WORDS, Chunk, Postings};

/// Puts lists together that have no position in common, such as those of all men on one square.
///
/// Where each run begins and ends, a bit is turned over; whether a position is in a list is then whether an odd number of
/// bits is set up to there. That takes no branch for a run, and one pass for all of them.
#[derive(Clone, Debug)]
pub struct DisjointUnion {
    /// The bits that are turned over. The last word is for what ends with the chunk.
    turned: Box<[u64; CHUNK_WORDS + 1]>,
}

impl Default for DisjointUnion {
    fn default() -> DisjointUnion {
        DisjointUnion {
            turned: Box::new([0; CHUNK_WORDS + 1]),
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
                    self.turn(start);
                    self.turn(end);
                }),
            }
            any = true;
        }
        if !any {
            return false;
        }
        self.count_into(into);
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

    #[inline(always)]
    fn turn(&mut self, position: u32) {
        let word = position.min(CHUNK_SIZE) >> 6;
        self.turned[word as usize] ^= 1 << (position & 63);
    }

    /// Makes `into` the positions up to which an odd number of bits is turned over, and turns them all back.
    fn count_into(&mut self, into: &mut Chunk) {
        let mut before = 0;
        let (groups, _) = into.as_chunks_mut::<8>();
        let (turned, last) = self.turned.as_chunks_mut::<8>();
        for (group, turned) in groups.iter_mut().zip(turned) {
            *group = *turned;
            *turned = [0; 8];
            for distance in [1, 2, 4, 8, 16, 32] {
                for word in group.iter_mut() {
                    *word ^= *word << distance;
                }
            }
            for word in group {
                *word ^= before;
                before = (word.cast_signed() >> 63).cast_unsigned();
            }
        }
        last.fill(0);
    }
}
