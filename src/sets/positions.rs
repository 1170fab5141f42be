//! Positions of a database, as a set holds them.

use storage::{Section, Sections, Snapshot};

use crate::error::Result;

/// Positions of a database as it was at one moment; removed games have none.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, SaveAs, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("btm", Dialect::Auto)?;
/// let save = Some(SaveAs::new("black"));
/// database.search(&query, SearchOptions { save, ..SearchOptions::default() }).summary()?;
/// let positions = database.sets().read("black")?;
/// assert_eq!((positions.games(), positions.len()), (1, 2));
/// // Games by number, and positions by CQL's `positionid`.
/// assert_eq!(positions.iter().collect::<Vec<_>>(), [(1, 1), (1, 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PositionSet {
    snapshot: Snapshot,
    sections: Sections,
    /// For each segment that has positions in the set, the first position of each game, and one more than the last
    /// position.
    starts: Vec<std::sync::Arc<[u32]>>,
}

impl PositionSet {
    /// The positions of some sections that are not of removed games.
    pub(crate) fn new(snapshot: Snapshot, mut sections: Sections) -> Result<PositionSet> {
        let mut starts = Vec::new();
        for index in 0..snapshot.segments().len() {
            let segment = snapshot.segment(index);
            let mut is_needed = false;
            if let Some(section) = sections.get_mut(&segment.meta().key) {
                segment.without_removed(&mut section.positions)?;
                is_needed = !section.positions.is_empty();
            }
            // A segment without positions may be damaged.
            starts.push(match is_needed {
                true => segment.starts()?,
                false => std::sync::Arc::default(),
            });
        }
        Ok(PositionSet {
            snapshot,
            sections,
            starts,
        })
    }

    /// No positions.
    pub(crate) fn none(snapshot: Snapshot) -> PositionSet {
        let metas = snapshot.segments().iter();
        let nothing_in = |covered| Section {
            covered,
            ..Section::default()
        };
        let none = metas.map(|meta| (meta.key, nothing_in(meta.positions)));
        PositionSet {
            sections: none.collect(),
            starts: vec![[0].into(); snapshot.segments().len()],
            snapshot,
        }
    }

    pub(super) fn sections(&self) -> &Sections {
        &self.sections
    }

    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// How many positions there are.
    pub fn len(&self) -> u64 {
        self.in_segments().map(|segment| segment.len()).sum()
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many games have a position.
    pub fn games(&self) -> u64 {
        self.in_segments().map(SegmentPositions::games_with_positions).sum()
    }

    /// How many games could not be searched when the set was saved, so that their positions are missing.
    pub fn games_missing(&self) -> u64 {
        self.sections.games_missing()
    }

    /// The positions: the numbers of games, from 1, and CQL's `positionid`. Ascending.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.in_segments().flat_map(SegmentPositions::iter)
    }

    /// The positions, segment by segment.
    pub(super) fn in_segments(&self) -> impl Iterator<Item = SegmentPositions<'_>> + '_ {
        let segments = self.snapshot.segments().iter().zip(&self.starts);
        segments.map(|(meta, starts)| SegmentPositions {
            section: self.sections.get(&meta.key),
            first_game: meta.first_game + 1,
            games: meta.games,
            positions: meta.positions,
            starts,
        })
    }
}

/// The positions of one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentPositions<'p> {
    pub(super) section: Option<&'p Section>,
    /// The number of the first game, from 1.
    pub(super) first_game: u64,
    /// How many games the segment has.
    pub(super) games: u32,
    /// How many positions the segment has.
    pub(super) positions: u32,
    starts: &'p [u32],
}

impl<'p> SegmentPositions<'p> {
    pub(super) fn len(&self) -> u64 {
        self.section.map_or(0, |section| section.positions.len())
    }

    /// How many games have a position.
    fn games_with_positions(self) -> u64 {
        let Some(section) = self.section else { return 0 };
        let (mut ids, mut behind, mut games) = (section.positions.iter(), self.starts, 0);
        while let Some(id) = ids.next() {
            behind = &behind[behind.partition_point(|&start| start <= id)..];
            games += 1;
            match behind.first() {
                Some(&next) => ids.advance_to(next),
                None => break,
            }
        }
        games
    }

    /// Games and positions.
    pub(super) fn iter(self) -> impl Iterator<Item = (u64, u32)> + 'p {
        let mut game = 0;
        let ids = self.section.into_iter().flat_map(|section| section.positions.iter());
        ids.map(move |id| {
            let behind = &self.starts[game + 1..];
            // Most positions are in the same game as the one before them.
            if behind.first().is_some_and(|&next| next <= id) {
                game += behind.partition_point(|&start| start <= id);
            }
            (self.first_game + game as u64, id - self.starts[game])
        })
    }
}
