//! Named sets through the library.

use std::collections::BTreeMap;
use std::path::Path;

use cqldex::{
    Cancel, Database, Detail, Dialect, Error, IndexOptions, Options, Query, QueryOptions, RebuildOptions, SaveAs,
    SearchOptions,
};

use super::games;

fn query(text: &str) -> Query {
    Query::parse(text, Dialect::Cql6).unwrap()
}

/// Saves what a query finds in all positions.
fn save(database: &Database, name: &str, text: &str, live: bool) {
    let options = SearchOptions {
        variations: Some(true),
        detail: Detail::Count,
        save: Some(SaveAs {
            live,
            replace: true,
            ..SaveAs::new(name)
        }),
        ..SearchOptions::default()
    };
    database.search(&query(text), options).summary().unwrap();
}

/// The games and positions that a query finds.
fn found(database: &Database, text: &str) -> Vec<(u64, u32)> {
    let options = SearchOptions {
        variations: Some(true),
        ..SearchOptions::default()
    };
    let games = database.search(&query(text), options).map(Result::unwrap);
    let places = games.flat_map(|game| {
        game.positions
            .into_iter()
            .map(move |position| (game.number, position.node))
    });
    places.collect()
}

fn members(database: &Database, name: &str) -> Vec<(u64, u32)> {
    database.sets().read(name).unwrap().iter().collect()
}

#[test]
fn a_set_has_all_positions_whatever_is_listed() {
    let (_folder, _file, database) = games(300, Options::default());
    let all = found(&database, "wtm");
    for (detail, limit) in [
        (Detail::Count, None),
        (Detail::Positions, Some(3)),
        (Detail::Results, Some(0)),
    ] {
        let options = SearchOptions {
            variations: Some(true),
            detail,
            limit,
            save: Some(SaveAs {
                replace: true,
                ..SaveAs::new("white")
            }),
            ..SearchOptions::default()
        };
        let summary = database.search(&query("wtm"), options).summary().unwrap();
        assert_eq!(summary.positions, all.len() as u64);
        assert_eq!(members(&database, "white"), all);
    }
    let set = database.sets().info("white").unwrap();
    assert_eq!((set.positions, set.games), (all.len() as u64, 300));
}

#[test]
fn a_search_that_does_not_come_to_its_end_saves_nothing() {
    let (_folder, _file, database) = games(300, Options::default());
    let options = || SearchOptions {
        save: Some(SaveAs::new("x")),
        ..SearchOptions::default()
    };
    let stops = SearchOptions {
        limit: Some(3),
        stop_at_limit: true,
        ..options()
    };
    let error = database.search(&query("wtm"), stops).summary().unwrap_err();
    assert_eq!(error.code(), "incomplete");
    let cancel = Cancel::default();
    cancel.cancel();
    let cancelled = SearchOptions { cancel, ..options() };
    assert!(matches!(
        database.search(&query("wtm"), cancelled).summary(),
        Err(Error::Cancelled)
    ));
    let failed = database
        .search(&query("assert not mate"), options())
        .summary()
        .unwrap_err();
    assert_eq!(failed.code(), "Q605");
    assert!(database.sets().list().unwrap().is_empty());
}

