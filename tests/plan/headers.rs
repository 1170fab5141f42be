//! What the header of a query asks of the games.

use search::{RunOptions, Search};

use super::routes::compare_routes;
use super::samples::{compiled, samples};

/// Headers that let some games through.
const HEADERS: [&str; 4] = [
    "result 1-0",
    "result 0-1 variations",
    "result 1/2-1/2",
    "result 1-0 gamenumber 5 40",
];

/// Queries whose answer in a game depends on its positions, on their order, and on other games.
const BODIES: [&str; 8] = [
    "check",
    "flipcolor {Q attacks k}",
    "piece X in [QRBN] path focus X X-- X--pathstart:X",
    "2 <= path nestban (--[QRBN] --[qrbn])+",
    "sort #(A attackedby a) >= 4",
    "if check x=ply x>9 mate",
    "persistent Checks += 1 wtm Checks>5 Checks<99",
    "line --> check --> .* --> check",
];

#[test]
fn games_that_the_header_leaves_out_are_not_looked_at() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let text = |number: u64| {
        let (header, body) = (number as usize / BODIES.len(), number as usize % BODIES.len());
        format!("cql({}) {}", HEADERS[header], BODIES[body])
    };
    let count = (HEADERS.len() * BODIES.len()) as u64;
    let outcomes = compare_routes(&samples, count, text);
    assert!(
        outcomes.selective > count / 2,
        "{} tell positions apart",
        outcomes.selective
    );
    for header in HEADERS {
        let query = compiled(&format!("cql({header}) {}", BODIES[2]));
        let summary = Search::new(&query, RunOptions::default())
            .run(&samples, &mut |_| ())
            .expect("the search ends well");
        assert!(summary.candidates > 0, "{header}");
        assert_eq!(summary.candidates, summary.evaluated, "{header}");
    }
}
