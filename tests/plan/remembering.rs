//! Queries that remember something from game to game: on many threads and in many tasks they find, leave and print what the
//! definition does, game after game.

use std::num::NonZeroUsize;
use std::path::Path;

use indexer::Options;
use language::ParseOptions;
use language::hir::Query;
use search::{Detail, Route, RunOptions, Search, Threads};
use storage::{Database, Snapshot};

use super::random::Generator;
use super::samples::setting;

/// What has nothing to do with what is remembered.
const CONDITIONS: [&str; 16] = [
    "wtm",
    "check",
    "not check",
    "#Q == 1",
    "mainline",
    "square x in [Qq] { x attacks [Kk] }",
    "piece y in [Nn] { #(y attacks [QqRr]) >= 2 }",
    "find 2 check",
    "path -- --(check)",
    "line --> check --> not check",
    "Men = #A Men > 6",
    "if check then Here = 1 else Here = 2 Here == 1",
    "flipcolor { R attacks k }",
    "movenumber > 10 comment (\"late\")",
    "sort \"men\" #[Aa]",
    "K attackedby A",
];

/// What remembers, reads what is remembered, or prints.
const MEMORIES: [&str; 16] = [
    "not Seen[fen]",
    "Seen[fen] = \"seen\"",
    "if Seen[fen] then message (\"again \" gamenumber) else Seen[fen] = \"x\"",
    "not Seen[player white]",
    "Seen[player white] = fen",
    "persistent Sum += #A",
    "persistent Best = 0 if #Q > Best then Best = #Q",
    "if gamenumber % 2 == 0 then persistent Even = position 0",
    "persistent quiet Last = currentposition",
    "message (gamenumber \" \" ply)",
    "if mate persistent Mates += 1",
    "persistent Where |= [] if mate Where |= k",
    "persistent Names += \"\" if stalemate Names += player white",
    "unbind Seen[fen]",
    "if not Seen[\"k\"] then Seen[\"k\"] = \"v\"",
    "local dictionary Here if Here[fen] then message (\"twice\") else Here[fen] = \"1\"",
];

/// What stops the query in some game.
const ERRORS: [&str; 3] = [
    "assert not {gamenumber == 23 ply > 20}",
    "assert not {gamenumber == 40 check}",
    "if mate then assert not Seen[fen]",
];

/// Games of the samples in several segments, each of which is a task.
fn segments(folder: &Path) -> Snapshot {
    let mut database = Database::create(folder.join("db")).expect("a database can be created");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/games.pgn");
    let text = std::fs::read_to_string(samples).expect("the samples are there");
    let games: Vec<&str> = text.split("[Event ").skip(1).collect();
    for (number, games) in games.chunks(8).enumerate() {
        let games: String = games.iter().map(|game| format!("[Event {game}")).collect();
        let path = folder.join(format!("{number}.pgn"));
        std::fs::write(&path, games).expect("a file can be written");
        indexer::index(&mut database, &[path], &Options::default(), &()).expect("the games are indexed");
    }
    database.snapshot()
}

fn text(generator: &mut Generator) -> String {
    let mut parts = vec!["dictionary Seen"];
    for _ in 0..2 + generator.below(4) {
        parts.push(match generator.below(10) {
            0 => generator.pick(&ERRORS),
            1..5 => generator.pick(&MEMORIES),
            _ => generator.pick(&CONDITIONS),
        });
    }
    format!("cql() {}", parts.join(" "))
}

/// What is left of a search: games with their results, messages, persistent variables; or its error.
fn outcome(snapshot: &Snapshot, query: &Query, route: Route, detail: Detail) -> Result<String, String> {
    let options = RunOptions {
        route,
        detail,
        variations: Some(true),
        threads: Threads::new(NonZeroUsize::new(4).expect("four is not zero")),
        ..RunOptions::default()
    };
    let mut games = String::new();
    let found = Search::new(query, options).run(snapshot, &mut |game| games += &format!("{game:?}\n"));
    let found = found.map_err(|error| error.to_string())?;
    let left = (found.games, found.positions, found.messages, found.persistent);
    Ok(format!("{left:?}\n{games}"))
}

#[test]
fn what_is_remembered_is_what_the_definition_remembers() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = segments(folder.path());
    assert!(snapshot.segments().len() >= 3, "{} segments", snapshot.segments().len());
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 300));
    let (mut asked, mut sifted, mut stopped) = (0, 0, 0);
    for number in 0..count {
        let text = text(&mut Generator::new(seed * 100_000 + number));
        let Ok(parsed) = language::parse(&text, &ParseOptions::default()) else {
            continue;
        };
        let Ok(query) = language::expand(parsed) else { continue };
        let detail = [Detail::Count, Detail::Positions, Detail::Results][number as usize % 3];
        let defined = outcome(&snapshot, &query, Route::Definition, detail);
        assert_eq!(outcome(&snapshot, &query, Route::Plan, detail), defined, "{text}");
        asked += 1;
        sifted += u64::from(planner::in_any_order(&query).is_some());
        stopped += u64::from(defined.is_err());
    }
    assert!(asked > count / 2, "{asked} of {count} texts are queries");
    assert!(
        sifted > asked / 8 && stopped > asked / 20,
        "{sifted} and {stopped} of {asked}"
    );
}
