//! The database that `cqldex cql` makes of a PGN file and keeps up with it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use tempfile::TempDir;

use super::cql::{GAMES, command, counts, cql, folder};
use super::support::{Run, run_command};

const GAME: &str = "[Event \"Added\"]\n[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n";

#[track_caller]
fn search(folder: &TempDir) -> Run {
    cql(folder, ["-i", "games.pgn", "query.cql"]).ended_with(0)
}

fn games(folder: &TempDir) -> PathBuf {
    folder.path().join("games.pgn")
}

/// What a run did with the database.
fn done(run: &Run) -> &'static str {
    match &run.stderr {
        note if note.contains("is indexed into") => "made",
        note if note.contains("has grown") => "extended",
        _ => "used",
    }
}

fn write_at(path: &Path, text: &str, time: SystemTime) {
    fs::write(path, text).unwrap();
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(time)
        .unwrap();
}

#[test]
fn a_database_is_made_once() {
    let folder = folder("cql()\nmate");
    assert_eq!(done(&search(&folder)), "made");
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("used", [1, 3]));
    assert!(folder.path().join("games.pgn.cqldex/source.json").is_file());
    assert!(!folder.path().join("cache").exists());
}

#[test]
fn a_file_that_was_touched_is_the_same() {
    let folder = folder("cql()\nmate");
    search(&folder);
    File::options()
        .write(true)
        .open(games(&folder))
        .unwrap()
        .set_modified(SystemTime::now())
        .unwrap();
    assert_eq!(done(&search(&folder)), "used");
    // A copy is not the same file, but it has the same games.
    fs::copy(games(&folder), folder.path().join("copy.pgn")).unwrap();
    fs::rename(folder.path().join("copy.pgn"), games(&folder)).unwrap();
    assert_eq!(done(&search(&folder)), "used");
}

#[test]
fn a_change_is_found_whatever_the_times_of_the_file_say() {
    let folder = folder("cql()\nmate");
    let then = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    write_at(&games(&folder), GAMES, then);
    assert_eq!(counts(&search(&folder)), [1, 3]);
    let changed = GAMES.replace("4. Qxf7# 1-0", "4. Qxe5  1-0");
    assert_eq!(changed.len(), GAMES.len());
    write_at(&games(&folder), &changed, then);
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("made", [0, 3]));
    write_at(&games(&folder), &GAMES[..GAMES.len() / 2], then);
    assert_eq!(done(&search(&folder)), "made");
}

#[test]
fn games_that_were_appended_are_added() {
    let folder = folder("cql()\nmate");
    search(&folder);
    fs::write(games(&folder), format!("{GAMES}\n{GAME}")).unwrap();
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("extended", [2, 4]));
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("used", [2, 4]));
    fs::write(games(&folder), format!("{GAMES}\n{GAME}{GAME}")).unwrap();
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("extended", [3, 5]));
    assert!(
        fs::read_to_string(folder.path().join("query-out.pgn"))
            .unwrap()
            .contains("{Game number 5}")
    );
    // What is wrong in them has its place in the whole file.
    let broken = format!("{GAMES}\n{GAME}{GAME}[Event \"Broken\"]\n\n1. e4 e4 *\n");
    fs::write(games(&folder), &broken).unwrap();
    let run = search(&folder);
    let line = broken.lines().count();
    assert!(
        run.stderr.contains(&format!("games.pgn:{line}: game 6: illegal move")),
        "{}",
        run.stderr
    );
    let run = search(&folder);
    assert!(
        run.stderr
            .contains("0 games of the file were not readable and 1 lack something"),
        "{}",
        run.stderr
    );
}

#[test]
fn what_is_appended_to_a_game_makes_everything_new() {
    for (old, added) in [
        ("[Event \"Open\"]\n\n1. f3 e5", " 2. g4 Qh4# *\n"),
        (
            "[Event \"Open\"]\n\n1. f3 e5 2. g4 *\n",
            "{behind the result} 2... Qh4# *\n",
        ),
        (
            "[Event \"Open\"]\n\n1. f3 e5 2. g4 { *\n",
            "[Event \"?\"]\n} 2... Qh4# *\n",
        ),
        ("[Event \"Open\"]\n\n1. f3 e5 *", "[Event \"?\"]\n"),
        ("[Event \"Open\"]\n[White \"a\"]\n", "[Black \"b\"]\n\n1. f3 e5 *\n"),
    ] {
        let grown = folder("cql()\nmate");
        fs::write(games(&grown), old).unwrap();
        search(&grown);
        fs::write(games(&grown), format!("{old}{added}")).unwrap();
        let run = search(&grown);
        assert_eq!(done(&run), "made", "{old}");
        let new = folder("cql()\nmate");
        fs::write(games(&new), format!("{old}{added}")).unwrap();
        assert_eq!(counts(&run), counts(&search(&new)), "{old}");
    }
}

