//! Lanes: searches of about the same length wait for each other, and for no longer ones.

use std::time::Duration;

/// A lane of the queue. All searches begin in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Lane {
    /// Answers that come while a question is typed.
    Quick,
    /// Searches of some seconds.
    Middle,
    /// All others. A search that has a place here keeps it.
    Slow,
}

/// How much time of the machine a search may use in a lane while others wait for its place.
struct Slice {
    /// At least so much: then its progress says how long it will take.
    least: Duration,
    /// It may stay if it is expected to end within this time.
    most: Duration,
}

/// A search that will take longer than this goes to the lane of slow ones directly. That is twice what the middle lane
/// allows, because the first progress of a search is a rough measure.
const CERTAINLY_SLOW: Duration = Duration::from_secs(12);

impl Lane {
    /// The lanes, the quickest first.
    pub(crate) const ALL: [Lane; 3] = [Lane::Quick, Lane::Middle, Lane::Slow];

    /// How many of `searches` places it has: a quarter for each of the longer ones, and one at least for each.
    pub(super) fn places(self, searches: usize) -> usize {
        let longer = (searches / 4).max(1);
        match self {
            Lane::Quick => searches.saturating_sub(2 * longer).max(1),
            Lane::Middle | Lane::Slow => longer,
        }
    }

    fn slice(self) -> Option<Slice> {
        match self {
            Lane::Quick => Some(Slice {
                least: Duration::from_millis(20),
                most: Duration::from_millis(120),
            }),
            Lane::Middle => Some(Slice {
                least: Duration::from_millis(200),
                most: Duration::from_secs(6),
            }),
            Lane::Slow => None,
        }
    }

    /// The lane where a search belongs that has used some time and has done a fraction of its work, from 0 to 1; `None` if
    /// it may stay in this one.
    ///
    /// The rest is expected to go on as fast as what is done. A search that stays much longer than expected leaves, too. One
    /// that has done nothing yet may be starting a process, and gets half as much time again until it is judged.
    pub(super) fn longer(self, used: Duration, fraction: f64) -> Option<Lane> {
        let Slice { least, most } = self.slice()?;
        let is_known = fraction > 0.0;
        if used < if is_known { least } else { least * 3 / 2 } {
            return None;
        }
        let total = used.as_secs_f64() / fraction.max(f64::MIN_POSITIVE);
        let rest = total - used.as_secs_f64();
        if rest <= most.as_secs_f64() && used < 2 * most {
            return None;
        }
        let is_slow = used >= CERTAINLY_SLOW || is_known && total >= CERTAINLY_SLOW.as_secs_f64();
        Some(match self {
            Lane::Quick if !is_slow => Lane::Middle,
            _ => Lane::Slow,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_leaves_for_the_lane_of_its_length() {
        let quick = |ms: u64, fraction| Lane::Quick.longer(Duration::from_millis(ms), fraction);
        let middle = |ms: u64, fraction| Lane::Middle.longer(Duration::from_millis(ms), fraction);
        // Too early to say.
        assert_eq!((quick(15, 0.1), middle(150, 0.01)), (None, None));
        assert_eq!((quick(25, 0.0), middle(250, 0.0)), (None, None));
        // It will end in time.
        assert_eq!((quick(30, 0.3), middle(1500, 0.3)), (None, None));
        // It will not.
        assert_eq!(
            (quick(30, 0.1), quick(30, 0.002)),
            (Some(Lane::Middle), Some(Lane::Slow))
        );
        assert_eq!(middle(1500, 0.1), Some(Lane::Slow));
        // Nothing is known of it.
        assert_eq!(
            (quick(50, 0.0), middle(1500, 0.0)),
            (Some(Lane::Middle), Some(Lane::Slow))
        );
        // It was wrong about its end.
        assert_eq!(
            (quick(400, 0.999), middle(12_000, 0.999)),
            (Some(Lane::Middle), Some(Lane::Slow))
        );
        assert_eq!(quick(12_000, 0.999), Some(Lane::Slow));
        assert_eq!(Lane::Slow.longer(Duration::from_secs(60), 0.0), None);
    }

    #[test]
    fn every_lane_has_a_place() {
        for searches in 1..50 {
            let places = Lane::ALL.map(|lane| lane.places(searches));
            assert!(places.iter().all(|&places| places > 0), "{places:?}");
            assert_eq!(places.iter().sum::<usize>(), searches.max(3), "{places:?}");
        }
    }
}
