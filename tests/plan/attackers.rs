//! Who attacks each square of the board, and what is pinned there, which the index finds for all squares together.

use super::indexed::indexed;
use super::routes::{found_by_both, found_by_index};
use super::samples::{ODDITIES, samples};

const QUERIES: [&str; 12] = [
    "square x in A {#(a attacks x) > #(A attacks x)}",
    "flipcolor {square x in [NBRQ] {a attacks x #(A attacks x)==0}}",
    "square x in . {#(A attacks x)>=3 #(a attacks x)>=3}",
    "square x in a-h4-5 {#([Aa] attacks x)==5}",
    "square x in _ {#([Pp] attacks x)==2}",
    "square x in . {#(N attacks x)>=2}",
    "square x in . {not [NK] attacks x B attacks x not q attacks x}",
    "#(square x in . {#([Rr] attacks x)>=2}) > 3",
    "square all x in a-h3-6 {A attacks x or a attacks x}",
    "square x in . {#(A attacks x) - #(a attacks x) >= 4}",
    "wtm square x in a {#(A attacks x)>=2} find 1 3 {square x in A {#(a attacks x)>=3}}",
    "square x in A {#(a attacks x) > #(A attacks x)} child:{square x in A {#(a attacks x) > #(A attacks x)}}",
];

/// Each query matches somewhere, and no position is evaluated for it.
fn all_are_found(queries: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in queries {
        let found = found_by_index(&snapshot, text);
        assert!(found > 0, "{text}");
    }
}

#[test]
fn attackers_of_every_square_are_counted_together() {
    all_are_found(&QUERIES);
}

const PINS: [&str; 8] = [
    "square x in A {pin through x a attacks x}",
    "square x in [qrb] {pin from x through N}",
    "piece X in [NBRQ] {pin through X #(a attacks X)>=2}",
    "square x in a {pin through x or A attacks x} square y in A {pin through y}",
    "find 1 2 {square x in A {x & pin}} square x in a {x & pin}",
    "square x in A {x & pin} child:{square x in A {x & pin}}",
    "square x in A {x & pin #(A attacks x)==1}",
    "#(square x in [Aa] {x & pin from [QRBqrb] through [Aa]}) >= 2",
];

#[test]
fn pins_on_every_square_are_found_together() {
    all_are_found(&PINS);
}

/// Legal moves of single men need the pins, the attackers of the king and the lines of the man.
#[test]
fn men_that_cannot_move_are_found_by_plan_as_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in [
        "btm piece X in n {#(legal X--)==0 A attacks X not a attacks X}",
        "wtm piece X in [QRB] {#(legal X--)==0 a attacks X}",
        "flipcolor {wtm piece X in P {not legal X-- a attacks X pin through X}}",
        "wtm square x in N {#(legal x--)<=1 a attacks x}",
    ] {
        assert!(found_by_both(&snapshot, text, false) > 0, "{text}");
    }
}

/// Empty squares attack nothing, and neither they nor kings are worth anything.
#[test]
fn empty_squares_attack_nothing_by_plan_as_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for (text, is_found) in [
        ("_ attacks a", false),
        ("[BP] attackedby _", false),
        ("square x in _ {x attacks a}", false),
        ("not #([_k] attacks q) < #(k attacks q)", true),
        ("(~qd8) attacks (k | a)", true),
        ("(. attacks a) & [Aa_]d4", true),
        ("power (_ | [Kk]) >= #doubledpawns", true),
        ("power [_kN] > power [_P]", true),
        ("shift {_d4 attacks A}", false),
        // A set that has one king at most, or empty squares.
        ("({if P then _d-h4-8 else kh4} attacks [KQRBN]) > 6", false),
        ("{if P then _d-h4-8 else k} attacks [PK]", false),
        ("{if R then [_N] else k} attacks A", true),
    ] {
        assert_eq!(found_by_both(&snapshot, text, false) > 0, is_found, "{text}");
    }
}

/// Possible moves that capture: the men that make them attack what they capture.
const CAPTURES: [&str; 17] = [
    "legal --[q]",
    "legal --[QRBN]",
    "legal N--a",
    "legal P--[nbrq]",
    "legal [QR]--[p]",
    "countmoves legal --[q] >= 2",
    "countmoves legal --[Pp] >= 3",
    "pseudolegal --[kK]",
    "pseudolegal P--p",
    "move legal to [Qq]",
    "move legal from P to [nbrq]",
    "not move legal from K to [Aa]",
    "move legal count to [Pp] >= 2",
    "legal K--[Rr]",
    "legal --[Aa_]",
    "move legal from [QRBN] to [qrbn]",
    "piece X in [NBR] {legal X--[qQ]}",
];

#[test]
fn possible_captures_are_found_by_plan_as_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed(ODDITIES);
    for text in CAPTURES {
        let mut found = 0;
        for around in ["", "flipcolor ", "btm "] {
            let text = format!("{around}{{{text}}}");
            for snapshot in [&samples, &odd.1] {
                for variations in [false, true] {
                    found += found_by_both(snapshot, &text, variations);
                }
            }
        }
        assert!(found > 0, "{text}");
    }
}
