//! `cqldex explain`.

use serde_json::json;

use super::support::on_samples;

#[test]
fn all_stages_are_told() {
    let run = on_samples("explain", ["flip { Kg1 Rf1 } btm legal K-- pieceid K"]).ended_with(0);
    for part in [
        "1. typed filters: 10 filters",
        "transform              set       flip { Kg1 Rf1 }",
        "2. transforms expanded: 31 filters",
        "8 maps, 8 distinct variants",
        "3. plan: the index gives candidates; the evaluator looks at each",
        "exact    flip { Kg1 Rf1 }",
        "at most  legal K--",
        "nothing  pieceid K",
        "any of 8",
        "(Rf1 and Kg1)",
        "not white to move",
    ] {
        assert!(run.stdout.contains(part), "`{part}` is missing in:\n{}", run.stdout);
    }
    assert!(
        !run.stdout.contains("4. run"),
        "nothing is run without --analyze:\n{}",
        run.stdout
    );
}

#[test]
fn analyzing_counts_and_times() {
    let run = on_samples("explain", ["Kg1 btm", "--analyze"]).ended_with(0);
    for part in [
        "the index gives the exact answer",
        "actual",
        "4. run: ",
        "candidates   ",
        "evaluated    0\n",
        "looked at    ",
        "stage 1      ",
    ] {
        assert!(run.stdout.contains(part), "`{part}` is missing in:\n{}", run.stdout);
    }
}

#[test]
fn json_has_the_tree_of_the_plan() {
    let explanation = &on_samples("explain", ["mate", "--json", "--analyze"])
        .ended_with(0)
        .json()[0];
    assert_eq!(explanation["type"], "explanation");
    assert_eq!(explanation["exact"], true);
    assert_eq!(explanation["plan"]["actual"], 18);
    assert_eq!(explanation["plan"]["children"][0]["text"], "mate");
    assert_eq!(explanation["runs"][0]["positions"], 18);
    let without = &on_samples("explain", ["mate", "--json"]).ended_with(0).json()[0];
    assert_eq!(
        (&without["runs"], &without["plan"]["actual"]),
        (&json!(null), &json!(null))
    );
}

#[test]
fn a_scan_has_no_index() {
    let run = on_samples("explain", ["mate", "--no-index"]).ended_with(0);
    assert!(
        run.stdout.contains("no index: every position is evaluated"),
        "{}",
        run.stdout
    );
}

#[test]
fn errors_are_those_of_the_query() {
    on_samples("explain", ["Kg1 and"]).says(2, "error[Q204]");
}
