//! Variables that may have no value where they are read, and loops whose variable may have one: by every route the query stops
//! with an error where its definition says so.

use super::random::Generator;
use super::routes::compare_routes;
use super::samples::{samples, setting};

/// What gives `x` a value, or takes it away.
const BEFORE: [&str; 10] = [
    "x=A",
    "x=A unbind x",
    "x=A if CONDITION unbind x",
    "if CONDITION x=A",
    "if CONDITION {x=A} else {x=a unbind x}",
    "if CONDITION x=R x=k unbind x",
    "{x=R unbind x} or {CONDITION x=A}",
    "x=A find 0 100 {CONDITION unbind x}",
    "square z in R {x=z unbind x CONDITION}",
    "square z in k {CONDITION x=z} or true",
];

/// Where `x` is asked for.
const AROUND: [&str; 14] = [
    "BODY",
    "piece y in Q {y & BODY}",
    "square y in QR {BODY y attacks k}",
    "square all y in q {y attacks K or BODY}",
    "CONDITION BODY",
    "find {BODY CONDITION}",
    "find {CONDITION BODY}",
    "if CONDITION BODY",
    "not {CONDITION BODY}",
    "line --> CONDITION --> BODY",
    "path focus Q {-- -- BODY}",
    "child BODY",
    "flipcolor {CONDITION BODY}",
    "echo (v w) {sidetomove:v == sidetomove:w v:{CONDITION} w:{BODY}}",
];

/// What reads `x`, or loops with it.
const BODIES: [&str; 16] = [
    "{x attacks k}",
    "(move to x promote Q)",
    "(move from x castle)",
    "(move from R to x)",
    "(move to h8 capture x)",
    "(R attacks x)",
    "(x & Q)",
    "{#x==3}",
    "{path -- x--x}",
    "(square x in Q {move from Q promote Q})",
    "(square x in R {x attacks k})",
    "(square x in Q {path --(x) --(k)})",
    "(square all x in Q {x attacks k})",
    "(square x in q {square z in Q {move from z to x}})",
    "{x=Q x attacks q}",
    "(A--x)",
];

const CONDITIONS: [&str; 8] = [
    "(R attacks p)",
    "(move promote Q)",
    "wtm",
    "check",
    "(Q attacks q)",
    "{ply>40}",
    "(ray(A k R))",
    "{movenumber<9}",
];

#[test]
fn variables_in_doubt_stop_a_query_by_every_route() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, games) = (setting("CQLDEX_SEED", 1), snapshot.games() as u32);
    let outcomes = compare_routes(&snapshot, setting("CQLDEX_QUERIES", 1_500), |number| {
        let mut random = Generator::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let game = random.below(games) + 1;
        let body = random.pick(&AROUND).replacen("BODY", random.pick(&BODIES), 1);
        let mut text = format!("cql(gamenumber {game}) {} {body}", random.pick(&BEFORE));
        while text.contains("CONDITION") {
            text = text.replacen("CONDITION", random.pick(&CONDITIONS), 1);
        }
        text
    });
    assert!(outcomes.answered > 0, "some are answered");
}
