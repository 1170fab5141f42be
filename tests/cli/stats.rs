//! `cqldex stats`.

use super::support::on_samples;

#[test]
fn counts_and_sizes_are_told() {
    let run = on_samples("stats", []).ended_with(0);
    for part in [
        "games                     86\n",
        "positions              4,955\n",
        "postings",
    ] {
        assert!(run.stdout.contains(part), "`{part}` is missing in:\n{}", run.stdout);
    }
}

#[test]
fn json_has_the_fields_of_the_contract() {
    let stats = &on_samples("stats", ["--json"]).ended_with(0).json()[0];
    let pgn: u64 = ["games.pgn", "studies.pgn"]
        .iter()
        .map(|name| {
            std::fs::metadata(format!("{}/samples/{name}", env!("CARGO_MANIFEST_DIR")))
                .unwrap()
                .len()
        })
        .sum();
    assert_eq!(stats["games"], 86);
    assert_eq!(stats["positions"], 4955);
    assert_eq!(stats["segments"], 1);
    assert_eq!(stats["pgnBytes"], pgn);
    assert_eq!(stats["columns"]["annotations"], 0);
    assert!(stats["bytes"].as_u64().unwrap() > stats["columns"]["boards"].as_u64().unwrap());
}
