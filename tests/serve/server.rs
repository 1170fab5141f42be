//! A server that runs as long as a test.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use cqldex::{Database, IndexOptions, Options};
use serde_json::{Value, json};

use crate::client::{Answer, Lines, request, send};
use crate::lasting::Lasting;

/// A server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    /// What it printed: the address of its page.
    pub(crate) page: String,
    pub(crate) child: Child,
}

/// The program.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cqldex"));
    command.env_remove("CQLDEX_TOKEN").stdin(Stdio::null());
    command
}

impl Server {
    /// Starts one with these arguments, on a port of its own.
    pub(crate) fn start<const N: usize>(arguments: [&str; N]) -> Server {
        let mut command = program();
        command.arg("serve").args(arguments);
        if !arguments.contains(&"--listen") {
            command.args(["--listen", "127.0.0.1:0"]);
        }
        Server::of(&mut command)
    }

    /// One of a command that is ready to start.
    pub(crate) fn of(command: &mut Command) -> Server {
        Server::try_of(command).expect("it says where it is")
    }

    /// The same; the process, if it said nothing.
    pub(crate) fn try_of(command: &mut Command) -> Result<Server, Child> {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut page = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut page)
            .unwrap();
        let page = page.trim().to_owned();
        if page.is_empty() {
            return Err(child);
        }
        let host = page.trim_start_matches("http://").split('/').next().unwrap();
        let address = host.replace("localhost", "127.0.0.1").parse();
        let address = address.unwrap_or_else(|error| panic!("{error}: {page:?}"));
        Ok(Server { address, page, child })
    }

    /// One for the sample games.
    pub(crate) fn of_samples() -> Server {
        Server::start([samples().to_str().unwrap()])
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        send(self.address, request(self.address, "GET", &api(path), None).as_bytes()).unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &body.to_string())
    }

    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        send(
            self.address,
            request(self.address, method, &api(path), Some(body)).as_bytes(),
        )
        .unwrap()
    }

    /// Starts a search.
    pub(crate) fn search(&self, body: &Value) -> Lines {
        let request = request(self.address, "POST", &api("/search"), Some(&body.to_string()));
        Lines::open(self.address, request.as_bytes())
    }

    /// Searches to the end: all events.
    #[track_caller]
    pub(crate) fn find(&self, query: &str) -> Vec<Value> {
        let answer = self.post("/search", &json!({ "query": query }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        answer.lines()
    }

    /// The id of an answer.
    #[track_caller]
    pub(crate) fn answer(&self, query: &str) -> String {
        let events = self.find(query);
        let last = events.last().unwrap();
        assert_eq!(last["type"], "summary", "{last}");
        last["answer"].as_str().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn api(path: &str) -> String {
    format!("/api/v1{path}")
}

/// A database of the sample games, made once.
pub(crate) fn samples() -> &'static Path {
    static SAMPLES: OnceLock<(Lasting, PathBuf)> = OnceLock::new();
    let (_, path) = SAMPLES.get_or_init(|| {
        let folder = Lasting::new();
        let path = folder.path().join("samples.db");
        index(&path, &["samples/games.pgn", "samples/studies.pgn"].map(PathBuf::from));
        (folder, path)
    });
    path
}

/// A database of many games, made once: the samples again and again.
pub(crate) fn many() -> &'static Path {
    static MANY: OnceLock<(Lasting, PathBuf)> = OnceLock::new();
    let (_, path) = MANY.get_or_init(|| {
        let folder = Lasting::new();
        let (path, file) = (folder.path().join("many.db"), folder.path().join("many.pgn"));
        let games = std::fs::read("samples/games.pgn").unwrap();
        let copies = 3_000_000 / games.len() + 1;
        std::fs::write(&file, [games.as_slice(), b"\n\n"].concat().repeat(copies)).unwrap();
        index(&path, &[file]);
        (folder, path)
    });
    path
}

/// Adds files to a database, which is made if there is none.
pub(crate) fn index(path: &Path, files: &[PathBuf]) {
    let mut database = Database::open_or_create(path, Options::default()).unwrap();
    database.index(files, &IndexOptions::default(), &()).unwrap();
}
