//! Kinds and shapes of parsed filters (docs/language/kinds.md#kinds-of-composed-filters,
//! docs/language/syntax.md#operands).

use super::*;
use crate::hir::{Bound, Comparison, Constituent, PathStep, Range, Repeat};

fn body(text: &str) -> Filter {
    let query = parse(text, &ParseOptions::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let Node::Compound(mut filters) = query.body.node else {
        panic!("{text}: no compound")
    };
    filters.pop().unwrap()
}

#[test]
fn kinds_follow_the_operators() {
    use Kind::{Logical, Numeric, Position, Set, String};
    for (text, kind) in [
        ("A|b", Set),
        ("A==b", Logical),
        ("A==3", Numeric),
        ("3<A<5", Numeric),
        ("A!=3", Logical),
        ("\"a\"<\"b\"", String),
        ("parent==child", Position),
        ("parent & child", Set),
        ("parent:ply", Numeric),
        ("A in b", Logical),
        ("{wtm A}", Set),
        ("if A then 1 else 2", Numeric),
        ("if A then 1 else b", Logical),
        ("if A then b", Logical),
        ("{if A then b else} and k", Logical),
        ("flip A", Set),
        ("flip count A", Numeric),
        ("flip 2 wtm", Numeric),
        ("flip player", Logical),
        ("flip parent", Logical),
        ("notransform player", String),
        ("find A", Position),
        ("find all A", Numeric),
        ("line lastposition --> A", Position),
        ("path --", Numeric),
        ("path -- {currentmove countmoves --}", Numeric),
        ("line --> previous countmoves --", Numeric),
        ("--", Logical),
        ("--(to)", Set),
        ("legal --", Set),
        ("countmoves --", Numeric),
        ("countmoves (move from A legal)", Numeric),
        ("currentmove countmoves --", Numeric),
        ("move from A", Set),
        ("move from A legal count", Numeric),
        ("move", Logical),
        ("move : check", Logical),
        ("move legal : check", Logical),
        ("move legal from A : check", Logical),
        ("move from A legal : check", Set),
        ("move from A legal all : check", Logical),
        ("move from A legal count : check", Numeric),
        ("move legal all count : check", Numeric),
        ("imagine remove A : check", Logical),
        ("imagine remove A : #a", Numeric),
        ("imagine add Qd4 : parent : a", Set),
        ("imagine sidetomove reverse : fen", String),
        ("legalposition", Logical),
        ("square x in A x", Set),
        ("square all x in A x", Logical),
        ("int \"2\" + 3", Numeric),
        ("int \"2\" + \"3\" + 4", Numeric),
        ("echo (s t) ply", Numeric),
        ("echo (s t) A", Logical),
        ("function f(x){x} f(\"a\")", String),
        ("sort \"x\" A", Numeric),
        ("sort \"x\" player", String),
    ] {
        assert_eq!(body(text).kind, kind, "{text}");
    }
}

#[test]
fn precedence_is_that_of_the_ladder() {
    assert!(matches!(body("#A & B | k").node, Node::Cardinality(set) if matches!(set.node, Node::Union(_))));
    assert!(matches!(body("~A & B").node, Node::Intersection(sets) if sets.len() == 2));
    assert!(matches!(body("A & B & k & n").node, Node::Intersection(sets) if sets.len() == 4));
    assert!(matches!(body("up 1 A & B").node, Node::Intersection(_)));
    assert!(matches!(body("not A in B").node, Node::Not(_)));
    assert!(matches!(body("not A and B").node, Node::And(..)));
    assert!(matches!(body("flip A or B").node, Node::Transform { .. }));
    assert!(matches!(body("x=A and b").node, Node::And(..)));
    assert!(matches!(body("A -> B -> k").node, Node::Xray { gives_first: true, arguments } if arguments.len() == 3));
    assert!(matches!(
        body("k <- A <- B").node,
        Node::Xray { gives_first: false, .. }
    ));
    assert!(matches!(body("A <- B").node, Node::AttackedBy(..)));
    let Node::CompareNumbers(Comparison::Less, _, right) = body("1 < 2 < 3").node else {
        panic!()
    };
    assert!(matches!(right.node, Node::CompareNumbers(Comparison::Less, ..)));
    assert!(matches!(body("b|q--").node, Node::Dash(dash) if dash.left.is_some() && dash.right.is_none()));
    assert!(matches!(body("P--d5(to A)").node, Node::Dash(dash) if dash.right.is_some() && dash.target.len() == 2));
    assert!(matches!(body("P --d5").node, Node::Dash(dash) if dash.left.is_none()));
    assert!(matches!(body("while(event~~\"a\") A").node, Node::WhileRegex(..)));
    assert!(matches!(body("while((event~~\"a\")) A").node, Node::While(..)));
}

#[test]
fn ranges_look_ahead() {
    let range = |text: &str| match body(text).node {
        Node::Transform { range, .. } | Node::Direction { range, .. } => range,
        other => panic!("{text}: {other:?}"),
    };
    let between = |a, b| Some(Range::Between(Bound::Literal(a), Bound::Literal(b)));
    assert_eq!(range("up 1 K"), between(1, 1));
    assert_eq!(range("up -1 2 K"), between(-1, 2));
    assert_eq!(range("flip 2 3 A"), between(2, 3));
    assert_eq!(range("flip count A"), Some(Range::Count));
    assert_eq!(range("flip A"), None);
    assert!(matches!(
        range("x=1 up 1 x K"),
        Some(Range::Between(Bound::Literal(1), Bound::Variable(_)))
    ));
    // The number is the argument, and the set a filter of its own.
    assert!(matches!(body("flip 1 ~A").node, Node::Complement(_)));
}

#[test]
fn paths_end_at_blank_lines() {
    let steps = |text: &str| match body(text).node {
        Node::Path(path) => path.steps.len(),
        _ => 0,
    };
    assert_eq!(steps("path A -- check + -- b"), 3);
    assert_eq!(steps("path -- A\nb"), 1);
    assert_eq!(steps("path -- A\n\nb"), 0);
    assert_eq!(steps("path -- {A\n\nb} --"), 2);
    assert_eq!(steps("path -- (A\n\n) --"), 2);
    let Node::Path(path) = body("path focus Q (-- A)+ [x]b{2,}").node else {
        panic!()
    };
    assert!(matches!(
        &path.steps[0],
        PathStep::Chain {
            repeat: Repeat { min: 1, max: None },
            ..
        }
    ));
    assert!(matches!(&path.steps[1], PathStep::Dash { dash, repeat: Repeat { min: 2, max: None } } if dash.capture));
    let Node::Line(line) = body("line --> A+ --> (b --> k)?").node else {
        panic!()
    };
    assert!(matches!(&line.constituents[1], Constituent::Group { constituents, .. } if constituents.len() == 2));
}

#[test]
fn paths_end_at_the_name_that_gets_their_value() {
    assert!(matches!(body("X=path --+ X>1").node, Node::CompareNumbers(..)));
    assert!(matches!(body("X=path -- check X>1").node, Node::CompareNumbers(..)));
    // It has a value inside the path.
    assert!(matches!(body("X=1 X=path -- X>1").node, Node::Assign(..)));
    assert!(matches!(body("X=path -- X=1 X>1").node, Node::Assign(..)));
    assert!(parse("path -- X>1", &ParseOptions::default()).is_err());
    assert!(parse("X=path (-- X>1)", &ParseOptions::default()).is_err());
}

#[test]
fn wildcards_and_moves_are_refused_where_cql_refuses_them() {
    let accepts = |text: &str| parse(text, &ParseOptions::default()).is_ok();
    for text in [
        "line --> A+*",
        "line --> A+?",
        "line --> A{1,}{2}",
        "line --> A{1,}+",
        "line --> (A+){2}",
        "line --> A - 2",
        "{line --> A} * 2",
        "({line --> A}) + 1",
        "path {countmoves -- > 1}",
        "path {countmoves legal --}",
        "path -- {countmoves --}",
    ] {
        assert!(accepts(text), "{text}");
    }
    for text in [
        "line --> A++",
        "line --> A+{2}",
        "line --> A{+}{1,}",
        "line --> A*?",
        "line --> A * 2",
        "(line --> A) + 1",
        "line --> {A} + 1",
        "path {countmoves --}",
        "path --({countmoves --})",
        "countmoves (move legal)",
        "countmoves countmoves move from A legal",
        "legal move from A legal",
    ] {
        assert!(!accepts(text), "{text}");
    }
}

#[test]
fn variables_pass_by_name_and_values_by_hidden_variable() {
    let query = parse("function f(x){x+=1} z=3 f(z) f({z}) f(4)", &ParseOptions::default()).unwrap();
    let names: Vec<&str> = query.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["z", "x#1", "x#2"]);
    let query = parse("persistent quiet x=1 atomic y=A piece w=A", &ParseOptions::default()).unwrap();
    let lives: Vec<_> = query
        .variables
        .iter()
        .map(|v| (v.persistent, v.quiet, v.atomic))
        .collect();
    assert_eq!(
        lives,
        [(true, true, false), (false, false, true), (false, false, false)]
    );
}

