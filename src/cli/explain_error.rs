//! `cqldex explain-error`: what a code of an error means.

use std::io::{self, Write};

use cqldex::{Code, ErrorExplanation, Severity};

use crate::exit::{Done, Failure};

/// Arguments of `cqldex explain-error`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex explain-error Q205
  cqldex explain-error")]
pub(super) struct Args {
    /// A code such as Q205; without one, all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

/// How long lines of text are.
const WIDTH: usize = 80;

/// Prints the explanation of a code, or a line for each code.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let mut out = io::stdout().lock();
    let Some(code) = &args.code else {
        for code in Code::ALL {
            writeln!(out, "{}  {}", code.text(), code.explanation())?;
        }
        return Ok(Done::Success);
    };
    let Some(explanation) = cqldex::explain_error(code) else {
        let message = format!("there is no code `{code}`; `cqldex explain-error` lists all");
        return Err(Failure::message(message));
    };
    write!(out, "{}", written(&explanation))?;
    Ok(Done::Success)
}

/// The explanation as plain text.
fn written(explanation: &ErrorExplanation) -> String {
    let kind = match explanation.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut text = format!("{kind}[{}]: {}\n\n", explanation.code, plain(&explanation.title));
    text += &wrapped(&plain(&explanation.text));
    let wrong = match &explanation.condition {
        Some(condition) => format!("Wrong, {condition}"),
        None => "Wrong".to_owned(),
    };
    for (name, query) in [(wrong.as_str(), &explanation.wrong), ("Right", &explanation.right)] {
        if let Some(query) = query {
            text += &format!("\n{name}:\n\n");
            query.lines().for_each(|line| text += &format!("    {line}\n"));
        }
    }
    text
}

/// Without the links of Markdown: `[text](target)` is its text. Code keeps its marks.
fn plain(markdown: &str) -> String {
    let (mut plain, mut rest) = (String::new(), markdown);
    while let Some((before, after)) = rest.split_once("](") {
        let Some(((before, text), (_, behind))) = before.rsplit_once('[').zip(after.split_once(')')) else {
            break;
        };
        plain += before;
        plain += text;
        rest = behind;
    }
    plain + rest
}

/// The text in lines.
fn wrapped(text: &str) -> String {
    let (mut lines, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        let width = word.chars().count();
        if length > 0 && length + 1 + width > WIDTH {
            lines.push('\n');
            length = 0;
        } else if length > 0 {
            lines.push(' ');
            length += 1;
        }
        lines += word;
        length += width;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_their_texts() {
        assert_eq!(plain("no [set](../sets.md) of [two](x) `a[b]`"), "no set of two `a[b]`");
        assert_eq!(plain("`x[1]` (y)"), "`x[1]` (y)");
    }

    #[test]
    fn lines_are_short() {
        let text = wrapped(&"word ".repeat(50));
        assert!(
            text.lines().all(|line| line.len() <= WIDTH) && text.lines().count() == 4,
            "{text}"
        );
    }
}
