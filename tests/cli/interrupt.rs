//! Ctrl-C.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::support::{output_of, program, run, scratch};

#[test]
fn what_was_indexed_before_an_interrupt_is_kept() {
    let folder = scratch();
    let database = folder.path().join("db");
    let mut child = program()
        .args(["index".as_ref(), database.as_os_str(), "-".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let games = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/games.pgn")).unwrap();
    // More than a megabyte: enough that the program has begun to index.
    for _ in 0..100 {
        input.write_all(&games).unwrap();
    }
    // The shell has `kill` built in; the program of that name may be missing.
    let killed = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status()
        .unwrap();
    assert!(killed.success());
    // It says so when it has heard.
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut heard = String::new();
    errors.read_line(&mut heard).unwrap();
    assert!(heard.contains("interrupted"), "{heard}");
    drop(input);
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    let output = output_of(child, "what is interrupted");
    assert_eq!(output.status.code(), Some(2), "{rest}");
    assert!(rest.contains("error: interrupted"), "{rest}");
    let stats = run(["stats".as_ref(), database.as_os_str(), "--json".as_ref()])
        .ended_with(0)
        .json();
    let games = stats[0]["games"].as_u64().unwrap();
    // A quick run has read everything that came.
    assert!(0 < games && games <= 6400, "{games}");
    run(["verify".as_ref(), database.as_os_str()]).ended_with(0);
}

#[test]
fn a_run_that_waits_for_input_can_be_interrupted() {
    let folder = scratch();
    let database = folder.path().join("db");
    let mut child = program()
        .args(["index".as_ref(), database.as_os_str(), "-".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It stays open, and nothing comes.
    let input = child.stdin.take().unwrap();
    while !database.join("CURRENT").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let started = std::time::Instant::now();
    let killed = Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = output_of(child, "what is interrupted");
    assert!(started.elapsed() < std::time::Duration::from_secs(5));
    assert_eq!(output.status.code(), Some(2));
    drop(input);
}
