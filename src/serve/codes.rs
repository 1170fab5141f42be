//! What the codes of errors and warnings mean.

use axum::extract::Path;
use axum::response::Response;
use serde_json::json;

use super::problem::{Problem, json_response, severity_name};

/// `GET errors/{code}`
pub(crate) async fn explanation(Path(code): Path<String>) -> Result<Response, Problem> {
    let Some(found) = cqldex::explain_error(&code) else {
        return Err(Problem::not_found("not-found", "there is no code of this name"));
    };
    Ok(json_response(&json!({
        "code": found.code,
        "severity": severity_name(found.severity),
        "title": found.title,
        "text": found.text,
        "wrong": found.wrong,
        "condition": found.condition,
        "right": found.right,
    })))
}
