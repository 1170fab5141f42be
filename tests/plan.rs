//! One truth: whatever the index is asked, it leaves the positions that the evaluator finds in all of them.
//!
//! `CQLDEX_QUERIES` sets how many random filters are tried, `CQLDEX_SEED` which.

#![expect(
    clippy::cast_possible_truncation,
    reason = "random numbers are reduced to small ones, and lists are short"
)]

mod annotated;
#[path = "plan/counters.rs"]
mod counters;
#[path = "plan/grammar.rs"]
mod grammar;
#[path = "plan/growth.rs"]
mod growth;
mod indexed;
#[path = "plan/moves.rs"]
mod moves;
mod random;

use std::ops::ControlFlow;
use std::path::Path;

use indexer::Options;
use language::{Dialect, ParseOptions};
use random::Generator;
use search::{Detail, Route, RunOptions, Search};
use storage::{Database, NamedSet, Sections, Snapshot};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// What a query finds, and what it leaves outside of the games.
#[derive(Debug, PartialEq)]
struct Outcome {
    found: Vec<(u64, u32)>,
    messages: Vec<Vec<u8>>,
    persistent: Vec<(String, evaluator::Value)>,
}

/// Games and positions that a query finds, or its error.
fn answer(
    snapshot: &Snapshot,
    query: &language::hir::Query,
    variations: bool,
    route: Route,
) -> Result<Vec<(u64, u32)>, String> {
    outcome(snapshot, query, variations, route).map(|outcome| outcome.found)
}

/// The same, with what it leaves outside of the games. By plan it is asked twice: where men stand is read from lists, and,
/// where that is possible, from boards.
fn outcome(
    snapshot: &Snapshot,
    query: &language::hir::Query,
    variations: bool,
    route: Route,
) -> Result<Outcome, String> {
    let options = |boards| RunOptions {
        variations: Some(variations),
        route,
        boards: Some(boards),
        ..RunOptions::default()
    };
    let by_lists = outcome_with(snapshot, query, options(false));
    if route == Route::Plan {
        assert_eq!(
            outcome_with(snapshot, query, options(true)),
            by_lists,
            "boards and lists"
        );
    }
    by_lists
}

fn outcome_with(snapshot: &Snapshot, query: &language::hir::Query, options: RunOptions) -> Result<Outcome, String> {
    let mut found = Vec::new();
    let summary = Search::new(query, options)
        .run(snapshot, &mut |game| {
            found.extend(game.positions.iter().map(|position| (game.number, position.node)));
        })
        .map_err(|error| error.to_string())?;
    Ok(Outcome {
        found,
        messages: summary.messages,
        persistent: summary.persistent,
    })
}

/// Whether it is credible that only `found` of `of` are what each is with a probability: less would come by chance once in
/// a million runs.
fn is_credible(found: u64, of: u64, probability: f64) -> bool {
    let odds = (probability / (1.0 - probability)).ln();
    // The logarithm of the probability of exactly `number`, and the sum of these probabilities.
    let (mut exactly, mut at_most) = (of as f64 * (1.0 - probability).ln(), 0.0);
    for number in 0..=found {
        at_most += exactly.exp();
        exactly += odds + ((of - number) as f64 / (number + 1) as f64).ln();
    }
    at_most > 1e-6
}

#[test]
fn what_is_credible_depends_on_how_many_there_are() {
    for (found, of, expected) in [
        (0, 10, true),
        (0, 100, false),
        (5, 100, false),
        (9, 100, true),
        (60, 600, false),
        (150, 600, true),
    ] {
        assert_eq!(is_credible(found, of, 0.25), expected, "{found} of {of}");
    }
}

/// A query that has to be accepted.
fn accepted(text: &str) -> language::hir::ParsedQuery {
    let parsed = language::parse(text, &ParseOptions::default());
    parsed.unwrap_or_else(|errors| panic!("`{text}` is not accepted: {}", errors[0].message))
}

