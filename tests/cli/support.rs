//! Running the program.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{OnceLock, mpsc};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::lasting::Lasting;

/// What a run of the program gave.
#[derive(Debug)]
pub(super) struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    /// The run again, after making sure that it ended with this code.
    #[track_caller]
    pub(super) fn ended_with(self, code: i32) -> Run {
        assert_eq!(
            self.code, code,
            "standard output:\n{}\nstandard error:\n{}",
            self.stdout, self.stderr
        );
        self
    }

    /// Makes sure that a text is part of standard error, and that standard output is empty.
    #[track_caller]
    pub(super) fn says(self, code: i32, text: &str) {
        let run = self.ended_with(code);
        assert!(
            run.stderr.contains(text),
            "`{text}` is not in standard error:\n{}",
            run.stderr
        );
        assert_eq!(run.stdout, "", "an error belongs to standard error");
    }

    /// Makes sure that `cqldex cql` failed and told why on standard error.
    #[track_caller]
    pub(super) fn fails(self, text: &str) {
        let run = self.ended_with(1);
        assert!(
            run.stderr.contains(text),
            "`{text}` is not in standard error:\n{}",
            run.stderr
        );
    }

    /// The objects of standard output, one a line.
    #[track_caller]
    pub(super) fn json(&self) -> Vec<serde_json::Value> {
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line is one JSON object"))
            .collect()
    }
}

/// The program, ready for arguments.
pub(super) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cqldex"));
    // What the user has set does not change what is tested.
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command.env("CQLDEX_CONFIG", "").current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// Runs the program without input.
#[track_caller]
pub(super) fn run<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    run_with(arguments, "")
}

/// Runs the program with this on standard input.
#[track_caller]
pub(super) fn run_with<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, input: &str) -> Run {
    run_command(program().args(arguments), input)
}

/// Runs a program that is ready with this on standard input.
#[track_caller]
pub(super) fn run_command(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program is built");
    // A program that needs no input may be gone already.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    let output = output_of(child, &format!("{command:?}"));
    let text = |bytes| String::from_utf8(bytes).expect("all output is UTF-8");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// What ends by itself takes less, even beside other programs.
const PATIENCE: Duration = Duration::from_secs(300);

/// The output of a program. One that takes far too long is ended, and the test fails: that says more than a test that hangs.
#[track_caller]
pub(super) fn output_of(child: Child, what: &str) -> Output {
    let id = child.id();
    let (ended, output) = mpsc::channel();
    thread::spawn(move || ended.send(child.wait_with_output()));
    let Ok(output) = output.recv_timeout(PATIENCE) else {
        // The number is still that of the program: nobody has waited for it.
        let _ = Command::new("sh").args(["-c", &format!("kill -KILL {id}")]).status();
        panic!("{what}: it has not ended after {PATIENCE:?}");
    };
    output.expect("it can be waited for")
}

/// A folder that goes away.
pub(super) fn scratch() -> TempDir {
    TempDir::new().expect("a temporary folder can be made")
}

/// A file in a folder with this content.
pub(super) fn file(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).expect("a temporary file can be written");
    path
}

/// The files with the segments of a database.
pub(super) fn segment_files(database: &Path) -> Vec<PathBuf> {
    let database = storage::Database::open_read_only(database).expect("the database can be opened");
    database.segment_files().expect("it has files")
}

/// The content of a file with a part of it overwritten.
pub(super) fn with_damage(sound: &[u8]) -> Vec<u8> {
    let mut damaged = sound.to_vec();
    damaged[sound.len() / 8..sound.len() / 2].fill(0x55);
    damaged
}

/// A database of the samples, made once.
pub(super) fn samples() -> &'static Path {
    static SAMPLES: OnceLock<(Lasting, PathBuf)> = OnceLock::new();
    let (_, path) = SAMPLES.get_or_init(|| {
        let folder = Lasting::new();
        let path = folder.path().join("samples.db");
        index(&path, ["samples/games.pgn", "samples/studies.pgn"]).ended_with(0);
        (folder, path)
    });
    path
}

/// Runs `cqldex index`.
#[track_caller]
pub(super) fn index<S: AsRef<OsStr>>(database: &Path, arguments: impl IntoIterator<Item = S>) -> Run {
    let arguments = arguments.into_iter().map(|argument| argument.as_ref().to_owned());
    run([OsString::from("index"), database.into()].into_iter().chain(arguments))
}

/// Indexes a file so that its segment has a file for each column, and one column can be damaged.
pub(super) fn index_in_columns(database: &Path, pgn: &str) {
    let mut database = storage::Database::open_or_create(database).expect("the database can be opened");
    database.set_small(0);
    indexer::index(&mut database, &[pgn.into()], &indexer::Options::default(), &()).expect("the games can be read");
}

/// Runs `cqldex query` on the samples.
#[track_caller]
pub(super) fn query<const N: usize>(arguments: [&str; N]) -> Run {
    on_samples("query", arguments)
}

/// Runs a subcommand on the samples.
#[track_caller]
pub(super) fn on_samples<const N: usize>(command: &str, arguments: [&str; N]) -> Run {
    let database = samples().to_str().expect("temporary folders have plain names");
    run([command, database].into_iter().chain(arguments))
}

/// A database of the samples that may be changed.
pub(super) fn own_samples() -> (TempDir, PathBuf) {
    let folder = scratch();
    let path = folder.path().join("db");
    index(&path, ["samples/games.pgn", "samples/studies.pgn"]).ended_with(0);
    (folder, path)
}

/// Runs a subcommand on a database.
pub(super) fn on<const N: usize>(database: &Path, command: &str, arguments: [&str; N]) -> Run {
    run([command, database.to_str().unwrap()].into_iter().chain(arguments))
}
