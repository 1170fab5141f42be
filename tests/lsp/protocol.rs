//! The life of a server, and requests that make no sense.

use lsp_server::{Message, RequestId, Response};
use serde_json::{Value, json};

use super::client::{Client, TEXT, at, usual};

#[test]
fn a_server_begins_and_ends_in_order() {
    let mut client = Client::spawn(&["--stdio"]);
    // Before the beginning nothing is answered.
    assert_eq!(client.refused("textDocument/hover", at(0, 0)).0, -32002);
    let begun = client.ask("initialize", usual());
    assert_eq!(begun["serverInfo"]["name"], "cqldex");
    assert_eq!(begun["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(begun["capabilities"]["renameProvider"]["prepareProvider"], true);
    client.tell("initialized", json!({}));
    client.ask("shutdown", Value::Null);
    assert_eq!(client.refused("textDocument/hover", at(0, 0)).0, -32600);
    client.tell("exit", Value::Null);
    assert_eq!(client.end(), (0, String::new()));
}

#[test]
fn an_end_without_shutdown_has_another_exit_code() {
    let mut client = Client::start(&[], usual());
    client.tell("exit", Value::Null);
    assert_eq!(client.end().0, 1);
    // An editor that is gone needs no exit code.
    let client = Client::start(&[], usual());
    assert_eq!(client.end(), (0, String::new()));
}

#[test]
fn what_makes_no_sense_gets_an_error() {
    let mut client = Client::start(&[], usual());
    assert_eq!(client.refused("textDocument/nothing", json!({})).0, -32601);
    assert_eq!(
        client.refused("textDocument/hover", json!({ "textDocument": 3 })).0,
        -32602
    );
    let unknown = "the text file:///tmp/query.cql is not open";
    for method in [
        "hover",
        "completion",
        "definition",
        "prepareRename",
        "documentHighlight",
    ] {
        let method = format!("textDocument/{method}");
        assert_eq!(
            client.refused(&method, at(0, 0)),
            (-32602, unknown.to_owned()),
            "{method}"
        );
    }
    let text = json!({ "textDocument": { "uri": TEXT } });
    for method in ["documentSymbol", "semanticTokens/full", "codeLens"] {
        assert_eq!(
            client.refused(&format!("textDocument/{method}"), text.clone()).0,
            -32602,
            "{method}"
        );
    }
    for arguments in [json!([]), json!([TEXT]), json!([3])] {
        let command = json!({ "command": "cqldex.showMatches", "arguments": arguments });
        client.refused("workspace/executeCommand", command);
    }
    assert_eq!(
        client.refused("workspace/executeCommand", json!({ "command": "rm" })).0,
        -32602
    );
    // Notifications have no answer.
    client.tell("textDocument/didChange", json!({ "nothing": true }));
    client.change("mate");
    client.tell("$/cancelRequest", json!({ "id": 99 }));
    client.tell("$/nothing", json!({}));
    client.send(Message::Response(Response::new_ok(RequestId::from(77), ())));
    client.open("mate");
    assert_eq!(
        client.ask_at("textDocument/hover", 0, 1)["contents"]["kind"],
        "markdown"
    );
    client.shut_down();
}

#[test]
fn columns_count_what_was_agreed_on() {
    for (encoding, column) in [("utf-8", 4), ("utf-16", 2), ("utf-32", 2)] {
        let mut parameters = usual();
        parameters["capabilities"]["general"] = json!({ "positionEncodings": ["utf-7", encoding] });
        let mut client = Client::spawn(&[]);
        let begun = client.ask("initialize", parameters);
        assert_eq!(begun["capabilities"]["positionEncoding"], encoding);
        client.tell("initialized", json!({}));
        client.open("\u{265a} chek");
        assert_eq!(
            client.diagnostics()[0]["range"]["start"]["character"],
            column,
            "{encoding}"
        );
        client.shut_down();
    }
    // A character of two UTF-16 units.
    let mut client = Client::with("/* \u{1F600} */ chek");
    assert_eq!(client.diagnostics()[0]["range"]["start"]["character"], 9);
    client.shut_down();
}

#[test]
fn no_text_ends_the_server() {
    let texts = [
        "",
        "\u{feff}",
        "\0",
        "\"",
        "/*",
        "{{{{{{{{",
        "))))",
        "function f(",
        "function f(x) { f(x) } f(1)",
        "x = ",
        "[Aa]",
        "cql(",
        "[\u{265a}",
        "\r\r\n\n\r",
        "path {",
        "\\",
        "///",
        "1/2-1/2",
        "--",
        "{1,",
        "(match (position",
        "relation (",
        "x[1",
    ];
    let mut client = Client::with("");
    for text in texts {
        client.change(text);
        for (line, column) in [(0, 0), (0, 2), (0, 900), (3, 1), (900, 900)] {
            for method in [
                "hover",
                "completion",
                "definition",
                "documentHighlight",
                "prepareRename",
            ] {
                client.ask_at(&format!("textDocument/{method}"), line, column);
            }
            let mut rename = at(line, column);
            rename["newName"] = json!("other");
            let number = client.request("textDocument/rename", rename);
            client.response(number);
        }
        let text = json!({ "textDocument": { "uri": TEXT } });
        for method in ["documentSymbol", "semanticTokens/full", "codeLens"] {
            client.ask(&format!("textDocument/{method}"), text.clone());
        }
        let format = json!({ "textDocument": { "uri": TEXT }, "options": { "tabSize": 2, "insertSpaces": true } });
        client.ask("textDocument/formatting", format);
    }
    client.shut_down();
}