/// A query that has to be accepted, with its transforms expanded.
fn compiled(text: &str) -> language::hir::Query {
    language::expand(accepted(text)).unwrap_or_else(|error| panic!("`{text}` can't be expanded: {error}"))
}

/// The games of the samples, indexed.
fn samples(folder: &Path) -> Database {
    let mut database = Database::create(folder.join("db")).expect("a database can be created");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    indexer::index(&mut database, &[samples], &Options::default(), &()).expect("the samples are indexed");
    database
}

#[test]
fn games_that_are_not_wanted_are_not_counted_either() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let options = ParseOptions {
        game_filters: vec!["player \"Lasker\"".to_owned()],
        ..ParseOptions::default()
    };
    let query = language::compile("wtm", Dialect::Cql6, &options).expect("the query is accepted");
    let [counted, listed] = [Detail::Count, Detail::Positions].map(|detail| {
        let options = RunOptions {
            detail,
            ..RunOptions::default()
        };
        let summary = Search::new(&query, options).run(&snapshot, &mut |_| ());
        let summary = summary.expect("the search ends well");
        (summary.games, summary.positions)
    });
    assert_eq!(counted, listed);
    assert!(counted.0 > 0 && counted.0 < snapshot.games(), "some games are Lasker's");
}

#[test]
fn echoes_match_where_every_target_is_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 10);
    let mut selective = 0;
    for number in 0..count {
        let mut generator = Generator::new(seed.wrapping_mul(2_000_003).wrapping_add(number));
        let (taken_apart, whole) = generator.echo_in_two_ways(1);
        let [taken_apart, whole] = [taken_apart, whole].map(|text| {
            let query = compiled(&text);
            let found = answer(&snapshot, &query, number % 2 == 0, Route::Definition);
            (text, found)
        });
        assert_eq!(
            taken_apart.1, whole.1,
            "echo {number}: {} and {}",
            taken_apart.0, whole.0
        );
        selective += u64::from(taken_apart.1.is_ok_and(|found| !found.is_empty()));
    }
    println!("{count} echoes, {selective} match");
    assert!(
        is_credible(selective, count, 0.5),
        "hardly any echo matches: the generator is at fault"
    );
}

/// What hardly any game has: kings attacked that are not to move, at the start, after null moves and in variations; double
/// checks; kings side by side; more queens than the index counts; pawns in rows.
const ODDITIES: &str = r#"
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"]

1. Kd1 Kf7 2. -- Kg8 3. Re8+ -- 4. Kc1 (4. -- Kg7 5. Re7+ --) 4... Kg7 *

[SetUp "1"]
[FEN "3rk3/8/4N3/8/8/8/4R3/4K2b b - - 0 1"]

1... Ba8 2. Nc7+ Kf8 3. Ne6+ -- 4. -- Ke7 5. Nxd8+ Kxd8 *

[SetUp "1"]
[FEN "8/8/8/3kK3/8/1q6/8/8 w - - 0 1"]

1. Kf4 Qb8+ 2. -- Qf8+ *

[SetUp "1"]
[FEN "QQQQQQ2/QQQQQ1pk/8/p1p1p1P1/P1P1P1PP/7p/qqqqqq2/K2qqq2 w - - 0 1"]

1. -- h2 2. -- h1=Q 3. -- Kh6 *

1. e4 e5 2. Qh5 -- 3. Qxf7+ -- 4. Bc4 -- (4... -- 5. Nf3 --) 5. Ke2 -- *

1. e4 e5 2. Nf3 Nc6 3. Bb5 d6 4. Nxe5 Bd7 5. Bxc6 bxc6 6. Qh5 dxe5 7. Qxf7# *
"#;

