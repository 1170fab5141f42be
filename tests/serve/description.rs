//! `openapi.json` against the addresses that there are, and against what they answer.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Answer, request, send};
use crate::server::{Server, samples};

const METHODS: [&str; 5] = ["get", "put", "post", "patch", "delete"];

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn description() -> Value {
    serde_json::from_str(&read("src/serve/openapi.json")).unwrap()
}

/// Paths and methods of the description.
fn described() -> BTreeSet<(String, String)> {
    let document = description();
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, operations)| {
        let operations = operations.as_object().unwrap().keys();
        operations.map(move |method| (path.clone(), method.clone()))
    });
    operations.collect()
}

/// Paths and methods of the router, as its source says them.
fn routed() -> BTreeSet<(String, String)> {
    let source = read("src/serve/routes.rs").replace(['\n', ' '], "");
    let mut found = BTreeSet::new();
    for route in source.split(".route(\"").skip(1) {
        let (path, handlers) = route.split_once("\",").unwrap();
        let handlers = handlers.split(")).").next().unwrap();
        for method in METHODS {
            if handlers.starts_with(&format!("{method}(")) || handlers.contains(&format!(").{method}(")) {
                found.insert((path.to_owned(), method.to_owned()));
            }
        }
    }
    // The same address with an ending.
    found.insert(("/games/{number}.pgn".to_owned(), "get".to_owned()));
    found
}

