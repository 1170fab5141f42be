//! The files of the page. The build script puts them into the program, as they are and packed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use super::app::{App, secret};
use super::guard::policy;
use super::problem::Problem;

/// A file of the page.
#[derive(Debug)]
pub(crate) struct File {
    /// Its path, without the slash at the beginning.
    path: &'static str,
    kind: &'static str,
    /// A hash of its content, between quotation marks.
    etag: &'static str,
    plain: &'static [u8],
    /// Packed by gzip, if that makes it smaller.
    gzip: Option<&'static [u8]>,
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Where the page is missing, this says so.
const MISSING: &str = "<!doctype html><html lang=en><meta charset=utf-8><title>cqldex</title><h1>The page is missing</h1>\
    <p>This program was built without its page. Run <code>scripts/page</code> (it needs node), and build it again.\
    <p>The interface for programs works: see <a href=/api/v1/openapi.json>its description</a>.</html>\n";

/// Stands in the index where the nonce for style elements goes.
const NONCE: &str = "__CSP_NONCE__";

/// Whether the page was there when the program was built.
pub(crate) fn has_page() -> bool {
    find("index.html").is_some()
}

fn find(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}

/// Everything that is not the interface.
pub(crate) async fn file(State(_app): State<Arc<App>>, request: Request) -> Result<Response, Problem> {
    let path = request.uri().path().trim_start_matches('/');
    if path.starts_with("api/") {
        return Err(Problem::not_found("not-found", "the interface has no such address"));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "bad-request",
            "files are only read",
        ));
    }
    match path {
        "" => index(),
        _ => match find(path) {
            Some(file) => Ok(send(file, request.headers())),
            None => Err(Problem::not_found("not-found", "there is no such file")),
        },
    }
}

/// The index, with a nonce of its own.
fn index() -> Result<Response, Problem> {
    let Some(file) = find("index.html") else {
        return Ok((StatusCode::SERVICE_UNAVAILABLE, Html(MISSING)).into_response());
    };
    let nonce = secret().map_err(Problem::internal)?;
    let text = String::from_utf8_lossy(file.plain).replace(NONCE, &nonce);
    let policy = HeaderValue::from_str(&policy(Some(&nonce))).map_err(Problem::internal)?;
    let mut response = Html(text).into_response();
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}

fn send(file: &'static File, asked: &HeaderMap) -> Response {
    let text = |name| {
        asked
            .get(name)
            .and_then(|value: &HeaderValue| value.to_str().ok())
            .unwrap_or_default()
    };
    let known = text(header::IF_NONE_MATCH);
    let is_known = known
        .split(',')
        .any(|tag| tag.trim().trim_start_matches("W/") == file.etag);
    let takes_gzip = text(header::ACCEPT_ENCODING).split(',').any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        parts.next() == Some("gzip") && parts.next() != Some("q=0")
    });
    let mut response = match (is_known, file.gzip.filter(|_| takes_gzip)) {
        (true, _) => StatusCode::NOT_MODIFIED.into_response(),
        (false, Some(gzip)) => ([(header::CONTENT_ENCODING, "gzip")], Body::from(gzip)).into_response(),
        (false, None) => Body::from(file.plain).into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.kind));
    headers.insert(header::ETAG, HeaderValue::from_static(file.etag));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}
