//! Constructs that fail take their comments back, whatever they are asked for (docs/language/output.md#comments).

use super::{comments, reader, run, scholar};

/// The comments of a query on the game `tree` of docs/language.md#games: those of its root.
fn at_root(query: &str) -> String {
    let all = comments(&format!("initial {query}"));
    all.lines().filter(|line| line.starts_with("0:")).collect()
}

#[test]
fn a_compound_filter_without_a_value_takes_its_comments_back() {
    for filter in [
        "{comment(\"lost\") parent} : true",
        "{comment(\"lost\") [] & A}",
        "{comment(\"lost\") 1/0} > 0",
        "{comment(\"lost\") originalcomment} == \"\"",
    ] {
        assert_eq!(at_root(&format!("({filter} or true)")), "", "{filter}");
    }
}

#[test]
fn a_comparison_that_fails_takes_its_comments_back() {
    for filter in [
        "{comment(\"lost\") ply} > 3",
        "({comment(\"lost\") ply} > 3) > 0",
        "{comment(\"lost\") currentposition} [<] currentposition",
        "({comment(\"lost\") currentposition} [<] currentposition) : true",
        "{comment(\"lost\") \"a\"} == \"b\"",
        "({comment(\"lost\") \"a\"} == \"b\") == \"a\"",
        "{comment(\"lost\") ply} > (1/0)",
    ] {
        assert_eq!(at_root(&format!("({filter} or true)")), "", "{filter}");
    }
}

#[test]
fn the_left_side_of_a_comparison_is_evaluated_once() {
    let query = "initial ({message quiet(\"once\") currentposition} [<=] currentposition) : true";
    assert_eq!(scholar(query).messages, ["once"]);
}

/// As CQL 6.2 does: what the filter of `find` keeps, `find` keeps, also at positions where that filter failed.
#[test]
fn find_keeps_the_comments_that_its_filter_keeps() {
    let everywhere = comments("initial find quiet all (if comment(\"seen\") then check)");
    // The game has 20 positions.
    let all: Vec<String> = (0..20).map(|position| format!("{position}: seen")).collect();
    assert_eq!(everywhere, all.join("\n"));
    let at_checks = comments("initial find quiet all {comment(\"seen\") check}");
    assert_eq!(at_checks, "7: seen\n12: seen\n14: seen\n16: seen");
}

#[test]
fn what_an_entry_of_a_dictionary_had_before_takes_no_memory() {
    // A megabyte, put into one entry a hundred times.
    let query = "local dictionary D text = \"0123456789abcdef\" Count = 0 while (Count < 16) {Count = Count + 1 text = text + text} \
                 Times = 0 while (Times < 100) {Times = Times + 1 D[\"x\"] = text} #D == 1";
    assert_eq!(scholar(query).matches.len(), 20);
}

#[test]
fn find_looks_where_a_piece_has_moved() {
    // Castling, a capture en passant, a promotion, captured pieces and variations.
    let game = "1. e4 d5 2. e5 f5 3. exf6 Nc6 4. fxg7 Nf6 5. gxh8=Q (5. gxh8=N Bg7 6. Nf3 (6. Bb5 O-O)) 5... Bf5 6. Nf3 Qd7 \
                7. Bb5 O-O-O 8. O-O Ne4 9. Qg7 Nxf2 10. Rxf2";
    let tree = reader::read(None, game);
    for (count, target) in [
        ("count", ""),
        ("2 100", ""),
        ("count", "(check)"),
        ("<-- count", ""),
        ("count", "a-h1-4"),
    ] {
        // What is in parentheses is no variable that is known to be a piece.
        let [by_piece, by_square] = ["X", "(X|[])"].map(|piece| {
            let query =
                format!("piece X in [Aa] {{Number=find {count} {{currentmove {piece}--{target}}} message(X Number)}}");
            run(&tree, &query).messages
        });
        assert!(by_piece.len() > 4, "{count} {target}: {by_piece:?}");
        assert_eq!(by_piece, by_square, "{count} {target}");
    }
}
