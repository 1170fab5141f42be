//! The file of a theme: a query behind a comment with TOML.

use serde::Deserialize;

use super::{ENDING, Theme};

/// A game that shows a theme, or something near to it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ThemeGame {
    /// The position that it begins with, if it is not the usual one.
    pub fen: Option<String>,
    /// Its moves, as in PGN, with variations; the result may stand behind them.
    pub moves: String,
    /// The numbers of all positions that match, as `positionid` counts them; in the main line these are plies.
    pub at: Vec<u32>,
}

/// What the comment says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    title: String,
    about: String,
    tags: Vec<String>,
    source: String,
    link: Option<String>,
    #[serde(default)]
    matches: Vec<String>,
    #[serde(default)]
    fails: Vec<String>,
    #[serde(default)]
    games: Vec<ThemeGame>,
}

/// Reads a theme.
///
/// # Errors
///
/// What is wrong with the file.
pub(super) fn parse(path: &str, text: &str) -> Result<Theme, String> {
    let comment = text.trim_start().strip_prefix("/*");
    let Some((head, query)) = comment.and_then(|rest| rest.split_once("*/")) else {
        return Err("a theme begins with a comment, /* ... */, in which TOML says what it is about".to_owned());
    };
    let head: Head = toml::from_str(head).map_err(|error| error.to_string().trim_end().to_owned())?;
    let path = path
        .strip_suffix(ENDING)
        .and_then(|path| path.strip_suffix('.'))
        .unwrap_or(path);
    let (group, name) = path.rsplit_once('/').unwrap_or(("", path));
    Ok(Theme {
        name: name.to_owned(),
        group: group.to_owned(),
        title: head.title,
        about: head.about,
        tags: head.tags,
        source: head.source,
        link: head.link,
        query: query.trim_start().to_owned(),
        matches: head.matches,
        fails: head.fails,
        games: head.games,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "title = \"T\"\nabout = \"A.\"\ntags = []\nsource = \"S\"\n";

    #[test]
    fn the_comment_is_told_apart_from_the_query() {
        let theme = parse(
            "a/b/c.cql",
            &format!("\n/*\n{HEAD}*/\n\n// one\nmate /* two */ check\n"),
        )
        .unwrap();
        assert_eq!((theme.group.as_str(), theme.name.as_str()), ("a/b", "c"));
        assert_eq!(theme.query, "// one\nmate /* two */ check\n");
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        let wrong = |text: &str| parse("a.cql", text).unwrap_err();
        assert!(wrong("mate").starts_with("a theme begins with a comment"));
        assert!(wrong("/* title = \"T\"").starts_with("a theme begins with a comment"));
        assert!(wrong("/* title = 1 */ mate").contains("title = 1"));
        assert!(wrong("/*\ntitle = \"T\"\n*/ mate").contains("missing field `about`"));
        assert!(wrong(&format!("/*\n{HEAD}elo = 1\n*/ mate")).contains("unknown field `elo`"));
    }
}
