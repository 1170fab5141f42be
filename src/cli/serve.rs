//! `cqldex serve`: a page in the browser, and an HTTP interface.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::interrupt::Asked;
use crate::exit::{Done, Failure};
use crate::serve::{self, Config, Limits};

/// The default port.
const PORT: u16 = 8080;

/// Arguments of `cqldex serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex serve games.db --open
  cqldex serve --root databases --open
  cqldex serve games.db --listen 0.0.0.0:8080 --host chess.example

Only this machine can reach the server unless --listen names another address. Then, and with --host, requests need the token \
that is printed, unless --public is given. docs/serve.md describes the interface, its limits, and how to put it behind a proxy.")]
pub(super) struct Args {
    /// The database that is searched where a page names no other
    db: Option<PathBuf>,
    /// The folder below which databases can be chosen, made and added to; without DB the current folder
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
    /// The address or port to listen on; port 0 takes any that is free
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = address)]
    listen: Option<SocketAddr>,
    /// A name by which the server is asked for, if it is not localhost or an address; may be given several times
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// What requests have to show; a random one by default, where one is needed
    #[arg(long, env = "CQLDEX_TOKEN", hide_env_values = true, value_name = "TOKEN", value_parser = token)]
    token: Option<String>,
    /// Answer all requests that reach the address, without a token; games can't be added then
    #[arg(long, conflicts_with = "token")]
    public: bool,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Write a line for each request to standard error
    #[arg(long)]
    log: bool,
    /// How many seconds a search may run
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// How many searches run at a time, at least 3; others wait. By default twice the number of cores, but at least 4
    #[arg(long, value_name = "N")]
    searches: Option<NonZeroUsize>,
    /// How many searches may wait
    #[arg(long, value_name = "N", default_value_t = 200)]
    waiting: usize,
    /// How many answers are held for pages and pictures
    #[arg(long, value_name = "N", default_value_t = 200)]
    answers: usize,
    /// How many megabytes a search may take that runs in a process of its own: one with regular expressions or messages
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
    /// How many threads each search may use; by default one for each core
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// `8080`, `0.0.0.0:8080`, `[::1]:8080`.
fn address(text: &str) -> Result<SocketAddr, String> {
    let alone = || {
        text.parse()
            .ok()
            .map(|port| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port))
    };
    let of_host = || {
        text.parse::<IpAddr>()
            .ok()
            .map(|address| SocketAddr::new(address, PORT))
    };
    text.parse()
        .ok()
        .or_else(alone)
        .or_else(of_host)
        .ok_or_else(|| "it is ADDRESS:PORT, such as 127.0.0.1:8080".to_owned())
}

/// A token stands in cookies and addresses.
fn token(text: &str) -> Result<String, String> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    match text.len() >= 8 && text.chars().all(is_plain) {
        true => Ok(text.to_owned()),
        false => Err("it has at least 8 letters, digits, `-` and `_`".to_owned()),
    }
}

/// Serves until Ctrl-C.
pub(super) fn run(args: Args) -> Result<Done, Failure> {
    let listen = args
        .listen
        .unwrap_or_else(|| SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT));
    if let Some(path) = &args.db {
        // What is wrong with it is said here, and not by the first page.
        cqldex::Database::open(path, super::reading(args.threads))?;
    }
    let root = match (&args.root, &args.db) {
        (Some(root), _) if !root.is_dir() => {
            return Err(Failure::message(format!("{}: there is no such folder", root.display())));
        }
        (Some(root), _) => Some(root.clone()),
        (None, None) => Some(PathBuf::from(".")),
        (None, Some(_)) => None,
    };
    // A name is given where others reach the server, perhaps through a proxy on this machine.
    let needs_token = !(args.public || listen.ip().is_loopback() && args.host.is_empty());
    let token = match args.token {
        None if needs_token => Some(serve::secret()?),
        token => token,
    };
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let config = Config {
        database: args.db,
        root,
        listen,
        hosts: args.host,
        token: token.clone(),
        public: args.public,
        log: args.log,
        threads: args.threads,
        limits: Limits {
            time: Duration::from_secs(args.timeout),
            searches: args.searches.map_or((2 * cores).max(4), usize::from),
            waiting: args.waiting,
            answers: args.answers,
            answer_bytes: 512 << 20,
            memory: args.memory,
        },
    };
    let (sender, stop) = serve::stop();
    let mut asked = Asked::default();
    // Without a handler Ctrl-C ends the program at once.
    let _ = ctrlc::set_handler(move || {
        if asked.is_first().is_some() && sender.stop() {
            std::process::exit(2);
        }
    });
    let ready = |address: SocketAddr| {
        let page = page(address, token.as_deref());
        let _ = writeln!(std::io::stdout(), "{page}");
        let _ = std::io::stdout().flush();
        if args.open {
            open(&page);
        }
    };
    serve::run(config, stop, ready).map_err(|error| Failure::message(format!("{listen}: {error}")))?;
    Ok(Done::Success)
}

/// The address of the page, as this machine reaches it.
fn page(address: SocketAddr, token: Option<&str>) -> String {
    let host = match address.ip() {
        ip if ip.is_unspecified() => "localhost".to_owned(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    };
    let token = token.map(|token| format!("?token={token}")).unwrap_or_default();
    format!("http://{host}:{}/{token}", address.port())
}

/// Opens an address in the browser, if there is one.
fn open(page: &str) {
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut command = Command::new("rundll32");
            command.arg("url.dll,FileProtocolHandler");
            command
        }
        _ => Command::new("xdg-open"),
    };
    let quiet = command
        .arg(page)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Err(error) = quiet.spawn() {
        let _ = writeln!(
            std::io::stderr(),
            "note: the browser can't be opened ({error}); the address is above"
        );
    }
}
