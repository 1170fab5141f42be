//! Answers and sets beside the games.

use std::{
    fs::{self, File},
    thread,
    time::{Duration, SystemTime},
};

use roaring::RoaringBitmap;

use super::{addition, database, games, is_clean, segment};
use crate::{Database, Error, Fingerprint, NamedSet, Section, Sections, SegmentMeta, Snapshot};

/// Every `step`th position of each segment.
fn every(snapshot: &Snapshot, step: u32) -> Sections {
    let section = |meta: &SegmentMeta| Section {
        covered: meta.positions,
        positions: (0..meta.positions).filter(|id| id % step == 0).collect(),
        games: step,
        removed: meta.removed.games,
    };
    let segments = snapshot.segments().iter();
    segments.map(|meta| (meta.key, section(meta))).collect()
}

fn set(name: &str, live: Option<&str>, sections: Sections) -> NamedSet {
    NamedSet {
        name: name.to_owned(),
        live: live.map(str::to_owned),
        sections,
    }
}

#[test]
fn an_answer_is_read_back_until_it_is_damaged() {
    let (directory, database) = database(&[&games(0..40), &games(40..60)]);
    let snapshot = database.snapshot();
    let answers = snapshot.answers();
    let question = Fingerprint::of(b"check");
    assert_eq!(answers.read(&question), None);
    let sections = every(&snapshot, 7);
    let bytes = answers.write(&question, &sections).unwrap();
    assert_eq!(answers.read(&question), Some(sections.clone()));
    let usage = answers.usage().unwrap();
    assert_eq!((usage.count, usage.bytes, usage.bound), (1, bytes, 1 << 20));
    assert_eq!(answers.read(&Fingerprint::of(b"mate")), None);

    let path = directory.path().join("db/answers").join(question.to_string());
    let whole = fs::read(&path).unwrap();
    assert_eq!(whole.len() as u64, bytes);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        assert_eq!(answers.read(&question), None, "byte {at}");
        assert!(!path.exists());
        fs::write(&path, &whole[..at]).unwrap();
        assert_eq!(answers.read(&question), None, "cut at {at}");
    }
    // The file of another question.
    fs::write(path.with_file_name(Fingerprint::of(b"mate").to_string()), &whole).unwrap();
    assert_eq!(answers.read(&Fingerprint::of(b"mate")), None);
    answers.write(&question, &sections).unwrap();
    assert_eq!(answers.clear().unwrap().count, 1);
    assert_eq!(answers.usage().unwrap().count, 0);
}

#[test]
fn sets_are_saved_renamed_and_deleted() {
    let (directory, mut database) = database(&[&games(0..40)]);
    let snapshot = database.snapshot();
    let sets = snapshot.sets();
    assert_eq!(sets.names().unwrap(), [""; 0]);
    assert!(matches!(sets.read("forks"), Err(Error::NoSuchSet { .. })));
    for name in ["", "1a", "a/b", ".a", "a b", "CON", "com7", &"x".repeat(65)] {
        let saved = sets.save(&set(name, None, Sections::new()), true);
        assert!(matches!(saved, Err(Error::SetName { .. })), "{name}");
        assert!(matches!(sets.delete(name), Err(Error::SetName { .. })));
    }
    let forks = set("forks", None, every(&snapshot, 3));
    let live = set("Com-1_x", Some("check"), every(&snapshot, 5));
    sets.save(&forks, false).unwrap();
    sets.save(&live, true).unwrap();
    assert_eq!(sets.read("forks").unwrap(), forks);
    assert_eq!(sets.read("Com-1_x").unwrap(), live);
    assert!(matches!(sets.save(&forks, false), Err(Error::SetExists { .. })));
    let other = set("FORKS", None, Sections::new());
    assert!(matches!(sets.save(&other, true), Err(Error::SetExists { name }) if name == "forks"));
    sets.save(&forks, true).unwrap();
    assert!(matches!(sets.rename("forks", "Com-1_x"), Err(Error::SetExists { .. })));
    sets.rename("forks", "drawn").unwrap();
    assert_eq!(sets.names().unwrap(), ["Com-1_x", "drawn"]);
    assert_eq!(sets.read("drawn").unwrap().sections, forks.sections);
    let info = sets.info("drawn").unwrap();
    let positions = snapshot.positions().div_ceil(3);
    assert_eq!((info.positions, info.uncovered, info.live), (positions, 0, None));

    database.remove([0]).unwrap();
    let snapshot = database.snapshot();
    let first = snapshot.segment(0).starts().unwrap()[1];
    let info = snapshot.sets().info("drawn").unwrap();
    assert_eq!(info.positions, positions - u64::from(first.div_ceil(3)));

    let path = directory.path().join("db/sets/drawn");
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&path, &damaged).unwrap();
        match sets.read("drawn") {
            Err(Error::DamagedSet { name, .. }) => assert_eq!(name, "drawn"),
            other => panic!("byte {at}: {other:?}"),
        }
        assert_eq!(sets.read("Com-1_x").unwrap(), live);
    }
    let listed = sets.list().unwrap();
    assert!(listed[0].is_ok() && listed[1].is_err());
    sets.delete("drawn").unwrap();
    assert!(matches!(sets.delete("drawn"), Err(Error::NoSuchSet { .. })));
    assert_eq!(sets.names().unwrap(), ["Com-1_x"]);
}

