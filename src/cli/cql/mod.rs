//! `cqldex cql`: the command line of CQL 6.2, answered from an index that is made along the way.

mod cache;
mod command_line;
mod console;
mod html;
mod options;
mod place;
mod search;
mod settings;
mod text_task;
mod tokens;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};

use crate::exit::{Done, Failure};
use settings::Task;

/// The exit code of CQL after an error.
pub(super) const FAILED: u8 = 1;

/// Arguments of `cqldex cql`: those of CQL 6.2, which are read by a parser of their own, because one minus sign begins
/// a long name there, and it depends on a word itself whether it belongs to an option.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true, override_usage = "cqldex cql [OPTIONS] FILE[.cql]", after_help = options::help())]
pub(super) struct Args {
    /// CQL's options, and the file with the query
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<OsString>,
}

/// Runs a command line of CQL.
pub(super) fn run(args: Args) -> Result<Done, Failure> {
    let settings = command_line::read(args.words)?;
    let mut out = io::stdout().lock();
    match &settings.task {
        Task::Search => {
            drop(out);
            return search::run(&settings);
        }
        Task::Lex | Task::Parse => out.write_all(tokens::listing(&settings)?.as_bytes())?,
        Task::Help => out.write_all(options::help().as_bytes())?,
        Task::HhdbHelp => {
            for (word, _) in cqldex::hhdb_keywords() {
                writeln!(out, "{word}")?;
            }
        }
        Task::Version => writeln!(out, "{}", console::VERSION)?,
        Task::Text(task, operands) => {
            drop(out);
            text_task::run(*task, operands)?;
        }
    }
    Ok(Done::Success)
}

#[cfg(test)]
mod tests {
    use super::settings::{Settings, TextTask};
    use super::*;
    use cqldex::Before;

    fn read(words: &str) -> Result<Settings, Failure> {
        command_line::read(words.split_whitespace().map(OsString::from).collect())
    }

    fn message(words: &str) -> String {
        match read(words) {
            Err(Failure::Message(message)) => message,
            other => panic!("{words}: {other:?}"),
        }
    }

    #[test]
    fn options_have_one_or_two_minus_signs_and_any_case() {
        let settings = read("-I g.pgn --OUTPUT o.pgn -Variations -g 2 7 -matchCount 3 -flip --flipcolor q").unwrap();
        assert_eq!(settings.input, Some("g.pgn".into()));
        assert_eq!(settings.output, Some("o.pgn".into()));
        assert_eq!(settings.variations, Some(true));
        assert_eq!(settings.games.map(|range| (range.min, range.max)), Some((2, 7)));
        assert_eq!(settings.match_count.map(|range| (range.min, range.max)), Some((3, 3)));
        assert_eq!(settings.transforms.len(), 2);
        assert_eq!(settings.query, Some("q".into()));
    }

    #[test]
    fn filters_stay_in_order() {
        let settings =
            read("-wtm -assign X -5 -white Tal -hhdb U1 -hhdb gbr material -cql check -event a q.cql").unwrap();
        let filter = |text: &str| Before::Filter(text.to_owned());
        assert_eq!(
            settings.before,
            [
                filter("wtm"),
                Before::Assignment("X".to_owned(), "-5".to_owned()),
                filter("player white ~~ \"Tal\""),
                filter("hhdb U1"),
                filter("hhdb gbr \"material\""),
                filter("check"),
                filter("event \"a\""),
            ]
        );
    }

    #[test]
    fn words_that_look_at_what_follows() {
        let settings = read("-hhdb (c) -hhdb special max prize -similarposition nosort s.pgn q.cql").unwrap();
        let filters: Vec<&Before> = settings.before.iter().collect();
        assert!(matches!(filters[0], Before::Filter(text) if text == "hhdb \"(c)\""));
        assert!(matches!(filters[1], Before::Filter(text) if text == "hhdb special max prize"));
        assert!(matches!(filters[2], Before::Filter(text) if text == "similarposition nosort \"s.pgn\""));
        assert_eq!(settings.query, Some("q.cql".into()));
        assert_eq!(read("-g 5 q").unwrap().query, Some("q".into()));
        assert_eq!(read("-hhdb U1 help x y").unwrap().task, Task::HhdbHelp);
    }

    #[test]
    fn mistakes_say_what_is_wrong() {
        for (words, part) in [
            ("-bogus q", "no option `-bogus`"),
            ("q -i g.pgn", "`q`: the file with the query has to be the last argument"),
            ("-g 0 q", "`-g`: it needs a number that is not below 1"),
            ("-g -1 q", "not below 1"),
            ("-g 2 1 q", "nothing from 2 to 1"),
            ("-g 1 2 3 q", "`3`: the file"),
            ("-i g.txt q", "has to end in .pgn"),
            ("-i g.pgn -i h.pgn q", "one file only"),
            ("-o out q", "has to end in .pgn"),
            ("-quiet -silent q", "not both"),
            ("-result * q", "not `*`"),
            ("-player a -player b q", "once only"),
            ("-threads 0 q", "a number from 1 to"),
            ("-outputbuffer 5 q", "from 100000 to"),
            ("-hhdb nothing q", "no keyword"),
            ("-hhdb composer", "something has to follow"),
            ("-similarposition q", "ends in .pgn"),
            ("-event a\"b q", "quotation marks"),
            ("-d q", "`cqldex explain`"),
            ("-cql", "something has to follow"),
            ("-g 1 -a q.cql", "first and only"),
        ] {
            assert!(message(words).contains(part), "{words}: {}", message(words));
        }
    }

    #[test]
    fn the_text_of_a_query_can_be_worked_on() {
        let settings = read("-u q.cql").unwrap();
        assert_eq!(settings.task, Task::Text(TextTask::Unicode, vec!["q.cql".into()]));
        assert_eq!(read("").unwrap().task, Task::Help);
        assert_eq!(read("-i g.pgn").unwrap().query, None);
    }

    #[test]
    fn the_help_has_every_option() {
        let help = options::help();
        for name in [
            "-i, -input F.pgn",
            "-similarposition",
            "-nolinearize",
            "-guipgnstdout",
            "refused: it prints",
        ] {
            assert!(help.contains(name), "{name}");
        }
        assert!(help.lines().all(|line| line.len() <= 120), "{help}");
    }

    #[test]
    fn the_documentation_has_every_option() {
        let page = include_str!("../../../docs/cql.md");
        for name in options::names() {
            assert!(page.contains(&format!("`-{name}")), "{name}");
        }
    }
}
