//! Which address leads where. `openapi.json` describes each of them, and a test compares the two.

use std::sync::Arc;

use axum::Router;
use axum::http::header;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};

use super::app::App;
use super::problem::Problem;
use super::{
    adding, asking, assets, check, codes, counts, download, explain, games, guard, heat, names, pages, sets, state,
    texts, themes, words,
};
use axum::http::StatusCode;

/// The description of the interface.
const DESCRIPTION: &str = include_str!("openapi.json");

/// All addresses.
pub(crate) fn router(app: Arc<App>) -> Router {
    let interface = Router::new()
        .route("/server", get(state::server))
        .route("/openapi.json", get(openapi))
        .route("/search", post(asking::search))
        .route("/answers/{id}", get(pages::matches).delete(pages::forget))
        .route("/answers/{id}/games", get(pages::games))
        .route("/answers/{id}/counts", get(counts::counts))
        .route("/answers/{id}/squares", get(heat::squares))
        .route("/answers/{id}/download", get(download::download))
        .route("/check", post(check::check))
        .route("/words", get(words::words))
        .route("/errors/{code}", get(codes::explanation))
        .route("/themes", get(themes::themes))
        .route("/names", get(names::names))
        .route("/explain", post(explain::explain))
        .route("/convert", post(texts::convert))
        .route("/translate", post(texts::translate))
        // With `.pgn` behind the number: the game as PGN.
        .route("/games/{number}", get(games::game))
        .route("/stats", get(state::stats))
        .route("/sets", get(sets::list))
        .route("/sets/{name}", put(sets::save).patch(sets::rename).delete(sets::delete))
        .route("/databases", get(state::databases))
        .route("/imports", get(adding::list))
        .route(
            "/imports/{id}",
            get(adding::progress).put(adding::add).delete(adding::cancel),
        )
        .method_not_allowed_fallback(wrong_method);
    Router::new()
        .nest("/api/v1", interface)
        .fallback(assets::file)
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION).into_response()
}

async fn wrong_method() -> Problem {
    let message = "the address does not know this method";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "bad-request", message)
}
