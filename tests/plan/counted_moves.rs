//! How often moves of a kind are made in a game, from a position on or up to it.

use super::random::Generator;
use super::routes::{Shares, compare_random};
use super::samples::plan_of;

const MOVES: [&str; 14] = [
    "V――",
    "――V",
    "R――",
    "A――[qrbn]",
    "move from V",
    "move to V",
    "move from [Qq] to V",
    "move from K",
    "move capture V",
    "――V or check",
    "――V or R――",
    "――V check",
    "move from V previous",
    "(V―― or move castle)",
];

/// What else holds where it is made, or elsewhere.
const OTHERS: [&str; 6] = ["", "", "", "wtm", "not check", "find <-- {q attacks K}"];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let times = 2 + generator.below(8) * generator.below(5);
    let ways = [
        format!("find {times} 1000"),
        format!("find <-- {times} 99"),
        format!("find {times} {}", times + 3),
        format!("{times}<=find all"),
        format!("{times}<find count"),
        format!("{times}>=find <-- count"),
    ];
    let way = &ways[usize::try_from(generator.below(6)).unwrap_or(0)];
    let (made, other) = (generator.pick(&MOVES), generator.pick(&OTHERS));
    let domain = generator.pick(&[".", "a-h1-2", "d-e4-5", "▦"]);
    let query = format!("V∊{domain} {way} {{{made} {other}}}");
    match generator.below(5) {
        0 => format!("initial {query}"),
        1 => format!("not {{{query}}}"),
        2 => format!("flipcolor {{{query}}}"),
        _ => query,
    }
}

#[test]
fn moves_are_counted_by_plan_as_by_scan() {
    let needed = Shares {
        answered: 0.9,
        selective: 0.3,
    };
    compare_random(12, needed, text);
}

#[test]
fn a_number_of_moves_is_asked_of_each_square() {
    let plan = plan_of("V∊a-b1 find 15 1000 V――");
    assert!(plan.contains("15 to 1000 times"), "{plan}");
}
