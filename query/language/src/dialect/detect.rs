//! Which dialect a text is written in (docs/language/dialects.md).

use super::{Dialect, cql5};
use crate::hir::{Filter, Node};
use crate::parse::{ParseOptions, parse};

/// The dialect of a text.
///
/// CQL 1 is recognised by the beginning of the text. Between CQL 5 and CQL 6, a text that CQL 6 accepts is CQL 6. A text
/// that CQL 6 refuses is CQL 5 if it uses words of CQL 5 and none that only CQL 6 has. A text is also CQL 5 where CQL 6
/// would stop with an error because a number stands among the conditions: the range of `movenumber 3 9`.
pub fn detect(text: &str) -> Dialect {
    let words = Words::of(text);
    let is_list = words.0.first().is_none_or(|first| *first == "(");
    if is_match_list(&words) || is_list && names_cql1(text) {
        return Dialect::Cql1;
    }
    if let Ok(query) = parse(text, &ParseOptions::default()) {
        let is_range = has_number_as_condition(&query.body) && cql5::parse(text, &ParseOptions::default()).is_ok();
        return if is_range { Dialect::Cql5 } else { Dialect::Cql6 };
    }
    if words.begin(&["(", "position"]) || words.begin(&["(", "match"]) {
        return Dialect::Cql1;
    }
    if words.have_markers_of_5() && !words.have_markers_of_6() {
        return Dialect::Cql5;
    }
    Dialect::Cql6
}

/// Whether a number stands among several filters that all have to match.
fn has_number_as_condition(body: &Filter) -> bool {
    body.any(&mut |filter| match &filter.node {
        Node::Compound(list) => list.len() > 1 && list.iter().any(|part| matches!(part.node, Node::Number(_))),
        _ => false,
    })
}

/// `(match` with what only a match list has behind it.
fn is_match_list(words: &Words<'_>) -> bool {
    words.begin(&["(", "match"]) && words.0.get(2).is_none_or(|word| word.starts_with(['(', ')', ':', '!']))
}

/// The first line of a file written by Scidb: `; CQL-S 1.0 (...)`, `; CQL 1.0`.
fn names_cql1(text: &str) -> bool {
    let line = text.trim_start_matches('\u{feff}').trim_start().lines().next();
    let Some(rest) = line.and_then(|line| line.strip_prefix(';')) else {
        return false;
    };
    let rest = rest.trim_start();
    let version = rest.strip_prefix("CQL-S ").or_else(|| rest.strip_prefix("CQL "));
    version.is_some_and(|version| {
        let number = version.split([' ', '(']).next().unwrap_or_default();
        number.starts_with(['1', '2', '3']) && number.contains('.')
    })
}

