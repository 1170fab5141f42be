//! Times the queries of a folder of `.cql` files, of Markdown documents, or the cases of a `.jsonl` file, on a database that is
//! there already.
//!
//! ```text
//! cargo bench --bench examples -- examples/ --database games.db
//! cargo bench --bench examples -- examples/ --database games.db --cql path/to/cql --pgn games.pgn
//! cargo bench --bench examples -- positions.jsonl --database games.db
//! cargo bench --bench examples -- docs/language --database games.db
//! ```
//!
//! Everything can be named in the environment, too: `CQLDEX_EXAMPLES`, `CQLDEX_DATABASE`, `CQLDEX_CQL`, `CQLDEX_PGN`.
//!
//! The database is open, kept answers are not used, and matches are counted, not listed. Times are from the text of a
//! query to its answer. Headers are kept as they are: `variations`, `gamenumber`, `result` and the like count, `input` and
//! `output` do not. CQL 6.2 reads the PGN file for each query, with two threads. The file may have fewer games than the
//! database: then the ratio of the times is scaled by the numbers of games, and what was found is not compared.

#![allow(clippy::print_stdout, reason = "a benchmark prints its report")]
#![allow(clippy::print_stderr, reason = "how far it is does not belong to the report")]

mod common;

use std::error::Error;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use common::cql::{self, CqlAnswer};
use common::questions::cell;
use common::{compile_with, documents, figure, ms, once, quantile};
use language::hir::Query;
use planner::{Candidates, Truth};
use search::{Route, RunOptions, Search, Summary};
use serde::Deserialize;
use storage::{Database, Snapshot};

/// A query that took longer than this is not run again.
const LONG: Duration = Duration::from_secs(2);

/// The reason why a query has no answer that took longer than allowed.
const GIVEN_UP: &str = "given up";

/// How many rows a long list gets unless it is said.
const WORST: usize = 20;

/// Times the queries of a folder of `.cql` files, of Markdown documents, or the cases of a `.jsonl` file, on a database that is
/// there already.
#[derive(Debug, Parser)]
struct Arguments {
    /// A folder of `.cql` files or of Markdown documents (`.md`), one such file, or a `.jsonl` file whose lines have `query`
    /// and `variations`; without it there is nothing to do
    #[arg(env = "CQLDEX_EXAMPLES")]
    examples: Option<PathBuf>,
    /// The database
    #[arg(long, env = "CQLDEX_DATABASE")]
    database: Option<PathBuf>,
    /// The program CQL 6.2
    #[arg(long, env = "CQLDEX_CQL", requires = "pgn")]
    cql: Option<PathBuf>,
    /// The games of the database, or some of them, for CQL 6.2
    #[arg(long, env = "CQLDEX_PGN")]
    pgn: Option<PathBuf>,
    /// A file that remembers what CQL 6.2 said, so that it is not asked again; it must be about the same PGN file
    #[arg(long)]
    cql_answers: Option<PathBuf>,
    /// How often each query is run; the best time is told
    #[arg(long, default_value = "3")]
    runs: usize,
    /// Stop a query after this number of seconds
    #[arg(long, default_value = "90")]
    limit: u64,
    /// How many rows to print, those that took longest [default: all of a folder of `.cql` files, 20 of all others]
    #[arg(long)]
    rows: Option<usize>,
    /// Only the queries with this in their names
    #[arg(long, default_value = "")]
    only: String,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

/// A query to be timed.
struct Example {
    /// What it is called in the table.
    name: String,
    text: String,
    /// The file it is in, if it has one of its own.
    file: Option<PathBuf>,
    /// Whether variations are searched, if not the header says so.
    variations: Option<bool>,
    is_of_document: bool,
}

/// A line of a `.jsonl` file.
#[derive(Deserialize)]
struct Case {
    id: String,
    query: String,
    variations: bool,
}

/// What the plan says of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Nothing,
    Bounded,
    Exact,
}

