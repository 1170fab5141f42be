//! Loops over men of which there are rarely more than two, with conditions that cost much for each square.

use super::random::Generator;
use super::routes::{Shares, compare_random};
use super::samples::compiled;
use search::{RunOptions, Search};

const DOMAINS: [&str; 10] = [
    "Q",
    "q",
    "R",
    "b",
    "N",
    "[Kk]",
    "K",
    "R & (A attackedby a)",
    "Q & a-h2-7",
    "(n attackedby P)",
];

const CONDITIONS: [&str; 14] = [
    "{rotate45 count ray up (X a)} >= 3",
    "{rotate45 count ray up (X A)} == 2",
    "#(ray attack (X . [Aa]))>=4",
    "{flip count ray northeast (X _ [Aa])} >= 2",
    "#(X attacks [Aa])>=3",
    "#([Aa] attacks X)>=2",
    "#between(X k)>=3",
    "between(X [Kk]) & [Pp]",
    "file X==file k",
    "rank X>rank K",
    "#(a & ray (X a k))>=1",
    "xray(X a a)",
    "X pin",
    "square all Y in (. attackedby X) {Y & [Aa] or Y attackedby a}",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let domain = generator.pick(&DOMAINS);
    let kind = generator.pick(&["piece X in", "square X in", "piece all X in", "square all X in"]);
    let conditions: Vec<&str> = (0..1 + generator.below(3))
        .map(|_| generator.pick(&CONDITIONS))
        .collect();
    let body = match generator.below(3) {
        0 => conditions.join(" or "),
        1 => format!("not {{{}}}", conditions.join(" ")),
        _ => conditions.join(" "),
    };
    let looped = format!("{kind} {domain} {{{body}}}");
    let query = match generator.below(6) {
        0 if kind.ends_with("X in") && !kind.contains("all") => format!("#({looped})>=2"),
        1 if !kind.contains("all") => format!("({looped}) attacks k"),
        2 => format!("{looped} or check"),
        3 => format!("if {{{looped}}} then wtm else btm"),
        4 => format!("not {{{looped}}}"),
        _ => looped,
    };
    match generator.below(3) {
        0 => format!("flipcolor {{{query}}}"),
        _ => query,
    }
}

#[test]
fn loops_over_few_men_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.3,
    };
    compare_random(25, needed, text);
}

#[test]
fn few_men_are_looked_at_one_after_the_other() {
    for (text, expected) in [
        ("piece X in Q {rotate45 count ray up (X a)} >= 5", "not at least 2 Q"),
        ("square all X in R {rotate45 count ray up (X a)} >= 5", "square 2 of R"),
        (
            "#(piece X in N {flip count ray northeast (X _ a)} >= 2) == 2",
            "square 1 of N",
        ),
    ] {
        let query = compiled(text);
        let search = Search::new(&query, RunOptions::default());
        let found = search.candidates();
        assert!(found.exact, "{text}");
        let shown = found.truth.to_string();
        assert!(shown.contains(expected), "{text}: {}", &shown[..shown.len().min(300)]);
    }
}
