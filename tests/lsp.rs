//! The language server as editors see it: over its standard input and output, as clients of the protocol.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "lsp/client.rs"]
mod client;
#[path = "lsp/database.rs"]
mod database;
#[path = "lsp/neovim.rs"]
mod neovim;
#[path = "lsp/protocol.rs"]
mod protocol;
#[path = "lsp/texts.rs"]
mod texts;
#[path = "lsp/words.rs"]
mod words;
