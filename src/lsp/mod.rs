//! The language server: what an editor asks about queries, over the Language Server Protocol.
//!
//! `server` takes messages and answers them one after the other. What a text means is known to `cqldex::editor` and
//! `cqldex::check`; `answers` and `actions` ask there, and `convert` writes it in the words of the protocol. `jobs` are searches in
//! a database (`games`), which run beside the server. `client` is what the editor can do, `capabilities` what the server can,
//! `open` the texts.

mod actions;
mod answers;
mod capabilities;
mod client;
mod convert;
mod games;
mod jobs;
mod open;
mod refusal;
mod semantic;
mod server;

use std::path::PathBuf;

use lsp_server::Connection;

use self::server::Server;
pub(crate) use self::server::{End, ProtocolFailure};

/// What the command line says; an editor can say other things.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The database that queries are asked of.
    pub(crate) database: Option<PathBuf>,
    /// Whether only CQL 6.2 is accepted.
    pub(crate) strict: bool,
}

/// Serves an editor on standard input and standard output until it ends the server, or is gone.
///
/// # Errors
///
/// When the editor does not keep to the protocol.
pub(crate) fn serve_stdio(settings: Settings) -> Result<End, ProtocolFailure> {
    let (connection, threads) = Connection::stdio();
    let end = Server::start(&connection, settings).and_then(Server::run);
    drop(connection);
    // The thread that reads waits for input, which may never come after an error.
    if end.is_ok() {
        let _ = threads.join();
    }
    end
}
