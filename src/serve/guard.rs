//! Who may ask: names of the host, origins, tokens. And what browsers must refuse.
//!
//! A page of another site can make a browser send requests to this machine. Three checks stop it: the name in `Host` is one
//! of ours (a foreign name that points here is an attack), `Origin` is our own page, and there is no CORS.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::problem::Problem;

/// The cookie that has the token.
const COOKIE: &str = "cqldex-token";

/// What every answer says.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
];

/// What the page may load; its index adds a nonce for style elements.
pub(crate) fn policy(nonce: Option<&str>) -> String {
    let nonce = nonce.map(|nonce| format!(" 'nonce-{nonce}'")).unwrap_or_default();
    format!(
        "default-src 'self'; style-src 'self'{nonce}; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'"
    )
}

/// Checks a request before anything else is done with it.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let started = Instant::now();
    let line = app
        .config
        .log
        .then(|| format!("{} {}", request.method(), request.uri().path()));
    let mut response = match check(&app, &request) {
        Ok(Pass::Go) => next.run(request).await,
        Ok(Pass::SignIn(token)) => sign_in(&token),
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY)
        && let Ok(policy) = HeaderValue::from_str(&policy(None))
    {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if let Some(line) = line {
        super::log::line(&format!(
            "{line} {} {:.1?}",
            response.status().as_u16(),
            started.elapsed()
        ));
    }
    response
}

enum Pass {
    Go,
    /// The address has the token: from now on a cookie has it.
    SignIn(String),
}

fn check(app: &App, request: &Request) -> Result<Pass, Problem> {
    let (uri, headers) = (request.uri(), request.headers());
    let host = host(uri, headers).ok_or_else(|| Problem::bad_request("the request names no host"))?;
    if !is_ours(app, name_of(host)) {
        let message = "the server is not known by this name; `cqldex serve --host NAME` allows it";
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "forbidden-host", message));
    }
    let is_api = uri.path().starts_with("/api/");
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().ok().and_then(|origin| origin.split_once("://"));
        if !origin.is_some_and(|(_, origin)| origin.eq_ignore_ascii_case(host)) {
            return Err(Problem::forbidden(
                "forbidden-origin",
                "requests of other sites are refused",
            ));
        }
    }
    // Browsers say this of requests without an origin, too.
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    if is_api && site.is_some_and(|site| site != "same-origin" && site != "none") {
        return Err(Problem::forbidden(
            "forbidden-origin",
            "requests of other sites are refused",
        ));
    }
    let Some(token) = &app.config.token else {
        return Ok(Pass::Go);
    };
    if uri.path() == "/"
        && let Some(given) = uri.query().and_then(|query| query.strip_prefix("token="))
        && is_same(given, token)
    {
        return Ok(Pass::SignIn(token.clone()));
    }
    match given(headers).any(|given| is_same(given, token)) {
        true => Ok(Pass::Go),
        false => {
            let message = "this server wants a token: open the address that it printed when it was started";
            Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", message))
        }
    }
}

/// What the request calls this server.
fn host<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    let mut all = headers.get_all(header::HOST).iter();
    let named = all.next().and_then(|host| host.to_str().ok());
    // A request with two hosts is no honest one.
    if all.next().is_some() {
        return None;
    }
    match uri.authority() {
        Some(authority) => Some(authority.as_str()).filter(|host| named.is_none_or(|named| named == *host)),
        None => named,
    }
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    }
}

fn is_ours(app: &App, name: &str) -> bool {
    if let Ok(address) = name.parse::<IpAddr>() {
        // Any site can have a name that points here; an address belongs to no site.
        return address.is_loopback() || !app.config.is_local();
    }
    let own = app.config.hosts.iter().map(String::as_str).chain(["localhost"]);
    own.into_iter()
        .any(|own| own.eq_ignore_ascii_case(name.trim_end_matches('.')))
}

/// The tokens that a request shows.
fn given(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
    let cookies = headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok());
    let cookies = cookies.flat_map(|value| value.split(';')).filter_map(|cookie| {
        let (name, value) = cookie.split_once('=')?;
        (name.trim() == COOKIE).then(|| value.trim())
    });
    bearer.into_iter().chain(cookies)
}

/// Compares without telling by its time where they differ.
fn is_same(given: &str, token: &str) -> bool {
    let differ = given
        .bytes()
        .zip(token.bytes())
        .fold(0, |differ, (a, b)| differ | (a ^ b));
    given.len() == token.len() && differ == 0
}

/// Puts the token into a cookie, and takes it out of the address.
fn sign_in(token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
    let headers = [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, cookie)];
    (StatusCode::SEE_OTHER, headers).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_lose_their_ports() {
        let names = ["localhost:8080", "127.0.0.1", "[::1]:80", "a.example:1"].map(name_of);
        assert_eq!(names, ["localhost", "127.0.0.1", "::1", "a.example"]);
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same("abc", "abc"));
        assert!(!is_same("ab", "abc") && !is_same("abd", "abc") && !is_same("", "abc"));
    }
}
