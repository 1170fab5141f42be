//! Every function against a set of numbers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;

/// How many words the sets have.
const WORDS: usize = 4;
#[expect(clippy::cast_possible_truncation, reason = "there are few words")]
const NUMBERS: u32 = 64 * WORDS as u32;

fn words_of(set: &BTreeSet<u32>) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    for &number in set {
        bits::insert(&mut words, number);
    }
    words
}

fn set_of(words: &[u64]) -> BTreeSet<u32> {
    bits::ones_of(words).collect()
}

/// Sets with long runs, and with few or many numbers.
fn sets() -> impl Strategy<Value = BTreeSet<u32>> {
    let numbers = prop::collection::btree_set(0..NUMBERS, 0..60);
    let runs = prop::collection::vec((0..NUMBERS, 0u32..150), 0..4);
    (numbers, runs).prop_map(|(mut set, runs)| {
        for (start, length) in runs {
            set.extend(start..(start + length).min(NUMBERS));
        }
        set
    })
}

fn ranges() -> impl Strategy<Value = Range<u32>> {
    let edges = prop::sample::select(vec![0, 1, 63, 64, 65, 127, 128, 192, NUMBERS - 1, NUMBERS]);
    let number = prop_oneof![0..=NUMBERS, edges];
    (number.clone(), number).prop_map(|(a, b)| a.min(b)..a.max(b))
}

proptest! {
    #[test]
    fn numbers_go_in_and_out(set in sets(), number in 0..NUMBERS) {
        let mut words = words_of(&set);
        prop_assert_eq!(set_of(&words), set.clone());
        prop_assert_eq!(bits::count(&words) as usize, set.len());
        prop_assert_eq!(bits::is_empty(&words), set.is_empty());
        prop_assert_eq!(bits::contains(&words, number), set.contains(&number));
        prop_assert!(!bits::contains(&words, NUMBERS + number));
        bits::insert(&mut words, number);
        prop_assert!(bits::contains(&words, number));
        bits::remove(&mut words, number);
        prop_assert!(!bits::contains(&words, number));
    }

    #[test]
    fn one_word_has_its_ones(word: u64, n in 0usize..70) {
        let expected: Vec<u32> = (0..64).filter(|bit| word >> bit & 1 != 0).collect();
        prop_assert_eq!(bits::ones(word).collect::<Vec<_>>(), expected.clone());
        prop_assert_eq!(bits::ones(word).rev().collect::<Vec<_>>(), expected.iter().rev().copied().collect::<Vec<_>>());
        prop_assert_eq!(bits::ones(word).len(), expected.len());
        prop_assert_eq!(bits::ones(word).nth(n), expected.get(n).copied());
    }

    #[test]
    fn ranges_are_set_cleared_and_counted(set in sets(), range in ranges()) {
        let inside = || range.clone().filter(|number| set.contains(number));
        let words = words_of(&set);
        prop_assert_eq!(bits::count_range(&words, range.clone()) as usize, inside().count());
        prop_assert_eq!(bits::first_in(&words, range.clone()), inside().next());
        prop_assert_eq!(bits::last_in(&words, range.clone()), inside().next_back());
        let within: Vec<u64> = (0..WORDS).map(|index| bits::within(index, &range)).collect();
        prop_assert_eq!(set_of(&within), range.clone().collect());
        let found: Vec<u32> = bits::words_in(&words, range.clone())
            .flat_map(|(first, word)| bits::ones(word).map(move |bit| first + bit))
            .collect();
        prop_assert_eq!(found, inside().collect::<Vec<_>>());
        let firsts: Vec<u32> = bits::words_in(&words, range.clone()).map(|(first, _)| first).collect();
        let backward: Vec<u32> = bits::words_in(&words, range.clone()).rev().map(|(first, _)| first).collect();
        prop_assert_eq!(firsts, backward.into_iter().rev().collect::<Vec<_>>());

        let mut more = words;
        bits::set_range(&mut more, range.clone());
        prop_assert_eq!(set_of(&more), set.iter().copied().chain(range.clone()).collect());
        let mut fewer = words;
        bits::clear_range(&mut fewer, range.clone());
        prop_assert_eq!(set_of(&fewer), set.iter().copied().filter(|number| !range.contains(number)).collect());
        let mut first = words;
        bits::set_first(&mut first, range.end);
        prop_assert_eq!(set_of(&first), (0..range.end).collect());
    }

    #[test]
    fn the_next_one_is_found(set in sets(), other in sets(), from in 0..NUMBERS + 100) {
        let (words, others) = (words_of(&set), words_of(&other));
        prop_assert_eq!(bits::next(&words, from), set.range(from..).next().copied());
        let both = bits::next_where(WORDS, from, |index| words[index] & others[index]);
        prop_assert_eq!(both, set.range(from..).find(|number| other.contains(number)).copied());
    }

    #[test]
    fn some_are_kept(set in sets(), other in sets(), base in 0u32..1000, error in 0..NUMBERS) {
        let mut words = words_of(&set);
        let moved: Vec<u32> = bits::ones_from(base, &words).collect();
        prop_assert_eq!(moved, set.iter().map(|number| base + number).collect::<Vec<_>>());
        bits::retain(&mut words, |number| other.contains(&number));
        prop_assert_eq!(set_of(&words), set.intersection(&other).copied().collect());
        let mut words = words_of(&set);
        let kept = bits::try_retain(&mut words, |number| if number == error { Err(number) } else { Ok(false) });
        if set.contains(&error) {
            prop_assert_eq!(kept, Err(error));
            prop_assert_eq!(set_of(&words), set.range(error..).copied().collect());
        } else {
            prop_assert_eq!(kept, Ok(()));
            prop_assert!(bits::is_empty(&words));
        }
    }

    #[test]
    fn runs_are_the_longest(set in sets()) {
        let runs: Vec<Range<u32>> = bits::runs(&words_of(&set)).collect();
        prop_assert!(runs.is_sorted_by(|one, next| one.end < next.start));
        prop_assert!(runs.iter().all(|run| !run.is_empty()));
        prop_assert_eq!(runs.into_iter().flatten().collect::<BTreeSet<_>>(), set);
    }

    #[test]
    fn rows_become_columns(rows in prop::collection::vec(any::<u64>(), 64)) {
        let mut matrix: [u64; 64] = rows.clone().try_into().unwrap();
        bits::transpose(&mut matrix);
        for (number, row) in (0..).zip(&rows) {
            let column: Vec<u64> = matrix.iter().map(|word| word >> number & 1).collect();
            prop_assert_eq!(column, (0..64).map(|bit| row >> bit & 1).collect::<Vec<_>>());
        }
    }
}
