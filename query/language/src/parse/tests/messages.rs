//! The messages for common mistakes: code, place, and the decisive words.

use super::*;
use crate::hir::VariableKind;

/// Query, code, the text at the place, a part of message, label or help.
const MESSAGES: &[(&str, Code, &str, &str)] = &[
    ("", Code::EmptyQuery, "", "`.` matches every position"),
    ("any", Code::ReservedWord, "any", "write `.`"),
    (
        "{path -- pathdebug} pathdebug",
        Code::ReservedWord,
        "pathdebug",
        "inside a `path` only",
    ),
    ("1 [<] 2", Code::KindMismatch, "[<]", "compared by `<`"),
    ("A [>=] 2", Code::KindMismatch, "[>=]", "by their places in the game"),
    (
        "#passedpawn >= 2",
        Code::UnknownName,
        "passedpawn",
        "did you mean `passedpawns`?",
    ),
    ("RR", Code::UnknownName, "RR", "`[RR]`"),
    ("x == 3", Code::UnknownName, "x", "assigned before"),
    ("x += 3", Code::UnknownName, "x", "write `x = ...` first"),
    ("A + 1", Code::UnexpectedText, "+", "`#`"),
    (
        "1 + A",
        Code::WrongKind,
        "A",
        "expected a numeric filter on the right of `+`, as on its left, found a set filter",
    ),
    (
        "A & 3",
        Code::WrongKind,
        "3",
        "expected a set filter on the right of `&`, found a numeric filter",
    ),
    ("A < b", Code::KindMismatch, "<", "`#` before one of the sets"),
    ("true & A", Code::UnexpectedText, "&", "write `and`"),
    ("check == 1", Code::UnexpectedText, "==", "no value to compare"),
    ("\"a\" + 3", Code::UnexpectedText, "+", "`str( )`"),
    ("parent != child", Code::PositionInequality, "!=", "`not`"),
    ("x = wtm", Code::NotAssignable, "wtm", "a logical filter has no value"),
    (
        "x = 3 x = A",
        Code::VariableKind,
        "x",
        "a numeric variable and cannot become a set variable",
    ),
    ("n = 3", Code::UnexpectedText, "=", "can name no variable"),
    ("x = 1-0", Code::ExpectedFilter, "1-0", "blanks around the minus sign"),
    (
        "x = 3 x<-1",
        Code::UnexpectedText,
        "<-",
        "cannot follow a numeric filter",
    ),
    ("{5}", Code::ExpectedFilter, "{5}", "write `{ 5 }`"),
    ("flip {2}", Code::ExpectedFilter, "{2}", "write `{ 2 }`"),
    ("function f(){5}", Code::ExpectedToken, "{5}", "write `{ 5 }`"),
    (
        "function f(x y){x} f(A)",
        Code::ArgumentCount,
        "f(A)",
        "takes 2 arguments, found 1",
    ),
    ("function f(x){f(x)} f(A)", Code::Recursion, "f", "calls itself"),
    (
        "function f(){A} function f(){b}",
        Code::Redefinition,
        "f",
        "first defined here",
    ),
    (
        "function f(x){x} f(wtm)",
        Code::NotAssignable,
        "wtm",
        "cannot be passed",
    ),
    ("(A b)", Code::OneFilterInParentheses, "b", "`{ }`"),
    (
        "path -- check (-- check)+",
        Code::OneFilterInParentheses,
        "check",
        "follows a chain",
    ),
    (
        "path --(check btm)",
        Code::OneFilterInParentheses,
        "btm",
        "need no parentheses",
    ),
    ("path K--(check) -- (--)", Code::DashTie, "(", "follows a chain"),
    (
        "dictionary D if D[1] then D[1]=D[1]+1 else D[1]=1",
        Code::WrongKind,
        "D[1]",
        "store a value in it earlier",
    ),
    (
        "dictionary D X=D[1] D[1]=A",
        Code::NotAssignable,
        "D[1]",
        "store a value in it earlier",
    ),
    ("max(1, 2)", Code::UnexpectedText, ",", "separated by blanks"),
    ("between(A, b)", Code::ExpectedFilter, ",", "separated by blanks"),
    ("up 1 .", Code::WrongKind, "1", "into parentheses"),
    ("A and--b", Code::DashTie, "--", "put a blank before it"),
    ("-- (A)", Code::DashTie, "(", "remove the blank"),
    ("--=Q or A", Code::BadPromotion, "Q or A", "`( )` around the move"),
    ("[a1, b2]", Code::ExpectedFilter, "[", "no blanks"),
    ("dictionary D D[a5] = 3", Code::UnexpectedText, "=", "`[ a5 ]`"),
    ("path -- x=3+2", Code::BadConstituent, "2", "put arithmetic into braces"),
    ("path -- legal --", Code::BadConstituent, "legal", "into braces"),
    (
        "function F(x){path -- --(legal --)} wtm",
        Code::BadConstituent,
        "legal",
        "into braces",
    ),
    ("path --(3)", Code::BadConstituent, "3", "a number"),
    ("line --> A+ B", Code::BadWildcard, "+", "`{+}`"),
    ("line --> .??", Code::BadWildcard, "?", "without any position"),
    ("line --> A <-- b", Code::UnexpectedText, "<--", "one direction"),
    ("player \"a*b\"", Code::BadImplicitSearch, "\"a*b\"", "`~~ \"a*b\"`"),
    ("tag \"WhiteElo\"", Code::BadTag, "\"WhiteElo\"", "`elo white`"),
    ("fen \"8/7/\"", Code::BadFen, "\"8/7/\"", "fewer than 8 squares"),
    ("event ~~ \"(\"", Code::BadRegex, "\"(\"", "malformed"),
    ("sort \"x\" 3", Code::BadSort, "3", "comparisons"),
    ("sort max (1 2)", Code::BadSort, "(", "needs a name"),
    ("hhdb sund", Code::BadHhdb, "sund", "did you mean `sound`?"),
    ("pin from A from b", Code::BadParameter, "from", "twice"),
    (
        "cql(player \"x\") A",
        Code::BadHeader,
        "player",
        "as a filter behind the header",
    ),
    ("2147483648", Code::BadArguments, "2147483648", "31 bits"),
    ("(match (position Ka1))", Code::OtherDialect, "(match", "CQL 1 to 3"),
    ("relation (tomove match)", Code::OtherDialect, "relation", "CQL 5"),
    ("countsquares 1 A", Code::OtherDialect, "countsquares", "`#`"),
    ("A ! b", Code::InvalidCharacter, "!", "`not`"),
    ("\u{2208}", Code::InvalidCharacter, "\u{2208}", "U+220A"),
    ("\"abc", Code::UnterminatedString, "\"abc", "close it"),
    ("{A", Code::UnbalancedDelimiter, "{", "not closed"),
];

