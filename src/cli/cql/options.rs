//! The options of CQL 6.2: one table, used to read the command line and to print the help (docs/cql.md#options).

use std::ffi::OsStr;
use std::fmt::Write;

use cqldex::{Before, CommentLevel, NumberRange, Transform};

use super::settings::{Settings, Task, TextTask, add_filters, quotable};
use super::words::Words;

/// An option.
pub(super) struct CqlOption {
    /// Its names without the minus sign, in lower case; case does not matter.
    pub(super) names: &'static [&'static str],
    /// What follows it, as the help shows it.
    operands: &'static str,
    help: &'static str,
    pub(super) effect: Effect,
}

/// The operands of an option and what they do. A function returns an error for a wrong operand.
pub(super) enum Effect {
    /// None.
    Flag(fn(&mut Settings) -> Result<(), String>),
    /// The name of a file.
    File(fn(&mut Settings, &OsStr) -> Result<(), String>),
    /// A word.
    Word(fn(&mut Settings, &str) -> Result<(), String>),
    /// A name and a value.
    Pair(fn(&mut Settings, &str, &str) -> Result<(), String>),
    /// A number that is not below the first, nor above the second.
    Number([i32; 2], fn(&mut Settings, i32)),
    /// A number that is not below this, or two that make a range.
    Range(i32, fn(&mut Settings, NumberRange)),
    /// A transform of this kind around everything.
    Wrap(Transform),
    /// As many words as belong to it.
    Words(fn(&mut Settings, &mut Words) -> Result<(), String>),
    /// Everything that follows, and nothing may stand before.
    Text(TextTask),
    /// None; it changes nothing here.
    Nothing,
    /// Not supported, with the reason.
    Refused(&'static str),
}

use Effect::{File, Flag, Nothing, Number, Pair, Range, Refused, Text, Wrap};

const fn option(
    names: &'static [&'static str],
    operands: &'static str,
    help: &'static str,
    effect: Effect,
) -> CqlOption {
    CqlOption {
        names,
        operands,
        help,
        effect,
    }
}

