//! The list of the shards: which there are, which games they have, and what their files are.

use std::path::{Component, Path};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use crate::error::{Error, Result};

/// How many hexadecimal digits the id of a shard has.
const ID_DIGITS: usize = 32;

/// The format of manifests that this version writes and reads.
const FORMAT: u32 = 1;

/// The shards of a place at one moment. It never changes: an addition publishes another one with the next number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    format: u32,
    /// Its number; the first is 1, and the highest holds.
    pub number: u64,
    /// The shards, in the order of their games.
    pub shards: Vec<Shard>,
}

/// A database that is only read, with a part of all games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// The checksum of its list of files; two shards with one id are the same.
    #[serde(deserialize_with = "shard_id")]
    pub id: String,
    /// How many games there are in the shards before it.
    pub before: u64,
    /// How many games it has.
    pub games: u64,
    /// How many positions it has.
    pub positions: u64,
    /// Its files.
    pub files: Vec<ShardFile>,
}

/// A file of a shard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardFile {
    /// Its name in the folder of the database.
    #[serde(deserialize_with = "file_name")]
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

impl Shard {
    /// A shard with these files.
    pub fn new(games: u64, positions: u64, mut files: Vec<ShardFile>) -> Shard {
        files.sort_by(|a, b| a.name.cmp(&b.name));
        let mut hash = Sha256::new();
        for file in &files {
            hash.update(format!("{} {} {}\n", file.name, file.bytes, file.sha256));
        }
        Shard {
            id: hexadecimal(&hash.finalize())[..ID_DIGITS].to_owned(),
            before: 0,
            games,
            positions,
            files,
        }
    }

    /// How many bytes its files have.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

impl Manifest {
    /// The next manifest, with these shards behind the others.
    #[must_use]
    pub fn with(&self, shards: impl IntoIterator<Item = Shard>) -> Manifest {
        let mut next = self.clone();
        next.format = FORMAT;
        next.number += 1;
        for shard in shards {
            let before = next.games();
            next.shards.push(Shard { before, ..shard });
        }
        next
    }

    /// How many games all shards have.
    pub fn games(&self) -> u64 {
        self.shards.last().map_or(0, |last| last.before + last.games)
    }

    /// How many positions all shards have.
    pub fn positions(&self) -> u64 {
        self.shards.iter().map(|shard| shard.positions).sum()
    }

    /// How many bytes all shards have.
    pub fn bytes(&self) -> u64 {
        self.shards.iter().map(Shard::bytes).sum()
    }

    /// As it is stored: a line with the SHA-256 of the rest, then JSON.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let json = serde_json::to_vec(self).unwrap_or_default();
        let mut text = format!("{}\n", hexadecimal(&Sha256::digest(&json))).into_bytes();
        text.extend(json);
        text
    }

    /// Reads what [`Manifest::encode`] has written; `name` is what errors call it.
    pub(crate) fn decode(name: &str, text: &[u8]) -> Result<Manifest> {
        let damaged = |what: String| Error::Manifest(format!("the manifest {name} is damaged: {what}"));
        let line = text.iter().position(|&byte| byte == b'\n');
        let Some((sum, json)) = line.map(|line| (&text[..line], &text[line + 1..])) else {
            return Err(damaged("it has no checksum".to_owned()));
        };
        if hexadecimal(&Sha256::digest(json)).as_bytes() != sum {
            return Err(damaged("its checksum is another".to_owned()));
        }
        let manifest: Manifest = serde_json::from_slice(json).map_err(|error| damaged(error.to_string()))?;
        if manifest.format != FORMAT {
            return Err(Error::Manifest(format!(
                "the manifest {name} has format {}, and this version reads format {FORMAT}",
                manifest.format
            )));
        }
        match manifest.adds_up() {
            true => Ok(manifest),
            false => Err(damaged("games, positions or bytes do not add up".to_owned())),
        }
    }

    /// Whether the games of each shard follow those of the one before it, and all numbers can be added.
    fn adds_up(&self) -> bool {
        let add = |sum: &mut u64, number: u64| match sum.checked_add(number) {
            Some(more) => {
                *sum = more;
                true
            }
            None => false,
        };
        let (mut games, mut positions, mut bytes) = (0, 0, 0);
        self.number < u64::MAX
            && self.shards.iter().all(|shard| {
                shard.before == games
                    && add(&mut games, shard.games)
                    && add(&mut positions, shard.positions)
                    && shard.files.iter().all(|file| add(&mut bytes, file.bytes))
            })
    }
}

