//! A scheduler and executors, and what they answer.

use std::time::{Duration, Instant};

use crate::support::{Processes, certificates, printed, program, sample_shards};
use cqldex_cluster::VARIABLE;

#[test]
fn a_cluster_answers_as_one_process_does() {
    let (_folder, place) = sample_shards(8);
    let cluster = Processes::start(2, &[]);
    let name = place.name();
    for arguments in [
        &["mate"][..],
        &["mate", "--count"],
        &["check sort \"men\" #[Aa]", "--format", "csv"],
        &["check", "--json", "--limit", "7"],
        &["check", "--format", "csv", "--columns", "game,white,next,comment"],
    ] {
        let arguments: Vec<&str> = ["query", name].iter().chain(arguments).copied().collect();
        let here = printed(program().args(&arguments));
        let there = cluster.ask(&arguments);
        // How long it took is another matter.
        let same = |text: &str| {
            let lines = text
                .lines()
                .map(|line| line.split(" searched in ").next().unwrap_or_default().to_owned());
            let lines = lines.map(|line| line.split("\"elapsedMs\"").next().unwrap_or_default().to_owned());
            lines.collect::<Vec<_>>()
        };
        assert_eq!(same(&here), same(&there), "{arguments:?}");
    }
    for statement in [
        "SELECT eco, count(*) AS n FROM cql('PLACE', 'mate') GROUP BY eco ORDER BY n DESC, eco",
        "SELECT count(*) FROM cql('PLACE', 'check') WHERE result = '1-0'",
        "SELECT game, position, move FROM cql('PLACE', 'mate') ORDER BY length DESC, game LIMIT 5",
        "SELECT count(DISTINCT a.game) FROM cql('PLACE', 'mate') a JOIN cql('PLACE', 'castle') b ON a.game = b.game",
    ] {
        let statement = statement.replace("PLACE", name);
        let here = printed(program().args(["sql", &statement, "--format", "csv"]));
        assert_eq!(
            cluster.ask(&["sql", &statement, "--format", "csv"]),
            here,
            "{statement}"
        );
    }
    let mistake = cluster.command(&["query", name, "matte"]).output().unwrap();
    assert_eq!(mistake.status.code(), Some(2));
}

#[test]
fn only_this_machine_is_listened_to() {
    for arguments in [
        &["scheduler", "--host", "0.0.0.0"][..],
        &["executor", "--host", "0.0.0.0"],
    ] {
        let output = program().args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("there is no TLS"), "{told}");
    }
}

#[test]
fn with_certificates_strangers_are_refused() {
    let (Some(own), Some(other)) = (certificates(), certificates()) else {
        return;
    };
    let (_folder, place) = sample_shards(4);
    let cluster = Processes::start(2, &[(VARIABLE, own.path().to_str().unwrap())]);
    let here = printed(program().args(["query", place.name(), "mate", "--count"]));
    assert_eq!(cluster.ask(&["query", place.name(), "mate", "--count"]), here);
    let mut stranger = cluster.command(&["query", place.name(), "mate", "--count"]);
    let mut nobody = cluster.command(&["query", place.name(), "mate", "--count"]);
    stranger.env(VARIABLE, other.path());
    nobody.env_remove(VARIABLE);
    for command in [&mut stranger, &mut nobody] {
        let mut child = command.spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(3);
        while Instant::now() < deadline {
            if let Some(status) = child.try_wait().unwrap() {
                assert_eq!(status.code(), Some(2));
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        // It may still be asking for the cluster that does not answer it.
        let _ = child.kill();
        let _ = child.wait();
    }
}
