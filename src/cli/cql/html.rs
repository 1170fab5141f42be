//! A query as HTML in colors: `-html` and `-colorize`.

use cqldex::{TokenClass, tokens};

use super::super::text::rendered;
use crate::exit::Failure;

/// The classes that CQL gives the parts of a query, and a color for each.
const STYLE: &str = "\
body { background: #ffffff; color: #000000 }
.k { color: #0000a0; font-weight: bold }
.s { color: #5b3b00 }
.piecedesignator { color: #006400; font-weight: bold }
.dash { color: #a000a0; font-weight: bold }
.identifier { color: #00707f }
.c { color: #777777 }
";

/// A page with the text of a query.
pub(super) fn page(text: &str, name: &str) -> Result<String, Failure> {
    let title = escaped(name);
    Ok(format!(
        "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"UTF-8\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<pre class=\"highlight\">{}</pre>\n</body>\n</html>\n",
        colored(text, name)?
    ))
}

/// The text of a query with a `span` around every part that has a color. `name` is what messages call it.
pub(super) fn colored(text: &str, name: &str) -> Result<String, Failure> {
    let (tokens, error) = tokens(text);
    if let Some(error) = error {
        return Err(rendered(&error, name));
    }
    let mut html = String::with_capacity(text.len() * 4);
    let mut end = 0;
    for token in &tokens {
        let range = token.range.clone();
        if range.is_empty() {
            continue;
        }
        push(&mut html, Some("c"), &text[end..range.start]);
        push(&mut html, class(token.class), &text[range.clone()]);
        end = range.end;
    }
    push(&mut html, Some("c"), &text[end..]);
    Ok(html)
}

fn class(token: TokenClass) -> Option<&'static str> {
    match token {
        TokenClass::Keyword => Some("k"),
        TokenClass::Designator => Some("piecedesignator"),
        TokenClass::Dash => Some("dash"),
        TokenClass::Name => Some("identifier"),
        TokenClass::Number => None,
        _ => Some("s"),
    }
}

fn push(html: &mut String, class: Option<&str>, text: &str) {
    if text.is_empty() {
        return;
    }
    match class {
        Some(class) => *html += &format!("<span class=\"{class}\">{}</span>", escaped(text)),
        None => *html += &escaped(text),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_classes() {
        assert_eq!(
            colored("flip Kg1<=3 // a<b", "query").unwrap(),
            "<span class=\"k\">flip</span><span class=\"c\"> </span><span class=\"piecedesignator\">Kg1</span>\
             <span class=\"s\">&lt;=</span>3<span class=\"c\"> // a&lt;b</span>"
        );
        assert!(page("check", "a<b").unwrap().contains("<title>a&lt;b</title>"));
        assert!(colored("\"open", "query").is_err());
    }
}