/// The options, by topic.
#[rustfmt::skip]
const GROUPS: &[(&str, &[CqlOption])] = &[
    ("Files", &[
        option(&["i", "input"], "F.pgn", "the games; else `input` of the header names them", File(set_input)),
        option(&["o", "output"], "F.pgn", "where matching games go; else `output` of the header, or STEM-out.pgn", File(set_output)),
        option(&["files"], "FOLDER", "the folder below which the query may read and write files (not in CQL)",
            File(|settings, folder| { settings.files = Some(folder.into()); Ok(()) })),
        option(&["vi"], "", "the games are in hhdbvi.pgn", Flag(|settings| set_input(settings, OsStr::new("hhdbvi.pgn")))),
        option(&["vii"], "", "the games are in hhdbvii.pgn", Flag(|settings| set_input(settings, OsStr::new("hhdbvii.pgn")))),
    ]),
    ("Which games", &[
        option(&["g", "gamenumber"], "N [M]", "game N, or games N to M", Range(1, |settings, range| settings.games = Some(range))),
        option(&["player"], "RE", "the name of a player matches the regular expression", Effect::Word(set_player)),
        option(&["year"], "N [M]", "the game is of the year N, or of N to M", Range(1, |settings, range| settings.years = Some(range))),
        option(&["matchcount"], "N [M]", "N positions of the game match, or N to M", Range(0, |settings, range| settings.match_count = Some(range))),
    ]),
    ("Filters before those of the file, in this order", &[
        option(&["cql"], "FILTERS", "any filters", Effect::Word(add_filters)),
        option(&["assign"], "NAME VALUE", "a variable: a number or a string", Pair(add_assignment)),
        option(&["result"], "R", "the result is 1-0, 0-1 or 1/2-1/2", Effect::Word(add_result)),
        option(&["fen"], "FEN", "the board", Effect::Word(|settings, text| add_text(settings, "fen", text))),
        option(&["event"], "TEXT", "part of the event", Effect::Word(|settings, text| add_text(settings, "event", text))),
        option(&["site"], "TEXT", "part of the site", Effect::Word(|settings, text| add_text(settings, "site", text))),
        option(&["white"], "RE", "the name of White matches the regular expression", Effect::Word(|settings, text| add_text(settings, "player white ~~", text))),
        option(&["black"], "RE", "the name of Black matches the regular expression", Effect::Word(|settings, text| add_text(settings, "player black ~~", text))),
        option(&["wtm"], "", "White is to move", Flag(|settings| add_filters(settings, "wtm"))),
        option(&["btm"], "", "Black is to move", Flag(|settings| add_filters(settings, "btm"))),
        option(&["hhdb"], "WORDS", "a filter on the HHdb; `-hhdb help` lists its words", Effect::Words(Words::hhdb)),
        option(&["similarposition"], "[nosort] [notransform] F.pgn", "positions like those of a file", Effect::Words(Words::similar_position)),
    ]),
    ("Variations", &[
        option(&["variations"], "", "search them, whatever the header says", Flag(|settings| { settings.variations = Some(true); Ok(()) })),
        option(&["mainline"], "", "do not search them, whatever the header says", Flag(|settings| { settings.variations = Some(false); Ok(()) })),
        option(&["virtualmainline"], "", "search them, and add the filter `virtualmainline`",
            Flag(|settings| { settings.variations = Some(true); add_filters(settings, "virtualmainline") })),
        option(&["nolinearize"], "", "`move` inside `line` may be another move than the line takes",
            Flag(|settings| { settings.rules.unbound_moves = true; Ok(()) })),
    ]),
    ("Transforms around all filters, the first one outermost", &[
        option(&["flip"], "", "all symmetries of the board", Wrap(Transform::Flip)),
        option(&["fliphorizontal"], "", "ranks reversed", Wrap(Transform::FlipHorizontal)),
        option(&["flipvertical"], "", "files reversed", Wrap(Transform::FlipVertical)),
        option(&["rotate90"], "", "by right angles", Wrap(Transform::Rotate90)),
        option(&["rotate45"], "", "directions by half right angles", Wrap(Transform::Rotate45)),
        option(&["shift"], "", "to all places", Wrap(Transform::Shift)),
        option(&["shifthorizontal"], "", "to all files", Wrap(Transform::ShiftHorizontal)),
        option(&["shiftvertical"], "", "to all ranks", Wrap(Transform::ShiftVertical)),
        option(&["flipcolor"], "", "also with colors reversed", Wrap(Transform::FlipColor)),
        option(&["reversecolor"], "", "only with colors reversed", Wrap(Transform::ReverseColor)),
    ]),
    ("What is written into the games", &[
        option(&["quiet"], "", "only what the query says in so many words", Flag(|settings| set_comments(settings, CommentLevel::Quiet))),
        option(&["silent"], "", "no comments", Flag(|settings| set_comments(settings, CommentLevel::Silent))),
        option(&["matchstring"], "TEXT", "what is noted at matching positions, instead of CQL",
            Effect::Word(|settings, text| { settings.match_string = Some(text.to_owned()); Ok(()) })),
        option(&["noheader"], "", "games do not say their number", Flag(|settings| { settings.no_game_numbers = true; Ok(()) })),
        option(&["nosettag"], "", "`settag` has no effect", Flag(|settings| { settings.no_set_tags = true; Ok(()) })),
        option(&["noremovecomment"], "", "`removecomment` has no effect", Flag(|settings| { settings.no_remove_comments = true; Ok(()) })),
        option(&["alwayscomment"], "", "comments stay even if the filters around them fail",
            Flag(|settings| { settings.rules.keep_all_comments = true; Ok(()) })),
        option(&["nosortcomments"], "", "comments in `sort` are like all others", Flag(|settings| { settings.rules.plain_sort_comments = true; Ok(()) })),
        option(&["uniquecomments"], "", "the same comment is added to a position once (this is so anyway)",
            Flag(|settings| { settings.repeat_comments = false; Ok(()) })),
        option(&["nouniquecomments"], "", "the same comment is added as often as it comes", Flag(|settings| { settings.repeat_comments = true; Ok(()) })),
        option(&["outputbuffer"], "N", "how many bytes a game may take before it is cut: 105000 unless told otherwise",
            Number([100_000, 100_000_000], |settings, bytes| settings.output_buffer = usize::try_from(bytes).ok())),
    ]),
    ("How it runs", &[
        option(&["threads"], "N", "how many threads work", Number([1, 4096], |settings, threads| settings.threads = usize::try_from(threads).ok())),
        option(&["s", "singlethreaded"], "", "one thread works", Flag(|settings| { settings.threads = Some(1); Ok(()) })),
        option(&["m", "multithreaded"], "", "as many as the machine can run (this is so anyway)", Flag(|settings| { settings.threads = None; Ok(()) })),
        option(&["showmatches"], "", "print the number of every matching game", Flag(|settings| { settings.show_matches = true; Ok(()) })),
        option(&["lineincrement"], "N", "no effect: there is no progress through the file to show", Number([1, i32::MAX], |_, _| ())),
        option(&["showoutput", "showthread", "nooutputstatus"], "", "no effect, for the same reason", Nothing),
        option(&["gui"], "", "what is printed can be read by a program, between tags", Flag(|settings| { settings.gui = true; Ok(()) })),
        option(&["guipgnstdin"], "", "the games come from standard input", Flag(|settings| { settings.pgn_stdin = true; Ok(()) })),
        option(&["guipgnstdout"], "", "the games go to standard output, between tags", Flag(|settings| { settings.pgn_stdout = true; Ok(()) })),
        option(&["d"], "", "", Refused("it prints the insides of the program `cql`; `cqldex explain` shows those of cqldex")),
    ]),
    ("Instead of a search", &[
        option(&["parse"], "", "print the tokens and the filters of the query", Flag(|settings| { settings.task = Task::Parse; Ok(()) })),
        option(&["lex"], "", "print the tokens of the query", Flag(|settings| { settings.task = Task::Lex; Ok(()) })),
        option(&["a"], "F.cql", "rewrite the file in ASCII (the only option)", Text(TextTask::Ascii)),
        option(&["u"], "F.cql", "rewrite the file with symbols (the only option)", Text(TextTask::Unicode)),
        option(&["utf8"], "F.cql [-o G.cql]", "print the file, or write it to another one, with symbols (the only option)", Text(TextTask::Utf8)),
        option(&["html"], "F.cql", "write the file as a page in colors, F-cql.html (the only option)", Text(TextTask::Html)),
        option(&["colorize"], "", "turn standard input into HTML in colors (the only option)", Text(TextTask::Colorize)),
        option(&["echo"], "F.cql", "print every character with its code (the only option)", Text(TextTask::Echo)),
        option(&["h", "help"], "", "print this", Flag(|settings| { settings.task = Task::Help; Ok(()) })),
        option(&["v", "version"], "", "print the version", Flag(|settings| { settings.task = Task::Version; Ok(()) })),
    ]),
];

