//! The copy of the records that each commit leaves, and what is wrong with it.

use std::path::Path;

use postings::Damage;

use super::{Store, generation};
use crate::{
    column::Column,
    error::{Error, Result},
    frame::{self, Sealer},
    record::Records,
};

impl Store {
    /// Counts a commit, and leaves a copy of its records for the case that their column is damaged. The commit has
    /// happened, so that nothing of this is a failure.
    pub(crate) fn leave_copy(&self, records: &Records) {
        // Without memory to compress it the count is there, and `verify` tells of the copy.
        let copy = Sealer::new(3).seal(&records.encode()).unwrap_or_default();
        generation::advance(self.path(), records.manifest.generation, &copy);
    }

    /// Leaves the copy that an interrupted run has not left.
    pub(crate) fn catch_up(&self, generation: u64) {
        let is_behind = match generation::find(self.path()) {
            Ok(found) => found.is_none_or(|found| found < generation),
            Err(_) => false,
        };
        if is_behind && let Ok(records) = self.current_records() {
            self.leave_copy(&records);
        }
    }

    /// Leaves the copy of the last commit anew.
    pub(crate) fn renew_copy(&self) -> Result<()> {
        self.leave_copy(&self.current_records()?);
        Ok(())
    }

    /// What is wrong with the copy of the last commit.
    pub(crate) fn copy_problem(&self) -> Result<Option<Error>> {
        let own = self.current_records()?;
        let damaged = |path, reason| Error::DamagedFile {
            path,
            column: Column::Meta.name(),
            reason,
        };
        let Some((path, number, sealed)) = generation::read(self.path())? else {
            let path = generation::file(self.path(), own.manifest.generation);
            return Ok(Some(damaged(path, Damage::FileMissing)));
        };
        let reason = match decode(&sealed) {
            Err(reason) => reason,
            // Of a commit that another process has made since, it only shows that it is whole. A process that was killed
            // has left the one before; the next that writes makes up for it.
            Ok(copy) if copy.manifest.generation == number && number > own.manifest.generation => return Ok(None),
            Ok(copy) if copy.manifest.generation == number && number + 1 == own.manifest.generation => return Ok(None),
            Ok(copy) if copy == own => return Ok(None),
            Ok(_) => Damage::Invalid("it is not the copy of the last commit"),
        };
        Ok(Some(damaged(path, reason)))
    }
}

/// The copy in a directory, if it is that of the commit that it is said to be of.
pub(super) fn read(directory: &Path) -> Option<Records> {
    let (_, number, sealed) = generation::read(directory).ok().flatten()?;
    let records = decode(&sealed).ok()?;
    (records.manifest.generation == number).then_some(records)
}

fn decode(sealed: &[u8]) -> Result<Records, Damage> {
    Records::decode(&frame::open(sealed)?)
}
