//! The decoders of everything that is stored, for a fuzzer that gives them any bytes. Needs the feature `testing`.

use chess::{AnnotationKind, Annotations, GameText};
use postings::{Damage, TermStats};

use crate::{
    annotations::{self, AnnotationDirectory},
    directory::Directory,
    frame,
    id::{Layout, SegmentId},
    kept,
    key::Key,
    lists,
    record::{self, Manifest, Records},
    removed::Removed,
    tags::TagValues,
    texts,
    trees::{self, TreeBlock},
};

/// A kind of values. What the number behind it says is how many games there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is what its name says")]
pub enum ValueKind {
    Tags,
    Annotations,
    AnnotationDirectory,
    Directory,
    Removed,
    Manifest,
    Records,
    Source,
    KeptFile,
    Note,
    Frame,
}

impl ValueKind {
    /// All of them.
    pub const ALL: [ValueKind; 11] = [
        ValueKind::Tags,
        ValueKind::Annotations,
        ValueKind::AnnotationDirectory,
        ValueKind::Directory,
        ValueKind::Removed,
        ValueKind::Manifest,
        ValueKind::Records,
        ValueKind::Source,
        ValueKind::KeptFile,
        ValueKind::Note,
        ValueKind::Frame,
    ];
}

/// Decodes a block of move trees.
///
/// # Errors
///
/// When it is none.
pub fn tree_block(bytes: &[u8], games: u32) -> Result<TreeBlock, Damage> {
    trees::decode(
        bytes.to_vec(),
        0..games,
        Key::trees(SegmentId::new(0, Layout::Columns), 0),
    )
}

/// Decodes the text of a game in a block, and compares it with what is written of it.
///
/// # Errors
///
/// When it is none.
///
/// # Panics
///
/// When writing and reading do not give the same.
pub fn game_text(bytes: &[u8], index: usize, games: usize) -> Result<GameText, Damage> {
    let text = texts::decode(bytes, index, games)?;
    let written = texts::encode(std::slice::from_ref(&text));
    assert_eq!(texts::decode(&written, 0, 1).as_ref(), Ok(&text));
    Ok(text)
}

/// Reads a list with its frame and checks it.
///
/// # Errors
///
/// When it is none.
pub fn list(bytes: &[u8], stats: TermStats, positions: u32) -> Result<(), Damage> {
    let sealed = frame::store(bytes).map_err(|_| Damage::Truncated)?;
    lists::decode(&sealed, stats, positions, &mut Vec::new())
}

/// Decodes a value of any other kind, and compares it with what is written of it.
///
/// # Errors
///
/// When it is none.
///
/// # Panics
///
/// When writing and reading do not give the same.
pub fn check(kind: ValueKind, bytes: &[u8], games: u32) -> Result<(), Damage> {
    match kind {
        ValueKind::Tags => {
            let tags = TagValues::decode(bytes, games)?;
            assert_eq!(tags.codes().len(), games as usize);
            for game in 0..games {
                let _ = tags.get(game);
            }
            assert_eq!(TagValues::decode(&tags.encode(), games)?.codes(), tags.codes());
        }
        ValueKind::Annotations => {
            for kind in AnnotationKind::ALL {
                let mut all = vec![Annotations::default(); games as usize];
                if annotations::decode(bytes, kind, &mut all).is_ok() {
                    let written = annotations::encode(&all, kind);
                    let mut again = vec![Annotations::default(); games as usize];
                    annotations::decode(&written, kind, &mut again)?;
                    assert_eq!(all, again);
                }
            }
        }
        ValueKind::AnnotationDirectory => {
            let directory = AnnotationDirectory::decode(bytes, games as usize)?;
            assert_eq!(directory.encode(), bytes);
            let _ = directory.bytes();
            for kind in AnnotationKind::ALL {
                let _ = directory.positions(kind);
                for block in 0..games {
                    let _ = directory.get(block, kind);
                }
            }
        }
        ValueKind::Directory => drop(Directory::decode(bytes)?),
        ValueKind::Removed => {
            for count in 0..=games {
                if let Ok(removed) = Removed::decode(bytes, games, count) {
                    assert_eq!(Removed::decode(&removed.encode(), games, count)?, removed);
                }
            }
        }
        ValueKind::Manifest => {
            let manifest = Manifest::decode(bytes)?;
            assert_eq!(manifest.encode(), bytes);
        }
        ValueKind::Records => {
            let records = Records::decode(bytes)?;
            assert_eq!(records.encode(), bytes);
        }
        ValueKind::Source => drop(record::decode_source(bytes)?),
        ValueKind::KeptFile => kept::check_file(bytes, games)?,
        ValueKind::Note => kept::check_note(bytes)?,
        ValueKind::Frame => {
            let mut all = 0u32.to_le_bytes().to_vec();
            all.extend_from_slice(bytes);
            let checksum = crc32fast::hash(bytes);
            all[..4].copy_from_slice(&checksum.to_le_bytes());
            let _ = frame::stored(&all);
            frame::open(&all)?;
        }
    }
    Ok(())
}
