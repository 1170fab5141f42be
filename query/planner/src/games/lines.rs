//! Where the games of a segment begin and end.

use std::ops::Range;
use std::sync::Arc;

use postings::{Postings, Term};

use super::super::block::WORDS;
use super::super::leaves::TermSource;
use super::bits::Bits;

/// The lines of the games of a segment: the positions that a query looks at, in order.
#[derive(Debug)]
pub struct GameLines {
    starts: Arc<[u32]>,
    /// The last position of each main line, where that is not the one before the next game.
    ends: Option<Arc<Postings>>,
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
    /// Reads where the games are. Where their main lines end is left out unless conditions on other positions are asked.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S: TermSource>(
        source: &S,
        starts: Arc<[u32]>,
        variations: bool,
        has_trees: bool,
    ) -> Result<GameLines, S::Error> {
        let positions = starts.last().copied().unwrap_or(0);
        let ends = if !has_trees || source.cardinality(Term::Mainline)? == positions {
            None
        } else {
            Some(source.postings(Term::MainlineEnd)?)
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
        let ends = self.ends.as_ref().map(|list| {
            let mut ends = Bits::new(&range);
            let (mut cursor, first) = (list.cursor(), ends.first_block());
            for (block, words) in (first..).zip(ends.words_mut().as_chunks_mut::<WORDS>().0) {
                cursor.read_block(block, words);
            }
            ends
        });
        for game in games.start as usize..games.end as usize {
            let (start, next) = (self.starts[game], self.starts[game + 1]);
            let last = ends.as_ref().and_then(|ends| ends.first_in(start..next));
            let main = last.map_or(next, |last| last + 1);
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
