//! `cqldex query`: searches a database.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cqldex::format::{count, printable};
use cqldex::{
    By, Cancel, Columns, CountOptions, CountWriter, Database, Detail, Encoding, Error, Found, GameMatch, JsonWriter,
    MatchWriter, Matches, Options, PgnOptions, PgnWriter, PositionSet, Query, Route, RowsWriter, SaveAs, SearchOptions,
    SkipDamaged, SkippedGames, Sorted, Summary, TableWriter, Within, totals,
};

use super::format::{Format, OutputArgs};
use super::groups::{GroupArgs, collect};
use super::interrupt;
use super::pgn_files::{PgnArgs, ToFiles, Written};
use super::text::{QueryArgs, QueryText};
use crate::color;
use crate::exit::{Done, Failure};

/// How long a search that has failed may take to leave the database.
const GRACE: Duration = Duration::from_millis(150);

/// How many positions the table shows unless told otherwise.
const TABLE_LIMIT: u64 = 20;

/// Arguments of `cqldex query`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex query games.db 'mate N attacks k'
  cqldex query games.db 'flipcolor { Bh7 kg8 Q }' --by year,result
  cqldex query games.db 'stalemate' --count
  cqldex query games.db -f query.cql --variations
  cqldex query games.db --theme smothered-mate
  cqldex query games.db 'player \"Tal,\" mate' --pgn found.pgn
  cqldex query games.db 'mate' -o mates.csv --columns game,white,black,fen")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    #[command(flatten)]
    query: QueryArgs,
    /// Print only how many games and positions match
    #[arg(long, conflicts_with_all = ["format", "output"])]
    count: bool,
    /// Print one JSON object a line: every match, then a summary (with --count only the summary)
    #[arg(long, conflicts_with_all = ["format", "output"])]
    json: bool,
    /// Write the matching games to a PGN file (- for standard output), with comments, as CQL 6.2 writes them
    #[arg(long, value_name = "OUT.pgn", conflicts_with_all = ["count", "json", "limit", "format", "output"])]
    pgn: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArgs,
    /// The columns of the table, separated by commas: game, position, ply, side, move, next, fen, white_clock, black_clock,
    /// movetime, eval, white, black, white_rating, black_rating, result, event, site, date, date_text, year, month, day,
    /// event_date, event_date_text, eco, length, comment, sort, sort:NAME, tag:NAME
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with_all = ["count", "json", "pgn"])]
    columns: Vec<String>,
    #[command(flatten)]
    groups: GroupArgs,
    /// With --pgn: write UTF-8 and whole games, where CQL 6.2 mixes in Latin-1 and question marks and cuts games of more
    /// than 105,000 bytes
    #[arg(long)]
    utf8: bool,
    #[command(flatten)]
    pgn_files: PgnArgs,
    /// List at most N positions; the totals are always those of all matches. Tables list 20 unless told otherwise
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// List the first N positions and stop there; how many there are in all is not found out
    #[arg(long, value_name = "N", conflicts_with_all = ["limit", "count", "pgn"])]
    first: Option<u64>,
    /// Keep the matching positions as a set with this name, for `positionset "NAME"` in queries, --within and `cqldex sets`
    #[arg(long, value_name = "NAME", conflicts_with_all = ["limit", "first"])]
    save: Option<String>,
    /// With --save: keep the query, too; the set grows when games are added
    #[arg(long, requires = "save")]
    live: bool,
    /// With --save: replace a set of this name
    #[arg(long, requires = "save")]
    replace: bool,
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
    /// How many megabytes all kept answers may take; 2 % of the database unless told otherwise
    #[arg(long, value_name = "MB", conflicts_with = "no_answers")]
    answers: Option<u32>,
    /// Work everything out anew: no kept answer is used, and none is kept
    #[arg(long)]
    no_answers: bool,
    /// Search what is sound of a damaged database, and say which games are missing, instead of failing
    #[arg(long)]
    pub(super) skip_damaged: bool,
    /// Stop a search after this number of seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    pub(super) timeout: u64,
    /// How many threads search; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<NonZeroUsize>,
    /// The folder below which the query may read and write files (readfile, writefile, similarposition); nowhere unless
    /// told otherwise
    #[arg(long, value_name = "FOLDER")]
    files: Option<PathBuf>,
    /// Only positions of a named set match; of several, of all of them
    #[arg(long, value_name = "SET")]
    within: Vec<String>,
    /// Positions of a named set do not match
    #[arg(long, value_name = "SET")]
    not_within: Vec<String>,
}

