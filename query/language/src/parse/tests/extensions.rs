//! Extensions of cqldex (docs/language.md#extensions).

use super::*;

const STRICT: ParseOptions = ParseOptions {
    require_header: false,
    before: Vec::new(),
    game_filters: Vec::new(),
    transforms: Vec::new(),
    strict: true,
};

/// The names of the sets that a query reads, with the text at their places.
fn sets(text: &str) -> Vec<(String, String)> {
    let query = parse(text, &ParseOptions::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let place = |span: Span| text[span.range()].to_owned();
    query.sets.into_iter().map(|set| (set.name, place(set.span))).collect()
}

#[test]
fn each_set_is_noted_once_with_its_first_place() {
    let found = sets("positionset \"a b\" flip {positionset \"c\" or not positionset \"a b\"}");
    let expected = [("a b", "positionset \"a b\""), ("c", "positionset \"c\"")];
    assert_eq!(found, expected.map(|(name, place)| (name.to_owned(), place.to_owned())));
    assert_eq!(sets("check"), []);
    // A function that is called twice is read twice.
    assert_eq!(sets("function F() {positionset \"x\"} F() or F()").len(), 1);
}

#[test]
fn a_set_is_a_logical_filter_and_no_transform_changes_it() {
    let query = parse("flip positionset \"a\"", &ParseOptions::default()).unwrap();
    assert_eq!(query.body.kind, Kind::Logical);
    let query = crate::expand(query).unwrap();
    let mut variants = 0;
    query.body.any(&mut |filter| {
        if let Node::Orbit { variants: list, .. } = &filter.node {
            variants = list.len();
        }
        false
    });
    assert_eq!(variants, 1);
}

#[test]
fn what_the_query_calls_positionset_is_that() {
    for text in [
        "positionset = 3 positionset == 3",
        "function positionset() {check} positionset()",
    ] {
        for options in [&ParseOptions::default(), &STRICT] {
            let query = parse(text, options).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
            assert_eq!(query.sets, []);
        }
    }
    // As in CQL 6.2: a variable, and then a string that is nothing of its own.
    assert_eq!(sets("positionset = \"a\" positionset == \"b\""), []);
}

#[test]
fn clocks_and_evaluations_are_numbers() {
    for text in [
        "clock",
        "clock white",
        "movetime",
        "eval black",
        "evalbefore",
        "evalchange white",
    ] {
        let query = parse(text, &ParseOptions::default()).unwrap();
        assert_eq!(query.body.kind, Kind::Numeric, "{text}");
        assert_eq!(&text[query.body.span.range()], text);
        assert_eq!(parse(text, &STRICT).unwrap_err()[0].code, Code::Extension, "{text}");
    }
    for text in [
        "clock = 3 clock == 3",
        "function eval(x) {x > 3} eval(4)",
        "piece movetime in R movetime attacks k",
        "evalbefore [element] R evalbefore attacks k",
        "persistent evalchange += 1 evalchange",
        "dictionary eval eval[\"a\"] = 3",
    ] {
        assert!(parse(text, &STRICT).is_ok(), "{text}");
    }
    // Words that stand behind the filter belong to it.
    assert!(parse("movetime white", &ParseOptions::default()).is_ok());
    let near = parse("evalchang > 3", &ParseOptions::default()).unwrap_err();
    assert_eq!(near[0].label, "did you mean `evalchange`?");
}

#[test]
fn messages_of_extensions() {
    let error = |text: &str, options: &ParseOptions| parse(text, options).unwrap_err().swap_remove(0);
    let missing = error("check positionset", &ParseOptions::default());
    assert_eq!(missing.code, Code::ExpectedToken);
    assert!(missing.message.contains("the name of a set"), "{}", missing.message);
    let near = error("positionsets \"a\"", &ParseOptions::default());
    assert_eq!(near.label, "did you mean `positionset`?");
    let strict = error("check flip positionset \"a\"", &STRICT);
    assert_eq!((strict.code, strict.span.range()), (Code::Extension, 11..22));
    assert_ne!(error("positionsets \"a\"", &STRICT).label, near.label);
    let before = ParseOptions {
        before: vec![Before::Filter("positionset \"a\"".to_owned())],
        ..STRICT
    };
    assert_eq!(error("check", &before).code, Code::Extension);
}

#[test]
fn imagined_positions_are_refused_where_only_cql_6_is_accepted() {
    for (text, place) in [
        ("move legal : mate", ":"),
        ("move from A legal all : mate", "all"),
        ("check imagine remove q : mate", "imagine"),
        ("legalposition", "legalposition"),
    ] {
        assert!(parse(text, &ParseOptions::default()).is_ok(), "{text}");
        let error = parse(text, &STRICT).unwrap_err().swap_remove(0);
        assert_eq!(
            (error.code, &text[error.span.range()]),
            (Code::Extension, place),
            "{text}"
        );
    }
    // In CQL 6.2 these words are names, and a colon stands in slices.
    for text in [
        "imagine = 3 imagine == 3",
        "function legalposition() {check} legalposition()",
        "\"abc\"[move legal count:3] == \"a\"",
        "\"abc\"[1:move legal count] == \"a\"",
    ] {
        assert!(parse(text, &STRICT).is_ok(), "{text}");
    }
}

#[test]
fn what_is_wrong_in_imagined_positions_is_told_with_its_place() {
    for (text, code, place) in [
        ("move legal : find mate", Code::NotImagined, "find mate"),
        ("move legal : {check child : mate}", Code::NotImagined, "child"),
        (
            "move legal : {parent : {check ply == 3 find mate}}",
            Code::NotImagined,
            "find mate",
        ),
        ("x = parent move legal : x : mate", Code::NotImagined, "x"),
        ("move legal : {y = parent}", Code::NotImagined, "parent"),
        ("imagine remove q : parent", Code::NotImagined, "parent"),
        ("imagine remove q : {comment \"a\"}", Code::NotImagined, "comment \"a\""),
        ("imagine remove q : {sort #A}", Code::NotImagined, "sort #A"),
        ("move : --e4", Code::NotImagined, "--e4"),
        ("move legal : move from A", Code::NotImagined, "move from A"),
        ("move legal : positionset \"a\"", Code::NotImagined, "positionset \"a\""),
        ("move legal : eval > 0", Code::NotImagined, "eval"),
        ("imagine : mate", Code::ExpectedToken, ":"),
        ("imagine remove q mate", Code::ExpectedToken, "mate"),
        ("imagine add A : mate", Code::BadArguments, "A"),
        ("imagine add Q : mate", Code::ExpectedToken, ":"),
        ("imagine add Qd4 on d5 : mate", Code::BadArguments, "Qd4"),
        ("imagine add check : mate", Code::ExpectedToken, "check"),
        ("imagine move K : mate", Code::ExpectedToken, ":"),
        ("imagine sidetomove : mate", Code::ExpectedToken, ":"),
        ("imagine remove check : mate", Code::WrongKind, "check"),
        ("move legal all", Code::BadParameter, "all"),
        ("move previous : check", Code::BadParameter, "previous"),
        ("move legal null : check", Code::BadParameter, "null"),
    ] {
        let error = parse(text, &ParseOptions::default()).unwrap_err().swap_remove(0);
        assert_eq!(
            (error.code, &text[error.span.range()]),
            (code, place),
            "{text}: {}",
            error.message
        );
    }
}
