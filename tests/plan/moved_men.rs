//! Men that stand elsewhere some moves later, positions at a known distance, and loops that remember something in their first turn.

use super::random::Generator;
use super::routes::{Shares, compare_random};
use super::samples::plan_of;

const MEN: [&str; 7] = ["[Aa]", "◭", "A", "a", "R", "[Pp]", "a-h1-4"];

/// Men that are compared with a later position.
const COMPARED: [&str; 8] = [
    "{Later:X not X==Later:X}",
    "{Later:X not X==Later:X}",
    "{not Later:X==X Later:X}",
    "(Later:X and not X==Later:X)",
    "{Later:X X==Later:X}",
    "not X==Later:X",
    "{Later:X not X==Later:X X in a-d1-8}",
    "{Later:X not X==parent:X}",
];

/// The position that is meant, so many moves later.
fn later(generator: &mut Generator) -> String {
    let moves = generator.below(7);
    match generator.below(4) {
        0 => format!("C={moves} Later=position positionid+C"),
        1 => format!("C=2 C+={moves} Later=position C+positionid"),
        2 => format!("Later=position positionid-1+{moves}"),
        _ => format!("Later=position positionid+{moves}"),
    }
}

/// A loop over the men that compares their ways with that of the first one.
fn same_way(generator: &mut Generator) -> String {
    let by_rank = generator.pick(&["Later:rank X-rank X", "Later:rank X-rank X", "rank X-Later:rank X"]);
    let by_file = generator.pick(&["Later:file X-file X", "Later:file X-file X", "file X"]);
    let test = generator.pick(&["F==0", "F==0", "F==0", "F==1", "not F==1"]);
    let first = generator.pick(&[
        "V=RANK W=FILE F=1",
        "V=RANK W=FILE F=1",
        "F=1 V=RANK W=FILE",
        "V=RANK W=FILE F=0",
        "V=RANK V=V+1 W=FILE F=1",
        "V=RANK W=V F=1",
        "V=RANK W=FILE X attackedby A F=1",
    ]);
    let later = generator.pick(&[
        "V==RANK W==FILE",
        "V==RANK W==FILE",
        "RANK==V FILE==W",
        "V==RANK",
        "V>=RANK W==FILE",
        "V==RANK W==FILE V=2",
        "(V==RANK or W==FILE)",
    ]);
    let body = format!("if {test} {{{first}}} else {{{later}}}");
    let body = body.replace("RANK", by_rank).replace("FILE", by_file);
    let begin = generator.pick(&["F=0", "F=0", "F=0", "F=1", "if check F=0 else F=1", "true"]);
    let kind = generator.pick(&["piece all", "piece all", "piece all", "piece"]);
    let behind = generator.pick(&["", "", "V>0", "find {check W==0}"]);
    format!("{begin} {kind} X in Moved {body} {behind}")
}

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let later = later(&mut generator);
    let (men, compared) = (generator.pick(&MEN), generator.pick(&COMPARED));
    let least = generator.pick(&[
        "Moved>=2",
        "#Moved>2",
        "1<#Moved",
        "#Moved==2",
        "#Moved<3",
        "Moved",
        "true",
    ]);
    let ways = match generator.below(3) {
        0 => String::new(),
        _ => same_way(&mut generator),
    };
    let query = format!("{later} Moved=piece X in {men} {compared} {least} {ways}");
    match generator.below(6) {
        0 => {
            let query = query.replace("Later=position positionid", "Later=position Plies+positionid");
            let question = generator.pick(&["Ok==1", "Ok==0"]);
            format!(
                "function Asked(Plies) {{{query}}} Number=1 Ok=0 loop {{if Asked(Number) Ok=1 Number+=2 Number<=5}} {question}"
            )
        }
        1 => format!("not {{{query}}}"),
        2 => format!("find {{{query}}}"),
        _ => query,
    }
}

#[test]
fn men_that_stand_elsewhere_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.2,
    };
    compare_random(28, needed, text);
}

const THERE: [&str; 7] = [
    "check",
    "Q attacks k",
    "#A<8",
    "move from K",
    "parent:btm",
    "find mate",
    "not R",
];

#[test]
fn positions_at_a_known_distance_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.2,
    };
    compare_random(10, needed, |number| {
        let mut generator = Generator::new(number);
        let later = later(&mut generator);
        let (one, other) = (generator.pick(&THERE), generator.pick(&THERE));
        match generator.below(4) {
            0 => format!("{later} Later:{{{one} {other}}}"),
            1 => format!("{later} Later:{one} or {other}"),
            2 => format!("{later} not Later:{one} {other}"),
            _ => format!("X=k {later} Later:{{{one} X==k}}"),
        }
    });
}

#[test]
fn the_index_knows_how_men_stand_some_moves_later() {
    let moved = "Later=position positionid+4 Moved=piece x in ◭ {Later:x not x==Later:x}";
    let remembered = "V=Later:rank x-rank x W=Later:file x-file x Seen=1";
    let compared = "V==Later:rank x-rank x W==Later:file x-file x";
    let all = |turn: &str| format!("{moved} #Moved>=3 Seen=0 piece all x in Moved {turn}");
    let count = "3 or more of [Aa] stand elsewhere 4 moves later";
    for (query, expected) in [
        (format!("{moved} #Moved>2"), Some(count)),
        (format!("{moved} #Moved<2"), None),
        (
            all(&format!("if Seen==0 {{{remembered}}} else {{{compared}}}")),
            Some("3 or more of [Aa] stand elsewhere 4 moves later, and all of them go the same way"),
        ),
        (
            all(&format!("if Seen==0 {{{remembered}}} else {{V==W {compared}}}")),
            Some("go the same way"),
        ),
        (all(&format!("if Seen==0 {{{remembered}}} else {{V>=0}}")), Some(count)),
    ] {
        let plan = plan_of(&query);
        match expected {
            Some(expected) => assert!(plan.contains(expected), "{query}: {plan}"),
            None => assert!(!plan.contains("stand elsewhere"), "{query}: {plan}"),
        }
    }
}
