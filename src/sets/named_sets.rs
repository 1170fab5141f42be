//! The named sets of a database: listing, reading, combining, changing.

use std::sync::Arc;

use roaring::RoaringBitmap;
use storage::{NamedSet, Section, Sections, Snapshot};

use super::expression::{Definition, Expression};
use super::live::{Growth, LiveQuery};
use super::names::no_such_set;
use super::positions::PositionSet;
use crate::cancel::Cancel;
use crate::database::Database;
use crate::error::{Error, Result};

/// The named sets of a database; see [`Database::sets`].
///
/// A set is saved by a search ([`SearchOptions::save`](crate::SearchOptions::save)) or made of others
/// ([`Sets::make`]). Queries read it with the filter `positionset "name"`, or are restricted to it with
/// [`SearchOptions::within`](crate::SearchOptions::within).
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, SaveAs, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// for (name, query) in [("white", "wtm"), ("mates", "mate")] {
///     let save = Some(SaveAs::new(name));
///     let options = SearchOptions { save, ..SearchOptions::default() };
///     database.search(&Query::parse(query, Dialect::Auto)?, options).summary()?;
/// }
/// let sets = database.sets();
/// assert_eq!(sets.make("calm = white - mates", false)?.positions, 2);
/// let query = Query::parse("positionset \"calm\" not initial", Dialect::Auto)?;
/// assert_eq!(database.count(&query)?.positions, 1);
/// sets.rename("calm", "quiet")?;
/// sets.delete("mates")?;
/// let names: Vec<String> = sets.list()?.into_iter().map(|set| set.name).collect();
/// assert_eq!(names, ["quiet", "white"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Sets<'d> {
    database: &'d Database,
    /// All of it is about the database as it was when this was made.
    snapshot: Snapshot,
    cancel: Cancel,
}

/// What is known of a named set.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, SaveAs, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let save = Some(SaveAs { live: true, ..SaveAs::new("mates") });
/// database.search(&query, SearchOptions { save, ..SearchOptions::default() }).summary()?;
/// let set = &database.sets().list()?[0];
/// assert_eq!((set.games, set.positions, set.live.as_deref()), (1, 1, Some("mate")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetInfo {
    /// Its name.
    pub name: String,
    /// How many games have a position in it.
    pub games: u64,
    /// How many positions it has.
    pub positions: u64,
    /// How many games could not be searched when it was saved, with
    /// [`SearchOptions::skip_damaged`](crate::SearchOptions::skip_damaged), so that their positions are missing.
    pub games_missing: u64,
    /// The query of a live set, which grows with the database.
    pub live: Option<String>,
    /// Why it can't be read, if it is damaged. Then nothing else is known of it.
    pub damage: Option<String>,
}

impl Database {
    /// The named sets of the database.
    pub fn sets(&self) -> Sets<'_> {
        Sets {
            database: self,
            snapshot: self.snapshot(),
            cancel: Cancel::default(),
        }
    }
}

