//! Sets of small numbers as the bits of words: number `n` is bit `n % 64` of word `n / 64`.
//!
//! These are functions over words that the caller owns, whether they are a block of a posting list (`[u64; 64]`), all
//! positions of some games (`Vec<u64>`) or one word. Nothing here allocates memory. Containers such as `fixedbitset`
//! own their words, so that a block in an array could not be one of them.
//!
//! ```
//! let mut words = [0; 2];
//! bits::set_range(&mut words, 60..70);
//! bits::remove(&mut words, 63);
//! assert!(bits::contains(&words, 69) && !bits::contains(&words, 63));
//! assert_eq!(bits::ones_of(&words).last(), Some(69));
//! assert_eq!(bits::runs(&words).collect::<Vec<_>>(), [60..63, 64..70]);
//! ```

mod one_word;
mod ranges;
mod words;

pub use crate::{
    one_word::{Ones, below, ones, ones_between},
    ranges::{clear_range, count_range, first_in, last_in, set_first, set_range, within, words_in},
    words::{
        BITS, contains, count, insert, is_empty, next, next_where, ones_from, ones_of, remove, retain, runs, transpose,
        try_retain,
    },
};
