//! A search in a process of its own: it reads what to do from standard input, and writes what it finds to standard output, a
//! JSON value a line, and after a line that says so the bytes of a piece of a file. The server ends it by killing it.

use std::io::{BufWriter, Read, Write, stdin, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

use cqldex::{Database, Options};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::problem::Problem;
use super::work::{Reins, SortedGame, Step, Work};

/// What such a process is to do.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Order {
    pub(crate) database: PathBuf,
    /// How many megabytes it may take.
    pub(crate) memory: u64,
    pub(crate) work: Work,
}

/// What such a process says.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) enum Line {
    Progress(Value),
    Matches(Vec<Value>),
    /// A piece of a file: so many bytes follow the line as they are.
    Piece {
        length: usize,
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    Explanation(Value),
    /// Some of the matching positions: games and nodes.
    Positions(Vec<(u64, u32)>),
    /// Some of the games in their order.
    Sorted(Vec<SortedGame>),
    /// After all positions and games.
    Summary(Value),
    Problem(Value),
    /// The last line.
    End,
}

/// How many positions or games are on one line.
const TOGETHER: usize = 4096;

/// How many lines may wait to be taken.
const WAITING: usize = 16;

/// How often it says how far it is.
const TICK: Duration = Duration::from_millis(10);

/// How many bytes of lists such a process keeps in memory.
const CACHE: u64 = 128 << 20;

/// Does what standard input says.
pub(crate) fn run() -> std::io::Result<()> {
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let order: Order = serde_json::from_str(&text)?;
    let limited = limit_memory(order.memory);
    let (sender, lines) = sync_channel(WAITING);
    let reins = Reins::default();
    let watched = reins.clone();
    let work = std::thread::spawn(move || {
        let give = |line| sender.send(line).is_ok();
        // Where memory has no limit, one question could take that of the whole machine.
        let done = limited
            .map_err(Problem::internal)
            .and_then(|()| search(&order, &reins, &give));
        if let Err(problem) = done {
            give(Line::Problem(problem.body()));
        }
        give(Line::End);
    });
    let mut out = BufWriter::new(stdout().lock());
    loop {
        let line = match lines.recv_timeout(TICK) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Line::Progress(watched.progress()),
            Err(RecvTimeoutError::Disconnected) => break,
        };
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
        if let Line::Piece { bytes, .. } = &line {
            out.write_all(bytes)?;
        }
        out.flush()?;
    }
    // The last line was written, or the thread has panicked: without it the server knows that something is wrong.
    let _ = work.join();
    Ok(())
}

fn search(order: &Order, reins: &Reins, give: &(dyn Fn(Line) -> bool + Sync)) -> Result<(), Problem> {
    let options = Options {
        read_only: true,
        cache: CACHE,
        threads: NonZeroUsize::MIN,
        ..Options::default()
    };
    let database = Database::open(&order.database, options)?;
    let query = order.work.question.parse()?;
    order.work.run(&database, &query, reins, &mut |step| match step {
        Step::Matches(matches) => give(Line::Matches(matches)),
        Step::Piece(bytes) => give(Line::Piece {
            length: bytes.len(),
            bytes,
        }),
        Step::Explanation(value) => give(Line::Explanation(value)),
        Step::Found(found) => {
            let mut positions = found.positions.iter().peekable();
            while positions.peek().is_some() {
                give(Line::Positions(positions.by_ref().take(TOGETHER).collect()));
            }
            if let Some(games) = &found.sorted {
                // An answer without a game is sorted, too.
                give(Line::Sorted(Vec::new()));
                for some in games.chunks(TOGETHER) {
                    give(Line::Sorted(some.to_vec()));
                }
            }
            give(Line::Summary(found.summary.clone()))
        }
    })
}

/// Sets how much memory the process may take, and lets others go first. A limit that the system has set already is kept if it
/// is lower.
#[cfg(unix)]
fn limit_memory(megabytes: u64) -> std::io::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
    // Without rights, that is no error.
    let _ = nice(5);
    let wanted = megabytes << 20;
    let most = Some(
        getrlimit(Resource::Data)
            .maximum
            .map_or(wanted, |most| most.min(wanted)),
    );
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    Ok(setrlimit(Resource::Data, limit)?)
}

/// Where there is no such limit, time is the limit.
#[cfg(not(unix))]
fn limit_memory(_megabytes: u64) -> std::io::Result<()> {
    Ok(())
}
