//! Loops in loops, with conditions that need only some of their variables: where a condition is asked changes no answer, no error
//! and no message.

use super::random::Generator;
use super::routes::compare_routes;
use super::samples::{samples, setting};

const OUTER: [&str; 8] = [
    "piece X in A",
    "piece X in [QRq]",
    "square X in A attackedby k",
    "piece X in pin from a",
    "square X in d-e4-5",
    "if check S=1 piece X in R",
    "S=1 piece X in [KQ]",
    "S=1 if check unbind S piece X in R",
];

const INNER: [&str; 7] = [
    "piece Y in a",
    "piece Y in a & X",
    "square Y in . attackedby X",
    "square Y in up 1 2 X",
    "square all Y in K attacks _",
    "not piece Y in q attackedby X",
    "piece X in q",
];

/// What may come before a condition.
const BEFORE: [&str; 12] = [
    "",
    "",
    "S=X",
    "S=Y",
    "S=#A",
    "N=S",
    "isbound S",
    "S>0",
    "message(X)",
    "persistent N+=1",
    "if wtm S=2",
    "X attacks [Aa]",
];

const CONDITIONS: [&str; 12] = [
    "X attacks a",
    "check",
    "wtm",
    "not X attacks k",
    "(X attacks k or btm)",
    "#(X attacks .)>3",
    "X & d-e4-5",
    "#A>#a",
    "pieceid X<16",
    "S>0",
    "X attacks Y",
    "true",
];

/// What the loops are about.
const BODIES: [&str; 9] = [
    "path X--",
    "path --Y",
    "path X--X --",
    "find {Y attacks k}",
    "Y & X attacks .",
    "S==N",
    "#S>1",
    "{S=3 Y attacks k}",
    "true",
];

/// What is asked behind them.
const AFTER: [&str; 6] = ["", "", "#S>0", "isbound S", "S==1", "not isbound N"];

#[test]
fn conditions_in_loops_are_asked_as_they_are_written() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, games) = (setting("CQLDEX_SEED", 1), snapshot.games() as u32);
    let outcomes = compare_routes(&snapshot, setting("CQLDEX_QUERIES", 1_500), |number| {
        let mut random = Generator::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let game = random.below(games) + 1;
        let mut pick = |list: &[&'static str]| -> &'static str { list[random.below(list.len() as u32) as usize] };
        let (outer, inner) = (pick(&OUTER), pick(&INNER));
        let (before, first, second) = (pick(&BEFORE), pick(&CONDITIONS), pick(&CONDITIONS));
        let (between, body, after) = (pick(&BEFORE), pick(&BODIES), pick(&AFTER));
        format!("cql(gamenumber {game}) {outer} {{{inner} {{{before} {first} {between} {second} {body}}}}} {after}")
    });
    assert!(outcomes.answered > 300, "{} are answered", outcomes.answered);
    assert!(outcomes.selective > 60, "{} tell positions apart", outcomes.selective);
}
