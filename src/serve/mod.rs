//! `cqldex serve`: a page in the browser, and an HTTP interface for it and for others (`openapi.json`).
//!
//! It is a client of the library and adds no search of its own. A request passes `guard`; a search goes through `queue`,
//! `drive` and `running`, and what it finds is held in `answers`. Where each address leads is in `routes`.

mod adding;
mod answers;
mod app;
mod asking;
mod assets;
mod check;
mod child;
mod codes;
mod config;
mod connection;
mod counts;
mod databases;
mod download;
mod drive;
mod explain;
mod file;
mod games;
mod guard;
mod heat;
mod imports;
mod lane;
mod listen;
mod log;
mod matches;
mod names;
mod order;
mod pages;
mod problem;
mod question;
mod queue;
mod request;
mod routes;
mod running;
mod sample;
mod sent;
mod sets;
mod state;
mod stop;
mod stream;
mod texts;
mod themes;
mod words;
mod work;

pub(crate) use app::secret;
pub(crate) use assets::has_page;
pub(crate) use child::run as run_child;
pub(crate) use config::{Config, Limits};
pub(crate) use listen::run;
pub(crate) use stop::stop;

/// The routes alone, for requests that come from no socket.
#[cfg(fuzzing)]
pub(crate) fn router(config: Config) -> axum::Router {
    routes::router(std::sync::Arc::new(app::App::new(config)))
}
