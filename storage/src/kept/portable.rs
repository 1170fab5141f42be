//! Bitmaps in the portable format of Roaring, written from words: one bit for each position.
//!
//! The crate `roaring` makes a container of the words, counts its runs, and makes another container of runs, before it
//! writes anything. Where an answer is noted while a quick search runs, that takes three times as long as this.
//! The format: <https://github.com/RoaringBitmap/RoaringFormatSpec>.

/// The words of a container, 2^16 positions.
const WORDS: usize = 1 << 10;

/// What a bitmap begins with if it has run containers, and if it has none.
const WITH_RUNS: u32 = 12_347;
const WITHOUT_RUNS: u32 = 12_346;

/// With this number of containers or more, the offsets of the containers are written, too, where there are run containers.
const WITH_OFFSETS: usize = 4;

/// A container with more positions than this is no array.
const LARGEST_ARRAY: u32 = 4096;

/// How many bytes a container takes that has a bit for each position.
const BITMAP: usize = 8 * WORDS;

/// A container that is to be written.
#[derive(Clone, Copy, Debug)]
struct Container {
    /// The upper half of its positions.
    key: u16,
    count: u32,
    runs: u32,
}

impl Container {
    /// Counts what is in the words of a container; `None` if nothing is.
    fn of(key: usize, words: &[u64]) -> Option<Container> {
        let count = bits::count(words);
        let (&first, rest) = words.split_first().filter(|_| count > 0)?;
        // No word waits for what was counted before it, so that several are counted at once.
        let begun = rest
            .iter()
            .zip(words)
            .map(|(word, before)| (word & !(word << 1 | before >> 63)).count_ones());
        let runs = (first & !(first << 1)).count_ones() + begun.sum::<u32>();
        let key = u16::try_from(key).expect("positions have 32 bits");
        Some(Container { key, count, runs })
    }

    fn run_bytes(&self) -> usize {
        2 + 4 * self.runs as usize
    }

    /// How many bytes it takes if it is no run container.
    fn plain_bytes(&self) -> usize {
        match self.count {
            0..=LARGEST_ARRAY => 2 * self.count as usize,
            _ => BITMAP,
        }
    }

    fn is_run(&self) -> bool {
        self.run_bytes() < self.plain_bytes()
    }

    fn bytes(&self) -> usize {
        self.run_bytes().min(self.plain_bytes())
    }

    /// Writes its content. `into` has as many bytes as it takes.
    #[expect(clippy::cast_possible_truncation, reason = "positions in a container have 16 bits")]
    fn write(&self, words: &[u64], into: &mut [u8]) {
        if self.is_run() {
            let (count, runs) = into.split_at_mut(2);
            count.copy_from_slice(&(self.runs as u16).to_le_bytes());
            // Runs begin and end where a position differs from the one before it. The last one may end with the container.
            let bounds = runs.as_chunks_mut::<2>().0;
            let (mut at, mut before) = (0, 0);
            for (&word, base) in words.iter().zip((0u32..).step_by(64)) {
                for bit in bits::ones(word ^ (word << 1 | before)) {
                    bounds[at] = ((base + bit) as u16).to_le_bytes();
                    at += 1;
                }
                before = word >> 63;
            }
            if let Some(end) = bounds.get_mut(at) {
                *end = ((64 * words.len()) as u16).to_le_bytes();
            }
            // Where it begins and where it ends, to where it begins and how many positions follow.
            for run in runs.as_chunks_mut::<4>().0 {
                let [start, end] = [[run[0], run[1]], [run[2], run[3]]].map(u16::from_le_bytes);
                let follow = end.wrapping_sub(start).wrapping_sub(1).to_le_bytes();
                [run[2], run[3]] = follow;
            }
        } else if self.count <= LARGEST_ARRAY {
            let values = into.as_chunks_mut::<2>().0;
            for (value, position) in values.iter_mut().zip(bits::ones_from(0, words)) {
                *value = (position as u16).to_le_bytes();
            }
        } else {
            for (bytes, word) in into.as_chunks_mut::<8>().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
        }
    }
}

