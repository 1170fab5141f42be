//! Messages of the editor, one after the other.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cqldex::editor::Encoding;
use crossbeam_channel::{SendError, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CancelParams, CodeLens, InitializeParams, InitializeResult, MessageType, NumberOrString, PublishDiagnosticsParams,
    ServerInfo, ShowDocumentParams, ShowMessageParams, TextDocumentIdentifier, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::capabilities::capabilities;
use super::client::Client;
use super::games::Games;
use super::jobs::{Ended, Jobs, Written};
use super::open::{Open, changed};
use super::refusal::Refusal;
use super::{Settings, actions, answers, convert, semantic};

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// As the protocol wants it: `shutdown`, then `exit`.
    InOrder,
    /// `exit` came without `shutdown`, for which the protocol wants another exit code.
    Abrupt,
}

/// The editor does not keep to the protocol.
#[derive(Debug)]
pub(crate) struct ProtocolFailure(pub(crate) String);

impl From<SendError<Message>> for ProtocolFailure {
    fn from(_: SendError<Message>) -> ProtocolFailure {
        ProtocolFailure("the editor reads no answers".to_owned())
    }
}

/// A server that has been initialized.
pub(super) struct Server<'c> {
    connection: &'c Connection,
    client: Client,
    settings: Settings,
    texts: HashMap<String, Open>,
    games: Option<Arc<Games>>,
    jobs: Jobs,
    /// Where files with matches are written.
    folder: Option<tempfile::TempDir>,
    /// How many requests the server has made.
    requests: i32,
    is_shut_down: bool,
}

type Sent = Result<(), ProtocolFailure>;

