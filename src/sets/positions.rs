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
/// assert_eq!((positions.nth(1), positions.nth(2)), (Some((1, 3)), None));
/// assert_eq!(positions.of_game(1), [1, 3]);
/// assert_eq!(positions.counts().collect::<Vec<_>>(), [(1, 2)]);
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

    /// Positions by game and `positionid`; those that are not there are left out.
    pub(super) fn of(snapshot: Snapshot, positions: impl IntoIterator<Item = (u64, u32)>) -> Result<PositionSet> {
        let mut found = PositionSet::none(snapshot);
        let mut starts = vec![None; found.starts.len()];
        for (number, node) in positions {
            let Some((segment, game)) = number.checked_sub(1).and_then(|game| found.snapshot.locate(game)) else {
                continue;
            };
            let starts: &std::sync::Arc<[u32]> = match &mut starts[segment] {
                Some(starts) => starts,
                empty => empty.insert(found.snapshot.segment(segment).starts()?),
            };
            let (start, end) = (starts[game as usize], starts[game as usize + 1]);
            let key = found.snapshot.segments()[segment].key;
            if let Some(section) = found.sections.get_mut(&key).filter(|_| node < end - start) {
                section.positions.insert(start + node);
            }
        }
        for (own, read) in found.starts.iter_mut().zip(starts) {
            *own = read.unwrap_or_else(|| std::sync::Arc::clone(own));
        }
        Ok(found)
    }

    pub(super) fn sections(&self) -> &Sections {
        &self.sections
    }

    pub(crate) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Adds the positions of a set of the same state of the same database.
    pub(crate) fn add(&mut self, others: &PositionSet) {
        for ((meta, starts), theirs) in self
            .snapshot
            .segments()
            .iter()
            .zip(&mut self.starts)
            .zip(&others.starts)
        {
            let Some(more) = others.sections.get(&meta.key).filter(|more| !more.positions.is_empty()) else {
                continue;
            };
            match self.sections.get_mut(&meta.key) {
                Some(section) => {
                    section.positions |= &more.positions;
                    section.games = 0;
                }
                None => {
                    self.sections.insert(meta.key, more.clone());
                }
            }
            starts.clone_from(theirs);
        }
    }

    /// Those positions that a set of the same state of the same database does not have.
    pub(super) fn minus(&self, others: &PositionSet) -> PositionSet {
        let mut left = self.clone();
        for meta in self.snapshot.segments() {
            if let (Some(section), Some(less)) = (left.sections.get_mut(&meta.key), others.sections.get(&meta.key)) {
                section.positions -= &less.positions;
                section.games = 0;
            }
        }
        left
    }

    /// How many positions there are.
    pub fn len(&self) -> u64 {
        self.in_segments().map(|segment| segment.len()).sum()
    }

    /// About how many bytes of memory it takes.
    pub fn bytes(&self) -> u64 {
        let sections = self.in_segments().filter_map(|segment| segment.section);
        sections.map(|section| section.positions.serialized_size() as u64).sum()
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

    /// The `n`th position, from 0, in the order of [`PositionSet::iter`].
    pub fn nth(&self, mut n: u64) -> Option<(u64, u32)> {
        for segment in self.in_segments() {
            if n < segment.len() {
                return segment.nth(u32::try_from(n).ok()?);
            }
            n -= segment.len();
        }
        None
    }

    /// The positions of a game in ascending order.
    pub fn of_game(&self, number: u64) -> Vec<u32> {
        let found = self.in_segments().find_map(|segment| segment.of_game(number));
        found.unwrap_or_default()
    }

    /// The games that have a position, and how many.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.in_segments().flat_map(SegmentPositions::counts)
    }

    /// The segments that have positions in the set, by their place in the snapshot, with these positions.
    pub(super) fn bitmaps(&self) -> impl Iterator<Item = (usize, &roaring::RoaringBitmap)> + '_ {
        let segments = self.snapshot.segments().iter().enumerate();
        let sections = segments.filter_map(|(index, meta)| Some((index, &self.sections.get(&meta.key)?.positions)));
        sections.filter(|(_, positions)| !positions.is_empty())
    }

    /// The positions in a segment, by its place in the snapshot; `None` if it has none.
    pub(crate) fn bitmap(&self, segment: usize) -> Option<&roaring::RoaringBitmap> {
        let meta = self.snapshot.segments().get(segment)?;
        let positions = &self.sections.get(&meta.key)?.positions;
        Some(positions).filter(|positions| !positions.is_empty())
    }

    /// The positions, segment by segment.
    pub(crate) fn in_segments(&self) -> impl Iterator<Item = SegmentPositions<'_>> + '_ {
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
pub(crate) struct SegmentPositions<'p> {
    pub(super) section: Option<&'p Section>,
    /// The number of the first game, from 1.
    pub(super) first_game: u64,
    /// How many games the segment has.
    pub(crate) games: u32,
    /// How many positions the segment has.
    pub(crate) positions: u32,
    starts: &'p [u32],
}

impl<'p> SegmentPositions<'p> {
    pub(crate) fn len(&self) -> u64 {
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

    /// The `n`th position.
    fn nth(self, n: u32) -> Option<(u64, u32)> {
        let id = self.section?.positions.select(n)?;
        let game = self.starts.partition_point(|&start| start <= id).checked_sub(1)?;
        Some((self.first_game + game as u64, id - self.starts[game]))
    }

    /// The positions of a game; `None` if it is not of this segment, or has none.
    fn of_game(self, number: u64) -> Option<Vec<u32>> {
        let game = usize::try_from(number.checked_sub(self.first_game)?).ok()?;
        let (&start, &end) = (self.starts.get(game)?, self.starts.get(game + 1)?);
        let ids = self.section?.positions.range(start..end);
        Some(ids.map(|id| id - start).collect())
    }

    /// The games that have a position, and how many.
    pub(super) fn counts(self) -> impl Iterator<Item = (u64, u32)> + 'p {
        let mut ids = self.iter().peekable();
        std::iter::from_fn(move || {
            let (game, _) = ids.next()?;
            let mut count = 1;
            while ids.next_if(|(other, _)| *other == game).is_some() {
                count += 1;
            }
            Some((game, count))
        })
    }
}
