//! The words of a set of positions, in memory that is used again, and which of them may have a position.
//!
//! A plan with sequences makes hundreds of sets for the same games, one after the other. If each asked the system for its memory, a
//! query would spend up to a third of its time there. And most of them have few positions: only words that have some are gone
//! through.

use std::cell::RefCell;
use std::ops::{Deref, Range};

/// How many words may wait for the next sets of a thread: 4 MB.
const MOST_WAITING: usize = 1 << 19;

/// How many words a word of marks stands for. It is the number of words of a block.
pub(super) const MARKED: usize = 64;

/// If no more words of a block than these have a position, each is counted alone.
const FEW: u32 = 8;

/// Memory that is not in use. All its words are 0.
#[derive(Debug, Default)]
struct Waiting {
    free: Vec<Words>,
    /// How many words they have room for.
    room: usize,
}

thread_local! {
    static WAITING: RefCell<Waiting> = RefCell::default();
}

/// Words whose memory the next ones of the same thread get.
#[derive(Debug, Default)]
pub(super) struct Words {
    words: Vec<u64>,
    /// A bit for each word; where it is not set, the word is 0.
    marks: Vec<u64>,
}

impl Words {
    /// This many words without a bit, in memory that has waited, if there is any.
    pub(super) fn zeros(count: usize) -> Words {
        let mut words = WAITING.with_borrow_mut(Waiting::take);
        words.words.resize(count, 0);
        words.marks.resize(count.div_ceil(MARKED), 0);
        words
    }

    /// A bit for each word that may have a position: 64 words in one.
    pub(super) fn marks(&self) -> &[u64] {
        &self.marks
    }

    /// The words that may have a position.
    pub(super) fn marked(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        marked(&self.marks)
    }

    /// How many positions there are, or some number from `enough` on if there are as many.
    pub(super) fn count_up_to(&self, enough: u64) -> u64 {
        let mut count = 0;
        for (words, &marks) in self.words.chunks(MARKED).zip(&self.marks) {
            // All words of a block are counted side by side.
            count += u64::from(match marks.count_ones() {
                0 => continue,
                1..=FEW => bits::ones(marks).map(|bit| words[bit as usize].count_ones()).sum(),
                _ => bits::count(words),
            });
            if count >= enough {
                break;
            }
        }
        count
    }

    /// All words. Each may get a position.
    pub(super) fn all_mut(&mut self) -> &mut [u64] {
        for (marks, first) in self.marks.iter_mut().zip((0..).step_by(MARKED)) {
            *marks = match self.words.len() - first {
                MARKED.. => u64::MAX,
                few => (1 << few) - 1,
            };
        }
        &mut self.words
    }

    /// Gives each of these words, which are marked, a new value.
    pub(super) fn replace_each(&mut self, mut new: impl FnMut(usize, u64) -> u64) {
        for (block, marks) in self.marks.iter_mut().enumerate() {
            let mut kept = 0;
            for bit in bits::ones(*marks) {
                let index = block * MARKED + bit as usize;
                let word = new(index, self.words[index]);
                self.words[index] = word;
                kept |= u64::from(word != 0) << bit;
            }
            *marks = kept;
        }
    }

    /// Adds the bits of others.
    pub(super) fn add_all(&mut self, others: &Words) {
        for (marks, other) in self.marks.iter_mut().zip(&others.marks) {
            *marks |= other;
        }
        for index in others.marked() {
            self.words[index] |= others.words[index];
        }
    }

    /// Gives a word a value.
    #[inline]
    pub(super) fn put(&mut self, index: usize, word: u64) {
        self.words[index] = word;
        self.marks[index / MARKED] |= u64::from(word != 0) << (index % MARKED);
    }

    /// Changes the words of a block, and finds which of them may have a position then.
    pub(super) fn change_block<const N: usize>(&mut self, block: usize, change: impl FnOnce(&mut [u64; N])) {
        const { assert!(N == MARKED, "a word of marks stands for a block") };
        let words = &mut self.words.as_chunks_mut().0[block];
        change(words);
        let used = words
            .iter()
            .rev()
            .fold(0, |used, &word| used << 1 | u64::from(word != 0));
        self.marks[block] = used;
    }

