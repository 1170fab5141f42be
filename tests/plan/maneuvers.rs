//! Paths, lines and searches that ask how the moves of two pieces go together.

use super::indexed;
use super::random::Generator;
use super::routes::{Shares, compare_random, compare_routes, found_by_both};
use super::samples::{plan_of, samples};

/// What the pieces are.
const PIECES: [&str; 12] = [
    "A",
    "[QRB]",
    "N",
    "[Pp]",
    "a",
    "[Rr]",
    "[Kk]",
    "[RNBQ]",
    "p",
    "[KR]",
    "[QRBNqrbn]",
    "P",
];

/// What they are where few may be.
const FEW_PIECES: [&str; 8] = ["[QRB]", "N", "[Rr]", "[Kk]", "[KR]", "q", "b", "R"];

/// Moves of a path, with their repetitions.
const MOVES: [&str; 25] = [
    "X--",
    "Y--",
    "--",
    "X--S",
    "Y--S",
    "--S",
    "X--F",
    "X--_",
    "Y[x].",
    "--=Q",
    "X-- +",
    "Y-- *",
    "X-- ?",
    "Y-- {1,3}",
    "(X-- Y--)+",
    "(Y-- X--)*",
    "(-- X--S ?){1,2}",
    "X--Z",
    "Y--Z",
    "--Z",
    "(X-- Z=from X--Z)+",
    "(X--Z ? Z=to)+",
    "(X-- Z=from --){1,2}",
    "(Y-- Z=to X-- ? X--Z)*",
    "(X-- Z=from (Y--Z)?){2}",
];

/// Captures of the pieces.
const CAPTURES: [&str; 4] = ["[x]X", "[x]Y", "a[x]Y", "Y[x]X"];

/// What holds between them.
const TESTS: [&str; 32] = [
    "xray(X Y F)",
    "xray(X S from)",
    "ray(from S to)",
    "from==F",
    "to==S",
    "X==pathstart:Y",
    "Y==pathstart:X",
    "X==F",
    "F==from or ray(X Y from)",
    "(F==from ray(X Y from)) or ray(X F Y from)",
    "X attacks Y",
    "Y attacks S",
    "ray(X Y)",
    "ray up (F Y)",
    "not ray(X Y F)",
    "check",
    "Z=to",
    "Z=from",
    "Z=to & ~F",
    "S & from",
    "X & S",
    "pathstart:X==to",
    "#between(from X) >= 2",
    "sort \"b\" between(Y pathstart:X) > 1",
    "2 <= #between(X S)",
    "sort \"a\" ray(Y _ pathstart:X)",
    "xray(X Y F) not xray(X _ Y)",
    "xray(Y X from) or xray(Y X Z)",
    "not xray(Y _ X)",
    "pathcountunfocused >= 2",
    "3 < pathcountunfocused",
    "true",
];

/// What two pieces may have done later.
const LATER: [&str; 6] = [
    "X==S:Y Y==S:X",
    "X==S:Y",
    "X==F check",
    "Y==S:X ray(X Y F)",
    "Y==F or X==S:Y",
    "(S:X)==Y not X",
];

/// What a line says of a position.
const CONSTITUENTS: [&str; 28] = [
    "move from X",
    "move from Y",
    "move from X",
    "move from Y",
    "move from X to S",
    "move from Y to S",
    "move to S from Y",
    "move from X to (up 1 X)",
    "move from X to (diagonal 1 2 X)",
    "move from Y to (F or a-h4)",
    "move from X capture a",
    "{move from X check}",
    "{xray (X Y F) move from Y}",
    "not move from (X|Y)",
    "not move from (Y|X)",
    "not move from X",
    "not move from Y to S",
    "not {move from X check}",
    "move from ~X",
    "move from ~(X|Y)",
    "not xray (X S Y)",
    "ray (X Y F)",
    "X == S",
    "check",
    "true",
    "move previous from X",
    "o-o",
    "move from X castle",
];

