//! `path` (docs/language/sequences.md#path).

use super::{comments, reader, run, scholar, values};

/// Castling, null moves and captures.
const CASTLING: &str = "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O -- 5. Nxe5 O-O 6. -- Nxe4";

/// The values of a filter in [`CASTLING`].
fn castling(filter: &str) -> String {
    let tree = reader::read(None, CASTLING);
    run(&tree, &format!("x={filter} message quiet(positionid \"=\" x)"))
        .messages
        .join(" ")
}

#[test]
fn values_are_those_of_the_trace_tables() {
    let table = [
        (
            "path --+",
            "0=10 1=9 2=8 3=7 4=4 5=3 6=1 8=2 9=1 11=1 13=6 14=5 15=4 16=3 17=2 18=1",
        ),
        ("path nestban -- --", "0=2 2=2 4=2 8=2 13=2 15=2 17=2"),
        ("path focus Q --+", "2=3 6=1 8=1 11=1 13=2 15=1"),
        (
            "path singlecolor --+",
            "0=5 1=5 2=4 3=4 4=2 5=2 6=1 8=1 9=1 11=1 13=3 14=3 15=2 16=2 17=1 18=1",
        ),
        ("path (-- -- check)+", "3=4 5=2 14=2"),
        (
            "path max ply --+",
            "0=10 1=10 2=10 3=10 4=8 5=8 6=7 8=8 9=8 11=5 13=10 14=10 15=10 16=10 17=10 18=10",
        ),
        ("path nestban -- -- --", "0=3 3=3 13=3 16=3"),
        ("path nestban focus [Qb] -- --", "2=2 13=2"),
        (
            "path firstmatch --+",
            "0=1 1=1 2=1 3=1 4=1 5=1 6=1 8=1 9=1 11=1 13=1 14=1 15=1 16=1 17=1 18=1",
        ),
    ];
    for (path, expected) in table {
        assert_eq!(values(&format!("{{{path}}}")), expected, "{path}");
    }
}

#[test]
fn a_path_makes_a_move() {
    assert_eq!(scholar("{path check}").matches, [0; 0]);
    assert_eq!(scholar("{path check --*}").matches, [14, 16]);
}

#[test]
fn a_focused_half_of_castling_counts_alone() {
    let table = [
        ("path focus K --", "6=1 10=1"),
        ("path focus K --+", "6=2 10=1"),
        ("path focus R R--", "6=1"),
        ("path focus K R--", ""),
        ("path focus R -- #to==1", "6=1"),
        ("path focus R -- #to==2", ""),
        ("path -- 2==#to", "6=1 9=1"),
        ("path R-- #to==1", "6=1"),
        ("path focus n --+", "3=2 11=1"),
        ("path focus p --? --", "1=1"),
        (
            "path singlecolor --+",
            "0=6 1=6 2=5 3=5 4=4 5=4 6=3 7=3 8=2 9=2 10=1 11=1",
        ),
        ("path focus [Nn] max pathcountunfocused --+", "2=6 3=6 8=2 11=0"),
        // A null move captures nothing; CQL 6.2 crashes here.
        ("path [x]+", "8=1 11=1"),
    ];
    for (path, expected) in table {
        assert_eq!(castling(&format!("{{{path}}}")), expected, "{path}");
    }
}

#[test]
fn a_maximum_without_a_value_is_no_match() {
    assert_eq!(castling("{path max file {K&g1} --}"), "6=7 7=7 8=7 9=7 10=7 11=7");
    assert_eq!(castling("{path max (0-ply) --{1,3}}").split(' ').next(), Some("0=-1"));
}

#[test]
fn atomic_variables_are_those_of_the_best_path() {
    let message = |query: &str| scholar(query).messages.join(" ");
    assert_eq!(message("initial x=0 {path (-- x+=1)+} message quiet(x)"), "19");
    assert_eq!(message("initial atomic x=0 {path (-- x+=1)+} message quiet(x)"), "10");
    let failing = "initial atomic x=0 if {path 30 40 (-- x+=1)+} true else message quiet(x)";
    assert_eq!(message(failing), "0");
    // What happens between two moves is not taken back by another repetition.
    let between = "positionid==16 atomic x=0 path (--)+ x+=1 message quiet(x)";
    assert_eq!(message(between), "1 2 3");
}

#[test]
fn the_search_goes_child_by_child_and_knows_where_it_is() {
    let message = |query: &str| scholar(query).messages.join(" ");
    let path = r#"positionid==3 path (-- message quiet("a" positionid))? -- message quiet("b" positionid)"#;
    assert_eq!(message(path), "b4 b11 b13 a4 b5 a11 b12 a13 b14");
    let last = r#"positionid==2 path (-- message quiet("t" positionid)){1,2}
                  {if pathlastposition message quiet("l" pathlastposition:positionid) else message quiet("none")} --"#;
    assert_eq!(message(last), "t3 none t4 l4 t11 l5 t13 l5");
    let count = r#"positionid==13 path focus Q (-- message quiet(pathcount "," pathcountunfocused))+"#;
    assert_eq!(message(count), "1,0 2,1");
}

