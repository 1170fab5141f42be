//! Makes shards of databases: each is a database with a part of the games.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::num::NonZeroU64;
use std::ops::Range;
use std::path::{Path, PathBuf};

use cqldex::{Database, IndexOptions, Options};
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::error::{Error, Result};
use crate::manifest::{Manifest, Shard, ShardFile, hexadecimal};
use crate::place::Place;

/// Into how many shards a database is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// So many, with equally many games.
    Shards(NonZeroU64),
    /// As many as are needed for this many games in each at most.
    Games(NonZeroU64),
}

impl Cut {
    /// The games of each shard, counted from 0.
    fn ranges(self, games: u64) -> Vec<Range<u64>> {
        let shards = match self {
            Cut::Shards(shards) => shards.get().min(games),
            Cut::Games(most) => games.div_ceil(most.get()),
        };
        // Two shards never differ by more than a game.
        let end = |shard: u64| {
            let end = u128::from(games) * u128::from(shard) / u128::from(shards.max(1));
            u64::try_from(end).unwrap_or(games)
        };
        (0..shards).map(|shard| end(shard)..end(shard + 1)).collect()
    }
}

/// What is told while shards are written.
pub trait Progress {
    /// A shard is in its place.
    fn shard(&self, shard: &Shard, number: usize, of: usize);
}

impl Progress for () {
    fn shard(&self, _: &Shard, _: usize, _: usize) {}
}

/// Writes the games of a source as shards behind those that a place has, and publishes the manifest. A source is a database,
/// or PGN files, which are indexed first; `work` is a folder for what is made on the way.
///
/// # Errors
///
/// When something can't be read or written, or somebody else publishes a manifest at the same time; then nothing has
/// changed.
pub async fn add(
    place: &Place,
    sources: &[PathBuf],
    cut: Cut,
    work: Option<&Path>,
    progress: &dyn Progress,
) -> Result<Manifest> {
    let scratch = match work {
        Some(folder) => TempDir::with_prefix_in("cqldex-", folder),
        None => TempDir::with_prefix("cqldex-"),
    };
    let scratch = scratch.map_err(Error::file(
        work.unwrap_or(Path::new("the folder for files in between")),
    ))?;
    let source = match sources {
        [database] if is_database(database) => database.clone(),
        files => indexed(files, &scratch.path().join("all"))?,
    };
    let before = place.newest().await?.unwrap_or_default();
    let mut shards = Vec::new();
    let parts = parts(&source, cut)?;
    for (number, games) in parts.iter().enumerate() {
        let folder = scratch.path().join("shard");
        let shard = cut_out(&source, &folder, games.clone())?;
        place.upload(&shard, &folder).await?;
        fs::remove_dir_all(&folder).map_err(Error::file(&folder))?;
        progress.shard(&shard, number + 1, parts.len());
        shards.push(shard);
    }
    let manifest = before.with(shards);
    place.publish(&manifest).await?;
    Ok(manifest)
}

/// Whether a path is a database, and not PGN.
fn is_database(path: &Path) -> bool {
    path.join("CURRENT").is_file()
}

/// Indexes PGN files.
fn indexed(files: &[PathBuf], folder: &Path) -> Result<PathBuf> {
    if let Some(database) = files.iter().find(|file| is_database(file)) {
        return Err(Error::Unsupported(format!(
            "{}: a database is added alone, without other files",
            database.display()
        )));
    }
    let mut database = Database::create(folder, Options::default())?;
    let summary = database.index(files, &IndexOptions::default(), &())?;
    if summary.games == 0 {
        return Err(Error::Unsupported("the files have no games".to_owned()));
    }
    Ok(folder.to_owned())
}

/// The games of each shard, by their numbers in the database, counted from 1.
fn parts(source: &Path, cut: Cut) -> Result<Vec<Vec<Range<u64>>>> {
    let options = Options {
        read_only: true,
        ..Options::default()
    };
    let database = Database::open(source, options)?;
    // Removed games leave gaps.
    let there: Vec<u64> = (1..=database.last_number())
        .filter(|&number| database.has_game(number))
        .collect();
    let ranges = cut.ranges(there.len() as u64).into_iter();
    Ok(ranges
        .map(|range| {
            let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX);
            runs(&there[at(range.start)..at(range.end)])
        })
        .collect())
}

/// Runs of consecutive numbers.
fn runs(numbers: &[u64]) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

/// Makes a database with some games of another one.
fn cut_out(source: &Path, folder: &Path, games: Vec<Range<u64>>) -> Result<Shard> {
    link(source, folder)?;
    let mut database = Database::open(folder, Options::default())?;
    let mut others = Vec::new();
    let mut next = 1;
    for run in games {
        others.push(next..run.start);
        next = run.end;
    }
    others.push(next..database.last_number() + 1);
    database.remove(others.into_iter().flatten())?;
    database.compact()?;
    let stats = database.stats()?;
    drop(database);
    let files = files_of(folder)?;
    Ok(Shard::new(stats.games, stats.positions, files))
}

/// Copies a database. Its tables never change, so that they are shared where the file system can.
fn link(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir(to).map_err(Error::file(to))?;
    for name in names(from)? {
        let (from, to) = (from.join(&name), to.join(&name));
        let is_table = from.extension() == Some(OsStr::new("sst"));
        if !is_table || fs::hard_link(&from, &to).is_err() {
            fs::copy(&from, &to).map_err(Error::file(&from))?;
        }
    }
    Ok(())
}

/// The files that make a database, without logs, locks and what is kept beside the games.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::file(folder))? {
        let entry = entry.map_err(Error::file(folder))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_needed = !name.starts_with("LOG") && name != "LOCK" && entry.path().is_file();
        if is_needed {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// The files of a database with their checksums.
fn files_of(folder: &Path) -> Result<Vec<ShardFile>> {
    let mut files = Vec::new();
    for name in names(folder)? {
        let path = folder.join(&name);
        let mut file = File::open(&path).map_err(Error::file(&path))?;
        let mut hash = Sha256::new();
        let bytes = io::copy(&mut file, &mut hash).map_err(Error::file(&path))?;
        let sha256 = hexadecimal(&hash.finalize());
        files.push(ShardFile { name, bytes, sha256 });
    }
    Ok(files)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_in_one_shard() {
        for games in [0_u64, 1, 7, 64, 100] {
            for number in [1, 2, 3, 64] {
                let number = NonZeroU64::new(number).unwrap();
                for cut in [Cut::Shards(number), Cut::Games(number)] {
                    let ranges = cut.ranges(games);
                    let mut next = 0;
                    for range in &ranges {
                        assert_eq!(range.start, next);
                        assert!(range.end > range.start);
                        next = range.end;
                    }
                    assert_eq!(next, games);
                    match cut {
                        Cut::Shards(most) => assert!(ranges.len() as u64 == most.get().min(games)),
                        Cut::Games(most) => assert!(ranges.iter().all(|range| range.end - range.start <= most.get())),
                    }
                }
            }
        }
    }

    #[test]
    fn runs_end_at_gaps() {
        assert_eq!(runs(&[1, 2, 4, 7, 8, 9]), [1..3, 4..5, 7..10]);
        assert_eq!(runs(&[]), []);
    }
}
