//! Answers that are sent piece by piece.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use hyper::body::{Bytes, Frame};
use serde_json::Value;
use tokio::sync::mpsc;

/// How many pieces may wait to be sent.
const WAITING: usize = 64;

/// Sends pieces of an answer. When the client goes away, [`Pieces::gone`] says so.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(mpsc::Sender<io::Result<Bytes>>);

/// The other end.
struct Receiver(mpsc::Receiver<io::Result<Bytes>>);

/// An answer, and what its pieces are sent with.
pub(crate) fn pieces(kind: &'static str) -> (Pieces, Response) {
    let (sender, receiver) = mpsc::channel(WAITING);
    let mut response = Response::new(Body::new(Receiver(receiver)));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy should pass the pieces on as they come.
    headers.insert(
        HeaderName::from_static("x-accel-buffering"),
        HeaderValue::from_static("no"),
    );
    (Pieces(sender), response)
}

impl Pieces {
    /// Sends a line of JSON; waits until there is room.
    pub(crate) async fn line(&self, value: &Value) {
        self.bytes(format!("{value}\n")).await;
    }

    /// Sends a line if there is room: one that the client can do without.
    pub(crate) fn try_line(&self, value: &Value) {
        let _ = self.0.try_send(Ok(format!("{value}\n").into()));
    }

    /// Sends a piece.
    pub(crate) async fn bytes(&self, piece: impl Into<Bytes>) {
        // Who has gone is noticed elsewhere.
        let _ = self.0.send(Ok(piece.into())).await;
    }

    /// Breaks the answer off, so that the client sees that it is not whole.
    pub(crate) async fn fail(&self) {
        let _ = self.0.send(Err(io::ErrorKind::BrokenPipe.into())).await;
    }

    /// Waits until the client has gone.
    pub(crate) async fn gone(&self) {
        self.0.closed().await;
    }
}

impl hyper::body::Body for Receiver {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0
            .poll_recv(context)
            .map(|next| next.map(|bytes| bytes.map(Frame::data)))
    }
}
