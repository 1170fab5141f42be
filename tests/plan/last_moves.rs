//! The squares of the last move and of the next one, as sets.

use super::random::Generator;
use super::routes::{Shares, assert_bounded, compare_random};
use super::samples::compiled;
use search::{RunOptions, Search};

/// Sets of squares of a move.
const SQUARES: [&str; 14] = [
    "to",
    "to",
    "from",
    "from",
    "move to .",
    "move from .",
    "move previous to .",
    "move previous from .",
    "move to A",
    "move from [QRBN]",
    "move from P to d-e4-5",
    "parent:to",
    "child:from",
    "enpassantsquare",
];

/// What they are compared with.
const SETS: [&str; 14] = [
    "A",
    "a",
    "N",
    "[BR]",
    "[Rr]",
    "[Kk]",
    "[Pp]",
    "[QRBNqrbn]",
    "a-h3-6",
    "f1",
    "c-g1,c-g8",
    "_",
    "~[Pp]",
    "A attacks a",
];

/// Filters about squares of a move, which stand for S, and a set, T.
const FILTERS: [&str; 30] = [
    "S & T",
    "not S & T",
    "#(S | T) > 5",
    "#(S & T) == 1",
    "#S == 2",
    "~S & T",
    "S attacks T",
    "(S & T) attacks [qk]",
    "T attackedby (S & A)",
    "[kqr] attackedby (S & N) >= 2",
    "not a attacks (S & T)",
    "xray([BRbr] S [qQkK])",
    "xray((S & T) [qrk] [rbn])",
    "ray(T S [Kk])",
    "between(S T)",
    "pin from (S & T)",
    "pin through T to S",
    "up 1 S & T",
    "rank (S & T) > 4",
    "power (S & T) > 2",
    "F = S & T F attacks k",
    "F = S not F & T F",
    "square Z in S {Z & T}",
    "piece Z in S {Z & T Z attacks [qk]}",
    "S == T",
    "(if S & T then check else S)",
    "light S & T",
    "parent:T & S",
    "parent:{T & S}",
    "connectedpawns & S",
];

/// Where they are asked, as F.
const PLACES: [&str; 12] = [
    "{F}",
    "{F}",
    "{F}",
    "flipcolor {F}",
    "flip {F}",
    "not {F}",
    "find {F}",
    "A--(F)",
    "[Kk]--(F)",
    "path -- {F} --",
    "line --> {F} --> .",
    "not initial {F} or terminal",
];

/// A filter about the squares of a move.
fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let filter = generator.pick(&FILTERS);
    let mut pick = |list: &[&'static str]| format!("({})", generator.pick(list));
    let (squares, set) = (pick(&SQUARES), pick(&SETS));
    // First the letters that stand for others, as sets have letters, too.
    let filter = filter.replace('S', "{0}").replace('T', "{1}");
    let filter = filter.replace("{0}", &squares).replace("{1}", &set);
    generator.pick(&PLACES).replacen('F', &filter, 1)
}

#[test]
fn squares_of_the_last_move_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.8,
        selective: 0.6,
    };
    compare_random(8, needed, text);
    assert_bounded(8, 0.6, text);
}

#[test]
fn the_squares_of_most_moves_are_known_to_the_index() {
    for (text, is_exact) in [
        // Neither castles.
        ("to & N", true),
        (
            "flipcolor {btm Fork = to & Q not a attacks Fork [krbn] attackedby Fork >= 2}",
            true,
        ),
        // A target may see one square of castling alone.
        ("to & R attacks k", false),
        ("xray(B from q)", false),
    ] {
        let query = compiled(text);
        let search = Search::new(&query, RunOptions::default());
        let plan = search.candidates();
        assert_eq!(plan.exact, is_exact, "{text}: {}", plan.truth);
        assert_ne!(plan.truth, planner::Truth::Always, "{text}");
    }
}
