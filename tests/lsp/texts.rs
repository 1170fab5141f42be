//! What the server says of a text.

use serde_json::{Value, json};

use super::client::{Client, TEXT, at, range, usual};

fn labels(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().unwrap().iter();
    items.map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn errors_come_and_go_with_the_text() {
    let mut client = Client::with("Kg1\nmate chek");
    let found = client.diagnostics();
    assert_eq!(found[0]["code"], "Q301");
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "cqldex");
    assert_eq!(found[0]["range"], range(1, 5, 9));
    let message = found[0]["message"].as_str().unwrap();
    assert!(message.contains("did you mean `check`?"), "{message}");
    // An edit of a few letters.
    client.change_by(json!([{ "range": range(1, 8, 8), "text": "c" }]));
    assert!(client.diagnostics().is_empty());
    client.change("mate chek");
    assert_eq!(client.diagnostics().len(), 1);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": TEXT } }));
    assert!(client.diagnostics().is_empty());
    client.shut_down();
}

#[test]
fn all_errors_are_told_and_warnings_are_told_apart() {
    let mut client = Client::with("mate chek\n#R = 2");
    let codes: Vec<Value> = client
        .diagnostics()
        .into_iter()
        .map(|found| found["code"].clone())
        .collect();
    assert_eq!(codes, ["Q301", "Q205"]);
    client.change("x = 3 mate");
    let found = client.diagnostics();
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("W201"), &json!(2)));
    // An editor shows it in grey.
    assert_eq!(found[0]["tags"], json!([1]));
    client.shut_down();
}

#[test]
fn what_is_missing_at_the_end_can_be_seen() {
    let mut client = Client::with("mate x =\n\n");
    assert_eq!(client.diagnostics()[0]["range"], range(0, 7, 8));
    client.shut_down();
}

#[test]
fn hover_gives_the_reference() {
    let mut client = Client::with("flip { R attacks k }\nking = k\nking attacks [QR]a1");
    let hover = client.ask_at("textDocument/hover", 0, 11);
    assert_eq!(hover["range"], range(0, 9, 16));
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(
        text.starts_with("```chesscql\nS attacks T, S -> T\n```\nthe squares of S whose man attacks a square of T"),
        "{text}"
    );
    assert!(text.contains("Example:\n```chesscql\n"), "{text}");
    let name = client.ask_at("textDocument/hover", 2, 1);
    assert_eq!(
        name["contents"]["value"],
        "```chesscql\nking = k\n```\na set variable; line 2"
    );
    let men = client.ask_at("textDocument/hover", 2, 14);
    assert_eq!(
        men["contents"]["value"],
        "```chesscql\n[QR]a1\n```\na white rook or a white queen, on a1"
    );
    assert_eq!(client.ask_at("textDocument/hover", 0, 6), Value::Null);
    client.shut_down();
}

#[test]
fn an_editor_without_markdown_gets_plain_text() {
    let mut client = Client::start(&[], json!({ "capabilities": {} }));
    client.open("mate");
    let hover = client.ask_at("textDocument/hover", 0, 1);
    assert_eq!(hover["contents"]["kind"], "plaintext");
    assert!(!hover["contents"]["value"].as_str().unwrap().contains('`'));
    client.shut_down();
}

#[test]
fn completions_fit_their_place() {
    let mut client = Client::with("cql(q");
    let found = client.ask_at("textDocument/completion", 0, 5);
    assert_eq!(labels(&found), ["quiet"]);
    assert_eq!(found["items"][0]["textEdit"]["range"], range(0, 4, 5));
    client.change("early = 3\nK att\ncql");
    let found = client.ask_at("textDocument/completion", 1, 5);
    assert_eq!(labels(&found), ["attack", "attackedby", "attacks"]);
    assert_eq!(found["items"][2]["detail"], "S attacks T, S -> T");
    let found = client.ask_at("textDocument/completion", 1, 0);
    let all = labels(&found);
    assert!(
        all.contains(&"early") && all.contains(&"mate") && all.contains(&"K"),
        "{all:?}"
    );
    assert!(!all.contains(&"matchcount"), "{all:?}");
    client.change("// ma");
    assert!(labels(&client.ask_at("textDocument/completion", 0, 5)).is_empty());
    client.shut_down();
}

const FUNCTION: &str = "function near(x) { x attacks k }\nx = R\nnear(x) isbound \"x\"";

#[test]
fn names_lead_to_their_definition() {
    let mut client = Client::with(FUNCTION);
    let definition = client.ask_at("textDocument/definition", 2, 5);
    assert_eq!(definition, json!({ "uri": TEXT, "range": range(1, 0, 1) }));
    assert_eq!(
        client.ask_at("textDocument/definition", 0, 19)["range"],
        range(0, 14, 15)
    );
    assert_eq!(client.ask_at("textDocument/definition", 2, 1)["range"], range(0, 9, 13));
    assert_eq!(client.ask_at("textDocument/definition", 0, 25), Value::Null);
    let mut parameters = at(1, 0);
    parameters["context"] = json!({ "includeDeclaration": true });
    let places = client.ask("textDocument/references", parameters.clone());
    let ranges: Vec<&Value> = places.as_array().unwrap().iter().map(|place| &place["range"]).collect();
    assert_eq!(ranges, [&range(1, 0, 1), &range(2, 5, 6), &range(2, 17, 18)]);
    parameters["context"] = json!({ "includeDeclaration": false });
    assert_eq!(
        client
            .ask("textDocument/references", parameters)
            .as_array()
            .unwrap()
            .len(),
        2
    );
    assert_eq!(
        client
            .ask_at("textDocument/documentHighlight", 0, 14)
            .as_array()
            .unwrap()
            .len(),
        2
    );
    client.shut_down();
}

