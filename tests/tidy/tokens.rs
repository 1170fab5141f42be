//! Splits Rust source into tokens: enough to find modules, imports and paths.

/// A word, a number, a string, `::`, or one other character. Comments, characters and lifetimes are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// The line it stands on, from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }
}

/// The tokens of a file, in order.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut line = 1;
    let mut at = 0;
    while at < bytes.len() {
        let end = end_of_token(text, at);
        let token = &text[at..end];
        let first = bytes[at];
        let skipped =
            first.is_ascii_whitespace() || token.starts_with("//") || token.starts_with("/*") || first == b'\'';
        if !skipped {
            found.push(Token { text: token, line });
        }
        line += token.matches('\n').count();
        at = end;
    }
    found
}

fn end_of_token(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let first = rest.as_bytes()[0];
    if rest.starts_with("//") {
        return at + rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return at + end_of_comment(rest);
    }
    if let Some(length) = end_of_string(rest) {
        return at + length;
    }
    if first == b'\'' {
        return at + end_of_quote(rest);
    }
    if first.is_ascii_alphanumeric() || first == b'_' {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        return at + rest.find(|c| !word(c)).unwrap_or(rest.len());
    }
    if rest.starts_with("::") {
        return at + 2;
    }
    at + rest.chars().next().map_or(1, char::len_utf8)
}

/// Comments in `/* */` may contain others.
fn end_of_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        let tail = &rest.as_bytes()[at..];
        if tail.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if tail.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of a string literal of any kind, if the text begins with one.
fn end_of_string(rest: &str) -> Option<usize> {
    let prefix = rest.find(|c: char| !c.is_ascii_lowercase())?;
    if !["", "b", "c", "r", "br", "cr"].contains(&&rest[..prefix]) {
        return None;
    }
    let raw = rest[..prefix].ends_with('r');
    let hashes = rest[prefix..].bytes().take_while(|&byte| byte == b'#').count();
    if (hashes > 0 && !raw) || rest.as_bytes().get(prefix + hashes) != Some(&b'"') {
        return None;
    }
    let start = prefix + hashes + 1;
    if raw {
        let close = format!("\"{}", "#".repeat(hashes));
        return Some(
            rest[start..]
                .find(&close)
                .map_or(rest.len(), |at| start + at + close.len()),
        );
    }
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return Some(at + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

/// The length of a character literal or a lifetime.
fn end_of_quote(rest: &str) -> usize {
    let mut inside = rest.chars().skip(1);
    let (Some(first), Some(second)) = (inside.next(), inside.next()) else {
        return rest.len();
    };
    if first == '\\' {
        // What follows the backslash may be a quote.
        return rest[3..].find('\'').map_or(rest.len(), |at| at + 4);
    }
    if second == '\'' {
        return 2 + first.len_utf8();
    }
    let word = |c: char| c.is_alphanumeric() || c == '_';
    1 + rest[1..].find(|c| !word(c)).unwrap_or(rest.len() - 1)
}

#[test]
fn only_code_becomes_tokens() {
    let text = r##"use a::{b, c}; // d
        /* e /* f */ g */ 'h' '\'' &'i j "k \" l" r#"m "n" o"# br"p" q.r(0..2) b's' "##;
    let words: Vec<&str> = tokens(text).iter().map(|token| token.text).collect();
    assert_eq!(
        words.join(" "),
        r##"use a :: { b , c } ; & j "k \" l" r#"m "n" o"# br"p" q . r ( 0 . . 2 ) b"##
    );
    assert_eq!(tokens(text).last().unwrap().line, 2);
}
