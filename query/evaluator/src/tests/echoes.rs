//! `echo` and `consecutivemoves` (docs/language/games.md#echo).

use super::{comments, scholar, values};

#[test]
fn the_value_of_a_numeric_echo_is_the_maximum() {
    assert_eq!(
        values("echo (s t) {mate ply}"),
        "0=7 1=7 2=7 3=7 4=7 5=7 6=7 7=5 8=7 9=7 10=7 11=7 12=7 13=7 14=7 15=7 16=7 17=7 18=7 19=7"
    );
    assert_eq!(
        scholar("mate x=echo (s t) {mate ply} message quiet(positionid \"=\" x)").messages,
        ["7=5", "12=7"]
    );
}

#[test]
fn the_source_is_a_target_only_when_asked() {
    assert_eq!(scholar("echo (s t) {s==t}").matches, [0; 0]);
    assert_eq!(scholar("mate echo (s t) in all {s==t}").matches, [7, 12]);
}

#[test]
fn both_variables_are_free_again() {
    assert_eq!(
        scholar("initial echo (s t) {mate} isunbound s isunbound t").matches,
        [0]
    );
}

#[test]
fn source_target_and_ancestor_are_marked() {
    assert_eq!(
        comments("positionid==13 echo (src tgt) {check}"),
        "3: LCA\n\
         7: tgt -->move 3(wtm)[13]\n\
         12: tgt -->move 3(wtm)[13] id:12\n\
         13: src id:13 <--move 4(btm) <--move 3(btm)[12] <--move 3(btm)[14] <--move 4(btm)[16]\n\
         14: tgt -->move 3(wtm)[13] id:14\n\
         16: tgt -->move 3(wtm)[13] id:16",
    );
    assert_eq!(comments("positionid==13 echo quiet (src tgt) {check}"), "");
}

#[test]
fn inside_a_sort_the_first_best_target_is_marked() {
    assert_eq!(
        comments(r#"positionid==3 sort "zz" echo (src tgt) {check comment(positionid) ply}"#),
        "3: src <--move 4(btm)\n7: 7 tgt -->move 2(btm)",
    );
    assert_eq!(comments(r#"sort "s" {echo (src tgt) {mate comment("m")} ply}"#), "");
}

#[test]
fn consecutive_moves_are_the_longest_common_run() {
    // 6 is reached by Nc6, Bc4, Nf6 and 10 by g6, Qf3, Nf6 after the same three moves.
    let table = [
        ("6", "10", "1"),
        ("7", "10", "1"),
        ("7", "19", "1"),
        ("12", "19", "1"),
        // One is above the other, or nothing is common.
        ("3", "10", ""),
        ("6", "11", ""),
    ];
    for (x, y, expected) in table {
        let query = format!("initial x1=position {x} y1=position {y} message quiet(consecutivemoves (x1 y1))");
        let expected = if expected.is_empty() { "<false>" } else { expected };
        assert_eq!(scholar(&query).messages, [expected], "{x} {y}");
    }
}

#[test]
fn the_longest_common_run_of_a_game_is_marked_once() {
    let marks = comments(
        "initial x1=position 6 y1=position 10 x2=position 12 y2=position 19 \
                          consecutivemoves (x1 y1) consecutivemoves (x2 y2) not consecutivemoves quiet 2 9 (x1 y1)",
    );
    assert_eq!(marks, "6: x1-move[1]\n10: y1-move[1]\n12: x2-move[1]\n14: y2-move[1]");
}

/// How many positions match, by an echo that compares two sets and by one that says the same and is not taken apart.
fn matches_of_both(before: &str, [a, b]: [&str; 2], behind: &str) -> usize {
    let joined = scholar(&format!("{before} ({a}) == ({b}) {behind}}}")).matches;
    let tested = scholar(&format!(
        "{before} #((({a}) & ~({b})) | (({b}) & ~({a}))) < 1 {behind}}}"
    ))
    .matches;
    assert_eq!(joined, tested, "{before} {a} == {b}");
    joined.len()
}

#[test]
fn what_is_compared_square_by_square_is_found_by_a_hash() {
    let count = |sets| matches_of_both("echo (s t) {", sets, "");
    assert_eq!(count(["~(s & t)", "_ & s:A"]), 0);
    let found = [
        ["a", "s:a"],
        ["~(s & t)", "~((s & t) | s:a | a)"],
        ["[Nn] | s:[Nn]", "([Nn] | s:[Nn]) & (s & t)"],
        ["(s & t) & [Pp]", "[Pp]"],
    ]
    .map(count);
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
}

#[test]
fn a_piece_that_comes_where_another_one_was_is_found_by_its_places() {
    let found = [
        ("piece x in Q piece y in p echo (s t) {s<t", ["x", "s:y"]),
        ("piece x in Q piece y in p echo (s t) {x != y", ["s:y", "x"]),
        ("x=f7 piece y in [Qp] echo (s t) {", ["y", "s:x"]),
        ("x=f7 piece y in [Qp] echo (s t) {", ["x", "s:y"]),
    ]
    .map(|(before, sets)| matches_of_both(before, sets, ""));
    assert!(found.iter().all(|&count| count > 0), "{found:?}");
    // A variable that the body changes has another value at the next target.
    matches_of_both("x=f7 piece y in [Qp] echo (s t) {", ["x", "s:y"], "x=e5 y");
}
