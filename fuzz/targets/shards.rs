//! What a cluster reads of others: the list of the shards of a place, and the totals that executors send. It is refused or
//! read; what is read has numbers that can be added, and is written as it was read.
//!
//! The first byte of an input says which of the two it is. A list is JSON; the line with its checksum is put before it.

#![no_main]
// The files of the cluster are those of the program, of which more is used.
#![allow(dead_code, unreachable_pub)]

#[path = "../../cluster/src/manifest.rs"]
mod manifest;
#[path = "../../cluster/src/totals.rs"]
mod totals;

/// The errors of the cluster that stand in these files; the others are those of its engine.
mod error {
    #[derive(Debug)]
    pub enum Error {
        Manifest(String),
    }
    pub type Result<T, E = Error> = std::result::Result<T, E>;
}

use std::time::Duration;

use cqldex::By;
use libfuzzer_sys::fuzz_target;
use manifest::{Manifest, hexadecimal};
use sha2::{Digest, Sha256};
use totals::Totals;

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    match kind % 3 {
        0 => listed(&[hexadecimal(&Sha256::digest(rest)).as_bytes(), b"\n", rest].concat()),
        1 => listed(rest),
        _ => added(rest),
    }
});

fn listed(text: &[u8]) {
    let manifest = match Manifest::decode("one", text) {
        Ok(manifest) => manifest,
        Err(error::Error::Manifest(told)) => return assert!(told.contains("one")),
    };
    let mut games = 0;
    for shard in &manifest.shards {
        assert_eq!(shard.before, games);
        games += shard.games;
        let is_inside = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['/', '\\', ':']);
        assert!(is_inside(&shard.id) && shard.files.iter().all(|file| is_inside(&file.name)));
    }
    assert_eq!(manifest.games(), games);
    let _ = (manifest.positions(), manifest.bytes());
    let again = Manifest::decode("two", &manifest.encode());
    assert_eq!(again.expect("it was just written"), manifest);
}

/// Totals of two shards, one behind the other, with a blank line between.
fn added(text: &[u8]) {
    let parts = text.splitn(2, |&byte| byte == b'\n');
    let mut sum = Totals::default();
    for totals in parts.filter_map(|part| serde_json::from_slice::<Totals>(part).ok()) {
        sum.add(totals);
    }
    let _ = sum.summary(Duration::ZERO);
    let _ = sum.counts(&[By::Year, By::Result]);
    let again = serde_json::to_vec(&sum)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok());
    assert_eq!(again, Some(sum));
}
