//! Persistent variables to which numbers are only added: what is counted apart gives the same sums.

use language::hir::Query;
use search::{Detail, Route, RunOptions, Search, Summary};
use storage::Snapshot;

use super::samples::{compiled, samples};

/// Queries, and how many of their conditions are counted apart.
const QUERIES: [(&str, usize); 24] = [
    ("persistent Positions += 1", 1),
    ("persistent Positions += 1 false", 1),
    ("persistent Positions += 1 mate", 1),
    (
        "if mate persistent Mates += 1 if stalemate persistent Stalemates += 2 check",
        2,
    ),
    (
        "if {initial result 1-0} { persistent Wins += 1 persistent Left -= 3 } false",
        1,
    ),
    ("if mate persistent X += 1 persistent X += 10 if check X -= 5", 3),
    (
        "if A--=[QRBN] persistent quiet X += 1 if --(castle) persistent Y += 1 mate",
        2,
    ),
    ("persistent X += 2147483647 persistent X += 2147483647 mate", 2),
    (
        "cql(result 1-0) persistent X += 1 if find mate persistent Y += 1 initial",
        2,
    ),
    (
        "cql(matchcount 2 5) persistent X += 1 if check persistent Y += 1 mate",
        2,
    ),
    (
        "cql(matchcount 0 2) persistent X += 1 if check persistent Y += 1 mate",
        2,
    ),
    (
        "cql(result 0-1) persistent X += 1 if piece x in Q x attacks k persistent Y += 1 mate",
        2,
    ),
    // What is behind one that may fail is reached only where that holds.
    ("persistent X += 1 mate persistent Y += 1", 1),
    ("mate persistent X += 1", 0),
    ("if check persistent X += #A if mate persistent Y += 1", 0),
    // What is read, or more than a sum, is followed from position to position.
    ("persistent X += 1 X > 100", 0),
    ("persistent X += 1 if mate X = 0", 0),
    ("persistent X += 1 if mate persistent X *= 2", 0),
    ("persistent X += 1 message (X) mate", 0),
    ("persistent X += 1 if mate y = 1 if {y == 1 check} persistent Z += 1", 1),
    ("if {y = 1 check} persistent Z += 1 find y 5 check", 0),
    ("if comment (\"here\") persistent X += 1 mate", 1),
    ("if {path -- --(check)} persistent X += 1 pathcount > 1", 0),
    ("if mate persistent X += 1 else persistent Y += 1", 0),
];

/// A query, with an empty header unless it has one.
fn query(text: &str) -> Query {
    match text.starts_with("cql(") {
        true => compiled(text),
        false => compiled(&format!("cql() {text}")),
    }
}

fn run(snapshot: &Snapshot, query: &Query, options: RunOptions) -> Result<Summary, String> {
    let found = Search::new(query, options).run(snapshot, &mut |_| ());
    found.map_err(|error| error.to_string())
}

#[test]
fn what_is_counted_apart_is_what_the_definition_counts() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for (text, counted) in QUERIES {
        let query = query(text);
        for detail in [Detail::Count, Detail::Positions, Detail::Results] {
            for variations in [false, true] {
                let options = |route| RunOptions {
                    detail,
                    route,
                    variations: Some(variations),
                    ..RunOptions::default()
                };
                if detail == Detail::Positions {
                    let search = Search::new(&query, options(Route::Plan));
                    assert_eq!(search.counted_apart(), counted, "{text}");
                }
                let [planned, defined] = [Route::Plan, Route::Definition].map(|route| {
                    let found = run(&snapshot, &query, options(route));
                    found.map(|found| (found.games, found.positions, found.persistent, found.messages))
                });
                assert_eq!(planned, defined, "{text}");
            }
        }
    }
}

#[test]
fn statistics_take_no_evaluation() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let text = "persistent Positions += 1 if mate persistent Mates += 1 if --(castle) persistent Castled += 1 false";
    let found = run(&snapshot, &query(text), RunOptions::default()).expect("the search ends well");
    assert_eq!(found.evaluated, 0);
    assert!(
        found
            .persistent
            .iter()
            .all(|(_, value)| *value != evaluator::Value::Number(0))
    );
}
