//! A command line of `cql`: its words from left to right, each with what it does to the settings.

use std::ffi::OsString;

use cqldex::NumberRange;

use super::options::{self, Effect};
use super::settings::{Settings, Task};
use super::words::Words;
use crate::exit::Failure;

/// Reads a command line.
pub(super) fn read(words: Vec<OsString>) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if words.is_empty() {
        settings.task = Task::Help;
    }
    let mut words = Words::new(words);
    let mut is_first = true;
    while let Some(word) = words.take() {
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
                    settings.task = Task::Text(task, words.rest());
                    return Ok(settings);
                }
                apply(&option.effect, &mut settings, &mut words)
                    .map_err(|reason| Failure::message(format!("`{text}`: {reason}")))?;
                if matches!(settings.task, Task::Help | Task::HhdbHelp | Task::Version) {
                    return Ok(settings);
                }
            }
            None if words.is_empty() => settings.query = Some(word.into()),
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
        // Handled before this is reached.
        Effect::Text(_) | Effect::Nothing => Ok(()),
        Effect::Refused(reason) => Err((*reason).to_owned()),
    }
}
