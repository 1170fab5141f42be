//! A query laid out in one good way. Only white space changes, so the meaning can't.
//!
//! `pieces` are the tokens with what stands between them, `print` puts them on lines.

mod pieces;
mod print;

use crate::diagnostic::Diagnostic;
use crate::parse::beginnings;
use crate::syntax::{Token, lex, to_ascii, to_unicode};

use self::pieces::{Blanks, pieces};
use self::print::print;

/// How a query is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How many characters a line may have; what can't be broken may be longer.
    pub width: usize,
    /// Whether everything is written in ASCII (`Some(false)`), or with its Unicode symbols (`Some(true)`).
    pub unicode: Option<bool>,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            width: 100,
            unicode: None,
        }
    }
}

/// Lays out a query in CQL 6.2. The tokens stay the same, and so do comments and blank lines between filters.
///
/// # Errors
///
/// When the text is no query.
pub fn format(text: &str, layout: Layout) -> Result<String, Vec<Diagnostic>> {
    let text = laid_out(text, layout.width)?;
    // What is written in another way has other widths. Blanks are usual by now, so that the same tokens are rewritten the next
    // time.
    let spelled = match layout.unicode {
        Some(true) => to_unicode(&text),
        Some(false) => to_ascii(&text),
        None => return Ok(text),
    };
    laid_out(&spelled.map_err(|diagnostic| vec![diagnostic])?, layout.width)
}

fn laid_out(text: &str, width: usize) -> Result<String, Vec<Diagnostic>> {
    let found = beginnings(text)?;
    let before = lex(text).tokens;
    // Blanks around operators and inside parentheses are usual. Where they would make other tokens, all stays apart, or
    // together, as it was.
    for blanks in [Blanks::Usual, Blanks::AsWritten] {
        let printed = print(&pieces(text, &before, &found, blanks), width);
        if mean_the_same(&before, &lex(&printed).tokens) {
            return Ok(printed);
        }
    }
    Ok(text.to_owned())
}

/// Whether two lists of tokens are read in the same way.
fn mean_the_same(before: &[Token], after: &[Token]) -> bool {
    let same = |(before, after): (&Token, &Token)| {
        before.kind == after.kind && before.in_path == after.in_path && before.ends_paths == after.ends_paths
    };
    before.len() == after.len() && before.iter().zip(after).all(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn laid_out(text: &str) -> String {
        let once = format(
            text,
            Layout {
                width: 60,
                ..Layout::default()
            },
        )
        .unwrap();
        let twice = format(
            &once,
            Layout {
                width: 60,
                ..Layout::default()
            },
        )
        .unwrap();
        assert_eq!(once, twice, "a second time it changes again");
        once
    }

    #[test]
    fn short_queries_are_one_line() {
        assert_eq!(laid_out("  flip{Kg1   Bd3}\n\n"), "flip { Kg1 Bd3 }\n");
        assert_eq!(laid_out("mate N   attacks k"), "mate\nN attacks k\n");
        assert_eq!(laid_out("#(A&e1)==1"), "#(A & e1) == 1\n");
    }

    #[test]
    fn long_groups_have_a_line_for_each_filter() {
        let text = "cql(quiet) flipcolor { btm mate Rh8 attacks k  { #A==3 or #a == 3 } N&left 3 k square x in P { x attacks k light x A attacks x==2 not rank x==2 } }";
        let lines = "cql(quiet)\nflipcolor {\n  btm mate\n  Rh8 attacks k\n  { #A == 3 or #a == 3 }\n  N & left 3 k\n  \
                     square x in P {\n    x attacks k\n    light x\n    A attacks x == 2\n    not rank x == 2\n  }\n}\n";
        assert_eq!(laid_out(text), lines);
    }

    #[test]
    fn a_path_has_a_line_for_each_move() {
        let text = "path B[x]h7(check) k[x]h7 Here=to N--g5(check) not Here attacks k and Here in light P\n\nwtm";
        let lines =
            "path B[x]h7(check)\n  k[x]h7 Here = to\n  N--g5(check) not Here attacks k and Here in light P\n\nwtm\n";
        assert_eq!(laid_out(text), lines);
        // A shorter one needs no lines, but the blank line ends it.
        assert_eq!(laid_out("path -- check\n\n\n\nwtm"), "path -- check\n\nwtm\n");
    }

    #[test]
    fn comments_stay_where_they_are() {
        let text = "// first\n\n/* two\n     lines */ mate ; the end\nflip { // inside\n Ka1 /* one */ }\n// last";
        let lines =
            "// first\n\n/* two\n     lines */\nmate ; the end\nflip { // inside\n  Ka1 /* one */\n}\n// last\n";
        assert_eq!(laid_out(text), lines);
        assert_eq!(laid_out("wtm /// \"a\" btm\n mate"), "wtm\n/// \"a\" btm\nmate\n");
    }

    #[test]
    fn blanks_that_mean_something_stay() {
        for text in [
            "P\n--e5",
            "P--e5",
            "x = { 5 }\nx - -1 == 6",
            "--(check)",
            "x = 2\nx < -1",
        ] {
            assert_eq!(laid_out(text), format!("{text}\n"));
        }
    }

    #[test]
    fn either_spelling_is_written() {
        let unicode = Layout {
            unicode: Some(true),
            ..Layout::default()
        };
        let ascii = Layout {
            unicode: Some(false),
            ..Layout::default()
        };
        let symbols = format("flip {R->k}", unicode).unwrap();
        assert_eq!(symbols, "\u{2735} { \u{2656} \u{2192} \u{265a} }\n");
        assert_eq!(format(&symbols, ascii).unwrap(), "flip { R -> k }\n");
    }

    #[test]
    fn what_is_no_query_is_an_error() {
        assert!(format("flip {", Layout::default()).is_err());
        assert!(format("chek", Layout::default()).is_err());
    }
}
