//! Messages about the names of sets.

use storage::Snapshot;

use crate::error::Error;

/// Which sets there are, for a message.
pub(super) fn known_names(names: &[String]) -> String {
    match names {
        [] => "the database has no sets".to_owned(),
        names => format!("there are: {}", names.join(", ")),
    }
}

/// An error of the storage; that there is no such set, with the sets that there are.
pub(crate) fn no_such_set(error: storage::Error, snapshot: &Snapshot) -> Error {
    match error {
        storage::Error::NoSuchSet { name } => {
            let known = snapshot.sets().names().unwrap_or_default();
            Error::NoSuchSet(format!("there is no set `{name}`; {}", known_names(&known)))
        }
        error => error.into(),
    }
}
