//! What can go wrong, by cause.

use std::io;
use std::path::PathBuf;

use datafusion::error::DataFusionError;

/// What the functions of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be done, by cause. The message of each is one line for the user.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// What the library says.
    #[error(transparent)]
    Library(#[from] cqldex::Error),
    /// A text is not a query.
    #[error(transparent)]
    Query(#[from] cqldex::QueryError),
    /// The folder or object store does not give or take something.
    #[error("{0}")]
    Store(#[from] object_store::Error),
    /// A file can't be read or written.
    #[error("{}: {error}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A place can't be used as it is written.
    #[error("{0}")]
    Place(String),
    /// A manifest is missing or damaged.
    #[error("{0}")]
    Manifest(String),
    /// Somebody else has published a manifest in the meantime. The same can be done again.
    #[error("{place}: somebody else has published manifest {number} in the meantime; do it again")]
    Overtaken {
        /// The folder or object store.
        place: String,
        /// The number of the manifest.
        number: u64,
    },
    /// A file of a shard is not there.
    #[error("shard {shard} is missing: there is no {file} in {place}")]
    MissingShard {
        /// The id of the shard.
        shard: String,
        /// The file.
        file: String,
        /// The folder or object store.
        place: String,
    },
    /// A file of a shard is not as it was written, in the store itself.
    #[error("shard {shard} is damaged: {file} in {place} is not as it was written")]
    DamagedShard {
        /// The id of the shard.
        shard: String,
        /// The file.
        file: String,
        /// The folder or object store.
        place: String,
    },
    /// The disk cache has no room for a shard, whatever is removed.
    #[error("the cache {} has no room for shard {shard}: it takes {bytes} bytes of {bound}", .folder.display())]
    NoRoom {
        /// The folder of the cache.
        folder: PathBuf,
        /// The id of the shard.
        shard: String,
        /// How many bytes it takes.
        bytes: u64,
        /// How many bytes the cache may take.
        bound: u64,
    },
    /// A query can't be asked of shards; the message says why.
    #[error("{0}")]
    Unsupported(String),
    /// The engine could not plan or run it.
    #[error("{0}")]
    Engine(String),
    /// What the cluster says.
    #[error("{0}")]
    Cluster(String),
    /// A process of the cluster has gone away. The same can be asked again.
    #[error("{0}")]
    Lost(String),
    /// The scheduler can't be reached, or does not want to talk.
    #[error("{0}")]
    Unreachable(String),
}

/// What stands around a message of ours, so that it is found in what the engine makes of it on its way to the client.
const MARK: [&str; 2] = ["<cqldex:", ":cqldex>"];

impl Error {
    /// An error of a file.
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Error {
        let path = path.into();
        move |error| Error::File { path, error }
    }

    /// Whether the same may work later, or on another machine.
    pub(crate) fn is_passing(&self) -> bool {
        match self {
            Error::File { .. } | Error::NoRoom { .. } => true,
            Error::Store(error) => !matches!(
                error,
                object_store::Error::NotFound { .. }
                    | object_store::Error::InvalidPath { .. }
                    | object_store::Error::NotSupported { .. }
                    | object_store::Error::PermissionDenied { .. }
                    | object_store::Error::Unauthenticated { .. }
            ),
            Error::Library(error) => matches!(error, cqldex::Error::Resources(_) | cqldex::Error::Io(_)),
            _ => false,
        }
    }

    /// The same for the engine, which tries again what may pass, and gives up on all else.
    pub(crate) fn for_engine(&self) -> DataFusionError {
        let message = format!("{}{self}{}", MARK[0], MARK[1]);
        match self.is_passing() {
            true => DataFusionError::IoError(io::Error::other(message)),
            false => DataFusionError::Execution(message),
        }
    }

    /// What the engine says; of a message of ours only that.
    pub(crate) fn of_engine(error: &DataFusionError) -> Error {
        let text = error.to_string();
        let own = text.split_once(MARK[0]).and_then(|(_, rest)| rest.split_once(MARK[1]));
        match own {
            Some((own, _)) => Error::Cluster(plain(own)),
            None => Error::Engine(text),
        }
    }
}

/// A text that the engine has written in a text, perhaps several times.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("\\\\") {
        text = text.replace("\\\\", "\\");
    }
    text.replace("\\\"", "\"").replace("\\'", "'").replace("\\n", "\n")
}

impl From<DataFusionError> for Error {
    fn from(error: DataFusionError) -> Error {
        Error::of_engine(&error)
    }
}
