//! Answers of queries, kept until there are too many bytes of them.
//!
//! Readers write answers without a lock. When two write the same answer at once, the last one to rename its file wins;
//! both are right.

use std::{collections::BTreeMap, path::Path, path::PathBuf, sync::Arc};

use super::{
    answer::Answer,
    file::{KeptFile, Packed},
    fingerprint::Fingerprint,
    folder::{Durability, Entry, Folder},
    section::{Section, Sections},
    transfer::{Transfer, Uncovered},
};
use crate::{error::Result, segment_key::SegmentKey, segment_meta::SegmentMeta, steps, store::Store};

/// The folder, below the database.
const FOLDER: &str = "answers";

/// Answers may take this share of the database, as a divisor: 2 %.
const SHARE: u64 = 50;

/// Answers may always take this many bytes.
const LEAST_BOUND: u64 = 1 << 20;

/// The first byte of the note in a file: an answer. The fingerprint follows.
const NOTE: u8 = b'a';

/// The answers that are kept beside the games, for the segments of a snapshot.
#[derive(Clone, Debug)]
pub struct Answers {
    database: PathBuf,
    folder: Folder,
    segments: Arc<[SegmentMeta]>,
    bound: u64,
}

/// The answer for some segments, as it will be written.
#[derive(Debug, Default)]
pub struct PackedAnswer {
    sections: BTreeMap<SegmentKey, Packed>,
    bytes: u64,
}

impl PackedAnswer {
    /// Adds the section of a segment.
    ///
    /// # Errors
    ///
    /// When the section is too large to be packed.
    pub fn add(&mut self, segment: SegmentKey, section: Section) -> Result<()> {
        self.insert(segment, Packed::of(section)?);
        Ok(())
    }

    /// Adds the section of a segment, with a bit for each position in words; the positions in the section itself do not
    /// count. Where there are many positions, this takes a third of the time.
    ///
    /// # Errors
    ///
    /// As [`PackedAnswer::add`].
    pub fn add_words(&mut self, segment: SegmentKey, section: &Section, words: &[u64]) -> Result<()> {
        self.insert(segment, Packed::of_words(section, words)?);
        Ok(())
    }

    fn insert(&mut self, segment: SegmentKey, packed: Packed) {
        self.bytes += packed.bytes();
        self.sections.insert(segment, packed);
    }

    /// Whether there is no section.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// How many bytes the sections take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// How many answers are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnswersUsage {
    /// How many.
    pub count: u64,
    /// How many bytes they take.
    pub bytes: u64,
    /// How many bytes they may take. Beyond that, those go that were not used for the longest time.
    pub bound: u64,
}

/// The note in the file of an answer.
fn note(question: &Fingerprint) -> Vec<u8> {
    let mut note = vec![NOTE];
    note.extend_from_slice(question.as_bytes());
    note
}

impl Answers {
    pub(crate) fn new(database: &Path, segments: Arc<[SegmentMeta]>) -> Answers {
        let stored: u64 = segments.iter().map(|meta| meta.stored_bytes).sum();
        Answers {
            database: database.to_owned(),
            folder: Folder::new(database.join(FOLDER)),
            segments,
            bound: (stored / SHARE).max(LEAST_BOUND),
        }
    }

    /// Sets how many bytes all answers may take; 2 % of the database, at least a megabyte, unless this was called.
    #[must_use]
    pub fn with_bound(mut self, bytes: u64) -> Answers {
        self.bound = bytes;
        self
    }

    /// How many bytes all answers together may take. A larger one is not kept.
    pub fn bound(&self) -> u64 {
        self.bound
    }

    /// The answer to a question for segments of the snapshot, as far as it is known, and marks it as used now. `None`
    /// if nothing is known. A damaged file is removed.
    pub fn read(&self, question: &Fingerprint) -> Option<Sections> {
        let answer = self.open(question)?;
        let mut sections = Sections::new();
        for meta in self.segments.iter().filter(|meta| answer.counts(meta).is_some()) {
            sections.insert(meta.key, answer.section(meta)?);
        }
        (!sections.is_empty()).then_some(sections)
    }

    /// The same, with sections that are still packed.
    pub fn open(&self, question: &Fingerprint) -> Option<Answer> {
        let file = self.file(question)?;
        Some(Answer::new(self.folder.clone(), question.to_string(), file))
    }

