//! What the index says of loops and variables.

use language::{Dialect, ParseOptions, compile};

use crate::plan;

/// The expression for a query, and whether it is exact.
fn lowered(text: &str) -> (String, bool) {
    let query = compile(text, Dialect::Cql6, &ParseOptions::default())
        .unwrap_or_else(|errors| panic!("`{text}`: {}", errors[0].message));
    let candidates = plan(&query, false).candidates;
    (candidates.truth.to_string(), candidates.exact)
}

#[test]
fn a_variable_has_what_was_assigned_to_it_last() {
    for (text, expected, is_exact) in [
        ("X=Qd4 X & [d4,e5]", "Qd4", true),
        ("X=Qd4 X=Re5 #X == 1", "Re5", true),
        ("X=Qd4 Y={X=Re5 X} X", "everywhere", false),
        ("Number=5 Number/=0 Number==5", "everywhere", false),
        // One way or the other, and nothing is known of the value from the position before.
        ("(if check then X=Qd4) X", "everywhere", false),
        ("Number=#Q Number+=1 Number>2", "at least 2 Q", true),
        (
            "function Royal(Some) {Some & k} Royal({kd4 | ke5})",
            "(kd4 or ke5)",
            true,
        ),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), is_exact), "{text}");
    }
}

#[test]
fn a_piece_stands_elsewhere_in_other_positions_and_a_square_does_not() {
    for (text, expected, is_exact) in [
        // A rook stays one, a pawn may promote.
        ("piece x in Rd4 find x", "(Rd4 and from here on at least 1 R)", false),
        (
            "piece x in Pd4 find x",
            "(Pd4 and from here on (at least 1 P or at least 1 N or at least 1 B or at least 1 R or at least 1 Q))",
            false,
        ),
        ("square x in Rd4 find {x & q}", "(Rd4 and from here on qd4)", true),
        (
            "Start=currentposition piece x in Rd4 find {x == Start:x}",
            "(Rd4 and from here on Rd4)",
            false,
        ),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), is_exact), "{text}");
    }
}

#[test]
fn a_loop_in_a_loop_is_what_is_left_of_it() {
    let (text, is_exact) = lowered("square x in . square y in a1 {#(between(x y) & A) == 6}");
    assert_eq!(text, "(#Ab-g1 == 6 or #Aa2-7 == 6 or #A[b2,c3,d4,e5,f6,g7] == 6)");
    assert!(is_exact);
}

#[test]
fn a_loop_that_is_too_large_narrows_its_variable() {
    let deep = "piece x in [RQ] piece y in [rq] piece z in [BN] {x attacks y y attacks z path x-- y-- z--}";
    let (text, is_exact) = lowered(deep);
    assert!(!is_exact);
    assert!(text.contains("([RQ] attacks [rq])"), "{text}");
}

#[test]
fn what_is_negated_has_the_other_bound() {
    let text = |text: &str| lowered(text).0;
    assert_eq!(text("not puremate"), "everywhere");
    assert_eq!(text("not {check puremate}"), "everywhere");
    // It certainly matches where it is check.
    assert_eq!(text("not {check or puremate}"), "not check");
    assert_eq!(text("#(Q | makesquare(ply 1)) < 3"), "not at least 3 Q");
}
