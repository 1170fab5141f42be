#![expect(clippy::cast_possible_truncation, reason = "tests have few positions")]

use proptest::prelude::*;
use roaring::RoaringBitmap;

use super::*;
use crate::list::CHUNK_SIZE;
use crate::runs::{self, Run, TermRuns};

/// Lists of every density: gaps and lengths over three orders of magnitude.
fn any_runs() -> impl Strategy<Value = Vec<(u32, u32)>> {
    let gaps = prop_oneof![1u32..3, 1u32..300, 1u32..100_000];
    let lengths = prop_oneof![Just(1u32), 1u32..100, 1u32..150_000];
    prop_oneof![
        prop::collection::vec((gaps, lengths), 0..60),
        (1u32..4, 1u32..4, 0usize..40_000).prop_map(|(gap, length, count)| vec![(gap, length); count]),
    ]
}

/// Some bytes of a list become others: most often of its first few, where its table and a header are.
fn changes() -> impl Strategy<Value = Vec<(usize, u8)>> {
    prop::collection::vec((prop_oneof![0usize..100, any::<usize>()], any::<u8>()), 1..4)
}

/// The runs that these gaps and lengths make, pushed one by one.
fn list(steps: &[(u32, u32)]) -> (RoaringBitmap, Vec<Run>) {
    let (mut all, mut next, mut runs) = (RoaringBitmap::new(), 0, TermRuns::new());
    for &(gap, length) in steps {
        let start = next + gap;
        all.insert_range(start..start + length);
        runs.push(
            3,
            Run {
                start,
                last: start + length - 1,
            },
        );
        next = start + length;
    }
    (all, runs.pack().list(3).to_vec())
}

