//! Saving answers as named sets, renaming and deleting them.

use serde_json::json;

use crate::client::{Answer, request, send};
use crate::description::check;
use crate::server::{Server, index};

/// A database of its own: other tests must not see its sets.
fn database() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sets.db");
    index(&path, &["samples/games.pgn".into()]);
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn ask(server: &Server, method: &str, name: &str, body: &serde_json::Value) -> Answer {
    let answer = server.ask(method, &format!("/sets/{name}"), &body.to_string());
    check(&method.to_lowercase(), "/sets/{name}", &answer);
    answer
}

#[test]
fn an_answer_is_saved_renamed_and_deleted() {
    let (folder, path) = database();
    let server = Server::start([path.as_str()]);
    let id = server.answer("mate");
    let count = server.get(&format!("/answers/{id}")).json()["positions"].clone();
    let saved = ask(&server, "PUT", "mates", &json!({ "answer": id }));
    assert_eq!((saved.status, &saved.json()["positions"]), (200, &count));
    // The set is the answer, here and in the program.
    let within = server.find("positionset \"mates\"");
    assert_eq!(within.last().unwrap()["positions"], count);
    let again = ask(&server, "PUT", "mates", &json!({ "answer": id }));
    assert_eq!((again.status, again.code().as_str()), (409, "set-exists"));
    let checks = server.answer("check");
    let replaced = ask(&server, "PUT", "mates", &json!({ "answer": checks, "replace": true }));
    assert_ne!(replaced.json()["positions"], count);
    assert_eq!(ask(&server, "PUT", "con", &json!({ "answer": id })).code(), "set-name");
    assert_eq!(
        ask(&server, "PUT", "x%2f..%2fy", &json!({ "answer": id })).code(),
        "set-name"
    );
    assert_eq!(
        ask(&server, "PUT", "gone", &json!({ "answer": "gone" })).code(),
        "answer-gone"
    );
    assert_eq!(ask(&server, "PUT", "gone", &json!({})).status, 400);

    assert_eq!(
        ask(&server, "PATCH", "mates", &json!({ "name": "checks" })).json()["name"],
        "checks"
    );
    assert_eq!(
        ask(&server, "PATCH", "mates", &json!({ "name": "checks" })).code(),
        "no-such-set"
    );
    ask(&server, "PUT", "mates", &json!({ "answer": id }));
    assert_eq!(
        ask(&server, "PATCH", "mates", &json!({ "name": "checks" })).code(),
        "set-exists"
    );
    let list = server.get("/sets");
    check("get", "/sets", &list);
    let names: Vec<_> = list.json()["sets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|set| set["name"].clone())
        .collect();
    assert_eq!(
        (names, list.json()["mayChange"].clone()),
        (vec![json!("checks"), json!("mates")], json!(true))
    );
    for name in ["checks", "mates"] {
        assert_eq!(ask(&server, "DELETE", name, &json!({})).status, 204);
    }
    assert_eq!(ask(&server, "DELETE", "mates", &json!({})).code(), "no-such-set");

    // An answer from before games were added has the positions of another state; the next answer can be saved.
    index(std::path::Path::new(&path), &["samples/studies.pgn".into()]);
    assert_eq!(ask(&server, "PUT", "mates", &json!({ "answer": id })).code(), "stale");
    std::thread::sleep(std::time::Duration::from_millis(400));
    let id = server.answer("mate");
    assert_eq!(ask(&server, "PUT", "mates", &json!({ "answer": id })).status, 200);
    drop(folder);
}

#[test]
fn sets_are_changed_only_where_that_is_allowed() {
    let (folder, path) = database();
    for arguments in [
        vec![path.as_str(), "--public"],
        vec![path.as_str(), "--host", "chess.example", "--public"],
        vec![path.as_str(), "--listen", "0.0.0.0:0", "--public"],
    ] {
        let server = match arguments[..] {
            [path, one] => Server::start([path, one]),
            [path, one, two] => Server::start([path, one, two]),
            [path, one, two, three] => Server::start([path, one, two, three]),
            _ => unreachable!(),
        };
        let id = server.answer("mate");
        assert_eq!(server.get("/sets").json()["mayChange"], false);
        assert_eq!(
            ask(&server, "PUT", "mates", &json!({ "answer": id })).code(),
            "not-allowed"
        );
        assert_eq!(
            ask(&server, "PATCH", "mates", &json!({ "name": "x" })).code(),
            "not-allowed"
        );
        assert_eq!(ask(&server, "DELETE", "mates", &json!({})).code(), "not-allowed");
    }
    // Another site can't do it either, and neither can a form.
    let server = Server::start([path.as_str()]);
    let id = server.answer("mate");
    let body = json!({ "answer": id }).to_string();
    let own = request(server.address, "PUT", "/api/v1/sets/mates", Some(&body));
    let kind = "Content-Type: application/json";
    let foreign = own.replace(kind, &format!("{kind}\r\nOrigin: http://evil.example"));
    assert_eq!(send(server.address, foreign.as_bytes()).unwrap().status, 403);
    let form = own.replace(kind, "Content-Type: text/plain");
    assert_eq!(send(server.address, form.as_bytes()).unwrap().status, 415);
    assert_eq!(server.get("/sets").json()["sets"], json!([]));
    drop(folder);
}
