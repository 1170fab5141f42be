//! `line` with repetitions inside repetitions: the index accepts the positions that the evaluator finds, and no others.

use super::random::Generator;
use super::routes::{Shares, assert_bounded, compare_random, found_by_both, found_by_index};
use super::samples::samples;

/// What a constituent asks.
const CONSTITUENTS: [&str; 14] = [
    ".",
    ".",
    "check",
    "wtm",
    "btm",
    "not check",
    "[QR] attacks k",
    "(move from K)",
    "(move to a-h5-8)",
    "(move capture [Aa])",
    "#[Aa]<28",
    "(move from [Pp])",
    "(move previous from [Nn])",
    "true",
];

const REPETITIONS: [&str; 12] = [
    "", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "{0,2}", "{3,4}", "{1,2}",
];

/// Constituents in order, and groups of them down to some depth.
fn constituents(generator: &mut Generator, depth: u64, arrow: &str) -> String {
    let count = 1 + generator.below(3);
    let part = |generator: &mut Generator| {
        let repeated = generator.pick(&REPETITIONS);
        if depth > 0 && generator.below(3) == 0 {
            return format!("({}){repeated}", constituents(generator, depth - 1, arrow));
        }
        match generator.pick(&CONSTITUENTS) {
            "." => format!(".{repeated}"),
            filter => format!("{{{filter}}}{repeated}"),
        }
    };
    let parts: Vec<String> = (0..count).map(|_| part(generator)).collect();
    parts.join(&format!(" {arrow} "))
}

pub(super) fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let arrow = generator.pick(&["-->", "-->", "<--"]);
    let range = generator.pick(&["", "", "", "1 4", "3", "5 100", "2 6"]);
    let way = generator.pick(&[
        "",
        "",
        "firstmatch",
        "singlecolor",
        "lastposition",
        "firstmatch singlecolor",
    ]);
    let line = format!("line {range} {way} {arrow} {}", constituents(&mut generator, 2, arrow));
    match generator.below(5) {
        0 => format!("not {{{line}}}"),
        1 => format!("{{{line}}}>=4"),
        2 => format!("wtm {{{line}}}"),
        _ => line,
    }
}

#[test]
fn lines_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.3,
    };
    compare_random(5, needed, text);
    assert_bounded(5, 0.3, text);
}

#[test]
fn no_position_is_evaluated_for_repetitions_inside_repetitions() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in [
        "line --> ({not check}{1,3} --> {move from [Kk]}*){2} --> {wtm}+ --> .+",
        "line <-- ({check}* <-- {btm}){2,} <-- {#[Aa]<30}*",
        "line singlecolor --> ({wtm} --> {move from P}*)+ --> check",
        "line 3 6 --> .+ --> {check}{1,3} --> ({wtm}+ --> {btm}?)*",
        "line 2 5 firstmatch --> .* --> {check}{1,3} --> .{2}",
        "line 4 lastposition --> .? --> ({move capture .} --> .*)+",
    ] {
        assert!(found_by_index(&snapshot, text) > 0, "{text}");
    }
}

#[test]
fn many_repetitions_begin_where_the_first_one_does() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in [
        "path (-- --){7} check",
        "path (-- --){9} check",
        "path (-- --){7,8} check",
        "path (-- (--)?){7} check",
        "path (-- wtm -- btm){7} check",
        "path focus [QRB] (-- --){7} check",
        "path singlecolor (-- --){7} check",
        "line --> . --> (. --> .){7} --> check",
        "line --> . --> (.{1,2}){8} --> check",
        "line singlecolor --> .{8} --> check",
        "line <-- . <-- (. <-- .){7} <-- check",
        "line <-- wtm <-- (. <-- .){7} <-- initial",
        "line --> . --> (. --> . --> .){30} --> check",
    ] {
        for variations in [false, true] {
            assert!(found_by_both(&snapshot, text, variations) > 0, "{text}");
        }
    }
}