#[test]
fn sorts_of_one_name_share_their_key() {
    let query = parse(
        "sort \"a\" ply sort min \"a\" depth sort A sort quiet player",
        &ParseOptions::default(),
    )
    .unwrap();
    let keys: Vec<_> = query
        .sorts
        .iter()
        .map(|key| (key.name.as_str(), key.kind, key.quiet))
        .collect();
    let expected = [
        ("a", Kind::Numeric, false),
        ("<sort-id-1>", Kind::Numeric, false),
        ("<sort-id-2>", Kind::String, true),
    ];
    assert_eq!(keys, expected);
}

#[test]
fn a_glyph_is_no_part_of_a_comment() {
    // A string behind another text of a comment is a part of its own, and never searched.
    for (text, parts) in [
        ("comment(originalcomment \"!\")", 1),
        ("comment(\"x\" originalcomment \"$14\" \"z\")", 3),
        ("comment(originalcomment \"abc\")", 2),
        ("comment(player \"a\")", 2),
    ] {
        let mut found = 0;
        body(text).for_each_child(&mut |_| found += 1);
        assert_eq!(found, parts, "{text}");
    }
    assert!(parse("comment(originalcomment \"$300\")", &ParseOptions::default()).is_err());
}

#[test]
fn isbound_knows_variables_that_are_assigned_behind_it() {
    let asked = |text: &str| {
        let query = parse(text, &ParseOptions::default()).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let mut found = Vec::new();
        query.body.any(&mut |filter| {
            if let Node::IsBound(_, variable) = filter.node {
                found.push(variable.map(|id| query.variables[id.0 as usize].name.clone()));
            }
            false
        });
        found
    };
    let x = || Some("x".to_owned());
    for (text, expected) in [
        ("isbound x x = 1", vec![x()]),
        ("if isunbound \"x\" then x = 0 else isbound y", vec![x(), None]),
        (
            "function start() { if isunbound x then x = 0 } start() x += 1",
            vec![x()],
        ),
        ("isbound x square x in A { x & a1 }", vec![x()]),
        ("isbound x dictionary x isbound x", vec![None, None]),
        ("isbound x function x() { check } x()", vec![None]),
        ("isbound x", vec![None]),
    ] {
        assert_eq!(asked(text), expected, "{text}");
    }
}
