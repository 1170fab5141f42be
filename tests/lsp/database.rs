//! Counts and matches in a database.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::client::{Client, TEXT, range, usual};

const GAMES: &str = "[White \"Tal, Mikhail\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Euwe, Max\"]\n\n1. e4 e5 *\n\n";

/// A database with two games.
fn database() -> (TempDir, String) {
    let folder = TempDir::new().unwrap();
    let (pgn, games) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
    std::fs::write(&pgn, GAMES).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_cqldex"))
        .arg("index")
        .args([&games, &pgn])
        .output()
        .unwrap()
        .status;
    assert!(status.success());
    (folder, games.to_str().unwrap().to_owned())
}

fn lens(client: &mut Client) -> Value {
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": TEXT } }));
    lenses[0].clone()
}

#[test]
fn a_lens_counts_what_matches() {
    let (_folder, games) = database();
    let mut client = Client::start(&["--database", &games], usual());
    client.open("mate");
    let lens = lens(&mut client);
    let counted = client.ask("codeLens/resolve", lens.clone());
    assert_eq!(counted["command"]["title"], "1 game, 1 position in games.db");
    assert_eq!(counted["command"]["command"], "cqldex.showMatches");
    assert_eq!(counted["command"]["arguments"], json!([TEXT]));
    // What ends while it runs says so.
    client.change("assert stalemate");
    let failed = client.ask("codeLens/resolve", lens);
    let title = failed["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("not counted: "), "{title}");
    client.change("mat");
    assert_eq!(super::database::lens(&mut client), Value::Null);
    client.shut_down();
}

#[test]
fn an_editor_can_name_the_database() {
    let (_folder, games) = database();
    let mut parameters = usual();
    parameters["initializationOptions"] = json!({ "database": games });
    let mut client = Client::start(&[], parameters);
    client.open("e4 & P");
    let lens = lens(&mut client);
    let counted = client.ask("codeLens/resolve", lens);
    assert_eq!(counted["command"]["title"], "1 game, 2 positions in games.db");
    client.shut_down();
    let mut client = Client::start(&[], usual());
    client.open("mate");
    assert_eq!(super::database::lens(&mut client), Value::Null);
    let (_, message) = client.refused(
        "workspace/executeCommand",
        json!({ "command": "cqldex.showMatches", "arguments": [TEXT] }),
    );
    assert!(message.contains("--database"), "{message}");
    client.shut_down();
}

#[test]
fn a_database_that_is_missing_is_named() {
    let mut client = Client::start(&["--database", "no/such/games.db"], usual());
    client.open("mate");
    let lens = lens(&mut client);
    let failed = client.ask("codeLens/resolve", lens);
    let title = failed["command"]["title"].as_str().unwrap();
    assert!(
        title.starts_with("not counted: ") && title.contains("games.db"),
        "{title}"
    );
    client.shut_down();
}

#[test]
fn the_matching_games_are_shown() {
    let (_folder, games) = database();
    let mut client = Client::start(&["--database", &games], usual());
    client.open("mate");
    let context = json!({ "diagnostics": [] });
    let parameters = json!({ "textDocument": { "uri": TEXT }, "range": range(0, 0, 0), "context": context });
    let actions = client.ask("textDocument/codeAction", parameters);
    let action = actions.as_array().unwrap().last().unwrap().clone();
    assert_eq!(action["title"], "Show what matches in games.db");
    let answer = client.ask("workspace/executeCommand", action["command"].clone());
    assert_eq!((&answer["games"], &answer["positions"]), (&json!(1), &json!(1)));
    let file = answer["file"].as_str().unwrap().to_owned();
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(
        written.contains("Tal, Mikhail") && !written.contains("Euwe"),
        "{written}"
    );
    let message = client.told("window/showMessage");
    assert!(
        message["message"]
            .as_str()
            .unwrap()
            .starts_with("1 game, 1 position in games.db; "),
        "{message}"
    );
    let shown = client.told("window/showDocument");
    assert!(shown["uri"].as_str().unwrap().ends_with("query.pgn"), "{shown}");
    client.shut_down();
    assert!(!Path::new(&file).exists(), "the file goes with the server");
}

#[test]
fn names_of_the_games_are_completed() {
    let (_folder, games) = database();
    let mut client = Client::start(&["--database", &games], usual());
    client.open("player \"Ta\"");
    // They are read beside the server.
    for _ in 0..600 {
        let found = client.ask_at("textDocument/completion", 0, 10);
        assert_eq!(found["isIncomplete"], true);
        if found["items"][0]["label"] == "Tal, Mikhail" {
            assert_eq!(found["items"][0]["detail"], "1 game");
            return client.shut_down();
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("no player is offered");
}

/// It counts for longer than anybody waits.
const SLOW: &str = "x = 0 while (x < 1000000000) { x += 1 }";

#[test]
fn a_count_ends_when_it_is_no_longer_wanted() {
    let (_folder, games) = database();
    let mut client = Client::start(&["--database", &games], usual());
    client.open(SLOW);
    let lens = lens(&mut client);
    let number = client.request("codeLens/resolve", lens.clone());
    // The server answers others in the meantime.
    assert_ne!(client.ask_at("textDocument/hover", 0, 8), Value::Null);
    client.tell("$/cancelRequest", json!({ "id": number }));
    assert_eq!(client.response(number).response_result.unwrap_err().code, -32800);
    let number = client.request("codeLens/resolve", lens.clone());
    client.change("mate");
    assert_eq!(client.response(number).response_result.unwrap_err().code, -32801);
    client.change(SLOW);
    client.request("codeLens/resolve", lens);
    client.shut_down();
}
