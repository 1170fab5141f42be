//! `cqldex verify`.

use std::fs;

use super::support::{index, on_samples, run, scratch};

#[test]
fn a_sound_database_is_told_so() {
    let run = on_samples("verify", []).ended_with(0);
    assert!(
        run.stdout.starts_with("86 games, 4,955 positions and "),
        "{}",
        run.stdout
    );
    assert!(
        run.stdout.ends_with(" posting lists checked: no damage\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn damage_is_found() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples"]).ended_with(0);
    let tables = fs::read_dir(&database).unwrap().map(|entry| entry.unwrap().path());
    let largest = tables
        .filter(|path| path.extension().is_some_and(|extension| extension == "sst"))
        .max_by_key(|path| path.metadata().unwrap().len())
        .expect("a database has tables");
    let mut bytes = fs::read(&largest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x55;
    // The file may be write protected; a new one takes its place.
    fs::remove_file(&largest).unwrap();
    fs::write(&largest, bytes).unwrap();
    let verify = run(["verify".as_ref(), database.as_os_str()]).ended_with(2);
    assert!(verify.stderr.starts_with("error: "), "{}", verify.stderr);
    assert!(
        verify.stdout.contains("damaged data in column"),
        "{}\n{}",
        verify.stdout,
        verify.stderr
    );
}
