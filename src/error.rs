//! What can go wrong, by cause.

mod explanation;
mod set_expression;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

pub use explanation::{ErrorExplanation, explain_error};
pub use set_expression::SetExpressionError;

/// What the functions of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be done, by cause.
///
/// The message of each is one line for the user; [`Error::code`] names the cause for programs.
///
/// ```
/// use cqldex::{Database, Error, Options};
///
/// let error = Database::open("no/such/folder", Options::default()).unwrap_err();
/// assert!(matches!(error, Error::NotADatabase(_)));
/// assert_eq!(error.code(), "not-a-database");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text is not a query.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A query stopped with an error while it ran.
    #[error(transparent)]
    Evaluation(QueryError),
    /// Somebody cancelled it.
    #[error("the search was stopped")]
    Cancelled,
    /// Its time was over.
    #[error("the search was stopped after {} s", .0.as_secs_f64())]
    TimedOut(Duration),
    /// The directory is missing, or it is no database.
    #[error(transparent)]
    NotADatabase(Cause),
    /// A database was to be created where there is something.
    #[error(transparent)]
    AlreadyExists(Cause),
    /// The database has a format that this version can't read.
    #[error(transparent)]
    Format(Cause),
    /// Another process writes to the database.
    #[error(transparent)]
    Locked(Cause),
    /// The database was opened for reading only.
    #[error(transparent)]
    ReadOnly(Cause),
    /// A stored value is damaged or missing.
    #[error(transparent)]
    DamagedValue(Cause),
    /// A file of the database is not as it was written.
    #[error(transparent)]
    DamagedFile(Cause),
    /// A log of the database is damaged, or older than its last commit.
    #[error(transparent)]
    DamagedLog(Cause),
    /// The system has no room, memory, files or threads left for it.
    #[error(transparent)]
    Resources(Cause),
    /// A game or a batch of games is too large for the format.
    #[error(transparent)]
    TooLarge(Cause),
    /// A file of games can't be read, or does not hold what is wanted.
    #[error(transparent)]
    Pgn(Cause),
    /// There is no named set of this name; the message names those that there are.
    #[error("{0}")]
    NoSuchSet(String),
    /// There is a named set of this name already.
    #[error(transparent)]
    SetExists(Cause),
    /// A named set can't have this name.
    #[error(transparent)]
    SetName(Cause),
    /// The file of a named set is damaged; nothing else is.
    #[error(transparent)]
    DamagedSet(Cause),
    /// The query of a live set fails for games that were added.
    #[error("the live set `{name}` can't grow: {error}")]
    LiveSet {
        /// The name of the set.
        name: String,
        /// Why its query fails.
        error: Box<Error>,
    },
    /// A set with this query can't grow; the message says why.
    #[error("the set can't be live: {0}")]
    NotLive(&'static str),
    /// A search that ends at a limit does not find all positions that a set is to have.
    #[error("a search that stops at a limit can't be saved as a set")]
    Incomplete,
    /// A text is no expression over named sets.
    #[error(transparent)]
    SetExpression(#[from] SetExpressionError),
    /// Another process has changed the database in the meantime. The same can be done again.
    #[error(transparent)]
    Stale(Cause),
    /// Queries can't be combined; the message says why.
    #[error("the queries can't be combined: {0}")]
    Combination(String),
    /// A query wants to read a file, and the search has no folder for files
    /// ([`SearchOptions::files`](crate::SearchOptions::files)).
    #[error("`similarposition` reads its file only below the folder that a search is given for files")]
    NoFolder,
    /// A file that a query names can't be read, or lies outside the folder that it may read.
    #[error("{0}")]
    QueryFile(String),
    /// There is no column of this name; the message names those that are like it.
    #[error("{0}")]
    NoSuchColumn(String),
    /// Games and positions can't be counted by something of this name; the message names what is like it.
    #[error("{0}")]
    NoSuchGroup(String),
    /// There is no theme of this name, or a file is none; the message says which.
    #[error("{0}")]
    Theme(String),
    /// What a writer writes to does not take it; a reader that has gone away is of the kind
    /// [`BrokenPipe`](std::io::ErrorKind::BrokenPipe).
    #[error("the output cannot be written: {0}")]
    Output(std::io::Error),
    /// A file of the database can't be read or written.
    #[error(transparent)]
    Io(Cause),
    /// A defect of this library: a search has panicked.
    #[error("internal error: {0}")]
    Internal(String),
}

/// What the part of the library said where an error arose: its [`Display`](fmt::Display) is the message.
#[derive(Debug)]
pub struct Cause(Box<dyn std::error::Error + Send + Sync>);

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Cause {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source()
    }
}

impl Cause {
    pub(crate) fn new(error: impl std::error::Error + Send + Sync + 'static) -> Cause {
        Cause(Box::new(error))
    }
}