/// How often.
const REPEATS: [&str; 9] = ["", "", "", "", "*", "*", "+", "?", "{1,2}"];

/// A line about two pieces.
fn line(generator: &mut Generator) -> String {
    let arrow = if generator.below(8) == 0 { "<--" } else { "-->" };
    let keywords = generator.pick(&["", "", "", "", "singlecolor ", "nestban ", "firstmatch ", "2 9 "]);
    let constituent = |generator: &mut Generator| {
        let (said, repeat) = (generator.pick(&CONSTITUENTS), generator.pick(&REPEATS));
        // A repetition belongs to what stands last.
        format!("{arrow} {{{said}}}{repeat} ")
    };
    let mut text = format!("line {keywords}{arrow} {{{}}} ", generator.pick(&CONSTITUENTS[..13]));
    for _ in 0..1 + generator.below(5) {
        match generator.below(4) {
            0 => {
                let parts: String = (0..1 + generator.below(3)).map(|_| constituent(generator)).collect();
                text += &format!("{arrow} ({})", parts.trim_start_matches(arrow));
                text += generator.pick(&["*", "+", "{1,3}", "?"]);
                text.push(' ');
            }
            _ => text += &constituent(generator),
        }
    }
    text
}

/// A query about two pieces.
pub(super) fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let is_line = generator.below(7) < 2;
    // By definition, a line is tried for each pair of pieces.
    let pieces: &[&str] = if is_line { &FEW_PIECES } else { &PIECES };
    let (first, second) = (generator.pick(pieces), generator.pick(pieces));
    let second = match generator.below(3) {
        0 => second.to_owned(),
        _ => format!("({second} & ~X)"),
    };
    let body = match generator.below(5) {
        _ if is_line => {
            let line = line(&mut generator);
            let square = generator.pick(&[
                "square S in d4-5",
                "S=(_ attackedby X)",
                "square S in e4",
                "square S in between(X move to . from X)",
                "square S in (between(move to . from X X) & _)",
            ]);
            format!("{square} {{F=X {line}}}")
        }
        0 => {
            let later = generator.pick(&LATER);
            match generator.below(2) {
                0 => format!("S=currentposition F=X find {{{later}}}"),
                _ => format!("F=X echo (S T) {{S<T {later}}}"),
            }
        }
        _ => {
            let captures = generator.pick(&["", "", "capture "]);
            let mut steps = String::new();
            for number in 0..2 + generator.below(3) {
                steps += match number > 0 && !captures.is_empty() && generator.below(3) == 0 {
                    true => generator.pick(&CAPTURES),
                    false => generator.pick(&MOVES),
                };
                steps.push(' ');
                for _ in 0..generator.below(3) {
                    steps += generator.pick(&TESTS);
                    steps.push(' ');
                }
            }
            let focus = generator.pick(&["X|Y", "X|Y", "X|Y", "X"]);
            let keywords = generator.pick(&[
                "",
                "",
                "",
                "firstmatch ",
                "nestban ",
                "2 9 ",
                "max {pathcountunfocused >= 3} ",
            ]);
            let path = format!("Z=X path {keywords}focus {captures}({focus}) {steps}");
            let square = generator.pick(&["square S in a-b3-6", "square S in (_ attackedby X)", "square S in d4"]);
            format!("{square} {{F=X {path}}}")
        }
    };
    let query = format!("piece X in {first} piece Y in {second} {{{body}}}");
    match generator.below(5) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {query}"),
        _ => query,
    }
}

#[test]
fn maneuvers_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.7,
        selective: 0.2,
    };
    compare_random(24, needed, text);
}

