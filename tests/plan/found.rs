//! A `find` for positions that are compared with the one where it begins.

use super::indexed;
use super::routes::{Shares, compare_on, found_by_index};
use super::samples::{ODDITIES, compiled, samples, setting};
use search::{RunOptions, Search};

/// What is noted at the first position, and how it is compared with what is found.
const NOTED: [(&str, [&str; 6]); 8] = [
    (
        "x=ply",
        ["ply==x+3", "ply-x<=4", "x+6>=ply", "ply>x", "x-ply<-8", "ply<=x-5"],
    ),
    (
        "x=ply+2",
        ["ply==x", "ply>x", "x+2>ply", "x-1<=ply", "x+ply>9", "ply*2>x"],
    ),
    (
        "x=positionid",
        [
            "positionid==x+1",
            "positionid>x+7",
            "x+2>=positionid",
            "ply>x",
            "positionid-x<3",
            "x==positionid",
        ],
    ),
    (
        "x=power A-power a",
        [
            "power A-power a<=x-3",
            "x==power A-power a",
            "power A>x",
            "x>power a",
            "power A-power a>x+1",
            "x+2<=power A-power a",
        ],
    ),
    (
        "x=#[Aa]",
        ["#[Aa]<x", "#[Aa]==x-2", "x==#[Aa]", "#A>x", "#[Aa]+4<=x", "x-#[Aa]==3"],
    ),
    ("x=k", ["k==x", "x==k", "not k==x", "K attacks x", "not x==k", "x & k"]),
    (
        "x=currentposition",
        [
            "x:K==K",
            "(x & currentposition)==.",
            "#(x & currentposition)>=60",
            "x:sidetomove!=sidetomove",
            "x:ply+4==ply",
            "x:#A>#A",
        ],
    ),
    (
        "x=currentposition",
        [
            "distance(x currentposition)<=3",
            "k==x:k",
            "ply-x:ply>=10",
            "x:power a==power a",
            "x:(A & a-h4)==(A & a-h4)",
            "x:Q",
        ],
    ),
];

/// What is asked besides.
const OTHERS: [&str; 12] = [
    "mate",
    "check",
    "wtm",
    "Q",
    "true",
    "[QR] attacks k",
    "not Q",
    "move capture .",
    "btm check",
    "y=x y==x",
    "find {mate}",
    "x:wtm or true",
];

const WAYS: [&str; 14] = [
    "find",
    "find <--",
    "find 1 3",
    "find all",
    "find quiet",
    "child:child:",
    "parent:",
    "child:child:child:child:",
    "find 2 100",
    "find <-- 2 9",
    "2<=find all",
    "3>find <-- count",
    "find 0 2",
    "1<find count",
];

fn text(number: u64) -> String {
    let pick = |list: &[&'static str], number: u64| list[(number % list.len() as u64) as usize];
    let (noted, compared) = NOTED[(number % NOTED.len() as u64) as usize];
    let number = number / NOTED.len() as u64;
    let [first, second] = [number, number / 6].map(|number| pick(&compared, number));
    let (other, way) = (pick(&OTHERS, number / 5), pick(&WAYS, number / 7));
    match number % 4 {
        0 => format!("{noted} {way} {{{first} {other}}}"),
        1 => format!("{noted} {way} {{{other} {first} {second}}}"),
        2 => format!("{noted} z=find count {{{first} {other}}} w=find <-- all {{{second}}} z>=2 w>1"),
        _ => format!("not check {noted} {way} {{{first} {other} {second}}} wtm"),
    }
}

/// What a test of these queries needs.
const NEEDED: Shares = Shares {
    answered: 0.5,
    selective: 1.0 / 3.0,
};

#[test]
fn what_is_found_is_compared_by_plan_as_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 5);
    compare_on([&samples, &odd.1], count, NEEDED, |number| {
        text(seed * 7_919 + number * 611)
    });
}

#[test]
fn no_position_is_evaluated_where_what_is_found_is_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in [
        "x=ply find {mate ply==x+3}",
        "not check x=ply find {mate ply-x<=5}",
        "x=positionid find <-- {check positionid+2==x}",
        "x=power A-power a find {power A-power a<=x-9}",
        "x=#[Aa] y=ply find {#[Aa]<=x-3 ply<=y+8}",
        "X=k find {k==X Q attacks k}",
        "x=currentposition find {x:K==k}",
        "x=currentposition child:child:child:child:{(x & currentposition)==.}",
        "X=k parent:parent:{k==X}",
    ] {
        assert!(found_by_index(&snapshot, text) > 0, "{text}");
    }
    assert_eq!(found_by_index(&snapshot, "x=ply find {ply<x}"), 0);
}

#[test]
fn few_positions_are_left_where_a_board_comes_again() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let same = "(x & currentposition)==. sidetomove==x:sidetomove";
    for text in [
        format!("x=currentposition find 2 100 {{{same}}}"),
        format!("x=currentposition 3<=find <-- all {{{same}}}"),
        format!("x=currentposition z=find count {{{same}}} z>1"),
        "echo (x t) in all {(x & t)==. not x==t abs(ply-x:ply)>=4 sidetomove==x:sidetomove}".to_owned(),
    ] {
        let query = compiled(&text);
        let summary = Search::new(&query, RunOptions::default())
            .run(&snapshot, &mut |_| ())
            .expect("the search ends well");
        let (left, all) = (summary.evaluated.max(summary.positions), summary.positions_searched);
        assert!((1..all / 20).contains(&left), "{text}: {left} of {all}");
    }
}