impl SearchArgs {
    /// The same options of a database, changed as these arguments say.
    pub(super) fn on(&self, database: Options) -> Options {
        Options {
            answers: self.answers.map(|megabytes| u64::from(megabytes) << 20),
            ..database
        }
    }

    /// The options of a search; its time begins now.
    pub(super) fn options(&self, detail: Detail) -> SearchOptions {
        self.options_until(interrupt::cancel_within(self.timeout), detail)
    }

    /// The options of a search that something else stops.
    pub(super) fn options_until(&self, cancel: Cancel, detail: Detail) -> SearchOptions {
        let variations = match (self.variations, self.no_variations) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        let route = if self.no_index { Route::Scan } else { Route::Plan };
        let options = SearchOptions::default();
        SearchOptions {
            variations,
            route,
            detail,
            skip_damaged: self.skip_damaged,
            files: self.files.clone(),
            within: self.within.clone(),
            not_within: self.not_within.clone(),
            cancel,
            kept_answers: options.kept_answers.filter(|_| !self.no_answers),
            ..options
        }
    }
}

/// Searches a database and prints what matches.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    run_on(args, &|_, _, _, _| Ok(None))
}

/// Says which of the matching positions are wanted, if not all are; the search for them is stopped by the last argument.
pub(super) type Wanted<'w> =
    dyn Fn(&Database, &Query, &QueryText, &Cancel) -> Result<Option<PositionSet>, Failure> + 'w;

/// The same for those positions that are wanted.
pub(super) fn run_on(args: &Args, wanted: &Wanted<'_>) -> Result<Done, Failure> {
    let text = args.query.read()?;
    let compiled = text.compile()?;
    // What can be wrong with the command line is told before the search.
    let answer = args.answer(&compiled)?;
    let database = Database::open(&args.db, args.search.on(super::reading(args.search.threads)))?;
    note_ignored(&compiled);

    let started = Instant::now();
    let cancel = interrupt::cancel_within(args.search.timeout);
    let wanted = wanted(&database, &compiled, &text, &cancel)?;
    let run = Run {
        query: &compiled,
        args,
        database: &database,
        text: &text,
        wanted: wanted.as_ref(),
        started,
        cancel,
    };
    let summary = match answer {
        Answer::Groups(format, by) => run.count_groups(format, &by),
        Answer::Pgn(path) => run.write_pgn(path),
        Answer::Rows(format, columns) => run.write_rows(format, &columns),
        Answer::Lines => run.list(),
    }?;
    tell_messages(&summary);
    if let Some(name) = &args.save {
        let (positions, games) = (count(summary.positions, "position"), count(summary.games, "game"));
        let _ = writeln!(io::stderr(), "the set `{name}` has {positions} in {games}");
    }
    Ok(if summary.games > 0 {
        Done::Success
    } else {
        Done::NothingMatched
    })
}

/// What is written of the matches.
enum Answer<'a> {
    /// The usual table, lines of JSON, or their number.
    Lines,
    /// A table with typed columns.
    Rows(cqldex::Format, Columns),
    /// Counts in groups.
    Groups(cqldex::Format, Vec<By>),
    /// The games, to this file.
    Pgn(&'a Path),
}

impl Args {
    /// How the database is searched.
    pub(super) fn search(&self) -> &SearchArgs {
        &self.search
    }

