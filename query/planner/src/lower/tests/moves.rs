//! What the index says of moves: paths, echoes, possible moves and imagined ones.

use language::{Dialect, ParseOptions, compile};

use super::lowered;
use crate::plan;

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
