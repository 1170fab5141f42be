//! Whether the program writes in colors: `--color`, else the configuration, else `NO_COLOR`, `CLICOLOR_FORCE` and whether it
//! writes to a terminal.

use std::ffi::OsString;
use std::io;

use anstream::AutoStream;
use anstream::stream::RawStream;
use clap::ValueEnum;
use clap::builder::styling::{AnsiColor, Style};
use serde::Deserialize;

/// When the program writes in colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Color {
    /// On terminals, unless the environment says otherwise
    Auto,
    /// In files and pipes, too
    Always,
    /// Nowhere
    Never,
}

impl Color {
    /// Has all that is written from now on follow this, also what clap writes.
    pub(crate) fn apply(self) {
        match self {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }

    /// What a command line says, before it is parsed: its mistakes are told in colors, too.
    pub(crate) fn of_words(words: impl IntoIterator<Item = OsString>) -> Option<Color> {
        const NAME: &str = "--color";
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let word = word.to_string_lossy();
            // What follows belongs to the query, or to CQL's own command line.
            if matches!(word.as_ref(), "--" | "cql") {
                return None;
            }
            let Some(value) = word.strip_prefix(NAME) else {
                continue;
            };
            let value = match value.strip_prefix('=') {
                Some(value) => value.to_owned(),
                None if value.is_empty() => words.next()?.to_string_lossy().into_owned(),
                None => continue,
            };
            return Color::from_str(&value, false).ok();
        }
        None
    }
}

/// Whether standard error takes colors.
pub(crate) fn on_stderr() -> bool {
    takes(&io::stderr())
}

/// Whether standard output takes colors.
pub(crate) fn on_stdout() -> bool {
    takes(&io::stdout())
}

fn takes(stream: &impl RawStream) -> bool {
    AutoStream::choice(stream) != anstream::ColorChoice::Never
}

/// The word before the text of an error.
pub(crate) fn error() -> String {
    painted("error:", AnsiColor::BrightRed, on_stderr())
}

/// The word before the text of a warning.
pub(crate) fn warning() -> String {
    painted("warning:", AnsiColor::Yellow, on_stderr())
}

/// A text in bold and in a color, if colors are wanted.
pub(crate) fn painted(text: &str, color: AnsiColor, is_wanted: bool) -> String {
    match is_wanted {
        true => {
            let style = Style::new().bold().fg_color(Some(color.into()));
            format!("{style}{text}{style:#}")
        }
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Option<Color> {
        Color::of_words(words.iter().map(OsString::from))
    }

    #[test]
    fn the_command_line_says_it_in_two_ways() {
        assert_eq!(of(&["cqldex", "stats", "--color", "never"]), Some(Color::Never));
        assert_eq!(of(&["cqldex", "--color=always", "stats"]), Some(Color::Always));
        assert_eq!(of(&["cqldex", "stats"]), None);
    }

    #[test]
    fn what_is_no_option_of_ours_says_nothing() {
        assert_eq!(of(&["cqldex", "query", "db", "--", "--color=never"]), None);
        assert_eq!(of(&["cqldex", "cql", "--color=never"]), None);
        assert_eq!(of(&["cqldex", "--colors=never", "--color"]), None);
        assert_eq!(of(&["cqldex", "--color=pink"]), None);
    }
}
