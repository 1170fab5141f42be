//! What several targets need: a small database, and questions to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

use evaluator::{GameResult, Value};
use language::hir::Query;
use search::{Detail, Route, RunOptions, Search, SearchError, Threads};
use storage::{Database, Snapshot};

/// Variations, comments, clocks, an own start, another encoding, words that are no moves.
const ODD: &[u8] = include_bytes!("odd.pgn");

/// How long a search may take before its answer is given up.
const PATIENCE: Duration = Duration::from_millis(400);

/// A folder of this process. It stays when the process ends: who starts it sets `TMPDIR` and clears that.
pub fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("cqldex-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("the temporary folder can be written to");
    folder
}

/// Some of the games of the samples and the odd ones, in several segments, some of them removed.
pub fn make_database(path: &Path) -> Database {
    let _ = fs::remove_dir_all(path);
    let mut database = Database::create(path).expect("a database can be made");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let read = |name: &str| fs::read(root.join(name)).expect("the samples are there");
    let parts = [
        first_games(&read("games.pgn"), 14),
        first_games(&read("studies.pgn"), 8),
        ODD.to_vec(),
    ];
    let options = indexer::Options {
        threads: 1,
        // Segments are never joined.
        segment_positions: 1,
        ..indexer::Options::default()
    };
    for (number, part) in parts.iter().enumerate() {
        let file = path.with_extension(format!("{number}.pgn"));
        fs::write(&file, part).expect("the temporary folder can be written to");
        indexer::index(&mut database, &[file], &options, &()).expect("the games are indexed");
    }
    database.remove([2, 17]).expect("there are these games");
    database
}

fn first_games(text: &[u8], count: usize) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let end = text
        .match_indices("[Event \"")
        .nth(count)
        .map_or(text.len(), |(at, _)| at);
    text[..end].as_bytes().to_vec()
}

/// What a query finds in a game, and what it leaves there.
#[derive(Debug, PartialEq)]
pub struct Left {
    game: u64,
    positions: Vec<u32>,
    result: GameResult,
}

/// What a query finds and leaves.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    games: Vec<Left>,
    messages: Vec<Vec<u8>>,
    persistent: Vec<(String, Value)>,
}

/// What is asked for, and how.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub route: Route,
    pub variations: Option<bool>,
    pub boards: Option<bool>,
    pub detail: Detail,
}

/// The answer to a query or its error as text; `None` if it takes too long.
pub fn ask(snapshot: &Snapshot, query: &Query, asked: Asked) -> Option<Result<Outcome, String>> {
    let stop = stopped_after(PATIENCE);
    let options = RunOptions {
        route: asked.route,
        variations: asked.variations,
        boards: asked.boards,
        detail: asked.detail,
        stop: Some(Arc::clone(&stop)),
        threads: Threads::new(std::num::NonZeroUsize::MIN),
        ..RunOptions::default()
    };
    let mut games = Vec::new();
    let run = Search::new(query, options).run(snapshot, &mut |game| {
        games.push(Left {
            game: game.number,
            positions: game.positions.iter().map(|position| position.node).collect(),
            result: game.result.clone(),
        });
    });
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    match run {
        Ok(summary) => Some(Ok(Outcome {
            games,
            messages: summary.messages,
            persistent: summary.persistent,
        })),
        Err(SearchError::Stopped) => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

/// A flag that is set after some time.
fn stopped_after(time: Duration) -> Arc<AtomicBool> {
    static CURRENT: Mutex<Option<(Instant, Arc<AtomicBool>)>> = Mutex::new(None);
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        thread::spawn(|| {
            loop {
                thread::sleep(Duration::from_millis(20));
                if let Some((end, stop)) = &*CURRENT.lock().expect("nobody panics with it")
                    && Instant::now() >= *end
                {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        });
    });
    let stop = Arc::new(AtomicBool::new(false));
    *CURRENT.lock().expect("nobody panics with it") = Some((Instant::now() + time, Arc::clone(&stop)));
    stop
}
