//! Shards give what one database gives.

use std::num::NonZeroU64;
use std::path::Path;

use cqldex::{Detail, Dialect, MatchWriter, Query, SearchOptions, Sorted, Summary};
use cqldex_cluster::{Ask, Cut, Error, Place, Runner, Shape, add};
use tempfile::TempDir;

use crate::cases::{Case, Digest, are_needed, cases, folder};
use crate::support::{here, index, matches, reading, run, sample_database, sample_shards};

/// The digest of an answer in any order.
fn digest(found: &mut [(i64, i64)]) -> String {
    found.sort_unstable();
    let mut digest = Digest::default();
    for game in found.chunk_by(|a, b| a.0 == b.0) {
        digest.add(game[0].0, game.iter().map(|(_, position)| position));
    }
    digest.finish()
}

#[test]
fn every_case_has_its_answer() {
    let Some(folder) = folder() else {
        assert!(!are_needed(), "the conformance cases are not there");
        return;
    };
    let work = TempDir::new().unwrap();
    let database = work.path().join("games.db");
    index(&database, &[folder.join("games.pgn")]);
    let place = Place::create(work.path().join("shards").to_str().unwrap()).unwrap();
    // Most of the time goes into a plan for each shard.
    let shards = 16;
    let cut = Cut::Shards(NonZeroU64::new(shards).unwrap());
    let added = run(add(&place, &[database], cut, None, &())).unwrap();
    assert_eq!(added.shards.len() as u64, shards);
    let runner = here();
    let (mut asked, mut refused, mut wrong) = (0, 0, Vec::new());
    for file in ["positions.jsonl", "games.jsonl", "unicode.jsonl"] {
        for case in cases::<Case>(&folder.join(file)) {
            asked += 1;
            let ask = Ask {
                variations: Some(case.variations),
                ..Ask::new(place.name(), &case.query, Shape::Report)
            };
            match matches(&runner, ask) {
                Ok((mut found, totals)) => {
                    let counts = (totals.games, totals.positions) == (case.games, case.positions);
                    if !counts || digest(&mut found) != case.digest {
                        wrong.push(format!("{}: {} {}", case.id, totals.positions, case.query));
                    }
                }
                Err(Error::Unsupported(_)) => refused += 1,
                Err(error) => wrong.push(format!("{}: {error}: {}", case.id, case.query)),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(refused, 0, "of {asked} cases");
}

#[test]
fn every_question_has_its_answer() {
    let (_folder, place) = sample_shards(5);
    let runner = here();
    let database = reading(sample_database());
    let questions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/queries.txt");
    let questions = std::fs::read_to_string(questions).unwrap();
    let is_title = |line: &str| line.starts_with('[') && line.ends_with(']');
    let is_query = |line: &&str| !line.is_empty() && !line.starts_with("//") && !is_title(line);
    let questions: Vec<&str> = questions.lines().filter(is_query).collect();
    assert!(questions.len() > 70);
    for question in questions {
        let query = Query::parse(question, Dialect::Auto).unwrap();
        let expected = database.count(&query).unwrap();
        let (found, totals) = matches(&runner, Ask::new(place.name(), question, Shape::Report)).unwrap();
        assert_eq!(
            (totals.games, totals.positions),
            (expected.games, expected.positions),
            "{question}"
        );
        assert_eq!(found.len() as u64, expected.positions, "{question}");
        assert_eq!(totals.games_searched, expected.games_searched, "{question}");
    }
}

/// Keeps games and positions in the order in which they come.
struct Kept(Vec<(i64, i64)>);

impl MatchWriter for Kept {
    fn game(&mut self, game: cqldex::GameMatch) -> cqldex::Result<()> {
        let number = i64::try_from(game.number).unwrap();
        self.0
            .extend(game.positions.iter().map(|position| (number, i64::from(position.node))));
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> cqldex::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        Ok(())
    }
}

fn in_order(query: &str, limit: Option<u64>) -> Vec<(i64, i64)> {
    let database = reading(sample_database());
    let query = Query::parse(query, Dialect::Auto).unwrap();
    let options = SearchOptions {
        detail: Detail::Results,
        ..SearchOptions::default()
    };
    let mut sorted = Sorted::new(Kept(Vec::new()), &query, limit);
    sorted.write_matches(database.search(&query, options)).unwrap();
    let mut found = sorted.into_inner().0;
    found.truncate(limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap()));
    found
}

#[test]
fn orders_are_merged() {
    let (_folder, place) = sample_shards(7);
    let runner: Runner = here();
    for query in [
        "mate",
        "check sort \"men\" #[Aa]",
        "check sort min \"men\" #[Aa]",
        "cql(sort matchcount 1 1000) check",
        "terminal sort player white sort min \"length\" ply",
        "cql(gamenumber 10 40) A attacks k",
        "gamenumber == 33 check",
        "check sort \"knights\" {#N > 1 #n}",
    ] {
        for limit in [None, Some(0), Some(1), Some(17), Some(100_000)] {
            let ask = Ask {
                limit,
                ..Ask::new(place.name(), query, Shape::Report)
            };
            let (found, totals) = matches(&runner, ask).unwrap();
            assert_eq!(found, in_order(query, limit), "{query} {limit:?}");
            assert_eq!(
                totals.positions,
                in_order(query, None).len() as u64,
                "{query} {limit:?}"
            );
        }
    }
}

#[test]
fn what_needs_all_games_is_refused() {
    let (_folder, place) = sample_shards(2);
    for query in [
        "persistent x += 1",
        "message \"found\" mate",
        "\"Tal\" in readfile \"names\"",
    ] {
        let asked = matches(&here(), Ask::new(place.name(), query, Shape::Report));
        assert!(matches!(asked, Err(Error::Unsupported(_))), "{query}: {asked:?}");
    }
}
