//! `cqldex check`.

use super::support::{file, run, run_with, scratch};

#[test]
fn a_good_query_says_nothing() {
    let check = run(["check", "flip { Kg1 Rf1 } #R > 1"]).ended_with(0);
    assert_eq!((check.stdout.as_str(), check.stderr.as_str()), ("", ""));
    run_with(["check", "-"], "cql(input x.pgn) mate").ended_with(0);
    let folder = scratch();
    let path = file(&folder, "query.cql", "cql() check");
    run(["check", "-f", path.to_str().unwrap()]).ended_with(0);
}

#[test]
fn a_bad_query_is_shown_with_place_and_code() {
    let check = run(["check", "Kg1 and and"]);
    let expected = "\
error[Q204]: expected a filter after `and`, found `and`
 --> query:1:9
  |
1 | Kg1 and and
  |         ^^^
";
    check.says(2, expected);
}

#[test]
fn files_are_named() {
    let folder = scratch();
    let path = file(&folder, "bad.cql", "cql()\ncheck\n#wtm > 2\n");
    run(["check", "-f", path.to_str().unwrap()]).says(2, "bad.cql:3:");
    run_with(["check", "-"], "kg1 or").says(2, "--> <stdin>:1:");
}

#[test]
fn transforms_are_expanded_too() {
    run(["check", "rotate45 Ke4"]).says(2, "error[Q310]: `rotate45` turns directions only");
    let large = format!("{} Ke4", "shift ".repeat(6));
    run(["check", &large]).says(2, "error[Q404]: the transforms of this query expand to more than");
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let folder = scratch();
    let path = file(&folder, "latin1.cql", b"player \"J\xe4nisch\"");
    run(["check", "-f", path.to_str().unwrap()]).says(2, "error[Q101]");
}

#[test]
fn all_errors_are_told_and_none_that_follows() {
    let check = run(["check", "x = wtm\nx == 3 chek\nflip (Ra1"]).ended_with(2);
    let codes: Vec<&str> = check.stderr.lines().filter(|line| line.starts_with("error[")).collect();
    assert_eq!(codes.len(), 3, "{}", check.stderr);
    assert!(check.stderr.contains("error[Q304]") && check.stderr.contains("did you mean `check`?"));
    assert!(check.stderr.contains("`)` is missing, probably behind `Ra1`"));
    assert!(
        check.stderr.ends_with("`cqldex explain-error Q304` says more\n"),
        "{}",
        check.stderr
    );
}

#[test]
fn warnings_are_no_failure() {
    let check = run(["check", "flip wtm"]).ended_with(0);
    assert!(
        check.stderr.starts_with("warning[W301]: `flip` changes nothing here"),
        "{}",
        check.stderr
    );
    assert_eq!(check.stdout, "");
}

#[test]
fn codes_are_explained() {
    let explained = run(["explain-error", "q205"]).ended_with(0);
    for part in [
        "error[Q205]: ",
        "`==` compares",
        "Wrong:\n\n    true & A\n",
        "Right:\n\n    true and A\n",
    ] {
        assert!(explained.stdout.contains(part), "{part}: {}", explained.stdout);
    }
    let all = run(["explain-error"]).ended_with(0).stdout;
    assert!(
        all.starts_with("Q101  The text is not UTF-8.\n") && all.contains("\nW101  "),
        "{all}"
    );
    run(["explain-error", "Q999"]).says(2, "there is no code `Q999`");
}

#[test]
fn no_color_in_a_pipe() {
    assert!(!run(["check", "x"]).ended_with(2).stderr.contains('\u{1b}'));
}

#[test]
fn a_file_in_the_place_of_a_query_is_named() {
    let folder = scratch();
    let path = file(&folder, "mate.cql", "cql() mate");
    let path = path.to_str().unwrap();
    run(["check", path]).says(2, &format!("is a file; to ask the query in it, write -f {path}"));
    run(["check", "-f", path]).ended_with(0);
}