    /// The file of an answer. If it is damaged, it is removed.
    fn file(&self, question: &Fingerprint) -> Option<KeptFile> {
        let name = question.to_string();
        let bytes = self.folder.use_file(&name)?;
        match KeptFile::decode(&bytes) {
            Ok(file) if file.note == note(question) => Some(file),
            _ => {
                let _ = self.folder.remove(&name);
                None
            }
        }
    }

    /// Keeps an answer. What is known of other segments, or of more positions of the same segment, stays. Returns the
    /// number of bytes of the file; 0 if the answer is too large to be kept.
    ///
    /// # Errors
    ///
    /// When the file can't be written. The caller may ignore that: nothing is lost but time.
    pub fn write(&self, question: &Fingerprint, sections: &Sections) -> Result<u64> {
        let mut answer = PackedAnswer::default();
        for (segment, section) in sections {
            answer.add(*segment, section.clone())?;
        }
        self.write_packed(question, answer)
    }

    /// The same with sections that are packed already.
    ///
    /// # Errors
    ///
    /// As [`Answers::write`].
    pub fn write_packed(&self, question: &Fingerprint, answer: PackedAnswer) -> Result<u64> {
        let mut file = self.file(question).unwrap_or_else(|| KeptFile {
            note: note(question),
            ..KeptFile::default()
        });
        let is_own = |segment: &SegmentKey| self.segments.iter().any(|meta| meta.key == *segment);
        if !file.packed.keys().all(is_own) {
            // The snapshot may be older than the database.
            let current = Store::copied_keys(&self.database).unwrap_or_default();
            file.packed
                .retain(|segment, _| is_own(segment) || current.contains(segment));
        }
        for (segment, packed) in answer.sections {
            let known = file.packed.get(&segment).map(|packed| packed.covered);
            if is_own(&segment) && known.is_none_or(|known| known <= packed.covered) {
                file.packed.insert(segment, packed);
            }
        }
        let bytes = file.encode()?;
        if bytes.len() as u64 > self.bound {
            return Ok(0);
        }
        self.folder.write(&question.to_string(), &bytes, Durability::Later)?;
        // The answer is kept. What can't be removed now is removed later.
        let _ = self.evict();
        Ok(bytes.len() as u64)
    }

    /// Removes the answers that were not used for the longest time, until the others do not take too much.
    fn evict(&self) -> Result<()> {
        let mut entries = self.folder.tidy()?;
        let mut bytes = size(&entries);
        if bytes > self.bound {
            entries.sort_by_key(|entry| entry.modified);
            for entry in entries {
                if bytes <= self.bound {
                    break;
                }
                self.folder.remove(&entry.name)?;
                bytes -= entry.bytes;
            }
        }
        Ok(())
    }

    /// Carries answers over to new segments, which are not committed yet, before segments that are `current` go. What
    /// fails is left out: it costs time later, and nothing else.
    pub(crate) fn carry(&self, current: &[SegmentKey], transfers: &[Transfer]) {
        let Ok(entries) = self.folder.tidy() else { return };
        for Entry { name, modified, .. } in &entries {
            let bytes = self.folder.read(name).ok().flatten();
            let Some(mut file) = bytes.and_then(|bytes| KeptFile::decode(&bytes).ok()) else {
                continue;
            };
            if let Ok(true) = file.carry(current, transfers, Uncovered::Unknown)
                && let Ok(bytes) = file.encode()
            {
                let _ = self.folder.write(name, &bytes, Durability::LaterUsedAt(*modified));
            }
        }
        if !entries.is_empty() {
            let _ = self.evict();
        }
        steps::reached("answers carried");
    }

    /// How many answers are kept.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn usage(&self) -> Result<AnswersUsage> {
        let entries = self.folder.entries()?;
        Ok(AnswersUsage {
            count: entries.len() as u64,
            bytes: size(&entries),
            bound: self.bound,
        })
    }

    /// Removes all answers. Returns how many there were.
    ///
    /// # Errors
    ///
    /// When a file can't be removed.
    pub fn clear(&self) -> Result<AnswersUsage> {
        let mut usage = AnswersUsage {
            bound: self.bound,
            ..AnswersUsage::default()
        };
        for entry in self.folder.tidy()? {
            if self.folder.remove(&entry.name)? {
                usage.count += 1;
                usage.bytes += entry.bytes;
            }
        }
        Ok(usage)
    }
}

/// How many bytes some files take.
fn size(entries: &[Entry]) -> u64 {
    entries.iter().map(|entry| entry.bytes).sum()
}
