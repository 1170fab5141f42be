//! From one spelling to the other, token by token; comments, strings and white space stay
//! (docs/language/syntax.md#symbols).

use super::keyword::Keyword;
use super::lexer::lex;
use super::symbol::{ANY_PIECE, CAPTURE, HALF_DASH, Symbol, UNICODE, UnicodeMeaning, unicode_meaning};
use super::token::{Token, TokenKind};
use crate::diagnostic::Diagnostic;
use crate::hir::ManSet;

/// Writes every Unicode symbol in ASCII.
///
/// # Errors
/// The first lexical error.
pub fn to_ascii(text: &str) -> Result<String, Diagnostic> {
    rewrite(text, ascii)
}

/// Writes everything that has a Unicode symbol with it.
///
/// # Errors
/// The first lexical error.
pub fn to_unicode(text: &str) -> Result<String, Diagnostic> {
    rewrite(text, unicode)
}

/// Replaces tokens. Where a new one would run into its neighbour, a blank keeps them apart.
fn rewrite(text: &str, replace: fn(&Token, &str) -> Option<String>) -> Result<String, Diagnostic> {
    let mut lexed = lex(text);
    if !lexed.errors.is_empty() {
        return Err(lexed.errors.swap_remove(0));
    }
    let mut output = String::with_capacity(text.len() + text.len() / 4);
    let mut end = 0;
    let mut previous: Option<(&Token, String, bool)> = None;
    for token in lexed
        .tokens
        .iter()
        .filter(|token| token.kind != TokenKind::LineCommentEnd)
    {
        let range = token.span.range();
        let old = &text[range.clone()];
        let replaced = replace(token, old);
        let mut is_new = replaced.is_some();
        let mut new = replaced.unwrap_or_else(|| old.to_owned());
        let between = &text[end..range.start];
        output.push_str(between);
        if let Some((before, before_text, before_is_new)) = &previous
            && between.is_empty()
            && (is_new || *before_is_new)
            && !stay_apart((before, before_text), "", (token, &new))
        {
            if is_new && !stay_apart((before, before_text), " ", (token, &new)) {
                // `a4[element]` names `a4`, which is no name before a symbol.
                (new, is_new) = (old.to_owned(), false);
            } else {
                output.push(' ');
            }
        }
        output.push_str(&new);
        end = range.end;
        previous = Some((token, new, is_new));
    }
    output.push_str(&text[end..]);
    // A symbol may make something else of what stands before it: `[Pp]b` is no designator, and one stands in `[Pp]\u{265d}`.
    // No query has such a place.
    let written = lex(&output).tokens;
    let is_same = written.len() == lexed.tokens.len() && written.iter().zip(&lexed.tokens).all(|(a, b)| is_same(a, b));
    Ok(if is_same { output } else { text.to_owned() })
}

/// Whether two tokens are the same, however they are written.
fn is_same(written: &Token, meant: &Token) -> bool {
    match (&written.kind, &meant.kind) {
        (TokenKind::Dash(written), TokenKind::Dash(meant)) => written.capture == meant.capture,
        (written, meant) => written == meant,
    }
}

/// Whether two tokens are still the same two when they are written side by side, or with a blank between them.
fn stay_apart((first, first_text): (&Token, &str), blank: &str, (second, second_text): (&Token, &str)) -> bool {
    // Brackets do not pair in so short a text, so errors do not matter.
    let written = lex(&format!("{first_text}{blank}{second_text}")).tokens;
    matches!(&written[..], [one, two, ..] if is_same(one, first) && is_same(two, second))
        && written[2..].iter().all(|token| token.kind == TokenKind::LineCommentEnd)
}

/// The ASCII spelling of a token, if it is not ASCII yet.
fn ascii(token: &Token, text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    Some(match &token.kind {
        TokenKind::Keyword(keyword) => keyword.text().to_owned(),
        TokenKind::Symbol(symbol) => symbol.text().to_owned(),
        TokenKind::PieceDeclaration => "[Aa]".to_owned(),
        TokenKind::Dash(dash) => if dash.capture { "[x]" } else { "--" }.to_owned(),
        TokenKind::Designator(_) => {
            let mut letters = String::new();
            let mut squares = text.trim_start_matches('[');
            while let Some(symbol) = squares.chars().next()
                && let Some(UnicodeMeaning::Men(men)) = unicode_meaning(symbol)
            {
                letters.push_str(men);
                squares = &squares[symbol.len_utf8()..];
            }
            let squares = squares.strip_prefix(']').unwrap_or(squares);
            if letters.len() == 1 {
                format!("{letters}{squares}")
            } else {
                format!("[{letters}]{squares}")
            }
        }
        _ => return None,
    })
}

