//! Commands as people type them, in a folder that has what help and documents name.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::support::{Run, run, run_command, samples, scratch};

/// A folder with games, databases and queries of the usual names, and with these sets.
pub(super) fn prepared(sets: &[&str]) -> TempDir {
    let folder = scratch();
    let inside = |name: &str| folder.path().join(name);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in [
        "games.db",
        "samples.db",
        "old.db",
        "2024.db",
        "2025.db",
        "half.db",
        "sixteenth.db",
    ] {
        copy(samples(), &inside(name));
    }
    copy(&root.join("samples"), &inside("samples"));
    copy(&root.join("samples/queries"), &inside("queries"));
    for name in ["more", "themes", "themes/mine", "databases"] {
        fs::create_dir(inside(name)).unwrap();
    }
    let games = fs::read(root.join("samples/games.pgn")).unwrap();
    fs::write(inside("games.pgn"), &games).unwrap();
    fs::write(
        inside("lichess.pgn.zst"),
        zstd::encode_all(games.as_slice(), 1).unwrap(),
    )
    .unwrap();
    for name in ["more/more.pgn", "new.pgn", "corrected.pgn"] {
        fs::write(inside(name), "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    }
    for name in ["query.cql", "more.cql", "queries/mate.cql", "themes/mine/one.cql"] {
        fs::write(inside(name), "mate\n").unwrap();
    }
    fs::write(inside("mates.cql"), "cql() mate\n").unwrap();
    fs::write(inside("old.cql"), "(match (position Rc3 qg3 :shift))\n").unwrap();
    let database = inside("games.db");
    for set in sets {
        run(["query", database.to_str().unwrap(), "stalemate", "--save", *set]).ended_with(0);
    }
    folder
}

/// Runs what somebody types into a shell in a folder, which is also that person's home.
#[track_caller]
pub(super) fn run_typed(folder: &TempDir, line: &str, input: &str) -> Run {
    let programs = Path::new(env!("CARGO_BIN_EXE_cqldex")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder.path());
    shell
        .env("PATH", path)
        .env("CQLDEX_CONFIG", "")
        .env("HOME", folder.path());
    run_command(shell.env("XDG_CACHE_HOME", folder.path()), input)
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => fs::copy(entry.path(), target).map(|_| ()).unwrap(),
        }
    }
}
