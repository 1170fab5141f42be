//! `while` and `loop` of which nobody knows how many turns they have: what is followed of the first turns leaves no position out.

use super::random::Generator;
use super::routes::{Shares, assert_bounded, compare_random};
use super::samples::plan_of;

/// Where a walk begins.
const STARTS: [&str; 8] = [
    "K",
    "[QR]",
    "p",
    "a-h1",
    "(pin from A)",
    "((pin from [Aa]) & ~pin)",
    "d4-5",
    "(a attackedby A)",
];

/// Where it goes from the squares of `X`.
const STEPS: [&str; 10] = [
    "up 1 X",
    "diagonal 1 X",
    "(X attacks .)",
    "(. attackedby X)",
    "(a attackedby X)",
    "(A attackedby X)",
    "pin through [Aa] from X",
    "pin from [Aa] through X",
    "(X | up 1 2 X)",
    "(right 1 X & _)",
];

/// What else a turn does.
const TURNS: [&str; 10] = [
    "C+=1",
    "C+=2",
    "C+=1",
    "if check C+=1",
    "C+=1 D=C",
    "C<5 C+=1",
    "C+=1 X attacks [Aa]",
    "D+=1",
    "if X & A C+=1 else D+=1",
    "C-=1",
];

/// What is asked behind it.
const QUESTIONS: [&str; 11] = [
    "C>=2",
    "C>=4",
    "C==3",
    "C<=1",
    "C>D",
    "C+D>4",
    "C!=2",
    "X & k",
    "#X>=2",
    "sort \"a\" C>=3",
    "X attacks k",
];

pub(super) fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let (start, step) = (generator.pick(&STARTS), generator.pick(&STEPS));
    let (turn, other) = (generator.pick(&TURNS), generator.pick(&TURNS));
    let walk = match generator.below(3) {
        0 => format!("{{Y={step} Y X=Y}}"),
        1 => format!("X=?{step}"),
        _ => format!("{{X={step} X}}"),
    };
    // Every walk ends some time.
    let bounded = format!("T<{} T+=1", 2 + generator.below(8));
    let begin = format!("X={start} C=0 D=1 T=0");
    let repeated = match generator.below(5) {
        0 => format!("loop {{{bounded} {walk} {turn} {other}}}"),
        1 => format!("loop {{{walk} {bounded} {turn}}}"),
        2 => format!("while ({{{bounded} X={step} X}}) {{{turn} {other}}}"),
        3 => format!("while ({{{bounded} X}}) {{X={step} {turn}}}"),
        _ => format!("while ({{T<6 X & [Aa]}}) {{{turn} T+=1 X={step} {other}}}"),
    };
    let question = generator.pick(&QUESTIONS);
    let query = format!("{begin} {repeated} {question}");
    match generator.below(4) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {{{query}}}"),
        _ => query,
    }
}

#[test]
fn uncertain_turns_leave_nothing_out() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.3,
    };
    compare_random(15, needed, text);
    assert_bounded(15, 0.2, text);
}

#[test]
fn a_counter_asks_for_as_many_turns() {
    let turns = |least: u32| {
        let text = format!(
            "piece V in pin from A {{C=1 piece W = V loop {{piece W = pin through [Aa] from W C+=1}} C>={least}}}"
        );
        plan_of(&text).matches("pin(pin(pin(").count()
    };
    assert_eq!(turns(2), 0);
    assert!(turns(4) > 0);
}
