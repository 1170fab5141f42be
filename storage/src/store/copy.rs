//! The copy of the records that each commit leaves: writing, checking, reading.

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
    /// Counts a commit and leaves a copy of its records, for the case that their column is damaged. The commit is
    /// complete already, so failures here are ignored.
    pub(crate) fn leave_copy(&self, records: &Records) {
        // Without memory to compress the copy, the commit is counted all the same, and `verify` reports the empty copy.
        let copy = Sealer::new(3).seal(&records.encode()).unwrap_or_default();
        generation::advance(self.path(), records.manifest.generation, &copy);
    }

    /// Writes the copy of the last commit if an interrupted run did not.
    pub(crate) fn catch_up(&self, generation: u64) {
        let is_behind = match generation::find(self.path()) {
            Ok(found) => found.is_none_or(|found| found < generation),
            Err(_) => false,
        };
        if is_behind && let Ok(records) = self.current_records() {
            self.leave_copy(&records);
        }
    }

    /// Writes the copy of the last commit again.
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
            // The next commit, which another process has made since: the copy is readable, and there is nothing to
            // compare it with.
            Ok(copy) if copy.manifest.generation == number && number > own.manifest.generation => return Ok(None),
            // The commit before: a process was killed before it could write the copy. The next writer makes up for it.
            Ok(copy) if copy.manifest.generation == number && number + 1 == own.manifest.generation => return Ok(None),
            Ok(copy) if copy == own => return Ok(None),
            Ok(_) => Damage::Invalid("it is not the copy of the last commit"),
        };
        Ok(Some(damaged(path, reason)))
    }
}

/// The copy in a directory, if it can be read and is of the commit that the name of the file says.
pub(super) fn read(directory: &Path) -> Option<Records> {
    let (_, number, sealed) = generation::read(directory).ok().flatten()?;
    let records = decode(&sealed).ok()?;
    (records.manifest.generation == number).then_some(records)
}

fn decode(sealed: &[u8]) -> Result<Records, Damage> {
    Records::decode(&frame::open(sealed)?)
}