impl<'c> Server<'c> {
    /// Waits for the request that begins everything, and answers it.
    pub(super) fn start(connection: &'c Connection, settings: Settings) -> Result<Server<'c>, ProtocolFailure> {
        let failure = |error: &dyn std::fmt::Display| ProtocolFailure(error.to_string());
        let (id, params) = connection.initialize_start().map_err(|error| failure(&error))?;
        let params: InitializeParams = serde_json::from_value(params).map_err(|error| failure(&error))?;
        let mut server = Server {
            connection,
            client: Client::of(&params),
            settings,
            texts: HashMap::new(),
            games: None,
            jobs: Jobs::new(),
            folder: None,
            requests: 0,
            is_shut_down: false,
        };
        server.open_database();
        server.configure(params.initialization_options.as_ref());
        let result = InitializeResult {
            capabilities: capabilities(&server.client),
            server_info: Some(ServerInfo {
                name: "cqldex".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
        };
        server.send(Response::new_ok(id, result))?;
        Ok(server)
    }

    /// Answers until the end.
    pub(super) fn run(mut self) -> Result<End, ProtocolFailure> {
        let end = loop {
            select! {
                recv(self.connection.receiver) -> message => match message {
                    Ok(Message::Request(request)) => self.request(request)?,
                    Ok(Message::Notification(found)) if found.method == notification::Exit::METHOD => break match self.is_shut_down {
                        true => End::InOrder,
                        false => End::Abrupt,
                    },
                    Ok(Message::Notification(notification)) => self.notification(notification)?,
                    Ok(Message::Response(_)) => {}
                    // The editor is gone.
                    Err(_) => break End::InOrder,
                },
                recv(self.jobs.ended()) -> ended => if let Ok(ended) = ended {
                    self.ended(ended)?;
                },
            }
        };
        self.jobs.end();
        Ok(end)
    }

    fn send(&self, message: impl Into<Message>) -> Sent {
        Ok(self.connection.sender.send(message.into())?)
    }

    fn notify<N: notification::Notification>(&self, params: &N::Params) -> Sent {
        self.send(Notification::new(N::METHOD.to_owned(), params))
    }

    fn request(&mut self, request: Request) -> Sent {
        let id = request.id.clone();
        match self.answer(request) {
            Ok(Some(value)) => self.send(Response::new_ok(id, value)),
            Ok(None) => Ok(()),
            Err(refusal) => self.send(refusal.response(id)),
        }
    }

    /// The answer to a request; `None` if it comes later.
    fn answer(&mut self, request: Request) -> Result<Option<Value>, Refusal> {
        if self.is_shut_down {
            return Err(Refusal::new(ErrorCode::InvalidRequest, "the server is shut down"));
        }
        let Request { id, method, params } = request;
        let client = self.client;
        let value = match method.as_str() {
            request::Shutdown::METHOD => {
                self.is_shut_down = true;
                self.jobs.outdate(None);
                Value::Null
            }
            request::HoverRequest::METHOD => {
                let at = read::<request::HoverRequest>(params)?.text_document_position_params;
                json!(answers::hover(self.text(&at.text_document)?, at.position, &client))
            }
            request::Completion::METHOD => {
                let at = read::<request::Completion>(params)?.text_document_position;
                let open = self.text(&at.text_document)?;
                let offered = |what, typed: &str| {
                    self.games
                        .as_ref()
                        .map(|games| games.offered(what, typed))
                        .unwrap_or_default()
                };
                let found = open.document.complete(open.byte(at.position), &offered);
                json!(answers::completions(open, found, &client))
            }
            request::GotoDefinition::METHOD => {
                let at = read::<request::GotoDefinition>(params)?.text_document_position_params;
                json!(answers::definition(self.text(&at.text_document)?, at.position))
            }
            request::References::METHOD => {
                let params = read::<request::References>(params)?;
                let at = params.text_document_position;
                let open = self.text(&at.text_document)?;
                json!(answers::references(
                    open,
                    at.position,
                    params.context.include_declaration
                ))
            }
            request::DocumentHighlightRequest::METHOD => {
                let at = read::<request::DocumentHighlightRequest>(params)?.text_document_position_params;
                json!(answers::highlights(self.text(&at.text_document)?, at.position))
            }
            request::PrepareRenameRequest::METHOD => {
                let at = read::<request::PrepareRenameRequest>(params)?;
                json!(answers::prepare_rename(self.text(&at.text_document)?, at.position))
            }
            request::Rename::METHOD => {
                let params = read::<request::Rename>(params)?;
                let at = params.text_document_position;
                let open = self.text(&at.text_document)?;
                json!(answers::rename(open, at.position, &params.new_name, &client)?)
            }
            request::DocumentSymbolRequest::METHOD => {
                let params = read::<request::DocumentSymbolRequest>(params)?;
                json!(answers::symbols(self.text(&params.text_document)?))
            }
            request::Formatting::METHOD => {
                let params = read::<request::Formatting>(params)?;
                json!(answers::format(self.text(&params.text_document)?))
            }
            request::SemanticTokensFullRequest::METHOD => {
                let params = read::<request::SemanticTokensFullRequest>(params)?;
                json!(semantic::tokens(self.text(&params.text_document)?))
            }
            request::CodeActionRequest::METHOD => {
                let params = read::<request::CodeActionRequest>(params)?;
                let open = self.text(&params.text_document)?;
                let database = self.games.as_ref().map(|games| games.name());
                json!(actions::actions(
                    open,
                    params.range,
                    &params.context,
                    database.as_deref(),
                    &client
                ))
            }
            request::CodeLensRequest::METHOD => {
                let params = read::<request::CodeLensRequest>(params)?;
                let open = self.text(&params.text_document)?;
                match self.games {
                    Some(_) => json!(answers::lenses(open)),
                    None => json!([]),
                }
            }
            request::CodeLensResolve::METHOD => return self.count(id, read::<request::CodeLensResolve>(params)?),
            request::ExecuteCommand::METHOD => {
                let params = read::<request::ExecuteCommand>(params)?;
                match (
                    params.command.as_str(),
                    params.arguments.first().and_then(Value::as_str),
                ) {
                    (actions::SHOW_MATCHES, Some(uri)) => return self.show_matches(id, uri),
                    (actions::SHOW_MATCHES, None) => {
                        return Err(Refusal::parameters("the command needs the address of a text"));
                    }
                    (other, _) => return Err(Refusal::parameters(format!("there is no command `{other}`"))),
                }
            }
            other => {
                return Err(Refusal::new(
                    ErrorCode::MethodNotFound,
                    format!("there is no request `{other}`"),
                ));
            }
        };
        Ok(Some(value))
    }

    /// Counts what matches, beside the server.
    fn count(&mut self, id: RequestId, lens: CodeLens) -> Result<Option<Value>, Refusal> {
        let uri = lens.data.as_ref().and_then(|data| data["uri"].as_str());
        let uri = uri
            .ok_or_else(|| Refusal::parameters("the lens is not one of this server"))?
            .to_owned();
        let (query, games) = self.query(&uri)?;
        self.jobs.count(id, uri, lens, query, games).map(|()| None)
    }

    /// Writes what matches to a file, beside the server.
    fn show_matches(&mut self, id: RequestId, uri: &str) -> Result<Option<Value>, Refusal> {
        let (query, games) = self.query(uri)?;
        let file = self.file_for(uri)?;
        self.jobs.write(id, uri.to_owned(), file, query, games).map(|()| None)
    }

    /// The query of a text and the database to ask.
    fn query(&self, uri: &str) -> Result<(cqldex::Query, Arc<Games>), Refusal> {
        let games = self
            .games
            .as_ref()
            .ok_or_else(|| Refusal::failed("no database is named: start with --database"))?;
        let query = self.named(uri)?.checked.query.as_ref();
        let query = query.ok_or_else(|| Refusal::failed("the query has an error"))?;
        Ok((query.clone(), Arc::clone(games)))
    }

    /// The file for the matches of a text.
    fn file_for(&mut self, uri: &str) -> Result<PathBuf, Refusal> {
        let name: String = self
            .named(uri)?
            .name()
            .chars()
            .filter(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(*letter))
            .collect();
        let name = name.trim_start_matches('.').trim_end_matches(".cql").to_owned();
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => tempfile::Builder::new()
                .prefix("cqldex-")
                .tempdir()
                .map_err(|error| Refusal::failed(error.to_string()))?,
        };
        let file = folder
            .path()
            .join(format!("{}.pgn", if name.is_empty() { "matches" } else { &name }));
        self.folder = Some(folder);
        Ok(file)
    }

    /// Answers a request whose search has ended, and shows the file that it has written.
    fn ended(&mut self, ended: Ended) -> Sent {
        let (response, written) = self.jobs.finish(ended);
        self.send(response)?;
        let Some(Written { file, message }) = written else {
            return Ok(());
        };
        self.notify::<notification::ShowMessage>(&ShowMessageParams {
            typ: MessageType::INFO,
            message,
        })?;
        let uri = address(&file).parse::<Uri>();
        match uri {
            Ok(uri) if self.client.shows_documents && file.exists() => {
                let params = ShowDocumentParams {
                    uri,
                    external: Some(false),
                    take_focus: Some(true),
                    selection: None,
                };
                self.requests += 1;
                let id = RequestId::from(self.requests);
                self.send(Request::new(id, request::ShowDocument::METHOD.to_owned(), params))
            }
            _ => Ok(()),
        }
    }

    fn notification(&mut self, found: Notification) -> Sent {
        // A notification has no answer, so that one that makes no sense is left out.
        let Notification { method, params } = found;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                let Ok(params) = notified::<notification::DidOpenTextDocument>(params) else {
                    return Ok(());
                };
                let text = params.text_document;
                self.put(text.uri, text.version, text.text)
            }
            notification::DidChangeTextDocument::METHOD => {
                let Ok(params) = notified::<notification::DidChangeTextDocument>(params) else {
                    return Ok(());
                };
                let Some(open) = self.texts.remove(params.text_document.uri.as_str()) else {
                    return Ok(());
                };
                let text = changed(open.text().to_owned(), params.content_changes, self.client.encoding);
                self.put(open.uri, params.text_document.version, text)
            }
            notification::DidCloseTextDocument::METHOD => {
                let Ok(params) = notified::<notification::DidCloseTextDocument>(params) else {
                    return Ok(());
                };
                let uri = params.text_document.uri;
                self.jobs.outdate(Some(uri.as_str()));
                self.texts.remove(uri.as_str());
                let none = PublishDiagnosticsParams::new(uri, Vec::new(), None);
                self.notify::<notification::PublishDiagnostics>(&none)
            }
            notification::DidChangeConfiguration::METHOD => {
                let Ok(params) = notified::<notification::DidChangeConfiguration>(params) else {
                    return Ok(());
                };
                let settings = params.settings.get("cqldex").unwrap_or(&params.settings).clone();
                self.configure(Some(&settings));
                self.check_again()
            }
            notification::Cancel::METHOD => {
                if let Ok(CancelParams { id }) = notified::<notification::Cancel>(params) {
                    self.jobs.cancel(&match id {
                        NumberOrString::Number(number) => RequestId::from(number),
                        NumberOrString::String(text) => RequestId::from(text),
                    });
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reads a text, and tells what is wrong with it.
    fn put(&mut self, uri: Uri, version: i32, text: String) -> Sent {
        self.jobs.outdate(Some(uri.as_str()));
        let encoding: Encoding = self.client.encoding;
        let open = Open::new(uri, version, text, encoding, self.settings.strict);
        let found = convert::diagnostics(&open, &self.client);
        let params = PublishDiagnosticsParams::new(open.uri.clone(), found, Some(version));
        self.texts.insert(open.uri.as_str().to_owned(), open);
        self.notify::<notification::PublishDiagnostics>(&params)
    }

    fn check_again(&mut self) -> Sent {
        let texts: Vec<Open> = self.texts.drain().map(|(_, open)| open).collect();
        texts.into_iter().try_for_each(|open| {
            let text = open.text().to_owned();
            self.put(open.uri, open.version, text)
        })
    }

    /// Takes what the editor says; what it leaves out stays.
    fn configure(&mut self, options: Option<&Value>) {
        let Some(options) = options else { return };
        if let Some(strict) = options.get("strict").and_then(Value::as_bool) {
            self.settings.strict = strict;
        }
        if let Some(database) = options
            .get("database")
            .and_then(Value::as_str)
            .filter(|path| !path.is_empty())
        {
            self.settings.database = Some(PathBuf::from(database));
            self.open_database();
        }
    }

    /// Names the database; it is opened when it is first needed.
    fn open_database(&mut self) {
        let known = self.games.as_ref().map(|games| games.path());
        if known != self.settings.database.as_deref() {
            self.jobs.outdate(None);
            self.games = self.settings.database.clone().map(|path| Arc::new(Games::new(path)));
        }
    }

    fn text(&self, text: &TextDocumentIdentifier) -> Result<&Open, Refusal> {
        self.named(text.uri.as_str())
    }

    fn named(&self, uri: &str) -> Result<&Open, Refusal> {
        self.texts
            .get(uri)
            .ok_or_else(|| Refusal::parameters(format!("the text {uri} is not open")))
    }
}

/// The address of a file.
fn address(file: &Path) -> String {
    let path = file.to_string_lossy().replace('\\', "/");
    let mut address = "file://".to_owned();
    if !path.starts_with('/') {
        address.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                address.push(char::from(byte));
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address
}

/// The parameters of a request.
fn read<R: request::Request>(params: Value) -> Result<R::Params, Refusal>
where
    R::Params: DeserializeOwned,
{
    serde_json::from_value(params).map_err(|error| Refusal::parameters(error.to_string()))
}

/// The parameters of a notification.
fn notified<N: notification::Notification>(params: Value) -> serde_json::Result<N::Params>
where
    N::Params: DeserializeOwned,
{
    serde_json::from_value(params)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_addresses() {
        assert_eq!(
            address(Path::new("/tmp/a b/\u{e9}.pgn")),
            "file:///tmp/a%20b/%C3%A9.pgn"
        );
        assert_eq!(address(Path::new("X:\\x.pgn")), "file:///X%3A/x.pgn");
    }
}
