//! Live sets: the query is kept with the set, which grows with the database.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use evaluator::Rules;
use language::facts::Reads;
use language::hir::Node;
use planner::Effects;
use search::{Detail, RunOptions, Search, Threads};
use serde_json::{Value, json};
use storage::{NamedSet, Sections, Snapshot};

use super::names::no_such_set;
use crate::error::{Error, Result};
use crate::query::{Dialect, Query, QueryOptions, Transform};

/// The version of what is kept with a live set.
const VERSION: u64 = 1;

/// What a live set is the answer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LiveQuery {
    /// Its text.
    pub(crate) query: String,
    dialect: Dialect,
    transforms: Vec<Transform>,
    variations: bool,
}

impl LiveQuery {
    /// What a search asks, if later games can be asked the same. `restricted` says whether it is restricted to other sets.
    pub(crate) fn of(query: &Query, options: &RunOptions, restricted: bool) -> Result<LiveQuery> {
        let restriction = restricted.then_some("a live set can't be restricted to other sets, which may change");
        if let Some(reason) = restriction.or_else(|| obstacle(query, options)) {
            return Err(Error::NotLive(reason));
        }
        let additions = &query.parsed().options;
        Ok(LiveQuery {
            query: query.text().to_owned(),
            dialect: additions.dialect.resolve(query.text()),
            transforms: additions.transforms.clone(),
            variations: options.variations.unwrap_or(query.header().variations),
        })
    }

    /// The text that is kept.
    pub(crate) fn encode(&self) -> String {
        let transforms: Vec<&str> = self.transforms.iter().map(|transform| transform.keyword()).collect();
        json!({
            "version": VERSION,
            "query": self.query,
            "dialect": self.dialect.name(),
            "transforms": transforms,
            "variations": self.variations,
        })
        .to_string()
    }

    /// Reads what [`LiveQuery::encode`] gave.
    pub(crate) fn decode(text: &str) -> Result<LiveQuery> {
        let unknown = || Error::Format(crate::error::Cause::new(UnknownLiveQuery));
        let value: Value = serde_json::from_str(text).map_err(|_| unknown())?;
        if value["version"] != VERSION {
            return Err(unknown());
        }
        let dialect = |name: &str| Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        let transform = |value: &Value| {
            let keyword = value.as_str()?;
            Transform::ALL
                .into_iter()
                .find(|transform| transform.keyword() == keyword)
        };
        let transforms = value["transforms"].as_array().map(Vec::as_slice).unwrap_or_default();
        let read = || {
            Some(LiveQuery {
                query: value["query"].as_str()?.to_owned(),
                dialect: dialect(value["dialect"].as_str()?)?,
                transforms: transforms.iter().map(transform).collect::<Option<_>>()?,
                variations: value["variations"].as_bool()?,
            })
        };
        read().ok_or_else(unknown)
    }

    fn parse(&self) -> Result<Query> {
        let options = QueryOptions {
            dialect: self.dialect,
            transforms: self.transforms.clone(),
            ..QueryOptions::default()
        };
        Ok(Query::parse_with(&self.query, &options)?)
    }
}

/// What is kept with a live set is not of this version.
#[derive(Debug, thiserror::Error)]
#[error("another version of this program has kept the query of this live set")]
struct UnknownLiveQuery;

/// Why a set with this query can't grow.
fn obstacle(query: &Query, options: &RunOptions) -> Option<&'static str> {
    let expanded = query.expanded();
    let additions = &query.parsed().options;
    let mut depends = None;
    expanded.body.any(&mut |filter| {
        depends = depends.or(match filter.node {
            Node::LastGameNumber => Some("`lastgamenumber` has another value when games are added"),
            Node::GameNumber => Some("`gamenumber` has another value when removed games are dropped"),
            Node::SimilarPosition(_) => Some("`similarposition` reads a file, which may change"),
            Node::PositionSet(_) => Some("the query of a live set can't read other sets, which may change"),
            _ => None,
        });
        false
    });
    if depends.is_some() {
        return depends;
    }
    if expanded.body.all_reads().intersects(Reads::FILE) {
        return Some("`readfile` reads a file, which may change");
    }
    if Effects::of(expanded) == Effects::Database {
        return Some("the query remembers something from game to game, or writes messages or files");
    }
    if expanded.header.game_numbers.is_some() {
        return Some("the numbers of games change when removed games are dropped");
    }
    let is_changed =
        !additions.before.is_empty() || !additions.game_filters.is_empty() || additions.match_count.is_some();
    if is_changed {
        return Some("only the text of a query and its transforms are kept with a live set");
    }
    (options.rules != Rules::default()).then_some("a live set keeps the rules of CQL 6.2")
}

/// How live sets grow.
#[derive(Clone, Debug)]
pub(crate) struct Growth<'s> {
    /// The database as it is seen.
    pub(crate) snapshot: &'s Snapshot,
    pub(crate) threads: Threads,
    /// Stops the searches.
    pub(crate) stop: Arc<AtomicBool>,
}

impl Growth<'_> {
    /// A set. If it is live and games were added, its query is asked about these, and the set is written if that is
    /// possible.
    pub(crate) fn read(&self, name: &str) -> Result<NamedSet> {
        let sets = self.snapshot.sets();
        let set = sets.read(name).map_err(|error| no_such_set(error, self.snapshot))?;
        let Some(live) = set.live.as_deref().filter(|_| !self.is_whole(&set.sections)) else {
            return Ok(set);
        };
        let grown = LiveQuery::decode(live).and_then(|live| self.search(&live, &set.sections));
        let sections = grown.map_err(|error| match error {
            Error::Cancelled => Error::Cancelled,
            error => Error::LiveSet {
                name: name.to_owned(),
                error: Box::new(error),
            },
        })?;
        let set = NamedSet { sections, ..set };
        // Where nothing can be written, the same games are asked again the next time.
        let _ = sets.complete(&set);
        Ok(set)
    }

    /// Whether all positions of the database are covered.
    fn is_whole(&self, sections: &Sections) -> bool {
        let covered = |key| sections.get(key).map_or(0, |section| section.covered);
        let metas = self.snapshot.segments();
        metas.iter().all(|meta| covered(&meta.key) >= meta.positions)
    }

    /// The answer to a query, given what is known of it.
    fn search(&self, live: &LiveQuery, known: &Sections) -> Result<Sections> {
        let query = live.parse()?;
        let options = RunOptions {
            variations: Some(live.variations),
            detail: Detail::Count,
            stop: Some(Arc::clone(&self.stop)),
            threads: self.threads.clone(),
            ..RunOptions::default()
        };
        let search = Search::new(query.expanded(), options);
        let found = search.collect(self.snapshot, known, &mut |_| ControlFlow::Continue(()));
        let (_, sections) = found.map_err(|error| query.search_error(error))?;
        Ok(sections)
    }
}