#[test]
fn mistakes_are_explained() {
    for (query, code, place, words) in MESSAGES {
        let errors = parse(query, &ParseOptions::default()).expect_err(query);
        let error = &errors[0];
        let related = error
            .related
            .as_ref()
            .map(|(_, label)| label.clone())
            .unwrap_or_default();
        let said = [
            &error.message,
            &error.label,
            &related,
            error.help.as_ref().unwrap_or(&String::new()),
        ]
        .map(String::as_str)
        .join("\n");
        assert_eq!(
            (error.code, &query[error.span.range()]),
            (*code, *place),
            "{query}: {said}"
        );
        assert!(said.contains(words), "{query}: {said}");
        assert!(
            error.message.starts_with(|c: char| !c.is_uppercase() || c == 'U'),
            "{}",
            error.message
        );
    }
}

#[test]
fn messages_point_into_the_text() {
    let query = "wtm\nflip 2 {Ra1 attack 3}";
    let error = &parse(query, &ParseOptions::default()).unwrap_err()[0];
    let expected = "\
error[Q302]: expected a set filter on the right of `attacks`, found a numeric filter
 --> query.cql:2:20
  |
2 | flip 2 {Ra1 attack 3}
  |                    ^";
    assert_eq!(error.render(query, "query.cql").trim_end(), expected);
}

#[test]
fn the_program_s_own_filters_are_parsed_too() {
    let options = ParseOptions {
        require_header: true,
        before: vec![
            Before::Filter("Ra1 or wtm".to_owned()),
            Before::Assignment("x".to_owned(), "-3".to_owned()),
            Before::Filter("x > 2".to_owned()),
            Before::Assignment("name".to_owned(), "+5".to_owned()),
        ],
        game_filters: vec!["year == 1999".to_owned()],
        transforms: vec![Transform::Flip, Transform::FlipColor],
        strict: false,
    };
    let query = parse("cql() name in player", &options).unwrap();
    let kinds: Vec<VariableKind> = query.variables.iter().map(|variable| variable.kind).collect();
    assert_eq!(kinds, [VariableKind::Numeric, VariableKind::String]);
    assert_eq!(query.header.games.len(), 1);
    let Node::Transform {
        transform: Transform::Flip,
        argument,
        ..
    } = &query.body.node
    else {
        panic!("no flip")
    };
    let Node::Transform {
        transform: Transform::FlipColor,
        argument,
        ..
    } = &argument.node
    else {
        panic!("no flipcolor")
    };
    let Node::Compound(filters) = &argument.node else {
        panic!("no body")
    };
    assert_eq!(filters.len(), 5);
    assert_eq!(parse("A", &options).unwrap_err()[0].code, Code::MissingHeader);
    let wrong = ParseOptions {
        before: vec![Before::Filter("A +".to_owned())],
        ..ParseOptions::default()
    };
    assert!(parse("A", &wrong).unwrap_err()[0].message.contains("command line"));
    assert_eq!(
        parse_bytes(b"A \xff", &ParseOptions::default()).unwrap_err()[0].code,
        Code::InvalidUtf8
    );
}
