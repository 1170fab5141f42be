//! Where the games of a segment begin and end.

use std::ops::Range;
use std::sync::Arc;

use storage::Term;

use super::super::leaves::TermSource;
use super::bits::Bits;

/// The lines of the games of a segment: the positions that a query looks at, in order.
#[derive(Debug)]
pub struct GameLines {
    starts: Arc<[u32]>,
    /// Where the main line of each game ends, where that is not where the next game begins.
    ends: Option<Vec<u32>>,
    /// Whether variations are looked at.
    variations: bool,
}

/// The lines of some games, as bits.
#[derive(Debug)]
pub(super) struct Frame {
    /// The positions, each game from its first to its last.
    pub(super) games: Vec<Range<u32>>,
    /// The first position of each game.
    pub(super) first: Bits,
    /// The last position of each game.
    pub(super) last: Bits,
    /// Which games have variations that are looked at.
    pub(super) branching: Vec<usize>,
}

impl GameLines {
    /// Reads where the games are.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S: TermSource>(source: &S, starts: Arc<[u32]>, variations: bool) -> Result<GameLines, S::Error> {
        let positions = starts.last().copied().unwrap_or(0);
        let ends = if source.cardinality(Term::Mainline)? == positions {
            None
        } else {
            let ends = source.postings(Term::MainlineEnd)?;
            Some(ends.iter().map(|last| last + 1).collect())
        };
        Ok(GameLines {
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
    pub fn games(&self) -> u32 {
        self.starts.len() as u32 - 1
    }

    /// The lines of some games.
    pub(super) fn frame(&self, games: Range<u32>) -> Frame {
        let range = self.range(&games);
        let mut frame = Frame {
            games: Vec::with_capacity(games.len()),
            first: Bits::new(&range),
            last: Bits::new(&range),
            branching: Vec::new(),
        };
        for game in games.start as usize..games.end as usize {
            let (start, next) = (self.starts[game], self.starts[game + 1]);
            // A damaged list must not lead beyond the game.
            let main = self.ends.as_ref().map_or(next, |ends| {
                ends.get(game).map_or(next, |&end| end.clamp(start + 1, next))
            });
            let end = if self.variations { next } else { main };
            if main < end {
                frame.branching.push(frame.games.len());
            }
            frame.first.insert(start);
            frame.last.insert(end - 1);
            frame.games.push(start..end);
        }
        frame
    }
}
