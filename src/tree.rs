//! The typed filters of a query, as an indented list.

use std::fmt::{self, Write};

use language::hir::{Filter, Node};

/// How many filters are listed.
const LINES: usize = 40;

/// One line for each filter: what it is, its kind, and its text; the first [`LINES`] of them.
pub(crate) fn lines(filter: &Filter, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut count = 0;
    visit(filter, text, 0, &mut lines, &mut count);
    if count > lines.len() {
        lines.push(format!("... and {} more", count - lines.len()));
    }
    lines
}

fn visit(filter: &Filter, text: &str, depth: usize, lines: &mut Vec<String>, count: &mut usize) {
    *count += 1;
    if lines.len() < LINES {
        let name = format!("{:indent$}{}", "", name(&filter.node), indent = 2 * depth);
        lines.push(format!(
            "{name:<24} {:<9} {}",
            filter.kind.name(),
            excerpt(text, filter)
        ));
    }
    filter.for_each_child(&mut |child| visit(child, text, depth + 1, lines, count));
}

/// How many filters there are in a filter, itself counted.
pub(crate) fn size(filter: &Filter) -> u64 {
    let mut size = 1;
    filter.for_each_child(&mut |child| size += self::size(child));
    size
}

/// The text of a filter on one line, cut to what fits.
pub(crate) fn excerpt(text: &str, filter: &Filter) -> String {
    const WIDTH: usize = 56;
    let written = text.get(filter.span.range()).unwrap_or_default();
    let words = written.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() <= WIDTH {
        return words;
    }
    let start: String = words.chars().take(WIDTH - 4).collect();
    format!("{} ...", start.trim_end())
}

/// The name of a node: what its debug output begins with, in lower case words.
fn name(node: &Node) -> String {
    struct Start(String);

    impl Write for Start {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            for c in text.chars() {
                if !c.is_alphanumeric() {
                    // Whatever follows can be long.
                    return Err(fmt::Error);
                }
                if c.is_uppercase() && !self.0.is_empty() {
                    self.0.push(' ');
                }
                self.0.extend(c.to_lowercase());
            }
            Ok(())
        }
    }

    let mut start = Start(String::new());
    // An error is how it ends.
    let _ = write!(start, "{node:?}");
    start.0
}

#[cfg(test)]
mod tests {
    use language::{ParseOptions, parse};

    use super::*;

    #[test]
    fn filters_have_names_kinds_and_texts() {
        let text = "flip { Kg1  check } #R > 1";
        let query = parse(text, &ParseOptions::default()).unwrap();
        let lines = lines(&query.body, text);
        let words: Vec<Vec<&str>> = lines.iter().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(words[0][..2], ["compound", "number"]);
        assert_eq!(words[1][..5], ["transform", "logical", "flip", "{", "Kg1"]);
        assert_eq!(words[3], ["designator", "set", "Kg1"]);
        assert_eq!(size(&query.body), lines.len() as u64);
    }
}
