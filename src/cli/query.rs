//! `cqldex query`: searches a database.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use evaluator::{SimilarPositions, below};
use language::hir::Query;
use search::{Detail, GameMatch, GameOrder, Route, Search, SearchError, SearchOptions, SkippedGames, Summary};
use storage::{Database, Snapshot};

use super::interrupt;
use super::text::{QueryArgs, QueryText};
use crate::exit::{Done, Failure};
use crate::output::{Count, Encoding, Json, OutputFile, Pgn, PgnOptions, Sink, Sorted, Spared, Table, printable};
use crate::similar;

/// How many positions the table shows unless told otherwise.
const TABLE_LIMIT: u64 = 20;

/// Arguments of `cqldex query`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    #[command(flatten)]
    query: QueryArgs,
    /// Print only how many games and positions match
    #[arg(long)]
    count: bool,
    /// Print one JSON object a line: every match, then a summary (with --count only the summary)
    #[arg(long)]
    json: bool,
    /// Write the matching games to a PGN file (- for standard output), with comments, as CQL 6.2 writes them
    #[arg(long, value_name = "OUT.pgn", conflicts_with_all = ["count", "json", "limit"])]
    pgn: Option<PathBuf>,
    /// With --pgn: write UTF-8 and whole games, where CQL 6.2 mixes in Latin-1 and question marks and cuts games of more
    /// than 105,000 bytes
    #[arg(long, requires = "pgn")]
    utf8: bool,
    /// List at most N positions; the totals are always those of all matches. Tables list 20 unless told otherwise
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// List the first N positions and stop there; how many there are in all is not found out
    #[arg(long, value_name = "N", conflicts_with_all = ["limit", "count", "pgn"])]
    first: Option<u64>,
    #[command(flatten)]
    search: SearchArgs,
}

/// How a database is searched.
#[derive(Debug, clap::Args)]
pub(super) struct SearchArgs {
    /// Search variations too, whatever the header says
    #[arg(long, overrides_with = "no_variations")]
    variations: bool,
    /// Search main lines only, whatever the header says
    #[arg(long)]
    no_variations: bool,
    /// Evaluate every position instead of asking the index
    #[arg(long)]
    no_index: bool,
    /// Search what is sound of a damaged database, and say which games are missing, instead of failing
    #[arg(long)]
    skip_damaged: bool,
    /// Stop after so many seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    pub(super) timeout: u64,
    /// How many threads search; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// The folder below which the query may read and write files (readfile, writefile, similarposition); nowhere unless
    /// told otherwise
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
}

impl SearchArgs {
    /// The options of a search.
    pub(super) fn options(&self, detail: Detail) -> SearchOptions {
        let variations = match (self.variations, self.no_variations) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let route = if self.no_index { Route::Scan } else { Route::Plan };
        SearchOptions {
            variations,
            route,
            detail,
            skip_damaged: self.skip_damaged,
            files: self.files.clone(),
            ..SearchOptions::default()
        }
    }

    /// What the filters `similarposition` of a query compare with; their file is below the folder for files.
    pub(super) fn similar(&self, query: &Query) -> Result<Vec<Arc<SimilarPositions>>, Failure> {
        similar::tables(query, |name| {
            let Some(folder) = &self.files else {
                let message = "`similarposition` reads its file only below a folder named with --files";
                return Err(Failure::message(message));
            };
            match below(folder, name) {
                Ok(Some(path)) => Ok(path),
                Ok(None) => Err(Failure::message(format!(
                    "{}: not below the folder {}",
                    name.display(),
                    folder.display()
                ))),
                Err(error) => Err(Failure::message(format!("{}: {error}", folder.join(name).display()))),
            }
        })
    }

    /// Starts the threads that search; nothing else in the program may have used any before.
    pub(super) fn start_threads(&self) -> Result<(), Failure> {
        let Some(threads) = self.threads else { return Ok(()) };
        let built = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build_global();
        built.map_err(|error| Failure::message(format!("{threads} threads cannot be started: {error}")))
    }
}

/// Searches a database and prints what matches.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let text = args.query.read()?;
    let compiled = text.compile()?;
    args.search.start_threads()?;
    let snapshot = Database::open_read_only(&args.db)?.snapshot();
    note_ignored(&compiled.expanded);

    let run = Run {
        query: &compiled.expanded,
        args,
        snapshot: &snapshot,
        text: &text,
    };
    let summary = match &args.pgn {
        Some(path) => run.write_pgn(path),
        None => run.list(),
    }?;
    tell_messages(&summary);
    Ok(if summary.games > 0 {
        Done::Success
    } else {
        Done::NothingMatched
    })
}

/// A search that is about to start.
struct Run<'a> {
    query: &'a Query,
    args: &'a Args,
    snapshot: &'a Snapshot,
    text: &'a QueryText,
}

