//! Paths with `max`: their value is the largest number at the ends of their matches.

use super::random::Generator;
use super::routes::{Shares, compare_random};

const NUMBERS: [&str; 12] = [
    "power A",
    "{power A - power a}",
    "#a",
    "{if check then 7 else #A}",
    "{#(A attacks a)}",
    "{X=#Q X}",
    "Num",
    "pathcount",
    "{file k}",
    "{#R * #r}",
    "{mate 5}",
    "{#P - Num}",
];

/// Most of them end within a few moves.
const STEPS: [&str; 12] = [
    "--",
    "--{1,3}",
    "A--",
    "--_",
    "(-- a--)",
    "[x] ?",
    "(-- check){1,2}",
    "-- Num=#Q",
    "--{2}",
    "-- not check",
    "(--) *",
    "btm",
];

const PREFIXES: [&str; 6] = ["", "", "nestban ", "firstmatch ", "keepallbest ", "focus A "];

const RANGES: [&str; 5] = ["", "", "10 1000 ", "-5 5 ", "3 60 "];

const USES: [&str; 6] = [
    "{PATH} >= 39",
    "{PATH} - power A > 2",
    "Value={PATH} Value > #A + 3",
    "{PATH}",
    "not {PATH} < 3",
    "-{PATH} < -30",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let mut path = format!(
        "path max {} {}{}",
        generator.pick(&NUMBERS),
        generator.pick(&RANGES),
        generator.pick(&PREFIXES),
    );
    for _ in 0..1 + generator.below(3) {
        path += generator.pick(&STEPS);
        path.push(' ');
    }
    let query = generator.pick(&USES).replace("PATH", &path);
    match generator.below(8) {
        0 => format!("Num=#N flipcolor {{{query}}}"),
        1 => format!("Num=#N {{Num=#B {query}}}"),
        // In some positions, it has no value.
        2 => format!("if not btm then Num=#N if not check then {{{query}}}"),
        _ => format!("Num=#N {query}"),
    }
}

#[test]
fn values_of_paths_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.5,
        selective: 0.15,
    };
    compare_random(12, needed, text);
}
