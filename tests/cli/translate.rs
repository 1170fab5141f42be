//! `cqldex translate`, and older dialects elsewhere.

use super::support::{file, query, run, run_with, scratch};

#[test]
fn a_query_is_printed_in_cql_6() {
    let text = "(match (position Rc3 qg3 :shift))";
    let expected = "cql() not initial {shift {Rc3 qg3}}\n";
    assert_eq!(run(["translate", text]).ended_with(0).stdout, expected);
    assert_eq!(run_with(["translate", "-"], text).ended_with(0).stdout, expected);
    let folder = scratch();
    let path = file(&folder, "old.cql", text);
    assert_eq!(
        run(["translate", path.to_str().unwrap()]).ended_with(0).stdout,
        expected
    );
    // Text of CQL 6 stays as it is.
    assert_eq!(
        run(["translate", "cql() Ra3 // rook\n"]).ended_with(0).stdout,
        "cql() Ra3 // rook\n"
    );
}

#[test]
fn what_has_no_equivalent_is_shown_where_it_stands() {
    let expected = "\
error[Q708]: CQL 6.2 has no equivalent for a `:relation` that moves the diagram
 --> query:1:15
  |
1 | (position Ra1 :relation (:flip))
  |               ^^^^^^^^^^^^^^^^^
";
    run(["translate", "(position Ra1 :relation (:flip))"]).says(2, expected);
    run(["translate", "(position Ra9)"]).says(2, "error[Q704]");
}

#[test]
fn match_lists_are_recognised_or_named() {
    let text = "(match (position :mate :btm))";
    let count = query([text, "--count"]).ended_with(0).stdout;
    assert_eq!(
        query([text, "--count", "--dialect", "cql1"]).ended_with(0).stdout,
        count
    );
    assert_eq!(query(["mate btm", "--count"]).ended_with(0).stdout, count);
    query([text, "--dialect", "cql6"]).says(2, "error[Q501]");
    run(["check", text]).ended_with(0);
    run(["check", "Ra3", "--dialect", "cql1"]).says(2, "error[Q701]");
    let json = query([text, "--json"]).ended_with(0).stdout;
    assert!(
        json.lines()
            .next()
            .is_some_and(|line| line.starts_with("{\"type\":\"match\",\"game\":"))
    );
}