/// The same bitmap with run containers only. Where a container would be as small in another form, `roaring` leaves it as it is.
fn all_as_runs(bitmap: &RoaringBitmap) -> RoaringBitmap {
    let mut containers: Vec<(u16, u64, Vec<u16>)> = Vec::new();
    for key in 0..=bitmap.max().unwrap_or(0) >> 16 {
        let base = key << 16;
        let mut words = vec![0; CHUNK_SIZE as usize / 64];
        let positions = bitmap.range(base..=base | 0xffff);
        positions.for_each(|position| bits::insert(&mut words, position - base));
        let mut runs = Vec::new();
        let (mut next, mut count) = (0, 0);
        while let Some(first) = bits::next(&words, next) {
            next = (first..CHUNK_SIZE)
                .find(|&at| !bits::contains(&words, at))
                .unwrap_or(CHUNK_SIZE);
            count += u64::from(next - first);
            runs.extend([first as u16, (next - first - 1) as u16]);
        }
        if count > 0 {
            containers.push((key as u16, count, runs));
        }
    }
    if containers.is_empty() {
        return RoaringBitmap::new();
    }
    let mut words = vec![12_347, (containers.len() - 1) as u16];
    let flags = vec![u8::MAX; containers.len().div_ceil(8)];
    let mut bytes: Vec<u8> = words.drain(..).flat_map(u16::to_le_bytes).chain(flags).collect();
    for (key, count, _) in &containers {
        bytes.extend(key.to_le_bytes());
        bytes.extend(((count - 1) as u16).to_le_bytes());
    }
    if containers.len() >= 4 {
        let mut at = (bytes.len() + 4 * containers.len()) as u32;
        for (_, _, runs) in &containers {
            bytes.extend(at.to_le_bytes());
            at += 2 + 2 * runs.len() as u32;
        }
    }
    for (_, _, runs) in &containers {
        bytes.extend(((runs.len() / 2) as u16).to_le_bytes());
        bytes.extend(runs.iter().flat_map(|number| number.to_le_bytes()));
    }
    RoaringBitmap::deserialize_from(&bytes[..]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn equals_roaring(steps in any_runs(), seed: u64, positions: Vec<u32>, jumps: Vec<u32>) {
        let (roaring, runs) = list(&steps);
        let ours = Postings::from_runs(&runs);
        prop_assert_eq!(ours.cardinality(), roaring.len());
        prop_assert_eq!(u64::from(runs::stats(&runs).cardinality), roaring.len());
        prop_assert_eq!(ours.chunks(), roaring.max().map_or(0, |max| max / CHUNK_SIZE + 1));

        // The bytes, too, are those of the crate.
        let mut theirs = all_as_runs(&roaring);
        theirs.optimize();
        prop_assert_eq!(portable::bytes_of(&theirs), ours.as_bytes());

        prop_assert_eq!(&Postings::from_bytes(ours.as_bytes().to_vec(), ours.total).unwrap(), &ours);
        prop_assert_eq!(&roaring.iter().collect::<Postings>(), &ours);
        let mut decoded = Vec::new();
        ours.decode_into(&mut decoded).unwrap();
        prop_assert_eq!(decoded, runs);
        prop_assert!(ours.iter().eq(roaring.iter()));
        for position in positions.into_iter().map(|p| p % 3_000_000).chain(roaring.iter().take(5)) {
            prop_assert_eq!(ours.contains(position), roaring.contains(position));
        }
        for chunk in 0..=ours.chunks() {
            let base = chunk << 16;
            let count = roaring.range_cardinality(base..=base | 0xffff) as u32;
            let kind = match count {
                0 => ChunkKind::Empty,
                CHUNK_SIZE => ChunkKind::Full,
                _ => ChunkKind::Some,
            };
            prop_assert_eq!(ours.chunk_kind(chunk), kind);
        }
        // Forward, then some blocks in any order.
        let blocks = ours.chunks() * 16 + 1;
        let mut cursor = ours.cursor();
        for block in (0..blocks).chain(jumps.into_iter().map(|block| block % blocks)) {
            let mut theirs = [0; BLOCK_WORDS];
            for id in roaring.range(block << 12..=block << 12 | 0xfff) {
                bits::insert(&mut theirs, id & 0xfff);
            }
            let mut plane = [seed; BLOCK_WORDS];
            if cursor.read_block(block, &mut plane) {
                prop_assert_eq!(plane, theirs);
            } else {
                prop_assert_eq!(theirs, [0; BLOCK_WORDS]);
            }
        }
    }

    #[test]
    fn selected_positions_are_read_side_by_side(steps in any_runs(), picks in any_runs(), skipped in 0u32..2) {
        let (roaring, runs) = list(&steps);
        let ours = Postings::from_runs(&runs);
        let mut wanted = list(&picks).0;
        let base = skipped << 16;
        wanted.remove_range(..base);
        let end = wanted.max().map_or(base, |max| max + 1);
        let mut words = vec![0; (end - base).div_ceil(1 << 16) as usize * 1024];
        for position in &wanted {
            bits::insert(&mut words, position - base);
        }
        let selection = Selection::new(base, words);
        prop_assert!(selection.positions().iter().copied().eq(wanted.iter()));
        let mut cursor = ours.cursor();
        let mut blocks = Vec::new();
        for block in 0..selection.positions().len().div_ceil(4096) as u32 {
            let mut theirs = [0; BLOCK_WORDS];
            for (rank, position) in selection.block(block).iter().enumerate() {
                theirs[rank / 64] |= u64::from(roaring.contains(*position)) << (rank % 64);
            }
            let mut plane = [!0; BLOCK_WORDS];
            if !cursor.read_selected(&selection, block, &mut plane) {
                plane = [0; BLOCK_WORDS];
            }
            prop_assert_eq!(plane, theirs);
            blocks.push(plane);
        }
        let kept = selection.keep(&blocks);
        prop_assert!(bits::ones_from(base, &kept).eq((wanted & roaring).iter()));
    }

    #[test]
    fn damaged_bytes_are_refused_or_read_safely(steps in any_runs(), changes in changes(), cut: usize, seed: u64) {
        let Postings { mut bytes, total, .. } = Postings::from_runs(&list(&steps).1);
        prop_assume!(!bytes.is_empty());
        prop_assert!(Postings::from_bytes(bytes[..cut % bytes.len()].to_vec(), total).is_err());
        for (at, value) in changes {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        if let Ok(postings) = Postings::from_bytes(bytes, total) {
            let (mut cursor, mut plane) = (postings.cursor(), [0; BLOCK_WORDS]);
            let words = vec![seed; 1024 * postings.chunks() as usize];
            let selection = Selection::new(0, words);
            for block in 0..16 * postings.chunks() {
                cursor.read_block(block, &mut plane);
                cursor.read_selected(&selection, block, &mut plane);
                postings.contains(block << 12 | 17);
            }
            prop_assert!(postings.iter().all(|position| position / CHUNK_SIZE < postings.chunks()));
            let mut runs = Vec::new();
            if postings.decode_into(&mut runs).is_ok() {
                prop_assert!(runs.windows(2).all(|two| two[0].last + 1 < two[1].start));
                prop_assert!(runs.iter().all(|run| run.start <= run.last));
                prop_assert!(runs.iter().flat_map(|run| run.start..=run.last).eq(postings.iter()));
            }
        }
    }
}

#[test]
fn lists_are_appended_as_if_made_at_once() {
    let mut list = vec![Run { start: 2, last: 9 }];
    runs::append(&mut list, &[Run { start: 0, last: 4 }, Run { start: 7, last: 7 }], 10);
    assert_eq!(list, [Run { start: 2, last: 14 }, Run { start: 17, last: 17 }]);
    assert_eq!(Postings::from_runs(&[]), Postings::default());
    assert_eq!(Postings::from_bytes(Vec::new(), 0), Ok(Postings::default()));
    assert_eq!(Postings::default().iter().count(), 0);
}

/// The bytes are those of the specification: containers of all three forms, which the crate reads as well.
#[test]
fn a_list_is_a_portable_roaring_bitmap() {
    let run = |start, last| Run { start, last };
    let mut runs = vec![run(3, 9), run(4000, 8193)];
    // Every other position: a bitmap, because 30,000 values or runs are more bytes.
    runs.extend((0..30_000).map(|n| run(65_536 + 2 * n, 65_536 + 2 * n)));
    runs.push(run(131_072, 196_607));
    runs.push(run(4 * 65_536 + 7, 4 * 65_536 + 7));
    let list = Postings::from_runs(&runs);
    let words = |numbers: &[u16]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    let mut bytes = words(&[12_347, 3]);
    bytes.push(0b0101);
    bytes.extend(words(&[0, 4200, 1, 29_999, 2, 65_535, 4, 0]));
    for offset in [37u32, 47, 47 + 8192, 47 + 8192 + 6] {
        bytes.extend(offset.to_le_bytes());
    }
    bytes.extend(words(&[2, 3, 6, 4000, 4193]));
    bytes.extend([0x55; 7500]);
    bytes.extend([0; 692]);
    bytes.extend(words(&[1, 0, 65_535, 7]));
    assert_eq!(list.as_bytes(), bytes);
    let theirs = RoaringBitmap::deserialize_from(list.as_bytes()).unwrap();
    assert!(theirs.iter().eq(list.iter()));
    let kinds: Vec<ChunkKind> = (0..6).map(|chunk| list.chunk_kind(chunk)).collect();
    use ChunkKind::{Empty, Full, Some};
    assert_eq!(kinds, [Some, Some, Full, Empty, Some, Empty]);
}

/// Each position belongs to one of five lists at most. Some change from position to position, so that there are containers of all
/// forms.
#[test]
fn lists_without_common_positions_are_put_together() {
    const LISTS: u64 = 5;
    let mixed = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let owner = |position: u64| match position / u64::from(CHUNK_SIZE) {
        // Runs of all lengths, and parts that belong to nobody.
        0 => mixed(position / (1 + mixed(position >> 12) % 300)) % (LISTS + 1),
        // Two lists that take turns, each a bitmap, beside runs of the others.
        1 if position % 8192 < 6000 => position % 2,
        1 => 2 + mixed(position / 100) % 3,
        // A few values.
        2 if mixed(position) % 1000 == 0 => position % LISTS,
        // One list has the whole chunk.
        4 => 3,
        // One begins where the chunk does, another one ends with it.
        5 if position % 65_536 < 70 => 1,
        5 if position % 65_536 > 65_000 => 2,
        _ => LISTS,
    };
    let end = 6 * u64::from(CHUNK_SIZE);
    let positions = |of: u64| {
        (0..end)
            .filter(move |&position| owner(position) == of)
            .map(|position| position as u32)
    };
    let lists: Vec<Postings> = (0..LISTS).map(|number| positions(number).collect()).collect();
    let mut union = DisjointUnion::default();
    for chunk in 0..7 {
        let mut found = [u64::MAX; CHUNK_WORDS];
        if !union.read(lists.iter(), chunk, &mut found) {
            assert!(chunk == 3 || chunk == 6, "{chunk}");
            continue;
        }
        for position in 0..CHUNK_SIZE {
            let expected = owner(u64::from(chunk * CHUNK_SIZE + position)) < LISTS;
            assert_eq!(
                bits::contains(&found, position),
                expected,
                "{position} in chunk {chunk}"
            );
        }
    }
}
