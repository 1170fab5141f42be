//! `POST check`: what an editor wants to know of a text.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use cqldex::{Dialect, Query, QueryOptions, SetInfo, Token, to_ascii, tokens};
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
use super::name_list::{Field, Name};
use super::places::Places;
use super::problem::{Problem, diagnostics, json_response};
use super::question::Named;
use super::request::{Db, Json, Parameters};
use super::words::WORDS;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    query: String,
    #[serde(default)]
    dialect: Named,
    at: Option<usize>,
}

/// How many completions are given, and how many of them are names in the games.
const MOST: usize = 50;
const NAMES: usize = 12;

/// `POST check`
pub(crate) async fn check(
    State(app): State<Arc<App>>,
    Parameters(Db { db }): Parameters<Db>,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    let value = app
        .short(move |app| {
            // Names are completed; a text can be checked without a database.
            let named = |what: What, typed: &str| -> Option<Vec<Value>> {
                let open = app.databases.get(db.as_deref()).ok()?;
                Some(match what {
                    What::Set => {
                        let sets = open.database.sets().list().ok()?.into_iter();
                        let begin = sets.filter(|set| set.name.starts_with(typed));
                        let item = |set: SetInfo| json!({ "label": set.name, "kind": "set", "detail": "" });
                        begin.map(item).collect()
                    }
                    What::Field(field) => {
                        let names = open.names(field).ok()?;
                        let found = names.find(typed, NAMES).into_iter();
                        let item =
                            |name: &Name| json!({ "label": name.name, "kind": "value", "detail": games(name.games) });
                        // What would end the text of a filter is not completed.
                        found
                            .filter(|name| !name.name.contains(['"', '\\']))
                            .map(item)
                            .collect()
                    }
                })
            };
            Ok(about(&request, &|what, typed| named(what, typed).unwrap_or_default()))
        })
        .await?;
    Ok(json_response(&value))
}

/// What is named between quotation marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Set,
    Field(Field),
}

/// Gives what begins with a text, or has it inside.
type Names<'a> = dyn Fn(What, &str) -> Vec<Value> + 'a;

/// "1 game", "12 games".
fn games(count: u64) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

fn about(request: &Request, names: &Names<'_>) -> Value {
    let text = &request.query;
    let places = Places::new(text);
    let dialect = Dialect::from(request.dialect).resolve(text);
    let options = QueryOptions {
        dialect,
        ..QueryOptions::default()
    };
    let checked = cqldex::check(text, &options);
    let parsed = checked.query.as_ref();
    let uses_files = parsed.is_some_and(Query::uses_files);
    let pieces = match dialect {
        Dialect::Cql1 => Vec::new(),
        _ => pieces(text),
    };
    let token = |(range, class): &(Range<usize>, &str)| {
        let range = places.range(range.clone());
        json!({ "from": range.start, "to": range.end, "class": class })
    };
    let mut value = json!({
        "ok": parsed.is_some() && !uses_files,
        "dialect": dialect.name(),
        "diagnostics": diagnostics(&checked.diagnostics, text),
        "tokens": pieces.iter().map(token).collect::<Vec<_>>(),
        "sorted": parsed.is_some_and(Query::is_sorted),
        "files": uses_files,
        "kind": parsed.map(|query| query.kind().name()),
    });
    if let Some(at) = request.at {
        let at = places.byte(at);
        value["here"] = here(text, &pieces, at, &places).unwrap_or_default();
        value["completions"] = completions(text, &pieces, at, &places, names);
    }
    value
}

/// The tokens of a text and the comments between them, with what they are to an editor.
fn pieces(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let (tokens, _) = tokens(text);
    let (mut pieces, mut end) = (Vec::new(), 0);
    for token in &tokens {
        let Range { start, end: behind } = token.range;
        comments(text, end..start.max(end), &mut pieces);
        if behind > start && start >= end {
            pieces.push((start..behind, class(token, &text[start..behind])));
        }
        end = end.max(behind);
    }
    comments(text, end..text.len(), &mut pieces);
    pieces
}

