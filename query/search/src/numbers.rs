//! The games that the header's `gamenumber` allows (docs/language.md#how-a-query-is-run).

use std::ops::Range;

use language::hir::NumberRange;
use storage::{SegmentKey, SegmentMeta, Snapshot};

/// The allowed games, counted from 0 over the whole database.
fn allowed(range: NumberRange) -> Range<u64> {
    let from_zero = |number: i64| u64::try_from(number).unwrap_or(0);
    from_zero(i64::from(range.min) - 1)..from_zero(i64::from(range.max))
}

/// Which games of a segment are allowed, counted from 0 in the segment.
pub(super) fn allowed_games(range: Option<NumberRange>, meta: &SegmentMeta) -> Range<u32> {
    match range {
        Some(range) => within(&allowed(range), meta.first_game, meta.games),
        None => 0..meta.games,
    }
}

/// The part of a range of games that is in a segment, counted from 0 in the segment.
fn within(range: &Range<u64>, first_game: u64, games: u32) -> Range<u32> {
    let local = |number: u64| {
        let number = number.saturating_sub(first_game);
        u32::try_from(number).unwrap_or(u32::MAX).min(games)
    };
    let (start, end) = (local(range.start), local(range.end));
    start..end.max(start)
}

/// Where the allowed games begin and end.
///
/// The number of a game changes when removed games before it are dropped, although its segment may stay as it is. What
/// is kept for a segment must not depend on numbers, so places are told by segments: in two databases with the same
/// ends, the same games of a segment are allowed, because segments stay in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ends {
    first: Place,
    /// Behind the last one.
    end: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// At the first game.
    First,
    /// At a game of a segment, counted from 0 in the segment.
    At(SegmentKey, u32),
    /// Behind the last game, however many are added before it.
    Behind,
}

impl Ends {
    /// Those of a range of numbers in a snapshot.
    pub(super) fn of(range: NumberRange, snapshot: &Snapshot) -> Ends {
        let segments = snapshot.segments().iter();
        let numbered = segments.map(|meta| (meta.key, meta.first_game, meta.games));
        Ends::among(&allowed(range), &numbered.collect::<Vec<_>>())
    }

    /// The same, given the key of each segment, its first game and how many games it has.
    fn among(range: &Range<u64>, segments: &[(SegmentKey, u64, u32)]) -> Ends {
        let place = |number: u64| match number {
            0 => Place::First,
            number => segments
                .iter()
                .find(|(_, first_game, games)| (*first_game..first_game + u64::from(*games)).contains(&number))
                .and_then(|(key, first_game, _)| Some(Place::At(*key, u32::try_from(number - first_game).ok()?)))
                .unwrap_or(Place::Behind),
        };
        Ends {
            first: place(range.start),
            end: place(range.end),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// Numbers the games of segments, each a key and how many games it has.
    fn numbered(segments: &[(u8, u32)]) -> Vec<(SegmentKey, u64, u32)> {
        let mut first_game = 0;
        let segments = segments.iter().map(|&(key, games)| {
            let first = first_game;
            first_game += u64::from(games);
            (SegmentKey::new([key; SegmentKey::BYTES]), first, games)
        });
        segments.collect()
    }

    /// The games that are allowed in each segment.
    fn local(range: &Range<u64>, segments: &[(SegmentKey, u64, u32)]) -> BTreeMap<SegmentKey, Vec<u32>> {
        let games =
            |&(key, first_game, games): &(SegmentKey, u64, u32)| (key, within(range, first_game, games).collect());
        segments.iter().map(games).collect()
    }

    #[test]
    fn ends_are_told_by_segments() {
        let segments = numbered(&[(1, 10), (2, 5)]);
        let key = |key: u8| SegmentKey::new([key; SegmentKey::BYTES]);
        for (min, max, first, end) in [
            (1, 15, Place::First, Place::Behind),
            (-3, 99, Place::First, Place::Behind),
            (1, 10, Place::First, Place::At(key(2), 0)),
            (2, 14, Place::At(key(1), 1), Place::At(key(2), 4)),
            (16, 20, Place::Behind, Place::Behind),
            (-3, 0, Place::First, Place::First),
        ] {
            let range = allowed(NumberRange { min, max });
            assert_eq!(Ends::among(&range, &segments), Ends { first, end }, "{min} {max}");
        }
    }

    proptest! {
        /// Games are added, and segments go, are replaced or are joined with the next: these have other keys.
        #[test]
        fn the_same_ends_allow_the_same_games_of_a_segment(
            sizes in prop::collection::vec(1u32..4, 0..6),
            changes in prop::collection::vec(0u8..6, 8),
            added in prop::collection::vec(1u32..4, 0..3),
            (start, length) in (0u64..12, 0u64..14),
            (other_start, other_length) in (0u64..12, 0u64..14),
        ) {
            let before: Vec<(u8, u32)> = (1..).zip(sizes).collect();
            let mut after = Vec::new();
            for (&(key, games), change) in before.iter().zip(&changes) {
                match change {
                    0 => {}
                    1 => after.push((key + 100, games + 1)),
                    2 => after.push((key + 100, 1)),
                    _ => after.push((key, games)),
                }
            }
            after.extend((200..).zip(added));
            let (before, after) = (numbered(&before), numbered(&after));
            let (one, other) = (start..start + length, other_start..other_start + other_length);
            if Ends::among(&one, &before) == Ends::among(&other, &after) {
                let (one, other) = (local(&one, &before), local(&other, &after));
                for (key, games) in one {
                    prop_assert!(other.get(&key).is_none_or(|same| *same == games));
                }
            }
        }
    }
}
