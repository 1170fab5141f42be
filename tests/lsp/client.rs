//! A client of the protocol.

use std::collections::VecDeque;
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// The address of the text that most tests are about.
pub(crate) const TEXT: &str = "file:///tmp/query.cql";

/// A server that runs, and what it has said.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Message>,
    /// Notifications and requests of the server that nobody has taken.
    pub(crate) told: VecDeque<Message>,
    requests: i32,
    version: i32,
}

/// An editor that can do what common ones can.
pub(crate) fn usual() -> Value {
    json!({
        "capabilities": {
            "workspace": { "workspaceEdit": { "documentChanges": true } },
            "window": { "showDocument": { "support": true } },
            "textDocument": {
                "hover": { "contentFormat": ["markdown", "plaintext"] },
                "rename": { "prepareSupport": true },
                "publishDiagnostics": { "relatedInformation": true },
            },
        },
    })
}

impl Client {
    /// Starts the program, without a word of the protocol yet.
    pub(crate) fn spawn(arguments: &[&str]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cqldex"))
            .arg("lsp")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let output = child.stdout.take().unwrap();
        let read = move || {
            let mut output: BufReader<ChildStdout> = BufReader::new(output);
            while let Ok(Some(message)) = Message::read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        };
        thread::spawn(read);
        Client {
            input: child.stdin.take(),
            child,
            messages,
            told: VecDeque::new(),
            requests: 0,
            version: 0,
        }
    }

    /// A server that has been initialized.
    pub(crate) fn start(arguments: &[&str], parameters: Value) -> Client {
        let mut client = Client::spawn(arguments);
        client.ask("initialize", parameters);
        client.tell("initialized", json!({}));
        client
    }

    /// An editor that has opened a text.
    pub(crate) fn with(text: &str) -> Client {
        let mut client = Client::start(&[], usual());
        client.open(text);
        client
    }

    pub(crate) fn send(&mut self, message: Message) {
        message.write(self.input.as_mut().unwrap()).unwrap();
    }

    pub(crate) fn tell(&mut self, method: &str, parameters: Value) {
        self.send(Notification::new(method.to_owned(), parameters).into());
    }

    /// Makes a request, and gives its number.
    pub(crate) fn request(&mut self, method: &str, parameters: Value) -> i32 {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Request::new(id, method.to_owned(), parameters).into());
        self.requests
    }

    /// The response to a request.
    pub(crate) fn response(&mut self, number: i32) -> Response {
        loop {
            match self.next() {
                Message::Response(response) if response.id == RequestId::from(number) => return response,
                message => self.told.push_back(message),
            }
        }
    }

    /// What the server says next.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Message {
        self.messages.recv_timeout(PATIENCE).expect("the server says something")
    }

    /// The answer to a request.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, parameters: Value) -> Value {
        let number = self.request(method, parameters);
        let response = self.response(number);
        response
            .response_result
            .unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    /// The code and the message of the error that a request gets.
    #[track_caller]
    pub(crate) fn refused(&mut self, method: &str, parameters: Value) -> (i32, String) {
        let number = self.request(method, parameters);
        let error = self.response(number).response_result.expect_err("an error");
        (error.code, error.message)
    }

    /// Opens the text that most tests are about.
    pub(crate) fn open(&mut self, text: &str) {
        let text = json!({ "uri": TEXT, "languageId": "chess-cql", "version": 0, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": text }));
    }

    /// Changes it as a whole.
    pub(crate) fn change(&mut self, text: &str) {
        self.change_by(json!([{ "text": text }]));
    }

    pub(crate) fn change_by(&mut self, changes: Value) {
        self.version += 1;
        let text = json!({ "uri": TEXT, "version": self.version });
        self.tell(
            "textDocument/didChange",
            json!({ "textDocument": text, "contentChanges": changes }),
        );
    }

    /// A request about a place of the text: line and column.
    #[track_caller]
    pub(crate) fn ask_at(&mut self, method: &str, line: u32, column: u32) -> Value {
        self.ask(method, at(line, column))
    }

    /// The next notification of a kind, or request of the server.
    #[track_caller]
    pub(crate) fn told(&mut self, method: &str) -> Value {
        loop {
            let message = match self.told.pop_front() {
                Some(message) => message,
                None => self.next(),
            };
            match message {
                Message::Notification(found) if found.method == method => return found.params,
                Message::Request(found) if found.method == method => return found.params,
                _ => {}
            }
        }
    }

    /// The messages of the next diagnostics.
    #[track_caller]
    pub(crate) fn diagnostics(&mut self) -> Vec<Value> {
        let params = self.told("textDocument/publishDiagnostics");
        params["diagnostics"].as_array().unwrap().clone()
    }

    /// Closes its input and waits for the end; gives the exit code and what was written to standard error.
    pub(crate) fn end(mut self) -> (i32, String) {
        drop(self.input.take());
        let output = self.child.wait_with_output().unwrap();
        (
            output.status.code().unwrap_or(-1),
            String::from_utf8(output.stderr).unwrap(),
        )
    }

    /// Ends the server as the protocol wants it.
    #[track_caller]
    pub(crate) fn shut_down(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert_eq!(self.end(), (0, String::new()));
    }
}

/// The parameters of a request about a place.
pub(crate) fn at(line: u32, column: u32) -> Value {
    json!({ "textDocument": { "uri": TEXT }, "position": { "line": line, "character": column } })
}

/// A range of the protocol.
pub(crate) fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}
