//! What the tests ask, and of which games.

use std::path::Path;

use indexer::Options;
use language::ParseOptions;
use search::{RunOptions, Search};
use storage::Database;

use super::random::Generator;

/// A number of the environment.
pub(super) fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// A query that has to be accepted.
pub(super) fn accepted(text: &str) -> language::hir::ParsedQuery {
    let parsed = language::parse(text, &ParseOptions::default());
    parsed.unwrap_or_else(|errors| panic!("`{text}` is not accepted: {}", errors[0].message))
}

/// A query that has to be accepted, with its transforms expanded.
pub(super) fn compiled(text: &str) -> language::hir::Query {
    language::expand(accepted(text)).unwrap_or_else(|error| panic!("`{text}` can't be expanded: {error}"))
}

/// What the index says of a query, as `explain` writes it.
pub(super) fn plan_of(text: &str) -> String {
    let query = compiled(text);
    let search = Search::new(&query, RunOptions::default());
    search.candidates().truth.to_string()
}

/// The games of the samples, indexed.
pub(super) fn samples(folder: &Path) -> Database {
    let mut database = Database::create(folder.join("db")).expect("a database can be created");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    indexer::index(&mut database, &[samples], &Options::default(), &()).expect("the samples are indexed");
    database
}

/// Some games with all sorts of headers, a few of them in each segment.
pub(super) fn headers(folder: &Path) -> Database {
    let mut generator = Generator::new(7);
    let mut database = Database::create(folder.join("headers")).expect("a database can be created");
    for part in 0..3 {
        let games: String = (0..150).map(|_| generator.game()).collect();
        let path = folder.join(format!("{part}.pgn"));
        std::fs::write(&path, games).expect("a file can be written");
        indexer::index(&mut database, &[path], &Options::default(), &()).expect("the games are indexed");
    }
    database
}

/// What hardly any game has: kings attacked that are not to move, at the start, after null moves and in variations; double
/// checks; kings side by side; more queens than the index counts; pawns in rows.
pub(super) const ODDITIES: &str = r#"
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]

1. Kd1 Kf7 2. -- Kg8 3. Re8+ -- 4. Kc1 (4. -- Kg7 5. Re7+ --) 4... Kg7 *

[SetUp "1"]
[FEN "3rk3/8/4N3/8/8/8/4R3/4K2b b - - 0 1"]

1... Ba8 2. Nc7+ Kf8 3. Ne6+ -- 4. -- Ke7 5. Nxd8+ Kxd8 *

[SetUp "1"]
[FEN "8/8/8/3kK3/8/1q6/8/8 w - - 0 1"]

1. Kf4 Qb8+ 2. -- Qf8+ *

[SetUp "1"]
[FEN "QQQQQQ2/QQQQQ1pk/8/p1p1p1P1/P1P1P1PP/7p/qqqqqq2/K2qqq2 w - - 0 1"]

1. -- h2 2. -- h1=Q 3. -- Kh6 *

1. e4 e5 2. Qh5 -- 3. Qxf7+ -- 4. Bc4 -- (4... -- 5. Nf3 --) 5. Ke2 -- *

1. e4 e5 2. Nf3 Nc6 3. Bb5 d6 4. Nxe5 Bd7 5. Bxc6 bxc6 6. Qh5 dxe5 7. Qxf7# *
"#;
