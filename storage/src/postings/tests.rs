use proptest::prelude::*;
use roaring::RoaringBitmap;

use super::*;
use crate::id::CHUNK_SIZE;
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn equals_roaring(steps in any_runs(), seed: u64, positions: Vec<u32>, jumps: Vec<u32>) {
        let (roaring, runs) = list(&steps);
        let ours = Postings::from_runs(&runs);
        prop_assert_eq!(ours.as_bytes().is_empty(), runs.is_empty());
        prop_assume!(!runs.is_empty());
        prop_assert_eq!(&RoaringBitmap::deserialize_from(ours.as_bytes()).unwrap(), &roaring);
        prop_assert_eq!(u64::from(runs::stats(&runs).cardinality), roaring.len());
        prop_assert_eq!(ours.end(), roaring.max().map_or(0, |max| u64::from(max) + 1));

        let checked = Postings::from_bytes(ours.as_bytes().to_vec()).unwrap();
        prop_assert_eq!(&checked.containers, &ours.containers);
        let mut decoded = vec![Run { start: 1, last: 2 }];
        runs::decode_into(&runs::encode(&runs), &mut decoded).unwrap();
        prop_assert_eq!(decoded, runs);
        prop_assert_eq!(ours.total(), roaring.len());
        prop_assert!(ours.iter().eq(roaring.iter()));
        for position in positions.into_iter().map(|p| p % 3_000_000).chain(roaring.iter().take(5)) {
            prop_assert_eq!(ours.contains(position), roaring.contains(position));
        }
        for chunk in 0..=ours.chunks() {
            let base = chunk << 16;
            let count = roaring.range_cardinality(base..=base | 0xffff) as u32;
            prop_assert_eq!(ours.cardinality(chunk), count);
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
                theirs[(id >> 6 & 63) as usize] |= 1 << (id & 63);
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
            words[((position - base) / 64) as usize] |= 1 << (position % 64);
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
        let bits = (base..).step_by(64).zip(kept).flat_map(|(first, word)| {
            (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| first + bit)
        });
        prop_assert!(bits.eq((wanted & roaring).iter()));
    }

    #[test]
    fn reads_what_roaring_writes(steps in any_runs()) {
        let (mut roaring, _) = list(&steps);
        let mut bytes = Vec::new();
        roaring.serialize_into(&mut bytes).unwrap();
        prop_assert!(Postings::from_bytes(bytes.clone()).unwrap().iter().eq(roaring.iter()));
        roaring.optimize();
        bytes.clear();
        roaring.serialize_into(&mut bytes).unwrap();
        prop_assert!(Postings::from_bytes(bytes).unwrap().iter().eq(roaring.iter()));
    }

    #[test]
    fn damaged_runs_are_refused_or_in_order(bytes: Vec<u8>) {
        let mut runs = Vec::new();
        if runs::decode_into(&bytes, &mut runs).is_ok() {
            prop_assert!(runs.windows(2).all(|two| two[0].last + 1 < two[1].start));
            prop_assert!(runs.iter().all(|run| run.start <= run.last));
        }
    }

    #[test]
    fn damaged_bytes_are_refused_or_read_safely(steps in any_runs(), at: usize, value: u8, cut: usize) {
        let mut bytes = Postings::from_runs(&list(&steps).1).bytes;
        prop_assume!(!bytes.is_empty());
        let at = at % bytes.len();
        prop_assert!(Postings::from_bytes(bytes[..cut % bytes.len()].to_vec()).is_err());
        bytes[at] = value;
        if let Ok(postings) = Postings::from_bytes(bytes) {
            let (mut cursor, mut plane) = (postings.cursor(), [0; BLOCK_WORDS]);
            for block in 0..16 * postings.chunks() {
                cursor.read_block(block, &mut plane);
            }
            prop_assert_eq!(postings.iter().count() as u64, postings.total());
        }
    }
}

#[test]
fn lists_are_appended_as_if_made_at_once() {
    let mut list = vec![Run { start: 2, last: 9 }];
    runs::append(&mut list, &[Run { start: 0, last: 4 }, Run { start: 7, last: 7 }], 10);
    assert_eq!(list, [Run { start: 2, last: 14 }, Run { start: 17, last: 17 }]);
    assert_eq!(Postings::default().total(), 0);
    assert_eq!(Postings::from_runs(&[]).iter().count(), 0);
}