/// The bytes of a bitmap, and how many positions it has.
pub(super) fn encode(words: &[u64]) -> (Vec<u8>, u32) {
    let containers = words.chunks(WORDS).enumerate();
    let containers: Vec<Container> = containers
        .filter_map(|(key, words)| Container::of(key, words))
        .collect();
    let has_runs = containers.iter().any(Container::is_run);
    let has_offsets = !has_runs || containers.len() >= WITH_OFFSETS;
    let mut out = Vec::new();
    #[expect(clippy::cast_possible_truncation, reason = "there are at most 2^16 containers")]
    let number = containers.len() as u32;
    if has_runs {
        out.extend_from_slice(&(WITH_RUNS | (number - 1) << 16).to_le_bytes());
        for group in containers.chunks(8) {
            let flags = group
                .iter()
                .rev()
                .fold(0, |flags, one| flags << 1 | u8::from(one.is_run()));
            out.push(flags);
        }
    } else {
        out.extend_from_slice(&WITHOUT_RUNS.to_le_bytes());
        out.extend_from_slice(&number.to_le_bytes());
    }
    for container in &containers {
        out.extend_from_slice(&container.key.to_le_bytes());
        #[expect(clippy::cast_possible_truncation, reason = "a container has at most 2^16 positions")]
        out.extend_from_slice(&((container.count - 1) as u16).to_le_bytes());
    }
    if has_offsets {
        let mut offset = out.len() + 4 * containers.len();
        for container in &containers {
            let offset32 = u32::try_from(offset).expect("a bitmap takes less than a gigabyte");
            out.extend_from_slice(&offset32.to_le_bytes());
            offset += container.bytes();
        }
    }
    let mut at = out.len();
    out.resize(at + containers.iter().map(Container::bytes).sum::<usize>(), 0);
    for container in &containers {
        let end = at + container.bytes();
        let from = usize::from(container.key) * WORDS;
        container.write(&words[from..words.len().min(from + WORDS)], &mut out[at..end]);
        at = end;
    }
    (out, containers.iter().map(|container| container.count).sum())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roaring::RoaringBitmap;

    use super::*;

    proptest! {
        #[test]
        fn the_bytes_are_those_of_the_crate(
            length in 0usize..6 * WORDS,
            runs in prop::collection::vec((0u32..6 << 16, prop_oneof![Just(1u32), 1u32..40, 1u32..70_000]), 0..60),
            many in prop::option::of((0u32..6 << 16, 1u32..9)),
        ) {
            let mut words = vec![0u64; length];
            let mut wanted = RoaringBitmap::new();
            let mut insert = |position: u32| {
                if let Some(word) = words.get_mut(position as usize / 64) {
                    *word |= 1 << (position % 64);
                    wanted.insert(position);
                }
            };
            for (start, length) in runs {
                (start..start + length).for_each(&mut insert);
            }
            // Enough single positions for a container with a bit for each.
            if let Some((start, step)) = many {
                (start..start + 70_000).step_by(step as usize).for_each(&mut insert);
            }
            wanted.optimize();
            let mut expected = Vec::new();
            wanted.serialize_into(&mut expected).unwrap();
            let (bytes, count) = encode(&words);
            prop_assert_eq!(u64::from(count), wanted.len());
            let found = RoaringBitmap::deserialize_from(bytes.as_slice()).unwrap();
            prop_assert_eq!(found, wanted);
            prop_assert_eq!(bytes.len(), expected.len());
        }
    }

    #[test]
    fn nothing_and_everything_are_bitmaps() {
        for words in [
            vec![],
            vec![0; 3000],
            vec![u64::MAX; 3 * WORDS + 7],
            vec![1 << 63; 5 * WORDS],
        ] {
            let (bytes, count) = encode(&words);
            let found = RoaringBitmap::deserialize_from(bytes.as_slice()).unwrap();
            assert_eq!(found.len(), u64::from(count));
            assert!(found.iter().eq(bits::ones_from(0, &words)));
        }
    }
}