/// Reads the id of a shard, which becomes the name of a folder on this machine.
fn shard_id<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<String, D::Error> {
    let id = String::deserialize(from)?;
    let is_one = id.len() == ID_DIGITS && id.bytes().all(|byte| byte.is_ascii_hexdigit());
    if is_one {
        Ok(id)
    } else {
        Err(D::Error::custom(format!("{id:?} is no id of a shard")))
    }
}

/// Reads the name of a file, which becomes that of a file on this machine: it must not lead to another folder.
fn file_name<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<String, D::Error> {
    let name = String::deserialize(from)?;
    let mut parts = Path::new(&name).components();
    let is_one = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    if is_one && !name.contains(['/', '\\', ':']) {
        Ok(name)
    } else {
        Err(D::Error::custom(format!("{name:?} is no name of a file in a folder")))
    }
}

/// Bytes in hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn shard(games: u64, content: &str) -> Shard {
        let file = ShardFile {
            name: "CURRENT".to_owned(),
            bytes: 7,
            sha256: content.to_owned(),
        };
        Shard::new(games, 100, vec![file])
    }

    #[test]
    fn shards_follow_each_other() {
        let first = Manifest::default().with([shard(10, "a"), shard(5, "b")]);
        let second = first.with([shard(1, "c")]);
        assert_eq!((first.number, first.games()), (1, 15));
        assert_eq!((second.number, second.games(), second.positions()), (2, 16, 300));
        let before: Vec<u64> = second.shards.iter().map(|shard| shard.before).collect();
        assert_eq!(before, [0, 10, 15]);
        assert_ne!(second.shards[0].id, second.shards[1].id);
    }

    #[test]
    fn names_lead_to_no_other_folder() {
        let decoded = |change: fn(&mut Shard)| {
            let mut manifest = Manifest::default().with([shard(10, "a")]);
            change(&mut manifest.shards[0]);
            Manifest::decode("one", &manifest.encode()).is_ok()
        };
        assert!(decoded(|_| ()));
        assert!(decoded(|shard| shard.files[0].name = "000009.sst".to_owned()));
        for name in [
            "",
            ".",
            "..",
            "../CURRENT",
            "a/b",
            "a/../b",
            "/etc/passwd",
            "CURRENT/",
            "a\\b",
            "C:b",
        ] {
            let mut manifest = Manifest::default().with([shard(10, "a")]);
            manifest.shards[0].files[0].name = name.to_owned();
            assert!(Manifest::decode("one", &manifest.encode()).is_err(), "{name:?}");
        }
        assert!(!decoded(|shard| shard.id = "..".to_owned()));
        assert!(!decoded(|shard| shard.id = format!("/{}", &shard.id[1..])));
        assert!(!decoded(|shard| shard.id.truncate(31)));
    }

    #[test]
    fn numbers_add_up() {
        let decoded = |change: fn(&mut Manifest)| {
            let mut manifest = Manifest::default().with([shard(10, "a"), shard(5, "b")]);
            change(&mut manifest);
            Manifest::decode("one", &manifest.encode()).is_ok()
        };
        assert!(decoded(|_| ()));
        assert!(!decoded(|manifest| manifest.shards[1].before = 9));
        assert!(!decoded(|manifest| manifest.shards[0].before = 1));
        assert!(!decoded(|manifest| manifest.shards[1].games = u64::MAX));
        assert!(!decoded(|manifest| manifest.shards[1].positions = u64::MAX));
        assert!(!decoded(|manifest| manifest.shards[1].files[0].bytes = u64::MAX));
        assert!(!decoded(|manifest| manifest.number = u64::MAX));
    }

    #[test]
    fn damage_is_seen() {
        let manifest = Manifest::default().with([shard(10, "a")]);
        let text = manifest.encode();
        assert_eq!(Manifest::decode("1", &text).unwrap(), manifest);
        for place in 0..text.len() {
            let mut damaged = text.clone();
            damaged[place] ^= 1;
            assert!(Manifest::decode("1", &damaged).is_err(), "byte {place}");
        }
    }
}