#[test]
fn the_last_path_is_remembered_until_the_game_ends() {
    let last = "if positionid==2 {path --{2}} else {positionid>2 message quiet(pathlastposition:positionid)}";
    assert_eq!(scholar(last).messages.first().map(String::as_str), Some("4"));
    assert_eq!(scholar("pathcount").matches, [0; 0]);
}

#[test]
fn comments_tell_of_pieces_moves_and_ends() {
    assert_eq!(
        comments(r#"positionid==13 path title "TT" piecepath verbose focus Q --+"#),
        "13: TT Focus path: Qh5-e5-e7 id:13 Start path that ends at move 4(btm)[16]\n\
         14: TT: move 1 of 2\n\
         16: TT: move 2 of 2 End path of length 2 that starts at move 3(wtm)[13] id:16",
    );
    assert_eq!(
        comments("positionid==13 path quiet piecepath focus [QBqp] --+"),
        "13: Focus path: pe5(xe5) Qh5-e5-e7        qd8-e7(xe7)",
    );
    assert_eq!(
        comments(r#"positionid==3 path keepallbest max 3 -- {comment("k" positionid)}"#),
        "3: Start path that ends at move 3(wtm) Start path that ends at move 3(wtm)[11] \
         Start path that ends at move 3(wtm)[13]\n\
         4: k4 End path of length 1 that starts at move 2(btm) Max value: 3\n\
         11: k11 End path of length 1 that starts at move 2(btm) Max value: 3 id:11 alternative\n\
         13: k13 End path of length 1 that starts at move 2(btm) Max value: 3 id:13 alternative",
    );
}

/// Seen in CQL 6.2.
#[test]
fn of_a_null_move_no_ways_of_pieces_are_told() {
    let tree = reader::read(None, "1. e4 -- 2. d4");
    let told = run(&tree, "path quiet singlecolor piecepath --").comments;
    assert_eq!(told.into_keys().collect::<Vec<_>>(), [0, 2]);
}

/// Seen in CQL 6.2: the comments of the last match come first, and those about the matches behind all of them.
#[test]
fn filters_of_all_best_matches_speak_before_the_matches_are_described() {
    assert_eq!(
        comments("positionid==3 path keepallbest -- {x=positionid pathstart:comment(x)}"),
        "3: 13 11 4 Start path that ends at move 3(wtm) Start path that ends at move 3(wtm)[11] \
         Start path that ends at move 3(wtm)[13]\n\
         4: End path of length 1 that starts at move 2(btm)\n\
         11: End path of length 1 that starts at move 2(btm) id:11 alternative\n\
         13: End path of length 1 that starts at move 2(btm) id:13 alternative",
    );
}

#[test]
fn what_is_said_between_two_moves_stays() {
    assert_eq!(
        comments(r#"positionid==16 path quiet (-- comment("d" positionid))+ comment("c" positionid)"#),
        "17: d17 c17\n18: d18 c18\n19: d19 c19",
    );
}

#[test]
fn another_way_to_the_same_end_is_an_alternative() {
    let path = "positionid==11 path keepallbest (--?) (--?)";
    assert!(comments(path).contains("12: End path of length 1 that starts at move 3(wtm)[11] id:12 alternative"));
    assert!(!comments("positionid==11 path keepallbest --").contains("alternative"));
}

#[test]
fn repetition_without_a_move_ends() {
    for path in [
        "path (check)* --",
        "path (--*)* check",
        "path ((--)* check)+",
        "path (true)+ --",
        "path ((wtm)*)* --",
    ] {
        scholar(&format!("{{{path}}}"));
    }
    assert_eq!(scholar("{path (wtm){2} --}").matches, [0, 2, 4, 6, 8, 11, 13, 15, 17]);
    assert_eq!(
        scholar("initial x=0 path (x+=1){3} -- message quiet(x)").messages,
        ["3"]
    );
}

#[test]
fn nested_repetition_does_not_explode() {
    let tree = reader::read(None, &"Nf3 Nf6 Ng1 Ng8 ".repeat(50));
    for path in [
        "path ((--{1,3} --?)+ (--+ --*)+)+ mate",
        "path keepallbest ((--+ --*)+ --{0,5})+",
    ] {
        run(&tree, &format!("{{{path}}}"));
    }
    let found = run(&tree, "initial x={path (--{2,})+ --{1,100000}} message quiet(x)");
    assert_eq!(found.messages, ["200"]);
}
