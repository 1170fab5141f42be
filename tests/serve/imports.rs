//! Adding games from the page.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Answer, connect, request, send};
use crate::description::check;
use crate::server::{Server, samples};

fn put(server: &Server, target: &str, bytes: &[u8]) -> Answer {
    let head = format!(
        "PUT /api/v1/imports/{target} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/octet-stream\r\nContent-Length: {}\r\n\r\n",
        server.address,
        bytes.len()
    );
    let answer = send(server.address, &[head.as_bytes(), bytes].concat()).unwrap();
    check("put", "/imports/{id}", &answer);
    answer
}

#[test]
fn files_become_a_database_that_grows() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(["--root", folder.path().to_str().unwrap()]);
    assert_eq!(server.get("/databases").json()["mayIndex"], true);
    let pgn = std::fs::read("samples/games.pgn").unwrap();
    let packed = zstd::encode_all(&*[&pgn[..], b"\n\n[Event \"?\"]\n\n1. e4 e5 2. Ke8 *\n"].concat(), 3).unwrap();
    let first = put(&server, "one?db=my/games.db&file=games.pgn.zst", &packed).json();
    assert_eq!(first["state"], "done", "{first}");
    let games = first["summary"]["games"].as_u64().unwrap();
    assert!(games > 20);
    assert!(
        first["skipped"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("illegal move `Ke8`"),
        "{first}"
    );
    assert_eq!(server.get("/stats?db=my/games.db").json()["games"], games);
    // The same file again adds nothing; another one adds its games.
    let again = put(&server, "two?db=my/games.db&file=games.pgn", &pgn).json();
    assert_eq!(
        (&again["summary"]["games"], &again["summary"]["duplicates"]),
        (&json!(0), &json!(games - 1))
    );
    let other = std::fs::read("samples/studies.pgn").unwrap();
    let other = put(&server, "three?db=my/games.db&file=studies.pgn", &other).json();
    assert!(other["summary"]["games"].as_u64().unwrap() > 0);
    let all = server.get("/imports");
    check("get", "/imports", &all);
    assert_eq!(all.json()["imports"].as_array().unwrap().len(), 3);
    let rest = server.get("/imports/one?skippedFrom=1").json();
    assert!(rest["skipped"].as_array().unwrap().len() as u64 == rest["skippedTotal"].as_u64().unwrap() - 1);
    let names: Vec<Value> = server.get("/databases").json()["databases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].clone())
        .collect();
    assert_eq!(names, [json!("my/games.db")]);
}

#[test]
fn a_file_that_breaks_off_or_is_cancelled_leaves_a_sound_database() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(["--root", folder.path().to_str().unwrap()]);
    let begin = |id: &str| {
        let mut stream = connect(server.address);
        let head = format!(
            "PUT /api/v1/imports/{id}?db=a/b.db&file=a.pgn HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000\r\n\r\n",
            server.address
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&std::fs::read("samples/games.pgn").unwrap()).unwrap();
        stream
    };
    let wait = |id: &str, state: &str| {
        let started = Instant::now();
        loop {
            let answer = server.get(&format!("/imports/{id}"));
            if answer.status == 200 && answer.json()["state"] == state {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(10), "{}", answer.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let broken = begin("broken");
    wait("broken", "running");
    drop(broken);
    wait("broken", "failed");
    let message = server.get("/imports/broken").json()["error"]["message"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        message.contains("did not arrive whole") && message.contains("nothing of it was added"),
        "{message}"
    );
    // No database is left of it, and no folder.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let _cancelled = begin("cancelled");
    wait("cancelled", "running");
    assert_eq!(server.ask("DELETE", "/imports/cancelled", "").status, 200);
    wait("cancelled", "cancelled");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    let pgn = std::fs::read("samples/games.pgn").unwrap();
    assert_eq!(put(&server, "whole?db=a/b.db&file=a.pgn", &pgn).json()["state"], "done");
    let games = || server.get("/stats?db=a/b.db").json()["games"].as_u64().unwrap();
    let before = games();
    assert!(before > 20);
    // A database that was there before stays as it was.
    drop(begin("again"));
    wait("again", "failed");
    assert_eq!(games(), before);
}

#[test]
fn games_are_added_only_where_that_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap();
    let refused = [
        Server::of_samples(),
        Server::start([samples().to_str().unwrap(), "--root", root, "--public"]),
        Server::start(["--root", root, "--listen", "0.0.0.0:0", "--public"]),
    ];
    for server in &refused {
        assert_eq!(put(server, "a?db=new.db&file=a.pgn", b"1. e4 *").code(), "not-allowed");
    }
    let server = Server::start(["--root", root]);
    for name in ["..%2fout.db", "%2ftmp%2fout.db", ".hidden.db", ""] {
        let answer = put(&server, &format!("a?db={name}&file=a.pgn"), b"1. e4 *");
        assert_eq!(answer.status, 404, "{name}");
    }
    assert_eq!(put(&server, "a%20b?db=a.db&file=a.pgn", b"1. e4 *").status, 400);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    // Another site can't do it either.
    let text = request(
        server.address,
        "PUT",
        "/api/v1/imports/a?db=a.db&file=a.pgn",
        Some("1. e4 *"),
    );
    let text = text.replace("Content-Type: application/json", "Origin: http://evil.example");
    assert_eq!(send(server.address, text.as_bytes()).unwrap().status, 403);
}
