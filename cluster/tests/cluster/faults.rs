//! What a cluster does when something breaks: no row is lost, and none comes twice.

use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cqldex_cluster::{Place, Shard};
use tempfile::TempDir;

use crate::support::{Processes, printed, program, run, sample_shards, wait_until};

const QUESTION: &str = "A attacks k sort \"men\" #[Aa]";

fn expected(place: &Place) -> String {
    expected_of(place, QUESTION)
}

fn expected_of(place: &Place, question: &str) -> String {
    printed(program().args(["query", place.name(), question, "--format", "csv"]))
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
    let mut cluster = Processes::start(2, &[]);
    let ready = ["query", place.name(), QUESTION, "--format", "csv"];
    assert_eq!(cluster.ask(&ready), expected(&place));
    // It takes some seconds.
    let question = format!("x=0 while (x<9000) {{x+=1}} {QUESTION}");
    let arguments = ["query", place.name(), &question, "--format", "csv"];
    let rest = cluster.work();
    let asked = cluster.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    // The executors have begun. Where the system does not say so, they surely have after some seconds.
    match rest {
        Some(rest) => wait_until("work", || {
            cluster
                .work()
                .is_none_or(|work| work > rest + Duration::from_millis(500))
        }),
        None => std::thread::sleep(Duration::from_secs(3)),
    }
    cluster.scheduler.as_ref().unwrap().signal("KILL");
    cluster.start_scheduler();
    let output = asked.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected_of(&place, &question));
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

#[test]
fn a_slow_executor_is_waited_for() {
    let (_folder, place) = sample_shards(16);
    let expected = expected(&place);
    let cluster = Processes::start(2, &[]);
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // It runs for a tenth of the time.
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                cluster.executors[0].signal("STOP");
                std::thread::sleep(Duration::from_millis(180));
                cluster.executors[0].signal("CONT");
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let answers = [0, 1, 2].map(|_| cluster.command(&arguments).output().unwrap());
        is_over.store(true, Ordering::Relaxed);
        for answer in answers {
            assert_eq!(String::from_utf8_lossy(&answer.stdout), expected, "{answer:?}");
        }
    });
}

#[test]
fn a_disk_may_be_full() {
    let (_folder, place) = sample_shards(8);
    let expected = expected(&place);
    let manifest = run(place.manifest()).unwrap();
    let largest = manifest.shards.iter().map(Shard::bytes).max().unwrap();
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    // There is room for some: the least used go.
    let mut cluster = Processes::start(0, &[]);
    if !cluster.start_executor_on_small_disk(3 * largest + (1 << 20)) {
        return;
    }
    for _ in 0..2 {
        assert_eq!(cluster.ask(&arguments), expected);
    }
    // There is room for none: it is told, or another executor does the work.
    let mut cluster = Processes::start(0, &[]);
    assert!(cluster.start_executor_on_small_disk(1 << 16));
    let output = cluster.command(&arguments).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("No space left"), "{told}");
    cluster.start_executor();
    assert_eq!(cluster.ask(&arguments), expected);
}

/// Kills executors at random moments, as often as `CQLDEX_KILLS` says.
#[test]
#[ignore = "a hundred runs take some minutes"]
fn executors_are_killed_again_and_again() {
    let kills: u32 = std::env::var("CQLDEX_KILLS").map_or(100, |kills| kills.parse().unwrap());
    let (_folder, place) = sample_shards(16);
    let expected = expected(&place);
    let mut cluster = Processes::start(2, &[]);
    let arguments = ["query", place.name(), QUESTION, "--format", "csv"];
    let started = Instant::now();
    assert_eq!(cluster.ask(&arguments), expected);
    let usual = started.elapsed();
    let (mut random, mut longest) = (7_u32, Duration::ZERO);
    for number in 0..kills {
        let started = Instant::now();
        let asked = cluster.command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        std::thread::sleep(usual * (random >> 16) / (1 << 16));
        cluster.executors.remove(usize::from(random >> 31 == 1)).signal("KILL");
        cluster.start_executor();
        let output = asked.wait_with_output().unwrap();
        assert!(String::from_utf8_lossy(&output.stdout) == expected, "kill {number}");
        longest = longest.max(started.elapsed());
    }
    assert!(longest < Duration::from_secs(30), "{longest:?}");
}
