//! How the server is set up: where it listens, what it may do, and the limits of each request.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// How the server is set up.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The database that is meant where a request names none.
    pub(crate) database: Option<PathBuf>,
    /// The folder below which databases are chosen and made.
    pub(crate) root: Option<PathBuf>,
    /// Where it listens.
    pub(crate) listen: SocketAddr,
    /// Names under which it may be asked for, beside its address and `localhost`.
    pub(crate) hosts: Vec<String>,
    /// What requests have to show.
    pub(crate) token: Option<String>,
    /// Whether requests need no token, whatever address it listens on.
    pub(crate) public: bool,
    /// Whether a line is written for each request.
    pub(crate) log: bool,
    /// How many threads each search may use.
    pub(crate) threads: Option<NonZeroUsize>,
    /// What a request may take.
    pub(crate) limits: Limits,
}

/// What a request may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How long a search may run.
    pub(crate) time: Duration,
    /// How many searches run at a time.
    pub(crate) searches: usize,
    /// How many more may wait.
    pub(crate) waiting: usize,
    /// How many answers are held.
    pub(crate) answers: usize,
    /// How many bytes all of them may take.
    pub(crate) answer_bytes: u64,
    /// How many megabytes a search in a process of its own may take.
    pub(crate) memory: u64,
}

impl Config {
    /// Whether only this machine can reach it.
    pub(crate) fn is_local(&self) -> bool {
        self.listen.ip().is_loopback()
    }

    /// Whether requests come from this machine only, and not through a proxy.
    fn is_private(&self) -> bool {
        self.is_local() && self.hosts.is_empty() && !self.public
    }

    /// Whether games can be added: only from this machine, and only below a folder.
    pub(crate) fn may_index(&self) -> bool {
        self.is_private() && self.root.is_some()
    }

    /// Whether named sets can be saved, renamed and deleted: only from this machine.
    pub(crate) fn may_change_sets(&self) -> bool {
        self.is_private()
    }
}

/// How many bytes the body of a request may have; files of games excepted.
pub(crate) const BODY: usize = 512 << 10;

/// How long the head of a request may take to arrive.
pub(crate) const HEAD_TIME: Duration = Duration::from_secs(10);

/// How long the body of a request may take, and each piece of a file of games.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(20);

/// How long a client may leave what it is sent unread.
pub(crate) const WRITE_TIME: Duration = Duration::from_secs(60);

/// How many connections there may be.
pub(crate) const CONNECTIONS: usize = 2048;

/// How long something short may take, such as counts for a picture: what it has by then is its answer.
pub(crate) const SHORT: Duration = Duration::from_millis(1500);

/// How many matches or games a page has by default, and at most.
pub(crate) const PAGE: usize = 60;
/// See [`PAGE`].
pub(crate) const LONGEST_PAGE: usize = 1000;
