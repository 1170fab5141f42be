//! Loops inside loops: what the inner one asks of the outer variable holds only where it has to match.

use super::routes::found_by_both;
use super::samples::samples;

/// The first two were answered wrongly: the inner loop has no square most times, and then nothing is asked of the man.
const QUERIES: [&str; 5] = [
    "piece x in A {square all y in makesquare(file rh2 rank k) {R attacks x ~k==B} z=currentposition}",
    "piece x in A {square all y in makesquare(file rh2 rank k) {_ attacks x ~k==B} z=currentposition}",
    "piece x in A {#(square y in makesquare(file rh2 rank k) {R attacks x ~k==B})==0 z=currentposition}",
    "piece x in A {square y in makesquare(file K rank k) {not {R attacks x ~k==B y in A}} z=currentposition}",
    "piece x in A {square y in makesquare(file K rank k) {{y in A R attacks x ~k==B} or {y in a}} z=currentposition}",
];

#[test]
fn what_need_not_hold_narrows_no_outer_variable() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in QUERIES {
        assert!(found_by_both(&snapshot, text, false) > 0, "{text}");
    }
}
