//! Queries of the whole language: what they find and leave by plan is what they find and leave by scan.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use evaluator::{GameResult, SimilarPlace, SimilarPositions};
use language::ParseOptions;
use language::hir::{Filter, Query};
use search::{Detail, Route, RunOptions, Search};
use storage::Snapshot;

use super::indexed;
use super::random::Grammar;
use super::routes::is_credible;
use super::samples::{samples, setting};
use super::sets::save_set;

/// Games with variations, comments and tags that queries of the grammar ask for, beside those of the samples.
const ANNOTATED: &str = include_str!("annotated.pgn");

/// The position that `similarposition` compares with: the start of the study.
const SIMILAR: &str = "8/6k1/8/8/3K4/7p/8/R7 w - - 0 1";

/// What a query finds in a game, and what it leaves there.
#[derive(Debug, PartialEq)]
struct Left {
    game: u64,
    positions: Vec<u32>,
    result: GameResult,
}

/// What a query finds and leaves, or its error.
#[derive(Debug, PartialEq)]
struct Outcome {
    games: Vec<Left>,
    messages: Vec<Vec<u8>>,
    persistent: Vec<(String, evaluator::Value)>,
    written: Option<String>,
}

/// What a text leaves by plan and by definition; `None` if it is no query.
fn in_both_ways(snapshot: &Snapshot, text: &str, folder: &Path) -> Option<[Result<Outcome, String>; 2]> {
    let parsed = language::parse(text, &ParseOptions::default()).ok()?;
    let as_written = language::expand_as_written(parsed.clone()).ok()?;
    let query = language::expand(parsed).ok()?;
    Some([
        outcome(snapshot, &query, Route::Plan, folder),
        outcome(snapshot, &as_written, Route::Definition, folder),
    ])
}

fn outcome(snapshot: &Snapshot, query: &Query, route: Route, folder: &Path) -> Result<Outcome, String> {
    let written = folder.join("out.cqo");
    // What an earlier query wrote is not this one's.
    let _ = std::fs::remove_file(&written);
    let mut table = SimilarPositions::default();
    let setup = SIMILAR
        .parse::<shakmaty::fen::Fen>()
        .expect("this is a FEN")
        .into_setup();
    let place = SimilarPlace {
        game: 1,
        move_number: 1,
    };
    table.add(&chess::Board::from_pieces(setup.board.iter(), setup.turn), place, true);
    let table = Arc::new(table);
    let options = RunOptions {
        route,
        detail: Detail::Results,
        files: Some(folder.to_owned()),
        similar: query.similar.iter().map(|_| Arc::clone(&table)).collect(),
        ..RunOptions::default()
    };
    let mut games = Vec::new();
    let summary = Search::new(query, options)
        .run(snapshot, &mut |game| {
            games.push(Left {
                game: game.number,
                positions: game.positions.iter().map(|position| position.node).collect(),
                result: game.result.clone(),
            });
        })
        .map_err(|error| error.to_string())?;
    Ok(Outcome {
        games,
        messages: summary.messages,
        persistent: summary.persistent,
        written: std::fs::read_to_string(written).ok(),
    })
}

/// The name of a node's kind, from what `Debug` prints first.
fn name_of(filter: &Filter) -> String {
    struct Head(String);

    impl fmt::Write for Head {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for sign in text.chars() {
                if !sign.is_ascii_alphanumeric() {
                    return Err(fmt::Error);
                }
                self.0.push(sign);
            }
            Ok(())
        }
    }

    let mut head = Head(String::new());
    // The error only ends the text behind the name.
    let _ = write!(head, "{:?}", filter.node);
    head.0
}

fn count(filter: &Filter, counts: &mut BTreeMap<String, u64>) {
    *counts.entry(name_of(filter)).or_default() += 1;
    filter.for_each_child(&mut |child| count(child, counts));
}

/// The kinds of nodes that there are, as the source names them.
fn kinds() -> Vec<&'static str> {
    let source = include_str!("../../query/language/src/hir/mod.rs");
    let (_, nodes) = source.split_once("pub enum Node {").expect("there is the type");
    let (nodes, _) = nodes.split_once("\n}").expect("the type ends");
    nodes
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|first: char| first.is_ascii_uppercase()))
        .map(|line| {
            line.split(|sign: char| !sign.is_ascii_alphanumeric())
                .next()
                .unwrap_or(line)
        })
        .collect()
}

/// What no text of CQL 6 is: nodes of older dialects, and those of expanded transforms.
const OF_OTHERS: [&str; 5] = ["AttackPairs", "RayCount", "Relation", "DiagramRelation", "Orbit"];

