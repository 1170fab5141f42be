//! Regular expressions: the dialect is that of ECMAScript as C++ has it, so POSIX classes are known and look-behind is
//! not (docs/language/text.md#regular-expressions).

use std::sync::Arc;

use crate::hir::Regex;

/// The POSIX classes, as members of a bracket expression.
const CLASSES: &[(&str, &str)] = &[
    ("[:alpha:]", "a-zA-Z"),
    ("[:digit:]", "0-9"),
    ("[:d:]", "0-9"),
    ("[:alnum:]", "a-zA-Z0-9"),
    ("[:w:]", "a-zA-Z0-9_"),
    ("[:upper:]", "A-Z"),
    ("[:lower:]", "a-z"),
    ("[:space:]", " \\t\\n\\v\\f\\r"),
    ("[:s:]", " \\t\\n\\v\\f\\r"),
    ("[:blank:]", " \\t"),
    ("[:punct:]", "!-\\/:-@\\[-`{-~"),
    ("[:xdigit:]", "0-9a-fA-F"),
    ("[:cntrl:]", "\\x00-\\x1f\\x7f"),
    ("[:print:]", " -~"),
    ("[:graph:]", "!-~"),
];

/// Compiles an expression, or says what is wrong with it.
pub(super) fn compile(source: &str) -> Result<Regex, String> {
    /// The longest expression that is compiled; longer ones could exhaust the compiler's stack.
    const LONGEST: usize = 10_000;
    if source.len() > LONGEST {
        return Err(format!("it is longer than {LONGEST} bytes"));
    }
    let translated = translate(source)?;
    let program = regress::Regex::new(&translated).map_err(|error| error.to_string())?;
    Ok(Regex {
        source: source.to_owned(),
        program: Arc::new(program),
    })
}

/// Writes POSIX classes out, and rejects what the old program rejects but ECMAScript allows.
fn translate(source: &str) -> Result<String, String> {
    let mut output = String::with_capacity(source.len());
    let mut rest = source;
    let mut in_brackets = false;
    let mut depth = 0usize;
    while let Some(next) = rest.chars().next() {
        let mut length = next.len_utf8();
        match next {
            '\\' => length += rest[1..].chars().next().map_or(0, char::len_utf8),
            '[' if in_brackets => {
                if let Some((name, members)) = CLASSES.iter().find(|(name, _)| rest.starts_with(name)) {
                    output.push_str(members);
                    rest = &rest[name.len()..];
                    continue;
                }
                if rest.starts_with("[:") {
                    return Err("unknown character class".to_owned());
                }
            }
            '[' => in_brackets = true,
            ']' => in_brackets = false,
            '(' if !in_brackets => {
                depth += 1;
                if depth > 100 {
                    return Err("groups are nested too deeply".to_owned());
                }
                if rest.starts_with("(?<") {
                    return Err("there is no look-behind".to_owned());
                }
            }
            ')' if !in_brackets => depth = depth.saturating_sub(1),
            '{' if !in_brackets => check_repetition(rest)?,
            _ => {}
        }
        output.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    Ok(output)
}

/// A brace outside brackets has to begin a repetition of sensible size.
fn check_repetition(rest: &str) -> Result<(), String> {
    let inner = rest[1..]
        .split_once('}')
        .map(|(inner, _)| inner)
        .ok_or("unmatched `{`")?;
    let (min, max) = inner.split_once(',').unwrap_or((inner, inner));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(min) || !max.is_empty() && !is_number(max) {
        return Err("`{` begins no repetition".to_owned());
    }
    if min.len().max(max.len()) > 4 {
        return Err("a repetition of more than 9999".to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn posix_classes_are_written_out() {
        assert_eq!(translate("[[:alpha:]_]x[:]").unwrap(), "[a-zA-Z_]x[:]");
        assert!(compile("[[:alpha:]]").unwrap().program.find("1a").is_some());
    }

    #[test]
    fn malformed_expressions_are_rejected() {
        for source in ["(", "a{2", "(?<=a)b", "[[:nonsense:]]", "a**", "["] {
            assert!(compile(source).is_err(), "{source}");
        }
        for source in ["", "\\n", "U[12]", "^([^.]+)\\.", "a{2,3}", "(?=a)", "\\{"] {
            assert!(compile(source).is_ok(), "{source}");
        }
    }
}
