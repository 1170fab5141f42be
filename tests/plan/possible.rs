//! The squares to which legal and pseudolegal moves lead.

use super::random::Generator;
use super::routes::{Shares, compare_random};

/// The men that may move.
const MEN: [&str; 20] = [
    "A",
    "a",
    "[Aa]",
    "[Pp]",
    "[Kk]",
    "K",
    "k",
    "[QRBN]",
    "[qrbn]",
    "[Nn]",
    "R",
    "q",
    "[Pp]a-h2-4",
    "[Pp]a-h5-7",
    "[KRkr]a-h1,a-h8",
    "(. & ~pin)",
    "pin",
    "([RrBb] attackedby [Aa])",
    ".",
    "(A|[kp])",
];

/// Where they may go.
const TARGETS: [&str; 14] = [
    "",
    "",
    "",
    "_",
    "[Aa]",
    "a-h3,a-h6",
    "a-h1,a-h8",
    "g1,g8,c1,c8",
    "([Aa] attackedby [Aa])",
    "~(. attackedby a)",
    "~(. attackedby [Pp])",
    "[QqRr]",
    "dark .",
    "(anydirection 1 [Kk])",
];

/// Questions about the moves; `MOVES` are some of `MEN` to some of `TARGETS`.
const FILTERS: [&str; 27] = [
    "MOVES",
    "not MOVES",
    "#(MOVES) >= N",
    "#(MOVES) == N",
    "Goals = MOVES #Goals <= N",
    "square T in MOVES {[Aa] attacks T not T & [Pp]}",
    "square all T in MOVES {[Aa] attacks T}",
    "square all T in MOVES {T attackedby A or P attacks T}",
    "Goals = MOVES square all T in Goals {T & a-h4-5 or T & [Aa]}",
    "piece V in MEN {not V & pin #(WORD V--) == N}",
    "piece V in MEN {WORD V--TARGETS}",
    "piece V in MEN {not WORD V--TARGETS V attackedby [Aa]}",
    "piece V in MEN square all T in WORD V-- {[Aa] attacks T}",
    "square V in MEN {not WORD V--TARGETS}",
    "square all V in MEN {WORD V--}",
    "square all V in MEN {Goals = WORD V-- square all T in Goals {a attacks T or T & [Pp]}}",
    "square T in TARGETS {WORD MEN--T}",
    "square T in TARGETS {not WORD MEN--T [Aa] attacks T}",
    "#{square T in TARGETS WORD MEN--T} > N",
    "not MOVES & TARGETS",
    "(MOVES) == (WORD MEN--)",
    "(MOVES) in (. attackedby [Aa])",
    "check MOVES",
    "#(move to . from MEN WORD) > N",
    "#(move to TARGETS from MEN WORD) == N",
    "Count = 0 square T in MOVES {[Aa] attacks T Count += 1} Count > N",
    "Count = 0 piece V in MEN {if WORD V--TARGETS then Count += 1} Count == N",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let (men, word) = (generator.pick(&MEN), generator.pick(&["legal", "legal", "pseudolegal"]));
    let targets = generator.pick(&TARGETS);
    let filter = generator.pick(&FILTERS);
    let needs_squares = filter.contains(" in TARGETS") || filter.contains("to TARGETS") || filter.contains("& TARGETS");
    let targets = match targets {
        "" if needs_squares => ".",
        targets => targets,
    };
    let filter = filter
        .replace("MOVES", &format!("({word} {men}--{targets})"))
        .replace("MEN", men)
        .replace("TARGETS", targets)
        .replace("WORD", word)
        .replace('N', &generator.below(6).to_string());
    match generator.below(6) {
        0 => format!("flipcolor {{{filter}}}"),
        1 => format!("not check {filter}"),
        2 => format!("not {{{filter}}}"),
        _ => filter,
    }
}

#[test]
fn targets_of_possible_moves_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.7,
        selective: 0.3,
    };
    compare_random(8, needed, text);
}
