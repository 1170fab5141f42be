//! RocksDB itself writes the files and gives the errors that this module knows.

use std::{
    fs, io,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use rocksdb::SstFileWriter;

use super::*;
use crate::{
    column::{column_options, database_options},
    error::Error,
    record::Records,
    store::{Access, MetaChange, Store},
};

/// What this program does when a test starts it again: a task, and the database for it.
const TASK: &str = "CQLDEX_TEST_TASK";
const DATABASE: &str = "CQLDEX_TEST_DATABASE";

#[test]
fn in_another_process() {
    let Ok(task) = std::env::var(TASK) else { return };
    let path = std::env::var_os(DATABASE).unwrap();
    let path = Path::new(&path);
    match task.as_str() {
        "lock" => assert!(matches!(open(path, Access::Write), Err(Error::Locked { .. }))),
        "read a log" => {
            fs::write(path.with_extension("begun"), "").unwrap();
            let _ = open(path, Access::Read);
            fs::write(path.with_extension("done"), "").unwrap();
        }
        "too many files" => {
            // All but two of the files that the process may open.
            let mut files: Vec<fs::File> = std::iter::from_fn(|| fs::File::open(path.join(CURRENT)).ok()).collect();
            files.truncate(files.len() - 2);
            let result = open(path, Access::Read).and_then(|db| read_all(&db, path));
            drop(files);
            assert!(matches!(result, Err(Error::TooManyFiles { .. })), "{result:?}");
        }
        _ => panic!("{task}"),
    }
}

/// This program, ready to do a task in a shell that has run some commands.
fn another_process(setup: &str, task: &str, database: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!(
            "{setup} exec \"$0\" --exact store::rocks::tests::in_another_process"
        ))
        .arg(std::env::current_exe().unwrap())
        .env(TASK, task)
        .env(DATABASE, database);
    command
}

/// Opens a database as RocksDB does it, without any check of ours.
fn open(path: &Path, access: Access) -> Result<DB> {
    let (options, columns) = (database_options(), Column::ALL.map(Column::descriptor));
    let db = match access {
        Access::Read => DB::open_cf_descriptors_read_only(&options, path, columns, false),
        Access::Write => DB::open_cf_descriptors(&options, path, columns),
    };
    db.map_err(|cause| error(path, cause))
}

/// Reads the `meta` column, all files of it.
fn read_all(db: &DB, path: &Path) -> Result<()> {
    let mut entries = db.raw_iterator_cf(db.cf_handle(Column::Meta.family()).unwrap());
    entries.seek_to_first();
    while entries.valid() {
        entries.next();
    }
    entries.status().map_err(|cause| error(path, cause))
}

/// A new database; each commit puts a key of ten kilobytes into the list of files.
fn database(commits: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::create(&folder.path().join("db")).unwrap();
    for commit in 0..commits {
        let mut records = Records::default();
        records.manifest.generation = 2 + commit;
        let mut change = MetaChange::default();
        change.put(vec![b'x'; 10_000], b"value".to_vec());
        store.commit(&records, change).unwrap();
    }
    folder
}

#[test]
fn the_list_of_files_has_the_headers_that_are_checked() {
    let folder = database(10);
    let path = folder.path().join("db");
    assert!(is_created(&path));
    let name = list_name(&path).unwrap();
    assert!(name.starts_with("MANIFEST-"), "{name}");
    let bytes = fs::read(path.join(name)).unwrap();
    assert!(bytes.len() > 3 << 15, "several blocks");
    let headers = log::read_headers(&bytes);
    assert_eq!((headers.bad, headers.end), (None, bytes.len()));
    assert!(headers.records > 10, "{headers:?}");
    let comparator = b"leveldb.BytewiseComparator";
    assert!(bytes.windows(comparator.len()).any(|part| part == comparator));

    // The log of changes is found by its name.
    let logs = fs::read_dir(&path).unwrap().filter(|entry| {
        let path = entry.as_ref().unwrap().path();
        path.extension().is_some_and(|extension| extension == LOG_EXTENSION)
    });
    assert_eq!(logs.count(), 1);
}

#[test]
fn the_list_of_files_changes_with_each_commit() {
    let folder = database(0);
    let path = folder.path().join("db");
    let before = ListOfFiles::of(&path);
    assert!(before.is_some());
    assert_eq!(before, ListOfFiles::of(&path));
    let store = Store::open(&path, Access::Write).unwrap();
    let opened = ListOfFiles::of(&path);
    let mut records = Records::default();
    records.manifest.generation = 2;
    store.commit(&records, MetaChange::default()).unwrap();
    assert_ne!(opened, ListOfFiles::of(&path));
}

