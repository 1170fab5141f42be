//! Pawns that a path moves so often that they may promote, or not often enough.

use super::random::Generator;
use super::routes::{Shares, compare_random};

const DOMAINS: [&str; 8] = [
    "Pa-h2-4",
    "pa-h5-7",
    "Pa-h5-7",
    "pa-h2-3",
    "[Pp]",
    "Pa-h7",
    "pa-h2",
    "[Pp]a-h2,a-h7",
];

/// What is made, or not made, by the pawn.
const MOVES: [&str; 14] = [
    "T--",
    "~T--",
    "--",
    "T--{2}",
    "~T--*",
    "--{3}",
    "T--+",
    "~T--{2}",
    "(~T-- T--)",
    "~T--+",
    "[Qq]--",
    "T[x]",
    "T--=A",
    "(T-- ~T--*){2}",
];

/// What is asked of it on the way.
const CONDITIONS: [&str; 9] = [
    "",
    "{T attacks [Kk]}",
    "{not T attacks [QRBNqrbn]}",
    "{T attackedby [Kk]}",
    "{type T==1}",
    "{T&[Pp]}",
    "{not T&[Pp]}",
    "{check}",
    "{#(T attacks .)>3}",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let mut path = String::new();
    for _ in 0..1 + generator.below(3) {
        let (made, condition) = (generator.pick(&MOVES), generator.pick(&CONDITIONS));
        path.push_str(&format!(" {made} {condition}"));
    }
    let kind = generator.pick(&[
        "path",
        "path",
        "path focus T",
        "path focus [Aa]",
        "path focus P",
        "path singlecolor",
    ]);
    let domain = generator.pick(&DOMAINS);
    match generator.below(5) {
        0 => format!("flipcolor {{piece T in {domain} {{{kind}{path}}}}}"),
        1 => format!("piece T in {domain} find {{{kind}{path}}}"),
        _ => format!("piece T in {domain} {{{kind}{path}}}"),
    }
}

#[test]
fn pawns_on_the_way_of_a_path_match_by_plan_as_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.2,
    };
    compare_random(13, needed, text);
}