/// What is known of an example when it was timed.
struct Row {
    example: Example,
    bound: Bound,
    /// What was found, and the time; the reason why not.
    answer: Result<(Summary, Duration), String>,
    peer: Option<CqlAnswer>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let (Some(examples), Some(database)) = (&arguments.examples, &arguments.database) else {
        println!("nothing to do: name a folder of .cql files or a .jsonl file, and --database");
        return Ok(());
    };
    let mut examples = match examples.extension() {
        Some(extension) if extension == "jsonl" => cases(examples)?,
        _ => files(examples)?,
    };
    examples.retain(|example| example.name.contains(&arguments.only));
    let is_long = examples.iter().any(|example| example.file.is_none());
    let snapshot = Database::open_read_only(database)?.snapshot();
    println!(
        "{} queries on {} games, {} positions, {} threads",
        examples.len(),
        snapshot.games(),
        snapshot.positions(),
        std::thread::available_parallelism()?
    );
    let mut peers = cql::Answers::read(arguments.cql_answers.clone())?;
    let mut rows = Vec::new();
    let (all, is_watched) = (examples.len(), std::io::stderr().is_terminal());
    for example in examples {
        if is_watched {
            eprint!("\r\x1b[K{} of {all}: {} ", rows.len() + 1, example.name);
        }
        let row = ask(example, &snapshot, &arguments, &mut peers)?;
        // What stands in a document need not be a whole query.
        if !row.example.is_of_document || row.answer.is_ok() || row.is_given_up() {
            rows.push(row);
        }
    }
    if is_watched {
        eprint!("\r\x1b[K");
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.time()));
    let shown = arguments
        .rows
        .unwrap_or(if is_long { WORST } else { usize::MAX })
        .min(rows.len());
    table(&rows[..shown], snapshot.games());
    quantiles(&rows, snapshot.games(), arguments.limit);
    Ok(())
}

/// The queries of a folder's `.cql` files and Markdown documents, or of one of them.
fn files(path: &Path) -> Result<Vec<Example>, Box<dyn Error>> {
    let mut paths = vec![path.to_owned()];
    if path.is_dir() {
        paths = std::fs::read_dir(path)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?;
        paths.retain(|path| {
            path.extension()
                .is_some_and(|extension| extension == "cql" || extension == "md")
        });
        paths.sort();
    }
    let mut examples = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "md") {
            examples.extend(documents::queries(&path)?.into_iter().map(|(line, text)| Example {
                name: format!(
                    "{name} {line} {}",
                    cell(&text.split_whitespace().collect::<Vec<_>>().join(" "))
                ),
                text,
                file: None,
                variations: None,
                is_of_document: true,
            }));
        } else {
            examples.push(Example {
                name,
                text: String::from_utf8_lossy(&std::fs::read(&path)?).into_owned(),
                file: Some(path),
                variations: None,
                is_of_document: false,
            });
        }
    }
    Ok(examples)
}

/// The cases of a `.jsonl` file.
fn cases(path: &Path) -> Result<Vec<Example>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let example = |line: &str| {
        let Case { id, query, variations } = serde_json::from_str(line)?;
        Ok(Example {
            name: format!("{id} {}", cell(&query)),
            text: query,
            file: None,
            variations: Some(variations),
            is_of_document: false,
        })
    };
    text.lines().map(example).collect()
}

impl Example {
    fn compile(&self) -> Result<Query, Box<dyn Error>> {
        compile_with(&self.text, self.variations)
    }
}

/// Times a query; the best of some runs.
fn ask(
    example: Example,
    snapshot: &Snapshot,
    arguments: &Arguments,
    peers: &mut cql::Answers,
) -> Result<Row, Box<dyn Error>> {
    let mut row = Row {
        bound: Bound::Nothing,
        answer: Err(GIVEN_UP.to_owned()),
        peer: None,
        example,
    };
    match row.example.compile() {
        Ok(query) => row.bound = Bound::of(&query, snapshot)?,
        Err(error) => {
            row.answer = Err(error.to_string());
            return Ok(row);
        }
    }
    for _ in 0..arguments.runs.max(1) {
        let started = Instant::now();
        let query = row.example.compile()?;
        match once(snapshot, &query, Route::Plan, Duration::from_secs(arguments.limit)) {
            Ok(Some(answer)) => {
                let time = started.elapsed();
                if !matches!(&row.answer, Ok((_, best)) if *best < time) {
                    row.answer = Ok((answer.summary, time));
                }
                if time > LONG {
                    break;
                }
            }
            Ok(None) => break,
            Err(error) => {
                row.answer = Err(error.to_string());
                break;
            }
        }
    }
    if let Some(file) = &row.example.file {
        let limit = Duration::from_secs(arguments.limit);
        let peer = arguments.cql.as_deref().zip(arguments.pgn.as_deref());
        row.peer = peers.of(&row.example.name, || {
            peer.map(|(cql, pgn)| cql::ask(cql, pgn, file, limit)).transpose()
        })?;
    }
    Ok(row)
}

impl Bound {
    fn of(query: &Query, snapshot: &Snapshot) -> Result<Bound, Box<dyn Error>> {
        let search = Search::new(query, RunOptions::default());
        Ok(match &search.plan_of(snapshot)?.candidates {
            Candidates { exact: true, .. } => Bound::Exact,
            Candidates {
                truth: Truth::Always, ..
            } => Bound::Nothing,
            _ => Bound::Bounded,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Bound::Nothing => "nothing",
            Bound::Bounded => "bounded",
            Bound::Exact => "exact",
        }
    }
}

impl Row {
    /// How long it took; one that has no answer took for ever.
    fn time(&self) -> Duration {
        self.answer.as_ref().map_or(Duration::MAX, |(_, time)| *time)
    }