#[test]
fn a_set_is_saved_for_the_segments_of_the_database_only() {
    let (directory, mut database) = database(&[&games(0..40)]);
    let old = database.snapshot();
    let reader = Database::open_read_only(directory.path().join("db")).unwrap();
    database.add(addition(&games(40..80))).unwrap();
    let forks = set("forks", None, every(&old, 3));
    for snapshot in [old, reader.snapshot()] {
        assert!(matches!(snapshot.sets().save(&forks, false), Err(Error::Stale { .. })));
    }
    let snapshot = database.snapshot();
    let forks = set("forks", None, every(&snapshot, 3));
    snapshot.sets().save(&forks, false).unwrap();
    assert_eq!(snapshot.sets().read("forks").unwrap(), forks);
}

#[test]
fn a_live_set_is_completed() {
    let (_directory, database) = database(&[&games(0..40)]);
    let snapshot = database.snapshot();
    let key = snapshot.segments()[0].key;
    let sets = snapshot.sets();
    let part = |covered: u32| {
        let positions: RoaringBitmap = (0..covered).step_by(2).collect();
        let section = Section {
            covered,
            positions,
            ..Section::default()
        };
        [(key, section)].into_iter().collect::<Sections>()
    };
    sets.save(&set("live", Some("q"), part(10)), false).unwrap();
    assert_eq!(sets.info("live").unwrap().uncovered, snapshot.positions() - 10);
    assert!(sets.complete(&set("live", Some("q"), part(20))).unwrap());
    assert!(!sets.complete(&set("live", Some("q"), part(15))).unwrap());
    assert!(!sets.complete(&set("live", Some("other"), part(30))).unwrap());
    assert!(!sets.complete(&set("gone", Some("q"), part(30))).unwrap());
    assert_eq!(sets.read("live").unwrap().sections, part(20));
}

/// Sets when a file was last used.
fn set_age(path: &std::path::Path, seconds: u64) {
    let time = SystemTime::now() - Duration::from_secs(seconds);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(time)
        .unwrap();
}

#[test]
fn the_answers_that_were_not_used_for_the_longest_time_go_first() {
    let (directory, database) = database(&[&games(0..40)]);
    let snapshot = database.snapshot();
    let folder = directory.path().join("db/answers");
    let question = |number: u64| Fingerprint::of(&number.to_le_bytes());
    let sections = every(&snapshot, 7);
    let size = snapshot.answers().write(&question(0), &sections).unwrap();
    let answers = snapshot.answers().with_bound(10 * size);
    for number in 0..10 {
        assert_eq!(answers.write(&question(number), &sections).unwrap(), size);
        set_age(&folder.join(question(number).to_string()), 1000 - number);
    }
    assert_eq!(answers.usage().unwrap().count, 10);
    assert!(answers.read(&question(0)).is_some());
    for number in 10..14 {
        answers.write(&question(number), &sections).unwrap();
    }
    let usage = answers.usage().unwrap();
    assert_eq!((usage.count, usage.bytes, usage.bound), (10, 10 * size, 10 * size));
    let there = |number: &u64| folder.join(question(*number).to_string()).exists();
    let kept: Vec<u64> = (0..14).filter(there).collect();
    assert_eq!(kept, [0, 5, 6, 7, 8, 9, 10, 11, 12, 13]);

    // One that takes more than all may take is not kept, and drives no other out; one that takes as much does.
    let answers = snapshot.answers().with_bound(size - 1);
    assert_eq!(answers.write(&question(20), &sections).unwrap(), 0);
    assert_eq!(answers.usage().unwrap().count, 10);
    let answers = snapshot.answers().with_bound(size);
    assert_eq!(answers.write(&question(21), &sections).unwrap(), size);
    assert!(there(&21));
    assert_eq!(snapshot.answers().clear().unwrap().count, 1);
}