    /// What is to be written.
    fn answer(&self, query: &Query) -> Result<Answer<'_>, Failure> {
        let by = self.groups.by()?;
        if !by.is_empty() {
            return Ok(Answer::Groups(self.output.table_format()?, by));
        }
        let pgn = match &self.pgn {
            Some(path) => Some(path.as_path()),
            None if self.output.format()? == Format::Pgn => Some(self.output.path()),
            None => None,
        };
        if self.utf8 && pgn.is_none() {
            return Err(Failure::message("--utf8 is about PGN: name a file with --pgn"));
        }
        if self.pgn_files.any() && pgn.is_none() {
            return Err(Failure::message(
                "--split, --append and --no-clobber are about PGN: name a file with --pgn",
            ));
        }
        if let Some(path) = pgn {
            if self.limit.is_some() || !self.columns.is_empty() || self.first.is_some() {
                return Err(Failure::message(
                    "PGN has all matching games, without --limit, --first and --columns",
                ));
            }
            return Ok(Answer::Pgn(path));
        }
        if self.json || self.count || self.output.is_usual() && self.columns.is_empty() {
            return Ok(Answer::Lines);
        }
        let columns = match self.columns.is_empty() {
            true => Columns::usual(query),
            false => Columns::named(self.columns.iter().map(|name| name.trim()), query)?,
        };
        Ok(Answer::Rows(self.output.table_format()?, columns))
    }
}

