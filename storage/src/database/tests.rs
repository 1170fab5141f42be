use std::{fs, path::PathBuf};

use tempfile::TempDir;

use super::*;
use crate::{
    batch::{BatchBuilder, SegmentBuilder},
    error::Damage,
    game::{Game, GameText, MoveTree, Outcome},
    grow::Addition,
    header::Header,
    key::hex,
    term::Term,
    testing::{Dice, random_game},
};

/// A random game with words around it.
fn game(seed: u64) -> Game {
    let mut dice = Dice(seed ^ 77);
    let (tree, _) = random_game(seed);
    let tag = |name: &str, value: String| (name.to_owned(), value);
    let node = |dice: &mut Dice| dice.roll(tree.len()) as u32;
    let text = GameText {
        tags: vec![
            tag("Event", format!("event {}", dice.roll(3))),
            tag("White", format!("player, {}", dice.roll(9))),
            tag("Date", format!("19{:02}.?.?", dice.roll(100))),
            tag("WhiteElo", dice.roll(3000).to_string()),
            tag("Note", "x".repeat(dice.roll(200))),
        ],
        comments: vec![(node(&mut dice), "a comment".to_owned())],
        variation_comments: Vec::new(),
        nags: vec![(1, 3)],
        outcome: [Outcome::White, Outcome::Draw, Outcome::Unknown][dice.roll(3)],
        ..GameText::default()
    };
    Game { tree, text }
}

fn segment(games: &[Game]) -> SegmentData {
    let mut batches = BatchBuilder::new().unwrap();
    let mut segment = SegmentBuilder::new();
    for games in games.chunks(30) {
        for game in games {
            batches.push(game.clone()).unwrap();
        }
        segment.append(batches.finish(1000).unwrap()).unwrap();
    }
    segment.finish(2).unwrap()
}

/// Games that are to be added.
fn addition(games: &[Game]) -> Addition {
    let mut batches = BatchBuilder::new().unwrap();
    for game in games {
        batches.push(game.clone()).unwrap();
    }
    let mut segment = SegmentBuilder::new();
    segment.append(batches.finish(1000).unwrap()).unwrap();
    Addition {
        games: segment,
        ..Addition::default()
    }
}

fn games(seeds: std::ops::Range<u64>) -> Vec<Game> {
    seeds.map(game).collect()
}

/// A new database with these segments.
fn database(segments: &[&[Game]]) -> (TempDir, Database) {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::create(directory.path().join("db")).unwrap();
    for games in segments {
        database.commit(segment(games)).unwrap();
    }
    (directory, database)
}

/// Everything that a segment can be asked for is what the games say.
fn check(segment: &Segment, games: &[Game]) {
    assert_eq!(segment.meta().games as usize, games.len());
    let mut tree = MoveTree::default();
    let starts = segment.starts().unwrap();
    let mut seen = 0;
    for block in 0..segment.block_count().unwrap() {
        let trees = segment.trees(block).unwrap();
        let texts = segment.texts(block).unwrap();
        for (index, game) in trees.games().enumerate() {
            assert_eq!(segment.block_of(game).unwrap(), (block, index));
            let wanted = &games[game as usize];
            trees.tree(index, &mut tree).unwrap();
            assert_eq!(tree, wanted.tree);
            assert_eq!(segment.text(game).unwrap(), wanted.text);
            assert_eq!(texts[index], wanted.text);
            assert_eq!((starts[game as usize + 1] - starts[game as usize]) as usize, tree.len());
            assert_eq!(
                segment.game_of(starts[game as usize + 1] - 1).unwrap(),
                (game, tree.len() as u32 - 1)
            );
            let header = Header::from_text(&wanted.text);
            for column in TagColumn::ALL {
                assert_eq!(
                    segment.tag_values(column).unwrap().get(game).unwrap_or(""),
                    header.get(column)
                );
            }
            let ratings = [shakmaty::Color::White, shakmaty::Color::Black]
                .map(|color| segment.ratings(color).unwrap()[game as usize]);
            assert_eq!(ratings, header.ratings());
            assert_eq!(segment.outcomes().unwrap()[game as usize], wanted.text.outcome);
            seen += 1;
        }
    }
    assert_eq!(seen, games.len());
    let mainline = segment.postings(Term::Mainline).unwrap();
    let wanted: usize = games.iter().map(|game| game.tree.mainline_len()).sum();
    assert_eq!(mainline.total(), wanted as u64);
    assert_eq!(
        segment.term_stats(Term::Initial).unwrap().cardinality as usize,
        games.len()
    );
    let never = Term::Placement(
        crate::board::Man::new(shakmaty::Color::White, shakmaty::Role::Pawn),
        shakmaty::Square::A1,
    );
    assert_eq!(segment.postings(never).unwrap().total(), 0);
}

