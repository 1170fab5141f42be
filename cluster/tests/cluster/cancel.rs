//! Questions that are cancelled: nobody works on them any more.

use std::process::Stdio;
use std::time::{Duration, Instant};

use cqldex_cluster::{Ask, Cluster, Runner, Security, Shape, VARIABLE};

use crate::support::{Processes, certificates, matches, run, sample_shards, wait_until};

/// It takes minutes.
const SLOW: &str = "initial x=0 while (x<9000000) {x+=1}";

/// How much the executors work in a second.
fn work(cluster: &Processes) -> Option<Duration> {
    let before = cluster.work()?;
    std::thread::sleep(Duration::from_secs(1));
    Some(cluster.work()? - before)
}

/// Nobody works, a second after a question was cancelled.
fn expect_rest(cluster: &Processes) {
    std::thread::sleep(Duration::from_secs(1));
    if let Some(work) = work(cluster) {
        assert!(
            work < Duration::from_millis(150),
            "the executors have worked for {work:?}"
        );
    }
}

/// Interrupts a client while the executors work for it.
fn interrupt(cluster: &Processes, place: &str, signal: &str) {
    let arguments = ["query", place, SLOW, "--count"];
    let mut asked = cluster.command(&arguments).stderr(Stdio::null()).spawn().unwrap();
    wait_until("work", || {
        assert!(asked.try_wait().unwrap().is_none());
        work(cluster).is_none_or(|work| work > Duration::from_millis(400))
    });
    let started = Instant::now();
    let status = std::process::Command::new("kill")
        .arg(signal)
        .arg(asked.id().to_string())
        .status();
    assert!(status.unwrap().success());
    wait_until("the end", || asked.try_wait().unwrap().is_some());
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    expect_rest(cluster);
    // The executors are free for others.
    let here = printed_count(place);
    assert_eq!(cluster.ask(&["query", place, "mate", "--count"]), here);
}

fn printed_count(place: &str) -> String {
    crate::support::printed(crate::support::program().args(["query", place, "mate", "--count"]))
}

#[test]
fn a_client_can_be_interrupted() {
    // More shards than can be asked at a time: those that wait are not begun.
    let (_folder, place) = sample_shards(8);
    let cluster = Processes::start(2, &[]);
    for signal in ["-INT", "-TERM"] {
        interrupt(&cluster, place.name(), signal);
    }
}

#[test]
fn with_certificates_a_client_can_be_interrupted() {
    let Some(certificates) = certificates() else { return };
    let (_folder, place) = sample_shards(8);
    let cluster = Processes::start(2, &[(VARIABLE, certificates.path().to_str().unwrap())]);
    interrupt(&cluster, place.name(), "-INT");
}

#[test]
fn a_question_that_is_dropped_ends() {
    let (_folder, place) = sample_shards(8);
    let cluster = Processes::start(2, &[]);
    let runner = Runner::Cluster(Cluster::new(&cluster.address, Security::default()));
    // Also if it is dropped before the scheduler has said how the job is called.
    for patience in [0, 1, 3, 10, 30, 100, 300, 1000] {
        let ask = Ask::new(place.name(), SLOW, Shape::Totals);
        let asked = run(async {
            let patience = Duration::from_millis(patience);
            tokio::time::timeout(patience, runner.ask(ask, &mut |_| Ok(()))).await
        });
        assert!(asked.is_err());
    }
    expect_rest(&cluster);
    let (found, totals) = matches(&runner, Ask::new(place.name(), "mate", Shape::Report)).unwrap();
    assert_eq!(found.len() as u64, totals.positions);
}
