//! Opening what is a database and what is not, also after interrupted runs.

use std::{fs, path::PathBuf};

use super::*;

#[test]
fn an_interrupted_commit_leaves_nothing() {
    let first = games(0..40);
    let (directory, database) = database(&[&first]);
    let path = directory.path().join("db");
    // Everything but the manifest is written, of a segment of one file and of one with a file for each column.
    let mut database = database;
    for small in [usize::MAX, 0] {
        database.set_small(small);
        database.write_segment(segment(&games(40..60))).unwrap();
    }
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
            .all(|(after, before)| after.1 < before.1 || matches!(after.0, "meta" | "annotations"))
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

/// Says that a database has a format.
fn say_format(database: &Database, version: u32) {
    let mut format = b"cqldex\0\0".to_vec();
    format.extend_from_slice(&version.to_le_bytes());
    let mut change = MetaChange::default();
    change.put(b"format".to_vec(), format);
    let records = Records {
        manifest: database.manifest.clone(),
        removed: Vec::new(),
    };
    database.store.commit(&records, change).unwrap();
}

#[test]
fn a_database_of_an_older_format_gets_no_lists_of_pinned_men() {
    let (directory, database) = database(&[]);
    say_format(&database, 9);
    drop(database);
    let mut database = Database::open(directory.path().join("db")).unwrap();
    database.commit(segment(&games(0..40))).unwrap();
    let has_pins = |database: &Database| {
        let segment = &database.segments()[0];
        let mut pins = Term::all().filter(|term| matches!(term, Term::Pinned(..)));
        let has_lists = pins.any(|term| segment.term_stats(term).unwrap().cardinality > 0);
        assert_eq!(has_lists, segment.lists_pins().unwrap());
        has_lists
    };
    assert!(!has_pins(&database));
    assert!(database.snapshot().verify(&mut |_| {}).unwrap().problems.is_empty());
    database.rebuild(false, false, 2, &mut |_| {}).unwrap();
    assert!(has_pins(&database));
    assert!(database.snapshot().verify(&mut |_| {}).unwrap().problems.is_empty());
}

#[test]
fn another_format_is_told_apart() {
    let (directory, database) = database(&[]);
    say_format(&database, FORMAT_VERSION + 1);
    drop(database);
    let error = Database::open(directory.path().join("db")).unwrap_err();
    assert!(
        matches!(
            error,
            Error::FormatVersion {
                found,
                supported: FORMAT_VERSION,
                ..
            } if found == FORMAT_VERSION + 1
        ),
        "{error}"
    );
    assert!(error.to_string().contains(&format!("format {}", FORMAT_VERSION + 1)));
}

/// From format 5 on, there is a database of each format, which `tests/cli/compat.rs` opens.
#[test]
fn this_format_has_a_fixture() {
    let fixture = format!("../tests/compat/format-{FORMAT_VERSION}/database");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture);
    assert!(path.is_dir(), "{} is missing", path.display());
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
    // Without the file that counts the commits, the database can be opened.
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
    // RocksDB would never return.
    for error in [
        Database::open(&path).unwrap_err(),
        Database::open_read_only(&path).unwrap_err(),
    ] {
        assert!(matches!(error, Error::DamagedLog { .. }), "{error}");
    }
}
