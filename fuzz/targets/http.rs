//! Requests to the server, through its routes and without a socket. Whatever is asked, there is an answer, and no error of
//! the server itself.
//!
//! An input is requests, each in a paragraph: the first line is method and address, then headers, then behind an empty
//! line the body. `%%` on a line of its own ends a request. `ID` in an address is the answer of the last search.

#![no_main]
// The files of the server are those of the program, of which more is used.
#![allow(dead_code, unreachable_pub, unused_imports)]

#[path = "../../src/explained.rs"]
mod explained;
#[path = "../../src/name_list.rs"]
mod name_list;
#[path = "../../src/serve/mod.rs"]
mod serve;

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use cqldex_fuzz::{folder, make_database};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;
use tower::ServiceExt;

const LONGEST: usize = 10_000;

/// How many requests an input may have.
const MOST: usize = 5;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("the system gives threads")
});

static ROUTER: LazyLock<axum::Router> = LazyLock::new(|| {
    let database = folder().join("db");
    drop(make_database(&database));
    fs::create_dir_all(root()).expect("the temporary folder can be written to");
    let config = serve::Config {
        database: Some(database),
        root: Some(root()),
        listen: SocketAddr::from(([127, 0, 0, 1], 80)),
        hosts: Vec::new(),
        token: None,
        public: false,
        log: false,
        threads: Some(std::num::NonZeroUsize::MIN),
        limits: serve::Limits {
            time: Duration::from_millis(500),
            searches: 2,
            waiting: 4,
            answers: 4,
            answer_bytes: 1 << 20,
            memory: 512,
        },
    };
    serve::router(config)
});

/// Below it requests make databases.
fn root() -> PathBuf {
    folder().join("root")
}

/// Removes what requests have made, so that the next ones find what these have found.
fn clear() {
    let sets = folder().join("db/sets");
    for made in [root(), sets].iter().flat_map(fs::read_dir).flatten().flatten() {
        let _ = fs::remove_dir_all(made.path()).or_else(|_| fs::remove_file(made.path()));
    }
}

fuzz_target!(
    init: {
        // What may take much memory is searched by a process of its own: the server starts itself again.
        if std::env::args().nth(1).is_some_and(|word| word == "serve-search") {
            let _ = serve::run_child();
            std::process::exit(0);
        }
    },
    |data: &[u8]| {
        if data.len() > LONGEST {
            return;
        }
        let router = &*ROUTER;
        RUNTIME.block_on(async {
            let mut id = String::from("none");
            for request in split(data).take(MOST) {
                ask(router, request, &mut id).await;
            }
        });
        clear();
    }
);

/// The requests of an input.
fn split(data: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(data);
    std::iter::from_fn(move || {
        let all = rest?;
        match find(all, b"\n%%\n") {
            Some(at) => {
                rest = Some(&all[at + 4..]);
                Some(&all[..at])
            }
            None => rest.take(),
        }
    })
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|found| found == wanted)
}

async fn ask(router: &axum::Router, text: &[u8], id: &mut String) {
    let (head, body) = match find(text, b"\n\n") {
        Some(at) => (&text[..at], &text[at + 2..]),
        None => (text, [].as_slice()),
    };
    let Ok(head) = str::from_utf8(head) else { return };
    let mut lines = head.split('\n');
    let Some((method, address)) = lines.next().and_then(|line| line.split_once(' ')) else {
        return;
    };
    let mut request = Request::builder()
        .method(method)
        .uri(address.replace("ID", id))
        .header(header::CONTENT_TYPE, "application/json");
    let mut has_host = false;
    for line in lines {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        has_host |= name.eq_ignore_ascii_case("host");
        request = request.header(name.trim(), value.trim());
    }
    if !has_host {
        request = request.header(header::HOST, "localhost");
    }
    // What is no request does not come as far as the routes.
    let Ok(request) = request.body(Body::from(body.to_vec())) else {
        return;
    };
    let described = format!("{request:?}");
    let response = router.clone().oneshot(request).await.expect("the routes do not fail");
    let status = response.status();
    let found = axum::body::to_bytes(response.into_body(), 64 << 20)
        .await
        .unwrap_or_default();
    let said = String::from_utf8_lossy(&found);
    assert_ne!(status, StatusCode::INTERNAL_SERVER_ERROR, "{described}: {said}");
    let name = b"\"answer\":\"";
    if let Some(at) = find(&found, name)
        && let Some(found) = found.get(at + name.len()..at + name.len() + 32)
    {
        *id = String::from_utf8_lossy(found).into_owned();
    }
}
