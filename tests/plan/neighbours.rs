//! Positions that are a certain number of moves away, by `parent` and `child`, and what is asked of all squares of a loop at once.

use super::random::Generator;
use super::routes::{Shares, compare_random};

/// A chain of `parent` and `child`.
fn chain(generator: &mut Generator) -> String {
    let step = if generator.below(3) == 0 { "child" } else { "parent" };
    let mut steps = vec![step; 1 + generator.below(6) as usize];
    if generator.below(4) == 0 {
        steps.push(generator.pick(&["parent", "child"]));
    }
    steps.join(":")
}

const ASKED: [&str; 12] = [
    "check",
    "wtm",
    "R attacks k",
    "#A<12",
    "move from K",
    "K==V",
    "not V==K",
    "P[a-h4]",
    "#(V|K)>1",
    "ply<9",
    "parent:V==K",
    "k attacks V",
];

const SETS: [&str; 4] = ["K", "P[a-d1-8]", "Q", "[rn]"];

const NUMBERS: [&str; 3] = ["#[QRBN]", "power a", "rank K"];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let (place, other) = (chain(&mut generator), chain(&mut generator));
    let (one, two) = (generator.pick(&ASKED), generator.pick(&ASKED));
    let (set, of) = (generator.pick(&SETS), generator.pick(&NUMBERS));
    match generator.below(7) {
        6 => format!("V={set} There={place} Other={other} Both=There:Other Both:{one} or (Other:There):{two}"),
        0 => format!("V={set} There={place} There:{{{one} {two}}}"),
        1 => format!("V={place}:{set} {other}:{one} {two}"),
        2 => format!("V={set} There={place} Next=There:{other} not Next:{one} {two}"),
        3 => format!("V={place}:K There={other} There:K==V not V==K {one}"),
        4 => format!("V={set} There={place} There:{of}>{of} {one} or {two}"),
        _ => format!("V={set} There={place} find {{There:{one} {two}}}"),
    }
}

#[test]
fn positions_some_moves_away_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.2,
    };
    compare_random(6, needed, text);
}

const MEN: [&str; 6] = ["[KQRB]", "R", "[kp]", "N", "[Qq]", "[Pp]"];

const OF_A_MAN: [&str; 8] = [
    "X attacks k",
    "X & a-h4-6",
    "X==V",
    "not V==X",
    "k attacks X",
    "#X<1",
    "a attacks X",
    "check",
];

fn text_about_a_man(number: u64) -> String {
    let mut generator = Generator::new(number);
    let (place, other) = (chain(&mut generator), chain(&mut generator));
    let (one, two) = (generator.pick(&OF_A_MAN), generator.pick(&OF_A_MAN));
    let men = generator.pick(&MEN);
    let asked = match generator.below(6) {
        0 => format!("V=X {place}:{{{one} {two}}}"),
        1 => format!("not {place}:X==X V={other}:X {one}"),
        2 => format!("There={place} V=There:X not V==X {other}:{{{one} {two}}}"),
        3 => format!("V={place}:X {place}:{other}:{one} not {two}"),
        4 => format!("V={place}:X #(V & X)==0 {other}:X==X"),
        _ => format!("V=X #({place}:X)+#({other}:{{X & V}})==1"),
    };
    format!("piece X in {men} {{{asked}}}")
}

#[test]
fn men_some_moves_away_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.8,
        selective: 0.2,
    };
    compare_random(6, needed, text_about_a_man);
}

const OUTER: [&str; 4] = [
    "piece X in [qrnbp]",
    "piece X in [BN]",
    "square X in a-h3-6",
    "piece X in ◭",
];

const INNER: [&str; 3] = ["piece Y in [QRB]", "square Y in a-h1-4", "piece Y in [rq]"];

const CONDITIONS: [&str; 7] = [
    "pin from Y through X to k",
    "pin through X",
    "Y attacks X",
    "X attacks Y",
    "ray (Y X k)",
    "#(A attacks X)>2",
    "not a attacks X",
];

#[test]
fn what_a_loop_asks_of_all_squares_matches_by_plan_where_it_matches_by_scan() {
    let needed = Shares {
        answered: 0.8,
        selective: 0.2,
    };
    compare_random(24, needed, |number| {
        let mut generator = Generator::new(number);
        let (outer, inner) = (generator.pick(&OUTER), generator.pick(&INNER));
        let mut next = || generator.pick(&CONDITIONS);
        let (one, two, three) = (next(), next(), next());
        let innermost = format!("piece Z in [QRB] {{pin from Z through X to [qrnb] & ~X not Z==Y {three}}}");
        format!("{outer} {{{inner} {{{one} {two} {innermost}}}}}")
    });
}
