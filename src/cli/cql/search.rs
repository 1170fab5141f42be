//! The search: from the settings to the file with the games that match.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use cqldex::{
    Cancel, Database, Detail, GameMatch, Header, IndexOptions, MatchWriter, Options, PgnOptions, PgnWriter, Query,
    QueryOptions, SearchOptions, Sorted, Summary,
};

use super::super::index::Watcher;
use super::super::interrupt;
use super::super::output_file::OutputFile;
use super::super::query::write_matches;
use super::super::text::{QueryText, rendered};
use super::cache::{self, Cached};
use super::console::{Console, Report};
use super::place::place;
use super::settings::Settings;
use crate::exit::{Done, Failure};

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
    let mut options = QueryOptions {
        require_header: true,
        strict: true,
        before: settings.before.clone(),
        transforms: settings.transforms.clone(),
        game_numbers: settings.games,
        match_count: settings.match_count,
        match_string: settings.match_string.clone(),
        comments: settings.comments,
        ..QueryOptions::default()
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
    let query = match text.parse() {
        Ok(query) => query,
        Err(error) => {
            if let Some(first) = error.diagnostics().first() {
                console.error_place(place(&text.text(), first.span.start as usize))?;
            }
            return Err(rendered(&error, text.origin()));
        }
    };
    let header = query.header();
    let output = output_file(settings, &header)?;
    let mut target = Target::create(settings, &output)?;
    if let Some(file) = query.similar_file() {
        // Checked before time is spent on indexing.
        std::fs::File::open(file).map_err(|error| Failure::message(format!("{}: {error}", file.display())))?;
    }
    let cancel = interrupt::cancel();
    let cached = games(settings, &header, &cancel)?;
    let options = SearchOptions {
        variations: settings.variations,
        detail: Detail::Results,
        files: settings.files.clone(),
        similar_file: query.similar_file().map(Path::to_owned),
        rules: settings.rules,
        cancel,
        // The index in the cache is what makes a second run quick.
        kept_answers: None,
        ..SearchOptions::default()
    };
    let mut pgn = PgnWriter::new(&mut target, &cached.database, &query, settings.pgn_options(&query));
    let mut sink: Box<dyn MatchWriter> = match query.is_sorted() {
        true => Box::new(Sorted::new(&mut pgn, &query, None)),
        false => Box::new(&mut pgn),
    };
    if settings.show_matches {
        sink = Box::new(Announced { sink });
    }
    let matches = cached.database.search(&query, options);
    let threads = matches.threads();
    let summary = write_matches(matches, &text, &mut *sink)?;
    drop(sink);
    drop(pgn);
    for message in &summary.messages {
        console.message(message)?;
    }
    target.finish(console, summary.games)?;
    console.report(&Report {
        matches: summary.games,
        games: games_read(&cached.database, &header),
        elapsed: started.elapsed(),
        threads,
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

/// How many games CQL has read at the end: it reads one more than the last one that it searches.
fn games_read(database: &Database, header: &Header) -> u64 {
    let wanted = header.game_numbers;
    let behind = wanted
        .and_then(|range| u64::try_from(range.max).ok())
        .map_or(u64::MAX, |last| last + 1);
    database.games().min(behind)
}

/// The games to be searched.
fn games(settings: &Settings, header: &Header, cancel: &Cancel) -> Result<Cached, Failure> {
    let options = cache::Options {
        database: settings
            .threads
            .and_then(NonZeroUsize::new)
            .map_or_else(Options::default, |threads| Options {
                threads,
                ..Options::default()
            }),
        index: IndexOptions {
            cancel: cancel.clone(),
            ..IndexOptions::default()
        },
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
    /// How games are written.
    fn pgn_options(&self, query: &Query) -> PgnOptions {
        let usual = PgnOptions::of(query);
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
    /// The games are printed at the end, because their number is printed first.
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
            Target::File(file) => Ok(file.commit()?),
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

impl<S: MatchWriter> MatchWriter for Announced<S> {
    fn game(&mut self, game: GameMatch) -> cqldex::Result<()> {
        write!(io::stdout().lock(), "<{}>", game.number)?;
        self.sink.game(game)
    }

    fn finish(&mut self, summary: &Summary) -> cqldex::Result<()> {
        if summary.games > 0 {
            writeln!(io::stdout().lock())?;
        }
        self.sink.finish(summary)
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        self.sink.flush()
    }
}
