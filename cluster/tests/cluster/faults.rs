//! What a cluster does when something breaks: no row is lost, and none comes twice.

use std::process::Stdio;
use std::time::Duration;

use cqldex_cluster::Place;
use tempfile::TempDir;

use crate::support::{Processes, printed, program, sample_shards};

const QUESTION: &str = "A attacks k sort \"men\" #[Aa]";

fn expected(place: &Place) -> String {
    printed(program().args(["query", place.name(), QUESTION, "--format", "csv"]))
}

#[test]
fn executors_may_be_killed_at_any_time() {
    let (_folder, place) = sample_shards(16);
    let expected = expected(&place);
    let mut cluster = Processes::start(2, &[]);
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    assert_eq!(cluster.ask(&arguments), expected);
    for round in 0..5 {
        let asked = cluster.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(40 * round));
        cluster.executors.remove(0).signal("KILL");
        cluster.start_executor();
        let output = asked.wait_with_output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "round {round}");
    }
}

#[test]
fn an_executor_that_stands_still_is_left() {
    let (_folder, place) = sample_shards(16);
    let expected = expected(&place);
    let cluster = Processes::start(2, &[]);
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    assert_eq!(cluster.ask(&arguments), expected);
    cluster.executors[0].signal("STOP");
    assert_eq!(cluster.ask(&arguments), expected);
    cluster.executors[0].signal("CONT");
    assert_eq!(cluster.ask(&arguments), expected);
}

#[test]
fn the_scheduler_may_be_started_again() {
    let (_folder, place) = sample_shards(16);
    let expected = expected(&place);
    let mut cluster = Processes::start(2, &[]);
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    assert_eq!(cluster.ask(&arguments), expected);
    let asked = cluster.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(60));
    cluster.scheduler.as_ref().unwrap().signal("KILL");
    cluster.start_scheduler();
    let output = asked.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

#[test]
fn damaged_and_missing_shards_are_found_out() {
    let (folder, place) = sample_shards(4);
    let expected = expected(&place);
    let cluster = Processes::start(1, &[]);
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    assert_eq!(cluster.ask(&arguments), expected);
    // A shard that is gone, and that no executor has.
    let (gone, shards) = (TempDir::new().unwrap(), folder.path().join("shards/shards"));
    let lost = shards.read_dir().unwrap().next().unwrap().unwrap().file_name();
    std::fs::rename(shards.join(&lost), gone.path().join("shard")).unwrap();
    let fresh = Processes::start(1, &[]);
    let output = fresh.command(&arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        told.contains(&format!("shard {} is missing", lost.to_string_lossy())),
        "{told}"
    );
    let output = fresh
        .command(&["query", place.name(), QUESTION, "--count", "--partial"])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("could not be searched"), "{told}");
    assert_eq!(cluster.ask(&arguments), expected);
}