impl Error {
    /// A stable name of the cause: lower case and hyphens. Of a query it is the code of its first diagnostic, such as
    /// `Q301`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Query(error) | Error::Evaluation(error) => error.code(),
            Error::Cancelled => "cancelled",
            Error::TimedOut(_) => "timed-out",
            Error::NotADatabase(_) => "not-a-database",
            Error::AlreadyExists(_) => "already-exists",
            Error::Format(_) => "format",
            Error::Locked(_) => "locked",
            Error::ReadOnly(_) => "read-only",
            Error::DamagedValue(_) => "damaged-value",
            Error::DamagedFile(_) => "damaged-file",
            Error::DamagedLog(_) => "damaged-log",
            Error::Resources(_) => "resources",
            Error::TooLarge(_) => "too-large",
            Error::Pgn(_) => "pgn",
            Error::NoSuchSet(_) => "no-such-set",
            Error::SetExists(_) => "set-exists",
            Error::SetName(_) => "set-name",
            Error::DamagedSet(_) => "damaged-set",
            Error::LiveSet { .. } => "live-set",
            Error::NotLive(_) => "not-live",
            Error::Incomplete => "incomplete",
            Error::SetExpression(_) => "set-expression",
            Error::Stale(_) => "stale",
            Error::Combination(_) => "combination",
            Error::NoFolder => "no-folder",
            Error::QueryFile(_) => "query-file",
            Error::NoSuchColumn(_) => "no-such-column",
            Error::NoSuchGroup(_) => "no-such-group",
            Error::Theme(_) => "theme",
            Error::Output(_) => "output",
            Error::Io(_) => "io",
            Error::Internal(_) => "internal",
        }
    }

    /// Whether something stored is damaged, so that the rest of the database may still be sound: a search can leave the
    /// damaged part out ([`SearchOptions::skip_damaged`](crate::SearchOptions::skip_damaged)).
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::DamagedValue(_) | Error::DamagedFile(_))
    }
}

impl From<storage::Error> for Error {
    fn from(error: storage::Error) -> Error {
        use storage::Error as From;
        let kind = match &error {
            From::NotADatabase { .. } => Error::NotADatabase,
            From::AlreadyExists { .. } => Error::AlreadyExists,
            From::FormatVersion { .. } => Error::Format,
            From::Locked { .. } => Error::Locked,
            From::ReadOnly { .. } => Error::ReadOnly,
            From::Corrupt { .. } => Error::DamagedValue,
            From::DamagedFile { .. } => Error::DamagedFile,
            From::DamagedLog { .. } | From::Outdated { .. } => Error::DamagedLog,
            From::TooManyFiles { .. } | From::DiskFull { .. } | From::Compression(_) => Error::Resources,
            From::TooLarge { .. } => Error::TooLarge,
            From::NoSuchSet { .. } => return Error::NoSuchSet(error.to_string()),
            From::SetExists { .. } => Error::SetExists,
            From::SetName { .. } => Error::SetName,
            From::DamagedSet { .. } => Error::DamagedSet,
            From::Stale { .. } => Error::Stale,
            _ => Error::Io,
        };
        kind(Cause::new(error))
    }
}

/// For work on the threads of searches. Errors in a query need its text: see `Query::search_error`.
impl From<search::SearchError> for Error {
    fn from(error: search::SearchError) -> Error {
        use search::SearchError as From;
        match error {
            From::Storage(error) => error.into(),
            From::Stopped => Error::Cancelled,
            error @ From::Threads { .. } => Error::Resources(Cause::new(error)),
            error => Error::Internal(error.to_string()),
        }
    }
}

impl From<indexer::Error> for Error {
    fn from(error: indexer::Error) -> Error {
        match error {
            indexer::Error::Storage(error) => error.into(),
            error => Error::Pgn(Cause::new(error)),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::Output(error)
    }
}

/// Errors in a query, with the text that they are about.
///
/// ```
/// use cqldex::{Dialect, Query};
///
/// let error = Query::parse("Kg1 chek", Dialect::Auto).unwrap_err();
/// let first = &error.diagnostics()[0];
/// assert_eq!(first.code.text(), "Q301");
/// assert_eq!(first.span.range(), 4..8);
/// assert!(error.render("my query").contains("did you mean `check`?"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    text: String,
    diagnostics: Vec<Diagnostic>,
}

#[doc(inline)]
pub use language::{Code, Diagnostic};

impl QueryError {
    pub(crate) fn new(text: Cow<'_, str>, diagnostics: Vec<Diagnostic>) -> QueryError {
        QueryError {
            text: text.into_owned(),
            diagnostics,
        }
    }

    /// What is wrong, each with a code, a message, a place in the text, and a help if there is one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The text of the query.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The code of the first diagnostic.
    pub fn code(&self) -> &'static str {
        self.diagnostics.first().map_or("query", |first| first.code.text())
    }

    /// All of it for people, with the lines that it is about; `origin` says where the text comes from.
    pub fn render(&self, origin: &str) -> String {
        self.render_with(|diagnostic| diagnostic.render(&self.text, origin))
    }

    /// The same with colours for a terminal.
    pub fn render_styled(&self, origin: &str) -> String {
        self.render_with(|diagnostic| diagnostic.render_styled(&self.text, origin))
    }

    fn render_with(&self, render: impl Fn(&Diagnostic) -> String) -> String {
        self.diagnostics.iter().map(render).collect::<Vec<_>>().join("\n\n")
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render("query"))
    }
}

impl std::error::Error for QueryError {}
