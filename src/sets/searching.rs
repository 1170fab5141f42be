//! What a search has to do with named sets: those that it reads, those that it is restricted to, and the one that it makes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use language::hir;
use search::RunOptions;
use storage::{NamedSet, Sections, Snapshot};

use super::live::{Growth, LiveQuery};
use super::names::no_such_set;
use super::save::SaveAs;
use crate::error::{Error, Result};
use crate::query::Query;

/// What the options of a search say of named sets.
#[derive(Clone, Debug, Default)]
pub(crate) struct SetUse {
    /// The sets that the search is restricted to.
    pub(crate) within: Vec<String>,
    /// The sets whose positions do not match.
    pub(crate) not_within: Vec<String>,
    /// The set that it makes.
    pub(crate) save: Option<SaveAs>,
}

/// A set that a search makes.
#[derive(Debug)]
pub(crate) struct Saving {
    save: SaveAs,
    /// What is kept with a live set.
    live: Option<String>,
}

impl SetUse {
    /// The query, restricted to positions in some sets and not in others.
    pub(crate) fn restricted<'q>(&self, query: &'q Query, snapshot: &Snapshot) -> Result<Cow<'q, hir::Query>> {
        let within = self.within.iter().map(|name| (name.as_str(), true));
        let not_within = self.not_within.iter().map(|name| (name.as_str(), false));
        let names: Vec<(&str, bool)> = within.chain(not_within).collect();
        if names.is_empty() {
            return Ok(Cow::Borrowed(query.expanded()));
        }
        let sets = snapshot.sets();
        for (name, _) in &names {
            // The error of the search would point into the query.
            sets.info(name).map_err(|error| no_such_set(error, snapshot))?;
        }
        Ok(Cow::Owned(query.expanded().restricted(names)))
    }

    /// The options with the sets that a query reads. Live sets grow.
    pub(crate) fn read(&self, options: RunOptions, query: &hir::Query, snapshot: &Snapshot) -> Result<RunOptions> {
        let growth = Growth {
            snapshot,
            threads: options.threads.clone(),
            stop: options.stop.clone().unwrap_or_default(),
        };
        let mut sets = BTreeMap::new();
        for set in &query.sets {
            match growth.read(&set.name) {
                Ok(read) => {
                    sets.insert(set.name.clone(), Arc::new(read.sections));
                }
                // The search says where the query names it.
                Err(Error::NoSuchSet(_) | Error::SetName(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(RunOptions { sets, ..options })
    }

    /// The set that the search makes, if it does. It is looked at before the search, so that no long search is in vain.
    pub(crate) fn saving(&self, query: &Query, options: &RunOptions, snapshot: &Snapshot) -> Result<Option<Saving>> {
        let Some(save) = &self.save else { return Ok(None) };
        if options.stop_at_limit && options.limit.is_some() {
            return Err(Error::Incomplete);
        }
        match snapshot.sets().info(&save.name) {
            Err(storage::Error::NoSuchSet { .. }) => {}
            Err(error @ storage::Error::SetName { .. }) => return Err(error.into()),
            _ if save.replace => {}
            _ => {
                let name = save.name.clone();
                return Err(storage::Error::SetExists { name }.into());
            }
        }
        let is_restricted = !self.within.is_empty() || !self.not_within.is_empty();
        let live = match save.live {
            true => Some(LiveQuery::of(query, options, is_restricted)?.encode()),
            false => None,
        };
        Ok(Some(Saving {
            save: save.clone(),
            live,
        }))
    }
}

impl Saving {
    /// Saves what the search has found.
    pub(crate) fn finish(self, snapshot: &Snapshot, sections: Sections) -> Result<()> {
        let set = NamedSet {
            name: self.save.name,
            live: self.live,
            sections,
        };
        snapshot.sets().save(&set, self.save.replace)?;
        Ok(())
    }
}