    fn is_given_up(&self) -> bool {
        matches!(&self.answer, Err(reason) if reason == GIVEN_UP)
    }

    /// Whether every position that counts as searched was evaluated.
    fn evaluates_all(&self) -> bool {
        match &self.answer {
            Ok((summary, _)) => summary.evaluated >= summary.positions_searched.max(1),
            Err(_) => self.bound == Bound::Nothing,
        }
    }

    /// How many times as long CQL 6.2 took, for the same number of games.
    fn ratio(&self, games: u64) -> Option<f64> {
        let (_, time) = self.answer.as_ref().ok()?;
        let peer = self.peer.as_ref()?;
        let of = peer.counts.map_or(games, |(_, of)| of).max(1);
        Some(peer.time.as_secs_f64() * (games as f64 / of as f64) / time.as_secs_f64())
    }

    /// Whether CQL 6.2 found as many games; a dash where that can't be said.
    fn agrees(&self, games: u64) -> &'static str {
        let peer = self.peer.as_ref().and_then(|peer| peer.counts);
        match (&self.answer, peer) {
            (Ok((summary, _)), Some((found, of))) if of == games => match found == summary.games {
                true => "yes",
                false => "NO",
            },
            _ => "-",
        }
    }
}

fn table(rows: &[Row], games: u64) {
    println!("\n| query | ms | bound | evaluated | games | CQL, s | games | ratio | agree |");
    println!("|---|---:|---|---:|---:|---:|---:|---:|---|");
    for row in rows {
        let peer = row.peer.as_ref();
        let theirs = peer.map_or("-".to_owned(), |peer| match peer.counts {
            Some(_) => format!("{:.1}", peer.time.as_secs_f64()),
            None => format!("> {:.0}", peer.time.as_secs_f64()),
        });
        let their_games = peer.and_then(|peer| peer.counts).map(|(games, _)| games as f64);
        let (name, bound) = (&row.example.name, row.bound.word());
        match &row.answer {
            Ok((summary, time)) => println!(
                "| {name} | {} | {bound} | {} | {} | {theirs} | {} | {} | {} |",
                figure(Some(ms(*time)), if ms(*time) < 10.0 { 2 } else { 0 }),
                summary.evaluated,
                summary.games,
                figure(their_games, 0),
                figure(row.ratio(games), 1),
                row.agrees(games),
            ),
            Err(reason) => println!(
                "| {name} | {} | {bound} | - | - | {theirs} | {} | - | - |",
                reason.lines().next().unwrap_or_default(),
                figure(their_games, 0),
            ),
        }
    }
}

fn quantiles(rows: &[Row], games: u64, limit: u64) {
    // What was given up took as long as it was allowed to.
    let times = rows.iter().filter_map(|row| match &row.answer {
        Ok((_, time)) => Some(ms(*time)),
        Err(_) => row.is_given_up().then_some(1e3 * limit as f64),
    });
    let times: Vec<f64> = times.collect();
    let parts = [0.5, 0.75, 0.9, 0.95, 0.99, 1.0].map(|part| format!("{:.1}", quantile(&times, part)));
    println!("\n| queries | median ms | p75 | p90 | p95 | p99 | slowest |\n|---:|---:|---:|---:|---:|---:|---:|");
    println!("| {} | {} |", times.len(), parts.join(" | "));
    let bounds = [Bound::Exact, Bound::Bounded, Bound::Nothing]
        .map(|bound| rows.iter().filter(|row| row.bound == bound).count());
    println!(
        "\n{} exact, {} bounded, {} without a bound; {} evaluate every position",
        bounds[0],
        bounds[1],
        bounds[2],
        rows.iter().filter(|row| row.evaluates_all()).count()
    );
    let failed = rows.len() - times.len();
    if failed > 0 {
        println!("{failed} failed");
    }
    let ratios: Vec<f64> = rows.iter().filter_map(|row| row.ratio(games)).collect();
    if !ratios.is_empty() {
        println!(
            "CQL took {:.0} times as long in the median, at least {:.1} times, in {} queries; where it was stopped, at \
             least that",
            quantile(&ratios, 0.5),
            quantile(&ratios, 0.0),
            ratios.len()
        );
        let agreeing = |word| rows.iter().filter(|row| row.agrees(games) == word).count();
        println!(
            "the same number of games in {} of {}",
            agreeing("yes"),
            agreeing("yes") + agreeing("NO")
        );
    }
}