#[test]
fn a_damaged_database_is_made_again() {
    let folder = folder("cql()\nmate");
    search(&folder);
    let place = folder.path().join("games.pgn.cqldex");
    for damage in [
        &|| fs::remove_file(place.join("source.json")).unwrap() as (),
        &|| fs::write(place.join("source.json"), "{\"program\":").unwrap(),
        &|| fs::remove_file(place.join("db/CURRENT")).unwrap(),
        &|| fs::remove_dir_all(place.join("db")).unwrap(),
    ] as [&dyn Fn(); 4]
    {
        damage();
        let run = search(&folder);
        assert_eq!((done(&run), counts(&run)), ("made", [1, 3]));
    }
    // Games that were added without being noted, because the program was killed then.
    let database = place.join("db");
    let added = folder.path().join("added.pgn");
    fs::write(&added, GAME).unwrap();
    super::support::index(&database, [&added]).ended_with(0);
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("made", [1, 3]));
}

#[test]
fn the_user_s_folder_is_used_where_the_file_lies_badly() {
    let folder = folder("cql()\nmate");
    // Something else has the name of the folder beside the file.
    fs::write(folder.path().join("games.pgn.cqldex"), "mine").unwrap();
    let run = search(&folder);
    assert_eq!((done(&run), counts(&run)), ("made", [1, 3]));
    assert_eq!(done(&search(&folder)), "used");
    assert_eq!(
        fs::read_to_string(folder.path().join("games.pgn.cqldex")).unwrap(),
        "mine"
    );
    let made = fs::read_dir(folder.path().join("cache/cqldex")).unwrap();
    assert_eq!(made.count(), 1);
    fs::remove_dir_all(folder.path().join("cache")).unwrap();
    fs::write(folder.path().join("cache"), "also mine").unwrap();
    cql(&folder, ["-i", "games.pgn", "query.cql"]).fails("there is no place for the database of games.pgn");
}

#[cfg(unix)]
#[test]
fn links_to_a_file_share_its_database() {
    let folder = folder("cql()\nmate");
    search(&folder);
    std::os::unix::fs::symlink(games(&folder), folder.path().join("link.pgn")).unwrap();
    let run = cql(&folder, ["-i", "link.pgn", "query.cql"]).ended_with(0);
    assert_eq!((done(&run), counts(&run)), ("used", [1, 3]));
}

#[test]
fn several_programs_at_once_agree() {
    let folder = folder("cql()\nmate");
    fs::write(games(&folder), GAMES.repeat(300)).unwrap();
    let run_at_once = || {
        let runs: Vec<Run> = std::thread::scope(|scope| {
            let start = |number: usize| {
                let folder = &folder;
                let output = format!("{number}.pgn");
                scope.spawn(move || {
                    let arguments = ["-i", "games.pgn", "-o", &output, "query.cql"];
                    run_command(command(folder.path()).args(arguments), "").ended_with(0)
                })
            };
            let threads: Vec<_> = (0..4).map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let made = runs.iter().filter(|run| done(run) != "used").count();
        (made, runs.iter().map(counts).collect::<Vec<_>>())
    };
    assert_eq!(run_at_once(), (1, vec![[300, 900]; 4]));
    assert_eq!(run_at_once(), (0, vec![[300, 900]; 4]));
    fs::write(games(&folder), GAMES.repeat(301)).unwrap();
    assert_eq!(run_at_once(), (1, vec![[301, 903]; 4]));
}

#[test]
fn a_file_that_is_replaced_while_it_is_read_is_one_or_the_other() {
    let folder = folder("cql()\nmate");
    let versions = [GAMES.repeat(200), format!("{GAME}\n{GAMES}").repeat(100)];
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let temporary = folder.path().join("new.tmp");
            for version in versions.iter().cycle() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                fs::write(&temporary, version).unwrap();
                fs::rename(&temporary, games(&folder)).unwrap();
            }
        });
        for _ in 0..8 {
            let run = cql(&folder, ["-i", "games.pgn", "query.cql"]);
            if run.code == 1 {
                assert!(
                    run.stderr.contains("the file changes while it is read"),
                    "{}",
                    run.stderr
                );
            } else {
                let found = counts(&run.ended_with(0));
                assert!(found == [200, 600] || found == [200, 400], "{found:?}");
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    let found = counts(&search(&folder));
    assert!(found == [200, 600] || found == [200, 400], "{found:?}");
}

#[test]
fn packed_files_have_databases_too() {
    let folder = folder("cql()\nmate");
    let packed = folder.path().join("games.pgn.zst");
    fs::write(&packed, zstd::encode_all(GAMES.as_bytes(), 1).unwrap()).unwrap();
    let search = || cql(&folder, ["-i", "games.pgn.zst", "query.cql"]).ended_with(0);
    let run = search();
    assert_eq!((done(&run), counts(&run)), ("made", [1, 3]));
    assert_eq!(done(&search()), "used");
    fs::write(&packed, zstd::encode_all(GAMES.repeat(2).as_bytes(), 1).unwrap()).unwrap();
    let run = search();
    assert_eq!((done(&run), counts(&run)), ("made", [2, 6]));
}
