//! A path of one man, and that of another one elsewhere in the game that keeps to what the first one has noted: in variables
//! or in a dictionary, by the number of the move.

use super::random::Generator;
use super::routes::{Shares, compare_random};
use super::samples::plan_of;

const PIECES: [&str; 8] = ["A", "[QRBN]", "N", "[Rr]", "[Pp]", "[Kk]", "[QRBNqrbn]", "q"];

/// What the first man does and notes.
const NOTED: [&str; 14] = [
    "(-- Entries[pathcount]=to){2,}",
    "(-- Entries[pathcount]=to){1,2}",
    "(-- Entries[pathcount]=to)+",
    "(-- not to & Seen Seen=Seen|to Entries[pathcount]=to){2,}",
    "(-- Seen=to Entries[pathcount]=from){2}",
    "(-- Seen=to){2,}",
    "-- Seen=to --",
    "-- Entries[pathcount]=to --",
    "-- Entries[1]=to -- Entries[2]=to",
    "(--)* -- Entries[pathcount]=to",
    "-- Entries[pathcount]=X (--)?",
    "(-- Entries[pathcount]=to check){1,3}",
    "-- Entries[pathcount]=to -- Entries[2]=from (-- check)*",
    "(-- -- Entries[pathcount]=to){1,2}",
];

/// What the other one does.
const KEPT_TO: [&str; 12] = [
    "(-- Entries[pathcount]==to){2,}",
    "(-- Entries[pathcount]==to){1,2}",
    "(-- Entries[pathcount]==to)+",
    "-- Entries[pathcount]==to",
    "-- -- Entries[pathcount]==from",
    "-- Seen==to",
    "--Seen",
    "-- Entries[1]==to",
    "-- Entries[2] & to",
    "-- -- Entries[pathcount]==Y",
    "(--)* -- Entries[pathcount]==to",
    "-- not Entries[pathcount]==to",
];

/// Where the other one is looked for.
const PLACES: [&str; 8] = [
    "find {BODY}",
    "find {BODY}",
    "echo (S T) {T>S BODY}",
    "echo (S T) {S<T BODY}",
    "echo (S T) {BODY}",
    "echo (S T) {T<S BODY}",
    "find <-- {BODY}",
    "echo (S T) {(T>S or check) BODY}",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let first = generator.pick(&PIECES);
    let second = match generator.below(4) {
        0 => generator.pick(&PIECES).to_owned(),
        1 => format!("({} & ~X)", generator.pick(&PIECES)),
        _ => format!("({first} & ~X)"),
    };
    let noted = generator.pick(&NOTED);
    let followed = generator.pick(&KEPT_TO);
    let follows = match generator.below(3) {
        0 => format!("Length={{path focus Y {followed}}}"),
        1 => format!("sort \"length\" {{path focus Y {followed}}}"),
        _ => format!("{{path focus Y {followed}}}"),
    };
    // Another value, now and then.
    let between = generator.pick(&[
        "",
        "",
        "",
        "Entries[1]=K",
        "unbind Entries",
        "Seen=to",
        "if check Entries[2]=k",
    ]);
    let body = match generator.below(4) {
        0 => format!("piece Y in {second} {{{follows}}}"),
        // The man that moves next.
        _ => format!("piece Y={second}--(from) {follows}"),
    };
    let place = generator.pick(&PLACES).replace("BODY", &body);
    let keywords = generator.pick(&["", "", "", "firstmatch ", "nestban ", "2 9 "]);
    let query = format!("piece X in {first} {{Seen=[] {{path {keywords}focus X {noted}}} {between} {place}}}");
    let query = match generator.below(6) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {query}"),
        _ => query,
    };
    let local = generator.pick(&["local ", "local ", ""]);
    let unbind = generator.pick(&["", "unbind Entries "]);
    format!("{local}dictionary Entries {unbind}Seen=[] {query}")
}

#[test]
fn followers_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.5,
        selective: 0.2,
    };
    compare_random(25, needed, text);
}

#[test]
fn what_one_man_notes_another_one_is_bound_by() {
    for text in [
        "local dictionary D Seen=[] piece X in R {{path focus X (-- not to & Seen Seen=Seen|to D[pathcount]=to){3,}} \
         find {piece Y = (R & ~X)--(from) {path focus Y (-- D[pathcount]==to){3,}} true}}",
        "local dictionary D piece X = R {path focus X (-- D[pathcount]=to){2,}} \
         echo (S T) {T>S piece Y = (R & ~X) L={path focus Y (-- D[pathcount]==to){2,}} L>2}",
        "piece X = R--(from) {path focus X -- Z=to --} find {piece Y in (R & ~X) {path focus Y --Z}}",
    ] {
        let plan = plan_of(text);
        assert!(plan.contains("two men that "), "{text}: {plan}");
    }
}
