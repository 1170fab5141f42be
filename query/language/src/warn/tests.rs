//! Warnings are right: none on queries that say what they mean.

use std::path::PathBuf;

use crate::{Code, Dialect, ParseOptions, check};

/// What is warned of: the code and the text at its place.
fn warned(query: &str) -> Vec<(Code, &str)> {
    let checked = check(query, Dialect::Cql6, &ParseOptions::default());
    assert!(checked.query.is_some(), "{query}: {:?}", checked.diagnostics);
    let found = checked.diagnostics.iter();
    found
        .map(|warning| (warning.code, &query[warning.span.range()]))
        .collect()
}

/// Query, code, the text at the place.
const WARNINGS: &[(&str, Code, &str)] = &[
    ("#A >= 0", Code::AlwaysTrue, "#A >= 0"),
    ("ply >= 0 mate", Code::AlwaysTrue, "ply >= 0"),
    ("3 < 4 mate", Code::AlwaysTrue, "3 < 4"),
    ("0-0 e4", Code::AlwaysTrue, "0-0"),
    ("Ra1 in a1", Code::AlwaysTrue, "Ra1 in a1"),
    ("K in .", Code::AlwaysTrue, "K in ."),
    ("#R > 64", Code::NeverTrue, "#R > 64"),
    ("#Ra1 == 2", Code::NeverTrue, "#Ra1 == 2"),
    ("rank K == 9", Code::NeverTrue, "rank K == 9"),
    ("movenumber < 0", Code::NeverTrue, "movenumber < 0"),
    ("R & b", Code::NeverTrue, "R & b"),
    ("Ra1 & h8", Code::NeverTrue, "Ra1 & h8"),
    ("[] mate", Code::NeverTrue, "[]"),
    ("wtm btm", Code::NeverTrue, "btm"),
    ("Ra1 Ba1", Code::NeverTrue, "Ba1"),
    ("mate and not mate", Code::NeverTrue, "not mate"),
    ("check and K and stalemate", Code::NeverTrue, "stalemate"),
    ("year == 1999 year == 2000", Code::NeverTrue, "year == 2000"),
    ("movenumber > 10 and 5 > movenumber", Code::NeverTrue, "5 > movenumber"),
    ("if 10 < ply < 5 mate", Code::NeverTrue, "10 < ply < 5"),
    ("K \"check\"", Code::StopsQuery, "\"check\""),
    ("K and 3", Code::StopsQuery, "3"),
    ("not sidetomove", Code::StopsQuery, "sidetomove"),
    ("line --> \"check\" --> mate", Code::StopsQuery, "\"check\""),
    ("R in b", Code::OnlyEmpty, "R in b"),
    ("x = 3 mate", Code::UnusedVariable, "x = 3"),
    ("x = 3 x += 1 mate", Code::UnusedVariable, "x = 3"),
    ("flip wtm", Code::IdleTransform, "flip"),
    ("flip flipcolor wtm", Code::IdleTransform, "flip"),
    ("shift { K attacks k }", Code::IdleTransform, "shift"),
    ("x = A flip x", Code::IdleTransform, "flip"),
    ("A == a", Code::SetForNumber, "A == a"),
    ("power A > a", Code::SetForNumber, "a"),
    ("rank R == a7", Code::SetForNumber, "a7"),
];

/// Queries near to those that say what they mean.
const SILENT: &[&str] = &[
    "#A >= 1",
    "A >= 3 a == 2",
    "K in a-h7",
    "R & a1 and b",
    "[Rr]a1 & r",
    "wtm or btm",
    "Ra1 or Ba1",
    "mate or not mate",
    "check mate",
    "[Rb]a1 [br]a1",
    "year == 1999 or year == 2000",
    "3 < movenumber < 9",
    "movenumber >= 3 movenumber <= 3",
    "x = 3 x == ply",
    "x = 3 comment(x) mate",
    "persistent x = 3 x += 1",
    "function f(y) { y == x } x = 3 mate",
    "function f(y) { y == x } x = 3 f(4)",
    "x = \"a\" /// x\n mate",
    "x = 1 up x K",
    "x = 3 sort \"x\" x",
    "x = currentposition find {mate x: check}",
    "square x in A x attacks k",
    "flip { Kg1 Rf1 }",
    "flip up 1 K",
    "flipcolor wtm",
    "flipcolor { K attacks k }",
    "flip count K",
    "flip flipcolor { Ka1 btm }",
    "A == P",
    "power A > power a",
    "power A > #a",
    "power A > 3",
    "comment(\"a\" 3) K",
    "x = \"a\" x == \"a\"",
    "if mate comment \"a\"",
    "if mate x = 3 else x = 4 x == 3",
    "max(1 2) > ply",
    "movenumber - 1",
    "K #A",
    ".",
    "true",
    "false",
    "Ka1 and not Kb1",
];

#[test]
fn what_is_probably_wrong_is_told() {
    for (query, code, place) in WARNINGS {
        assert_eq!(warned(query), [(*code, *place)], "{query}");
    }
}

#[test]
fn sensible_queries_raise_no_warning() {
    for query in SILENT {
        assert!(warned(query).is_empty(), "{query}: {:?}", warned(query));
    }
}

#[test]
fn what_the_command_line_adds_raises_no_warning() {
    let options = ParseOptions {
        before: vec![
            crate::Before::Assignment("x".to_owned(), "3".to_owned()),
            crate::Before::Filter("A == a".to_owned()),
        ],
        ..ParseOptions::default()
    };
    assert!(check("mate", Dialect::Auto, &options).diagnostics.is_empty());
}

#[test]
fn the_themes_raise_no_warning() {
    let themes = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../themes");
    let mut folders = vec![themes];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cql") {
                let text = std::fs::read_to_string(&path).unwrap();
                assert!(warned(&text).is_empty(), "{}: {:?}", path.display(), warned(&text));
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count} themes");
}
