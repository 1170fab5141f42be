//! `split`, `index`, `add`, `shards` and `prune`: making, listing and removing shards.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

use cqldex::format::{bytes, count};
use cqldex_cluster::{Cut, Error, Place, Progress, Result, Shard, add, prune};

/// How many games a shard has unless told otherwise.
const GAMES: u64 = 2_000_000;

/// Arguments of `split`.
#[derive(Debug, clap::Args)]
pub(crate) struct SplitArgs {
    /// The database
    db: PathBuf,
    /// The folder or s3://bucket/folder for the shards
    target: String,
    /// How many shards
    #[arg(long, value_name = "N")]
    shards: NonZeroU64,
    /// The folder for what is made on the way
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
}

/// Arguments of `index` and `add`.
#[derive(Debug, clap::Args)]
pub(crate) struct IndexArgs {
    /// The folder or s3://bucket/folder for the shards
    target: String,
    /// PGN files (plain, zst, gz or bz2), folders with such files, - for standard input, or one database
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// How many games a shard has at most
    #[arg(long, value_name = "N", default_value_t = NonZeroU64::new(GAMES).unwrap_or(NonZeroU64::MIN))]
    games: NonZeroU64,
    /// The folder for what is made on the way
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
}

/// Arguments of `shards`.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// The folder or s3://bucket/folder with the shards
    place: String,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Arguments of `prune`.
#[derive(Debug, clap::Args)]
pub(crate) struct PruneArgs {
    /// The folder or s3://bucket/folder with the shards
    place: String,
    /// Only what is older than this number of days goes; that has to be longer than any question or addition takes
    #[arg(long, value_name = "DAYS", default_value_t = 7.0, value_parser = days)]
    older: f64,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

fn days(text: &str) -> std::result::Result<f64, String> {
    let days = text.parse().ok().filter(|days| (0.0..=100_000.0).contains(days));
    days.ok_or_else(|| "it is a number of days".to_owned())
}

/// Says which shards are there.
struct Told;

impl Progress for Told {
    fn shard(&self, shard: &Shard, number: usize, of: usize) {
        let (games, size) = (count(shard.games, "game"), bytes(shard.bytes()));
        let _ = writeln!(io::stderr(), "shard {number} of {of}: {games}, {size}");
    }
}

/// Cuts a database into shards of a new place.
pub(crate) async fn split(args: &SplitArgs) -> Result<bool> {
    let place = Place::create(&args.target)?;
    refuse_existing(&place).await?;
    publish(
        &place,
        std::slice::from_ref(&args.db),
        Cut::Shards(args.shards),
        args.work.clone(),
    )
    .await
}

/// Makes shards of PGN files in a new place.
pub(crate) async fn index(args: &IndexArgs) -> Result<bool> {
    let place = Place::create(&args.target)?;
    refuse_existing(&place).await?;
    publish(&place, &args.sources, Cut::Games(args.games), args.work.clone()).await
}

/// Adds shards to a place.
pub(crate) async fn add_to(args: &IndexArgs) -> Result<bool> {
    let place = Place::create(&args.target)?;
    publish(&place, &args.sources, Cut::Games(args.games), args.work.clone()).await
}

async fn refuse_existing(place: &Place) -> Result<()> {
    match place.newest().await? {
        None => Ok(()),
        Some(manifest) => Err(Error::Unsupported(format!(
            "{} has {} already: `cqldex-cluster add` adds to them",
            place.name(),
            count(manifest.shards.len() as u64, "shard")
        ))),
    }
}

async fn publish(place: &Place, sources: &[PathBuf], cut: Cut, work: Option<PathBuf>) -> Result<bool> {
    let manifest = add(place, sources, cut, work.as_deref(), &Told).await?;
    let (shards, games) = (
        count(manifest.shards.len() as u64, "shard"),
        count(manifest.games(), "game"),
    );
    let mut out = io::stdout().lock();
    let told = writeln!(out, "manifest {}: {shards} with {games}", manifest.number);
    told.map_err(|error| Error::Library(cqldex::Error::Output(error)))?;
    Ok(true)
}

/// Lists shards.
pub(crate) async fn list(args: &ListArgs) -> Result<bool> {
    let manifest = Place::open(&args.place)?.manifest().await?;
    let mut out = io::stdout().lock();
    let told = if args.json {
        let text = serde_json::to_string(&manifest).unwrap_or_default();
        writeln!(out, "{text}")
    } else {
        let mut lines = String::new();
        for shard in &manifest.shards {
            let (games, size) = (count(shard.games, "game"), bytes(shard.bytes()));
            lines.push_str(&format!(
                "{}  from game {}: {games}, {size}\n",
                shard.id,
                shard.before + 1
            ));
        }
        let (games, size) = (count(manifest.games(), "game"), bytes(manifest.bytes()));
        lines.push_str(&format!("manifest {}: {games}, {size}\n", manifest.number));
        out.write_all(lines.as_bytes())
    };
    told.map_err(|error| Error::Library(cqldex::Error::Output(error)))?;
    Ok(true)
}

/// Removes old manifests, and shards that no manifest names.
pub(crate) async fn prune_old(args: &PruneArgs) -> Result<bool> {
    let age = Duration::from_secs_f64(args.older * 24.0 * 3600.0);
    let pruned = prune(&Place::open(&args.place)?, age, args.dry_run).await?;
    let mut lines = String::new();
    for manifest in &pruned.manifests {
        lines.push_str(&format!("manifest {manifest}\n"));
    }
    for shard in &pruned.shards {
        lines.push_str(&format!("shard {shard}\n"));
    }
    let what = [
        count(pruned.manifests.len() as u64, "manifest"),
        count(pruned.shards.len() as u64, "shard"),
    ];
    let done = if args.dry_run { "would be removed" } else { "removed" };
    lines.push_str(&format!("{done}: {}, {}\n", what.join(" and "), bytes(pruned.bytes)));
    let told = io::stdout().lock().write_all(lines.as_bytes());
    told.map_err(|error| Error::Library(cqldex::Error::Output(error)))?;
    Ok(true)
}