#[test]
fn what_is_computed_for_many_positions_at_once_is_right_in_odd_games() {
    let odd = indexed::indexed(ODDITIES);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 3);
    let mut matched = 0;
    for number in 0..count {
        let text = Generator::new(seed.wrapping_mul(3_000_017).wrapping_add(number)).kernel();
        let query = compiled(&text);
        let mut matches = false;
        for (snapshot, variations) in [(&odd.1, true), (&odd.1, false), (&samples, number % 2 == 0)] {
            let by_plan = answer(snapshot, &query, variations, Route::Plan);
            let by_scan = answer(snapshot, &query, variations, Route::Definition);
            assert_eq!(by_plan, by_scan, "query {number} (variations: {variations}): {text}");
            matches |= by_plan.is_ok_and(|found| !found.is_empty());
        }
        matched += u64::from(matches);
    }
    println!("{count} queries, {matched} match somewhere");
    assert_eq!(odd.1.games(), 6, "all odd games are there");
    assert!(
        is_credible(matched, count, 0.3),
        "hardly any query matches: the generator is at fault"
    );
}

/// What came of random queries by plan and by scan.
#[derive(Default)]
struct Outcomes {
    /// Queries that ended without an error.
    answered: u64,
    /// Those that match some positions and not all.
    selective: u64,
    /// Those of which the index says something.
    bounded: u64,
}

/// Asks random queries by plan and by scan, some of them with variations, and compares the answers. Texts that are no
/// queries are left out: some sort by what is always the same, or assign what has another kind.
fn compare_routes(snapshot: &Snapshot, count: u64, text: impl Fn(u64) -> String) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for number in 0..count {
        let text = text(number);
        let Ok(parsed) = language::parse(&text, &ParseOptions::default()) else {
            continue;
        };
        let Ok(as_written) = language::expand_as_written(parsed.clone()) else {
            continue;
        };
        let Ok(query) = language::expand(parsed) else { continue };
        let variations = number % 3 == 0;
        let by_plan = outcome(snapshot, &query, variations, Route::Plan);
        let by_scan = outcome(snapshot, &as_written, variations, Route::Definition);
        assert_eq!(by_plan, by_scan, "query {number} (variations: {variations}): {text}");
        if let Ok(Outcome { found, .. }) = by_plan {
            let unbounded = planner::Truth::Always;
            outcomes.answered += 1;
            outcomes.selective += u64::from(!found.is_empty() && (found.len() as u64) < snapshot.positions());
            outcomes.bounded += u64::from(Search::new(&query, RunOptions::default()).candidates().truth != unbounded);
        }
    }
    outcomes
}

#[test]
fn random_filters_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let Outcomes {
        answered, selective, ..
    } = compare_routes(&snapshot, count, |number| {
        Generator::new(seed.wrapping_mul(1_000_003).wrapping_add(number)).truth(3)
    });
    println!("{count} filters, {answered} answered, {selective} of them match some positions and not all");
    assert!(
        is_credible(answered, count, 0.9),
        "hardly any filter is answered: the generator is at fault"
    );
    assert!(
        is_credible(selective, count, 0.5),
        "hardly any filter tells positions apart: the generator is at fault"
    );
}

#[test]
fn a_costly_part_of_a_conjunction_leaves_the_cheap_ones_what_they_exclude() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let evaluated = |text: &str| {
        let query = compiled(text);
        let summary = Search::new(&query, RunOptions::default()).run(&snapshot, &mut |_| ());
        summary.expect("the search ends well").evaluated
    };
    let attacks = "R attacks k k attacks R N attacks R k attacks N P attacks N a attacks A A attacks a ";
    let mates = {
        let query = compiled("mate");
        let summary = Search::new(&query, RunOptions::default()).run(&snapshot, &mut |_| ());
        summary.expect("the search ends well").positions
    };
    for text in [
        format!("flipcolor {{ btm mate {attacks} }}"),
        format!("mate {attacks}{attacks}"),
        format!("{{ mate {attacks} }} or {{ mate check {attacks} }}"),
        format!("mate line --> . --> {{ {attacks} }}"),
    ] {
        assert!(evaluated(&text) <= mates, "{text}");
    }
}