/// Checks an answer against the schema of its operation.
#[track_caller]
pub(crate) fn check(method: &str, path: &str, answer: &Answer) {
    let document = description();
    let operation = &document["paths"][path][method];
    let status = answer.status.to_string();
    let response = match &operation["responses"][&status] {
        Value::Null => &operation["responses"]["default"],
        response => response,
    };
    assert!(response.is_object(), "{method} {path} has no answer {status}");
    let kind = answer.header("content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap();
    let Some(content) = response["content"].as_object() else {
        return assert!(answer.body.is_empty(), "{method} {path} {status} has a body");
    };
    let schema = &content
        .get(kind)
        .unwrap_or_else(|| panic!("{method} {path} {status}: {kind}"))["schema"];
    match kind {
        "application/json" => valid(&document, schema, &answer.json()),
        "application/x-ndjson" if path == "/search" => {
            answer.lines().iter().for_each(|line| valid(&document, schema, line));
        }
        _ => {}
    }
}

#[track_caller]
fn valid(document: &Value, schema: &Value, value: &Value) {
    let mut schema = schema.clone();
    schema["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
}

#[test]
fn every_address_is_described_and_every_description_has_an_address() {
    assert_eq!(routed(), described());
    assert!(described().len() > 20);
}

#[test]
fn methods_that_are_not_described_are_refused() {
    let server = Server::of_samples();
    for (path, _) in described() {
        let plain = path
            .replace("{id}", "x")
            .replace("{number}", "1")
            .replace("{name}", "x")
            .replace("{code}", "Q205");
        for method in METHODS {
            let is_described = described().contains(&(path.clone(), method.to_owned()));
            let bytes = request(
                server.address,
                &method.to_uppercase(),
                &format!("/api/v1{plain}"),
                Some("{}"),
            );
            let answer = send(server.address, bytes.as_bytes()).unwrap();
            assert_eq!(
                answer.status == 405,
                !is_described,
                "{method} {plain}: {}",
                answer.text()
            );
        }
    }
}

/// Asks everything once; the answers are as described, and so are those to mistakes.
#[test]
fn answers_are_as_described() {
    let server = Server::of_samples();
    let get = |path: &str, description: &str| {
        let answer = server.get(path);
        check("get", description, &answer);
        answer
    };
    let post = |path: &str, body: &Value| {
        let answer = server.post(path, body);
        check("post", path, &answer);
        answer
    };
    for path in [
        "/server",
        "/words",
        "/themes",
        "/stats",
        "/sets",
        "/databases",
        "/imports",
        "/openapi.json",
    ] {
        assert_eq!(get(path, path).status, 200, "{path}");
    }
    for (code, status) in [("Q205", 200), ("w102", 200), ("Q101", 200), ("Q999", 404)] {
        assert_eq!(
            get(&format!("/errors/{code}"), "/errors/{code}").status,
            status,
            "{code}"
        );
    }
    let texts = [
        json!({ "query": "flip { Kg1 Rf1 } btm", "marks": true, "first": 3, "page": "one" }),
        json!({ "query": "terminal sort \"length\" ply sort \"who\" player white" }),
        json!({ "query": "cql(variations) check", "dialect": "cql6", "variations": true, "games": ["year >= 1800"] }),
        json!({ "query": "fen ~~ \"^8\" message \"hello\" sort ply" }),
        json!({ "query": "chek" }),
        json!({ "query": "x = 1 loop x += 1", "first": 0 }),
        json!({ "query": "check", "within": ["nothing"] }),
        json!({ "query": "check", "transforms": ["turn"] }),
        json!({ "quary": "check" }),
    ];
    for body in &texts {
        post("/search", body);
    }
    let id = server.answer("cql(variations) check");
    let sorted = server.answer("sort \"length\" ply terminal");
    for id in [&id, &sorted, &"gone".to_owned()] {
        for order in [
            "found", "year", "-year", "rating", "-rating", "white", "black", "matches",
        ] {
            get(&format!("/answers/{id}?from=2&count=5&sort={order}"), "/answers/{id}");
            get(
                &format!("/answers/{id}/games?from=1&count=5&sort={order}"),
                "/answers/{id}/games",
            );
        }
        for by in ["year", "result", "eco", "opening", "move", "rating", "side", "weather"] {
            get(&format!("/answers/{id}/counts?by={by}"), "/answers/{id}/counts");
        }
        for set in [
            "N",
            "check",
            "chek",
            "n%20attacks%20K",
            "piece%20x%20in%20N%20(fen%20~~%20%22a%22)",
        ] {
            get(&format!("/answers/{id}/squares?set={set}"), "/answers/{id}/squares");
        }
        for format in [
            "pgn",
            "jsonl",
            "csv",
            "json",
            "arrow",
            "parquet",
            "xml",
            "csv&columns=game,move",
            "csv&columns=gme",
            "pgn&columns=game",
        ] {
            get(
                &format!("/answers/{id}/download?format={format}"),
                "/answers/{id}/download",
            );
        }
        get(&format!("/games/1?answer={id}"), "/games/{number}");
    }
    for number in ["1", "2", "0", "999999", "x", "99999999999999999999999"] {
        get(&format!("/games/{number}"), "/games/{number}");
        get(&format!("/games/{number}.pgn"), "/games/{number}.pgn");
    }
    for at in [0, 3, 5, 9, 100] {
        post("/check", &json!({ "query": "flip Kg1 -- \u{2659} // x", "at": at }));
    }
    for body in [
        json!({ "query": "" }),
        json!({ "query": "(match (position Rc3))" }),
        json!({ "query": "Kg1 chek \"" }),
    ] {
        post("/check", &body);
        post("/translate", &body);
        post("/explain", &body);
    }
    for body in [
        json!({ "query": "shift flip { Kg1 attacks q }", "analyze": true }),
        json!({ "query": "fen ~~ \"8\"", "analyze": true }),
    ] {
        assert_eq!(post("/explain", &body).status, 200);
    }
    for to in ["ascii", "unicode", "latin"] {
        post("/convert", &json!({ "query": "R attacks k", "to": to }));
        post("/convert", &json!({ "query": "\"", "to": to }));
    }
    get("/imports/x", "/imports/{id}");
    check(
        "put",
        "/imports/{id}",
        &server.ask("PUT", "/imports/x?db=new.db&file=x.pgn", ""),
    );
    check("delete", "/imports/{id}", &server.ask("DELETE", "/imports/x", ""));
    check(
        "delete",
        "/answers/{id}",
        &server.ask("DELETE", &format!("/answers/{id}"), ""),
    );
    assert_eq!(get(&format!("/answers/{id}"), "/answers/{id}").code(), "answer-gone");
    get("/stats?db=other", "/stats");
}

#[test]
fn databases_are_named_by_their_folders() {
    let folder = samples().parent().unwrap().to_str().unwrap();
    let server = Server::start(["--root", folder]);
    let all = server.get("/databases");
    check("get", "/databases", &all);
    let all = all.json();
    assert_eq!(
        (&all["default"], &all["databases"][0]["name"]),
        (&Value::Null, &json!("samples.db"))
    );
    assert_eq!(server.get("/stats?db=samples.db").json()["database"], "samples.db");
    for name in [
        "",
        "..",
        "../samples.db",
        "/etc",
        "nothing.db",
        "samples.db/../samples.db",
        ".hidden",
        "%00",
    ] {
        let answer = server.get(&format!("/stats?db={name}"));
        check("get", "/stats", &answer);
        assert_eq!(answer.code(), "no-such-database", "{name}");
    }
}
