//! `cqldex doctor`: what it tells of a machine, a configuration and a database.

use super::support::{Run, file, own_samples, program, run, run_command, samples, scratch};

/// The level of a line about this.
#[track_caller]
fn level<'r>(run: &'r Run, subject: &str) -> &'r str {
    let line = run
        .stdout
        .lines()
        .find(|line| line[4..].trim_start().starts_with(subject));
    line.unwrap_or_else(|| panic!("nothing about {subject}:\n{}", run.stdout))
        .split_whitespace()
        .next()
        .unwrap()
}

#[test]
fn a_sound_database_is_well() {
    let found = run(["doctor", samples().to_str().unwrap()]);
    for subject in [
        "cores",
        "temporary",
        "configuration",
        "database",
        "games",
        "segments",
        "answers",
        "sets",
    ] {
        assert_eq!(level(&found, subject), "ok", "{}", found.stdout);
    }
    assert!(found.stdout.contains("86 games"), "{}", found.stdout);
    assert_ne!(found.code, 2, "{}", found.stderr);
}

#[test]
fn what_does_not_work_is_an_error() {
    let found = run(["doctor", "samples"]).ended_with(2);
    assert_eq!(level(&found, "database"), "bad");
    assert!(found.stderr.contains("something does not work"), "{}", found.stderr);
}

#[test]
fn a_damaged_set_is_seen() {
    let (_folder, path) = own_samples();
    let database = path.to_str().unwrap();
    run(["query", database, "mate", "--save", "mates"]).ended_with(0);
    std::fs::write(path.join("sets").join("mates"), "no set").unwrap();
    let found = run(["doctor", database]).ended_with(2);
    assert_eq!(level(&found, "sets"), "bad", "{}", found.stdout);
    assert_eq!(level(&found, "games"), "ok", "{}", found.stdout);
}

#[test]
fn a_wrong_configuration_is_told_with_its_place() {
    let folder = scratch();
    let configuration = file(&folder, "config.toml", "threads = 2\ncolor = 'pink'\n");
    let found = run_command(program().arg("doctor").env("CQLDEX_CONFIG", &configuration), "").ended_with(2);
    assert_eq!(level(&found, "configuration"), "bad", "{}", found.stdout);
    assert!(found.stdout.contains("line 2, column 9"), "{}", found.stdout);
}

#[test]
fn a_configured_database_that_is_gone_is_odd() {
    let folder = scratch();
    let configuration = file(&folder, "config.toml", "database = 'gone.db'\n");
    let found = run_command(program().arg("doctor").env("CQLDEX_CONFIG", &configuration), "").ended_with(1);
    assert_eq!(level(&found, "configuration"), "odd", "{}", found.stdout);
    assert!(found.stdout.contains("gone.db"), "{}", found.stdout);
}

/// A search opens all files of a database at once.
#[cfg(unix)]
#[test]
fn too_few_files_are_odd() {
    let limited = |limit: &str| {
        let mut shell = std::process::Command::new("sh");
        let run = format!("ulimit -n {limit} && exec \"$0\" doctor \"$1\"");
        shell.args(["-c", &run]).arg(program().get_program()).arg(samples());
        run_command(shell.env("CQLDEX_CONFIG", ""), "")
    };
    let few = limited("200").ended_with(1);
    assert_eq!(level(&few, "files"), "odd", "{}", few.stdout);
    assert_eq!(level(&few, "open files"), "odd", "{}", few.stdout);
    assert_eq!(level(&few, "database"), "ok", "{}", few.stdout);
    let many = limited("1000");
    assert_eq!(level(&many, "open files"), "ok", "{}", many.stdout);
    assert!(!many.stdout.contains("may be needed"), "{}", many.stdout);
}

#[test]
fn programs_get_json() {
    let found = run(["doctor", "--json", samples().to_str().unwrap()]);
    let findings = found.json();
    assert!(findings.len() > 8, "{findings:?}");
    let database = findings
        .iter()
        .find(|finding| finding["subject"] == "database")
        .unwrap();
    assert_eq!(
        (&database["type"], &database["level"]),
        (&"finding".into(), &"ok".into())
    );
}