#[test]
fn what_is_committed_is_read_back() {
    let (first, second) = (games(0..200), games(200..290));
    let (directory, database) = database(&[&first, &second]);
    let snapshot = database.snapshot();
    let check_all = |snapshot: &Snapshot| {
        check(&snapshot.segment(0), &first);
        check(&snapshot.segment(1), &second);
        assert_eq!((snapshot.games(), snapshot.segments().len()), (290, 2));
        assert_eq!(snapshot.locate(199), Some((0, 199)));
        assert_eq!(snapshot.locate(200), Some((1, 0)));
        assert_eq!(snapshot.locate(290), None);
        let report = snapshot.verify(&mut |_| {}).unwrap();
        assert!(report.is_clean(), "{:?}", report.problems);
        assert_eq!((report.games, report.positions), (290, snapshot.positions()));
    };
    check_all(&snapshot);
    drop((snapshot, database));
    let path = directory.path().join("db");
    check_all(&Database::open(&path).unwrap().snapshot());
    let read_only = Database::open_read_only(&path).unwrap();
    check_all(&read_only.snapshot());
    let stats = read_only.snapshot().stats().unwrap();
    assert_eq!((stats.games, stats.segments, stats.pgn_bytes), (290, 2, 10_000));
    assert!(stats.columns.iter().all(|&(name, bytes)| bytes > 0 || name == "meta"));
    assert!(stats.bytes > stats.columns.iter().map(|(_, bytes)| bytes).sum());
}

#[test]
fn a_snapshot_stays_as_it_is() {
    let first = games(0..40);
    let (directory, mut database) = database(&[&first]);
    let before = database.snapshot();
    let reader = Database::open_read_only(directory.path().join("db")).unwrap();
    database.commit(segment(&games(40..60))).unwrap();
    assert_eq!((before.games(), database.snapshot().games()), (40, 60));
    check(&before.segment(0), &first);
    assert_eq!(reader.snapshot().games(), 40);
    check(&reader.snapshot().segment(0), &first);
    assert_eq!(
        Database::open_read_only(directory.path().join("db"))
            .unwrap()
            .snapshot()
            .games(),
        60
    );
}

#[test]
fn an_interrupted_commit_leaves_nothing() {
    let first = games(0..40);
    let (directory, database) = database(&[&first]);
    let path = directory.path().join("db");
    // Everything is written but the manifest.
    let mut database = database;
    database.write_segment(&segment(&games(40..60))).unwrap();
    drop(database);
    fs::create_dir_all(path.join("ingest")).unwrap();
    fs::write(path.join("ingest/1-boards.sst"), "half a file").unwrap();

    let reader = Database::open_read_only(&path).unwrap();
    assert_eq!(reader.snapshot().games(), 40);
    let sizes = |database: &Database| database.snapshot().stats().unwrap().columns;
    let with_garbage = sizes(&reader);
    drop(reader);
    let mut database = Database::open(&path).unwrap();
    assert!(!path.join("ingest").exists());
    assert!(
        sizes(&database)
            .iter()
            .zip(&with_garbage)
            .all(|(after, before)| after.1 < before.1 || after.0 == "meta")
    );
    let second = games(60..90);
    database.commit(segment(&second)).unwrap();
    check(&database.snapshot().segment(0), &first);
    check(&database.snapshot().segment(1), &second);
    assert!(database.snapshot().verify(&mut |_| {}).unwrap().is_clean());
}

#[test]
fn what_is_no_database_is_told_apart() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let open_both = |path: PathBuf| {
        [
            Database::open(&path).unwrap_err(),
            Database::open_read_only(&path).unwrap_err(),
        ]
    };
    let is_no_database = |error: &Error| matches!(error, Error::NotADatabase { .. });
    assert!(open_both(path("none")).iter().all(is_no_database));
    fs::write(path("file"), "text").unwrap();
    assert!(open_both(path("file")).iter().all(is_no_database));
    fs::create_dir(path("other")).unwrap();
    fs::write(path("other/notes"), "text").unwrap();
    assert!(open_both(path("other")).iter().all(is_no_database));
    drop(rocksdb::DB::open_default(path("rocks")).unwrap());
    let errors = open_both(path("rocks"));
    assert!(errors.iter().all(is_no_database), "{errors:?}");
    assert!(matches!(
        Database::create(path("other")),
        Err(Error::AlreadyExists { .. })
    ));
    assert!(matches!(
        Database::create(path("file")),
        Err(Error::AlreadyExists { .. })
    ));
    fs::create_dir(path("empty")).unwrap();
    drop(Database::create(path("empty")).unwrap());
    assert!(matches!(
        Database::create(path("empty")),
        Err(Error::AlreadyExists { .. })
    ));
}

