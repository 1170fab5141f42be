//! Where in a game a position is, squares made of numbers, names of men, and variables that every branch assigns: the index says
//! where, and the evaluator agrees.

use super::indexed;
use super::routes::{found_by_both, found_by_index};
use super::samples::{ODDITIES, samples};

/// Answered without evaluating a position of a game without variations.
const EXACT: [&str; 21] = [
    "currentposition == initialposition",
    "not currentposition == initialposition",
    "currentposition == position 7",
    "position 3 == currentposition",
    "currentposition > position 10",
    "position 10 <= currentposition",
    "currentposition [>] position 2",
    "currentposition [>=] position 4",
    "descendant (currentposition position 16)",
    "ancestor (initialposition currentposition)",
    "positionid >= 12",
    "5 > positionid",
    "depth == 0 check",
    "makesquare \"e4\" & P",
    "makesquare (file K 8) == k",
    "Q & makesquare (file k 9 - rank k)",
    "makesquare (#P #p) attacks [Aa]",
    "piecename e4 == \"P\"",
    "typename d1 == typename d8",
    "not piecename a1 == piecename h1",
    "{if check then {x = 1} else {x = 0}} x == 1",
];

/// Bounded, or decided by the texts of a game.
const OTHERS: [&str; 17] = [
    "currentposition < position 6",
    "currentposition <= position 30",
    "position 40 > currentposition",
    "currentposition [<] position 500",
    "currentposition [<=] position 20",
    "ancestor (currentposition position 9)",
    "not descendant (position 20 currentposition)",
    "currentposition == position -1",
    "currentposition == parent",
    "makesquare (file Q rank Q) & Q",
    "makesquare (ply 2) & [Aa]",
    "piecename Q == \"Q\"",
    "hhdb cooked",
    "hhdb unsound",
    "\"e\" in hhdb firstcomment",
    "{{check x = 2} or {x = 1}} x == 2 Q",
    "square x in a1-4 {piecename x == piecename up 1 x}",
];

#[test]
fn places_in_games_are_known_by_index() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    for text in EXACT.into_iter().chain(OTHERS) {
        for snapshot in [&snapshot, &odd.1] {
            for variations in [false, true] {
                found_by_both(snapshot, text, variations);
            }
        }
    }
    for text in EXACT {
        found_by_index(&snapshot, text);
    }
}