/// A text as words, numbers and single signs, without its comments and strings.
struct Words<'t>(Vec<&'t str>);

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Words<'t> {
        let mut words = Vec::new();
        let mut rest = text.trim_start_matches('\u{feff}');
        while let Some(first) = rest.chars().next() {
            let line = || rest.find('\n').unwrap_or(rest.len());
            let length = if rest.starts_with(';') || rest.starts_with("//") && !rest.starts_with("///") {
                line()
            } else if let Some(inside) = rest.strip_prefix("/*") {
                inside.find("*/").map_or(rest.len(), |end| end + 4)
            } else if let Some(inside) = rest.strip_prefix('"') {
                inside.find(['"', '\n']).map_or(rest.len(), |end| end + 2)
            } else if first.is_whitespace() {
                first.len_utf8()
            } else {
                let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
                let word = |text: &str| text.find(|c: char| !is_word(c)).unwrap_or(text.len());
                // A colon with a word goes with it, unless it stands behind an operand: that is the operator of CQL 6.
                let stands_free = text[..text.len() - rest.len()].ends_with(|c: char| c.is_whitespace() || c == '(');
                let length = match word(rest) {
                    0 if first == ':' && stands_free => 1 + word(&rest[1..]),
                    0 => first.len_utf8(),
                    length => length,
                };
                words.push(&rest[..length]);
                length
            };
            rest = &rest[length.min(rest.len())..];
        }
        Words(words)
    }

    fn begin(&self, words: &[&str]) -> bool {
        self.0.starts_with(words)
    }

    /// Words of CQL 5 that CQL 6 does not have, or that mean something else there.
    fn have_markers_of_5(&self) -> bool {
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        self.0.iter().enumerate().any(|(index, &word)| {
            let next = self.0.get(index + 1).copied().unwrap_or_default();
            match word {
                "relation" | "countsquares" | "powerdifference" | "darksquares" | "lightsquares" | "origin" | "on"
                | "gap" | "any" | "tomove" | "next2" | "previous2" | "beginvariation" | "U" => true,
                "next" | "previous" => next == "(" || next == "*" || is_number(next),
                "attack" => next == "(" || is_number(next),
                "power" | "ray" => is_number(next),
                "set" | "range" => is_number(next),
                "pgn" => index == 2 && self.begin(&["cql", "("]),
                // A keyword in the old way.
                word if word.starts_with(':') => word.len() > 1,
                word if word.starts_with("echo") => word.len() > 4,
                word if word.starts_with('$') => true,
                word => word.len() > 1 && word.starts_with('U') && word[1..].bytes().all(|b| b.is_ascii_alphanumeric()),
            }
        })
    }

    /// Words and operators that CQL 5 did not have.
    fn have_markers_of_6(&self) -> bool {
        let operator = |pair: &[&str]| match pair {
            ["=" | "!" | "<" | ">", "="] | ["-" | "<", "-"] => true,
            [sign, _] => ["&", "|", "~", "#", "%"].contains(sign),
            _ => false,
        };
        self.0.windows(2).any(operator)
            || self.0.iter().enumerate().any(|(index, &word)| match word {
                "line" | "find" | "attackedby" | "attacks" | "function" | "path" | "dictionary" | "persistent"
                | "tag" | "settag" | "message" | "imagine" | "legalposition" => true,
                "echo" => self.0.get(index + 1) == Some(&"("),
                word => !word.is_ascii(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn match_lists_are_cql_1() {
        for text in [
            "(match (position Ra3))",
            "; a comment\n( match :pgn x.pgn (position Ra3))",
            "(match\n:result 1-0)",
            "(position Ra1 :not)",
            "(position)",
            "(position :wtm)",
            "(position \u{2656}a3)",
            "(position $rook[a1])",
            "(position U[a1,h1])",
            "(position ?b? K)",
            "(match",
            "(match result 1-0 (position Ra3))",
            "; CQL-S 1.0 (Normal) ()\n",
            "\u{feff}; CQL 1.0\n(match)",
        ] {
            assert_eq!(detect(text), Dialect::Cql1, "{text}");
        }
    }

    #[test]
    fn what_cql_6_accepts_is_cql_6() {
        for text in [
            "Ra3",
            "cql() R attacks k",
            "(position 0 : check)",
            "(position 3)",
            "X = 2 (position X)",
            "cql() flip 4 Ra1",
            "previous [x]",
            "$x = 3 $x == 3",
            "next = 3 next == 3",
            "; CQL 6.2\nKe1",
            "; CQL 2.0 was older\nKe1",
            "match = 3 (match == 3)",
            "nonsense",
            "",
        ] {
            assert_eq!(detect(text), Dialect::Cql6, "{text}");
        }
    }

    #[test]
    fn words_of_cql_5_are_cql_5() {
        for text in [
            "cql(pgn x.pgn) check",
            "relation (tomove match) (mismatch 0)",
            "cql(silent) K on darksquares relation K on lightsquares (tomove match) echoshift (mismatch 0)",
            "countsquares 3 9 P",
            "attack 2 9 (N .)",
            "next (check not check check)",
            "next* 2 9 check",
            "cql(variations) :check :wtm",
            "square all $x in . on [a1,a8] R$x",
            "powerdifference 5 99 (A a)",
            "elo white 2500 3000",
            "result 0-1 movenumber 3 check",
            "ray 2 (Q n k)",
            "power 5 9 A",
        ] {
            assert_eq!(detect(text), Dialect::Cql5, "{text}");
        }
    }

    #[test]
    fn new_operators_beside_old_words_are_cql_6() {
        assert_eq!(detect("relation == 3"), Dialect::Cql6);
        assert_eq!(detect("K on R line --> check"), Dialect::Cql6);
        assert_eq!(detect("imagine add [QR] on d4 : check"), Dialect::Cql6);
    }
}
