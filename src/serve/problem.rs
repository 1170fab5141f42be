//! What goes wrong in a request, and how it is answered.

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cqldex::editor::Places;
use cqldex::{Diagnostic, Error, Fix, QueryError, Severity};
use serde_json::{Value, json};

/// Why a request can't be answered.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    code: &'static str,
    message: String,
    diagnostics: Option<Arc<[Value]>>,
}

impl Problem {
    /// A problem with a stable code and a line for people.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Problem {
        Problem {
            status,
            code,
            message: message.into(),
            diagnostics: None,
        }
    }

    /// The request makes no sense.
    pub(crate) fn bad_request(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    /// There is nothing like that.
    pub(crate) fn not_found(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, code, message)
    }

    /// The server does not do that.
    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, code, message)
    }

    /// Something in the server has failed.
    pub(crate) fn internal(message: impl std::fmt::Display) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message.to_string())
    }

    /// The search has taken all the time that it may have.
    pub(crate) fn time_limit(seconds: f64) -> Problem {
        let message = format!("the search was stopped after {seconds} s, the limit of this server");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "time-limit", message)
    }

    /// The same with more to say.
    pub(crate) fn with(mut self, note: &str) -> Problem {
        self.message = format!("{}; {note}", self.message);
        self
    }

    /// What [`Problem::body`] was for another process.
    pub(crate) fn from_body(body: &Value) -> Problem {
        let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
        let diagnostics = body["diagnostics"].as_array().map(|list| list.as_slice().into());
        Problem {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: stable(&text("code")),
            message: text("message"),
            diagnostics,
        }
    }

    /// The object `error` of an answer.
    pub(crate) fn body(&self) -> Value {
        let mut body = json!({ "code": self.code, "message": self.message });
        if let Some(diagnostics) = &self.diagnostics {
            body["diagnostics"] = Value::Array(diagnostics.to_vec());
        }
        body
    }
}

/// The code as a constant; codes are few, and all are known.
fn stable(code: &str) -> &'static str {
    const OWN: [&str; 5] = ["internal", "cancelled", "time-limit", "memory-limit", "no-such-set"];
    let own = OWN.into_iter().find(|own| *own == code);
    let of_queries = || {
        cqldex::Code::ALL
            .iter()
            .map(|code| code.text())
            .find(|text| *text == code)
    };
    own.or_else(of_queries).unwrap_or("internal")
}

/// Errors and warnings about a text, with their places in UTF-16 code units.
pub(crate) fn diagnostics(found: &[Diagnostic], text: &str) -> Vec<Value> {
    let places = Places::new(text);
    found.iter().map(|found| diagnostic(found, &places)).collect()
}

/// What a severity is called.
pub(crate) fn severity_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn diagnostic(found: &Diagnostic, places: &Places<'_>) -> Value {
    let range = places.range(found.span.range());
    let message = match found.label.as_str() {
        "" => found.message.clone(),
        label if label == found.message => label.to_owned(),
        label => format!("{}: {label}", found.message),
    };
    let mut value = json!({
        "code": found.code.text(),
        "severity": severity_name(found.severity()),
        "message": message,
        "from": range.start,
        "to": range.end,
    });
    if let Some((span, text)) = &found.related {
        let range = places.range(span.range());
        value["label"] = json!({ "from": range.start, "to": range.end, "text": text });
    }
    if let Some(help) = &found.help {
        value["help"] = json!(help);
    }
    if !found.fixes.is_empty() {
        let fixes = found.fixes.iter().map(|change| fix(change, places));
        value["fixes"] = Value::Array(fixes.collect());
    }
    value
}

/// A change of the text.
fn fix(fix: &Fix, places: &Places<'_>) -> Value {
    let edits = fix.edits.iter().map(|edit| {
        let range = places.range(edit.span.range());
        json!({ "from": range.start, "to": range.end, "text": edit.replacement })
    });
    json!({ "title": fix.title, "edits": edits.collect::<Vec<_>>() })
}

impl From<QueryError> for Problem {
    fn from(error: QueryError) -> Problem {
        let list = diagnostics(error.diagnostics(), error.text());
        let message = error.diagnostics().first().map(|first| first.message.clone());
        Problem {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            code: error.code(),
            message: message.unwrap_or_default(),
            diagnostics: Some(list.into()),
        }
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = match &error {
            Error::Query(_) | Error::Evaluation(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::NoSuchColumn(_) => StatusCode::BAD_REQUEST,
            Error::NotADatabase(_) => StatusCode::NOT_FOUND,
            Error::NoSuchSet(_) => StatusCode::NOT_FOUND,
            Error::Locked(_) | Error::SetExists(_) | Error::Stale(_) => StatusCode::CONFLICT,
            Error::SetName(_) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        match error {
            Error::Query(error) | Error::Evaluation(error) => error.into(),
            error => Problem::new(status, error.code(), error.to_string()),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = json_response(&json!({ "error": self.body() }));
        *response.status_mut() = self.status;
        if self.status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// An answer that is one JSON object.
pub(crate) fn json_response(value: &Value) -> Response {
    (
        [
            (header::CONTENT_TYPE, "application/json"),
            (header::CACHE_CONTROL, "no-store"),
        ],
        value.to_string(),
    )
        .into_response()
}
