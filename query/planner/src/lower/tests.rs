//! What the index says of loops and variables.

mod moves;

use language::{Dialect, ParseOptions, compile};

use crate::plan;

/// The expression for a query, and whether it is exact.
pub(super) fn lowered(text: &str) -> (String, bool) {
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
            "((somewhere in the game (promoted to N or promoted to B or promoted to R or promoted to Q) or (Pd4 and from \
             here on at least 1 P)) and Pd4 and from here on (at least 1 P or at least 1 N or at least 1 B or at least \
             1 R or at least 1 Q))",
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
fn behind_a_filter_that_fails_what_certainly_matches_in_it_is_known() {
    for (text, expected, is_exact) in [
        (
            "Number=1 (if {Number=2 check} then Number=3) Number==2",
            "not check",
            true,
        ),
        (
            "Number=1 (if {Number=2 check Number=3 wtm} then true) Number==2",
            "not (check and white to move)",
            false,
        ),
        (
            "Number=1 (if {Number=2 check Number=3 true} then true) Number==2",
            "not check",
            true,
        ),
        (
            "Found=0 Number=1 loop {if {Number==3 check} Found=1 Number+=1 Number<=3} Found==1",
            "check",
            true,
        ),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), is_exact), "{text}");
    }
}

#[test]
fn squares_that_are_counted_one_by_one_are_a_set() {
    for (text, expected, is_exact) in [
        (
            "function Safe(Z) {not a attacks Z A attacks Z} C=0 piece X in Q if Safe(X) C+=1 C>=2",
            "(at least 1 Q and #((Q attackedby A) & ~(Q attackedby a)) >= 2)",
            true,
        ),
        (
            "C=1 square all X in Q if {wtm X attacks n} C-=2 C<0",
            "(white to move and (Q attacks n) not empty)",
            true,
        ),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), is_exact), "{text}");
    }
}

#[test]
fn turns_are_followed_to_the_end_that_a_counter_sets() {
    let text = "C=0 X=Pa-h2 while (C<5 and X) {X=up 1 X & _ C+=1} C>=5";
    let (plan, is_exact) = lowered(text);
    assert!(is_exact && plan.contains("up 4 4 Pa-h2"), "{plan}");
}

#[test]
fn what_is_noted_in_one_of_many_turns_has_happened_in_one_of_them() {
    for (text, expected) in [
        // Whether the condition holds depends on the turn; that it can is the same for all of them.
        (
            "Done=0 Turn=1 loop {if {check positionid%Turn==0} Done=1 Turn+=1 Turn<=20} Done==1",
            "check",
        ),
        (
            "Done=0 Turn=1 loop {if find 3 100 {positionid%Turn==0} Done=1 Turn+=1 Turn<=20} Done==1",
            "from here on at least 3 times everywhere",
        ),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), false), "{text}");
    }
}

#[test]
fn as_many_men_as_there_are_squares_stand_on_all_of_them() {
    let all = ("(Pf2 and Pg2 and Ph2)".to_owned(), true);
    for text in [
        "#Pf-h2 == 3",
        "#Pf-h2 >= 3",
        "#Pf-h2 > 2",
        "not #Pf-h2 < 3",
        "not #Pf-h2 <= 2",
        "3 == #Pf-h2",
    ] {
        assert_eq!(lowered(text), all, "{text}");
    }
    assert_ne!(lowered("#Pf-h2 == 2"), all);
}

#[test]
fn a_loop_in_a_loop_is_what_is_left_of_it() {
    let (text, is_exact) = lowered("square x in . square y in a1 {#(between(x y) & Q) == 6}");
    let [rank, file, diagonal] = [
        ["b1", "c1", "d1", "e1", "f1", "g1"],
        ["a2", "a3", "a4", "a5", "a6", "a7"],
        ["b2", "c3", "d4", "e5", "f6", "g7"],
    ]
    .map(|squares| squares.map(|square| format!("Q{square}")).join(" and "));
    assert_eq!(text, format!("(({rank}) or ({file}) or ({diagonal}))"));
    assert!(is_exact);
}

