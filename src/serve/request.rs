//! Reading requests: bodies with a limit of bytes and time, and parameters.

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use super::config::{BODY, BODY_TIME};
use super::problem::Problem;

/// The JSON body of a request.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

/// The parameters behind the question mark.
#[derive(Debug)]
pub(crate) struct Parameters<T>(pub(crate) T);

/// Which database is meant.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Db {
    pub(crate) db: Option<String>,
}

impl<S: Sync, T: DeserializeOwned> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _state: &S) -> Result<Json<T>, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE);
        let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        let is_json = kind
            .split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        if !is_json {
            let message = "the body has to be JSON, with `Content-Type: application/json`";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad-request", message));
        }
        let bytes = read(request.into_body()).await?;
        let value = serde_json::from_slice(&bytes);
        value
            .map(Json)
            .map_err(|error| Problem::bad_request(format!("the body is not what is expected: {error}")))
    }
}

async fn read(body: Body) -> Result<hyper::body::Bytes, Problem> {
    let Ok(read) = timeout(BODY_TIME, axum::body::to_bytes(body, BODY)).await else {
        let message = "the body did not arrive in time";
        return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "bad-request", message));
    };
    read.map_err(|error| {
        let is_long = std::error::Error::source(&error).is_some_and(|source| source.to_string().contains("limit"));
        match is_long {
            true => Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "too-large",
                format!("the body has more than {BODY} bytes"),
            ),
            false => Problem::bad_request("the body could not be read"),
        }
    })
}

impl<S: Sync, T: DeserializeOwned> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Parameters<T>, Problem> {
        let Query(value) = Query::try_from_uri(&parts.uri).map_err(|error| Problem::bad_request(error.body_text()))?;
        Ok(Parameters(value))
    }
}
