//! Wrong and damaged values are found, and restored where that is possible.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::*;

#[test]
fn postings_that_are_wrong_are_found() {
    // The index is of other games than those that are stored. Every checksum is right.
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
fn damaged_records_are_restored_from_their_copy() {
    let all = games(0..40);
    let source = || Source {
        name: "games".to_owned(),
        bytes: 7,
        ..Source::default()
    };
    for (kind, damage) in ["cut", "flipped", "gone"].into_iter().enumerate() {
        let (directory, mut database) = database(&[&all[..30]]);
        let mut more = addition(&all[30..]);
        more.full = 1;
        more.sources.push((database.new_source(), source()));
        database.add(more).unwrap();
        database.remove([5, 35]).unwrap();
        let before = all_games(&database.snapshot());
        let path = database.path().to_owned();
        let data = database.segment_files().unwrap();
        drop(database);
        assert!(!Database::recover(&path).unwrap(), "{damage}: nothing is damaged");
        for entry in fs::read_dir(&path).unwrap() {
            let file = entry.unwrap().path();
            if file.extension().is_none_or(|extension| extension != "sst") || data.contains(&file) {
                continue;
            }
            let mut bytes = fs::read(&file).unwrap();
            match kind {
                0 => bytes.truncate(9),
                1 => bytes.iter_mut().for_each(|byte| *byte ^= 0x55),
                _ => {
                    fs::remove_file(&file).unwrap();
                    continue;
                }
            }
            fs::write(&file, bytes).unwrap();
        }
        assert!(Database::open_read_only(&path).is_err(), "{damage}");
        assert!(Database::recover(&path).unwrap(), "{damage}");
        let mut database = Database::open(&path).unwrap();
        assert_eq!(all_games(&database.snapshot()), before, "{damage}");
        is_clean(&database.snapshot());
        assert!(database.sources().unwrap().is_empty(), "{damage}");
        // The sources are lost, but their numbers are not given again.
        assert_eq!(database.new_source(), 1);
        database.add(addition(&games(40..42))).unwrap();
        drop(database);
        assert!(!Database::recover(&path).unwrap(), "{damage}");
        is_clean(&Database::open_read_only(&path).unwrap().snapshot());
        drop(directory);
    }
}

#[test]
fn without_a_copy_damaged_records_stay_an_error() {
    let (directory, database) = database(&[&games(0..9)]);
    let (path, data) = (database.path().to_owned(), database.segment_files().unwrap());
    drop(database);
    for entry in fs::read_dir(&path).unwrap() {
        let file = entry.unwrap().path();
        let is_record = file.extension().is_some_and(|extension| extension == "sst") && !data.contains(&file);
        let is_copy = file.file_name().unwrap().to_str().unwrap().starts_with("commit.");
        if is_record || is_copy {
            fs::write(&file, b"nothing of use").unwrap();
        }
    }
    assert!(Database::recover(&path).is_err());
    drop(directory);
}

/// The file with the copy of the records of a commit.
fn copy_of(path: &Path, generation: u64) -> PathBuf {
    path.join(format!("commit.{generation}"))
}

#[test]
fn a_damaged_copy_of_the_records_is_found_and_written_again() {
    let (directory, mut database) = database(&[&games(0..30), &games(30..40)]);
    database.remove([5]).unwrap();
    let (path, copy) = (directory.path().join("db"), copy_of(database.path(), 4));
    let older = fs::read(copy).unwrap();
    database.remove([6]).unwrap();
    drop(database);
    let copy = copy_of(&path, 5);
    let whole = fs::read(&copy).unwrap();
    let mut flipped = whole.clone();
    flipped[20] ^= 4;
    let cut = whole[..whole.len() - 3].to_vec();
    let longer = [whole.as_slice(), &[7]].concat();
    for (damage, bytes) in [
        ("flipped", Some(flipped)),
        ("cut", Some(cut)),
        ("empty", Some(Vec::new())),
        ("longer", Some(longer)),
        ("of an older commit", Some(older)),
        ("gone", None),
    ] {
        match bytes {
            Some(bytes) => fs::write(&copy, bytes).unwrap(),
            None => fs::remove_file(&copy).unwrap(),
        }
        let report = Database::open_read_only(&path)
            .unwrap()
            .snapshot()
            .verify(&mut |_| {})
            .unwrap();
        assert!(report.problems.is_empty() && !report.is_clean(), "{damage}: {report:?}");
        let [Error::DamagedFile { path: named, .. }] = report.records.as_slice() else {
            panic!("{damage}: {report:?}")
        };
        assert_eq!(named, &copy, "{damage}");
        let rebuilt = Database::open(&path)
            .unwrap()
            .rebuild(false, false, 1, &mut |_| {})
            .unwrap();
        // A missing copy is written when the database is opened for writing.
        assert_eq!(rebuilt.copy, damage != "gone", "{damage}");
        assert_eq!(fs::read(&copy).unwrap(), whole, "{damage}");
        is_clean(&Database::open_read_only(&path).unwrap().snapshot());
    }
}

#[test]
fn a_copy_that_an_interrupted_run_did_not_write_is_written_later() {
    let (directory, mut database) = database(&[&games(0..30)]);
    let path = directory.path().join("db");
    let before = fs::read(copy_of(&path, 2)).unwrap();
    database.remove([5]).unwrap();
    drop(database);
    let whole = fs::read(copy_of(&path, 3)).unwrap();
    fs::remove_file(copy_of(&path, 3)).unwrap();
    fs::write(copy_of(&path, 2), before).unwrap();
    // For a reader, a writer may be just about to write the copy.
    is_clean(&Database::open_read_only(&path).unwrap().snapshot());
    drop(Database::open(&path).unwrap());
    assert!(!copy_of(&path, 2).exists());
    assert_eq!(fs::read(copy_of(&path, 3)).unwrap(), whole);
}
