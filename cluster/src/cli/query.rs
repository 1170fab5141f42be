//! `query`: searches all shards.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use cqldex::{Columns, CountWriter, Dialect, JsonWriter, MatchWriter, Query, RowWriter, Themes};
use cqldex_cluster::{Ask, Error, Place, Result, Runner, Shape, Totals};
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;

use super::RunArgs;
use super::groups::GroupArgs;
use super::output::{Format, Output, OutputArgs, rows_of, written};

/// How many positions a table on standard output shows unless told otherwise.
const TABLE_LIMIT: u64 = 20;

/// What is shown of a match unless told otherwise.
const SHORT: [&str; 7] = ["game", "white", "black", "year", "result", "move", "fen"];

/// Arguments of `query`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The folder or s3://bucket/folder with the shards
    place: String,
    /// The filters, with or without a `cql(...)` header
    #[arg(value_name = "FILTERS", required_unless_present_any = ["file", "theme"])]
    filters: Option<String>,
    /// Read the query from a file
    #[arg(short, long, value_name = "FILE.cql", conflicts_with = "filters")]
    file: Option<PathBuf>,
    /// Ask a query that has a name, such as boden-mate; `cqldex themes` lists them
    #[arg(long, value_name = "NAME", conflicts_with_all = ["filters", "file"])]
    theme: Option<String>,
    /// The dialect that the query is written in: auto, cql6, cql5 or cql1
    #[arg(long, default_value = "auto", value_parser = dialect)]
    dialect: Dialect,
    /// Print only how many games and positions match
    #[arg(long, conflicts_with_all = ["format", "output"])]
    count: bool,
    /// Print one JSON object a line: every match, then a summary (with --count only the summary)
    #[arg(long, conflicts_with_all = ["format", "output"])]
    json: bool,
    /// Write the matching games to a PGN file (- for standard output), with comments, as CQL 6.2 writes them
    #[arg(long, value_name = "OUT.pgn", conflicts_with_all = ["count", "json", "limit", "format", "output", "columns"])]
    pgn: Option<PathBuf>,
    /// With --pgn: write UTF-8 and whole games, where CQL 6.2 mixes in Latin-1 and question marks and cuts games of more
    /// than 105,000 bytes
    #[arg(long, requires = "pgn")]
    utf8: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    groups: GroupArgs,
    /// The columns of the table, separated by commas, as in `cqldex query`
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', conflicts_with_all = ["count", "json"])]
    columns: Vec<String>,
    /// List at most N positions; the totals are always those of all matches. Tables list 20 unless told otherwise
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Search variations too, whatever the header says
    #[arg(long, overrides_with = "no_variations")]
    variations: bool,
    /// Search main lines only, whatever the header says
    #[arg(long)]
    no_variations: bool,
    /// Ask the shards that are sound, and say which games are missing, instead of failing
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    run: RunArgs,
}

fn dialect(name: &str) -> std::result::Result<Dialect, String> {
    let known = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
    known.ok_or_else(|| format!("it is one of {}", Dialect::ALL.map(Dialect::name).join(", ")))
}

/// What is written.
enum Kind {
    Count,
    Lines,
    Table(cqldex::Format),
    Groups(cqldex::Format),
    Games,
}

/// Searches, and prints what matches.
pub(crate) async fn run(args: &Args) -> Result<bool> {
    let (text, origin) = args.text()?;
    let (kind, ask, columns) = args.plan(&text).map_err(|error| shown(error, &origin))?;
    let runner = args.run.runner()?;
    let found = args.write(&runner, &kind, ask, &columns).await;
    found
        .map(|totals| totals.games > 0)
        .map_err(|error| shown(error, &origin))
}

/// A mistake in a query is shown with the line that it is about.
fn shown(error: Error, origin: &str) -> Error {
    match error {
        Error::Query(error) => Error::Unsupported(error.render(origin).trim_start_matches("error: ").to_owned()),
        error => error,
    }
}

