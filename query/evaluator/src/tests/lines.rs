//! `line` (docs/language/sequences.md#line).

use super::{comments, run, scholar, values};

#[test]
fn values_are_those_of_the_trace_tables() {
    let table = [
        (
            "line --> .* --> check",
            "0=8 1=7 2=6 3=5 4=4 5=3 6=2 7=1 11=2 12=1 13=4 14=3 15=2 16=1",
        ),
        (
            "line --> .+ --> terminal",
            "0=11 1=10 2=9 3=8 4=5 5=4 6=2 8=3 9=2 11=2 13=7 14=6 15=5 16=4 17=3 18=2",
        ),
        (
            "line primary --> .+ --> terminal",
            "0=8 1=7 2=6 3=5 4=4 5=3 6=2 8=3 9=2 11=2 13=7 14=6 15=5 16=4 17=3 18=2",
        ),
        ("line nestban --> .+ --> terminal", "0=11 4=5 6=2 11=2"),
        (
            "line firstmatch --> .+ --> terminal",
            "0=8 1=7 2=6 3=5 4=4 5=3 6=2 8=3 9=2 11=2 13=7 14=6 15=5 16=4 17=3 18=2",
        ),
        (
            "line singlecolor --> . --> .",
            "0=2 1=2 2=2 3=2 4=2 5=2 8=2 13=2 14=2 15=2 16=2 17=2",
        ),
        (
            "line <-- .+ <-- initial",
            "1=2 2=3 3=4 4=5 5=6 6=7 7=8 8=7 9=8 10=9 11=5 12=6 13=5 14=6 15=7 16=8 17=9 18=10 19=11",
        ),
        (
            "line nestban singlecolor --> . --> .",
            "0=2 1=2 4=2 5=2 8=2 13=2 14=2 17=2",
        ),
        ("line nestban 3 4 --> .+", "5=4 16=4"),
    ];
    for (line, expected) in table {
        assert_eq!(values(&format!("{{{line}}}")), expected, "{line}");
    }
}

#[test]
fn the_range_asks_for_the_longest_match_only() {
    assert_eq!(scholar("{line 1 --> .*}").matches, [7, 10, 12, 19]);
}

#[test]
fn nothing_consumed_is_no_match() {
    assert_eq!(scholar("{line --> {false}*}").matches, [0; 0]);
}

#[test]
fn moves_are_bound_to_the_next_position() {
    let table = [
        ("line --> move from Q --> .", "2=2 6=2 8=2 11=2 13=2 15=2"),
        ("line --> (move from Q --> .)+", "2=6 6=2 8=2 11=2 13=4 15=2"),
        ("line secondary --> {move from .} --> .", "3=2 5=2"),
        ("line secondary --> not move from Q", "3=1 5=1 7=1 10=1 12=1 19=1"),
        (
            "line singlecolor --> {move from .}{2}",
            "0=2 1=2 2=2 3=2 4=2 5=2 13=2 14=2 15=2 16=2",
        ),
        // The move of another position, and of a line or `find` inside, is not bound.
        ("line --> move from n --> positionid==11", ""),
        ("line --> {currentposition:move from n} --> positionid==11", "3=2"),
        ("line --> {line --> move from n} --> positionid==11", "3=2"),
        ("line --> --(to) --> positionid==11", "3=2"),
    ];
    for (line, expected) in table {
        assert_eq!(values(&format!("{{{line}}}")), expected, "{line}");
    }
}

#[test]
fn every_alternative_is_tried_at_one_position_before_the_next_position() {
    let messages = |query| scholar(query).messages.join(" ");
    let line = r#"positionid==3 line --> message quiet("a" positionid){1,2} --> message quiet("b" positionid)"#;
    assert_eq!(messages(line), "a3 b4 a4 b5 b11 a11 b12 b13 a13 b14");
    let loops = r#"positionid==14 line --> (message quiet("a" positionid) --> message quiet("b" positionid)?){1,2}
                   --> message quiet("c" positionid)"#;
    assert_eq!(messages(loops), "a14 c15 a15 c16 b16 c17 b15 c16 a16 c17 b17 c18");
}

#[test]
fn ends_and_user_comments_are_noted_along_the_longest_match() {
    let line = r#"positionid==8 line --> {comment("a") move from . comment("b")} --> comment("c")"#;
    assert_eq!(
        comments(line),
        "8: a id:8 Start line that ends at move 4(btm)[9]\n\
         9: b c End line of length 2 that starts at move 4(wtm)[8] id:9",
    );
    assert_eq!(comments("positionid==8 line quiet --> . --> ."), "");
}

#[test]
fn an_optional_start_takes_its_comment_back() {
    let line = r#"initial line quiet --> comment("a")? --> comment("b") --> ."#;
    assert_eq!(comments(line), "0: a\n1: b");
}

#[test]
fn nested_repetition_does_not_explode() {
    // Every position can be consumed in very many ways; a game of 200 positions would never end.
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(50);
    let tree = super::reader::read(None, &moves);
    let line = "{line --> ((.{1,3} --> .{1,2})+ --> (.+ --> .*)+)+ --> mate}";
    assert_eq!(run(&tree, line).matches, [0; 0]);
}

#[test]
fn long_games_and_huge_bounds_do_not_overflow() {
    let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(500);
    let tree = super::reader::read(None, &moves);
    let found = run(
        &tree,
        "initial x={line --> .{1,100000} --> ((.{2,})+ --> .*)} message quiet(x)",
    );
    assert_eq!(found.messages, ["2001"]);
    let ambiguous = run(
        &tree,
        "initial x={line --> .* --> .{1,100000} --> .{0,50000} --> .*} message quiet(x)",
    );
    assert_eq!(ambiguous.messages, ["2001"]);
    assert_eq!(run(&tree, "initial line --> .{100000}").matches, [0; 0]);
}

#[test]
fn both_ways_to_the_longest_match_agree() {
    // With a comment, the line is searched step by step; without one, every state is looked at once in a game.
    let lines = [
        "line --> F* --> check",
        "line --> (F{1,2} --> wtm*)+ --> .",
        "line --> move from Q --> F{0,3} --> (not check)?",
        "line firstmatch --> F+ --> {move from .}{1,2}",
        "line singlecolor --> F{2,} --> ({move from Q} --> .)*",
        "line secondary --> F --> {move from .}*",
        "line primary --> (F --> btm?){1,3} --> move to f6",
        "line <-- F{1,3} <-- (check <-- F?)* <-- .{2}",
        "line nestban --> F{2,3}",
        "line lastposition --> (F --> .){2,3} --> primary",
    ];
    for line in lines {
        let [known, searched] =
            [".", "comment(\"c\")"].map(|filter| values(&format!("{{{}}}", line.replace('F', filter))));
        assert_eq!(known, searched, "{line}");
    }
}

#[test]
fn variables_in_a_line_are_read_anew() {
    let line = "x1=positionid y1={line --> positionid==x1 --> .*} message quiet(positionid \"=\" y1)";
    assert_eq!(scholar(line).messages.len(), 20);
    let targets = "mate echo quiet (sx tx) {line --> currentposition==tx}";
    assert_eq!(scholar(targets).matches, [7, 12]);
}