/// The reason for `check_logs`. When this fails, RocksDB's reader has been repaired, and the check can go.
#[test]
fn rocksdb_never_returns_from_a_record_of_a_reused_log() {
    let folder = database(0);
    let path = folder.path().join("db");
    let list = path.join(list_name(&path).unwrap());
    let mut bytes = fs::read(&list).unwrap();
    bytes.extend([7; 99]);
    fs::write(&list, bytes).unwrap();
    assert!(matches!(check_logs(&path), Err(Error::DamagedLog { .. })));

    let mut child = another_process("", "read a log", &path).spawn().unwrap();
    let started = Instant::now();
    while !path.with_extension("begun").exists() && started.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(10));
    }
    thread::sleep(Duration::from_secs(1));
    let has_returned = path.with_extension("done").exists();
    let _ = child.kill();
    child.wait().unwrap();
    assert!(!has_returned);
}

#[test]
fn a_lock_is_told_apart() {
    let folder = database(0);
    let path = folder.path().join("db");
    let _first = open(&path, Access::Write).unwrap();
    assert!(matches!(open(&path, Access::Write), Err(Error::Locked { .. })));
    assert!(another_process("", "lock", &path).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn too_many_files_are_told_apart() {
    let folder = database(4);
    let path = folder.path().join("db");
    let status = another_process("ulimit -n 64;", "too many files", &path).status();
    assert!(status.unwrap().success());
}

#[test]
fn a_missing_file_is_told_apart() {
    let folder = database(1);
    let path = folder.path().join("db");
    let files = live_files(&open(&path, Access::Write).unwrap(), &path).unwrap();
    assert_eq!(files.len(), 2);
    for file in files {
        assert_eq!(file.column, Some(Column::Meta));
        assert_eq!(
            file.first_key.as_deref(),
            Some(if file.bytes > 10_000 {
                b"manifest"
            } else {
                b"format" as &[u8]
            })
        );
        assert_eq!(fs::metadata(&file.path).unwrap().len(), file.bytes);
        fs::remove_file(file.path).unwrap();
    }
    let db = open(&path, Access::Write).unwrap();
    let cause = db.get_cf(db.cf_handle("meta").unwrap(), "manifest").unwrap_err();
    assert!(is_file_missing(&cause), "{cause}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("full.sst");
    // Each write to this device fails as on a full disk.
    std::os::unix::fs::symlink("/dev/full", &file).unwrap();
    let options = column_options();
    let mut writer = SstFileWriter::create(&options);
    writer.open(&file).unwrap();
    writer.put("key", "value").unwrap();
    let cause = writer.finish().unwrap_err();
    let text = cause.to_string();
    assert!(matches!(error(folder.path(), cause), Error::DiskFull { .. }), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_refusal_is_told_apart_and_names_the_file() {
    let folder = database(0);
    let path = folder.path().join("db");
    // Not even root may write to this file.
    let read_only = "/proc/sys/kernel/osrelease";
    let wanted = fs::OpenOptions::new().write(true).open(read_only).unwrap_err();
    fs::remove_file(path.join("LOCK")).unwrap();
    std::os::unix::fs::symlink(read_only, path.join("LOCK")).unwrap();
    match open(&path, Access::Write) {
        Err(Error::Io { path: named, source }) => {
            assert_eq!((named, source.kind()), (path.join("LOCK"), wanted.kind()));
        }
        result => panic!("{result:?}"),
    }
}

/// RocksDB appends the text of the system to its errors; those for which no error can be provoked everywhere.
#[cfg(target_os = "linux")]
#[test]
fn the_system_says_what_is_looked_for() {
    const EROFS: i32 = 30;
    let error = io::Error::from_raw_os_error(EROFS);
    assert_eq!(error.kind(), io::ErrorKind::ReadOnlyFilesystem);
    assert!(error.to_string().starts_with("Read-only file system"), "{error}");
}

#[test]
fn other_columns_are_told_apart() {
    let folder = database(0);
    assert!(!has_other_columns(&folder.path().join("db")));
    assert!(!has_other_columns(&folder.path().join("missing")));
    let other = folder.path().join("other");
    drop(DB::open_default(&other).unwrap());
    assert!(has_other_columns(&other));
}