#[test]
fn a_loop_whose_variable_is_read_once_is_its_body_with_all_of_the_domain() {
    for (text, body) in [
        (
            "piece x in R piece y in q ray orthogonal (x y k)",
            "ray(R q k) not empty",
        ),
        ("square x in R&a-h1 {wtm x attacks k}", "(Ra-h1 attacks k) not empty"),
        ("piece x in R {x attacks q or pin through x}", "(R attacks q) not empty"),
    ] {
        let (truth, is_exact) = lowered(text);
        assert!(is_exact && truth.contains(body), "{text}: {truth}");
    }
    // Read twice, each square has to fit for itself.
    let twice = lowered("piece x in R {x attacks k x attacks q}");
    assert_ne!(twice, lowered("{R attacks k R attacks q}"));
}

#[test]
fn a_loop_is_one_set_where_its_body_allows() {
    for text in [
        "square x in Q {x attacks k x attackedby r}",
        "square all x in Q {k attacks x or x->b->r}",
        "#{piece x in Q {pin through x}} > 1",
        "square x in [RB] {pseudolegal x--}",
    ] {
        let (truth, is_exact) = lowered(text);
        // Written out for each square, it would be longer.
        assert!(is_exact && truth.len() < 500, "{text}: {truth}");
    }
    // A man that is pinned may have a move or none.
    assert!(!lowered("#{square x in [RB] {not legal x--}} > 1").1);
}

#[test]
fn a_loop_that_is_too_large_narrows_its_variable() {
    let deep = "piece x in [RQ] piece y in [rq] piece z in [BN] {x attacks y y attacks z path x-- y-- z--}";
    let (text, is_exact) = lowered(deep);
    assert!(!is_exact);
    assert!(text.contains("([RQ] attacks [rq])"), "{text}");
    // Pins across each other.
    let deep = "piece z in [qrnbp] piece x in [QRB] {
        pin from x through z to k piece y in [QRB] {pin from y through z to [qrnb]&~z x != y}}";
    let (text, _) = lowered(deep);
    assert!(text.matches("pin").count() >= 2, "{text}");
    let (text, _) = lowered("piece x in [RQ] piece y in [RQ] {ray orthogonal (x k y) path x-- y-- x--}");
    assert!(text.contains("ray"), "{text}");
}

#[test]
fn what_is_steps_away_from_several_sets_is_that_from_each() {
    let (text, is_exact) = lowered("q & right 1 (A & right 1 Q)");
    assert_eq!(text, "(q & right 2 2 Q & right 1 1 A) not empty");
    assert!(is_exact);
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

#[test]
fn a_man_that_is_no_pawn_any_more_needs_a_promotion_in_the_game() {
    // A pawn never comes back, so that the man on a2 is another one by then.
    let (text, is_exact) = lowered("initial piece x in Pa2 find {not check x--a2}");
    let promotion = "somewhere in the game (promoted to N or promoted to B or promoted to R or promoted to Q)";
    assert!(
        text.starts_with(&format!("({promotion} and initial and Pa2 and from here on")),
        "{text}"
    );
    assert!(!is_exact);
    let (text, _) = lowered("initial piece x in Pa2 find {not check x[x]a}");
    assert!(
        text.starts_with(&format!("(({promotion} or (initial and Pa2")),
        "{text}"
    );
}

#[test]
fn what_may_raise_an_error_hides_only_where_it_may() {
    for (text, expected) in [
        (
            "Qd4 (if mate then assert check) Re5",
            "(Qd4 and ((mate and not check) or (((mate and check) or not mate) and Re5)))",
        ),
        // A loop that does not end has a first turn.
        ("while (mate) {Qd4} Re5", "(mate or Re5)"),
        ("Number=8 (up Number Q) Re5", "everywhere"),
        ("Steps=rank K - rank k (up Steps Q) Re5", "Re5"),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), false), "{text}");
    }
}

