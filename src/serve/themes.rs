//! Queries that have a name.

use axum::response::Response;
use cqldex::{Theme, Themes};
use serde_json::{Value, json};

use super::problem::json_response;

/// `GET themes`
pub(crate) async fn themes() -> Response {
    let themes: Vec<Value> = Themes::built_in().iter().map(value).collect();
    json_response(&json!({ "themes": themes }))
}

fn value(theme: &Theme) -> Value {
    json!({
        "name": theme.name,
        "group": theme.group,
        "title": theme.title,
        "about": theme.about,
        "tags": theme.tags,
        "source": theme.source,
        "link": theme.link,
        "query": theme.query,
    })
}