#[test]
fn another_format_is_told_apart() {
    let (directory, database) = database(&[]);
    let mut format = b"cqldex\0\0".to_vec();
    format.extend_from_slice(&7u32.to_le_bytes());
    let mut change = MetaChange::default();
    change.put(b"format".to_vec(), format);
    database.store.commit(&database.manifest, change).unwrap();
    drop(database);
    let error = Database::open(directory.path().join("db")).unwrap_err();
    assert!(
        matches!(
            error,
            Error::FormatVersion {
                found: 7,
                supported: crate::store::FORMAT_VERSION,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("format 7"));
}

#[test]
fn one_writes_at_a_time() {
    let (directory, first) = database(&[]);
    let error = Database::open(directory.path().join("db")).unwrap_err();
    assert!(matches!(error, Error::Locked { .. }), "{error}");
    drop(first);
    let mut reader = Database::open_read_only(directory.path().join("db")).unwrap();
    assert!(matches!(
        reader.commit(segment(&games(0..3))),
        Err(Error::ReadOnly { .. })
    ));
    let mut writer = Database::open(directory.path().join("db")).unwrap();
    assert!(writer.commit(segment(&[])).is_err());
    assert_eq!(writer.snapshot().games(), 0);
}

#[test]
fn postings_that_are_wrong_are_found() {
    // The index of other games than those that are stored: every checksum is right.
    let (right, wrong) = (games(0..40), games(40..80));
    let mut data = segment(&right);
    data.postings = segment(&wrong).postings;
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::create(directory.path().join("db")).unwrap();
    database.commit(data).unwrap();
    let report = database.snapshot().verify(&mut |_| {}).unwrap();
    assert!(report.problems.len() > 100);
    let (
        _,
        Error::Corrupt {
            column: "postings",
            key,
            ..
        },
    ) = &report.problems[0]
    else {
        panic!("{report:?}")
    };
    assert!(key.starts_with(&hex(&[0, 0, 0, 0])));
}

#[test]
fn damaged_files_give_errors_and_no_panic() {
    let stored = games(0..120);
    let (directory, database) = database(&[&stored]);
    let path = directory.path().join("db");
    drop(database);
    let files: Vec<PathBuf> = fs::read_dir(&path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "sst"))
        .collect();
    let mut dice = Dice(5);
    let mut found = 0;
    for round in 0..60 {
        let file = &files[round % files.len()];
        let whole = fs::read(file).unwrap();
        let mut bytes = whole.clone();
        let at = dice.roll(bytes.len());
        if round % 10 == 9 {
            bytes.truncate(at);
        } else {
            bytes[at] ^= 1 << dice.roll(8);
        }
        fs::write(file, bytes).unwrap();
        match Database::open_read_only(&path).and_then(|database| database.snapshot().verify(&mut |_| {})) {
            Ok(report) => {
                assert!(!report.is_clean(), "round {round}");
                let is_named = |error: &Error| match error {
                    Error::Corrupt { reason, .. } => *reason != Damage::Missing,
                    Error::Rocks { .. } | Error::DamagedFile { .. } => true,
                    _ => false,
                };
                assert!(
                    report.problems.iter().all(|(_, error)| is_named(error)),
                    "{:?}",
                    report.problems
                );
                found += 1;
            }
            Err(_) => found += 1,
        }
        fs::write(file, whole).unwrap();
    }
    assert_eq!(found, 60);
    assert!(
        Database::open(&path)
            .unwrap()
            .snapshot()
            .verify(&mut |_| {})
            .unwrap()
            .is_clean()
    );
}

/// All games of a database that are not removed, with their numbers from 1.
fn all_games(snapshot: &Snapshot) -> Vec<(u64, Game)> {
    let mut found = Vec::new();
    for index in 0..snapshot.segments().len() {
        let segment = snapshot.segment(index);
        for block in 0..segment.block_count().unwrap() {
            let trees = segment.trees(block).unwrap();
            for (at, text) in segment.texts(block).unwrap().into_iter().enumerate() {
                let local = trees.games().start + at as u32;
                let mut tree = MoveTree::default();
                trees.tree(at, &mut tree).unwrap();
                if !segment.is_removed(local) {
                    found.push((segment.meta().first_game + u64::from(local) + 1, Game { tree, text }));
                }
            }
        }
    }
    found
}

fn is_clean(snapshot: &Snapshot) {
    let report = snapshot.verify(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:?}", report.problems);
}

#[test]
fn many_small_additions_are_one_database() {
    let (directory, mut database) = database(&[]);
    let all = games(0..300);
    let mut most = 0;
    for games in all.chunks(3) {
        database.add(addition(games)).unwrap();
        most = most.max(database.snapshot().segments().len());
    }
    assert!(most <= 14, "{most} segments");
    let check_all = |snapshot: &Snapshot| {
        let found: Vec<Game> = all_games(snapshot).into_iter().map(|(_, game)| game).collect();
        assert_eq!(found, all);
        is_clean(snapshot);
        // Blocks of three games have become larger ones.
        let (blocks, games) = (
            snapshot.segment(0).block_count().unwrap(),
            snapshot.segment(0).meta().games,
        );
        assert!(blocks < games / 12, "{blocks} blocks for {games} games");
    };
    check_all(&database.snapshot());
    drop(database);
    let mut database = Database::open(directory.path().join("db")).unwrap();
    check_all(&database.snapshot());
    let report = database.compact(2).unwrap();
    assert_eq!((report.segments[1], report.dropped, report.moved), (1, 0, Vec::new()));
    check_all(&database.snapshot());
    check(&database.snapshot().segment(0), &all);
}

#[test]
fn joined_segments_are_what_one_would_be() {
    let all = games(0..130);
    let (_directory, mut database) = database(&[&all[..50], &all[50..130]]);
    database.compact(1).unwrap();
    let (joined, at_once) = (database.snapshot(), segment(&all));
    assert_eq!(joined.segments().len(), 1);
    for postings in &at_once.postings {
        let stats = joined.segment(0).term_stats(postings.term).unwrap();
        assert_eq!(
            (stats.cardinality, stats.runs),
            (postings.stats.cardinality, postings.stats.runs)
        );
    }
    is_clean(&joined);
}

#[test]
fn removed_games_keep_their_numbers_until_compaction() {
    let all = games(0..90);
    let (directory, mut database) = database(&[&all[..40], &all[40..90]]);
    let gone = [0, 3, 39, 40, 41, 88];
    let before = database.snapshot();
    assert_eq!(database.remove(gone.into_iter().chain([3, 500])).unwrap(), 6);
    assert_eq!(database.remove([0, 3]).unwrap(), 0);
    let wanted: Vec<(u64, Game)> = (0..90u64)
        .filter(|number| !gone.contains(number))
        .map(|number| (number + 1, all[number as usize].clone()))
        .collect();
    let check_all = |snapshot: &Snapshot| {
        assert_eq!(all_games(snapshot), wanted);
        assert_eq!((snapshot.games(), snapshot.last_number()), (84, 90));
        assert_eq!((snapshot.locate(3), snapshot.locate(4)), (None, Some((0, 4))));
        let positions: usize = wanted.iter().map(|(_, game)| game.tree.len()).sum();
        assert_eq!(snapshot.positions(), positions as u64);
        let mainline: usize = gone
            .iter()
            .map(|&number| all[number as usize].tree.mainline_len())
            .sum();
        let counted: u32 = snapshot.segments().iter().map(|meta| meta.removed.mainline).sum();
        assert_eq!(counted, mainline as u32);
        is_clean(snapshot);
    };
    check_all(&database.snapshot());
    assert_eq!(before.games(), 90, "a snapshot stays as it is");
    drop((before, database));
    let mut database = Database::open(directory.path().join("db")).unwrap();
    check_all(&database.snapshot());
    // What is joined on the way keeps the numbers too.
    database.add(addition(&games(90..400))).unwrap();
    assert_eq!(database.snapshot().segments().len(), 1);
    assert_eq!(
        (database.snapshot().games(), database.snapshot().last_number()),
        (394, 400)
    );
    assert_eq!(all_games(&database.snapshot())[..84], wanted);
    is_clean(&database.snapshot());

    let report = database.compact(2).unwrap();
    assert_eq!(
        (report.dropped, report.moved[0].from.clone(), report.moved[0].to),
        (6, 2..4, 1)
    );
    let last = report.moved.last().unwrap();
    assert_eq!((last.from.clone(), last.to), (90..401, 84));
    let live: Vec<Game> = wanted.into_iter().map(|(_, game)| game).chain(games(90..400)).collect();
    check(&database.snapshot().segment(0), &live);
    is_clean(&database.snapshot());
    assert_eq!(database.remove(0..394).unwrap(), 394);
    let report = database.compact(2).unwrap();
    assert_eq!(
        (report.dropped, report.segments, database.snapshot().last_number()),
        (394, [1, 0], 0)
    );
    database.add(addition(&all)).unwrap();
    is_clean(&database.snapshot());
}

#[test]
fn a_wrong_index_is_rebuilt() {
    let (right, wrong) = (games(0..40), games(40..80));
    let (_directory, mut database) = database(&[&wrong]);
    let mut data = segment(&right);
    data.postings = segment(&wrong).postings;
    database.commit(data).unwrap();
    database.remove([5]).unwrap();
    assert!(!database.snapshot().verify(&mut |_| {}).unwrap().is_clean());
    let rebuilt = database.rebuild(false, false, 2, &mut |_| {}).unwrap();
    assert_eq!((rebuilt.rebuilt.len(), rebuilt.lost.len()), (1, 0));
    check(&database.snapshot().segment(0), &wrong);
    check(&database.snapshot().segment(1), &right);
    assert!(database.snapshot().segment(0).is_removed(5));
    assert_eq!(database.snapshot().games(), 79);
    is_clean(&database.snapshot());
}

#[test]
fn sources_are_remembered() {
    let (directory, mut database) = database(&[]);
    let source = |name: &str| Source {
        name: name.to_owned(),
        bytes: 7,
        ..Source::default()
    };
    for name in ["a", "b"] {
        let number = database.new_source();
        let mut addition = addition(&games(0..3));
        addition.sources.push((number, source(name)));
        database.add(addition).unwrap();
    }
    let mut again = source("b");
    again.is_complete = true;
    let addition = Addition {
        sources: vec![(1, again.clone())],
        ..Addition::default()
    };
    database.add(addition).unwrap();
    drop(database);
    let mut database = Database::open(directory.path().join("db")).unwrap();
    assert_eq!(database.sources().unwrap(), [(0, source("a")), (1, again)]);
    assert_eq!(database.new_source(), 2);
}

#[test]
fn an_older_list_of_files_is_refused() {
    let (directory, database) = database(&[&games(0..20), &games(20..40)]);
    let path = directory.path().join("db");
    drop(database);
    assert!(path.join("commit.3").exists());
    fs::rename(path.join("commit.3"), path.join("commit.4")).unwrap();
    for error in [
        Database::open(&path).unwrap_err(),
        Database::open_read_only(&path).unwrap_err(),
    ] {
        assert!(
            matches!(
                error,
                Error::Outdated {
                    found: 3,
                    committed: 4,
                    ..
                }
            ),
            "{error}"
        );
    }
    // A lost count is none of these.
    fs::remove_file(path.join("commit.4")).unwrap();
    let mut database = Database::open(&path).unwrap();
    database.add(addition(&games(40..50))).unwrap();
    assert!(path.join("commit.4").exists());
}

#[test]
fn an_interrupted_creation_is_finished() {
    let (directory, database) = database(&[]);
    let path = directory.path().join("db");
    drop(database);
    fs::rename(path.join("commit.1"), path.join("commit.0")).unwrap();
    assert!(matches!(
        Database::open_read_only(&path),
        Err(Error::NotADatabase { .. })
    ));
    let mut database = Database::open_or_create(&path).unwrap();
    database.add(addition(&games(0..5))).unwrap();
    drop(database);
    assert_eq!(Database::open_read_only(&path).unwrap().snapshot().games(), 5);
}

#[test]
fn garbage_behind_the_list_of_files_is_an_error() {
    let (directory, database) = database(&[&games(0..20)]);
    let path = directory.path().join("db");
    drop(database);
    let current = fs::read_to_string(path.join("CURRENT")).unwrap();
    let list = path.join(current.trim_end());
    let mut bytes = fs::read(&list).unwrap();
    bytes.extend([7; 99]);
    fs::write(&list, bytes).unwrap();
    // RocksDB would read it forever.
    for error in [
        Database::open(&path).unwrap_err(),
        Database::open_read_only(&path).unwrap_err(),
    ] {
        assert!(matches!(error, Error::DamagedLog { .. }), "{error}");
    }
}
