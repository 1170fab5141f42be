//! What the tests share: databases, shards, the program, and clusters of processes.

use std::io::{BufRead, BufReader};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cqldex::{Database, IndexOptions, Options};
use cqldex_cluster::{Ask, Cut, Place, Runner, Shape, ShardOptions, Shards, Totals, add};
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::lasting::Lasting;

/// The samples of the project.
pub(crate) fn samples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    vec![folder.join("games.pgn"), folder.join("studies.pgn")]
}

/// A database with the samples.
pub(crate) fn sample_database() -> &'static Path {
    static DATABASE: OnceLock<(Lasting, PathBuf)> = OnceLock::new();
    let (_, path) = DATABASE.get_or_init(|| {
        let folder = Lasting::new();
        let path = folder.path().join("samples.db");
        index(&path, &samples());
        (folder, path)
    });
    path
}

/// Indexes PGN files.
pub(crate) fn index(path: &Path, files: &[PathBuf]) {
    let mut database = Database::create(path, Options::default()).unwrap();
    database.index(files, &IndexOptions::default(), &()).unwrap();
}

/// Opens a database that other tests read, too.
pub(crate) fn reading(path: &Path) -> Database {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    Database::open(path, options).unwrap()
}

/// The samples in some shards.
pub(crate) fn sample_shards(shards: u64) -> (TempDir, Place) {
    let folder = TempDir::new().unwrap();
    let place = Place::create(folder.path().join("shards").to_str().unwrap()).unwrap();
    let cut = Cut::Shards(NonZeroU64::new(shards).unwrap());
    run(add(&place, &[sample_database().to_owned()], cut, None, &())).unwrap();
    (folder, place)
}

/// Waits for something.
pub(crate) fn run<T>(future: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    RUNTIME.get_or_init(|| Runtime::new().unwrap()).block_on(future)
}

/// A runner in this process.
pub(crate) fn here() -> Runner {
    Runner::Here(Arc::new(Shards::new(ShardOptions::default()).unwrap()))
}

/// Games and positions that match, in the order in which they come, and the totals.
pub(crate) fn matches(runner: &Runner, ask: Ask) -> cqldex_cluster::Result<(Vec<(i64, i64)>, Totals)> {
    let mut found = Vec::new();
    let ask = Ask {
        columns: vec!["game".to_owned(), "position".to_owned()],
        shape: Shape::Report,
        ..ask
    };
    let totals = run(runner.ask(ask, &mut |batch: &RecordBatch| {
        let numbers = |column: usize| batch.column(column).as_primitive::<Int64Type>().values().to_vec();
        found.extend(numbers(0).into_iter().zip(numbers(1)));
        Ok(())
    }))?;
    Ok((found, totals))
}

/// All cells of an answer to a statement, as texts.
pub(crate) fn table(runner: &Runner, statement: &str) -> cqldex_cluster::Result<Vec<Vec<String>>> {
    let (_, batches) = run(runner.sql(statement))?;
    let mut rows = Vec::new();
    for batch in &batches {
        for row in 0..batch.num_rows() {
            let cells = batch
                .columns()
                .iter()
                .map(|column| datafusion::arrow::util::display::array_value_to_string(column, row).unwrap());
            rows.push(cells.collect());
        }
    }
    Ok(rows)
}

/// The program.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cqldex-cluster"));
    for name in [
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_ENDPOINT",
        cqldex_cluster::VARIABLE,
    ] {
        command.env_remove(name);
    }
    command
}

/// What the program prints, if it does what it is asked to.
pub(crate) fn printed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let errors = String::from_utf8_lossy(&stderr).into_owned();
    assert!(status.code().is_some_and(|code| code < 2), "{command:?}: {errors}");
    String::from_utf8(stdout).unwrap()
}

/// A process that ends with the test.
#[derive(Debug)]
pub(crate) struct Process {
    pub(crate) child: Child,
    /// Where it listens, if it says so.
    pub(crate) address: String,
}

impl Process {
    /// Starts a process that says where it listens.
    pub(crate) fn listening(command: &mut Command) -> Process {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap_or_default().to_owned();
        assert!(!address.is_empty(), "{command:?} says `{line}`");
        Process { child, address }
    }

    /// Starts a process that says nothing.
    pub(crate) fn silent(command: &mut Command) -> Process {
        Process {
            child: command.spawn().unwrap(),
            address: String::new(),
        }
    }

    /// Sends a signal by its name.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill")
            .arg(format!("-{name}"))
            .arg(self.child.id().to_string())
            .status();
        assert!(status.unwrap().success());
    }
}

