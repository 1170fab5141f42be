//! `POST check`: what an editor wants to know of a text.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use cqldex::editor::{Completion, CompletionKind, Document, Offered, Piece, Places, Quoted};
use cqldex::{Dialect, Query, QueryOptions, SetInfo};
use serde::Deserialize;
use serde_json::{Value, json};

use super::app::App;
use super::problem::{Problem, diagnostics, json_response};
use super::question::Named;
use super::request::{Db, Json, Parameters};
use crate::name_list::{Field, Name};

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    query: String,
    #[serde(default)]
    dialect: Named,
    at: Option<usize>,
}

/// How many completions are given, and how many of them are names in the games.
const MOST: usize = 400;
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
            let offered = |what: Quoted, typed: &str| {
                let open = app.databases.get(db.as_deref()).ok()?;
                let field = match what {
                    Quoted::Set => {
                        let sets = open.database.sets().list().ok()?.into_iter();
                        let begin = sets.filter(|set| set.name.starts_with(typed));
                        return Some(begin.map(of_set).collect());
                    }
                    Quoted::Player => Field::Player,
                    Quoted::Event => Field::Event,
                    Quoted::Site => Field::Site,
                    Quoted::Eco => Field::Eco,
                    _ => return None,
                };
                let names = open.names(field).ok()?;
                Some(names.find(typed, NAMES).into_iter().map(of_name).collect())
            };
            Ok(about(&request, &|what, typed| offered(what, typed).unwrap_or_default()))
        })
        .await?;
    Ok(json_response(&value))
}

fn of_set(set: SetInfo) -> Completion {
    Completion {
        label: set.name,
        kind: CompletionKind::Set,
        detail: String::new(),
    }
}

fn of_name(name: &Name) -> Completion {
    Completion {
        label: name.name.clone(),
        kind: CompletionKind::Value,
        detail: games(name.games),
    }
}

/// "1 game", "12 games".
fn games(count: u64) -> String {
    format!("{count} game{}", if count == 1 { "" } else { "s" })
}

fn about(request: &Request, offered: &Offered<'_>) -> Value {
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
    let document = Document::new(text.as_str(), dialect);
    let token = |piece: &Piece| {
        let range = places.range(piece.range.clone());
        json!({ "from": range.start, "to": range.end, "class": piece.class.name() })
    };
    let mut value = json!({
        "ok": parsed.is_some() && !uses_files,
        "dialect": dialect.name(),
        "diagnostics": diagnostics(&checked.diagnostics, text),
        "tokens": document.pieces().iter().map(token).collect::<Vec<_>>(),
        "sorted": parsed.is_some_and(Query::is_sorted),
        "files": uses_files,
        "kind": parsed.map(|query| query.kind().name()),
    });
    if let Some(at) = request.at {
        let at = places.byte(at);
        value["here"] = here(&document, at, &places).unwrap_or_default();
        value["completions"] = completions(&document, at, &places, offered);
    }
    value
}

/// The documentation of the word at a place.
fn here(document: &Document, at: usize, places: &Places<'_>) -> Option<Value> {
    let hover = document.hover(at)?;
    let range = places.range(hover.range);
    Some(json!({ "word": hover.word, "from": range.start, "to": range.end, "forms": hover.forms }))
}

/// What can stand at a place.
fn completions(document: &Document, at: usize, places: &Places<'_>, offered: &Offered<'_>) -> Value {
    let found = document.complete(at, offered);
    let item = |item: &Completion| {
        let kind = match item.kind {
            CompletionKind::Name(_) => "name",
            CompletionKind::Follower | CompletionKind::Word => "word",
            CompletionKind::Men => "men",
            CompletionKind::Set => "set",
            CompletionKind::Value => "value",
        };
        json!({ "label": item.label, "kind": kind, "detail": item.detail })
    };
    let range = places.range(found.range);
    let items: Vec<Value> = found.items.iter().take(MOST).map(item).collect();
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
        about(&request, &|_, _| {
            vec![of_name(&Name::new("Tal, Mikhail".to_owned(), 1))]
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
    fn words_and_names_are_completed() {
        let value = ask("Kg1 \u{2659}a2 stalem", 14)["completions"].clone();
        assert_eq!((&value["from"], &value["to"]), (&json!(8), &json!(14)));
        assert_eq!(value["items"][0]["label"], "stalemate");
        assert_eq!(value["items"][0]["kind"], "word");
        let value = ask("player \"T\"", 9)["completions"].clone();
        let item = json!({ "label": "Tal, Mikhail", "kind": "value", "detail": "1 game" });
        assert_eq!(value, json!({ "from": 8, "to": 9, "items": [item] }));
    }

    #[test]
    fn a_symbol_has_the_documentation_of_its_word() {
        let here = ask("R \u{2192} k", 2)["here"].clone();
        assert_eq!(
            (&here["word"], &here["forms"][0]["chapter"]),
            (&json!("->"), &json!("positions"))
        );
        assert_eq!(ask("R -> k", 3)["here"]["from"], 2);
        assert_eq!(
            ask("king = k", 1)["here"]["forms"][0]["meaning"],
            "a set variable; line 1"
        );
    }
}