#[test]
fn two_men_are_followed_together() {
    for text in [
        "piece X in [QRB] piece Y in ([QRB] & ~X) path focus (X|Y) X-- Y-- xray(X Y from)",
        "flipcolor {S=currentposition piece X in R piece Y in N find {X==S:Y Y==S:X}}",
        "piece X in N piece Y in n echo (S T) {S<T X==S:Y Y==S:X}",
        "piece X in R square S in (_ attackedby X) path focus X X-- ray(X S from) X--S",
        "piece X in R path focus X X-- X--pathstart:X",
        "piece X in R path focus X (X-- Z=from X--Z)+",
        "piece X in R piece Y in Q square S in a1-8 line --> move from X --> not move from (X|Y)* --> move from Y to S",
        "piece X = move from . flip {L=line singlecolor --> move from X to up 1 X --> move from ~X* --> move from X to left 1 X}",
    ] {
        let plan = plan_of(text);
        assert!(
            plan.contains("two men that ") || plan.contains("a man that goes "),
            "{text}: {plan}"
        );
    }
}

#[test]
fn a_piece_that_is_captured_may_be_both() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let text = |focus: u64| {
        let men = ["R", "N", "[Rr]", "[QB]"][focus as usize];
        format!("piece X in {men} piece Y in A {{path focus capture (X|Y) X-- + a[x]Y}}")
    };
    let outcomes = compare_routes(&samples, 4, text);
    assert_eq!(outcomes.answered, 4);
}

#[test]
fn a_man_that_moved_before_a_capture_comes_too_early() {
    let (_folder, games) = indexed::indexed(
        "1. Nf3 d5 2. g3 Bg4 3. Bg2 c6 4. O-O Bxf3 5. Re1 Bh5 6. Rf1 *\n\n1. Nf3 d5 2. g3 Bg4 3. Bg2 Bxf3 4. a3 c6 5. O-O *\n",
    );
    let text = |max: &str| {
        format!(
            "piece V in N piece E in R {{path {max} focus capture (V|E) V-- a[x]V E-- {{xray(to pathstart:V from)}}}}"
        )
    };
    for (max, expected) in [
        ("", 1),
        ("max {pathcountunfocused >= 6}", 1),
        ("max {pathcountunfocused >= 7}", 0),
    ] {
        assert_eq!(found_by_both(&games, &text(max), false), expected, "{max}");
    }
}

#[test]
fn only_variations_begin_with_moves_of_different_men() {
    let (_folder, games) = indexed::indexed("1. e4 e5 2. Nf3 (2. Bc4 Nc6 3. Nf3) 2... Nc6 3. Bc4 *\n");
    for (text, is_found) in [
        ("{path focus (X|Y) X-- Y--} {path focus (X|Y) Y-- X--}", [false, true]),
        (
            "{path focus (X|Y) X-- Y--} find {path focus (X|Y) Y-- X--}",
            [false, true],
        ),
        ("{path focus (X|Y) X-- Y--} {path focus Y Y--}", [false, true]),
        (
            "{path focus (X|Y) X-- Y--} not {path focus (X|Y) Y-- X--}",
            [true, false],
        ),
    ] {
        let query = format!("piece X in N piece Y in B {{{text}}}");
        let found = [false, true].map(|variations| found_by_both(&games, &query, variations) > 0);
        assert_eq!(found, is_found, "{text}");
    }
}

#[test]
fn in_a_line_the_rook_that_castles_has_not_moved() {
    let (_folder, games) =
        indexed::indexed("1. e4 e5 2. Nf3 Nf6 3. Bc4 Be7 4. Ng5 O-O 5. Nh3 Re8 6. O-O Rf8 7. Re1 *\n");
    for (text, expected) in [
        // Black castles between the moves of the knight.
        (
            "piece X in N piece Y in r line --> move from X --> not move from (X|Y) --> move from X --> move from Y to e8",
            1,
        ),
        ("piece X in R line --> move from X to e1 --> X==e1", 1),
        ("piece X in R line --> move from X to f1", 0),
        ("piece X in K line --> move from X to g1", 1),
    ] {
        assert_eq!(found_by_both(&games, text, false), expected, "{text}");
    }
}
