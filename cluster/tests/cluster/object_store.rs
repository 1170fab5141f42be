//! Shards in a real object store.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::support::{Process, Processes, printed, program, sample_database, samples};

/// An object store with a bucket, and what its clients have in their environment.
struct ObjectStore {
    _process: Process,
    folder: TempDir,
    environment: Vec<(&'static str, String)>,
}

impl ObjectStore {
    fn start() -> ObjectStore {
        let folder = TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join("games")).unwrap();
        // It is a crate of its own, which cluster/test has built before.
        let program = Path::new(env!("CARGO_BIN_EXE_cqldex-cluster")).with_file_name("cqldex-object-store");
        let credentials = [
            ("AWS_ACCESS_KEY_ID", "key".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "very secret".to_owned()),
        ];
        let process = Process::listening(Command::new(program).arg(folder.path()).envs(credentials.clone()));
        let mut environment = credentials.to_vec();
        environment.push(("AWS_ENDPOINT", format!("http://{}", process.address)));
        environment.push(("AWS_ALLOW_HTTP", "true".to_owned()));
        environment.push(("AWS_REGION", "us-east-1".to_owned()));
        ObjectStore {
            _process: process,
            folder,
            environment,
        }
    }

    fn program(&self) -> Command {
        let mut program = program();
        program.envs(self.environment.iter().cloned());
        program
    }
}

#[test]
fn shards_in_a_bucket_answer() {
    let store = ObjectStore::start();
    let target = "s3://games/all";
    printed(
        store
            .program()
            .arg("split")
            .arg(sample_database())
            .args([target, "--shards", "4"]),
    );
    let added = printed(store.program().args(["add", target]).args(samples()));
    assert!(added.starts_with("manifest 2: 5 shards"), "{added}");

    let cache = store.folder.path().join("cache");
    let here = printed(
        store
            .program()
            .args(["query", target, "mate", "--format", "csv", "--cache"])
            .arg(&cache),
    );
    assert!(here.lines().count() > 10);

    let environment: Vec<(&str, &str)> = store
        .environment
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let cluster = Processes::start(2, &environment);
    assert_eq!(cluster.ask(&["query", target, "mate", "--format", "csv"]), here);
    let pruned = printed(store.program().args(["prune", target, "--older", "0"]));
    assert!(pruned.ends_with("removed: 1 manifest and 0 shards, 0 B\n"), "{pruned}");
    assert_eq!(cluster.ask(&["query", target, "mate", "--format", "csv"]), here);
    let without = store.program().args(["query", target, "mate"]).output().unwrap();
    assert!(String::from_utf8_lossy(&without.stderr).contains("name a folder with --cache"));
}

#[test]
fn credentials_are_not_told() {
    let store = ObjectStore::start();
    let mut wrong = store.program();
    wrong
        .env("AWS_SECRET_ACCESS_KEY", "another secret")
        .env("RUST_LOG", "debug");
    let output = wrong.args(["shards", "s3://games/all"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!told.contains("another secret"), "{told}");
    let named = program().args(["shards", "s3://me:secret@games/all"]).output().unwrap();
    let told = String::from_utf8_lossy(&named.stderr);
    assert!(
        told.contains("credentials come from the environment") && !told.contains("me:secret"),
        "{told}"
    );
}
