//! Conditions on moves, by lists and by the moves themselves, and paths whose moves are looked at before anything else.

use super::indexed;
use super::routes::{Shares, compare_on};
use super::samples::{ODDITIES, plan_of, samples, setting};

/// Sets of squares that a move may be about.
const SETS: [&str; 17] = [
    "Q",
    "[QRBN]",
    "A",
    "a",
    "[Pp]",
    ".",
    "_",
    "a-h3-6",
    "[RBNrbn]a-e1-8",
    "~[Pp]",
    "[Kk]",
    "(A attacks a)",
    "P & a-h7",
    "between(R k)",
    "(up 1 3 [QRqr])",
    "(northeast 1 [Pp]a-h3-5)",
    "(anydirection 1 2 [Kk])",
];

/// Filters about moves of the sets that stand for A and B.
const FILTERS: [&str; 50] = [
    "A--B",
    "A[x]B",
    "--B",
    "[x]A",
    "A--B=Q",
    "not A--B",
    "move from A to B",
    "move from A capture B",
    "move to B previous from A",
    "flip A--B(check)",
    "A--B or B--A",
    "find A--B",
    "line --> A --> move from B to .",
    "path A--B -- --A",
    "A--up 1 A",
    "path focus A (--left 1 A --(down 1 2 B))+",
    "piece X in A X--up 1 X",
    "piece X in A X--(diagonal 1 3 X & B)",
    "flip piece X in A X--northeast 1 X",
    "piece X in A find X--left 1 2 X",
    "piece X in A path focus X (--northeast 1 X --southeast 1 X)+",
    "piece X in A path focus X --B -- {2,3}",
    "piece X in A {path focus X piecepath (X--up 1 X X--right 1 X)+ X--up 1 X ?}",
    "piece X in A piece Y in (B & ~X) path focus (X|Y) X-- Y--",
    "piece X in A piece Y in (B & ~X) path focus (X|Y) (X-- Y--=Q ?)* X--B",
    "piece X in A Z=X path focus X (-- Z=X)+ --Z",
    "piece X in A path focus X --B find {piece Y in (A & ~X) path focus Y --B --A}",
    "square S in B piece X in A path focus X X--S X--",
    "piece X in A find X--B",
    "not piece X in A find X[x]B",
    "piece X in [Pp]a-h2 find X--=A",
    "piece X in (A | B) find {X--B check}",
    "piece X in A path focus X --B --A -- ?",
    "piece X in A piece Y in B {path focus (X|Y) X--B X--A Y-- find Y[x]A}",
    "path singlecolor --B -- --A",
    "path singlecolor (--[x] ?) (--B)* (A-- --)*",
    "line 2 6 firstmatch --> .* --> move from A --> .{2}",
    "line 2 5 --> .+ --> move to B --> (check{1,2} --> .)*",
    "line 3 4 singlecolor --> {move from A}{1,3} --> .* --> not check",
    "line 2 4 <-- {move to B previous}* <-- .{1,2}",
    "path 2 4 firstmatch -- ? --B + (-- --A)*",
    "path 2 3 nestban (--A){1,4} -- *",
    "path singlecolor A-- check ? --B + not check",
    "path singlecolor (--A --B){2}",
    "path singlecolor A-- * --B check",
    "path 2 3 singlecolor --A {2,4}",
    "path focus (if wtm \u{25b3} else \u{25b2}) -- {parent:not check} {3,}",
    "path focus \u{25b2} nestban --B (-- --A)* --B",
    "path singlecolor keepallbest (--B ?) (--A [x]B)*",
    "S = currentposition piece X in [PpBb] find {X--(S:X) not initial}",
];

pub(super) fn text(number: u64) -> String {
    let (filters, sets) = (FILTERS.len() as u64, SETS.len() as u64);
    let pick = |list: &[&'static str], number: u64| list[(number % list.len() as u64) as usize];
    let [a, b] = [number / filters, number / filters / sets].map(|number| pick(&SETS, number));
    // First the letters that stand for the sets, as the sets have letters, too.
    let filter = pick(&FILTERS, number).replace('A', "{0}").replace('B', "{1}");
    filter.replace("{0}", a).replace("{1}", b)
}

/// What a test of these queries needs.
const NEEDED: Shares = Shares {
    answered: 0.8,
    selective: 1.0 / 3.0,
};

#[test]
fn conditions_on_moves_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    let all = FILTERS.len() as u64 * SETS.len() as u64 * SETS.len() as u64;
    // All of them take long; a number that shares no factor with theirs goes through them.
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500).min(all) / 8);
    let text = |number: u64| text((seed * 911 + number * 2_503) % all);
    compare_on([&samples, &odd.1], count, NEEDED, text);
}

#[test]
fn many_lists_are_not_read_for_a_move() {
    for text in [
        "[QRBN]--",
        "line --> move from Q --> Q-- --> Q--a-h3-6",
        "piece X in A X--up 1 X",
        "flip piece X in A path focus X (--northeast 1 X --southeast 1 X)+",
    ] {
        assert!(plan_of(text).contains("moves "), "{text}: {}", plan_of(text));
    }
    for text in ["K--g1", "--e4", "A--", "[x]q", "k--"] {
        assert!(!plan_of(text).contains("moves "), "{text}: {}", plan_of(text));
    }
}
