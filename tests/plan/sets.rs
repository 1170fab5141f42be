//! Queries about sets of positions that were saved.

use std::ops::ControlFlow;

use search::{Detail, Route, RunOptions, Search};
use storage::{NamedSet, Sections, Snapshot};

use super::indexed;
use super::random::Generator;
use super::routes::{answer, is_credible};
use super::samples::{ODDITIES, compiled, samples, setting};

/// What a set may hold, as filters that say the same wherever they stand.
pub(super) const OF_SETS: [&str; 8] = [
    "check",
    "R attacks k",
    "{wtm #P < 6}",
    "mate",
    "{#[Aa] > 20 #q == 0}",
    "initial",
    "{ply > 20 btm}",
    "terminal",
];

/// Queries about a set, which is written as `SET`; `OTHER` is any other filter.
pub(super) const ABOUT_SETS: [&str; 22] = [
    "SET",
    "not SET",
    "SET OTHER",
    "OTHER or SET",
    "if SET then OTHER else not OTHER",
    "flip {notransform SET or Ra1}",
    "flipcolor {notransform SET not OTHER}",
    "find SET",
    "find <-- {SET OTHER}",
    "{find all SET} > 1",
    "3 > {find <-- all {SET}}",
    "child:SET",
    "parent:{not SET}",
    "child:child:{SET or OTHER}",
    "(position 4):SET",
    "line --> SET --> not SET",
    "line --> {OTHER} --> SET* --> {wtm or SET}",
    "path -- (SET) --",
    "path (not SET) [x] (btm)",
    "echo (s t) {s:SET t:{not SET}}",
    "square x in k {x attackedby [QRBNP] SET}",
    "#R > 1 SET parent:SET",
];

/// Saves what a query finds as a set.
pub(super) fn save_set(snapshot: &Snapshot, name: &str, query: &str) {
    let query = compiled(query);
    let options = RunOptions {
        variations: Some(true),
        detail: Detail::Count,
        ..RunOptions::default()
    };
    let found = Search::new(&query, options).collect(snapshot, &Sections::new(), &mut |_| ControlFlow::Continue(()));
    let set = NamedSet {
        name: name.to_owned(),
        live: None,
        sections: found.expect("the search ends well").1,
    };
    snapshot.sets().save(&set, true).expect("the set can be saved");
}

#[test]
fn a_set_says_what_the_filter_says_that_it_was_saved_from() {
    let odd = indexed::indexed(ODDITIES);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 10);
    for snapshot in [&odd.1, &samples] {
        for (number, filter) in OF_SETS.iter().enumerate() {
            save_set(snapshot, &format!("s{number}"), filter);
        }
    }
    let mut selective = 0;
    for number in 0..count {
        let mut generator = Generator::new(seed.wrapping_mul(4_000_037).wrapping_add(number));
        let template = ABOUT_SETS[number as usize % ABOUT_SETS.len()];
        let index = (number as usize / ABOUT_SETS.len() + number as usize) % OF_SETS.len();
        let template = template.replace("OTHER", &format!("{{{}}}", generator.kernel()));
        let set = format!("positionset \"s{index}\"");
        let [with_set, with_filter] =
            [set.as_str(), OF_SETS[index]].map(|text| template.replace("SET", &format!("{{{text}}}")));
        let queries = [compiled(&with_set), compiled(&with_filter)];
        let mut matches = false;
        for (snapshot, variations) in [(&odd.1, true), (&odd.1, false), (&samples, number % 2 == 0)] {
            let [by_plan, by_scan] =
                [Route::Plan, Route::Definition].map(|route| answer(snapshot, &queries[0], variations, route));
            let expected = answer(snapshot, &queries[1], variations, Route::Definition);
            let place = || format!("query {number} (variations: {variations}): {with_set}");
            assert!(by_scan == expected, "{}: a set is not the filter", place());
            assert!(by_plan == by_scan, "{}: plan and scan differ", place());
            matches |= by_plan.is_ok_and(|found| !found.is_empty() && found.len() as u64 != snapshot.positions());
        }
        selective += u64::from(matches);
    }
    println!("{count} queries about sets, {selective} of them tell positions apart");
    assert!(
        is_credible(selective, count, 0.6),
        "hardly any query tells positions apart: the templates are at fault"
    );
}

#[test]
fn a_query_about_a_set_alone_is_answered_by_the_index() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    save_set(&snapshot, "checks", "check");
    let options = || RunOptions {
        variations: Some(true),
        detail: Detail::Count,
        ..RunOptions::default()
    };
    let summary = |text: &str| {
        let query = compiled(text);
        let search = Search::new(&query, options());
        let summary = search.run(&snapshot, &mut |_| ()).expect("the search ends well");
        let plan = search
            .told_plan(&snapshot, true)
            .expect("the plan can be read")
            .expect("there are games");
        (summary, plan.line)
    };
    let (expected, _) = summary("check");
    let (found, plan) = summary("positionset \"checks\"");
    assert_eq!(
        (found.positions, found.games, found.evaluated),
        (expected.positions, expected.games, 0)
    );
    // The plan knows how many there are.
    assert_eq!(plan.text, "positionset \"checks\"");
    assert_eq!(
        (plan.expected, plan.actual.map(|(count, _)| count)),
        (found.positions, Some(found.positions))
    );
    let query = compiled("wtm positionset \"cheks\"");
    let error = Search::new(&query, options())
        .run(&snapshot, &mut |_| ())
        .expect_err("there is no such set");
    let search::SearchError::Query(error) = error else {
        panic!("{error}")
    };
    assert_eq!((error.code, error.span.range()), (language::Code::UnknownSet, 4..23));
    assert_eq!(error.help.as_deref(), Some("it has checks"));
}
