//! All errors of a text are told, and none that only follows from another.

use super::*;

/// What is wrong with a text: each code and the text at its place.
fn errors(query: &str) -> Vec<(Code, &str)> {
    let errors = all_errors(query, &ParseOptions::default());
    errors
        .iter()
        .map(|error| (error.code, &query[error.span.range()]))
        .collect()
}

#[test]
fn every_filter_of_a_list_is_looked_at() {
    use Code::*;
    assert_eq!(
        errors("#passedpawn >= 2 chek\nbtm and A"),
        [(UnknownName, "passedpawn"), (UnknownName, "chek")]
    );
    assert_eq!(
        errors("flip {\n  chek Kg1\n  #R = 2\n}\nbtn"),
        [(UnknownName, "chek"), (UnexpectedText, "="), (UnknownName, "btn")]
    );
    assert_eq!(
        errors("capture p A attacks 3 mate wtm == 3"),
        [(ReservedWord, "capture"), (WrongKind, "3"), (UnexpectedText, "==")]
    );
    assert_eq!(
        errors("max (1 A) > 3 pin from A from R\n(Ra1 b) A < B"),
        [
            (WrongKind, "A"),
            (BadParameter, "from"),
            (OneFilterInParentheses, "b"),
            (KindMismatch, "<")
        ]
    );
    assert_eq!(
        errors("wtm and and btm\nfoo"),
        [(ExpectedFilter, "and"), (UnknownName, "foo")]
    );
    assert_eq!(
        errors("path -- foo --\nbar\n\nbaz"),
        [(UnknownName, "foo"), (UnknownName, "bar"), (UnknownName, "baz")]
    );
}

#[test]
fn what_follows_from_an_error_is_not_told() {
    use Code::*;
    // A variable that would have a value.
    assert_eq!(errors("x = wtm\nx == 3 x > 4"), [(NotAssignable, "wtm")]);
    // The same name once, and nothing about what it would be.
    assert_eq!(errors("y == 4 y & A y + \"a\""), [(UnknownName, "y")]);
    assert_eq!(errors("D[\"a\"] = 3"), [(UnknownName, "D")]);
    // What a misspelled word would have read.
    assert_eq!(
        errors("piec x in A x attacks k\nchek"),
        [(UnknownName, "piec"), (UnknownName, "chek")]
    );
    // A function is read again for every call.
    assert_eq!(
        errors("function f(x) { x attacks kk }\nf(A) f(b)"),
        [(UnknownName, "kk")]
    );
    // What stands around a list with an error.
    assert_eq!(
        errors("{ chek } & 3 foo"),
        [(UnknownName, "chek"), (UnknownName, "foo")]
    );
    assert_eq!(errors("\"Kasparov\nmate"), [(UnterminatedString, "\"Kasparov")]);
    assert_eq!(errors("mate /* foo\nbar"), [(UnterminatedComment, "/*")]);
}

#[test]
fn headers_and_brackets_are_put_right_to_read_on() {
    use Code::*;
    assert_eq!(
        errors("cql(year 1999 input x.pgn elo 2400)\nchek"),
        [(BadHeader, "year"), (BadHeader, "elo"), (UnknownName, "chek")]
    );
    assert_eq!(
        errors("flip (Ra1\nchek"),
        [(UnbalancedDelimiter, "("), (UnknownName, "chek")]
    );
    assert_eq!(
        errors("flip {\n  Kg1\n  wtn\nchek"),
        [(UnbalancedDelimiter, "{"), (UnknownName, "wtn"), (UnknownName, "chek")]
    );
    assert_eq!(
        errors("flip { mate (K attacks k } chek"),
        [(UnbalancedDelimiter, "}"), (UnknownName, "chek")]
    );
    assert_eq!(
        errors("({mate)} chek"),
        [(UnbalancedDelimiter, ")"), (UnknownName, "chek")]
    );
    assert_eq!(
        errors("mate } chek"),
        [(UnbalancedDelimiter, "}"), (UnknownName, "chek")]
    );
}

/// Whether the error of the parser is among all of them, for a text that is no query in CQL 6.
pub(super) fn check_all_errors(text: &str) {
    let options = ParseOptions::default();
    let Err(first) = parse(text, &options) else { return };
    let all = crate::check(text, crate::Dialect::Cql6, &options).diagnostics;
    for error in first.iter().take(1) {
        let is_same = |other: &Diagnostic| other.code == error.code && other.span == error.span;
        assert!(all.iter().any(is_same), "{text:?}: {error:?} is not among {all:?}");
    }
    for error in &all {
        assert!(error.render(text, "query").contains(error.code.text()));
        for fix in &error.fixes {
            assert!(fix.apply(text).is_some(), "{text:?}: {fix:?}");
        }
    }
}