#[test]
fn what_killed_processes_left_is_removed_after_an_hour() {
    let (directory, database) = database(&[&games(0..10)]);
    let snapshot = database.snapshot();
    for folder in ["answers", "sets"] {
        let folder = directory.path().join("db").join(folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, age) in [(".new-1-1", 4000), (".new-1-2", 1000), (".other", 4000)] {
            fs::write(folder.join(name), "x").unwrap();
            set_age(&folder.join(name), age);
        }
        let sections = every(&snapshot, 2);
        snapshot.answers().write(&Fingerprint::of(b"q"), &sections).unwrap();
        snapshot.sets().save(&set("one", None, sections), true).unwrap();
        let names: Vec<bool> = [".new-1-1", ".new-1-2", ".other"]
            .map(|name| folder.join(name).exists())
            .to_vec();
        assert_eq!(names, [false, true, true], "{folder:?}");
    }
    assert_eq!(snapshot.answers().usage().unwrap().count, 1);
    assert_eq!(snapshot.sets().usage().unwrap().count, 1);
    let stats = snapshot.stats().unwrap();
    assert_eq!((stats.answers.count, stats.sets.count), (1, 1));
    assert!(stats.bytes > stats.answers.bytes + stats.sets.bytes && stats.sets.bytes > 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_an_error_of_the_writer_only() {
    let (directory, database) = database(&[&games(0..10)]);
    let snapshot = database.snapshot();
    fs::write(directory.path().join("db/answers"), "a file").unwrap();
    let (answers, question) = (snapshot.answers(), Fingerprint::of(b"q"));
    assert!(answers.write(&question, &every(&snapshot, 2)).is_err());
    assert_eq!(answers.read(&question), None);
    assert_eq!(database.path().join("answers").metadata().unwrap().len(), 6);
}

#[test]
fn many_processes_may_keep_the_same_answer_at_once() {
    let (directory, database) = database(&[&games(0..40), &games(40..60)]);
    let whole = every(&database.snapshot(), 3);
    let question = Fingerprint::of(b"q");
    let path = directory.path().join("db");
    let work = |number: usize| {
        let snapshot = Database::open_read_only(&path).unwrap().snapshot();
        let answers = snapshot.answers();
        let mut part = whole.clone();
        if number.is_multiple_of(2) {
            part.remove(&snapshot.segments()[number / 2 % 2].key);
        }
        for round in 0..40 {
            if number == 5 && round % 8 == 0 {
                answers.clear().unwrap();
            }
            for (key, section) in answers.read(&question).into_iter().flatten() {
                assert_eq!(whole.get(&key), Some(&section));
            }
            // A folder may be cleared by another thread between making it and renaming a file in it.
            answers.write(&question, &part).unwrap();
        }
    };
    let work = &work;
    thread::scope(|scope| {
        for number in 0..10 {
            scope.spawn(move || work(number));
        }
    });
    database.snapshot().answers().write(&question, &whole).unwrap();
    assert_eq!(database.snapshot().answers().read(&question), Some(whole));
    let files = fs::read_dir(path.join("answers")).unwrap().count();
    assert_eq!(files, 1, "no temporary files are left");
}

#[test]
fn sets_are_saved_while_another_thread_adds_games() {
    let (directory, mut database) = database(&[&games(0..10)]);
    let path = directory.path().join("db");
    let save = |number: usize| {
        let name = format!("set{number}");
        for _ in 0..10 {
            let snapshot = Database::open_read_only(&path).unwrap().snapshot();
            // The first position of each segment, and so of the first game.
            let section = |meta: &SegmentMeta| Section {
                covered: meta.positions,
                positions: (meta.first_game == 0).then_some(0).into_iter().collect(),
                ..Section::default()
            };
            let sections = snapshot.segments().iter().map(|meta| (meta.key, section(meta)));
            match snapshot.sets().save(&set(&name, None, sections.collect()), true) {
                Ok(_) | Err(Error::Stale { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    let save = &save;
    let snapshot = thread::scope(|scope| {
        for number in 0..3 {
            scope.spawn(move || save(number));
        }
        for number in 0..25 {
            database.add(addition(&games(10 + number..11 + number))).unwrap();
        }
        database.compact(1).unwrap();
        database.snapshot()
    });
    let first = snapshot.segments()[0].key;
    for name in snapshot.sets().names().unwrap() {
        let found = database.snapshot().sets().read(&name).unwrap();
        assert!(found.sections.get(&first).unwrap().positions.iter().eq([0]), "{name}");
    }
    is_clean(&snapshot);
}

#[test]
fn damage_of_a_set_is_not_forgotten_when_segments_are_joined() {
    let (directory, mut database) = database(&[&games(0..10)]);
    let snapshot = database.snapshot();
    for name in ["bad", "cut", "good"] {
        snapshot
            .sets()
            .save(&set(name, None, every(&snapshot, 2)), false)
            .unwrap();
    }
    let folder = directory.path().join("db/sets");
    let mut bytes = fs::read(folder.join("bad")).unwrap();
    fs::write(folder.join("cut"), &bytes[..20]).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(folder.join("bad"), bytes).unwrap();
    let report = snapshot.verify(&mut |_| {}).unwrap();
    assert_eq!((report.problems.len(), report.records.len()), (0, 2));
    assert!(!database.rebuild(false, false, 1, &mut |_| {}).unwrap().copy);

    database.add(addition(&games(10..30))).unwrap();
    database.compact(1).unwrap();
    let snapshot = database.snapshot();
    assert_eq!(snapshot.segments().len(), 1);
    for name in ["bad", "cut"] {
        let error = snapshot.sets().read(name).unwrap_err();
        assert!(
            matches!(&error, Error::DamagedSet { name: named, .. } if named == name),
            "{error}"
        );
        assert!(snapshot.sets().info(name).is_err());
        assert!(snapshot.sets().rename(name, "x").is_err() || name == "bad");
    }
    let good = snapshot.sets().read("good").unwrap();
    assert_eq!(good.sections.len(), 1);
    assert!(good.sections.iter().all(|(_, section)| !section.positions.is_empty()));
}

#[test]
fn games_that_are_lost_in_a_rebuild_leave_the_others_in_their_sets() {
    let all = games(0..90);
    for knows_lengths in [true, false] {
        let mut data = segment(&all);
        assert_eq!(data.blocks.len(), 3);
        let starts = data.starts.clone();
        // The second of three blocks can't be read.
        data.blocks[1].trees[12] ^= 1;
        if !knows_lengths {
            *data.starts.last_mut().unwrap() += 1;
        }
        let (_directory, mut database) = database(&[]);
        database.commit(data).unwrap();
        let snapshot = database.snapshot();
        let is_in = |game: usize, node: u32| (node + game as u32).is_multiple_of(3);
        let places = (0..90).flat_map(|game| (0..starts[game + 1] - starts[game]).map(move |node| (game, node)));
        let section = Section {
            covered: starts[90],
            positions: places
                .filter(|(game, node)| is_in(*game, *node))
                .map(|(game, node)| starts[game] + node)
                .collect(),
            ..Section::default()
        };
        let sections: Sections = [(snapshot.segments()[0].key, section)].into_iter().collect();
        snapshot
            .sets()
            .save(&set("fixed", None, sections.clone()), false)
            .unwrap();
        snapshot.sets().save(&set("live", Some("q"), sections), false).unwrap();

        let rebuilt = database.rebuild(false, true, 1, &mut |_| {}).unwrap();
        assert_eq!(rebuilt.lost, (31..=60).collect::<Vec<u64>>());
        let snapshot = database.snapshot();
        let (key, segment) = (snapshot.segments()[0].key, snapshot.segment(0));
        let new_starts = segment.starts().unwrap();
        let wanted = |games: std::ops::Range<usize>| -> RoaringBitmap {
            let games = games.filter(|game| !(30..60).contains(game));
            let places = games.flat_map(|game| (0..starts[game + 1] - starts[game]).map(move |node| (game, node)));
            let places = places.filter(|(game, node)| is_in(*game, *node));
            places.map(|(game, node)| new_starts[game] + node).collect()
        };
        let fixed = snapshot.sets().read("fixed").unwrap();
        assert_eq!(fixed.sections.get(&key).unwrap().positions, wanted(0..90));
        // Nothing is known of the games that replace the lost ones.
        let live = snapshot.sets().read("live").unwrap();
        let live = live.sections.get(&key).unwrap();
        assert_eq!((live.covered, &live.positions), (new_starts[30], &wanted(0..30)));
    }
}