impl Run<'_> {
    /// Prints matching positions, or how many there are.
    fn list(&self) -> Result<Summary, Failure> {
        let Args { json, count, .. } = *self.args;
        let limit = match self.args.first.or(self.args.limit) {
            None if !json && !count => Some(TABLE_LIMIT),
            limit => limit,
        };
        let out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        match (json, count) {
            (true, true) => self.search(Detail::Count, limit, &mut Json::new(out, limit)),
            (false, true) => self.search(Detail::Count, limit, &mut Count::new(out)),
            (true, false) => self.search_sorted(limit, Json::new(out, limit)),
            (false, false) => self.search_sorted(limit, self.spared(Table::new(out, self.snapshot))),
        }
    }

    /// Writes games that can be read, if the user wants those alone.
    fn spared<S: Sink>(&self, sink: S) -> Spared<S, io::Stderr> {
        Spared::new(sink, self.args.search.skip_damaged.then(io::stderr))
    }

    /// Lists positions in the order that the query asks for.
    fn search_sorted(&self, limit: Option<u64>, mut sink: impl Sink) -> Result<Summary, Failure> {
        match GameOrder::of(self.query) {
            // What comes first is known at the end only.
            Some(order) => self.search(Detail::Results, None, &mut Sorted::new(sink, order, limit)),
            None => self.search(Detail::Positions, limit, &mut sink),
        }
    }

    /// Writes the matching games to a file.
    fn write_pgn(&self, path: &Path) -> Result<Summary, Failure> {
        let mut file = OutputFile::create(path)?;
        let mut options = PgnOptions::of(&self.query.header);
        if self.args.utf8 {
            options.encoding = Encoding::Utf8;
            options.buffer = None;
        }
        let mut pgn = self.spared(Pgn::new(&mut file, self.snapshot, self.query, options));
        let summary = match GameOrder::of(self.query) {
            Some(order) => self.search(Detail::Results, None, &mut Sorted::new(pgn, order, None)),
            None => self.search(Detail::Results, None, &mut pgn),
        }?;
        file.commit()?;
        Ok(summary)
    }

    fn search(&self, detail: Detail, limit: Option<u64>, sink: &mut dyn Sink) -> Result<Summary, Failure> {
        let stop = interrupt::flag_within(self.args.search.timeout);
        let options = SearchOptions {
            limit,
            stop_at_limit: self.args.first.is_some() && limit.is_some(),
            stop: Some(Arc::clone(&stop)),
            similar: self.args.search.similar(self.query)?,
            ..self.args.search.options(detail)
        };
        let search = Search::new(self.query, options);
        run_search(&search, self.snapshot, self.text, &stop, sink)
    }
}

/// Runs a search and gives what it finds to a sink. `stop` is the flag that stops the search.
pub(super) fn run_search(
    search: &Search<'_>,
    snapshot: &Snapshot,
    text: &QueryText,
    stop: &AtomicBool,
    sink: &mut dyn Sink,
) -> Result<Summary, Failure> {
    let mut failed = None;
    let result = search.run(snapshot, &mut |game: GameMatch| {
        if failed.is_none()
            && let Err(error) = sink.game(game)
        {
            failed = Some(error);
            // Nobody wants the rest.
            stop.store(true, Ordering::Relaxed);
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let summary = match result {
        Ok(summary) => summary,
        Err(error) => {
            // What was printed stays in order before the message.
            sink.flush()?;
            return Err(search_failure(error, text));
        }
    };
    sink.finish(&summary)?;
    Ok(summary)
}

/// Why a search failed, for the user.
pub(super) fn search_failure(error: SearchError, text: &QueryText) -> Failure {
    match error {
        SearchError::Runtime(error) => text.failure(&[(&*error).into()]),
        SearchError::Storage(error) => error.into(),
        SearchError::Stopped => Failure::message(interrupt::reason()),
        error => Failure::message(error.to_string()),
    }
}

/// Says which parameters of the header mean nothing for a database.
fn note_ignored(query: &Query) {
    let parameters = [("input", &query.header.input), ("output", &query.header.output)];
    for (name, value) in parameters {
        if let Some(value) = value {
            let _ = writeln!(
                io::stderr(),
                "note: `{name} {value}` of the header is ignored: the database is searched"
            );
        }
    }
}

/// Prints what the query had to say while it ran.
fn tell_messages(summary: &Summary) {
    let terminal = io::stderr().is_terminal();
    let mut err = BufWriter::new(io::stderr().lock());
    for SkippedGames { games, damage } in &summary.skipped {
        let (first, last) = (games.start, games.end - 1);
        let _ = writeln!(err, "warning: games {first}-{last} could not be searched: {damage}");
    }
    for message in &summary.messages {
        let text = String::from_utf8_lossy(message);
        let text = if terminal { printable(&text) } else { text };
        let _ = writeln!(err, "{text}");
    }
    // What persistent variables came to, as CQL prints it at the end.
    for (name, value) in &summary.persistent {
        let _ = writeln!(err, "{name}: {}", printable(&value.to_string()));
    }
}
