//! Queries that stand among the words of documents: reference, tutorials, articles.

use std::collections::HashSet;
use std::path::Path;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::compile;

/// The queries of a Markdown file: its blocks of code, the lines of these, and code inside of text, as far as it is a query;
/// each once, with the number of the line where it stands. Behind ` ; ` stands what `docs/language` says of a query. Queries
/// that write files are left out.
pub(crate) fn queries(path: &Path) -> std::io::Result<Vec<(usize, String)>> {
    let text = std::fs::read_to_string(path)?;
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut take = |at: usize, code: &str| {
        let code = code.split(" ; ").next().unwrap_or_default().trim();
        let is_new = code.len() > 1 && !code.contains("writefile") && seen.insert(code.to_owned());
        if is_new && compile(code).is_ok() {
            found.push((1 + text[..at].matches('\n').count(), code.to_owned()));
        }
    };
    let mut block: Option<(usize, String)> = None;
    for (event, range) in Parser::new(&text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => block = Some((range.start, String::new())),
            Event::Text(part) => {
                if let Some((_, code)) = &mut block {
                    code.push_str(&part);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((at, code)) = block.take() {
                    take(at, &code);
                    code.lines().for_each(|line| take(at, line));
                }
            }
            Event::Code(code) => take(range.start, &code),
            _ => {}
        }
    }
    Ok(found)
}
