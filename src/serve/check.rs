//! `POST check`: what an editor wants to know of a text.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use cqldex::{Dialect, Query, QueryError, Token, to_ascii, tokens};
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
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

/// How many completions are given.
const MOST: usize = 50;

/// `POST check`
pub(crate) async fn check(
    State(app): State<Arc<App>>,
    Parameters(Db { db }): Parameters<Db>,
    Json(request): Json<Request>,
) -> Result<Response, Problem> {
    let value = app
        .short(move |app| {
            // Names of sets are completed; a text can be checked without a database.
            let sets = || {
                let open = app.databases.get(db.as_deref()).ok()?;
                let list = open.database.sets().list().ok()?;
                Some(list.into_iter().map(|set| set.name).collect())
            };
            Ok(about(&request, &|| sets().unwrap_or_default()))
        })
        .await?;
    Ok(json_response(&value))
}

fn about(request: &Request, sets: &dyn Fn() -> Vec<String>) -> Value {
    let text = &request.query;
    let places = Places::new(text);
    let dialect = Dialect::from(request.dialect).resolve(text);
    let parsed = Query::parse(text, dialect);
    let errors = parsed.as_ref().err().map(diagnostics).unwrap_or_default();
    let uses_files = parsed.as_ref().is_ok_and(Query::uses_files);
    let pieces = match dialect {
        Dialect::Cql1 => Vec::new(),
        _ => pieces(text),
    };
    let token = |(range, class): &(Range<usize>, &str)| {
        let range = places.range(range.clone());
        json!({ "from": range.start, "to": range.end, "class": class })
    };
    let mut value = json!({
        "ok": parsed.is_ok() && !uses_files,
        "dialect": dialect.name(),
        "diagnostics": errors,
        "tokens": pieces.iter().map(token).collect::<Vec<_>>(),
        "sorted": parsed.as_ref().is_ok_and(Query::is_sorted),
        "files": uses_files,
        "kind": parsed.as_ref().ok().map(|query| query.kind().name()),
    });
    if let Some(at) = request.at {
        let at = places.byte(at);
        value["here"] = here(text, &pieces, at, &places).unwrap_or_default();
        value["completions"] = completions(text, &pieces, at, &places, sets, parsed.err().as_ref());
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
    sets: &dyn Fn() -> Vec<String>,
    _error: Option<&QueryError>,
) -> Value {
    let inside = pieces.iter().find(|(range, _)| range.start < at && at <= range.end);
    let nothing = |at: usize| json!({ "from": places.unit(at), "to": places.unit(at), "items": [] });
    let mut items = Vec::new();
    let range = match inside {
        Some((range, "string")) => {
            let before = text[..range.start].trim_end();
            let inner = range.start + 1..at;
            if !before.ends_with("positionset") || inner.start > at {
                return nothing(at);
            }
            let typed = &text[inner.clone()];
            let names = sets().into_iter().filter(|name| name.starts_with(typed));
            items.extend(names.map(|name| json!({ "label": name, "kind": "set", "detail": "" })));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(query: &str, at: usize) -> Value {
        let request = Request {
            query: query.to_owned(),
            dialect: Named::Auto,
            at: Some(at),
        };
        about(&request, &|| vec!["forks".to_owned()])
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
        assert!(labels(&ask("player \"Tal\"", 10)).is_empty());
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