/// What stands between tokens and is no white space is a comment, or can't be read.
fn comments(text: &str, range: Range<usize>, pieces: &mut Vec<(Range<usize>, &'static str)>) {
    let Some(between) = text.get(range.clone()) else { return };
    let inner = between.trim();
    if inner.is_empty() {
        return;
    }
    let start = range.start + (between.len() - between.trim_start().len());
    let class = match inner {
        _ if inner.starts_with("//") || inner.starts_with("/*") || inner.starts_with(';') => "comment",
        _ => "other",
    };
    pieces.push((start..start + inner.len(), class));
}

fn class(token: &Token, text: &str) -> &'static str {
    match token.name.as_str() {
        "Keyword" => "keyword",
        "Identifier" => "name",
        "Number" | "Outcome" => "number",
        "String" | "InputFile" | "OutputFile" | "Group" | "GroupStart" => "string",
        "Designator" | "PieceDeclaration" => "designator",
        "Dash" => "dash",
        "LineComment" => "comment",
        _ if matches!(text, "(" | ")" | "{" | "}" | "[" | "]") => "bracket",
        "Symbol" | "Repetition" => "operator",
        _ => "other",
    }
}

/// The documentation of the word at a place.
fn here(text: &str, pieces: &[(Range<usize>, &'static str)], at: usize, places: &Places<'_>) -> Option<Value> {
    let touching = pieces.iter().filter(|(range, _)| range.start <= at && at <= range.end);
    let mut found = touching.filter_map(|(range, _)| {
        let written = &text[range.clone()];
        // A symbol stands for its word.
        let word = to_ascii(written).unwrap_or_else(|_| written.to_owned());
        let forms = WORDS.get(word.trim())?;
        Some((range, word.trim().to_owned(), forms))
    });
    // Between two words, the one that begins here.
    let (range, word, forms) = found.next_back()?;
    let range = places.range(range.clone());
    Some(json!({ "word": word, "from": range.start, "to": range.end, "forms": forms }))
}

/// What can stand at a place.
fn completions(
    text: &str,
    pieces: &[(Range<usize>, &'static str)],
    at: usize,
    places: &Places<'_>,
    names: &Names<'_>,
) -> Value {
    let inside = pieces.iter().find(|(range, _)| range.start < at && at <= range.end);
    let nothing = |at: usize| json!({ "from": places.unit(at), "to": places.unit(at), "items": [] });
    let mut items = Vec::new();
    let range = match inside {
        Some((range, "string")) => {
            let inner = range.start + 1..at;
            // Behind the end of the text of a filter nothing is completed.
            let is_closed = at == range.end && range.len() > 1 && text[range.clone()].ends_with('"');
            match named_at(text, pieces, range.start) {
                Some(what) if !is_closed && inner.start <= at => items.extend(names(what, &text[inner.clone()])),
                _ => return nothing(at),
            }
            inner
        }
        Some((range, "keyword" | "name")) => {
            let typed = &text[range.start..at];
            let names: BTreeSet<&str> = pieces
                .iter()
                .filter(|(other, class)| *class == "name" && other != range)
                .map(|(other, _)| &text[other.clone()])
                .filter(|name| name.starts_with(typed) && *name != typed)
                .collect();
            items.extend(
                names
                    .iter()
                    .map(|name| json!({ "label": name, "kind": "name", "detail": "" })),
            );
            let words = WORDS.range(typed..).take_while(|(word, _)| word.starts_with(typed));
            items.extend(words.map(|(word, forms)| {
                let detail = forms.first().map(|form| format!("{}: {}", form.form, form.meaning));
                json!({ "label": word, "kind": "word", "detail": detail.unwrap_or_default() })
            }));
            range.start..at
        }
        _ => return nothing(at),
    };
    items.truncate(MOST);
    let range = places.range(range);
    json!({ "from": range.start, "to": range.end, "items": items })
}

/// What the text that begins here is the name of: the words before it say that.
fn named_at(text: &str, pieces: &[(Range<usize>, &'static str)], start: usize) -> Option<What> {
    let before = pieces
        .iter()
        .rev()
        .filter(|(range, class)| range.end <= start && *class != "comment");
    let mut words = before.map(|(range, _)| &text[range.clone()]);
    match words.next()? {
        "positionset" => Some(What::Set),
        "player" => Some(What::Field(Field::Player)),
        "white" | "black" if words.next() == Some("player") => Some(What::Field(Field::Player)),
        "event" => Some(What::Field(Field::Event)),
        "site" => Some(What::Field(Field::Site)),
        "eco" => Some(What::Field(Field::Eco)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(query: &str, at: usize) -> Value {
        let request = Request {
            query: query.to_owned(),
            dialect: Named::Auto,
            at: Some(at),
        };
        about(&request, &|what, typed| {
            let names: &[&str] = match what {
                What::Set => &["forks"],
                What::Field(Field::Player) => &["Tal, Mikhail", "Talbot"],
                What::Field(_) => &["else"],
            };
            let begin = names.iter().filter(|name| name.starts_with(typed));
            begin.map(|name| json!({ "label": name })).collect()
        })
    }

    #[test]
    fn tokens_cover_words_comments_and_symbols() {
        let value = ask("flip Kg1 // why\nx = 3 \u{2659}a2", 1);
        let classes: Vec<&str> = value["tokens"]
            .as_array()
            .unwrap()
            .iter()
            .map(|token| token["class"].as_str().unwrap())
            .collect();
        assert_eq!(
            classes,
            [
                "keyword",
                "designator",
                "comment",
                "name",
                "operator",
                "number",
                "designator"
            ]
        );
        assert_eq!(value["here"]["word"], "flip");
        assert_eq!(
            value["tokens"][6],
            json!({ "from": 22, "to": 25, "class": "designator" })
        );
    }

    #[test]
    fn all_errors_are_told_with_their_changes_and_warnings_where_there_is_none() {
        let value = ask("\u{2659}a2 chek\n#R = 2", 0);
        assert_eq!(
            (&value["ok"], value["diagnostics"].as_array().map(Vec::len)),
            (&json!(false), Some(2))
        );
        assert_eq!(value["diagnostics"][0]["severity"], "error");
        assert_eq!(
            value["diagnostics"][0]["fixes"][0]["edits"],
            json!([{ "from": 4, "to": 8, "text": "check" }])
        );
        let value = ask("flip wtm", 0);
        assert_eq!(
            (&value["ok"], &value["diagnostics"][0]["severity"]),
            (&json!(true), &json!("warning"))
        );
    }

    #[test]
    fn words_names_and_sets_are_completed() {
        let labels = |value: &Value| -> Vec<String> {
            let items = value["completions"]["items"].as_array().unwrap();
            items
                .iter()
                .map(|item| item["label"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(labels(&ask("Kg1 stalem", 10)), ["stalemate"]);
        let both = labels(&ask("flipped = 3 flip", 16));
        assert!(both.starts_with(&["flipped".to_owned(), "flip".to_owned()]), "{both:?}");
        assert_eq!(labels(&ask("positionset \"fo\"", 15)), ["forks"]);
        assert!(labels(&ask("comment \"Tal\"", 11)).is_empty());
        for text in ["player \"Tal", "player /* of */ white \"Tal", "player black\n\"Tal"] {
            let closed = format!("{text}\" mate");
            assert_eq!(
                labels(&ask(&closed, text.len())),
                ["Tal, Mikhail", "Talbot"],
                "{closed}"
            );
            assert!(labels(&ask(&closed, text.len() + 1)).is_empty(), "{closed}");
        }
        assert_eq!(labels(&ask("event \"e\"", 8)), ["else"]);
        assert_eq!(labels(&ask("player \"\"", 8)).len(), 2);
    }

    #[test]
    fn a_symbol_has_the_documentation_of_its_word() {
        let here = ask("R \u{2192} k", 2)["here"].clone();
        assert_eq!(
            (&here["word"], &here["forms"][0]["chapter"]),
            (&json!("->"), &json!("positions"))
        );
        assert_eq!(ask("R -> k", 3)["here"]["from"], 2);
    }
}
