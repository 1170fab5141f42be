//! Questions in SQL.

use std::collections::BTreeSet;

use cqldex::{Dialect, Query};
use cqldex_cluster::{Ask, Shape};

use crate::support::{here, matches, printed, program, reading, run, sample_database, sample_shards, table};

#[test]
fn answers_are_counted_in_groups() {
    let (_folder, place) = sample_shards(4);
    let name = place.name();
    let count = |query: &str| {
        let database = reading(sample_database());
        database.count(&Query::parse(query, Dialect::Auto).unwrap()).unwrap()
    };
    let runner = here();
    let sql = |what: &str| table(&runner, &what.replace("PLACE", name)).unwrap();
    let mates = sql("SELECT count(*), count(DISTINCT game) FROM cql('PLACE', 'mate')");
    let expected = count("mate");
    assert_eq!(mates, [[expected.positions.to_string(), expected.games.to_string()]]);
    let by_eco =
        sql("SELECT eco, count(*) AS n FROM cql('PLACE', 'mate N attacks k') GROUP BY eco ORDER BY n DESC, eco");
    let sum: u64 = by_eco.iter().map(|row| row[1].parse::<u64>().unwrap()).sum();
    assert_eq!(sum, count("mate N attacks k").positions);
    assert!(by_eco.len() > 1);
}

#[test]
fn conditions_on_headers_reach_the_shards() {
    let (_folder, place) = sample_shards(4);
    let name = place.name();
    let runner = here();
    for (condition, game_filter) in [
        ("year >= 1900", "year >= 1900"),
        ("result = '1-0'", "result 1-0"),
        ("eco IN ('B00', 'C41')", "(eco == \"B00\" or eco == \"C41\")"),
        ("white = 'Greco, Gioachino'", "player white == \"Greco, Gioachino\""),
        ("year BETWEEN 1800 AND 1850 AND ply > 10", "year >= 1800, year <= 1850"),
    ] {
        let from = format!("FROM cql('{name}', 'check') WHERE {condition}");
        let plan = run(runner.explain(&format!("SELECT game, ply {from}"))).unwrap();
        assert!(plan.contains(&format!("games=[{game_filter}]")), "{plan}");
        let pushed = table(&runner, &format!("SELECT count(*) {from}")).unwrap();
        // A condition that the shards do not understand.
        let columns = format!("FROM (SELECT *, random() FROM cql('{name}', 'check')) WHERE {condition}");
        let slow = table(&runner, &format!("SELECT count(*) {columns}")).unwrap();
        assert_eq!(pushed, slow, "{condition}");
    }
}

#[test]
fn shards_give_what_is_wanted_and_no_more() {
    let (_folder, place) = sample_shards(4);
    let name = place.name();
    let runner = here();
    let plan = |what: &str| run(runner.explain(&what.replace("PLACE", name))).unwrap();
    let counted = plan("SELECT count(*) FROM cql('PLACE', 'check')");
    assert!(counted.contains("columns=[]"), "{counted}");
    let limited = plan("SELECT game FROM cql('PLACE', 'check') LIMIT 3");
    assert!(limited.contains("columns=[game], limit=3"), "{limited}");
    let rows = table(&runner, &format!("SELECT game FROM cql('{name}', 'check') LIMIT 3")).unwrap();
    assert_eq!(rows.len(), 3);
    let tags = format!("SELECT \"tag:Round\", game FROM cql('{name}', 'mate', 'tag:Round, game') ORDER BY game");
    assert_eq!(table(&runner, &tags).unwrap()[0], ["?", "1"]);
}

#[test]
fn two_questions_can_be_joined() {
    let (_folder, place) = sample_shards(3);
    let name = place.name();
    let runner = here();
    let statement = format!(
        "SELECT count(DISTINCT a.game) FROM cql('{name}', 'mate') a JOIN cql('{name}', 'castle') b ON a.game = b.game"
    );
    let joined = table(&runner, &statement).unwrap();
    let games = |query: &str| -> BTreeSet<i64> {
        let (found, _) = matches(&runner, Ask::new(name, query, Shape::Report)).unwrap();
        found.into_iter().map(|(game, _)| game).collect()
    };
    let both = games("mate").intersection(&games("castle")).count();
    assert!(both > 0);
    assert_eq!(joined, [[both.to_string()]]);
}

#[test]
fn mistakes_are_told() {
    let (_folder, place) = sample_shards(2);
    let name = place.name();
    for (statement, message) in [
        ("SELECT * FROM cql('PLACE')", "cql needs two or three texts"),
        ("SELECT * FROM cql('PLACE', 'matte')", "matte"),
        (
            "SELECT * FROM cql('PLACE', 'mate', 'rating')",
            "there is no column `rating`",
        ),
        ("SELECT * FROM cql('no-such-folder', 'mate')", "there is no such folder"),
        ("CREATE TABLE t AS SELECT 1", "not supported"),
        ("SELECT nothing FROM cql('PLACE', 'mate')", "nothing"),
    ] {
        let error = table(&here(), &statement.replace("PLACE", name))
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{statement}: {error}");
        assert!(!error.contains("<cqldex"), "{error}");
    }
}

#[test]
fn answers_have_formats() {
    let (folder, place) = sample_shards(2);
    let statement = format!(
        "SELECT game, result FROM cql('{}', 'mate') ORDER BY game LIMIT 2",
        place.name()
    );
    let csv = printed(program().args(["sql", &statement, "--format", "csv"]));
    assert_eq!(csv.lines().next(), Some("game,result"));
    assert_eq!(csv.lines().count(), 3);
    let json = printed(program().args(["sql", &statement, "--format", "json"]));
    assert!(json.starts_with("{\"game\":1,\"result\":\""), "{json}");
    for ending in ["parquet", "arrow", "csv"] {
        let file = folder.path().join(format!("out.{ending}"));
        printed(program().args(["sql", &statement, "-o"]).arg(&file));
        assert!(file.metadata().unwrap().len() > 10);
    }
}
