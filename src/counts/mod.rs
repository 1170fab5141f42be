//! Games and positions counted in groups: by year, player, opening, move, square and other things. Columns of headers and
//! lists of the index say most of it, so that games are opened for few of them.

mod bars;
mod boards;
mod by;
mod damaged;
mod dimension;
mod group_table;
mod key;
mod next;
mod next_table;
mod positions;
mod strength;
mod tally;
mod unit;

use std::collections::BTreeMap;

use search::Threads;

use crate::cancel::Cancel;
use crate::database::Database;
use crate::error::{Error, Result};
use crate::game::StoredGames;
use crate::sets::PositionSet;

pub use by::By;
use damaged::Damaged;
use dimension::of_segment;
pub use group_table::GroupOrder;
pub use key::Key;
pub use next::{NextMove, NextMoves};
use positions::{Context, of_unit};
pub use tally::GroupCount;
use tally::{MOST, tally};
use unit::{Unit, parts};

/// How groups are counted.
///
/// ```
/// use cqldex::CountOptions;
///
/// let options = CountOptions { whole_database: true, ..CountOptions::default() };
/// assert!(!options.variations);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CountOptions {
    /// Whether [`GroupCount::database_games`] is counted. That is only possible where headers make the groups.
    pub whole_database: bool,
    /// Whether the positions come from a search of variations, too.
    pub variations: bool,
    /// Whether games that have to be opened and are damaged are left out, instead of being an error.
    pub skip_damaged: bool,
    /// What stops the counting.
    pub cancel: Cancel,
}

/// Games and positions in groups: what [`Database::counts`] gives.
#[derive(Clone, Debug)]
pub struct Counts {
    by: Vec<By>,
    /// The groups by their keys, ascending.
    groups: Vec<(Vec<Key>, GroupCount)>,
    /// All of the set.
    games: u64,
    positions: u64,
    left_out: Vec<(u64, String)>,
}

impl Database {
    /// Counts the games and positions of a set in groups: by one thing, or by several at once.
    ///
    /// ```
    /// use cqldex::{By, CountOptions, Database, Key, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Date \"1851.06.21\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Date \"1851.07.??\"]\n\n1. e4 *\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 3), (1, 4), (2, 0)])?;
    /// let counts = database.counts(&positions, &[By::Year, By::Result], &CountOptions::default())?;
    /// let groups: Vec<_> = counts.groups().collect();
    /// let (key, count) = groups[1];
    /// assert_eq!(key, [Key::Number(1851), Key::Text("0-1".into())]);
    /// assert_eq!((count.games, count.positions, count.black), (1, 2, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read, when it is cancelled, and when there is nothing or too much to count by.
    pub fn counts(&self, positions: &PositionSet, by: &[By], options: &CountOptions) -> Result<Counts> {
        count(positions, by, options, self.threads())
    }
}

impl Counts {
    /// Counts of several databases, or of parts of one, as one: groups with equal keys are added. A game must not be in two of
    /// them; `games` and `positions` are those of all.
    ///
    /// ```
    /// use cqldex::{By, Counts, GroupCount, Key};
    ///
    /// let count = GroupCount { games: 2, positions: 3, ..GroupCount::default() };
    /// let groups = [(vec![Key::Number(1851)], count), (vec![Key::Number(1851)], count)];
    /// let counts = Counts::of_parts(&[By::Year], groups, (4, 6));
    /// let (_, both) = counts.groups().next().expect("a group");
    /// assert_eq!((both.games, both.positions), (4, 6));
    /// ```
    pub fn of_parts(
        by: &[By],
        groups: impl IntoIterator<Item = (Vec<Key>, GroupCount)>,
        (games, positions): (u64, u64),
    ) -> Counts {
        let mut added: BTreeMap<Vec<Key>, GroupCount> = BTreeMap::new();
        for (keys, count) in groups {
            added.entry(keys).or_default().add(&count);
        }
        Counts {
            by: by.to_vec(),
            groups: added.into_iter().collect(),
            games,
            positions,
            left_out: Vec::new(),
        }
    }

    /// By what was counted.
    pub fn by(&self) -> &[By] {
        &self.by
    }

    /// The groups: a key for each thing that is counted by, ascending, and the counts.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = (&[Key], &GroupCount)> {
        self.groups.iter().map(|(keys, count)| (keys.as_slice(), count))
    }

    /// How many games have a position.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many positions were counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The numbers of games that were left out because they are damaged, and what is damaged
    /// ([`CountOptions::skip_damaged`]).
    pub fn left_out(&self) -> &[(u64, String)] {
        &self.left_out
    }
}

fn count(positions: &PositionSet, by: &[By], options: &CountOptions, threads: &Threads) -> Result<Counts> {
    if by.is_empty() || by.len() > MOST {
        return Err(Error::NoSuchGroup(format!(
            "groups are counted by one to {MOST} things"
        )));
    }
    let names: Vec<String> = by.iter().map(By::name).collect();
    if let Some(at) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
        return Err(Error::NoSuchGroup(format!(
            "groups are counted by `{}` twice",
            names[at]
        )));
    }
    let snapshot = positions.snapshot();
    let parts = parts(positions, options.whole_database);
    let headers = threads.map(snapshot.segments().len(), |index| {
        let is_needed = options.whole_database || positions.bitmap(index).is_some();
        let segment = snapshot.segment(index);
        let of_headers = by.iter().map(|by| match is_needed {
            true => of_segment(&segment, by),
            false => Ok(None),
        });
        of_headers.collect::<Result<Vec<_>>>()
    })?;
    let with_ids = by.iter().any(By::is_of_position);
    let counted = threads.map(parts.len(), |place| {
        if options.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let mut unit = Unit::new(positions, &parts[place], with_ids)?;
        let mut context = Context {
            games: StoredGames::new(snapshot.clone()),
            damaged: Damaged::new(options.skip_damaged),
            reader: &|| positions.reader(),
            variations: options.variations,
        };
        let mut own = Vec::new();
        for (by, known) in by.iter().zip(&headers[unit.index]) {
            own.push(match known {
                Some(_) => None,
                None => Some(of_unit(&unit, by, &mut context)?),
            });
        }
        let left_out = context.damaged.take_out_of(&mut unit);
        let dimensions = headers[unit.index].iter().zip(&own);
        let dimensions = dimensions.filter_map(|(known, own)| known.as_deref().or(own.as_ref()));
        let dimensions: Vec<_> = dimensions.collect();
        let outcomes = unit.segment.outcomes()?;
        let groups = tally(&unit, &dimensions, &outcomes, options.whole_database);
        Ok((unit.games.len() as u64, unit.positions as u64, groups, left_out))
    })?;
    let (mut games, mut in_set) = (0, 0);
    let (mut groups, mut left_out) = (Vec::new(), Vec::new());
    for (of_games, of_positions, of_unit, of_damaged) in counted {
        left_out.extend(of_damaged);
        games += of_games;
        in_set += of_positions;
        groups.push(of_unit);
    }
    let counts = Counts::of_parts(by, groups.into_iter().flatten(), (games, in_set));
    Ok(Counts { left_out, ..counts })
}
