//! The search: from the settings to the file with the games that match.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use language::ParseOptions;
use language::hir::{Header, Query};
use planner::Effects;
use search::{Detail, GameMatch, GameOrder, Search, SearchOptions, Summary};
use storage::Snapshot;

use super::super::index::Watcher;
use super::super::interrupt;
use super::super::query::run_search;
use super::super::text::QueryText;
use super::console::{Console, Report};
use super::settings::{CommentLevel, Settings};
use super::tokens::place;
use crate::cache::{self, Cached};
use crate::exit::{Done, Failure};
use crate::output::{OutputFile, Pgn, PgnOptions, Sink, Sorted};
use crate::similar;

/// Searches.
pub(super) fn run(settings: &Settings) -> Result<Done, Failure> {
    let console = Console { gui: settings.gui };
    console.begin()?;
    let result = search(settings, console);
    if let Err(failure @ (Failure::Message(_) | Failure::Damage(_) | Failure::Diagnostics(_))) = &result {
        console.error(&failure.to_string())?;
    }
    result.map(|()| Done::Success)
}

/// The text of the query, with what the command line adds.
pub(super) fn query_text(settings: &Settings) -> Result<QueryText, Failure> {
    let mut options = ParseOptions {
        require_header: true,
        before: settings.before.clone(),
        transforms: settings.transforms.clone(),
        ..ParseOptions::default()
    };
    if let Some(regex) = &settings.player {
        let filter = format!("player white ~~ \"{regex}\" or player black ~~ \"{regex}\"");
        options.game_filters.push(filter);
    }
    if let Some(years) = settings.years {
        options
            .game_filters
            .push(format!("{} <= year <= {}", years.min, years.max));
    }
    let Some(file) = query_file(settings)? else {
        return Ok(QueryText::new(b"cql() .".to_vec(), "query".to_owned(), options));
    };
    let name = file.display().to_string();
    let text = std::fs::read(&file).map_err(|error| Failure::message(format!("{name}: {error}")))?;
    Ok(QueryText::new(text, name, options))
}

/// The file with the query; its name may lack the ending.
fn query_file(settings: &Settings) -> Result<Option<PathBuf>, Failure> {
    let Some(file) = &settings.query else { return Ok(None) };
    match file.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("cql") => Ok(Some(file.clone())),
        Some(_) => Err(Failure::message(format!(
            "{}: the name of a file with a query has to end in .cql",
            file.display()
        ))),
        None => Ok(Some(file.with_extension("cql"))),
    }
}

fn search(settings: &Settings, console: Console) -> Result<(), Failure> {
    let started = Instant::now();
    let text = query_text(settings)?;
    let compiled = text.parse().and_then(|mut parsed| {
        settings.change(&mut parsed.header);
        language::expand(parsed).map_err(|error| vec![error.into()])
    });
    let query = match compiled {
        Ok(query) => query,
        Err(diagnostics) => {
            if let Some(first) = diagnostics.first() {
                console.error_place(place(&text.text(), first.span.start as usize))?;
            }
            return Err(text.failure(&diagnostics));
        }
    };
    let output = output_file(settings, &query.header)?;
    let mut target = Target::create(settings, &output)?;
    if let Some(threads) = settings.threads {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        pool.map_err(|error| Failure::message(format!("{threads} threads cannot be started: {error}")))?;
    }
    let similar = similar::tables(&query, |file| Ok(file.to_owned()))?;
    let stop = interrupt::flag();
    let cached = games(settings, &query.header, &stop)?;
    let snapshot = cached.database.snapshot();
    let options = SearchOptions {
        variations: settings.variations,
        detail: Detail::Results,
        stop: Some(Arc::clone(&stop)),
        files: settings.files.clone(),
        rules: settings.rules,
        similar,
        ..SearchOptions::default()
    };
    let search = Search::new(&query, options);
    let mut pgn = Pgn::new(&mut target, &snapshot, &query, settings.pgn_options(&query.header));
    let mut sink: Box<dyn Sink> = match GameOrder::of(&query) {
        Some(order) => Box::new(Sorted::new(&mut pgn, order, None)),
        None => Box::new(&mut pgn),
    };
    if settings.show_matches {
        sink = Box::new(Announced { sink });
    }
    let summary = run_search(&search, &snapshot, &text, &stop, &mut *sink)?;
    drop(sink);
    drop(pgn);
    for message in &summary.messages {
        console.message(message)?;
    }
    target.finish(console, summary.games)?;
    console.report(&Report {
        matches: summary.games,
        games: games_read(&snapshot, &query),
        elapsed: started.elapsed(),
        threads: match search.effects() {
            Effects::Database => 1,
            _ => rayon::current_num_threads(),
        },
        output: &if settings.pgn_stdout {
            String::new()
        } else {
            output.display().to_string()
        },
    })?;
    for (name, value) in &summary.persistent {
        console.variable(name, &value.to_string())?;
    }
    console.end()?;
    Ok(())
}

