//! Values that a variable gets at one position of a game and has at another, and sets of several squares that a condition is true
//! of.

use super::random::Generator;
use super::routes::{Shares, assert_bounded, compare_random, found_by_both};
use super::samples::samples;

/// What gives the set S, a number and a position their values.
const GIVEN: [&str; 15] = [
    "S = A attacks a",
    "S = . attackedby [Qq]",
    "S = . attackedby V",
    "S = V | W",
    "S = V",
    "S = [PpNn]",
    "S = between([Qq] [Kk])",
    "S = e4",
    "S = from",
    "S = [Aa] & ~(. attackedby a)",
    "S = _ attackedby [Rr]",
    "S = [Kk]",
    "S = to | [Aa]",
    "S = from | V | W",
    "S = {to | [QRBNqrbn]}",
];
const NUMBERS: [&str; 6] = [
    "Number = #(A attacks a)",
    "Number = power A",
    "Number = #(. attackedby V)",
    "Number = ply",
    "Number = #[Pp]",
    "Number = 3",
];

/// What reads them, and the pieces V and W.
const READ: [&str; 30] = [
    "S & [Aa]",
    "not S & k",
    "S & to",
    "#S > 3",
    "#(S & ~(. attackedby [RrBb])) >= 2",
    "#((. attackedby V) & ~S) >= 2",
    "S == (. attackedby [Qq])",
    "S == [PpNn]",
    "S attacks k",
    "V attacks S",
    "V & S",
    "W attacks V",
    "a attacks V not A attacks V",
    "not V attacks W",
    "ray(V W)",
    "xray([RBQrbq] V [Kk])",
    "pin through V",
    "V & a-h4-5",
    "V == W",
    "#(V & [Aa]) == 0",
    "Number < #(A attacks a)",
    "Number == power A",
    "Number > 5",
    "Number + 2 == ply",
    "#[Pp] < Number",
    "not {S & [Pp]}",
    "S = S & [Aa] S",
    "Number += 1 Number > 4",
    "Here:{V attacks S}",
    "Here:([Qq]) & V",
];

/// Moves.
const MOVES: [&str; 8] = ["--", "--", "A--", "V--", "W--S", "[Kk]--", "--V", "V--~S"];

/// How the positions lie where they get their values, G, and are asked, R.
const PLACES: [&str; 29] = [
    "{G} path M {R} M {R}",
    "{G} path M {R} M {R}",
    "{G} path M M {R} M",
    "{G} path M M M {R}",
    "path M {G} M {R} M",
    "path {G} M {R} M {R}",
    "{G} path (M {R}) (M {R} {G}){1,2} (M {R})",
    "{G} path (M) (M {R} {G})+ (M {R})",
    "{G} path (M {G})? (M {R})",
    "{G} path focus V M {R} M {R}",
    "{G} path focus V|W M {R} M {R}",
    "{G} path focus [NQq] -- {G} -- {R}",
    "{G} path 1 4 M {R} M+ {R}",
    "{G} line --> . --> {R} --> {R}",
    "line --> {G} --> {R} --> .",
    "line --> . --> {G} --> {R}{2} --> {R}",
    "line --> . --> ({G} --> {R}){1,2} --> {R}",
    "line --> {G} --> {R G}{2}",
    "line <-- {G} <-- {R} <-- {R}",
    "{G} line singlecolor --> . --> {R}",
    "{G} parent:{R}",
    "{G} child:{R child:{R}}",
    "parent:{G} {R}",
    "{G} M({R})",
    "{G} find {R}",
    "{G} {R} {R}",
    "{G} R R R",
    "{G R R}",
    "{G} path M {R} pathstart:{R} M {R}",
];

/// What the pieces are.
const PIECES: [&str; 6] = ["Q", "[Kk]", "[RN]", "b", "[Qq]", "n"];

/// A query in which values are given and read.
fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let place = generator.pick(&PLACES);
    let mut text = String::new();
    for letter in place.chars() {
        match letter {
            'G' => {
                let number = generator.pick(&NUMBERS);
                text += &format!("Here = currentposition {} {number}", generator.pick(&GIVEN));
            }
            'R' => text += generator.pick(&READ),
            'M' => text += generator.pick(&MOVES),
            other => text.push(other),
        }
    }
    let [first, second] = [generator.pick(&PIECES), generator.pick(&PIECES)];
    format!("piece V in {first} {{piece W in {second} {{{text}}}}}")
}

#[test]
fn values_that_were_given_elsewhere_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.7,
        selective: 0.5,
    };
    compare_random(60, needed, text);
    assert_bounded(60, 0.6, text);
}

#[test]
fn a_repetition_reads_what_the_one_before_has_left() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    for text in [
        "line --> wtm --> {S=e2} --> {if wtm then S & e2 else S & e5 S=e5}{2}",
        "wtm path (-- {S=e2}) (-- {if wtm then S & e2 else S & e5} {S=e5}){2}",
    ] {
        assert!(found_by_both(&samples, text, false) > 0, "{text}");
    }
}

#[test]
fn what_is_true_of_a_set_need_not_be_true_of_each_of_its_squares() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    for text in [
        "X = (to | A) X attacks k #(X & A) >= 5",
        "X = (from | A) X attackedby a #X >= 8",
        "X = (to | A) X & e4 #X >= 3",
        "piece V in A {X = V|(to & A) X attacks k #X >= 2}",
        "function Near(x) {x attacks k #x >= 9} Near((to | A))",
    ] {
        assert!(found_by_both(&samples, text, false) > 0, "{text}");
    }
}
