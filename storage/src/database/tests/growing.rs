//! Adding, joining, removing, compacting.

use super::*;

#[test]
fn many_small_additions_are_one_database() {
    let (directory, mut database) = database(&[]);
    let all = games(0..300);
    let (mut most, mut games_written, mut bytes_written) = (0, 0, 0);
    for games in all.chunks(3) {
        database.add(addition(games)).unwrap();
        let snapshot = database.snapshot();
        most = most.max(snapshot.segments().len());
        // The last segment is always a new one.
        let last = snapshot.segments().last().unwrap();
        games_written += last.games as usize;
        bytes_written += last.stored_bytes;
    }
    assert!(most <= 14, "{most} segments");
    // A hundred additions make up to three levels of eight. Games of other lengths are joined a little earlier.
    assert!(games_written <= 5 * all.len(), "{games_written} games written");
    let least = segment(&all);
    let (_other, mut at_once) = super::database(&[]);
    at_once.commit(least).unwrap();
    let bytes_at_once = at_once.snapshot().segments()[0].stored_bytes;
    // Most of a segment of three games is the directory and the frames.
    assert!(
        bytes_written <= 60 * bytes_at_once,
        "{bytes_written} bytes written, {bytes_at_once} at once"
    );
    let check_all = |snapshot: &Snapshot| {
        let found: Vec<Game> = all_games(snapshot).into_iter().map(|(_, game)| game).collect();
        assert_eq!(found, all);
        is_clean(snapshot);
        // Blocks of three games were packed into larger ones.
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
    // Games in joined segments keep their numbers too.
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
fn a_game_takes_the_place_of_another() {
    let mut all = games(0..60);
    let (directory, mut database) = database(&[&all[..40], &all[40..]]);
    database.remove([3, 50]).unwrap();
    for (number, other) in [(0, 100), (17, 101), (39, 102), (59, 103)] {
        let other = game(other);
        assert!(database.replace(number, &other, 2).unwrap());
        all[number as usize] = other;
    }
    for number in [3, 50, 60, u64::MAX] {
        assert!(!database.replace(number, &all[0], 2).unwrap(), "{number}");
    }
    drop(database);
    let database = Database::open_read_only(directory.path().join("db")).unwrap();
    let wanted: Vec<(u64, Game)> = (1..).zip(all).filter(|(number, _)| ![4, 51].contains(number)).collect();
    assert_eq!(all_games(&database.snapshot()), wanted);
    is_clean(&database.snapshot());
}

#[test]
fn a_snapshot_keeps_the_segments_that_later_commits_drop() {
    let all = games(0..120);
    let (directory, mut database) = database(&[&all[..50], &all[50..90]]);
    let ids = |database: &Database| {
        let segments = database.store.segment_files().unwrap();
        let ids = segments.into_iter().map(|(_, segment, _)| segment);
        ids.collect::<std::collections::BTreeSet<u32>>()
    };
    let (first, old) = (database.snapshot(), ids(&database));
    // A part of the database is held on its own.
    let held = first.segment(1);
    database.compact(1).unwrap();
    assert_eq!(database.snapshot().segments().len(), 1);
    let middle = database.snapshot();
    database.add(addition(&all[90..])).unwrap();
    database.remove([3, 95]).unwrap();
    database.compact(1).unwrap();
    // What is between two segments that are held goes, and they stay.
    assert!(ids(&database).is_superset(&old));
    let found = |snapshot: &Snapshot| -> Vec<Game> { all_games(snapshot).into_iter().map(|(_, game)| game).collect() };
    assert_eq!(found(&first), all[..90]);
    is_clean(&first);
    drop(first);
    assert_eq!(ids(&database).intersection(&old).count(), 1);
    check(&held, &all[50..90]);
    drop(held);
    assert_eq!(ids(&database).intersection(&old).count(), 0);
    assert_eq!(found(&middle), all[..90]);
    drop(middle);
    assert_eq!(ids(&database).len(), 1);
    is_clean(&database.snapshot());
    // A snapshot outlives its database.
    let last = database.snapshot();
    database.remove([0]).unwrap();
    database.compact(1).unwrap();
    assert_eq!(ids(&database).len(), 2);
    drop(database);
    assert_eq!(found(&last).len(), 118);
    drop(last);
    let database = Database::open(directory.path().join("db")).unwrap();
    assert_eq!(ids(&database).len(), 1);
    assert_eq!(found(&database.snapshot()).len(), 117);
}
