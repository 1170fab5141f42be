//! The positions of a set as matches, so that they can be written as those of a search.

use storage::{Section, Sections};

use super::positions::PositionSet;
use crate::database::Database;
use crate::matches::{Detail, Matches};
use crate::options::SearchOptions;
use crate::query::{Dialect, Query};

impl Database {
    /// Lists the positions of a set as a search does, for anything that takes matches. Nothing is searched; of the options,
    /// the limit, the progress and what stops it count.
    ///
    /// ```
    /// use cqldex::{Database, JsonWriter, MatchWriter, Options, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of([(1, 2), (1, 4)])?;
    /// let mut lines = Vec::new();
    /// let matches = database.list(&positions, SearchOptions::default());
    /// JsonWriter::new(&mut lines, None).write_matches(matches)?;
    /// assert!(lines.starts_with(br#"{"type":"match","game":1,"position":2,"ply":2,"#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn list(&self, positions: &PositionSet, options: SearchOptions) -> Matches {
        let query = Query::parse("true", Dialect::Cql6).expect("`true` is a query");
        let cancel = options.cancel.clone();
        let options = SearchOptions {
            variations: Some(true),
            detail: match options.detail {
                Detail::Count => Detail::Count,
                Detail::Positions | Detail::Results => Detail::Positions,
            },
            limit: options.limit,
            stop_at_limit: options.stop_at_limit,
            skip_damaged: options.skip_damaged,
            collect: options.collect,
            progress: options.progress,
            timeout: options.timeout,
            kept_answers: None,
            ..SearchOptions::default()
        };
        let mut plan = self.planned(options);
        plan.known = Some(positions.whole());
        Matches::start(query, positions.snapshot().clone(), plan, &cancel, self.leaders())
    }
}

impl PositionSet {
    /// What it has in each segment. Nothing is left to be asked about any position.
    fn whole(&self) -> Sections {
        let segments = self.snapshot().segments().iter();
        let known = segments.map(|meta| {
            let positions = self.sections().get(&meta.key).map(|known| known.positions.clone());
            let section = Section {
                covered: meta.positions,
                positions: positions.unwrap_or_default(),
                ..Section::default()
            };
            (meta.key, section)
        });
        known.collect()
    }
}
