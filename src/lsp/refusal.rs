//! Why a request is not answered.

use lsp_server::{ErrorCode, RequestId, Response};

/// An error of the protocol, with a line for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    code: i32,
    message: String,
}

impl Refusal {
    pub(super) fn new(code: ErrorCode, message: impl Into<String>) -> Refusal {
        Refusal {
            code: code as i32,
            message: message.into(),
        }
    }

    /// The request has parameters that mean nothing.
    pub(super) fn parameters(message: impl Into<String>) -> Refusal {
        Refusal::new(ErrorCode::InvalidParams, message)
    }

    /// The request makes sense, but can't be fulfilled.
    pub(super) fn failed(message: impl Into<String>) -> Refusal {
        Refusal::new(ErrorCode::RequestFailed, message)
    }

    pub(super) fn response(self, id: RequestId) -> Response {
        Response::new_err(id, self.code, self.message)
    }
}