/// A search that is about to start.
struct Run<'a> {
    query: &'a Query,
    args: &'a Args,
    database: &'a Database,
    text: &'a QueryText,
    /// The positions that are wanted of those that match, if not all are.
    wanted: Option<&'a PositionSet>,
    /// When the search for them began.
    started: Instant,
    /// Ctrl-C and the end of the time.
    cancel: Cancel,
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
            (true, true) => self.search(Detail::Count, limit, &mut JsonWriter::new(out, limit)),
            (false, true) => self.search(Detail::Count, limit, &mut CountWriter::new(out)),
            (true, false) => self.search_sorted(Detail::Positions, limit, JsonWriter::new(out, limit)),
            (false, false) => {
                let table = self.readable(TableWriter::new(out, self.database));
                self.search_sorted(Detail::Positions, limit, table)
            }
        }
    }

    /// With `--skip-damaged`, games that can't be read are left out with a warning.
    fn readable<W: MatchWriter>(&self, writer: W) -> SkipDamaged<W, fn(u64, &Error)> {
        readable(writer, self.args.search.skip_damaged)
    }

    /// Lists positions in the order that the query asks for.
    fn search_sorted(
        &self,
        detail: Detail,
        limit: Option<u64>,
        mut sink: impl MatchWriter,
    ) -> Result<Summary, Failure> {
        match self.query.is_sorted() {
            // The order is known only at the end.
            true => self.search(Detail::Results, None, &mut Sorted::new(sink, self.query, limit)),
            false => self.search(detail, limit, &mut sink),
        }
    }

    /// Writes a row for each matching position.
    fn write_rows(&self, format: cqldex::Format, columns: &Columns) -> Result<Summary, Failure> {
        let is_for_people = format == cqldex::Format::Text;
        let limit = match self.args.first.or(self.args.limit) {
            None if is_for_people && !self.args.output.is_file() => Some(TABLE_LIMIT),
            limit => limit,
        };
        let mut out = self.args.output.open()?;
        let rows = RowsWriter::new(format, &mut out, columns, self.database)?;
        let summary = match columns.need_boards() || self.query.is_sorted() || self.args.first.is_some() {
            true => self.search_sorted(columns.detail(), limit, self.readable(rows))?,
            false => self.write_without_boards(rows, limit)?,
        };
        if is_for_people {
            if summary.positions > 0 {
                writeln!(out)?;
            }
            let shown = limit.unwrap_or(u64::MAX).min(summary.positions);
            out.write_all(totals(&summary, Some(shown)).as_bytes())?;
        }
        out.commit()?;
        Ok(summary)
    }

    /// Writes rows for which the numbers of games and positions are enough, so that no game has to be opened.
    fn write_without_boards(&self, mut rows: RowsWriter<'_>, limit: Option<u64>) -> Result<Summary, Failure> {
        let found = self.collect()?;
        if let Some(positions) = &found.positions {
            let report: fn(u64, &Error) = warn_of_damage;
            rows.positions(positions, limit, self.args.search.skip_damaged.then_some(report))?;
        }
        rows.finish(&found.summary)?;
        Ok(found.summary)
    }

    /// Counts games and positions in groups.
    fn count_groups(&self, format: cqldex::Format, by: &[By]) -> Result<Summary, Failure> {
        let options = self.args.search.options_until(self.cancel.clone(), Detail::Count);
        let count = CountOptions {
            variations: options.variations.unwrap_or(self.query.header().variations),
            skip_damaged: options.skip_damaged,
            cancel: options.cancel,
            ..CountOptions::default()
        };
        let found = self.collect()?;
        let output = (&self.args.output, format, self.args.limit);
        let groups = &self.args.groups;
        groups.write((&found, self.text), self.database, (by, &count), output)?;
        Ok(found.summary)
    }

    /// All positions that match and are wanted, as numbers.
    fn collect(&self) -> Result<Found, Failure> {
        let options = SearchOptions {
            save: self.save(),
            ..self.args.search.options_until(self.cancel.clone(), Detail::Count)
        };
        match self.wanted {
            None => collect(self.database, self.query, self.text, options),
            Some(wanted) => {
                self.save_wanted(wanted)?;
                let listed = listed(self.database, wanted, options);
                let mut found = listed.map_err(|error| self.text.failure(error))?;
                found.summary.elapsed = self.started.elapsed();
                Ok(found)
            }
        }
    }

    /// The set to be saved.
    fn save(&self) -> Option<SaveAs> {
        let name = self.args.save.clone()?;
        Some(SaveAs {
            name,
            live: self.args.live,
            replace: self.args.replace,
        })
    }

    /// Writes the matching games to a file.
    fn write_pgn(&self, path: &Path) -> Result<Summary, Failure> {
        let mut files = self.args.pgn_files.files(path)?;
        let mut options = PgnOptions::of(self.query);
        if self.args.utf8 {
            options.encoding = Encoding::Utf8;
            options.buffer = None;
        }
        let written = Written::default();
        let mut pgn = self.readable(ToFiles {
            writer: PgnWriter::new(written.clone(), self.database, self.query, options),
            written,
            files: &mut files,
        });
        let summary = match self.query.is_sorted() {
            true => self.search(Detail::Results, None, &mut Sorted::new(pgn, self.query, None)),
            false => self.search(Detail::Results, None, &mut pgn),
        }?;
        files.commit()?;
        Ok(summary)
    }

    fn search(&self, detail: Detail, limit: Option<u64>, sink: &mut dyn MatchWriter) -> Result<Summary, Failure> {
        let options = SearchOptions {
            limit,
            stop_at_limit: self.args.first.is_some() && limit.is_some(),
            save: self.save(),
            ..self.args.search.options_until(self.cancel.clone(), detail)
        };
        let Some(wanted) = self.wanted else {
            return write_matches(self.database.search(self.query, options), self.text, sink);
        };
        self.save_wanted(wanted)?;
        let sink = &mut Since(sink, self.started);
        if detail != Detail::Results {
            return write_matches(self.database.list(wanted, options), self.text, sink);
        }
        let options = SearchOptions {
            limit: None,
            stop_at_limit: false,
            save: None,
            ..options
        };
        let mut within = Within::new(sink, wanted, limit);
        let summary = write_matches(self.database.search(self.query, options), self.text, &mut within)?;
        Ok(within.counted(&summary))
    }

    /// Saves the positions that are wanted, if a set is to be made.
    fn save_wanted(&self, wanted: &PositionSet) -> Result<(), Failure> {
        let Some(save) = self.save() else { return Ok(()) };
        if save.live {
            return Err(Failure::message(
                "a difference can't be a live set: it is about two searches",
            ));
        }
        Ok(self.database.sets().save(&save.name, wanted, save.replace)?)
    }
}

/// Says that all of it took the time since a moment.
struct Since<'w>(&'w mut dyn MatchWriter, Instant);

