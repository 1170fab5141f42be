//! Copies of shards on the local disk.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use cqldex_cluster::{Ask, Error, Manifest, Place, Runner, Shape, ShardOptions, Shards};
use tempfile::TempDir;

use crate::support::{here, matches, run, sample_shards};

fn cached(cache: &Path, bytes: u64) -> Runner {
    let shards = Shards::new(ShardOptions {
        cache: Some(cache.to_owned()),
        cache_bytes: bytes,
        threads: NonZeroUsize::new(2).unwrap(),
        ..ShardOptions::default()
    });
    Runner::Here(Arc::new(shards.unwrap()))
}

fn ask(place: &Place) -> Ask {
    Ask::new(place.name(), "check", Shape::Report)
}

fn copies(cache: &Path) -> usize {
    fs::read_dir(cache).unwrap().count()
}

fn manifest(place: &Place) -> Manifest {
    run(place.manifest()).unwrap()
}

#[test]
fn copies_are_used_again() {
    let (folder, place) = sample_shards(4);
    let cache = TempDir::new().unwrap();
    let expected = matches(&here(), ask(&place)).unwrap();
    assert_eq!(matches(&cached(cache.path(), 1 << 30), ask(&place)).unwrap(), expected);
    assert_eq!(copies(cache.path()), 4);
    // The shards are gone, but their copies are not.
    fs::rename(folder.path().join("shards/shards"), folder.path().join("away")).unwrap();
    assert_eq!(matches(&cached(cache.path(), 1 << 30), ask(&place)).unwrap(), expected);
}

#[test]
fn the_cache_is_bounded() {
    let (_folder, place) = sample_shards(6);
    let cache = TempDir::new().unwrap();
    let expected = matches(&here(), ask(&place)).unwrap();
    let largest = manifest(&place)
        .shards
        .iter()
        .map(cqldex_cluster::Shard::bytes)
        .max()
        .unwrap();
    let runner = cached(cache.path(), 2 * largest + largest / 2);
    for _ in 0..3 {
        assert_eq!(matches(&runner, ask(&place)).unwrap(), expected);
        assert!(copies(cache.path()) <= 2);
    }
    let small = matches(&cached(&cache.path().join("small"), largest / 4), ask(&place));
    assert!(
        matches!(&small, Err(Error::Cluster(message)) if message.contains("has no room")),
        "{small:?}"
    );
}

/// Damages the largest file of a folder, at some place.
fn damage(folder: &Path, keep_length: bool) {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let largest = files.filter(|file| file.extension().is_some_and(|ending| ending == "sst"));
    let largest = largest.max_by_key(|file| file.metadata().unwrap().len()).unwrap();
    let mut bytes = fs::read(&largest).unwrap();
    if keep_length {
        let end = bytes.len() / 2;
        bytes[..end].fill(0xA5);
    } else {
        bytes.truncate(10);
    }
    // A new file: the old one may be open.
    fs::remove_file(&largest).unwrap();
    fs::write(&largest, bytes).unwrap();
}

#[test]
fn a_damaged_copy_is_fetched_anew() {
    let (_folder, place) = sample_shards(3);
    let expected = matches(&here(), ask(&place)).unwrap();
    for keep_length in [false, true] {
        let cache = TempDir::new().unwrap();
        assert_eq!(matches(&cached(cache.path(), 1 << 30), ask(&place)).unwrap(), expected);
        for shard in &manifest(&place).shards {
            damage(&cache.path().join(&shard.id), keep_length);
        }
        assert_eq!(
            matches(&cached(cache.path(), 1 << 30), ask(&place)).unwrap(),
            expected,
            "{keep_length}"
        );
    }
}

#[test]
fn a_missing_shard_is_named() {
    let (folder, place) = sample_shards(3);
    let expected = matches(&here(), ask(&place)).unwrap();
    let lost = manifest(&place).shards[1].clone();
    fs::remove_dir_all(folder.path().join("shards/shards").join(&lost.id)).unwrap();
    let cache = TempDir::new().unwrap();
    for runner in [here(), cached(cache.path(), 1 << 30)] {
        let asked = matches(&runner, ask(&place));
        let Err(Error::Cluster(message)) = asked else {
            panic!("{asked:?}")
        };
        assert!(
            message.starts_with(&format!("shard {} is missing", lost.id)),
            "{message}"
        );
        let partial = Ask {
            partial: true,
            ..ask(&place)
        };
        let (found, totals) = matches(&runner, partial).unwrap();
        let lost_games = lost.before + 1..=lost.before + lost.games;
        let is_there = |game: i64| !lost_games.contains(&u64::try_from(game).unwrap());
        let rest: Vec<_> = expected.0.iter().copied().filter(|(game, _)| is_there(*game)).collect();
        assert_eq!(found, rest);
        assert_eq!((totals.missing.len(), totals.missing[0].first), (1, lost.before + 1));
        assert!(totals.missing[0].reason.contains(&lost.id));
    }
}

#[test]
fn a_damaged_shard_is_named() {
    let (folder, place) = sample_shards(3);
    let lost = manifest(&place).shards[2].clone();
    damage(&folder.path().join("shards/shards").join(&lost.id), true);
    let cache = TempDir::new().unwrap();
    let asked = matches(&cached(cache.path(), 1 << 30), ask(&place));
    assert!(
        matches!(&asked, Err(Error::Cluster(message)) if message.contains(&lost.id)),
        "{asked:?}"
    );
}
