//! What the index says of loops and variables.

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
fn which_path_is_chosen_does_not_matter_where_it_is_only_asked_for() {
    for (text, same_as) in [
        ("path max ply --+", "path --+"),
        ("path max {ply+#A} A-- a--", "path A-- a--"),
        ("path singlecolor --+", "path --+"),
        ("path singlecolor A--[a]+", "path A--[a]+"),
        ("path singlecolor max ply A--", "path A--"),
    ] {
        assert_eq!(lowered(text), lowered(same_as), "{text}");
        assert!(lowered(text).1, "{text}");
    }
    for text in [
        "path 3 9 max ply --+",
        "path max {1/#Q} --+",
        "path singlecolor nestban --+",
        "path singlecolor -- --",
    ] {
        assert!(!lowered(text).1, "{text}");
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
fn what_may_be_left_out_at_the_end_of_a_sequence_is_not_asked_for() {
    let (text, is_exact) = lowered("line <-- .{2} <-- ({move from P} <-- {not check}*)*");
    assert_eq!(text, "not initial");
    assert!(is_exact);
}

#[test]
fn a_man_is_followed_where_its_later_moves_are_asked_for() {
    let (text, is_exact) = lowered("piece x in Pa-h2 find x--=A");
    assert!(text.contains("the man on a2 moves P--.[a1,b1"), "{text}");
    assert!(is_exact);
    // Rooks castle, and a target says more than the squares of a move.
    for text in [
        "piece x in R find x--a4",
        "piece x in P find x--(check)",
        "piece x in P find {x--=A check}",
    ] {
        let (plan, is_exact) = lowered(text);
        assert!(plan.contains("now or later") || text.contains("--(check)"), "{plan}");
        assert!(!is_exact, "{text}");
    }
    let (text, _) = lowered("piece x in A path focus x (--up 1 x --right 1 x){2,}");
    assert!(text.contains("and 3 times more with the same man"), "{text}");
    // How often it moves is asked, too, and that a man of its kind moves.
    let (text, _) = lowered("piece x in N path focus x (-- not check){3,}");
    assert!(text.contains("moves N--. and 2 times more with the same man"), "{text}");
    let (text, _) = lowered("piece x in [RQ] path focus x -- --");
    assert!(text.contains("moves [RQ]--. and once more with the same man"), "{text}");
    for text in ["piece x in N path focus x --", "path focus [RQ] -- --"] {
        let (plan, _) = lowered(text);
        assert!(
            plan.contains("white to move") && !plan.contains("the same man"),
            "{plan}"
        );
    }
    // With another value the variable is another man.
    let (text, _) = lowered("piece x in A path focus A x--up 1 x {piece y=x} x--right 1 x");
    assert!(text.contains("and once more with the same man"), "{text}");
    let (text, _) = lowered("piece x=A path focus A x--up 1 x {piece x=R} x--right 1 x");
    assert!(!text.contains("the same man"), "{text}");
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
fn alternatives_of_an_echo_have_their_own_sides() {
    let (text, is_exact) =
        lowered("echo (Source Target) {Source<Target (Source:Ke1 and Target:Kg1) or (Source:Kg1 and Target:Ke1)}");
    let sides = |here: &str, later: &str| format!("({here} and next from here on {later})");
    let (first, second) = (sides("Ke1", "Kg1"), sides("Kg1", "Ke1"));
    assert_eq!(text, format!("(not end of main line and ({first} or {second}))"));
    assert!(is_exact);
}

#[test]
fn an_echo_is_exact_where_it_compares_boards_only() {
    for (text, exact) in [
        (
            "echo (Source Target) {Source:Ke1 Kg1 sidetomove==Source:sidetomove}",
            true,
        ),
        ("echo (Source Target) in all {Source:check mate}", true),
        ("echo (Source Target) {Source:Ke1 K==Source:Q}", true),
        ("echo (Source Target) {Kg1 K attacks q==Source:(K attacks q)}", false),
        ("echo (Source Target) {Source<=Target Kg1}", false),
        ("echo (Source Target) {Kg1 distance(Source Target)>3}", true),
        ("echo (Source Target) {Kg1 #(Source&Target)>60}", true),
    ] {
        assert_eq!(lowered(text).1, exact, "{text}");
    }
}

#[test]
fn few_possible_moves_are_counted_by_lists() {
    let few = |count: u32| format!("at most {count} legal moves");
    for (text, expected, is_exact) in [
        ("legal --", format!("not {}", few(0)), true),
        ("countmoves legal -- == 0", few(0), true),
        (
            "countmoves legal -- == 1",
            format!("({} and not {})", few(1), few(0)),
            true,
        ),
        ("countmoves legal -- <= 2", few(2), true),
        ("move legal count <= 2", few(2), true),
        ("move legal count <= 3", few(3), false),
        // The third move may come with castling.
        ("countmoves legal -- <= 3", few(3), false),
        ("countmoves legal -- > 3", format!("not {}", few(2)), false),
        ("countmoves legal -- > 20", format!("not {}", few(3)), false),
        (
            "parent:countmoves legal -- == 1",
            format!("(not initial and before {} and before not {})", few(1), few(0)),
            true,
        ),
        ("countmoves pseudolegal -- == 1", "everywhere".to_owned(), false),
        (
            "countmoves legal K-- > 1",
            format!(
                "(not {} and white to move and (K & up northeast right southeast down southwest left northwest 1 1 \
                 ([a_] & ~(a-h1-8 attackedby a))) not empty and not {})",
                few(0),
                few(1)
            ),
            false,
        ),
    ] {
        assert_eq!(lowered(text), (expected, is_exact), "{text}");
    }
}

#[test]
fn only_the_pieces_in_focus_move() {
    let text = |text: &str| lowered(text).0;
    assert!(text("path focus Q --d4").contains("next Qd4"));
    assert!(!text("path focus Q --d4").contains("next Nd4"));
    // A pawn promotes on the way.
    assert!(text("path focus P --d8").contains("next Nd8"));
    // The other side's moves are in focus, too, where they capture.
    assert!(text("path focus capture Q --d4").contains("next nd4"));
}

#[test]
fn what_is_asked_of_imagined_positions_bounds_the_real_ones() {
    for text in [
        "move legal : qd4",
        "move legal : {mate Q}",
        "move legal all : {wtm qd4}",
        "{move legal count : qd4} > 1",
        "imagine sidetomove reverse : move legal : {qd4 mate}",
    ] {
        let (truth, is_exact) = lowered(text);
        assert!(truth != "everywhere" && !is_exact, "{text}: {truth}");
    }
    assert_eq!(
        lowered("imagine sidetomove white : {wtm Qd4}"),
        ("Qd4".to_owned(), true)
    );
    assert_eq!(
        lowered("imagine sidetomove reverse sidetomove reverse : {btm Qd4}"),
        lowered("{btm Qd4}")
    );
    let (other_side, is_exact) = lowered("imagine sidetomove reverse : check");
    assert!(is_exact && other_side != lowered("check").0, "{other_side}");
    // What the change of the board, or the moves that led to it, may have to do with is left to the evaluator.
    for text in [
        "imagine remove Q : check",
        "imagine sidetomove reverse : castle",
        "imagine sidetomove reverse : ply > 3",
        "imagine sidetomove reverse : stalemate",
        "imagine sidetomove reverse sidetomove reverse : mate",
    ] {
        assert_eq!(lowered(text), ("everywhere".to_owned(), false), "{text}");
    }
}

#[test]
fn what_men_do_is_known_of_a_sequence_that_is_too_large() {
    let text =
        "piece T in --(from) flip 5 <= path focus T nestban (--northeast 1 T --southeast 1 T)+ --northeast 1 T ?";
    let query = compile(text, Dialect::Cql6, &ParseOptions::default()).expect("the query is right");
    let bans = plan(&query, false).bans.to_string();
    assert!(bans.contains("with the same man"), "{}", &bans[..200.min(bans.len())]);
}

#[test]
fn squares_of_the_last_move_are_those_where_men_are_new() {
    let castles = "(castled king side or castled queen side or null move)";
    for (text, expected, is_exact) in [
        // A knight neither castles nor is named by a null move.
        ("N & to attacks q", "(new N attacks q) not empty".to_owned(), true),
        (
            "R & to",
            format!("(new R not empty or ({castles} and at least 1 R))"),
            false,
        ),
        ("not N & to", "not new N not empty".to_owned(), true),
    ] {
        assert_eq!(lowered(text), (expected, is_exact), "{text}");
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

#[test]
fn targets_of_possible_moves_are_those_that_men_attack_or_reach() {
    // Whether a move is legal depends on checks and pins.
    for (text, is_exact) in [
        ("#(pseudolegal N--) == 8", true),
        ("pseudolegal [NR]--d4", true),
        ("piece x in [Nn] square all s in pseudolegal x-- {a attacks s}", true),
        ("#(legal N--) == 8", false),
        ("legal N--d4", false),
    ] {
        assert_eq!(lowered(text).1, is_exact, "{text}: {}", lowered(text).0);
    }
    let (found, _) = lowered("legal N--d4");
    assert!(
        found.contains("white to move") && found.contains("attackedby"),
        "{found}"
    );
    // Men of one color move only if it is their turn, and the men of a loop are known.
    let (found, _) = lowered("square s in n square all t in legal s-- {A attacks t}");
    assert!(!found.contains("attackedby P"), "{found}");
}

#[test]
fn a_path_has_no_larger_value_than_there_is_at_its_ends() {
    for (text, wanted) in [
        ("Now=#Q {path max #Q --{1,2}} > Now", "2 plies on #Q"),
        ("path max #Q 2 9 -- (--)?", "2 plies on at least 2 Q"),
        (
            "flipcolor {{path max {#Q - #q} A-- -- ?} >= 2}",
            "2 plies on (#q - #Q) >= 2",
        ),
    ] {
        let (plan, is_exact) = lowered(text);
        assert!(!is_exact && plan.contains(wanted), "{text}: {plan}");
    }
    // It may end anywhere.
    for text in ["{path max #Q --+} > 1", "{path focus A max #Q -- --} > 1"] {
        let (plan, _) = lowered(text);
        assert!(!plan.contains("plies on #"), "{text}: {plan}");
    }
}
