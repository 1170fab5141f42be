//! Pure, model and ideal mates and stalemates (docs/language/positions.md#pure-model-and-ideal-mates).

use super::{reader, run};

/// The three sets, as messages print them.
fn sets(fen: &str, kind: &str) -> [String; 3] {
    let query = format!("message quiet(pure{kind} \"|\" model{kind} \"|\" ideal{kind})");
    let found = run(&reader::read(Some(fen), ""), &query);
    let mut sets = found.messages[0].split('|').map(str::to_owned);
    std::array::from_fn(|_| sets.next().expect("there are three sets"))
}

/// Tests positions: the men of the pure mate, and whether it is a model and an ideal one.
fn check(kind: &str, table: &[(&str, &str, bool, bool)]) {
    for &(fen, pure, model, ideal) in table {
        let or_none = |holds: bool| if holds { pure.to_owned() } else { "[]".to_owned() };
        assert_eq!(
            sets(fen, kind),
            [pure.to_owned(), or_none(model), or_none(ideal)],
            "{fen}"
        );
    }
}

#[test]
fn mates_of_the_reference() {
    check(
        "mate",
        &[
            ("R6k/8/7K/8/8/8/8/8 b - -", "[h6,a8,h8]", true, true),
            ("R5k1/5ppp/8/8/8/8/8/K7 b - -", "[f7,g7,h7,a8,g8]", true, false),
            ("6rk/5Npp/8/8/8/8/8/K7 b - -", "[f7,g7,h7,g8,h8]", true, false),
            ("7k/6Q1/6K1/8/8/8/8/8 b - -", "[]", false, false),
        ],
    );
}

#[test]
fn in_a_double_check_each_checker_is_needed() {
    check(
        "mate",
        &[
            // A man attacks the other checker or a square of its line, occupied or not.
            ("8/n7/8/8/1K3Q2/5p1B/4Pp2/3Q1k2 b - -", "[d1,f1,f2,h3]", false, false),
            ("4r3/7B/p1B3R1/p7/k2Q4/8/1K6/8 b - -", "[b2,a4,d4,a5,c6]", false, false),
        ],
    );
}

#[test]
fn a_pinned_man_may_be_guarded_where_the_pin_is_needed() {
    check(
        "mate",
        &[
            ("8/2k5/8/8/8/1p1r4/3B4/3K1q2 w - -", "[d1,f1,d2,b3,d3]", true, false),
            ("8/8/8/8/8/7k/5Pb1/3r2QK w - -", "[d1,g1,h1,g2,h3]", true, false),
            ("knR5/p7/1p6/8/4Q3/7K/8/8 b - -", "[e4,a7,a8,b8,c8]", true, false),
        ],
    );
}

#[test]
fn men_that_shield_a_king_take_part() {
    check(
        "mate",
        &[
            ("7K/6q1/5kPR/8/8/8/8/1r6 w - -", "[f6,g6,g7,h8]", false, false),
            ("k1Q5/r3p1K1/p7/8/8/8/8/3N4 b - -", "[a7,e7,a8,c8]", false, false),
            ("k1R1N3/8/1K1P2q1/8/8/8/8/8 b - -", "[b6,d6,a8,c8]", false, false),
        ],
    );
}

#[test]
fn mating_men_in_the_way_of_a_defence_take_no_part() {
    check(
        "mate",
        &[
            ("8/Q1P1r3/kN5q/1Nb5/2K5/8/8/8 b - -", "[c4,b5,a6,a7]", false, false),
            ("k4Q2/2p1N3/K4b2/8/8/N7/8/7N b - -", "[a6,a8,f8]", false, false),
        ],
    );
}

#[test]
fn stalemates() {
    check(
        "stalemate",
        &[
            ("8/8/8/R7/4N3/8/b1K5/k7 b - -", "[a1,a2,c2,a5]", false, false),
            ("8/6B1/8/8/2P5/NKn5/8/k7 b - -", "[a1,a3,b3,c3,g7]", true, false),
            ("8/8/8/8/8/3K2Q1/8/5k2 b - -", "[f1,d3,g3]", true, true),
            ("2K5/8/8/8/2R4N/7k/7p/7N b - -", "[h1,h2,h3,c4,h4]", true, false),
        ],
    );
}

#[test]
fn colors_are_alike() {
    check(
        "mate",
        &[
            ("k7/8/8/8/8/7K/8/7r w - -", "[]", false, false),
            ("8/8/8/8/8/7k/8/r6K w - -", "[a1,h1,h3]", true, true),
        ],
    );
}
