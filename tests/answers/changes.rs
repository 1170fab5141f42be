//! Kept answers while games come and go, and when their files are damaged.

use std::fs;
use std::path::{Path, PathBuf};

use search::{Detail, RunOptions, Search};
use storage::{Database, Snapshot};

use super::{DETAILS, QUERIES, add_games, ask, compiled, options, samples};

/// Asks everything, with all that is kept.
fn ask_all(snapshot: &Snapshot) {
    for (text, detail) in QUERIES.into_iter().zip(DETAILS.into_iter().cycle()) {
        ask(snapshot, text, &compiled(text), &options(detail, None));
    }
}

#[test]
fn answers_stay_right_through_additions_removals_and_compaction() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    ask_all(&database.snapshot());
    for round in 0..6 {
        add_games(&mut database, folder.path(), round, 25);
        ask_all(&database.snapshot());
        let last = database.snapshot().last_number();
        database.remove((0..last).filter(|game| game % 23 == round)).unwrap();
        ask_all(&database.snapshot());
        // Asked again, and in another order.
        ask_all(&database.snapshot());
        if round % 3 == 2 {
            database.compact(2).unwrap();
            ask_all(&database.snapshot());
        }
    }
    database.rebuild(true, false, 2, &mut |_| ()).unwrap();
    ask_all(&database.snapshot());
}

/// Asks before and after games are added, and checks that only these were searched. Returns what there is afterwards.
fn only_new_games_are_searched(database: &mut Database, folder: &Path, text: &str, options: &RunOptions) -> Snapshot {
    let query = compiled(text);
    ask(&database.snapshot(), text, &query, options);
    let before = database.snapshot().segments().len();
    add_games(database, folder, 1, 200);
    let snapshot = database.snapshot();
    let kept = ask(&snapshot, text, &query, options);
    assert!(
        kept.segments + 1 >= before as u64,
        "{kept:?} of {before} segments before"
    );
    assert!(kept.games < snapshot.games());
    snapshot
}

#[test]
fn only_what_is_new_is_searched_after_an_addition() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    let (text, count) = ("child mate", options(Detail::Count, None));
    let query = compiled(text);
    let snapshot = only_new_games_are_searched(&mut database, folder.path(), text, &count);
    assert_eq!(ask(&snapshot, text, &query, &count).games, snapshot.games());
}

#[test]
fn an_answer_to_game_numbers_covers_games_that_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    let (text, count) = ("cql(gamenumber 9 9999) check", options(Detail::Count, None));
    let snapshot = only_new_games_are_searched(&mut database, folder.path(), text, &count);
    // Now games are added that are not allowed.
    let text = "cql(gamenumber 3 500) check";
    let query = compiled(text);
    ask(&snapshot, text, &query, &count);
    add_games(&mut database, folder.path(), 2, 200);
    let kept = ask(&database.snapshot(), text, &query, &count);
    assert!(database.snapshot().last_number() > 500 && kept.games > 0, "{kept:?}");
}

#[test]
fn games_that_get_other_numbers_do_not_share_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    let texts = [
        "cql(gamenumber 1 60) check",
        "cql(gamenumber 20 200) check",
        "cql(gamenumber 60 9999) check",
    ];
    let before = database.snapshot();
    database
        .remove([0, 2, 3, 70, 71, 72, before.last_number() - 1])
        .unwrap();
    let removed = database.snapshot();
    database.compact(2).unwrap();
    let after = database.snapshot();
    assert_ne!(before.last_number(), after.last_number());
    for _ in 0..2 {
        for (text, detail) in texts.into_iter().flat_map(|text| DETAILS.map(|detail| (text, detail))) {
            let query = compiled(text);
            for snapshot in [&before, &removed, &after, &before, &after] {
                ask(snapshot, text, &query, &options(detail, None));
            }
        }
    }
}

#[test]
fn a_snapshot_from_before_a_removal_keeps_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    let before = database.snapshot();
    let last = before.last_number();
    database.remove((0..last).filter(|game| game % 2 == 0)).unwrap();
    let after = database.snapshot();
    for text in QUERIES {
        let query = compiled(text);
        for detail in DETAILS {
            ask(&after, text, &query, &options(detail, None));
            ask(&before, text, &query, &options(detail, None));
            ask(&after, text, &query, &options(detail, None));
        }
    }
}

/// The only file of an answer.
fn kept_file(database: &Path) -> PathBuf {
    let mut files = fs::read_dir(database.join("answers")).unwrap();
    let file = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none(), "there is one answer");
    file
}

#[test]
fn a_damaged_answer_is_found_anew() {
    let folder = tempfile::tempdir().unwrap();
    let database: Database = samples(folder.path());
    let snapshot = database.snapshot();
    let (text, query) = ("child check", compiled("child check"));
    let mut anew = 0;
    ask(&snapshot, text, &query, &options(Detail::Count, None));
    let sound = fs::read(kept_file(database.path())).unwrap();
    for place in (0..sound.len()).step_by(sound.len() / 60 + 1) {
        for (detail, is_cut) in [
            (Detail::Count, false),
            (Detail::Positions, false),
            (Detail::Positions, true),
        ] {
            let mut bytes = sound.clone();
            match is_cut {
                true => bytes.truncate(place),
                false => bytes[place] ^= 0x10,
            }
            fs::write(kept_file(database.path()), bytes).unwrap();
            let kept = ask(&snapshot, text, &query, &options(detail, None));
            anew += u64::from(kept.games < snapshot.games());
            // What was dropped is there again, at the latest when the segments that were still known are asked for.
            ask(&snapshot, text, &query, &options(Detail::Positions, None));
            ask(&snapshot, text, &query, &options(Detail::Positions, None));
            assert_eq!(
                ask(&snapshot, text, &query, &options(Detail::Positions, None)).games,
                snapshot.games(),
                "byte {place}"
            );
        }
    }
    assert!(anew > 60, "damage was noticed {anew} times");
    assert!(
        Search::new(&query, options(Detail::Count, None))
            .kept_segments(&snapshot)
            .is_some()
    );
}
