//! Paths that remember the squares of their moves.

use super::random::Generator;
use super::routes::{Shares, compare_random, compare_routes};
use super::samples::{plan_of, samples};

/// Moves of a path; those behind the first ones speak of squares.
const MOVES: [&str; 26] = [
    "A--",
    "--",
    "[QRB]--",
    "[x]a",
    "P--",
    "[Kk]--",
    "[Rr][x]",
    "--",
    "Far--",
    "--Near",
    "Near--Far",
    "[x]Near",
    "Far[x]",
    "(Near|Far)--",
    "--(Near & Far)",
    "~Far--",
    "p[x]P",
    "--[a-h8,a-h1]=A",
    "-- {1,2}",
    "(A-- a--)",
    "[QRB]--Far ?",
    "--between(Near Far)",
    "--{1,6}",
    "-- *",
    "[x] ?",
    "--between(Near k)",
];

/// What is remembered and asked.
const TESTS: [&str; 25] = [
    "to & Near",
    "from & Far",
    "not to & (Near|Far)",
    "between(Near Far)",
    "to & between(Near Far)",
    "between(from to) & Near",
    "not between(from to) & Far",
    "Near == to",
    "not Far == from",
    "{to & Near or from & Far}",
    "not {to & A & Near}",
    "Near & to & A",
    "{Near & Far not between(Near to)}",
    "~Near & to & d-e4-5",
    "not (~Far & from)",
    "Third = to & ~Near",
    "Third & to",
    "not Third & from",
    "check",
    "Third = from",
    "up 1 to & A",
    "Third = between(K Far) & a",
    "from & between(Near k)",
    "not to & between(k Far)",
    "true",
];

/// A path whose moves remember where they came from or went.
fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let mut path = generator
        .pick(&[
            "path ",
            "path ",
            "path ",
            "path nestban ",
            "path firstmatch ",
            "path 2 9 ",
        ])
        .to_owned();
    let mut given = 0;
    for number in 0..2 + generator.below(4) {
        let is_chain = generator.below(4) == 0;
        if is_chain {
            path.push('(');
        }
        path += generator.pick(if number == 0 { &MOVES[..8] } else { &MOVES });
        path.push(' ');
        if given < 2 && (number == 0 || generator.below(2) == 0) {
            for name in ["Near", "Far"].into_iter().skip(given) {
                let square = generator.pick(&["from", "to", "to", "to & A", "from & ~Rd4", "between(from to)"]);
                path += &format!("{name} = {square} ");
                given += 1;
                if generator.below(2) == 0 {
                    break;
                }
            }
        }
        for _ in 0..generator.below(3) {
            path += generator.pick(&TESTS);
            path.push(' ');
        }
        if generator.below(4) == 0 {
            path += generator.pick(&[
                "Near=to ",
                "Far=from ",
                "if check then Near=to ",
                "(Far=to & a or true) ",
            ]);
        }
        if is_chain {
            path += generator.pick(&[")+ ", "){2} ", "){2,} ", "){1,3} ", ")* ", ") "]);
        }
    }
    let query = format!("Near=. Far=Rd4 Third=. {{{path}}}");
    match generator.below(5) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {{{query}}}"),
        2 => format!("{query} Far"),
        _ => query,
    }
}

#[test]
fn squares_of_moves_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.7,
        selective: 0.2,
    };
    compare_random(12, needed, text);
}

#[test]
fn moves_are_looked_at_together() {
    for (text, wanted) in [
        ("path R-- Home=from There=to -- There--Home", "the first of 3 moves"),
        (
            "path [QRB]-- Front=from Ahead=to -- [QRB]-- to & between(Front Ahead)",
            "the first of 3 moves",
        ),
        ("path A-- There=to [x]There -- check", "the first of 2 moves"),
        ("path A-- not to & d4", "between certain squares"),
        ("path (-- Gone=from) (--Gone Gone=from)+", "the first of 2 moves"),
        (
            "path (-- Gone=from) (--Gone Gone=from -- check){2} --",
            "the first of 2 moves",
        ),
        ("path A-- There=to --{1,3} [x]There", "the first of 3 moves"),
        ("path (A-- There=to) (-- -- check)* [x]There", "the first of 2 moves"),
        (
            "path R-- There=to (--){2,} K-- from & between(There k)",
            "the first of 3 moves",
        ),
        // The first repetition is a move, and the others are not looked at.
        ("path A-- There=to R--{1,3} [x]There", "the first of 3 moves"),
    ] {
        let plan = plan_of(text);
        assert!(plan.contains(wanted), "{text}: {plan}");
    }
    // What lists tell is left to them.
    for text in [
        "path A-- to & a",
        "path A--d4 Near=from -- check",
        "path R-- from & A",
        "path -- Gone=from if check Gone=to --Gone",
        // What is remembered may be another square, and which move was the last one is not known.
        "path (-- Gone=from) (-- Gone=to)? --Gone",
        "path (-- Gone=from) (-- Gone=to){2} --Gone",
        "path A-- There=to --{1,3} from & There",
    ] {
        let plan = plan_of(text);
        assert!(!plan.contains("certain squares"), "{text}: {plan}");
    }
}

#[test]
fn behind_castling_both_of_its_men_have_moved() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let text = |number: u64| {
        [
            "path -- Near=to between(from to) & Near",
            "path R-- Near=to Far=from -- not Near & from",
            "path --(Near=to) to & ~Near",
            "path K-- Far=from Near=to not Far == from or between(Far Near) & to",
        ][number as usize]
            .to_owned()
    };
    let outcomes = compare_routes(&samples, 4, text);
    assert_eq!(outcomes.answered, 4);
}