/// The Unicode spelling of a token, if it has one.
fn unicode(token: &Token, text: &str) -> Option<String> {
    if !text.is_ascii() {
        return None;
    }
    match token.kind {
        TokenKind::Keyword(Keyword::Flip) => symbol_of(UnicodeMeaning::Keyword(Keyword::Flip)),
        TokenKind::Keyword(Keyword::Curpos) => symbol_of(UnicodeMeaning::Keyword(Keyword::Currentposition)),
        TokenKind::Keyword(keyword) => symbol_of(UnicodeMeaning::Keyword(keyword)),
        TokenKind::Symbol(Symbol::BarAssign) => symbol_of(UnicodeMeaning::Symbol(Symbol::Bar)).map(|bar| bar + "="),
        TokenKind::Symbol(Symbol::AmpersandAssign) => {
            symbol_of(UnicodeMeaning::Symbol(Symbol::Ampersand)).map(|ampersand| ampersand + "=")
        }
        TokenKind::Symbol(symbol) => symbol_of(UnicodeMeaning::Symbol(symbol)),
        TokenKind::PieceDeclaration => Some(ANY_PIECE.to_string()),
        TokenKind::Dash(dash) if dash.capture => Some(CAPTURE.to_string()),
        TokenKind::Dash(_) => Some([HALF_DASH; 2].iter().collect()),
        TokenKind::Designator(designator) if designator.men != ManSet::ANYTHING => Some(unicode_designator(text)),
        _ => None,
    }
}

/// A designator that names pieces in ASCII letters; letters that repeat are written once.
fn unicode_designator(text: &str) -> String {
    let (letters, squares) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some(parts) => parts,
        None => text.split_at(1),
    };
    let mut output = String::new();
    let both = letters.contains('A') && letters.contains('a');
    for letter in letters.chars() {
        let men = if both && (letter == 'A' || letter == 'a') {
            "Aa"
        } else {
            &letter.to_string()
        };
        let symbol = UNICODE
            .iter()
            .find(|(_, meaning)| matches!(meaning, UnicodeMeaning::Men(other) if *other == men));
        if let Some((symbol, _)) = symbol.filter(|(symbol, _)| !output.contains(*symbol)) {
            output.push(*symbol);
        }
    }
    output + squares
}

fn symbol_of(meaning: UnicodeMeaning) -> Option<String> {
    UNICODE
        .iter()
        .find(|(_, other)| *other == meaning)
        .map(|(symbol, _)| symbol.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for (ascii, unicode) in [
            (
                "K & [Rb]a1 | A",
                "\u{2654} \u{2229} \u{2656}\u{265d}a1 \u{222a} \u{25b3}",
            ),
            ("[Aa]x[element]. x<=3", "\u{25ed}x\u{220a}\u{25a6} x\u{2264}3"),
            ("flip flipcolor currentposition:ply", "\u{2735} \u{2b13} \u{2219}:ply"),
            (
                "path focus Q --=Q A[x]b",
                "\u{22a2} \u{25ce} \u{2655} \u{2015}\u{2015}=\u{2655} \u{25b3}\u{d7}\u{265d}",
            ),
            ("x|=A x&=b", "x\u{222a}=\u{25b3} x\u{2229}=\u{265d}"),
            ("a1 a-h1-8 RR [] \"K\" // K", "a1 a-h1-8 RR [] \"K\" // K"),
            ("/// K\n /* K */ o-o", "/// \u{2654}\n /* K */ o-o"),
        ] {
            assert_eq!(to_unicode(ascii).unwrap(), unicode);
            assert_eq!(to_ascii(unicode).unwrap(), ascii);
        }
    }

    #[test]
    fn blanks_keep_tokens_apart() {
        assert_eq!(to_ascii("\u{2735}\u{2b13}\u{2654}").unwrap(), "flip flipcolor K");
        assert_eq!(to_ascii("\u{22a2}\u{25ce}T1").unwrap(), "path focus T1");
        assert_eq!(to_ascii("\u{2654}\u{220a}").unwrap(), "K [element]");
        assert_eq!(to_ascii("3<\u{2015}\u{2015}(ply)").unwrap(), "3< --(ply)");
        assert_eq!(to_ascii("\u{2015}\u{2015}>3").unwrap(), "-- >3");
        assert_eq!(to_unicode("[KKa]").unwrap(), "\u{2654}\u{25b2}");
        assert_eq!(to_unicode("a4[element]b 2").unwrap(), "a4[element]\u{265d} 2");
    }

    #[test]
    fn what_would_become_other_tokens_stays() {
        assert_eq!(to_unicode("k [Pp]b-d0").unwrap(), "k [Pp]b-d0");
        assert_eq!(to_unicode("k [Pp] b").unwrap(), "\u{265a} \u{2659}\u{265f} \u{265d}");
    }

    #[test]
    fn errors_stop_it() {
        assert!(to_ascii("\u{2208}").is_err());
    }
}
