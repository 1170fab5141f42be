//! What a command line of `cql` asks for.

use std::ffi::OsString;
use std::path::PathBuf;

use cqldex::{Before, CommentLevel, NumberRange, Rules, Transform};

/// All that options can set.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The file with the query; without one every position is asked for.
    pub(super) query: Option<PathBuf>,
    /// What is done.
    pub(super) task: Task,
    /// The file with the games, instead of that of the header.
    pub(super) input: Option<PathBuf>,
    /// The file for the games that match, instead of that of the header.
    pub(super) output: Option<PathBuf>,
    /// The folder below which the query may read and write files.
    pub(super) files: Option<PathBuf>,
    /// Which games are read, instead of those of the header.
    pub(super) games: Option<NumberRange>,
    /// How many positions have to match, instead of the range of the header.
    pub(super) match_count: Option<NumberRange>,
    /// Whether variations are searched, whatever the header says.
    pub(super) variations: Option<bool>,
    /// What is put before the filters of the file.
    pub(super) before: Vec<Before>,
    /// Regular expression for one of the players.
    pub(super) player: Option<String>,
    /// Years of the game.
    pub(super) years: Option<NumberRange>,
    /// Transforms around everything, the first one outermost.
    pub(super) transforms: Vec<Transform>,
    /// What is noted at matching positions.
    pub(super) match_string: Option<String>,
    /// How much is written into the games, instead of what the header says.
    pub(super) comments: Option<CommentLevel>,
    /// Games do not say their number.
    pub(super) no_game_numbers: bool,
    /// Repeated comments stay.
    pub(super) repeat_comments: bool,
    /// `settag` has no effect.
    pub(super) no_set_tags: bool,
    /// `removecomment` has no effect.
    pub(super) no_remove_comments: bool,
    /// The largest size of a game in bytes, unless it is the default.
    pub(super) output_buffer: Option<usize>,
    /// What is changed in the language.
    pub(super) rules: Rules,
    /// How many threads work; `None` for as many as the machine can run.
    pub(super) threads: Option<usize>,
    /// The numbers of matching games are printed.
    pub(super) show_matches: bool,
    /// What is printed is for a program that shows it to people.
    pub(super) gui: bool,
    /// The games come from standard input.
    pub(super) pgn_stdin: bool,
    /// The games go to standard output.
    pub(super) pgn_stdout: bool,
}

/// The task of a command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Task {
    /// Search the games.
    #[default]
    Search,
    /// Print the tokens of the query.
    Lex,
    /// Print the tokens and the typed tree of the query.
    Parse,
    /// Print which options there are.
    Help,
    /// Print which words can stand behind `-hhdb`.
    HhdbHelp,
    /// Print the version.
    Version,
    /// Work on the text of a query.
    Text(TextTask, Vec<OsString>),
}

/// What is done with the text of a query; the file stands behind the option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextTask {
    /// `-a`: written in ASCII, in place.
    Ascii,
    /// `-u`: written with symbols, in place.
    Unicode,
    /// `-utf8`: written with symbols, to another file or standard output.
    Utf8,
    /// `-html`: a page in a file of its own.
    Html,
    /// `-colorize`: standard input as part of a page.
    Colorize,
    /// `-echo`: every character with its code.
    Echo,
}

/// Puts filters before those of the query.
pub(super) fn add_filters(settings: &mut Settings, filters: &str) -> Result<(), String> {
    if filters.trim().is_empty() {
        return Err("there is no filter".to_owned());
    }
    settings.before.push(Before::Filter(filters.to_owned()));
    Ok(())
}

/// Strings of the language can't contain every character.
pub(super) fn quotable(text: &str) -> Result<(), String> {
    match text.contains(['"', '\n', '\r']) {
        true => Err("quotation marks and line ends cannot be part of a string".to_owned()),
        false => Ok(()),
    }
}