#[test]
fn the_grammar_makes_every_kind_of_node() {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let total = setting("CQLDEX_QUERIES", 20_000);
    let mut accepted = 0;
    for number in 0..total {
        let text = Grammar::new(number).query();
        if let Ok(query) = language::parse(&text, &ParseOptions::default()) {
            accepted += 1;
            count(&query.body, &mut counts);
        }
    }
    let mut kinds: Vec<(u64, &str)> = kinds()
        .into_iter()
        .filter(|kind| !OF_OTHERS.contains(kind))
        .map(|kind| (counts.get(kind).copied().unwrap_or(0), kind))
        .collect();
    kinds.sort_unstable();
    println!("{accepted} of {total} queries are accepted; kinds of nodes: {kinds:?}");
    assert!(kinds.len() > 140, "the source names all kinds");
    assert!(
        is_credible(accepted, total, 0.85),
        "many queries are refused: the grammar is at fault"
    );
    // A hundred in 20,000; of fewer queries less can be said.
    let least = if total >= 20_000 { total / 200 } else { total / 4000 };
    let rare: Vec<_> = kinds.iter().filter(|(count, _)| *count < least).collect();
    assert!(rare.is_empty(), "hardly any query has these: {rare:?}");
}

#[test]
fn variants_of_a_quiet_path_leave_the_comments_that_quiet_keeps() {
    let (_database, snapshot) = indexed::indexed(ANNOTATED);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for parameter in ["title \"here\"", "verbose", "piecepath", "keepallbest"] {
        let text = format!("flip {{path quiet {parameter} focus [QRBN]c6-7 --* --}}");
        let [by_plan, by_scan] = in_both_ways(&snapshot, &text, folder.path()).expect("it is a query");
        assert!(by_plan.is_ok(), "{text}");
        assert_eq!(by_plan, by_scan, "{text}");
    }
}

/// Found beside CQL 6.2: such a condition on many targets at once ended the program.
#[test]
fn the_target_of_an_echo_may_be_named_at_its_source() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for condition in [
        "s:(t:Q)",
        "s:(t:(s:(q attacks p)))",
        "s:{s<t Q attacks p}",
        "s:{t<s Q attacks p}",
    ] {
        let text = format!("echo quiet (s t) {{sidetomove=={{s:sidetomove}} {condition}}}");
        let [by_plan, by_scan] = in_both_ways(&snapshot, &text, folder.path()).expect("it is a query");
        assert!(
            by_plan.as_ref().is_ok_and(|outcome| !outcome.games.is_empty()),
            "{text}"
        );
        assert_eq!(by_plan, by_scan, "{text}");
    }
}

/// Found beside CQL 6.2: an alternative of a condition was not seen as a condition.
#[test]
fn an_alternative_that_is_no_condition_is_an_error_where_nothing_matches() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in [
        "comment((if check then (#Q != 3) else (abs #K))) false",
        "comment((if check then check else (#\"ab\"))) mate wtm btm",
        "x = 1 while (x < 3) {x += 1 comment((if false then (#Q != 3) else (abs #K)))} mate btm wtm",
    ] {
        let [by_plan, by_scan] = in_both_ways(&snapshot, text, folder.path()).expect("it is a query");
        assert!(by_scan.is_err(), "{text}");
        assert_eq!(by_plan, by_scan, "{text}");
    }
}

#[test]
fn queries_of_the_whole_language_leave_by_plan_what_they_leave_by_scan() {
    let (_database, snapshot) = indexed::indexed(ANNOTATED);
    save_set(&snapshot, "s0", "check");
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    std::fs::write(folder.path().join("similar.pgn"), "a text").expect("a file can be written");
    let (seed, total) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let (mut answered, mut selective, mut speaking) = (0, 0, 0);
    for number in 0..total {
        let text = Grammar::new(seed.wrapping_mul(7_000_003).wrapping_add(number)).query();
        let Some([by_plan, by_scan]) = in_both_ways(&snapshot, &text, folder.path()) else {
            continue;
        };
        assert_eq!(by_plan, by_scan, "query {number}: {text}");
        let Ok(outcome) = by_plan else { continue };
        answered += 1;
        let found: usize = outcome.games.iter().map(|left| left.positions.len()).sum();
        selective += u64::from(found > 0 && (found as u64) < snapshot.positions());
        let comments = outcome
            .games
            .iter()
            .any(|left| left.result.comments.len() > left.positions.len());
        speaking += u64::from(comments || !outcome.messages.is_empty());
    }
    println!(
        "{total} queries, {answered} answered, {selective} match some positions and not all, {speaking} leave comments or \
         messages"
    );
    for (what, found, least) in [
        ("answered", answered, 0.75),
        ("selective", selective, 0.3),
        ("speaking", speaking, 0.3),
    ] {
        assert!(
            is_credible(found, total, least),
            "hardly any query is {what}: the grammar is at fault"
        );
    }
}