impl Args {
    /// The query, and what to call it.
    fn text(&self) -> Result<(String, String)> {
        if let Some(name) = &self.theme {
            let theme = Themes::built_in().get(name)?;
            return Ok((theme.query.clone(), format!("theme {name}")));
        }
        if let Some(filters) = &self.filters {
            return Ok((filters.clone(), "query".to_owned()));
        }
        let path = self.file.clone().unwrap_or_default();
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok((text, path.display().to_string())),
            Err(error) => Err(Error::File { path, error }),
        }
    }

    /// What is asked and how it is written. What can be wrong with the command line is told here.
    fn plan(&self, text: &str) -> Result<(Kind, Ask, Columns)> {
        let place = Place::open(&self.place)?;
        let mut ask = Ask::new(place.name(), text, Shape::Report);
        ask.partial = self.partial;
        ask.dialect = self.dialect;
        ask.variations = match (self.variations, self.no_variations) {
            (true, _) => Some(true),
            (false, true) => Some(false),
            (false, false) => None,
        };
        self.groups.tell(&mut ask)?;
        let query = ask.compile()?;
        if self.pgn.is_some() {
            ask.shape = Shape::Games;
            ask.utf8 = self.utf8;
            return Ok((Kind::Games, ask, Columns::named(["game"], &query)?));
        }
        let names = self.columns.iter().map(|name| name.trim());
        let (kind, columns) = if self.groups.is_asked() {
            ask.shape = Shape::Totals;
            let format = self.output.table_format()?;
            (Kind::Groups(format), Columns::named(["game"], &query)?)
        } else if self.count {
            ask.shape = Shape::Totals;
            (Kind::Count, Columns::named(["game"], &query)?)
        } else if self.json {
            (Kind::Lines, Columns::named(["game", "position", "ply", "fen"], &query)?)
        } else {
            let columns = self.table_columns(names, &query)?;
            (Kind::Table(self.output.table_format()?), columns)
        };
        ask.columns = columns.names().map(str::to_owned).collect();
        ask.limit = match (&kind, self.limit) {
            (Kind::Table(cqldex::Format::Text), None) if !self.output.is_file() => Some(TABLE_LIMIT),
            (Kind::Count | Kind::Groups(_), _) => None,
            (_, limit) => limit,
        };
        Ok((kind, ask, columns))
    }

    fn table_columns<'n>(&self, names: impl Iterator<Item = &'n str>, query: &Query) -> Result<Columns> {
        let is_short = self.columns.is_empty() && self.output.format()? == Format::Table && !self.output.is_file();
        Ok(match (is_short, self.columns.is_empty()) {
            (true, _) => Columns::named(SHORT, query)?,
            (false, true) => Columns::usual(query),
            (false, false) => Columns::named(names, query)?,
        })
    }

    async fn write(&self, runner: &Runner, kind: &Kind, ask: Ask, columns: &Columns) -> Result<Totals> {
        let started = Instant::now();
        let limit = ask.limit;
        let mut out = match &self.pgn {
            Some(path) => Output::at(path)?,
            None => self.output.open()?,
        };
        match kind {
            Kind::Games => {
                let totals = runner.ask(ask, &mut |batch| write_games(batch, &mut out)).await?;
                out.commit()?;
                tell_missing(&totals);
                Ok(totals)
            }
            Kind::Groups(format) => {
                let by = ask.groups()?;
                let totals = runner.ask(ask, &mut |_| Ok(())).await?;
                let output = (&self.output, *format, self.limit);
                self.groups
                    .write(totals.counts(&by), &totals.summary(started.elapsed()), output, &mut out)?;
                out.commit()?;
                tell_missing(&totals);
                Ok(totals)
            }
            Kind::Count => {
                let totals = runner.ask(ask, &mut |_| Ok(())).await?;
                let summary = totals.summary(started.elapsed());
                match self.json {
                    true => JsonWriter::new(&mut out, None).finish(&summary)?,
                    false => CountWriter::new(&mut out).finish(&summary)?,
                }
                tell_missing(&totals);
                Ok(totals)
            }
            Kind::Lines => {
                let totals = runner.ask(ask, &mut |batch| write_lines(batch, &mut out)).await?;
                JsonWriter::new(&mut out, limit).finish(&totals.summary(started.elapsed()))?;
                tell_missing(&totals);
                Ok(totals)
            }
            Kind::Table(format) => {
                let mut shown = 0;
                let mut writer: Box<dyn RowWriter + '_> =
                    format.writer(columns.columns(), &mut out).map_err(written)?;
                let write = &mut |batch: &RecordBatch| {
                    shown += batch.num_rows() as u64;
                    writer.write(&rows_of(batch, columns.columns())?).map_err(written)
                };
                let totals = runner.ask(ask, write).await?;
                writer.finish().map_err(written)?;
                drop(writer);
                if *format == cqldex::Format::Text {
                    let gap = if shown > 0 { "\n" } else { "" };
                    let text = format!(
                        "{gap}{}",
                        cqldex::totals(&totals.summary(started.elapsed()), Some(shown))
                    );
                    out.write_all(text.as_bytes()).map_err(written)?;
                }
                out.commit()?;
                tell_missing(&totals);
                Ok(totals)
            }
        }
    }
}

/// The texts of games.
fn write_games(batch: &RecordBatch, out: &mut impl Write) -> Result<()> {
    let mut texts = batch.column(0).as_binary::<i32>().iter().flatten();
    texts.try_for_each(|text| out.write_all(text)).map_err(written)
}

/// A line of JSON for each match.
fn write_lines(batch: &RecordBatch, out: &mut impl Write) -> Result<()> {
    let numbers = |column: usize| batch.column(column).as_primitive::<Int64Type>();
    let (games, positions, plies) = (numbers(0), numbers(1), numbers(2));
    let fens = batch.column(3).as_string::<i32>();
    let mut lines = String::new();
    for row in 0..batch.num_rows() {
        // Nothing in a FEN has to be escaped.
        let _ = writeln!(
            lines,
            r#"{{"type":"match","game":{},"position":{},"ply":{},"fen":"{}"}}"#,
            games.value(row),
            positions.value(row),
            plies.value(row),
            fens.value(row)
        );
    }
    out.write_all(lines.as_bytes()).map_err(written)
}

/// Says what is missing.
fn tell_missing(totals: &Totals) {
    for missing in &totals.missing {
        let last = missing.first + missing.games - 1;
        let _ = writeln!(
            io::stderr(),
            "warning: games {}-{last} could not be searched: {}",
            missing.first,
            missing.reason
        );
    }
}
