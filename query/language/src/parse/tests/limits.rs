//! Depth, length and expansion: every text ends in a query or a diagnostic, on a small stack.

use super::*;

/// The default size of a thread's stack.
const STACK: usize = 2 << 20;

/// Beginnings that nest when repeated, with what stands in the middle and at the ends.
const NESTING: &[(&str, &str, &str)] = &[
    ("(", "A", ")"),
    ("{wtm ", "A", "}"),
    ("not ", "A", ""),
    ("~", "A", ""),
    ("- ", "ply", ""),
    ("#(", "A", ")"),
    ("flip ", "A", ""),
    ("up 1 ", "A", ""),
    ("light ", "A", ""),
    ("find ", "A", ""),
    ("loop ", "A", ""),
    ("sort ", "ply", ""),
    ("if A then ", "A", ""),
    ("if A then A else ", "A", ""),
    ("square x in A ", "A", ""),
    ("echo (s t) ", "A", ""),
    ("child:", "A", ""),
    ("A attacks ", "A", ""),
    ("A -> ", "A", ""),
    ("A | (A & ", "A", ")"),
    ("1 < ", "1", ""),
    ("1 + ", "1", ""),
    ("1 + (2 * ", "1", ")"),
    ("\"a\" + ", "\"a\"", ""),
    ("int \"2\" + ", "3", ""),
    ("A or ", "A", ""),
    ("A or (A and ", "A", ")"),
    ("A & ", "A", ""),
    ("\"a\" in (", "\"a\"", ")"),
    ("", "\"a\"", "[1]"),
    ("", "\"a\"", " ~~ \"b\""),
    ("max(1 ", "1", ")"),
    ("str(", "A", ")"),
    ("comment(", "A", ")"),
    ("--(", "A", ")"),
    ("A--b(", "A", ")"),
    ("--=(", "Q", ")"),
    ("move from ", "A", ""),
    ("pin through ", "A", ""),
    ("line --> ", "A", ""),
    ("line --> (", "A", ")"),
    ("line --> (A --> ", "A", ")+"),
    ("line --> A", "", "{2}"),
    ("path -- ", "A", ""),
    ("path (", "--", ")+"),
    ("path -- (", "--", ")"),
    ("path --(", "--", ")"),
    ("path -- {", "path --", "}"),
    ("path focus (", "A", ") --"),
    ("{path ", "--", "}"),
    ("x=(", "A", ")"),
    ("function f(x){", "A", "}"),
    ("between(A ", "A", ")"),
    ("position (", "1", ")"),
    ("while(A) ", "A", ""),
    ("persistent x=(", "A", ")"),
    ("hhdb sort (", "award", ")"),
];

fn on_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn nesting_is_limited_before_the_stack_is() {
    on_small_stack(|| {
        for (before, middle, after) in NESTING {
            for count in [1, 20, 60, 95, 120, 199, 201, 400, 5_000] {
                let text = format!("{}{middle}{}", before.repeat(count), after.repeat(count));
                if let Err(errors) = parse(&text, &ParseOptions::default()) {
                    assert!(errors[0].render(&text, "query").len() < 20_000, "{before}");
                }
            }
        }
    });
}

#[test]
fn ordinary_nesting_is_accepted() {
    let accepted = |text: &str| parse(text, &ParseOptions::default()).is_ok();
    assert!(accepted(&format!("{}A{}", "(".repeat(60), ")".repeat(60))));
    assert!(accepted(&format!("{}A{}", "{not (wtm or ".repeat(30), ")}".repeat(30))));
    assert!(accepted(&vec!["Ra1"; 20_000].join(" or ")));
    assert!(accepted(&vec!["Ra1"; 20_000].join(" | ")));
    assert!(accepted(&vec!["\"a\""; 20_000].join(" + ")));
    assert!(accepted(&vec!["wtm"; 20_000].join(" ")));
    assert!(accepted(&vec!["#A"; 150].join(" + ")));
}

#[test]
fn too_deep_has_its_code() {
    let code = |text: &str| parse(text, &ParseOptions::default()).unwrap_err()[0].code;
    assert_eq!(
        code(&format!("{}A{}", "(".repeat(1000), ")".repeat(1000))),
        Code::TooDeep
    );
    assert_eq!(code(&vec!["#A"; 1000].join(" + ")), Code::TooDeep);
    assert_eq!(code(&" ".repeat(MAX_LENGTH)), Code::TooLong);
}

#[test]
fn function_calls_expand_within_limits() {
    let mut text = "function fn0(){A}".to_owned();
    for level in 1..40 {
        text += &format!(" function fn{level}(){{fn{0}() fn{0}() fn{0}()}}", level - 1);
    }
    let errors = parse(&format!("{text} fn39()"), &ParseOptions::default()).unwrap_err();
    assert_eq!(errors[0].code, Code::TooMuchExpansion);
    assert!(parse(&format!("{text} fn5()"), &ParseOptions::default()).is_ok());
}
