//! The comparisons of `echo` that the index makes for all positions of a game at once.

use super::indexed;
use super::routes::{Shares, compare_on, found_by_both, found_by_index};
use super::samples::{ODDITIES, compiled, plan_of, samples, setting};
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

/// What a test of these queries needs.
const NEEDED: Shares = Shares {
    answered: 0.9,
    selective: 1.0 / 3.0,
};

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
    compare_on([&samples, &odd.1], count, NEEDED, text);
}

/// Men that have to stand where they stood, as far as a comparison of boards says it of each square alone.
const SAME_MEN: [&str; 10] = [
    "~(s & t) == _ & s:A",
    "x=~(s & t) x x == _ & s:A",
    "~(s & t) == A & s:_ | a & s:_",
    "not (~(s & t) & [KkPp])",
    "#(s:[PpKk] & ~[PpKk])==0 k==s:k",
    "~(s & t) in ([QqRr] | s:[QqRr] | _)",
    "s:[Pp] in (t:[Pp]|t:_) _ == s:_",
    "~(s & t) == ([Nn] & s:_) | (_ & s:[Nn])",
    "[RQK] == s:[RQK] & t:[RQK]",
    "~(s & t) == [Aa] & s:[Aa]",
];

#[test]
fn men_stay_by_plan_where_they_stay_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    let count = (SAME_MEN.len() * OTHERS.len()) as u64;
    let text = |number: u64| {
        let men = SAME_MEN[(number % SAME_MEN.len() as u64) as usize];
        let other = OTHERS[(number / SAME_MEN.len() as u64) as usize];
        format!("echo (s t) {{s<t {other} {men}}}")
    };
    compare_on([&samples, &odd.1], count, NEEDED, text);
    // Few positions have the same black men again.
    for men in &SAME_MEN[..2] {
        let query = compiled(&format!("echo (s t) {{s<t sidetomove==s:sidetomove {men}}}"));
        let summary = Search::new(&query, RunOptions::default())
            .run(&samples, &mut |_| ())
            .expect("the search ends well");
        assert!(summary.evaluated < 1_000, "{men}: {}", summary.evaluated);
    }
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
    compare_on([&samples, &odd.1], count, NEEDED, text);
    // A board that is turned over is rare: few positions are left.
    let query = compiled(&format!("echo (s t) {{s<t {}}}", NAMES[0]));
    let summary = Search::new(&query, RunOptions::default())
        .run(&samples, &mut |_| ())
        .expect("the search ends well");
    assert!(summary.evaluated < 1_000, "{}", summary.evaluated);
}

/// Few men that go to the same places of other squares, and some that do not.
const SHIFTED: &str = r#"[FEN "8/8/3k4/8/8/3KP3/8/8 w - - 0 1"]

1. e4 Kd7 2. Kd4 Ke7 3. e5 Kd7 4. Kd5 Ke7 5. Ke4 Ke6 6. Kf4 Kd5 7. e6 Kxe6 8. Ke4 Kd6 9. Kd4 Kc6 10. Kc4 Kb6 11. Kb4 *

[FEN "6nk/8/8/8/2N5/1K6/8/8 w - - 0 1"]

1. Nd6 Kg7 2. Kc4 Kf6 3. Kd5 Ne7+ 4. Kd4 Nf5+ 5. Nxf5 Kxf5 6. Kd5 Kf6 7. Kd6 Kf7 8. Kd7 *

[FEN "8/1b6/8/2k1K3/8/5B2/8/8 w - - 0 1"]

1. Bg2 Bc8 2. Bh3 Bb7 3. Ke6 Kc6 4. Bg4 Ba8 5. Ke7 Kc7 6. Bf3 Bb7 7. Bxb7 Kxb7 8. Kd7 *
"#;

/// Boards that are the same but for a shift, how many men they have, and what looks like that.
const SHAPES: [&str; 8] = [
    "Ranks=s:rank K-rank K Files=s:file K-file K square all x in [Aa] piecename x==s:piecename up Ranks right Files x",
    "Files=s:file k-file k Ranks=s:rank k-rank k square all x in [Aa] typename x==s:typename right Files up Ranks x",
    "Ranks=s:rank k-rank t:k Files=s:file k-file k square all x in [Aa] s:piecename right Files up Ranks x==piecename x",
    "Ranks=s:rank K-rank K Files=s:file k-file k square all x in [Aa] piecename x==s:piecename up Ranks right Files x",
    "Ranks=rank K-s:rank K Files=file K-s:file K square all x in [Aa] piecename x==s:piecename up Ranks right Files x",
    "Ranks=s:rank K-rank K Files=s:file K-file K square all x in A piecename x==s:piecename up Ranks right Files x",
    "Ranks=s:rank K-rank K Files=s:file K-file K square all x in [Aa] piecename x==s:piecename down Ranks right Files x",
    "Ranks=s:rank K-rank K Files=0 if check Files=s:file K-file K square all x in [Aa] piecename x==s:piecename up Ranks right Files x",
];

const MEN: [&str; 4] = ["#[Aa]==s:#[Aa]", "s:#[Aa]==#[Aa] s:check", "#A==s:#A", "#[Aa]>1"];

#[test]
fn shifted_boards_are_alike_by_plan_where_they_are_alike_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let shifted = indexed::indexed(SHIFTED);
    let all = (SHAPES.len() * MEN.len()) as u64;
    let text = |number: u64| {
        let shape = SHAPES[(number % SHAPES.len() as u64) as usize];
        let men = MEN[(number / SHAPES.len() as u64 % MEN.len() as u64) as usize];
        let other = OTHERS[(number * 5 % OTHERS.len() as u64) as usize];
        let body = if number.is_multiple_of(2) {
            format!("{men} {other} {shape}")
        } else {
            format!("{shape} {men} {other}")
        };
        format!("echo (s t) {{{body}}}")
    };
    let needed = Shares {
        answered: 0.8,
        ..NEEDED
    };
    compare_on([&samples, &shifted.1], all + all / 2, needed, text);
    // They are looked for in all positions at once.
    let query = compiled(&format!("echo (s t) {{s<t {} {}}}", MEN[0], SHAPES[0]));
    let search = Search::new(&query, RunOptions::default());
    let plan = search.candidates().truth.to_string();
    assert!(plan.contains("with the same board, shifted"), "{plan}");
    let summary = search.run(&shifted.1, &mut |_| ()).expect("the search ends well");
    assert!((5..40).contains(&summary.evaluated), "{}", summary.evaluated);
    let plan = plan_of(&format!("echo (s t) {{s<t {} {}}}", MEN[3], SHAPES[0]));
    assert!(!plan.contains("shifted"), "{plan}");
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

/// What was found of single positions is kept; the next one is asked later, in the same games.
#[test]
fn positions_in_a_row_that_are_like_others_match_by_plan_as_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for comparison in COMPARISONS {
        let echo = format!("echo (s t) {{{comparison}}}");
        for text in [
            format!("not terminal {echo} child:{echo}"),
            format!("(line --> {{{echo}}}+) >= 3"),
        ] {
            found_by_both(&snapshot, &text, false);
        }
    }
}
