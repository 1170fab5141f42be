//! Where the games of a segment begin and end.

use std::ops::Range;
use std::sync::Arc;

use postings::{Postings, Term};

use crate::plane::WORDS;
use crate::positions::PositionSet;
use crate::source::TermSource;

/// The lines of the games of a segment: the positions that a query looks at, in order.
#[derive(Debug)]
pub struct GameSpans {
    starts: Arc<[u32]>,
    /// The last position of each main line, where that is not the one before the next game.
    ends: Option<Arc<Postings>>,
    /// Whether variations are looked at.
    variations: bool,
}

/// The index of the game that has a position, from that of some game on which begins no later; near ones are found first.
/// `starts` are the first positions of the games.
pub fn game_at(starts: &[u32], from: usize, position: u32) -> usize {
    let mut step = 1;
    while from + step < starts.len() && starts[from + step] <= position {
        step *= 2;
    }
    let (low, high) = (from + step / 2, starts.len().min(from + step));
    low + starts[low..high].partition_point(|&start| start <= position) - 1
}

/// The lines of some games, as bits.
#[derive(Debug)]
pub(super) struct GameMarks {
    /// The positions, each game from its first to its last.
    pub(super) games: Vec<Range<u32>>,
    /// The same as bits, if there are positions between them.
    pub(super) inside: Option<PositionSet>,
    /// The first position of each game.
    pub(super) first: PositionSet,
    /// The last position of each game.
    pub(super) last: PositionSet,
    /// Which games have variations that are looked at.
    pub(super) branching: Vec<usize>,
}

impl GameSpans {
    /// Reads where the games are. Where their main lines end is left out unless conditions on other positions are
    /// asked.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S: TermSource>(
        source: &S,
        starts: Arc<[u32]>,
        variations: bool,
        has_temporals: bool,
    ) -> Result<GameSpans, S::Error> {
        let positions = starts.last().copied().unwrap_or(0);
        let ends = if !has_temporals || source.cardinality(Term::Mainline)? == positions {
            None
        } else {
            Some(source.postings(Term::MainlineEnd)?)
        };
        Ok(GameSpans {
            starts,
            ends,
            variations,
        })
    }

    /// The first position of each game, and the number of all positions behind them.
    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The ids of some games.
    pub(super) fn range(&self, games: &Range<u32>) -> Range<u32> {
        self.starts[games.start as usize]..self.starts[games.end as usize]
    }

    /// How many games there are.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "games are fewer than positions, which have 32 bits"
    )]
    pub fn games(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The lines of some games.
    pub(super) fn marks(&self, games: Range<u32>) -> GameMarks {
        let range = self.range(&games);
        let mut marks = GameMarks {
            games: Vec::with_capacity(games.len()),
            inside: None,
            first: PositionSet::new(&range),
            last: PositionSet::new(&range),
            branching: Vec::new(),
        };
        let ends = self.ends.as_ref().map(|list| {
            let mut ends = PositionSet::new(&range);
            let (mut cursor, first) = (list.cursor(), ends.first_block());
            for (block, words) in (first..).zip(ends.words_mut().as_chunks_mut::<WORDS>().0) {
                cursor.read_block(block, words);
            }
            ends
        });
        let mut has_gaps = false;
        for game in games.start as usize..games.end as usize {
            let (start, next) = (self.starts[game], self.starts[game + 1]);
            // Most games have no variations.
            let last = ends.as_ref().and_then(|ends| match ends.contains(next - 1) {
                true => None,
                false => ends.first_in(start..next),
            });
            let main = last.map_or(next, |last| last + 1);
            let end = if self.variations { next } else { main };
            if main < end {
                marks.branching.push(marks.games.len());
            }
            marks.first.insert(start);
            marks.last.insert(end - 1);
            has_gaps |= end < next;
            marks.games.push(start..end);
        }
        if has_gaps {
            let mut inside = PositionSet::new(&range);
            for game in &marks.games {
                inside.set_range(game.clone(), true);
            }
            marks.inside = Some(inside);
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_found_from_any_before() {
        let mut starts = vec![0];
        for number in 0..60u32 {
            starts.push(starts[starts.len() - 1] + 1 + number.wrapping_mul(0x9e37_79b9) % 29);
        }
        for position in 0..starts[60] {
            let game = starts.partition_point(|&start| start <= position) - 1;
            for from in 0..=game {
                assert_eq!(game_at(&starts, from, position), game, "{position} from {from}");
            }
        }
        assert_eq!(game_at(&starts, 3, starts[60]), 60);
    }
}