impl Sets<'_> {
    /// The same with something that stops the searches by which live sets grow.
    #[must_use]
    pub fn with_cancel(self, cancel: Cancel) -> Self {
        Sets { cancel, ..self }
    }

    fn stored(&self) -> storage::Sets {
        self.snapshot.sets()
    }

    /// All sets by name. Live sets grow first.
    ///
    /// # Errors
    ///
    /// When the database can't be read, or the query of a live set stops with an error.
    pub fn list(&self) -> Result<Vec<SetInfo>> {
        let mut list = Vec::new();
        for name in self.stored().names()? {
            match self.info(&name) {
                Ok(info) => list.push(info),
                // It was deleted in the meantime.
                Err(Error::NoSuchSet(_)) => {}
                Err(Error::DamagedSet(cause)) => list.push(SetInfo {
                    name,
                    games: 0,
                    positions: 0,
                    games_missing: 0,
                    live: None,
                    damage: Some(cause.to_string()),
                }),
                Err(error) => return Err(error),
            }
        }
        Ok(list)
    }

    /// What is known of a set. A live set grows first.
    ///
    /// # Errors
    ///
    /// As [`Sets::read`].
    pub fn info(&self, name: &str) -> Result<SetInfo> {
        let set = self.grown(name)?;
        let live = set.live.as_deref().map(LiveQuery::decode).transpose()?;
        let positions = PositionSet::new(self.snapshot.clone(), set.sections)?;
        Ok(SetInfo {
            name: set.name,
            games: positions.games(),
            positions: positions.len(),
            games_missing: positions.games_missing(),
            live: live.map(|live| live.query),
            damage: None,
        })
    }

    /// The positions of a set. A live set grows first.
    ///
    /// # Errors
    ///
    /// When there is no such set, it is damaged, the query of a live set stops with an error, or the database can't be
    /// read.
    pub fn read(&self, name: &str) -> Result<PositionSet> {
        PositionSet::new(self.snapshot.clone(), self.grown(name)?.sections)
    }

    fn grown(&self, name: &str) -> Result<NamedSet> {
        let run = self.cancel.run();
        let growth = Growth {
            snapshot: &self.snapshot,
            threads: self.database.threads().clone(),
            stop: Arc::clone(&run.stop),
        };
        growth.read(name)
    }

    /// Saves positions as a set. They have to be of the database as it is now.
    ///
    /// ```
    /// # use cqldex::{Database, Options};
    /// # let folder = tempfile::tempdir()?;
    /// # let database = Database::create(folder.path().join("games.db"), Options::default())?;
    /// let sets = database.sets();
    /// sets.save("nothing", &sets.none(), false)?;
    /// assert!(sets.read("nothing")?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When there is a set with this name that is not to be replaced, the name can't be that of a set, the positions are
    /// of another state of the database, or the file can't be written.
    pub fn save(&self, name: &str, positions: &PositionSet, replace: bool) -> Result<()> {
        let set = NamedSet {
            name: name.to_owned(),
            live: None,
            sections: positions.sections().clone(),
        };
        positions.snapshot().sets().save(&set, replace)?;
        Ok(())
    }

    /// No positions.
    pub fn none(&self) -> PositionSet {
        PositionSet::none(self.snapshot.clone())
    }

    /// Positions by the numbers of their games and by `positionid`, in any order. What the database does not have is left
    /// out.
    ///
    /// ```
    /// # use cqldex::{Database, Options};
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 4), (1, 2), (7, 0), (1, 99)])?;
    /// assert_eq!(positions.iter().collect::<Vec<_>>(), [(1, 2), (1, 4)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn of(&self, positions: impl IntoIterator<Item = (u64, u32)>) -> Result<PositionSet> {
        PositionSet::of(self.snapshot.clone(), positions)
    }

    /// Gives a set another name.
    ///
    /// # Errors
    ///
    /// When there is no such set, it is damaged, or there is a set with the other name.
    pub fn rename(&self, from: &str, to: &str) -> Result<()> {
        let renamed = self.stored().rename(from, to);
        renamed.map_err(|error| self.with_names(error))
    }

    /// Deletes a set, even a damaged one.
    ///
    /// # Errors
    ///
    /// When there is no such set, or its file can't be removed.
    pub fn delete(&self, name: &str) -> Result<()> {
        let deleted = self.stored().delete(name);
        deleted.map_err(|error| self.with_names(error))
    }

    fn with_names(&self, error: storage::Error) -> Error {
        no_such_set(error, &self.snapshot)
    }

    /// Combines sets: `a & b` has the positions that both have, `a | b` those of either, `a - b` those of `a` that `b` does
    /// not have, `!a` all positions of the database that `a` does not have. `!` binds tighter than `&` and `-`, and these
    /// tighter than `|`. A minus sign inside a name belongs to the name.
    ///
    /// # Errors
    ///
    /// When the text is no such expression, or as [`Sets::read`].
    pub fn combine(&self, expression: &str) -> Result<PositionSet> {
        let parsed = Expression::parse(expression)?;
        self.evaluate(&parsed, expression)
    }

    /// Saves a combination of sets as a set: `good = forks & !drawn`. See [`Sets::combine`].
    ///
    /// # Errors
    ///
    /// As [`Sets::combine`] and [`Sets::save`].
    pub fn make(&self, definition: &str, replace: bool) -> Result<SetInfo> {
        let Definition { name, expression } = Definition::parse(definition)?;
        let positions = self.evaluate(&expression, definition)?;
        self.save(&name.text, &positions, replace)?;
        Ok(SetInfo {
            games: positions.games(),
            positions: positions.len(),
            games_missing: positions.games_missing(),
            name: name.text,
            live: None,
            damage: None,
        })
    }

    /// Evaluates an expression, segment by segment.
    fn evaluate(&self, expression: &Expression, text: &str) -> Result<PositionSet> {
        let mut sets: Vec<NamedSet> = Vec::new();
        for name in expression.names() {
            if sets.iter().any(|set| set.name == name.text) {
                continue;
            }
            match self.grown(&name.text) {
                Ok(set) => sets.push(set),
                Err(Error::NoSuchSet(_)) => {
                    let known = self.stored().names()?;
                    return Err(Expression::unknown(text, name, &known).into());
                }
                Err(error) => return Err(error),
            }
        }
        let section = |meta: &storage::SegmentMeta| {
            let set = |name: &str| -> Option<&RoaringBitmap> {
                let set = sets.iter().find(|set| set.name == name)?;
                Some(&set.sections.get(&meta.key)?.positions)
            };
            let positions = expression.positions(&set, meta.positions).into_owned();
            (
                meta.key,
                Section {
                    covered: meta.positions,
                    positions,
                    ..Section::default()
                },
            )
        };
        let mut sections: Sections = self.snapshot.segments().iter().map(section).collect();
        for (segment, games) in sets.iter().flat_map(|set| set.sections.lacking()) {
            sections.lack(segment, games);
        }
        PositionSet::new(self.snapshot.clone(), sections)
    }
}