#[test]
fn errors_have_codes() {
    let (_folder, _file, database) = games(3, Options::default());
    save(&database, "mates", "mate", false);
    let sets = database.sets();
    let code = |result: Result<(), Error>| result.unwrap_err().code();
    assert_eq!(code(sets.read("forks").map(|_| ())), "no-such-set");
    assert_eq!(code(sets.delete("forks")), "no-such-set");
    assert_eq!(code(sets.rename("mates", "a b")), "set-name");
    assert_eq!(code(sets.save("mates", &sets.none(), false)), "set-exists");
    assert_eq!(code(sets.combine("mates &").map(|_| ())), "set-expression");
    assert_eq!(code(sets.combine("mates & forks").map(|_| ())), "set-expression");
    assert_eq!(
        code(database.count(&query("positionset \"forks\"")).map(|_| ())),
        "Q311"
    );
    let options = SearchOptions {
        save: Some(SaveAs {
            live: true,
            ..SaveAs::new("x")
        }),
        ..SearchOptions::default()
    };
    let additions = QueryOptions {
        game_filters: vec!["player \"a\"".to_owned()],
        ..QueryOptions::default()
    };
    for text in [
        query("lastgamenumber > 1"),
        query("positionset \"mates\""),
        query("cql(gamenumber 1 3) mate"),
        Query::parse_with("mate", &additions).unwrap(),
    ] {
        assert_eq!(
            code(database.search(&text, options.clone()).summary().map(|_| ())),
            "not-live",
            "{}",
            text.text()
        );
    }
    let strict = QueryOptions {
        strict: true,
        ..QueryOptions::default()
    };
    assert_eq!(
        Query::parse_with("positionset \"mates\"", &strict).unwrap_err().code(),
        "Q502"
    );
    assert_eq!(sets.list().unwrap().len(), 1);
}

#[test]
fn positions_of_another_state_are_not_saved() {
    let (_folder, _file, mut database) = games(3, Options::default());
    save(&database, "mates", "mate", false);
    let positions = database.sets().read("mates").unwrap();
    database.remove([2]).unwrap();
    // Removed games have no positions, and what was read before can still be saved.
    database.sets().save("before", &positions, false).unwrap();
    assert_eq!(members(&database, "before"), found(&database, "mate"));
    database.compact().unwrap();
    let error = database.sets().save("late", &positions, false).unwrap_err();
    assert_eq!(error.code(), "stale");
}

/// A reader that has not seen a removal asks a set that was completed after it: what it sees is its own state, and nothing
/// between that and the later one.
#[test]
fn a_set_that_a_later_state_completed_is_not_taken_for_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::create(folder.path().join("db"), Options::default()).unwrap();
    add(&mut database, folder.path(), 0..300);
    save(&database, "live", "wtm", true);
    save(&database, "still", "wtm", false);
    add(&mut database, folder.path(), 300..340);
    let read_only = Options {
        read_only: true,
        ..Options::default()
    };
    let earlier = Database::open(database.path(), read_only).unwrap();
    let before = found(&earlier, "wtm");
    assert_eq!(database.remove([1, 320]).unwrap(), 2);
    let after = found(&database, "wtm");
    assert_eq!(after, members(&database, "live"));
    assert!(after.len() < before.len());
    assert_eq!(before, members(&earlier, "live"));
    assert_eq!(before, found(&earlier, "positionset \"live\""));
    // A set that does not grow, and was saved later.
    save(&database, "still", "wtm", false);
    let error = earlier.sets().read("still").unwrap_err();
    assert_eq!(error.code(), "stale");
    // Nothing was spoiled for who sees the later state.
    assert_eq!(after, members(&database, "live"));
    assert_eq!(after, members(&database, "still"));
}

#[test]
fn a_database_that_is_only_read_can_save_sets() {
    let (_folder, _file, database) = games(30, Options::default());
    let path = database.path().to_owned();
    drop(database);
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let database = Database::open(path, options).unwrap();
    save(&database, "mates", "mate", true);
    assert_eq!(members(&database, "mates"), found(&database, "mate"));
    assert_eq!(database.sets().make("rest = !mates", false).unwrap().games, 30);
}

/// A game that no other game equals, with variations.
fn game(number: u32) -> String {
    let first = ["e4", "d4", "c4", "f3", "g4"][number as usize % 5];
    let rest = [
        " 1... e5 2. a3 Qh4",
        " 1... d5 (1... c5 2. h3) 2. h4 h5",
        " 1... g5",
        " 1... e5 2. b3 (2. Nh3) Qh4",
    ];
    format!(
        "[White \"Player {number}\"]\n\n1. {first}{} *\n\n",
        rest[number as usize / 5 % 4]
    )
}

