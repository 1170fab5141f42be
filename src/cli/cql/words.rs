//! The words of a command line of `cql`, from left to right.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::vec::IntoIter;

use language::hir::NumberRange;

use super::options::{self, Effect, add_filters, quotable};
use super::settings::{Settings, Task};
use crate::exit::Failure;

/// The keywords of `hhdb` that are followed by a text, which is not in quotation marks on a command line.
const HHDB_TEXTS: [&str; 5] = ["composer", "firstcomment", "gbr", "search", "stipulation"];

/// What is left of a command line.
#[derive(Debug)]
pub(super) struct Words(Peekable<IntoIter<OsString>>);

/// Reads a command line.
pub(super) fn read(words: Vec<OsString>) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if words.is_empty() {
        settings.task = Task::Help;
    }
    let mut words = Words(words.into_iter().peekable());
    let mut is_first = true;
    while let Some(word) = words.0.next() {
        let text = word.to_string_lossy();
        match text.strip_prefix("--").or_else(|| text.strip_prefix('-')) {
            Some(name) => {
                let Some(option) = options::named(name) else {
                    let message = format!("there is no option `{text}`; `cqldex cql -help` lists them");
                    return Err(Failure::message(message));
                };
                if let Effect::Text(task) = option.effect {
                    if !is_first {
                        return Err(Failure::message(format!(
                            "`{text}` has to be the first and only option"
                        )));
                    }
                    settings.task = Task::Text(task, words.0.collect());
                    return Ok(settings);
                }
                apply(&option.effect, &mut settings, &mut words)
                    .map_err(|reason| Failure::message(format!("`{text}`: {reason}")))?;
                if matches!(settings.task, Task::Help | Task::HhdbHelp | Task::Version) {
                    return Ok(settings);
                }
            }
            None if words.0.peek().is_none() => settings.query = Some(word.into()),
            None => {
                let message = format!("`{text}`: the file with the query has to be the last argument");
                return Err(Failure::message(message));
            }
        }
        is_first = false;
    }
    Ok(settings)
}

fn apply(effect: &Effect, settings: &mut Settings, words: &mut Words) -> Result<(), String> {
    match effect {
        Effect::Flag(set) => set(settings),
        Effect::File(set) => set(settings, &words.next()?),
        Effect::Word(set) => set(settings, &words.text()?),
        Effect::Pair(set) => set(settings, &words.text()?, &words.text()?),
        Effect::Number([least, most], set) => {
            let number = words.number().filter(|number| (*least..=*most).contains(number));
            let number = number.ok_or_else(|| format!("it needs a number from {least} to {most}"))?;
            set(settings, number);
            Ok(())
        }
        Effect::Range(least, set) => {
            let min = words.number().filter(|number| number >= least);
            let min = min.ok_or_else(|| format!("it needs a number that is not below {least}"))?;
            let max = words.number().unwrap_or(min);
            if max < min {
                return Err(format!("there is nothing from {min} to {max}"));
            }
            set(settings, NumberRange { min, max });
            Ok(())
        }
        Effect::Wrap(transform) => {
            settings.transforms.push(*transform);
            Ok(())
        }
        Effect::Words(take) => take(settings, words),
        // Taken before it comes to this.
        Effect::Text(_) | Effect::Nothing => Ok(()),
        Effect::Refused(reason) => Err((*reason).to_owned()),
    }
}

impl Words {
    fn next(&mut self) -> Result<OsString, String> {
        self.0.next().ok_or_else(|| "something has to follow it".to_owned())
    }

    fn text(&mut self) -> Result<String, String> {
        let word = self.next()?;
        word.into_string()
            .map_err(|word| format!("`{}` is not UTF-8", word.display()))
    }

    /// The next word if it is a number of decimal digits.
    fn number(&mut self) -> Option<i32> {
        let word = self.0.peek()?.to_str()?;
        let number = word
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| word.parse().ok())??;
        self.0.next();
        Some(number)
    }

    fn next_if(&mut self, wanted: impl Fn(&OsStr) -> bool) -> Option<String> {
        self.0.next_if(|word| wanted(word))?.into_string().ok()
    }

    /// `-hhdb WORDS`
    pub(super) fn hhdb(settings: &mut Settings, words: &mut Words) -> Result<(), String> {
        let mut filter = String::from("hhdb");
        let keywords = language::hhdb_keywords();
        let mut is_empty = true;
        while let Some(word) = words.next_if(|word| word == "help" || keywords.iter().any(|(known, _)| word == *known))
        {
            if word == "help" {
                settings.task = Task::HhdbHelp;
                return Ok(());
            }
            is_empty = false;
            let is_quoted = keywords.iter().any(|(known, quoted)| *quoted && *known == word);
            filter += &if is_quoted {
                format!(" \"{word}\"")
            } else {
                format!(" {word}")
            };
            if HHDB_TEXTS.contains(&word.as_str()) {
                let text = words.text()?;
                quotable(&text)?;
                filter += &format!(" \"{text}\"");
            }
        }
        if is_empty {
            return Err("no keyword of `hhdb` follows it; `-hhdb help` lists them".to_owned());
        }
        add_filters(settings, &filter)
    }

    /// `-similarposition [nosort] [notransform] F.pgn`
    pub(super) fn similar_position(settings: &mut Settings, words: &mut Words) -> Result<(), String> {
        let mut filter = String::from("similarposition");
        while let Some(word) = words.next_if(|word| word == "nosort" || word == "notransform") {
            filter += " ";
            filter += &word;
        }
        let file = words.text()?;
        if !file.to_ascii_lowercase().ends_with(".pgn") {
            return Err(format!("a file that ends in .pgn has to follow it, not `{file}`"));
        }
        quotable(&file)?;
        add_filters(settings, &format!("{filter} \"{file}\""))
    }
}
