//! The words of a set of positions, in memory that is used again.
//!
//! A plan with sequences makes hundreds of sets for the same games, one after the other. If each asked the system for its memory, a
//! query would spend up to a third of its time there.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// How many words may wait for the next sets of a thread: 4 MB.
const MOST_WAITING: usize = 1 << 19;

/// Words that are not in use.
#[derive(Debug, Default)]
struct Waiting {
    free: Vec<Vec<u64>>,
    /// How many words they have room for.
    room: usize,
}

thread_local! {
    static WAITING: RefCell<Waiting> = RefCell::default();
}

/// Words whose memory the next ones of the same thread get.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<u64>);

impl Words {
    /// This many words without a bit.
    pub(super) fn zeros(count: usize) -> Words {
        let mut words = Words::empty();
        words.0.resize(count, 0);
        words
    }

    /// No words, in memory that has waited, if there is any.
    fn empty() -> Words {
        Words(WAITING.with_borrow_mut(Waiting::take))
    }

    /// Replaces the words.
    pub(super) fn replace(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.0 = words(std::mem::take(&mut self.0));
    }
}

impl Clone for Words {
    fn clone(&self) -> Words {
        let mut words = Words::empty();
        words.0.extend_from_slice(&self.0);
        words
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        let words = std::mem::take(&mut self.0);
        // A thread that ends keeps nothing.
        let _ = WAITING.try_with(|waiting| waiting.borrow_mut().put(words));
    }
}

impl Deref for Words {
    type Target = [u64];

    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Words {
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}

impl Waiting {
    fn take(&mut self) -> Vec<u64> {
        let words = self.free.pop().unwrap_or_default();
        self.room -= words.capacity();
        words
    }

    fn put(&mut self, mut words: Vec<u64>) {
        if words.capacity() > 0 && self.room + words.capacity() <= MOST_WAITING {
            words.clear();
            self.room += words.capacity();
            self.free.push(words);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_words_are_zeros_in_the_memory_of_old_ones() {
        let mut old = Words::zeros(100);
        old.fill(u64::MAX);
        let place = old.as_ptr();
        drop(old);
        let new = Words::zeros(90);
        assert_eq!(new.as_ptr(), place);
        assert_eq!(*new, [0; 90]);
        assert_eq!(*new.clone(), *new);
    }

    #[test]
    fn little_memory_waits() {
        let many: Vec<Words> = (0..20).map(|_| Words::zeros(MOST_WAITING / 8)).collect();
        drop(many);
        let (free, room) = WAITING.with_borrow(|waiting| (waiting.free.len(), waiting.room));
        assert_eq!((free, room), (8, MOST_WAITING));
    }
}