impl Process {
    /// How much work it has done; nothing where the system does not say so.
    fn work(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).ok()?;
        // Behind the name, which may have anything in it, the 12th and 13th fields are hundredths of a second.
        let fields = text.rsplit_once(')')?.1.split_whitespace();
        let ticks: u64 = fields
            .skip(11)
            .take(2)
            .filter_map(|field| field.parse::<u64>().ok())
            .sum();
        Some(Duration::from_millis(10 * ticks))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A scheduler and executors.
#[derive(Debug)]
pub(crate) struct Processes {
    pub(crate) scheduler: Option<Process>,
    pub(crate) executors: Vec<Process>,
    pub(crate) address: String,
    folder: TempDir,
    /// How many executors were started.
    started: usize,
    environment: Vec<(String, String)>,
}

impl Processes {
    /// Starts a cluster. An executor that is lost is missed after a few seconds.
    pub(crate) fn start(executors: usize, environment: &[(&str, &str)]) -> Processes {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut processes = Processes {
            scheduler: None,
            executors: Vec::new(),
            address: "127.0.0.1:0".to_owned(),
            folder: TempDir::new().unwrap(),
            started: 0,
            environment: environment.iter().map(own).collect(),
        };
        processes.start_scheduler();
        for _ in 0..executors {
            processes.start_executor();
        }
        processes
    }

    fn program(&self) -> Command {
        let mut command = program();
        command.envs(self.environment.iter().cloned());
        command
    }

    /// Starts a scheduler where the last one was.
    pub(crate) fn start_scheduler(&mut self) {
        self.scheduler = None;
        let port = self.address.rsplit_once(':').unwrap().1.to_owned();
        let mut command = self.program();
        let scheduler = Process::listening(command.args(["scheduler", "--patience", "4", "--port", &port]));
        self.address.clone_from(&scheduler.address);
        self.scheduler = Some(scheduler);
    }

    /// Starts one more executor, with a cache of its own.
    pub(crate) fn start_executor(&mut self) {
        let mut command = self.program();
        self.start_executor_by(&mut command);
    }

    /// The same, with a disk of its own for the cache, that has so many bytes. Returns whether the system lets us do so.
    pub(crate) fn start_executor_on_small_disk(&mut self, bytes: u64) -> bool {
        let may_mount = |options: &&&str| {
            let tried = Command::new("unshare")
                .args([options, "mount", "-t", "tmpfs", "none", "/mnt"])
                .output();
            tried.is_ok_and(|output| output.status.success())
        };
        let Some(options) = ["-m", "-rm"].iter().find(may_mount) else {
            return false;
        };
        let cache = self.cache(self.started);
        std::fs::create_dir_all(&cache).unwrap();
        let mount = format!(
            "mount -t tmpfs -o size={bytes} none '{}' && exec \"$0\" \"$@\"",
            cache.display()
        );
        let mut command = Command::new("unshare");
        command
            .args([options, "sh", "-c", &mount])
            .arg(env!("CARGO_BIN_EXE_cqldex-cluster"));
        command.envs(self.environment.iter().cloned());
        self.start_executor_by(&mut command);
        true
    }

    fn start_executor_by(&mut self, command: &mut Command) {
        let cache = self.cache(self.started);
        self.started += 1;
        command.args(["executor", "--heartbeat", "1", "--threads", "1"]);
        command.args(["--scheduler", &self.address]).arg("--cache").arg(cache);
        self.executors.push(Process::silent(command));
    }

    /// The folder for the copies of an executor, by the order in which they were started.
    pub(crate) fn cache(&self, executor: usize) -> PathBuf {
        self.folder.path().join(format!("cache-{executor}"))
    }

    /// What asks the cluster.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.program();
        command.args(arguments).args(["--cluster", &self.address]);
        command
    }

    /// How much its executors have worked; nothing where the system does not say so.
    pub(crate) fn work(&self) -> Option<Duration> {
        self.executors.iter().map(Process::work).sum()
    }

    /// Asks the cluster, and gives what it prints.
    pub(crate) fn ask(&self, arguments: &[&str]) -> String {
        printed(&mut self.command(arguments))
    }
}

/// Waits until something holds.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "waited for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn openssl(folder: &TempDir, arguments: &str) {
    let arguments = arguments.split_whitespace();
    let output = Command::new("openssl")
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// An authority of its own, and a certificate for this machine; nothing where `openssl` is not installed.
pub(crate) fn certificates() -> Option<TempDir> {
    if Command::new("openssl").arg("version").output().is_err() {
        return None;
    }
    let folder = TempDir::new().unwrap();
    std::fs::write(
        folder.path().join("names"),
        "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n",
    )
    .unwrap();
    let new = "req -newkey rsa:2048 -nodes -keyout";
    openssl(
        &folder,
        &format!("{new} ca.key -x509 -days 2 -subj /CN=authority -out ca.crt"),
    );
    openssl(&folder, &format!("{new} node.key -subj /CN=node -out node.csr"));
    openssl(
        &folder,
        "x509 -req -in node.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out node.crt",
    );
    Some(folder)
}
