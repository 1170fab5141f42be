//! The comparisons of `echo` that the index makes for all positions of a game at once.

use super::indexed;
use super::routes::{compare_on, found_by_index};
use super::samples::{ODDITIES, compiled, samples, setting};
use search::{RunOptions, Search};

/// What is asked of source and target together.
const COMPARISONS: [&str; 36] = [
    "K==s:K",
    "k==s:k",
    "s:[Pp]==t:[Pp]",
    "[QRBN]a-h5-8==s:[QRBN]a-h5-8",
    "(A & a-d1-8)==s:(A & a-d1-8)",
    "~A==s:~A",
    "s:_==_",
    "K==s:k",
    "#A==s:#A",
    "#A==s:#a",
    "s:#a==t:#a",
    "(power A)==s:(power A)",
    "power a<s:power a",
    "s:#[Aa]>#[Aa]",
    "power A>=s:power a",
    "rank K==s:rank K",
    "file k<=s:file k",
    "rank Q==s:rank Q",
    "sidetomove==s:sidetomove",
    "sidetomove!=s:sidetomove",
    "s:sidetomove!=t:sidetomove",
    "ply>s:ply",
    "s:positionid>=positionid+4",
    "t:ply-s:ply>=6",
    "s:ply-3>t:ply",
    "t:positionid==s:positionid+8",
    "#(s & t)>=60",
    "#~(t & s)<=5",
    "62>#(s & t)",
    "(s & t)==.",
    "distance(s t)>=4",
    "3>=distance(t s)",
    "#(s & currentposition)==64",
    "abs(ply-s:ply)>=4",
    "3>abs(t:positionid-s:positionid)",
    "abs(s:ply-ply)==2",
];

/// What is asked besides.
const OTHERS: [&str; 14] = [
    "s<t",
    "not s==t",
    "not currentposition==s",
    "t<s",
    "s[<]t",
    "wtm",
    "check",
    "s:check",
    "not s:Q",
    "[QR] attacks k",
    "true",
    "s:ply>=ply",
    "10>ply-s:ply",
    "s:{btm A attacks k}",
];

/// An echo with two comparisons and another condition.
pub(super) fn text(number: u64) -> String {
    let pick = |list: &[&'static str], number: u64| list[(number % list.len() as u64) as usize];
    let all = COMPARISONS.len() as u64;
    let [first, second] = [number, number / all + number].map(|number| pick(&COMPARISONS, number));
    let other = pick(&OTHERS, number / all);
    let how = pick(&["", "", "in all"], number / 7);
    format!("echo (s t) {how} {{{first} {other} {second}}}")
}

fn all() -> u64 {
    (COMPARISONS.len() * COMPARISONS.len()) as u64
}

#[test]
fn positions_are_alike_by_plan_where_they_are_alike_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    let (seed, count) = (
        setting("CQLDEX_SEED", 1),
        setting("CQLDEX_QUERIES", 1_500).min(all()) / 8,
    );
    let text = |number: u64| text((seed * 911 + number * 307) % all());
    compare_on([&samples, &odd.1], count, 9, text);
}

/// The same men on other squares.
const NAMES: [&str; 8] = [
    "square all x in . {piecename x == s:piecename makesquare(9 - file x rank x)}",
    "square all x in . {typename x == s:typename makesquare(file x 9 - rank x)}",
    "square all x in a-h1-4 {s:typename makesquare(file x 9 - rank x) == typename x}",
    "square all x in a-h1-2 {piecename x == s:piecename up 1 x}",
    "square all x in d4-5 {piecename x == s:piecename x}",
    "piecename e4 == s:piecename d4",
    "s:typename e5 == t:typename d4",
    "square all x in [a1,h8] {piecename x == s:piecename x}",
];

#[test]
fn names_of_men_are_alike_by_plan_where_they_are_alike_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    let count = (NAMES.len() * OTHERS.len()) as u64;
    let text = |number: u64| {
        let names = NAMES[(number % NAMES.len() as u64) as usize];
        let other = OTHERS[(number / NAMES.len() as u64) as usize];
        format!("echo (s t) {{{names} {other}}}")
    };
    compare_on([&samples, &odd.1], count, 9, text);
    // A board that is turned over is rare: few positions are left.
    let query = compiled(&format!("echo (s t) {{s<t {}}}", NAMES[0]));
    let summary = Search::new(&query, RunOptions::default())
        .run(&samples, &mut |_| ())
        .expect("the search ends well");
    assert!(summary.evaluated < 1_000, "{}", summary.evaluated);
}

#[test]
fn no_position_is_evaluated_where_boards_are_compared() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for comparison in COMPARISONS {
        let text = format!("echo (s t) {{wtm {comparison} s<t}}");
        found_by_index(&snapshot, &text);
    }
}
