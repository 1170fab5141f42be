//! Removes what nobody asks any more: old manifests, and shards that no manifest names.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use crate::error::Result;
use crate::place::{Place, Stored};

/// What is old, and was removed unless it was only looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The names of the files of manifests.
    pub manifests: Vec<String>,
    /// The ids of shards.
    pub shards: Vec<String>,
    /// How many bytes the files of these shards have.
    pub bytes: u64,
}

/// Removes manifests that are older than `age` but for the one that holds, and then shards that no manifest names and of which
/// every file is older. With `look_only` nothing is removed.
///
/// Questions that run may ask the shards of an old manifest, and shards that are being added stand in none yet: the age has to
/// be longer than either takes.
///
/// # Errors
///
/// When a manifest that stays is damaged, and when the place can't be read or changed.
pub async fn prune(place: &Place, age: Duration, look_only: bool) -> Result<Pruned> {
    let now = SystemTime::now();
    // A clock that is ahead makes files younger, never older.
    let is_old = |file: &Stored| now.duration_since(file.written).is_ok_and(|passed| passed >= age);
    let mut shards: BTreeMap<String, Vec<Stored>> = BTreeMap::new();
    for file in place.stored_shards(None).await? {
        if let Some(id) = file.shard() {
            shards.entry(id.to_owned()).or_default().push(file);
        }
    }
    // Manifests are read behind the shards: one that comes later names shards that are younger, or written anew.
    let manifests = place.stored_manifests().await?;
    let Some((newest, others)) = manifests.split_last() else {
        return Ok(Pruned::default());
    };
    let (old, kept): (Vec<&Stored>, Vec<&Stored>) = others.iter().partition(|manifest| is_old(manifest));
    let mut named = BTreeSet::new();
    for manifest in kept.into_iter().chain([newest]) {
        let manifest = place.read_manifest(manifest).await?;
        named.extend(manifest.shards.into_iter().map(|shard| shard.id));
    }
    let mut pruned = Pruned::default();
    for manifest in old {
        if !look_only {
            place.remove(manifest).await?;
        }
        pruned.manifests.push(manifest.name().to_owned());
    }
    for (id, files) in shards {
        if named.contains(&id) || !files.iter().all(is_old) {
            continue;
        }
        if !look_only {
            // Somebody may be adding the same shard again.
            let files = place.stored_shards(Some(&id)).await?;
            if !files.iter().all(is_old) {
                continue;
            }
            for file in &files {
                place.remove(file).await?;
            }
        }
        pruned.bytes += files.iter().map(|file| file.bytes).sum::<u64>();
        pruned.shards.push(id);
    }
    Ok(pruned)
}
