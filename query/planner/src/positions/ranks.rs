//! How many positions of a set come before each word, so that those of a game are counted by two looks.

use std::ops::Range;

use super::PositionSet;

/// The numbers of positions before the words of a set.
#[derive(Debug)]
pub(crate) struct Ranks<'a> {
    set: &'a PositionSet,
    before: Vec<u32>,
}

impl Ranks<'_> {
    /// Counts the positions of a set.
    pub(crate) fn of(set: &PositionSet) -> Ranks<'_> {
        let mut count = 0;
        let before = set.words().iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        Ranks {
            before: before.collect(),
            set,
        }
    }

    /// A number that no more positions of a range exceed: those in the words of the set in which it lies. It is inside.
    #[inline]
    pub(crate) fn most_in(&self, range: &Range<u32>) -> u32 {
        if range.is_empty() {
            return 0;
        }
        let [first, last] =
            [range.start, range.end - 1].map(|position| ((position - self.set.base()) / bits::BITS) as usize);
        self.before[last] + self.set.words()[last].count_ones() - self.before[first]
    }

    /// How many positions of a range there are. It is inside.
    #[inline]
    pub(crate) fn count_in(&self, range: &Range<u32>) -> u32 {
        if range.is_empty() {
            return 0;
        }
        // The last position is inside, the one behind it may not be.
        let last = range.end - 1;
        self.up_to(last) - self.up_to(range.start) + u32::from(self.set.contains(range.start))
    }

    /// How many positions there are up to one, this included.
    #[inline]
    fn up_to(&self, position: u32) -> u32 {
        let at = position - self.set.base();
        let (index, bit) = ((at / bits::BITS) as usize, at % bits::BITS);
        let here = self.set.words()[index] << (bits::BITS - 1 - bit);
        self.before[index] + here.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_counted() {
        let all = 100_000..170_000;
        let mut set = PositionSet::new(&all);
        for position in all
            .clone()
            .filter(|position| position.wrapping_mul(0x9e37_79b9) % 7 == 0)
        {
            set.insert(position);
        }
        let ranks = Ranks::of(&set);
        for start in (all.start..all.end).step_by(61) {
            for length in [0, 1, 2, 63, 64, 65, 200] {
                let range = start..(start + length).min(all.end);
                let count = set.count_in(range.clone());
                assert_eq!(ranks.count_in(&range), count, "{range:?}");
                let most = ranks.most_in(&range);
                assert!((count..=count + 126).contains(&most), "{range:?}: {most} and {count}");
            }
        }
    }
}
