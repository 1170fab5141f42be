//! The words of a command line of `cql` that are left, and the options that take several of them.

use std::ffi::{OsStr, OsString};
use std::iter::Peekable;
use std::vec::IntoIter;

use super::settings::{Settings, Task, add_filters, quotable};

/// The keywords of `hhdb` that are followed by a text, which is not in quotation marks on a command line.
const HHDB_TEXTS: [&str; 5] = ["composer", "firstcomment", "gbr", "search", "stipulation"];

/// What is left of a command line.
#[derive(Debug)]
pub(super) struct Words(Peekable<IntoIter<OsString>>);

impl Words {
    /// The words of a whole command line.
    pub(super) fn new(words: Vec<OsString>) -> Words {
        Words(words.into_iter().peekable())
    }

    /// The next word, if there is one.
    pub(super) fn take(&mut self) -> Option<OsString> {
        self.0.next()
    }

    /// Whether no word is left.
    pub(super) fn is_empty(&mut self) -> bool {
        self.0.peek().is_none()
    }

    /// All words that are left.
    pub(super) fn rest(self) -> Vec<OsString> {
        self.0.collect()
    }

    /// The next word, which an option needs.
    pub(super) fn next(&mut self) -> Result<OsString, String> {
        self.0.next().ok_or_else(|| "something has to follow it".to_owned())
    }

    /// The same, as text.
    pub(super) fn text(&mut self) -> Result<String, String> {
        let word = self.next()?;
        word.into_string()
            .map_err(|word| format!("`{}` is not UTF-8", word.display()))
    }

    /// The next word if it is a number of decimal digits.
    pub(super) fn number(&mut self) -> Option<i32> {
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
        let keywords = cqldex::hhdb_keywords();
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