#[test]
fn a_variable_changes_where_its_assignment_is_reached() {
    for (text, expected, is_exact) in [
        (
            "Number=0 (if Qd4 then Number+=1) (if Re5 then Number+=1) Number==2",
            "(Qd4 and Re5)",
            true,
        ),
        (
            "Number=0 (if {mate \"8\" in fen} then Number=7) Number>3",
            "mate",
            false,
        ),
        (
            "Number=0 (if {mate \"8\" in fen} then Number=7) Number<3",
            "everywhere",
            false,
        ),
        ("Number=0 (find {mate Number=7}) Number>3", "from here on mate", false),
        (
            "Text=\"\" (find {mate Text+=\"x\"}) #Text>0",
            "from here on mate",
            false,
        ),
        (
            "Squares=[] (if {mate \"8\" in fen} then Squares=Qd4) Squares",
            "(mate and Qd4)",
            false,
        ),
    ] {
        assert_eq!(lowered(text), (expected.to_owned(), is_exact), "{text}");
    }
}

#[test]
fn a_loop_is_followed_where_its_turns_are_known() {
    for (text, expected) in [
        ("Number=0 (while (Number<3) {Number+=1}) Number==3 Re5", "Re5"),
        ("Number=0 (while (Number<3) {Number+=1}) Number==4", "nowhere"),
        ("Number=0 (loop {Number+=2 Number<=5}) Number==6 Re5", "Re5"),
        (
            "Text=\"\" (while (\"QxR\"~~\"[A-Z]\") {Letter=\\0 Text+=Letter}) Text==\"QR\" Re5",
            "Re5",
        ),
        ("Number=0 (loop {mate Number+=1 Number<=5}) Re5", "(mate and Re5)"),
    ] {
        assert_eq!(lowered(text).0, expected, "{text}");
    }
}

#[test]
fn lasting_effects_are_not_left_out() {
    for (text, expected) in [
        ("persistent Number+=1 Qd4", "everywhere"),
        ("Qd4 persistent Number+=1 Re5", "Qd4"),
        ("if mate then {persistent Number+=1} Qd4", "(Qd4 or mate)"),
        (
            "dictionary Entries Qd4 (if mate then Entries[\"k\"]=Q) Re5",
            "((Qd4 and Re5) or (Qd4 and mate))",
        ),
        ("Qd4 message \"here\" Re5", "Qd4"),
    ] {
        let (found, is_exact) = lowered(text);
        assert!(!is_exact, "{text}");
        // What matches is among it.
        assert_eq!(found.replace("((Qd4 and Re5) or Qd4)", "Qd4"), expected, "{text}");
    }
}

#[test]
fn one_man_meets_all_that_is_asked_of_it() {
    let (found, _) = lowered("piece x in [qr] line --> . --> {A attacks x not a attacks x}");
    let man = "next (([rq] attackedby A) & ~([rq] attackedby a)) not empty";
    assert!(found.contains(man), "{found}");
    // A man that was captured is not attacked either.
    let (found, _) = lowered("piece x in [qr] line --> . --> {not A attacks x not a attacks x}");
    assert!(!found.contains("attacks"), "{found}");
}

#[test]
fn a_number_that_a_loop_adds_to_is_exact_where_the_conditions_are() {
    for (text, is_exact) in [
        ("Count=0 square s in A {s & a-h1-4 Count+=1} Count==3", true),
        ("Count=2 piece x in [Rr] {x attacks k Count-=1} Count<1", true),
        (
            "Count=0 square s in A {if s & a-h1-4 then Count+=1 else check} Count>3",
            true,
        ),
        (
            "function ff(s) {Count=0 square x in s {x & a-h1-4 Count+=1} Count+0} ff(P)>ff(p)",
            true,
        ),
        // The loop ends at the first square that fails.
        ("Count=0 square all s in A {s & a-h1-4 Count+=1} Count==3 check", false),
        ("Count=0 square s in A {str(s)==\"e4\" Count+=1} Count==1", false),
        // The condition reads what the loop has counted so far.
        ("Count=0 square s in A {Count<3 Count+=1} Count==3", false),
    ] {
        assert_eq!(lowered(text).1, is_exact, "{text}: {}", lowered(text).0);
    }
}
