//! `cqldex sets`: the named sets of a database.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use cqldex::format::{count, grouped, printable};
use cqldex::{Database, Error, ExportFormat, SetExport, SetInfo};
use serde_json::json;

use super::interrupt;
use crate::color;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex sets`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex query games.db 'N attacks k attacks q' --save forks
  cqldex sets games.db
  cqldex sets games.db --make good = 'forks & !drawn'
  cqldex query games.db 'positionset \"good\" mate'
  cqldex sets games.db --export good -o good

In --make, `a & b` has the positions of both sets, `a | b` those of either, `a - b` those of `a` that `b` does not have, \
`!a` all positions of the database that `a` does not have. `!` binds tighter than `&` and `-`, and these tighter than `|`.")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    #[command(flatten)]
    action: Action,
    /// The folder for the files of --export
    #[arg(short, long, value_name = "FOLDER", requires = "export")]
    output: Option<PathBuf>,
    /// With --make: replace a set of this name
    #[arg(long, requires = "make")]
    replace: bool,
    /// Print one JSON object for each set; with --export, write the lists as JSON lines
    #[arg(long, conflicts_with_all = ["delete", "rename"])]
    json: bool,
    /// Stop after this number of seconds; 0 for never
    #[arg(long, value_name = "SECONDS", default_value_t = 3600)]
    timeout: u64,
    /// How many threads search where live sets grow; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// What to do, if not to list the sets.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Action {
    /// Delete a set
    #[arg(long, value_name = "NAME")]
    delete: Option<String>,
    /// Give a set another name
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    rename: Option<Vec<String>>,
    /// Write a set into a folder: a bitmap in the portable format of Roaring for each segment, and a list of games and
    /// positions
    #[arg(long, value_name = "NAME", requires = "output")]
    export: Option<String>,
    /// Combine sets: `--make good = 'forks & !drawn'`
    #[arg(long, num_args = 1..=3, value_names = ["NAME", "=", "SETS"])]
    make: Option<Vec<String>>,
}

/// Lists, changes or exports sets.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let database = Database::open(&args.db, super::reading(args.threads))?;
    let sets = database.sets().with_cancel(interrupt::cancel_within(args.timeout));
    let mut out = io::stdout().lock();
    let Action {
        delete,
        rename,
        export,
        make,
    } = &args.action;
    if let Some(name) = delete {
        sets.delete(name)?;
        writeln!(out, "the set `{name}` is deleted")?;
    } else if let Some([from, to]) = rename.as_deref() {
        sets.rename(from, to)?;
        writeln!(out, "the set `{from}` is `{to}` now")?;
    } else if let (Some(name), Some(folder)) = (export, &args.output) {
        let set = sets.read(name).map_err(failure)?;
        let lists = match args.json {
            true => ExportFormat::JsonLines,
            false => ExportFormat::Tsv,
        };
        let done = set.export_as(folder, lists).map_err(failure)?;
        match args.json {
            true => writeln!(out, "{}", exported_json(name, &done))?,
            false => writeln!(
                out,
                "{} written to {}, with {}",
                count(done.positions, "position"),
                folder.display(),
                count(done.segments, "bitmap")
            )?,
        }
        if let Some(missing) = missing(done.games_missing) {
            let _ = writeln!(io::stderr(), "{} the set `{name}` {missing}", color::warning());
        }
    } else if let Some(words) = make {
        let set = sets.make(&words.join(" "), args.replace).map_err(failure)?;
        match args.json {
            true => writeln!(out, "{}", json(&set))?,
            false => writeln!(out, "{}", saved(&set))?,
        }
    } else {
        let list = sets.list().map_err(failure)?;
        match args.json {
            true => list.iter().try_for_each(|set| writeln!(out, "{}", json(set)))?,
            false => table(&list, &mut out)?,
        }
    }
    Ok(Done::Success)
}

/// Why something could not be done; of a search that was stopped, who stopped it.
fn failure(error: Error) -> Failure {
    match error {
        Error::Cancelled => Failure::message(interrupt::reason()),
        error => error.into(),
    }
}

/// Which positions a set has, in one line.
pub(super) fn saved(set: &SetInfo) -> String {
    let (positions, games) = (count(set.positions, "position"), count(set.games, "game"));
    let mut text = format!("the set `{}` has {positions} in {games}", set.name);
    if let Some(missing) = missing(set.games_missing) {
        text.push_str("; it ");
        text.push_str(&missing);
    }
    text
}

/// What a set lacks, if anything.
fn missing(games: u64) -> Option<String> {
    (games > 0).then(|| format!("lacks {} that could not be searched", count(games, "game")))
}

/// Prints a line for each set.
fn table(list: &[SetInfo], out: &mut impl Write) -> io::Result<()> {
    if list.is_empty() {
        return writeln!(out, "no sets; `cqldex query DB FILTERS --save NAME` makes one");
    }
    let width = list.iter().map(|set| set.name.len()).max().unwrap_or_default().max(4);
    writeln!(
        out,
        "{:<width$}  {:>12}  {:>10}  live query",
        "name", "positions", "games"
    )?;
    for set in list {
        if let Some(damage) = &set.damage {
            writeln!(out, "{:<width$}  {damage}", set.name)?;
            continue;
        }
        let (positions, games) = (grouped(set.positions), grouped(set.games));
        let query = set.live.as_ref().map_or_else(String::new, |query| {
            let words = query.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("  {}", printable(&words))
        });
        let missing = missing(set.games_missing).map_or_else(String::new, |missing| format!("  ({missing})"));
        writeln!(
            out,
            "{:<width$}  {positions:>12}  {games:>10}{query}{missing}",
            set.name
        )?;
    }
    Ok(())
}

/// What an export has written. The fields are a contract, too.
fn exported_json(name: &str, done: &SetExport) -> serde_json::Value {
    json!({
        "type": "export",
        "name": name,
        "positions": done.positions,
        "segments": done.segments,
        "gamesMissing": done.games_missing,
    })
}

/// The fields are a contract: they may become more, never other ones.
fn json(set: &SetInfo) -> serde_json::Value {
    json!({
        "type": "set",
        "name": set.name,
        "positions": set.positions,
        "games": set.games,
        "gamesMissing": set.games_missing,
        "live": set.live,
        "damage": set.damage,
    })
}
