//! `GET words`: the words of the language with their documentation.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use cqldex::editor::{Entry, words as all_words};
use cqldex::to_unicode;
use serde_json::{Value, json};

use super::app::App;
use super::problem::{Problem, json_response};

/// `GET words`
pub(crate) async fn words(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    let value = app.short(|_| Ok(json!({ "words": all() }))).await?;
    Ok(json_response(&value))
}

fn all() -> Vec<Value> {
    let word = |(word, entry): (&str, &Entry)| {
        let unicode = to_unicode(word).ok().filter(|unicode| unicode != word);
        json!({ "word": word, "unicode": unicode, "forms": entry.forms })
    };
    all_words().map(word).collect()
}