impl MatchWriter for Since<'_> {
    fn game(&mut self, game: GameMatch) -> cqldex::Result<()> {
        self.0.game(game)
    }

    fn finish(&mut self, summary: &Summary) -> cqldex::Result<()> {
        let elapsed = self.1.elapsed();
        self.0.finish(&Summary {
            elapsed,
            ..summary.clone()
        })
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        self.0.flush()
    }
}

/// Gives the matches of a search to a sink.
pub(super) fn write_matches(
    mut matches: Matches,
    text: &QueryText,
    sink: &mut dyn MatchWriter,
) -> Result<Summary, Failure> {
    for game in &mut matches {
        let failure = match game.map(|game| sink.game(game)) {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error.into(),
            Err(error) => match sink.flush() {
                // What was printed stays in order before the message.
                Ok(()) => text.failure(error),
                Err(error) => error.into(),
            },
        };
        matches.close(GRACE);
        return Err(failure);
    }
    let summary = matches.summary()?;
    sink.finish(&summary)?;
    Ok(summary)
}

/// Counts the positions of a set as a search does.
fn listed(database: &Database, wanted: &PositionSet, options: SearchOptions) -> Result<Found, Error> {
    let options = SearchOptions {
        detail: Detail::Count,
        collect: true,
        ..options
    };
    database.list(wanted, options).found()
}

/// Where damage is skipped, games that can't be read are left out with a warning.
pub(super) fn readable<W: MatchWriter>(writer: W, skip_damaged: bool) -> SkipDamaged<W, fn(u64, &Error)> {
    let report: fn(u64, &Error) = warn_of_damage;
    SkipDamaged::new(writer, skip_damaged.then_some(report))
}

/// Warns of a game that matches and can't be read.
fn warn_of_damage(game: u64, damage: &Error) {
    // A closed standard error does not end the search.
    let _ = writeln!(
        io::stderr(),
        "{} game {game} matches, but could not be written: {damage}",
        color::warning()
    );
}

/// Warns of parameters of the header that have no effect on a database.
fn note_ignored(query: &Query) {
    let header = query.header();
    let parameters = [("input", &header.input), ("output", &header.output)];
    for (name, value) in parameters {
        if let Some(value) = value {
            let _ = writeln!(
                io::stderr(),
                "note: `{name} {value}` of the header is ignored: the database is searched"
            );
        }
    }
}

/// Prints the messages of the query.
pub(super) fn tell_messages(summary: &Summary) {
    let mut err = BufWriter::new(io::stderr().lock());
    for line in warnings(summary).into_iter().chain(messages(summary)) {
        let _ = writeln!(err, "{line}");
    }
}

/// Prints what is missing in the answer because of damage.
pub(super) fn tell_warnings(summary: &Summary) {
    for line in warnings(summary) {
        let _ = writeln!(io::stderr(), "{line}");
    }
}

/// What is missing in the answer because of damage.
pub(super) fn warnings(summary: &Summary) -> Vec<String> {
    let skipped = summary.skipped.iter().map(|SkippedGames { games, damage }| {
        let (first, last) = (games.start, games.end - 1);
        format!(
            "{} games {first}-{last} could not be searched: {damage}",
            color::warning()
        )
    });
    let incomplete = summary.incomplete_sets.iter().map(|(name, games)| {
        let games = count(*games, "game");
        let warning = color::warning();
        format!("{warning} the set `{name}` lacks {games} that could not be searched when it was saved")
    });
    skipped.chain(incomplete).collect()
}

/// The messages of the query, and the final values of persistent variables, as CQL prints them.
pub(super) fn messages(summary: &Summary) -> Vec<String> {
    let terminal = io::stderr().is_terminal();
    let messages = summary.messages.iter().map(|message| {
        let text = String::from_utf8_lossy(message);
        let text = if terminal { printable(&text) } else { text };
        text.into_owned()
    });
    let values = summary.persistent.iter();
    let values = values.map(|(name, value)| format!("{name}: {}", printable(&value.to_string())));
    messages.chain(values).collect()
}
