//! `cqldex convert`.

use super::support::{file, run, run_with, scratch};

const ASCII: &str = "cql()\nflip {Kg1 [Aa] attacks k} /// \"K\" ply\n// a comment with K\n";
const UNICODE: &str = "cql()\n\u{2735} {\u{2654}g1 \u{25ed} attacks \u{265a}} /// \"K\" ply\n// a comment with K\n";

#[test]
fn a_query_is_written_in_the_other_spelling() {
    let folder = scratch();
    let ascii = file(&folder, "ascii.cql", ASCII);
    let unicode = file(&folder, "unicode.cql", UNICODE);
    let path = |path: &std::path::Path| path.to_str().unwrap().to_owned();
    let convert = |flag: &str, path: String| run(["convert", flag, path.as_str()]).ended_with(0).stdout;
    assert_eq!(convert("--unicode", path(&ascii)), UNICODE);
    assert_eq!(convert("--ascii", path(&unicode)), ASCII);
    assert_eq!(convert("--ascii", path(&ascii)), ASCII);
    assert_eq!(std::fs::read_to_string(&ascii).unwrap(), ASCII);
    assert_eq!(
        run_with(["convert", "--unicode", "-"], ASCII).ended_with(0).stdout,
        UNICODE
    );
}

#[test]
fn a_file_is_rewritten_in_place() {
    let folder = scratch();
    let query = file(&folder, "query.cql", ASCII);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{PermissionsExt, symlink};
        std::fs::set_permissions(&query, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&query, folder.path().join("link.cql")).unwrap();
        let link = folder.path().join("link.cql");
        run(["convert", "--unicode", "--in-place", link.to_str().unwrap()]).ended_with(0);
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(query.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(std::fs::read_to_string(&query).unwrap(), UNICODE);
    }
    let run = run(["convert", "--ascii", "--in-place", query.to_str().unwrap()]).ended_with(0);
    assert_eq!(run.stdout, "");
    assert_eq!(std::fs::read_to_string(&query).unwrap(), ASCII);
}

#[test]
fn what_is_no_query_stays_as_it_is() {
    let folder = scratch();
    let query = file(&folder, "query.cql", "cql() \"open");
    let path = query.to_str().unwrap();
    run(["convert", "--ascii", "--in-place", path]).says(2, "query.cql:1:7");
    assert_eq!(std::fs::read_to_string(&query).unwrap(), "cql() \"open");
    let query = file(&folder, "latin1.cql", b"cql() \xe9");
    run(["convert", "--unicode", query.to_str().unwrap()]).says(2, "byte 7 is no UTF-8");
    run(["convert", "--ascii", "nowhere.cql"]).says(2, "nowhere.cql: No such file");
    run(["convert", "--ascii", "--in-place", "-"]).says(2, "standard input cannot be rewritten");
    run(["convert", path]).says(2, "--ascii");
    run(["convert", "--ascii", "--unicode", path]).says(2, "cannot be used with");
}
