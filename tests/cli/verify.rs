//! `cqldex verify`.

use std::fs;

use super::support::{index, index_in_columns, on_samples, run, scratch, segment_files, with_damage};

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

/// Moves and words of matches are read when these are printed, and may be damaged, too.
#[test]
fn games_that_cannot_be_printed_are_told_and_left_out() {
    let folder = scratch();
    let database = folder.path().join("db");
    index_in_columns(&database, "samples/games.pgn");
    let files = segment_files(&database);
    let pgn = folder.path().join("out.pgn");
    let write = |more: &[&str]| {
        let fixed: [&std::ffi::OsStr; 5] = [
            "query".as_ref(),
            database.as_os_str(),
            "mate".as_ref(),
            "--pgn".as_ref(),
            pgn.as_os_str(),
        ];
        run(fixed.into_iter().chain(more.iter().map(std::ffi::OsStr::new)))
    };
    write(&[]).ended_with(0);
    let whole = fs::read(&pgn).unwrap();
    let mut told = 0;
    for file in files {
        let sound = fs::read(&file).unwrap();
        fs::write(&file, with_damage(&sound)).unwrap();
        if write(&[]).code == 2 {
            let spared = write(&["--skip-damaged"]);
            assert!(spared.code < 2, "{}", spared.stderr);
            assert!(spared.stderr.contains("warning: game"), "{}", spared.stderr);
            let left = fs::read(&pgn).unwrap();
            assert!(left.len() < whole.len() && whole.starts_with(&left[..left.len().min(100)]) || left.is_empty());
            told += u64::from(spared.stderr.contains("could not be written"));
        }
        fs::write(&file, sound).unwrap();
    }
    assert!(told > 0, "the words of games are read when they are written");
    assert_eq!(write(&[]).code, 0);
}

/// Moves and words of games are read for some counts, and may be damaged, too.
#[test]
fn games_that_cannot_be_counted_are_told_and_left_out() {
    let folder = scratch();
    let database = folder.path().join("db");
    index_in_columns(&database, "samples/games.pgn");
    let files = segment_files(&database);
    let sound: Vec<_> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    for counted in [
        ["query", "ply == 3", "--by", "tag:Event"],
        ["query", "ply == 3", "--by", "next"],
        ["query", "ply == 3", "--by-square", "N attacks _d4"],
        ["next", "ply == 3", "--depth", "2"],
    ] {
        let count = |more: &[&str]| {
            let [command, filters, option, value] = counted;
            let fixed = [
                command,
                database.to_str().unwrap(),
                filters,
                option,
                value,
                "--format",
                "json",
            ];
            run(fixed.into_iter().chain(more.iter().copied()))
        };
        let games = |run: &super::support::Run| -> u64 {
            let rows = run.json();
            let first = rows.iter().filter(|row| row["depth"].as_u64().unwrap_or(1) == 1);
            first.map(|row| row["games"].as_u64().unwrap()).sum()
        };
        let all = games(&count(&[]).ended_with(0));
        let mut told = 0;
        for (file, sound) in files.iter().zip(&sound) {
            fs::write(file, with_damage(sound)).unwrap();
            if count(&[]).code == 2 {
                let spared = count(&["--skip-damaged"]);
                let left_out = spared.stderr.matches("could not be counted").count() as u64;
                if left_out > 0 {
                    assert!(spared.code < 2, "{}", spared.stderr);
                    assert!(games(&spared) < all, "{counted:?}");
                    told += 1;
                }
            }
            fs::write(file, sound).unwrap();
        }
        assert!(told > 0, "{counted:?}");
    }
}
