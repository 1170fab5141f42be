use super::*;

fn dump(text: &str) -> String {
    let lexed = lex(text);
    if let Some(error) = lexed.errors.first() {
        return error.code.text().to_owned();
    }
    lexed
        .tokens
        .iter()
        .map(|token| describe(&token.kind))
        .collect::<Vec<_>>()
        .join(" ")
}

fn describe(kind: &TokenKind) -> String {
    match kind {
        TokenKind::Keyword(keyword) => keyword.text().to_owned(),
        TokenKind::Symbol(symbol) => format!("'{}'", symbol.text()),
        TokenKind::Identifier(name) => format!("<{name}>"),
        TokenKind::Number(number) => number.to_string(),
        TokenKind::String(text) => format!("{text:?}"),
        TokenKind::Outcome(outcome) => format!("{outcome:?}"),
        TokenKind::Designator(d) => format!("D{:x}/{}", d.men.bits(), d.squares.count()),
        TokenKind::PieceDeclaration => "declare".to_owned(),
        TokenKind::Dash(d) => format!(
            "{}{}{}",
            if d.left_tied { "L" } else { "" },
            if d.capture { "x" } else { "-" },
            if d.right_tied { "R" } else { "" }
        ),
        TokenKind::Repetition { min, max } => format!("{{{min},{max}}}"),
        TokenKind::Group(n) => format!("g{n}"),
        TokenKind::GroupStart(n) => format!("s{n}"),
        TokenKind::LineComment => "///".to_owned(),
        TokenKind::LineCommentEnd => "end".to_owned(),
        TokenKind::InputFile(file) => format!("in({file})"),
        TokenKind::OutputFile(file) => format!("out({file})"),
    }
}

#[test]
fn alternatives_are_tried_in_order() {
    for (text, expected) in [
        ("1-0", "White"),
        ("1-01", "1 '-' 1"),
        ("10-1-0", "10 '-' White"),
        ("1/2-1/2x", "1 '/' 2 '-' 1 '/' 2 <x>"),
        ("o-o o-ox o-o1 O-O", "o-o <o> '-' <ox> o-o 1 <O> '-' <O>"),
        ("{5} { 5} {5,} {,5} {5,6}", "{5,5} '{' 5 '}' {5,100000} {0,5} {5,6}"),
        ("\\n \\12 \\-3 \\\\n", "\"\\n\" g12 s3 \"\\\\\" D400/64"),
        ("<-- <- --> ---> <-->", "'<--' '<-' '-->' -R '->' '<--' '>'"),
        ("99999999999 2147483648", "1215752191 -2147483648"),
        ("input foo.pgn output \"a b.pgn\"", "in(foo.pgn) out(a b.pgn)"),
        ("A /// b\n/// // x\nA", "D3f/64 /// D100/64 end /// end D3f/64"),
        ("A ; x\n//// y\n/* z\n */ b", "D3f/64 D100/64"),
    ] {
        assert_eq!(
            dump(text),
            expected.replace("D100/64", &dump("b")).replace("D400/64", &dump("n")),
            "{text}"
        );
    }
}

#[test]
fn designators_end_with_their_word() {
    for (text, expected) in [
        ("Ra1", "D8/1"),
        ("a-h1-8", "D1fff/64"),
        ("[a1,c-d2-3]", "D1fff/5"),
        ("[RB]a1", "Dc/1"),
        ("RR", "<RR>"),
        ("[Ka1,b2]", "'[' D20/1 ',' <b2> ']'"),
        ("[a1, b2]", "'[' D1fff/1 ',' <b2> ']'"),
        ("R[a1][a1]", "<R> '[' <a1> ']' D1fff/1"),
        ("R[x]a", "D8/64 LxR Dfc0/64"),
        ("ra[x]", "<ra> Lx"),
        ("x[a5] x[ a5 ]", "<x> D1fff/1 <x> '[' D1fff/1 ']'"),
        ("b-c3 b-c3x", "D1fff/2 D80/64 '-' <c3x>"),
        ("Ra1-9", "D8/1 '-' 9"),
        ("\u{2654}\u{2655}a1", "D30/1"),
        (
            "[Aa]x [Aa] x [Aa]a4 [Aa]wtm",
            "declare <x> Dfff/64 <x> Dfff/1 '[' <Aa> ']' wtm",
        ),
        ("\u{25ed}x \u{25ed}a4", "declare <x> Dfff/1"),
    ] {
        let expected = expected.replace("D80/64", &dump("b"));
        assert_eq!(dump(text), expected, "{text}");
    }
}

#[test]
fn dashes_know_their_neighbours() {
    for (text, expected) in [
        ("A--b", "D3f/64 L-R b"),
        ("A --b", "D3f/64 -R b"),
        ("A-- b", "D3f/64 L- b"),
        ("{--}", "'{' - '}'"),
        ("(--)", "'(' - ')'"),
        ("A&--", "D3f/64 '&' -"),
        ("A==--", "D3f/64 '==' -"),
        ("wtm--", "wtm L-"),
        ("#--", "'#' L-"),
        ("----", "-R L-"),
        ("[x][x]", "xR Lx"),
        ("--+ --* --? --: --/*x*/A --//", "- '+' - '*' - '?' - ':' - D3f/64 -"),
        ("--=Q --(", "Q109"),
        ("x--1", "<x> L-R 1"),
        ("\u{2015}\u{2015}>", "-R '>'"),
        ("\u{d7}-->", "xR '-->'"),
        ("x[element]--", "<x> '[element]' -"),
        ("\u{227c}--", "'[<=]' L-"),
    ] {
        assert_eq!(dump(text), expected.replace(" b", &format!(" {}", dump("b"))), "{text}");
    }
}

#[test]
fn blank_lines_are_seen() {
    let blank = |text: &str| lex(text).tokens.last().map(|token| token.after_blank_line);
    assert_eq!(blank("A\n\nb"), Some(true));
    assert_eq!(blank("A\n \t\r\nb"), Some(true));
    assert_eq!(blank("A\n//c\nb"), Some(false));
    assert_eq!(blank("A //c\n\nb"), Some(true));
    assert_eq!(blank("A /*\n\n*/ b"), Some(false));
    assert_eq!(blank("A\n/* \n*/\nb"), Some(false));
}

#[test]
fn errors_have_codes() {
    for (text, code) in [
        ("\"a\nb\"", "Q103"),
        ("/* x", "Q104"),
        ("\\nx", "Q105"),
        ("\\123", "Q105"),
        ("c-a1", "Q106"),
        ("h-a", "Q106"),
        ("a8-1", "Q106"),
        ("\u{2654}\u{2654}", "Q107"),
        ("\u{25b3}\u{25b2}\u{25ed}", "Q107"),
        ("{6,5}", "Q108"),
        ("{,}", "Q108"),
        ("{100001}", "Q108"),
        ("(A", "Q109"),
        ("A)", "Q109"),
        ("(A]", "Q109"),
        ("/// A /// b", "Q110"),
        ("'a'", "Q102"),
        ("A ! b", "Q102"),
        ("\u{2654}Q", "Q102"),
        ("\u{2208}", "Q102"),
        ("A\u{3000}b", "Q102"),
        ("\u{2015}", "Q102"),
    ] {
        assert_eq!(dump(text), code, "{text}");
    }
}