#[test]
fn names_can_be_changed() {
    let mut client = Client::with(FUNCTION);
    let place = client.ask_at("textDocument/prepareRename", 2, 5);
    assert_eq!(place, json!({ "range": range(2, 5, 6), "placeholder": "x" }));
    let mut parameters = at(2, 5);
    parameters["newName"] = json!("rook");
    let edit = client.ask("textDocument/rename", parameters.clone());
    let edits = edit["documentChanges"][0]["edits"].as_array().unwrap();
    assert_eq!(edit["documentChanges"][0]["textDocument"]["uri"], TEXT);
    let edited: Vec<&Value> = edits.iter().map(|edit| &edit["range"]).collect();
    assert_eq!(edited, [&range(1, 0, 1), &range(2, 5, 6), &range(2, 17, 18)]);
    assert!(edits.iter().all(|edit| edit["newText"] == "rook"));
    parameters["newName"] = json!("mate");
    let (_, message) = client.refused("textDocument/rename", parameters.clone());
    assert_eq!(message, "`mate` is a reserved word");
    parameters["newName"] = json!("near");
    client.refused("textDocument/rename", parameters);
    client.shut_down();
    // An older editor wants the changes in another form.
    let mut client = Client::start(&[], json!({ "capabilities": {} }));
    client.open(FUNCTION);
    let mut parameters = at(0, 14);
    parameters["newName"] = json!("square1");
    let edit = client.ask("textDocument/rename", parameters);
    assert_eq!(edit["changes"][TEXT].as_array().unwrap().len(), 2);
    client.shut_down();
}

#[test]
fn symbols_are_functions_and_variables() {
    let mut client = Client::with(FUNCTION);
    let symbols = client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": TEXT } }),
    );
    let names: Vec<&Value> = symbols
        .as_array()
        .unwrap()
        .iter()
        .map(|symbol| &symbol["name"])
        .collect();
    assert_eq!(names, ["near", "x"]);
    assert_eq!(symbols[0]["range"], range(0, 0, 32));
    assert_eq!(symbols[0]["selectionRange"], range(0, 9, 13));
    client.shut_down();
}

#[test]
fn a_query_is_laid_out() {
    let mut client = Client::with("flip{Kg1   Bd3}");
    let parameters = json!({ "textDocument": { "uri": TEXT }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", parameters.clone());
    assert_eq!(edits.as_array().unwrap().len(), 1);
    client.change("flip { Kg1 Bd3 }\n");
    assert_eq!(client.ask("textDocument/formatting", parameters.clone()), json!([]));
    client.change("flip {");
    assert_eq!(client.ask("textDocument/formatting", parameters), Value::Null);
    client.shut_down();
}

#[test]
fn colors_cover_the_text() {
    let mut client = Client::with("x = 3 /* two\nlines */ mate\n\u{265a}a1 clock > x");
    let tokens = client.ask(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": { "uri": TEXT } }),
    );
    let data: Vec<u64> = tokens["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_u64().unwrap())
        .collect();
    let types: Vec<u64> = data.chunks(5).map(|token| token[3]).collect();
    // Variable, sign, number, comment on two lines, word, men, word of an extension, sign, variable.
    assert_eq!(types, [1, 7, 4, 8, 8, 0, 6, 0, 7, 1]);
    let lines: u64 = data.chunks(5).map(|token| token[0]).sum();
    assert_eq!(lines, 2);
    assert_eq!(data.chunks(5).nth(6).unwrap()[2], 3);
    client.shut_down();
}

#[test]
fn corrections_and_other_spellings_are_offered() {
    let mut client = Client::with("R -> k");
    let ask = |client: &mut Client, only: Value| {
        let context = json!({ "diagnostics": [], "only": only });
        let text = json!({ "uri": TEXT });
        let parameters = json!({ "textDocument": text, "range": range(0, 0, 6), "context": context });
        let found = client.ask("textDocument/codeAction", parameters);
        let titles = found
            .as_array()
            .unwrap()
            .iter()
            .map(|action| action["title"].as_str().unwrap().to_owned());
        titles.collect::<Vec<String>>()
    };
    assert_eq!(ask(&mut client, Value::Null), ["Write it with symbols"]);
    assert_eq!(ask(&mut client, json!(["refactor"])), ["Write it with symbols"]);
    assert!(ask(&mut client, json!(["quickfix"])).is_empty());
    client.change("mate chek");
    assert_eq!(ask(&mut client, json!(["quickfix"])), ["Write `check`"]);
    client.change("(match (position Rc3 qg3))");
    assert_eq!(ask(&mut client, Value::Null), ["Write it in CQL 6.2"]);
    client.shut_down();
}

#[test]
fn extensions_are_errors_if_that_is_wanted() {
    let mut client = Client::start(&["--strict"], usual());
    client.open("clock > 3");
    assert_eq!(client.diagnostics().len(), 1);
    client.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "cqldex": { "strict": false } } }),
    );
    assert!(client.diagnostics().is_empty());
    client.shut_down();
}
