//! One truth: whatever the index is asked, it leaves the positions that the evaluator finds in all of them.
//!
//! `CQLDEX_QUERIES` sets how many random filters are tried, `CQLDEX_SEED` which.

#![expect(
    clippy::cast_possible_truncation,
    reason = "random numbers are reduced to small ones, and lists are short"
)]

#[path = "plan/alike.rs"]
mod alike;
mod annotated;
#[path = "plan/arithmetic.rs"]
mod arithmetic;
#[path = "plan/attackers.rs"]
mod attackers;
#[path = "plan/bindings.rs"]
mod bindings;
#[path = "plan/counted.rs"]
mod counted;
#[path = "plan/counted_moves.rs"]
mod counted_moves;
#[path = "plan/counters.rs"]
mod counters;
#[path = "plan/few_men.rs"]
mod few_men;
#[path = "plan/followed.rs"]
mod followed;
#[path = "plan/followers.rs"]
mod followers;
#[path = "plan/found.rs"]
mod found;
#[path = "plan/given_elsewhere.rs"]
mod given_elsewhere;
#[path = "plan/grammar.rs"]
mod grammar;
#[path = "plan/growth.rs"]
mod growth;
#[path = "plan/headers.rs"]
mod headers;
mod indexed;
#[path = "plan/last_moves.rs"]
mod last_moves;
#[path = "plan/lines.rs"]
mod lines;
#[path = "plan/loops.rs"]
mod loops;
#[path = "plan/maneuvers.rs"]
mod maneuvers;
#[path = "plan/moved_men.rs"]
mod moved_men;
#[path = "plan/moves.rs"]
mod moves;
#[path = "plan/neighbours.rs"]
mod neighbours;
#[path = "plan/nested_loops.rs"]
mod nested_loops;
#[path = "plan/path_values.rs"]
mod path_values;
#[path = "plan/pinned.rs"]
mod pinned;
#[path = "plan/places.rs"]
mod places;
#[path = "plan/possible.rs"]
mod possible;
#[path = "plan/pure_mates.rs"]
mod pure_mates;
mod random;
#[path = "plan/remembering.rs"]
mod remembering;
#[path = "plan/routes.rs"]
mod routes;
#[path = "plan/samples.rs"]
mod samples;
#[path = "plan/sets.rs"]
mod sets;
#[path = "plan/staying_pawns.rs"]
mod staying_pawns;
#[path = "plan/turns.rs"]
mod turns;
#[path = "plan/wanderers.rs"]
mod wanderers;
#[path = "plan/windows.rs"]
mod windows;
#[path = "plan/written.rs"]
mod written;

use language::{Dialect, ParseOptions};
use random::Generator;
use routes::{Outcomes, answer, compare_routes, is_bounded, is_credible};
use samples::{ODDITIES, compiled, headers, samples, setting};
use search::{Detail, Route, RunOptions, Search, Summary};
use storage::Snapshot;

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

#[test]
fn random_filters_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let Outcomes { answered, selective } = compare_routes(&snapshot, count, |number| {
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

/// What a search for a query did.
fn searched(snapshot: &Snapshot, text: &str) -> Summary {
    let summary = Search::new(&compiled(text), RunOptions::default()).run(snapshot, &mut |_| ());
    summary.expect("the search ends well")
}

#[test]
fn a_costly_part_of_a_conjunction_leaves_the_cheap_ones_what_they_exclude() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let attacks = "R attacks k k attacks R N attacks R k attacks N P attacks N a attacks A A attacks a ";
    let mates = searched(&snapshot, "mate").positions;
    for text in [
        format!("flipcolor {{ btm mate {attacks} }}"),
        format!("mate {attacks}{attacks}"),
        format!("{{ mate {attacks} }} or {{ mate check {attacks} }}"),
        format!("mate line --> . --> {{ {attacks} }}"),
    ] {
        assert!(searched(&snapshot, &text).evaluated <= mates, "{text}");
    }
}

#[test]
fn what_is_evaluated_for_the_sake_of_later_positions_is_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    // A match keeps others from beginning inside, so that all that begin before have to be known.
    let banned = searched(&snapshot, "{path nestban A-- (--){2}} p attacks K");
    let free = searched(&snapshot, "{path A-- (--){2}} p attacks K");
    assert!(banned.for_later > 0);
    assert_eq!(free.for_later, 0);
    assert!(banned.evaluated - banned.for_later <= free.candidates.max(free.evaluated));
}

#[test]
fn queries_with_variables_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let text = |number: u64| Generator::new(seed.wrapping_mul(4_000_037).wrapping_add(number)).program();
    let Outcomes { answered, selective } = compare_routes(&snapshot, count, text);
    let bounded = (0..count).filter(|number| is_bounded(&text(*number))).count() as u64;
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
    let Outcomes { answered, selective } = compare_routes(&snapshot, count, text);
    println!("{count} filters, {answered} answered, {selective} of them match some positions and not all");
    for (what, found) in [("answered", answered), ("selective", selective)] {
        assert!(
            is_credible(found, count, 0.5),
            "hardly any filter is {what}: the generator is at fault"
        );
    }
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
    let Outcomes { answered, selective } = outcomes;
    let bounded = (0..count).filter(|number| is_bounded(&text(*number))).count() as u64;
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
    let summary = searched(&plain, "clock < 60 R attacks k");
    assert_eq!((summary.positions, summary.evaluated, summary.bytes_read), (0, 0, 0));
}

#[test]
fn positions_of_side_lines_are_no_candidates_where_only_main_lines_are_searched() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    // Cheap and costly conditions, of which the last ones are left to the evaluator.
    let query = compiled(
        "piece X in (kb-d2 & makesquare (file K rank k)) {Here=currentposition piece Y in up 1 _ {path focus X --Here:Y}}",
    );
    let by_plan = answer(&snapshot, &query, false, Route::Plan);
    let by_scan = answer(&snapshot, &query, false, Route::Definition);
    assert_eq!(by_plan, by_scan);
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
fn games_with_variations_cost_no_others() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in ["find 2 wtm", "line --> check --> . --> not check", "path -- --e4"] {
        let query = compiled(text);
        let run = |route| {
            let options = RunOptions {
                variations: Some(true),
                route,
                ..RunOptions::default()
            };
            let search = Search::new(&query, options);
            let mut found = Vec::new();
            let summary = search.run(&snapshot, &mut |game| {
                found.extend(game.positions.iter().map(|position| (game.number, position.node)));
            });
            let told = search.told_plan(&snapshot, false).expect("the plan can be read");
            let told = told.expect("there are games");
            (
                found,
                summary.expect("the search ends well").evaluated,
                told.games_apart,
            )
        };
        let (by_plan, evaluated, apart) = run(Route::Plan);
        let (by_scan, all, _) = run(Route::Definition);
        assert_eq!(by_plan, by_scan, "{text}");
        assert!(0 < apart && apart < snapshot.games(), "{text}: {apart} games");
        assert!(0 < evaluated && evaluated < all / 2, "{text}: {evaluated} of {all}");
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
