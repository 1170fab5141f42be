//! `cqldex format`.

use super::support::{file, run, run_with, scratch};

const UGLY: &str = "cql(quiet)   flip{Kg1   Bd3} // here\n";
const GOOD: &str = "cql(quiet)\nflip { Kg1 Bd3 } // here\n";

#[test]
fn a_query_is_laid_out() {
    assert_eq!(run_with(["format"], UGLY).ended_with(0).stdout, GOOD);
    assert_eq!(run_with(["format", "-"], GOOD).ended_with(0).stdout, GOOD);
    let unicode = run_with(["format", "--unicode"], UGLY).ended_with(0).stdout;
    assert_eq!(
        unicode,
        GOOD.replace("flip", "\u{2735}")
            .replace("Kg1", "\u{2654}g1")
            .replace("Bd3", "\u{2657}d3")
    );
    assert_eq!(run_with(["format", "--ascii"], &unicode).ended_with(0).stdout, GOOD);
    let narrow = run_with(["format", "--width", "20"], "flip { Kg1 Bd3 btm } or wtm")
        .ended_with(0)
        .stdout;
    assert!(narrow.lines().count() > 2, "{narrow}");
}

#[test]
fn files_are_checked_and_rewritten() {
    let folder = scratch();
    let (ugly, good) = (file(&folder, "ugly.cql", UGLY), file(&folder, "good.cql", GOOD));
    let paths = [ugly.to_str().unwrap(), good.to_str().unwrap()];
    let check = ["format", "--check", paths[0], paths[1]];
    assert_eq!(run(check).ended_with(1).stdout, format!("{}\n", paths[0]));
    assert_eq!(std::fs::read_to_string(&ugly).unwrap(), UGLY);
    let written = run(["format", "--write", paths[0], paths[1]]).ended_with(0).stdout;
    assert_eq!(written, format!("{}\n", paths[0]));
    assert_eq!(std::fs::read_to_string(&ugly).unwrap(), GOOD);
    assert_eq!(run(check).ended_with(0).stdout, "");
}

#[test]
fn what_is_no_query_is_told() {
    let folder = scratch();
    let wrong = file(&folder, "wrong.cql", "flip { chek }");
    let told = run(["format", "--write", wrong.to_str().unwrap()]).ended_with(2).stderr;
    assert!(
        told.contains("wrong.cql:1:8") && told.contains("did you mean `check`?"),
        "{told}"
    );
    assert_eq!(std::fs::read_to_string(&wrong).unwrap(), "flip { chek }");
    assert!(
        run_with(["format", "--write"], "mate")
            .ended_with(2)
            .stderr
            .contains("name a file")
    );
    // An older dialect is translated, not laid out.
    assert!(
        run_with(["format"], "(match (position Rc3))")
            .ended_with(2)
            .stderr
            .contains("error")
    );
}