/// How many games CQL has read when it is done: it looks at one behind the last that it wants.
fn games_read(snapshot: &Snapshot, query: &Query) -> u64 {
    let wanted = query.header.game_numbers;
    let behind = wanted
        .and_then(|range| u64::try_from(range.max).ok())
        .map_or(u64::MAX, |last| last + 1);
    snapshot.games().min(behind)
}

/// The games to be searched.
fn games(settings: &Settings, header: &Header, stop: &Arc<AtomicBool>) -> Result<Cached, Failure> {
    let options = indexer::Options {
        threads: settings.threads.unwrap_or(0),
        cancel: Arc::clone(stop),
        ..indexer::Options::default()
    };
    let watcher = Watcher::new(None);
    let input = match (&settings.input, &header.input) {
        (Some(_), _) if settings.pgn_stdin => {
            return Err(Failure::message(
                "the games come from standard input, so that there can be no -input",
            ));
        }
        _ if settings.pgn_stdin => None,
        (Some(input), _) => Some(input.clone()),
        (None, Some(input)) => Some(PathBuf::from(input)),
        (None, None) => {
            let help = "write `cql(input games.pgn)` in the query, or `-i games.pgn` before it";
            return Err(Failure::message(format!("there is no file with games: {help}")));
        }
    };
    let cached = match &input {
        Some(input) => cache::open(input, &options, &watcher),
        None => cache::read_stdin(&options, &watcher),
    };
    let told = watcher.finish();
    let cached = cached?;
    told?;
    let [skipped, damaged] = cached.lost_games;
    if !cached.is_new && skipped + damaged > 0 {
        let _ = writeln!(
            io::stderr(),
            "note: {skipped} games of the file were not readable and {damaged} lack something; \
             `cqldex index --report FILE` lists them"
        );
    }
    Ok(cached)
}

/// The file for the games that match.
fn output_file(settings: &Settings, header: &Header) -> Result<PathBuf, Failure> {
    match (&settings.output, &header.output) {
        (Some(_), _) if settings.pgn_stdout => Err(Failure::message(
            "the games go to standard output, so that there can be no -output",
        )),
        (Some(output), _) => Ok(output.clone()),
        (None, Some(output)) => Ok(output.into()),
        (None, None) => {
            let stem = settings.query.as_deref().and_then(Path::file_stem);
            let mut name = stem.map_or_else(|| "cqldefault".into(), std::ffi::OsStr::to_owned);
            name.push("-out.pgn");
            Ok(name.into())
        }
    }
}

impl Settings {
    /// What the options say comes before what the header says.
    fn change(&self, header: &mut Header) {
        if self.games.is_some() {
            header.game_numbers = self.games;
        }
        if self.match_count.is_some() {
            header.match_count = self.match_count;
        }
        if let Some(level) = self.comments {
            header.quiet = level == CommentLevel::Quiet;
            header.silent = level == CommentLevel::Silent;
        }
        if self.match_string.is_some() {
            header.match_string.clone_from(&self.match_string);
        }
    }

    /// How games are written.
    fn pgn_options(&self, header: &Header) -> PgnOptions {
        let usual = PgnOptions::of(header);
        PgnOptions {
            buffer: self.output_buffer.or(usual.buffer),
            header: !self.no_game_numbers,
            unique_comments: !self.repeat_comments,
            set_tags: !self.no_set_tags,
            remove_comments: !self.no_remove_comments,
            ..usual
        }
    }
}

/// Where the games that match are written to.
enum Target {
    File(OutputFile),
    /// They are printed at the end, because their number comes before them.
    Stdout(Vec<u8>),
}

impl Target {
    fn create(settings: &Settings, output: &Path) -> Result<Target, Failure> {
        match settings.pgn_stdout {
            true => Ok(Target::Stdout(Vec::new())),
            false => Ok(Target::File(OutputFile::create(output)?)),
        }
    }

    fn finish(self, console: Console, games: u64) -> Result<(), Failure> {
        match self {
            Target::File(file) => file.commit(),
            Target::Stdout(pgn) => Ok(console.games(games, &pgn)?),
        }
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(file) => file.write(bytes),
            Target::Stdout(pgn) => pgn.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(file) => file.flush(),
            Target::Stdout(_) => Ok(()),
        }
    }
}

/// Prints the numbers of the games that match.
struct Announced<S> {
    sink: S,
}

impl<S: Sink> Sink for Announced<S> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        write!(io::stdout().lock(), "<{}>", game.number)?;
        self.sink.game(game)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        if summary.games > 0 {
            writeln!(io::stdout().lock())?;
        }
        self.sink.finish(summary)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.sink.flush()
    }
}