    /// Sets the bits of a range.
    pub(super) fn set_range(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let used = range.start / bits::BITS..range.end.div_ceil(bits::BITS);
        bits::set_range(&mut self.marks, used);
        bits::set_range(&mut self.words, range);
    }

    /// Clears the bits of a range.
    pub(super) fn clear_range(&mut self, range: Range<u32>) {
        let whole = range.start.div_ceil(bits::BITS)..range.end / bits::BITS;
        bits::clear_range(&mut self.words, range);
        if whole.start < whole.end {
            bits::clear_range(&mut self.marks, whole);
        }
    }

    /// Replaces the words by others that have no new bits.
    pub(super) fn narrow(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.words = words(std::mem::take(&mut self.words));
        self.replace_each(|_, word| word);
    }
}

/// The numbers of the bits that are set.
pub(super) fn marked(marks: &[u64]) -> impl DoubleEndedIterator<Item = usize> + '_ {
    let blocks = marks.iter().enumerate().filter(|(_, marks)| **marks != 0);
    blocks.flat_map(|(block, &marks)| bits::ones(marks).map(move |bit| block * MARKED + bit as usize))
}

impl Clone for Words {
    fn clone(&self) -> Words {
        let mut words = Words::zeros(self.words.len());
        words.marks.copy_from_slice(&self.marks);
        for (block, &marks) in self.marks.iter().enumerate() {
            let first = block * MARKED;
            if marks == u64::MAX {
                words.words[first..first + MARKED].copy_from_slice(&self.words[first..first + MARKED]);
                continue;
            }
            for bit in bits::ones(marks) {
                words.words[first + bit as usize] = self.words[first + bit as usize];
            }
        }
        words
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.words.capacity() == 0 {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let marks = std::mem::take(&mut self.marks);
        // A thread that ends keeps nothing.
        let _ = WAITING.try_with(|waiting| waiting.borrow_mut().put(words, marks));
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.words
    }
}

impl Waiting {
    fn take(&mut self) -> Words {
        let words = self.free.pop().unwrap_or_default();
        self.room -= words.words.capacity();
        words
    }

    fn put(&mut self, mut words: Vec<u64>, mut marks: Vec<u64>) {
        if self.room + words.capacity() > MOST_WAITING {
            return;
        }
        for (block, used) in marks.iter_mut().enumerate() {
            let first = block * MARKED;
            match std::mem::take(used) {
                u64::MAX => words[first..first + MARKED].fill(0),
                used => bits::ones(used).for_each(|bit| words[first + bit as usize] = 0),
            }
        }
        self.room += words.capacity();
        self.free.push(Words { words, marks });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_words_are_zeros_in_the_memory_of_old_ones() {
        let mut old = Words::zeros(100);
        old.all_mut().fill(u64::MAX);
        let place = old.as_ptr();
        drop(old);
        let mut new = Words::zeros(90);
        assert_eq!(new.as_ptr(), place);
        assert_eq!(*new, [0; 90]);
        new.put(70, 5);
        assert_eq!(*new.clone(), *new);
        drop(new);
        assert_eq!(*Words::zeros(120), [0; 120]);
    }

    #[test]
    fn little_memory_waits() {
        let many: Vec<Words> = (0..20).map(|_| Words::zeros(MOST_WAITING / 8)).collect();
        drop(many);
        let (free, room) = WAITING.with_borrow(|waiting| (waiting.free.len(), waiting.room));
        assert_eq!((free, room), (8, MOST_WAITING));
    }

    #[test]
    fn words_with_a_position_are_marked() {
        let mut words = Words::zeros(200);
        words.set_range(100..5_000);
        words.put(150, 1);
        words.clear_range(130..4_000);
        let used: Vec<usize> = (0..200).filter(|&index| words[index] != 0).collect();
        assert!(used.iter().all(|&index| words.marked().any(|marked| marked == index)));
        // Only words at the ends of a range may be marked without need.
        assert!(words.marked().count() <= used.len() + 1);
        let mut others = Words::zeros(200);
        others.put(199, 7);
        others.add_all(&words);
        assert!(others.marked().rev().eq([199].into_iter().chain(words.marked().rev())));
        others.replace_each(|index, word| if index == 199 { word } else { 0 });
        assert!(others.marked().eq([199]));
        others.change_block(1, |block: &mut [u64; MARKED]| block[3] = 1);
        assert!(others.marked().eq([MARKED + 3, 199]));
    }
}