#[test]
fn queries_with_variables_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let Outcomes {
        answered,
        selective,
        bounded,
    } = compare_routes(&snapshot, count, |number| {
        Generator::new(seed.wrapping_mul(4_000_037).wrapping_add(number)).program()
    });
    println!("{count} queries, {answered} answered, {bounded} bounded, {selective} match some positions and not all");
    assert!(
        is_credible(answered, count, 0.9),
        "hardly any query is answered: the generator is at fault"
    );
    assert!(
        is_credible(bounded, count, 0.7),
        "the index says nothing of most queries with variables"
    );
    assert!(
        is_credible(selective, count, 0.15),
        "hardly any query tells positions apart: the generator is at fault"
    );
}

#[test]
fn imagined_positions_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (_odd_folder, odd) = indexed::indexed(ODDITIES);
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 300));
    let text = |number: u64| Generator::new(seed.wrapping_mul(6_000_011).wrapping_add(number)).imagined();
    compare_routes(&odd, count, text);
    let Outcomes {
        answered, selective, ..
    } = compare_routes(&snapshot, count, text);
    println!("{count} filters, {answered} answered, {selective} of them match some positions and not all");
    for (what, found) in [("answered", answered), ("selective", selective)] {
        assert!(
            is_credible(found, count, 0.5),
            "hardly any filter is {what}: the generator is at fault"
        );
    }
}

/// Some games with all sorts of headers, a few of them in each segment.
fn headers(folder: &Path) -> Database {
    let mut generator = Generator::new(7);
    let mut database = Database::create(folder.join("headers")).expect("a database can be created");
    for part in 0..3 {
        let games: String = (0..150).map(|_| generator.game()).collect();
        let path = folder.join(format!("{part}.pgn"));
        std::fs::write(&path, games).expect("a file can be written");
        indexer::index(&mut database, &[path], &Options::default(), &()).expect("the games are indexed");
    }
    database
}

#[test]
fn clocks_and_evaluations_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let (odd_folder, odd) = indexed::indexed(ODDITIES);
    let snapshots = [
        annotated::annotated(&samples(folder.path()).snapshot(), folder.path()).snapshot(),
        annotated::annotated(&odd, odd_folder.path()).snapshot(),
    ];
    assert!(snapshots[0].segments().len() > 1, "there are several segments");
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let text = |number: u64| {
        let mut generator = Generator::new(seed.wrapping_mul(5_000_011).wrapping_add(number)).with_quantities();
        match number % 2 {
            0 => generator.annotated(),
            _ => generator.truth(3),
        }
    };
    let outcomes = compare_routes(&snapshots[0], count, text);
    compare_routes(&snapshots[1], count / 2, text);
    let Outcomes {
        answered,
        selective,
        bounded,
    } = outcomes;
    println!("{count} filters, {answered} answered, {bounded} bounded, {selective} match some positions and not all");
    for (what, found) in [("answered", answered), ("bounded", bounded), ("selective", selective)] {
        assert!(
            is_credible(found, count, 0.5),
            "hardly any filter is {what}: the generator is at fault"
        );
    }
}

#[test]
fn the_index_answers_what_is_asked_of_clocks_and_evaluations() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = annotated::annotated(&samples(folder.path()).snapshot(), folder.path()).snapshot();
    for text in [
        "clock white < 60",
        "movetime > 5 btm",
        "flipcolor {btm evalchange <= -100}",
        "clock black - clock white > 5",
        "abs eval > 31000",
        "(if wtm then eval else eval black) < -200",
    ] {
        let query = compiled(text);
        let search = Search::new(&query, RunOptions::default());
        let summary = search.run(&snapshot, &mut |_| ());
        let summary = summary.expect("the search ends well");
        assert!(search.candidates().exact, "{text}");
        assert!(
            summary.positions > 0 && summary.positions < snapshot.positions(),
            "{text}"
        );
    }
    let plain = samples(folder.path().join("plain").as_path()).snapshot();
    let query = compiled("clock < 60 R attacks k");
    let summary = Search::new(&query, RunOptions::default()).run(&plain, &mut |_| ());
    let summary = summary.expect("the search ends well");
    assert_eq!((summary.positions, summary.evaluated, summary.bytes_read), (0, 0, 0));
}

