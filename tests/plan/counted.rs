//! Numbers to which loops over squares and pieces add, and numbers that count positions of a game.

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
    let body = match generator.below(11) {
        8 => "if Asked(X) then C+=1".to_owned(),
        9 => format!("if {{Asked(X) {other}}} then {{if {{{one}}} then C+=1}} else C+=1"),
        10 => format!("if {{{one}}} then D+=1 else {{{other} C+=1}}"),
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
    let query = match generator.below(4) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {{{query}}}"),
        _ => query,
    };
    format!("function Asked(Z) {{not a attacks Z A attacks Z}} {query}")
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
        "function Safe(Z) {not a attacks Z A attacks Z} C=0 piece X in A if Safe(X) C+=1 C>=6",
    ] {
        assert_ne!(bound(text), planner::Truth::Always, "{text}");
    }
}

/// Numbers of which each square of a loop adds one.
const ADDED: [&str; 9] = [
    "abs(file X-file k)",
    "rank q-rank X",
    "(if check then 2)",
    "#(A attacks X)",
    "#(A attacks X)-#(a attacks X)",
    "rank X",
    "power (X & A)",
    "(if X in A then rank X else 1)",
    "#(X attacks .)",
];

#[test]
fn sums_over_all_squares_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.1,
    };
    compare_random(12, needed, |number| {
        let mut generator = Generator::new(number);
        let kind = generator.pick(&["square all", "piece all", "square"]);
        let domain = generator.pick(&DOMAINS);
        let (one, other) = (generator.pick(&ADDED), generator.pick(&ADDED));
        let body = match generator.below(5) {
            0 => format!("{{C+={one} C-={other}}}"),
            1 => format!("{{C+={one} {}}}", generator.pick(&CONDITIONS)),
            2 => format!("if {{{}}} then C+={one}", generator.pick(&CONDITIONS)),
            _ => format!("C+={one}"),
        };
        let least = generator.pick(&["C>=10", "C<4", "C==7", "C>20", "C>=40"]);
        format!("C=0 ({kind} X in {domain} {body} or true) {least}")
    });
    assert!(is_exact("C=0 square all X in . C+=#(A attacks X) C>=60"));
}

/// Whether the index gives the exact answer.
fn is_exact(text: &str) -> bool {
    Search::new(&compiled(text), RunOptions::default()).candidates().exact
}

/// What is asked of positions of a game that are counted.
const AT_POSITIONS: [&str; 8] = [
    "check",
    "move from K",
    "#A<#a",
    "btm Q attackedby a",
    "power A>power a+2",
    "X=Q X attacks k",
    "C<5",
    "mate",
];

#[test]
fn numbers_that_count_positions_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.1,
    };
    compare_random(12, needed, |number| {
        let mut generator = Generator::new(number);
        let (one, other) = (generator.pick(&AT_POSITIONS), generator.pick(&AT_POSITIONS));
        let way = generator.pick(&["", "<-- "]);
        let found = match generator.below(7) {
            0 => format!("find {way}all {{{one} C+=1}}"),
            1 => format!("find {way}all {{{one} C+=2 {other}}}"),
            2 => format!("find {way}count {{C-=1 {one}}}"),
            3 => format!("find {way}all {{if {{{one}}} then C+=3 else D+=1}}"),
            4 => format!("C=find {way}all {{{one}}}"),
            5 => format!("C=find {way}count {{{one} {other}}} D=2"),
            _ => format!("find {way}all {{{one} C+=1}} find {way}all {{{other} D+=1}}"),
        };
        let found = match generator.below(6) {
            0 => format!("({found} or true)"),
            1 => format!("if {{{found}}} then true"),
            2 => format!("not {{{found} C>3}}"),
            _ => found,
        };
        let begins = generator.pick(&["0", "0", "7", "#Q"]);
        let asked = generator.pick(&[
            "C>=3",
            "C==2",
            "C<2",
            "C!=1",
            "D>1 C>0",
            "C+D>4",
            "C<=-2",
            "C>D",
            "child:C>2",
        ]);
        let first = generator.pick(&["initial", "check", ""]);
        format!("{first} C={begins} D=0 {found} {asked}")
    });
    for text in [
        "initial C=0 find all {move from K C+=1} C>=25",
        "C=9 find all {check C-=2} C<=3",
        "C=find all check C>=4",
        "C=find <-- count {check} C<2",
    ] {
        assert!(is_exact(text), "{text}");
    }
}

/// Numbers of which the largest or the smallest one of some positions is taken.
const AT_EACH: [&str; 7] = [
    "#(A attacks a)",
    "power A-power a",
    "file q",
    "abs(rank K-rank k)",
    "(if check then 3)",
    "#a",
    "C+1",
];

#[test]
fn the_largest_number_of_positions_matches_by_plan_where_it_matches_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.1,
    };
    compare_random(12, needed, |number| {
        let mut generator = Generator::new(number);
        let (value, condition) = (generator.pick(&AT_EACH), generator.pick(&AT_POSITIONS));
        let compares = generator.pick(&["D>C", "C<D", "D>=C", "D<C", "C>=D", "D==C", "not D<=C"]);
        let take = match generator.below(6) {
            0 => format!("if {compares} {{C=D E=ply}}"),
            1 => format!("if {compares} C=D else E+=1"),
            2 => format!("if {compares} {{D=2 C=D}}"),
            _ => format!("if {compares} C=D"),
        };
        let body = match generator.below(6) {
            0 => format!("{condition} D={value} {take}"),
            1 => format!("D={value} {take} {condition}"),
            2 => format!("if {{{condition}}} D={value} else D=1 {take}"),
            3 => format!("D={value} {take} {take}"),
            4 => take
                .replace('D', &format!("({value})"))
                .replace(&format!("({value})="), "D="),
            _ => format!("D={value} {take}"),
        };
        let found = format!(
            "find {}{} {{{body}}}",
            generator.pick(&["", "<-- "]),
            generator.pick(&["all", "count"])
        );
        let found = match generator.below(4) {
            0 => format!("({found} or true)"),
            1 => format!("if {{{found}}} then true"),
            _ => found,
        };
        let begins = generator.pick(&["0", "0", "7", "99", "#Q"]);
        let asked = generator.pick(&["C>=5", "C==3", "C<4", "C!=7", "2<=C C<=8", "C>E", "sort \"a\" C>3"]);
        let first = generator.pick(&["initial", "check", "", "terminal"]);
        format!("{first} C={begins} D=0 E=0 {found} {asked}")
    });
    for text in [
        "initial C=0 find all {D=#(A attacks a) if D>C C=D} C>=9",
        "initial C=99 find all {check if #A<C C=#A} C<=3",
        "terminal C=0 find <-- count {if C<=power A C=power A} C<30",
    ] {
        assert!(is_exact(text), "{text}");
    }
}
