//! What the documentation says about a code of a query's error or warning.

use language::{Code, Severity};

/// The chapter, from which this is taken.
const CHAPTER: &str = include_str!("../../docs/language/errors.md");

/// A code at length: what it means, and how it is put right.
///
/// ```
/// let explanation = cqldex::explain_error("Q205").expect("a code");
/// assert!(explanation.text.contains("`==` compares"));
/// assert_eq!(explanation.wrong.as_deref(), Some("true & A"));
/// assert_eq!(explanation.right.as_deref(), Some("true and A"));
/// assert!(cqldex::explain_error("Q999").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ErrorExplanation {
    /// The code, such as `Q205`.
    pub code: &'static str,
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// A few words.
    pub title: String,
    /// Some sentences in Markdown, as one paragraph.
    pub text: String,
    /// A query that raises it; two codes have none.
    pub wrong: Option<String>,
    /// Under which condition it does, such as `when written 300 times`.
    pub condition: Option<String>,
    /// The same query without the mistake.
    pub right: Option<String>,
}

/// Explains a code of an error or a warning, in capital or small letters; `None` if there is no such code.
pub fn explain_error(code: &str) -> Option<ErrorExplanation> {
    let code = Code::ALL.iter().find(|known| known.text().eq_ignore_ascii_case(code))?;
    let heading = format!("\n### {}\n", code.text());
    let (_, section) = CHAPTER.split_once(&heading)?;
    let section = section.split_once("\n##").map_or(section, |(section, _)| section);
    let mut parts = section.split("```");
    let paragraph = parts.next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let (title, text) = paragraph.strip_prefix("**")?.split_once(".** ")?;
    // Between two fences stand the name of the dialect, the query, and what is said about it.
    let mut examples = parts.step_by(2).filter_map(|block| {
        let (_, body) = block.split_once('\n')?;
        let (query, said) = body.trim_end().rsplit_once("\n; ")?;
        let condition = said
            .split_once(": ")?
            .1
            .split_once(' ')
            .map(|(_, condition)| condition.to_owned());
        Some((query.to_owned(), condition))
    });
    let (wrong, condition) = examples.next().unzip();
    Some(ErrorExplanation {
        code: code.text(),
        severity: code.severity(),
        title: title.to_owned(),
        text: text.to_owned(),
        wrong,
        condition: condition.flatten(),
        right: examples.next().map(|(query, _)| query),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained() {
        for code in Code::ALL {
            let found = explain_error(code.text()).unwrap_or_else(|| panic!("{} has no text", code.text()));
            assert!(!found.title.is_empty() && found.text.ends_with('.'), "{found:?}");
            let has_example = !matches!(code, Code::InvalidUtf8 | Code::Stopped);
            assert_eq!(
                (found.wrong.is_some(), found.right.is_some()),
                (has_example, has_example)
            );
        }
    }
}
