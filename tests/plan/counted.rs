//! Numbers to which loops over squares and pieces add.

use super::random::Generator;
use super::routes::{Shares, compare_random};
use super::samples::compiled;
use search::{RunOptions, Search};

const DOMAINS: [&str; 6] = ["A", "[Qq]", "a-h4", "[NBRQ]", "p", "(_ attackedby K)"];

const CONDITIONS: [&str; 8] = [
    "X attackedby a",
    "not X attackedby A",
    "X & a-d1-8",
    "#(A attacks X)>1",
    "check",
    "X attacks k",
    "C<3",
    "move from X",
];

const QUESTIONS: [&str; 8] = ["C>=3", "C==2", "C<2", "C>12", "C<=8 wtm", "C!=10", "D>1", "C+D>11"];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let (one, other) = (generator.pick(&CONDITIONS), generator.pick(&CONDITIONS));
    let body = match generator.below(8) {
        0 => format!("if {{{one}}} then C+=1"),
        1 => format!("if {{{one}}} then C=C+1 true"),
        2 => format!("{{{one}}} C+=2 {{{other}}}"),
        3 => format!("if {{{one}}} then C-=1 else D+=1"),
        4 => format!("{{{one}}} or {{{other} C+=1}}"),
        5 => format!("not {{{one} C=C-1 {other}}}"),
        6 => format!("if {{{one}}} then C+=1 if {{{other}}} then C+=1"),
        _ => format!("square Y in a-d3-6 {{if {{Y attackedby a {one}}} then C+=1}}"),
    };
    let (kind, domain) = (
        generator.pick(&["square", "piece", "square all"]),
        generator.pick(&DOMAINS),
    );
    let looped = format!("{kind} X in {domain} {{{body}}}");
    let looped = match generator.below(5) {
        0 => format!("({looped} or true)"),
        1 => format!("if {{{looped}}} then true else true"),
        2 => format!("{looped} {looped}"),
        _ => looped,
    };
    let query = format!(
        "C={} D=0 {looped} {}",
        generator.pick(&["0", "10", "#Q"]),
        generator.pick(&QUESTIONS)
    );
    match generator.below(4) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {{{query}}}"),
        _ => query,
    }
}

#[test]
fn counters_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.2,
    };
    compare_random(10, needed, text);
}

#[test]
fn a_counter_asks_for_as_many_squares() {
    let bound = |text: &str| {
        Search::new(&compiled(text), RunOptions::default())
            .candidates()
            .truth
            .clone()
    };
    for text in [
        "C=0 square X in A {if X attackedby a then C+=1} C>=3",
        "C=0 square all X in A {if X attackedby a then C=C+1} C>=3",
        "C=10 piece X in A {if X attackedby a then C-=1} C<=7",
    ] {
        assert_ne!(bound(text), planner::Truth::Always, "{text}");
    }
}