/// The option of this name.
pub(super) fn named(name: &str) -> Option<&'static CqlOption> {
    let name = name.to_ascii_lowercase();
    let mut options = GROUPS.iter().flat_map(|(_, options)| *options);
    options.find(|option| option.names.contains(&name.as_str()))
}

/// The names of all options.
#[cfg(test)]
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let options = GROUPS.iter().flat_map(|(_, options)| *options);
    options.flat_map(|option| option.names).copied()
}

/// The help.
pub(super) fn help() -> String {
    let mut text = String::from(
        "\
Answer a query on a PGN file as the program `cql` 6.2 does.

Usage: cqldex cql [OPTIONS] FILE[.cql]
       cqldex cql -i GAMES.pgn [OPTIONS]

Examples:
  cqldex cql -i games.pgn -o found.pgn query.cql
  cqldex cql -i games.pgn -matchcount 2 100 query.cql

The games are indexed once, in a folder GAMES.pgn.cqldex beside the file or else in the
user's cache folder; the index is used again, and renewed when the file has changed.
Matching games go to FILE-out.pgn unless told otherwise. Options may be written with one
or two minus signs, in upper or lower case, and stand before the file. Exit code: 0, or 1
after an error.
",
    );
    for (title, options) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(text, "\n{title}:");
        for option in *options {
            let names: Vec<String> = option.names.iter().map(|name| format!("-{name}")).collect();
            let left = format!("{} {}", names.join(", "), option.operands);
            let left = left.trim_end();
            let right = match option.effect {
                Refused(reason) => format!("refused: {reason}"),
                _ => option.help.to_owned(),
            };
            let _ = match left.len() {
                ..=24 => writeln!(text, "  {left:<24}  {right}"),
                _ => writeln!(text, "  {left}\n  {:24}  {right}", ""),
            };
        }
    }
    text
}

fn set_input(settings: &mut Settings, file: &OsStr) -> Result<(), String> {
    let name = file.to_string_lossy().to_ascii_lowercase();
    if ![".pgn", ".pgn.zst", ".pgn.gz", ".pgn.bz2"]
        .iter()
        .any(|ending| name.ends_with(ending))
    {
        return Err("the name of a file with games has to end in .pgn (or .pgn.zst, .pgn.gz, .pgn.bz2)".to_owned());
    }
    set_once(&mut settings.input, file, "the games can be in one file only")
}

fn set_output(settings: &mut Settings, file: &OsStr) -> Result<(), String> {
    if !file.to_string_lossy().to_ascii_lowercase().ends_with(".pgn") {
        return Err("the name of the file for games has to end in .pgn".to_owned());
    }
    set_once(&mut settings.output, file, "the games can go to one file only")
}

fn set_once<T>(slot: &mut Option<T>, value: impl Into<T>, message: &str) -> Result<(), String> {
    match slot.replace(value.into()) {
        None => Ok(()),
        Some(_) => Err(message.to_owned()),
    }
}

fn set_player(settings: &mut Settings, regex: &str) -> Result<(), String> {
    quotable(regex)?;
    set_once(
        &mut settings.player,
        regex,
        "it can be given once only; write `A|B` for two names",
    )
}

fn add_result(settings: &mut Settings, result: &str) -> Result<(), String> {
    match result {
        "1-0" | "0-1" | "1/2-1/2" => add_filters(settings, &format!("result {result}")),
        _ => Err(format!("a result is 1-0, 0-1 or 1/2-1/2, not `{result}`")),
    }
}

fn set_comments(settings: &mut Settings, level: CommentLevel) -> Result<(), String> {
    set_once(
        &mut settings.comments,
        level,
        "-quiet and -silent can be given once, and not both",
    )
}

fn add_text(settings: &mut Settings, filter: &str, text: &str) -> Result<(), String> {
    quotable(text)?;
    add_filters(settings, &format!("{filter} \"{text}\""))
}

fn add_assignment(settings: &mut Settings, name: &str, value: &str) -> Result<(), String> {
    let assignment = Before::Assignment(name.to_owned(), value.to_owned());
    settings.before.push(assignment);
    Ok(())
}
