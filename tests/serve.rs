//! The server, asked as browsers, programs and attackers ask it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "serve/client.rs"]
mod client;
#[path = "serve/description.rs"]
mod description;
#[path = "serve/fairness.rs"]
mod fairness;
#[path = "serve/hostile.rs"]
mod hostile;
#[path = "serve/imports.rs"]
mod imports;
#[path = "serve/interface.rs"]
mod interface;
mod lasting;
#[path = "serve/rules.rs"]
mod rules;
#[path = "serve/server.rs"]
mod server;
#[path = "serve/sets.rs"]
mod sets;