#[test]
fn where_no_game_has_variations_they_cost_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = headers(folder.path()).snapshot();
    for (text, found) in [
        ("initial find {ply == 1}", 450),
        ("terminal ply == 1", 450),
        ("wtm find --e4", 450),
    ] {
        let query = compiled(text);
        let options = RunOptions {
            variations: Some(true),
            ..RunOptions::default()
        };
        let summary = Search::new(&query, options).run(&snapshot, &mut |_| ());
        let summary = summary.expect("the search ends well");
        assert_eq!((summary.positions, summary.evaluated), (found, 0), "{text}");
    }
}

#[test]
fn where_few_positions_are_left_men_are_read_from_boards() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for (text, variations) in [
        ("mate not k attacks [A_]", false),
        ("mate not k attacks [A_]", true),
        ("enpassant A attacks a", true),
        ("mate parent:{a attacks k or A attacks k}", false),
        ("check find mate not k attacks [A_]", true),
    ] {
        let query = compiled(text);
        let run = |route, boards| {
            let options = RunOptions {
                variations: Some(variations),
                route,
                boards: Some(boards),
                ..RunOptions::default()
            };
            let mut found = Vec::new();
            let summary = Search::new(&query, options).run(&snapshot, &mut |game| {
                found.extend(game.positions.iter().map(|position| (game.number, position.node)));
            });
            let stages = summary.expect("the search ends well").stages;
            (found, stages.iter().map(|stage| stage.by_boards).sum::<u64>())
        };
        let (by_lists, none) = run(Route::Plan, false);
        let (by_boards, some) = run(Route::Plan, true);
        assert_eq!(by_lists, run(Route::Definition, false).0, "{text}");
        assert_eq!(by_boards, by_lists, "{text}");
        assert_eq!(none, 0, "{text}");
        println!("{text}: {some} positions");
        assert!(some > 0 || text.contains("find") || text.contains("parent"), "{text}");
    }
}

#[test]
fn filters_on_headers_match_by_column_where_they_match_game_by_game() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = headers(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let (mut some, mut exact) = (0, 0);
    for number in 0..count {
        let mut generator = Generator::new(seed.wrapping_mul(3_000_017).wrapping_add(number));
        let text = generator.header(3);
        let query = compiled(&text);
        exact += u64::from(Search::new(&query, RunOptions::default()).candidates().exact);
        let by_plan = answer(&snapshot, &query, false, Route::Plan);
        let by_scan = answer(&snapshot, &query, false, Route::Definition);
        assert_eq!(by_plan, by_scan, "query {number}: {text}");
        let found = by_plan.expect("a filter on headers has an answer");
        some += u64::from(!found.is_empty() && found.len() as u64 != snapshot.positions());
    }
    println!("{count} filters on headers, {some} tell games apart, {exact} are exact");
    assert!(
        is_credible(some, count, 0.7),
        "hardly any filter tells games apart: the generator is at fault"
    );
    assert!(
        is_credible(exact, count, 0.9),
        "hardly any filter is answered by the headers alone"
    );
}

/// What a set may hold, as filters that say the same wherever they stand.
const OF_SETS: [&str; 8] = [
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
const ABOUT_SETS: [&str; 22] = [
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
fn save_set(snapshot: &Snapshot, name: &str, query: &str) {
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
            .plan_lines(&snapshot, true)
            .expect("the plan can be read")
            .expect("there are games");
        (summary, plan.0)
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
