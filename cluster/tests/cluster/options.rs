//! Options of `query` that the library answers: of shards they give what they give of one database.

use cqldex::{
    By, CountOptions, Detail, Dialect, Format, MatchWriter, PgnOptions, PgnWriter, Query, SearchOptions, Sorted, Themes,
};

use crate::support::{Processes, printed, program, reading, sample_database, sample_shards};

/// The games of one database as PGN.
fn pgn(query: &str) -> Vec<u8> {
    let (database, query) = (reading(sample_database()), Query::parse(query, Dialect::Auto).unwrap());
    let options = SearchOptions {
        detail: Detail::Results,
        ..SearchOptions::default()
    };
    let mut text = Vec::new();
    let writer = PgnWriter::new(&mut text, &database, &query, PgnOptions::of(&query));
    let mut sorted = Sorted::new(writer, &query, None);
    sorted.write_matches(database.search(&query, options)).unwrap();
    drop(sorted);
    text
}

/// The groups of one database as CSV.
fn groups(query: &str, by: &[By]) -> String {
    let (database, query) = (reading(sample_database()), Query::parse(query, Dialect::Auto).unwrap());
    let options = SearchOptions {
        detail: Detail::Count,
        collect: true,
        ..SearchOptions::default()
    };
    let found = database.search(&query, options).found().unwrap();
    let positions = found.positions.unwrap();
    let mut counts = database.counts(&positions, by, &CountOptions::default()).unwrap();
    counts.sort(counts.usual_order());
    let mut text = Vec::new();
    counts.write(Format::Csv, &mut text, None).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn games_are_written_as_of_one_database() {
    let (folder, place) = sample_shards(6);
    let file = folder.path().join("out.pgn");
    for query in [
        "mate",
        "check sort \"men\" #[Aa]",
        "cql(quiet) comment(\"a knight\") N attacks k",
        "false",
    ] {
        printed(program().args(["query", place.name(), query, "--pgn"]).arg(&file));
        assert!(std::fs::read(&file).unwrap() == pgn(query), "{query}");
    }
    let shown = printed(program().args(["query", place.name(), "mate", "--utf8", "--pgn", "-"]));
    assert!(shown.contains("{CQL}"), "{shown}");
}

#[test]
fn groups_are_counted_as_of_one_database() {
    let (_folder, place) = sample_shards(6);
    let knights = By::squares(&Query::parse("N", Dialect::Auto).unwrap()).unwrap();
    let by = |names: &str| {
        names
            .split(',')
            .map(|name| By::named(name).unwrap())
            .collect::<Vec<_>>()
    };
    for (arguments, by) in [
        (&["--by", "year"][..], by("year")),
        (&["--by", "player"], by("player")),
        (&["--by", "opening, result"], by("opening,result")),
        (&["--by", "move,side"], by("move,side")),
        (&["--by", "tag:Round"], by("tag:Round")),
        (&["--by-square", "N"], vec![knights.clone()]),
        (
            &["--by", "square,result", "--by-square", "N"],
            vec![knights, By::Result],
        ),
    ] {
        let command = ["query", place.name(), "check", "--format", "csv"];
        assert_eq!(
            printed(program().args(command).args(arguments)),
            groups("check", &by),
            "{arguments:?}"
        );
    }
    let shown = printed(program().args(["query", place.name(), "check", "--by", "result"]));
    assert!(shown.contains("1-0") && shown.contains(" searched in "), "{shown}");
    let wrong = program()
        .args(["query", place.name(), "check", "--by", "yaer"])
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&wrong.stderr).contains("did you mean `year`"),
        "{wrong:?}"
    );
}

#[test]
fn themes_and_older_dialects_are_asked() {
    let (_folder, place) = sample_shards(4);
    let count = |arguments: &[&str]| {
        let all = printed(program().args(["query", place.name(), "--count"]).args(arguments));
        all.lines()
            .next()
            .unwrap_or_default()
            .split(" searched in ")
            .next()
            .unwrap()
            .to_owned()
    };
    let theme = &Themes::built_in().get("smothered-mate").unwrap().query;
    assert_eq!(count(&["--theme", "smothered-mate"]), count(&[theme]));
    let unknown = program()
        .args(["query", place.name(), "--theme", "smotherd-mate"])
        .output()
        .unwrap();
    assert!(
        String::from_utf8_lossy(&unknown.stderr).contains("smothered-mate"),
        "{unknown:?}"
    );
    let old = "(match (position Kg1 kg8))";
    let query = Query::parse(old, Dialect::Cql1).unwrap();
    let expected = reading(sample_database()).count(&query).unwrap();
    for arguments in [&["--dialect", "cql1", old][..], &[old]] {
        let told = count(arguments);
        assert!(told.ends_with(&format!(" in {} games", expected.games)), "{told}");
    }
    let refused = program()
        .args(["query", place.name(), "--dialect", "cql6", old])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn a_cluster_knows_them_too() {
    let (folder, place) = sample_shards(6);
    let cluster = Processes::start(2, &[]);
    let file = folder.path().join("out.pgn");
    let query = "check sort \"men\" #[Aa]";
    cluster.ask(&["query", place.name(), query, "--pgn", file.to_str().unwrap()]);
    assert!(std::fs::read(&file).unwrap() == pgn(query));
    let counted = cluster.ask(&["query", place.name(), "check", "--by", "player", "--format", "csv"]);
    assert_eq!(counted, groups("check", &[By::Player]));
    let old = [
        "query",
        place.name(),
        "--dialect",
        "cql1",
        "(match (position Kg1 kg8))",
        "--count",
    ];
    assert!(cluster.ask(&old).contains("position"));
}