/// What a set has, by the name of White and the position.
fn by_player(database: &Database, positions: &[(u64, u32)]) -> Vec<(String, u32)> {
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    let mut list: Vec<(String, u32)> = positions
        .iter()
        .map(|&(number, position)| {
            let name = names
                .entry(number)
                .or_insert_with(|| database.game(number).unwrap().unwrap().header().white.clone());
            (name.clone(), position)
        })
        .collect();
    list.sort();
    list
}

fn add(database: &mut Database, folder: &Path, numbers: std::ops::Range<u32>) {
    let file = folder.join("new.pgn");
    std::fs::write(&file, numbers.map(game).collect::<String>()).unwrap();
    let options = IndexOptions {
        repeat: true,
        segment_positions: 512,
        ..IndexOptions::default()
    };
    database.index(&[&file], &options, &()).unwrap();
}

/// Sets after additions, removals, replacements, compaction and rebuilding, in random order. One that does not grow keeps
/// what it has of the games that are left; a live one is what its query finds.
#[test]
fn sets_follow_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = Database::create(folder.path().join("db"), Options::default()).unwrap();
    let mut state = 11u64;
    let mut below = move |n: u64| {
        // Knuth's linear congruential generator.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut next = 40;
    add(&mut database, folder.path(), 0..next);
    save(&database, "still", "wtm", false);
    save(&database, "live", "{wtm Q} or check", true);
    let mut still = by_player(&database, &found(&database, "wtm"));
    for round in 0..60 {
        match below(6) {
            0 | 1 => {
                let count = 1 + u32::try_from(below(60)).unwrap();
                add(&mut database, folder.path(), next..next + count);
                next += count;
            }
            2 => {
                let first = 1 + below(database.last_number());
                database.remove(first..first + below(12)).unwrap();
            }
            3 => {
                let number = 1 + below(database.last_number());
                if database.has_game(number) {
                    let name = database.game(number).unwrap().unwrap().header().white.clone();
                    still.retain(|(other, _)| *other != name);
                    let file = folder.path().join("one.pgn");
                    std::fs::write(&file, game(next)).unwrap();
                    next += 1;
                    assert!(database.replace(number, &file).unwrap());
                }
            }
            4 => {
                database.compact().unwrap();
            }
            _ => {
                let all = RebuildOptions {
                    all: true,
                    ..RebuildOptions::default()
                };
                database.rebuild(all, &mut |_| ()).unwrap();
            }
        }
        // Not always, so that several changes come together.
        if below(3) == 0 {
            let expected = found(&database, "{wtm Q} or check");
            assert_eq!(members(&database, "live"), expected, "round {round}");
            assert_eq!(found(&database, "positionset \"live\""), expected, "round {round}");
        }
        let left: Vec<u64> = found(&database, "initial")
            .into_iter()
            .map(|(number, _)| number)
            .collect();
        let left = by_player(
            &database,
            &left.into_iter().map(|number| (number, 0)).collect::<Vec<_>>(),
        );
        still.retain(|(name, _)| left.binary_search(&(name.clone(), 0)).is_ok());
        assert_eq!(
            by_player(&database, &members(&database, "still")),
            still,
            "round {round}"
        );
        if below(5) == 0 {
            // What is in it now is the set from now on.
            let sets = database.sets();
            sets.make("both = still | live", true).unwrap();
            let both = members(&database, "both");
            let (live, kept) = (members(&database, "live"), members(&database, "still"));
            let mut union = [live, kept].concat();
            union.sort_unstable();
            union.dedup();
            assert_eq!(both, union, "round {round}");
        }
        if below(8) == 0 {
            save(&database, "still", "btm", false);
            still = by_player(&database, &found(&database, "btm"));
        }
    }
    assert!(database.verify(&mut |_| ()).unwrap().is_clean());
}
