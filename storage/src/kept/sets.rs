//! Sets of positions with names. They belong to users: nothing of them is lost, and damage is reported.
//!
//! Whoever changes a set holds the [lock](super::lock), and so does a writer from carrying sets over to a new segment
//! until its commit. A set is only saved for the segments that the database has at that moment.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use postings::{
    Damage,
    varint::{self, Reader},
};

use super::{
    file::{KeptFile, Packed},
    folder::{Durability, Entry, Folder},
    lock::Lock,
    section::{Section, Sections},
    transfer::{Transfer, Uncovered},
};
use crate::{
    error::{Error, Result},
    segment::Segment,
    segment_key::SegmentKey,
    steps,
    store::Store,
};

/// The folder, below the database.
const FOLDER: &str = "sets";

/// The first byte of the note in a file: a set. The name follows, then the text of a live set.
const NOTE: u8 = b's';

/// A flag in the note: the set is live.
const LIVE: u8 = 1;

/// A flag in the note: segments follow that could not be looked at.
const LACKING: u8 = 2;

/// The most characters of a name.
const LONGEST: usize = 64;

/// Names that some systems reserve for devices, in lower case. Those that end in a digit come with any digit.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// A set of positions with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSet {
    /// The name.
    pub name: String,
    /// For a live set, which grows with the database: the question whose answer it is, in a form that only the caller
    /// understands.
    pub live: Option<String>,
    /// The positions. What is not covered is not in the set, or for a live set not known yet. Positions of games that
    /// were removed since may be included.
    pub sections: Sections,
}

/// What is known of a set without its positions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetInfo {
    /// The name.
    pub name: String,
    /// As in [`NamedSet`].
    pub live: Option<String>,
    /// How many positions it has, without those of removed games.
    pub positions: u64,
    /// How many positions of the database are not covered, those of removed games included.
    pub uncovered: u64,
    /// How many games could not be looked at when the set was saved.
    pub games_missing: u64,
    /// How many bytes its file takes.
    pub bytes: u64,
}

/// How many sets there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetsUsage {
    /// How many.
    pub count: u64,
    /// How many bytes they take.
    pub bytes: u64,
}

/// The sets that are kept beside the games, for the segments of a snapshot.
#[derive(Clone, Debug)]
pub struct Sets {
    database: PathBuf,
    folder: Folder,
    segments: Arc<[Segment]>,
}

/// Whether a set can have this name: on every system it can be the name of a file.
fn check_name(name: &str) -> Result<()> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let lower = name.to_ascii_lowercase();
    let is_reserved = RESERVED.iter().any(|reserved| match lower.strip_prefix(reserved) {
        Some(rest) if ["com", "lpt"].contains(reserved) => rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit(),
        Some(rest) => rest.is_empty(),
        None => false,
    });
    let is_good = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= LONGEST
        && name.chars().all(is_word)
        && !is_reserved;
    if is_good {
        Ok(())
    } else {
        Err(Error::SetName { name: name.to_owned() })
    }
}

/// What a file says of its set beside the positions.
#[derive(Debug, PartialEq, Eq)]
struct Note {
    /// The text of a live set.
    live: Option<String>,
    /// [`Sections::lacking`].
    lacking: Vec<(SegmentKey, u32)>,
}

impl Note {
    /// What is noted of a set. A live one lacks nothing: what is not covered is asked for whenever it is read.
    fn of(set: &NamedSet) -> Note {
        let lacking = set.live.is_none().then(|| set.sections.lacking().collect());
        Note {
            live: set.live.clone(),
            lacking: lacking.unwrap_or_default(),
        }
    }

    /// The bytes in the file of a set with this name.
    fn encode(&self, name: &str) -> Vec<u8> {
        let mut note = vec![NOTE];
        varint::put_str(&mut note, name);
        let flags = [(self.live.is_some(), LIVE), (!self.lacking.is_empty(), LACKING)];
        note.push(flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag).sum());
        varint::put_str(&mut note, self.live.as_deref().unwrap_or_default());
        if !self.lacking.is_empty() {
            varint::put(&mut note, self.lacking.len() as u64);
            for (segment, games) in &self.lacking {
                note.extend_from_slice(segment.as_bytes());
                note.extend_from_slice(&games.to_le_bytes());
            }
        }
        note
    }

    /// Decodes what [`Note::encode`] gave for this name.
    fn decode(note: &[u8], name: &str) -> Result<Note, Damage> {
        let mut reader = Reader::new(note);
        if reader.u8()? != NOTE || reader.str()? != name {
            return Err(Damage::Invalid("the file is not that of this set"));
        }
        let flags = reader.u8()?;
        let text = reader.str()?.to_owned();
        let count = if flags & LACKING == 0 { 0 } else { reader.count()? };
        let lacking = (0..count).map(|_| Ok((SegmentKey::new(reader.array()?), reader.u32()?)));
        let lacking = lacking.collect::<Result<_, Damage>>()?;
        reader.finish()?;
        Ok(Note {
            live: (flags & LIVE != 0).then_some(text),
            lacking,
        })
    }
}

/// Decodes the note of a set with the name `a`, and compares it with what is written of it.
#[cfg(feature = "testing")]
pub(super) fn check_note(bytes: &[u8]) -> Result<(), Damage> {
    let note = Note::decode(bytes, "a")?;
    assert_eq!(Note::decode(&note.encode("a"), "a")?, note);
    Ok(())
}

impl Sets {
    pub(crate) fn new(database: &Path, segments: Arc<[Segment]>) -> Sets {
        Sets {
            database: database.to_owned(),
            folder: Folder::new(database.join(FOLDER)),
            segments,
        }
    }

    /// The files of sets. Files with other names are not ours.
    fn entries(&self) -> Result<Vec<Entry>> {
        let mut entries = self.folder.entries()?;
        entries.retain(|entry| check_name(&entry.name).is_ok());
        Ok(entries)
    }

    /// How many sets there are.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn usage(&self) -> Result<SetsUsage> {
        let entries = self.entries()?;
        Ok(SetsUsage {
            count: entries.len() as u64,
            bytes: entries.iter().map(|entry| entry.bytes).sum(),
        })
    }

    /// The names of all sets, ascending.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn names(&self) -> Result<Vec<String>> {
        let mut names: Vec<String> = self.entries()?.into_iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        Ok(names)
    }

    /// All sets by name, and for a damaged one the error that names it.
    ///
    /// # Errors
    ///
    /// When the folder can't be read.
    pub fn list(&self) -> Result<Vec<Result<SetInfo>>> {
        let infos = self.names()?.into_iter().map(|name| self.info(&name));
        // A set that was deleted in the meantime is no error.
        Ok(infos
            .filter(|info| !matches!(info, Err(Error::NoSuchSet { .. })))
            .collect())
    }

    /// What is known of a set without its positions.
    ///
    /// # Errors
    ///
    /// When there is no such set, or it is damaged.
    pub fn info(&self, name: &str) -> Result<SetInfo> {
        let (file, note, bytes) = self.file(name)?;
        let (mut positions, mut uncovered) = (0, 0);
        for segment in self.segments.iter() {
            let meta = segment.meta();
            let known = file.packed.get(&meta.key).filter(|packed| packed.is_seen_by(meta));
            let Some(packed) = known else {
                uncovered += u64::from(meta.positions);
                continue;
            };
            uncovered += u64::from(meta.positions.saturating_sub(packed.covered));
            if meta.removed.games == 0 {
                packed.check().map_err(damaged(name))?;
                positions += u64::from(packed.count);
            } else {
                let mut section = packed.open(meta.positions).map_err(damaged(name))?;
                segment.without_removed(&mut section.positions)?;
                positions += section.positions.len();
            }
        }
        Ok(SetInfo {
            name: name.to_owned(),
            games_missing: note.lacking.iter().map(|(_, games)| u64::from(*games)).sum(),
            live: note.live,
            positions,
            uncovered,
            bytes,
        })
    }

    /// A set with its positions, for the segments of the snapshot.
    ///
    /// # Errors
    ///
    /// When there is no such set, it is damaged, or it has lost what this snapshot needs because the database has
    /// changed ([`Error::Stale`]).
    pub fn read(&self, name: &str) -> Result<NamedSet> {
        let (file, note, _) = self.file(name)?;
        let mut sections = Sections::new();
        note.lacking
            .iter()
            .for_each(|&(segment, games)| sections.lack(segment, games));
        for segment in self.segments.iter() {
            let meta = segment.meta();
            let Some(packed) = file.packed.get(&meta.key) else {
                continue;
            };
            if packed.is_seen_by(meta) {
                sections.insert(meta.key, packed.open(meta.positions).map_err(damaged(name))?);
            } else if note.live.is_none() {
                return Err(self.stale());
            }
        }
        // Sections of segments that the snapshot does not have: old ones, which will be dropped, or those of a newer
        // database. In that case the sections of this snapshot may be gone already. Those of a live set are only unknown.
        if note.live.is_none() && sections.len() < self.segments.len().min(file.packed.len()) {
            self.check_current()?;
        }
        Ok(NamedSet {
            name: name.to_owned(),
            live: note.live,
            sections,
        })
    }

    /// The file of a set, what is noted in it, and the number of bytes.
    fn file(&self, name: &str) -> Result<(KeptFile, Note, u64)> {
        check_name(name)?;
        let missing = || Error::NoSuchSet { name: name.to_owned() };
        let bytes = self.folder.read(name)?.ok_or_else(missing)?;
        let file = KeptFile::decode(&bytes).map_err(damaged(name))?;
        let note = Note::decode(&file.note, name).map_err(damaged(name))?;
        Ok((file, note, bytes.len() as u64))
    }

    /// Fails unless the segments of the snapshot are those that the database has now.
    fn check_current(&self) -> Result<()> {
        let current = Store::current_keys(&self.database)?;
        if current
            .iter()
            .eq(self.segments.iter().map(|segment| &segment.meta().key))
        {
            Ok(())
        } else {
            Err(self.stale())
        }
    }

    /// The database has changed since the snapshot was taken.
    fn stale(&self) -> Error {
        Error::Stale {
            path: self.database.clone(),
        }
    }

    /// Carries all sets over to new segments, which are not committed yet, before segments that are `current` go. The
    /// writer holds the returned lock until its commit is complete, so that no set is saved for the old segments in the
    /// meantime. A damaged set stays as it is.
    ///
    /// # Errors
    ///
    /// When a file can't be read or written. Then the commit must not be made.
    pub(crate) fn carry(&self, current: &[SegmentKey], transfers: &[Transfer]) -> Result<Lock> {
        let lock = self.lock()?;
        for name in self.names()? {
            let (mut file, note, _) = match self.file(&name) {
                Err(Error::DamagedSet { .. } | Error::NoSuchSet { .. }) => continue,
                file => file?,
            };
            let uncovered = match note.live {
                Some(_) => Uncovered::Unknown,
                None => Uncovered::Absent,
            };
            if file.carry(current, transfers, uncovered)? {
                self.write(&name, &file)?;
                steps::reached("set carried");
            }
        }
        steps::reached("sets carried");
        Ok(lock)
    }

    /// What is wrong with sets.
    pub(crate) fn problems(&self) -> Result<Vec<Error>> {
        let sets = self.names()?.into_iter().map(|name| self.read(&name));
        // A set that was deleted or carried over in the meantime is not damaged.
        Ok(sets
            .filter_map(Result::err)
            .filter(|error| !matches!(error, Error::NoSuchSet { .. } | Error::Stale { .. }))
            .collect())
    }

    fn lock(&self) -> Result<Lock> {
        Lock::take(&self.folder, &self.database)
    }

    /// Fails if there is a set with this name, except `known`. Names that differ only in upper and lower case are the
    /// same on some systems.
    fn check_free(&self, name: &str, known: Option<&str>) -> Result<()> {
        let mut names = self.names()?.into_iter();
        let other = names.find(|other| other.eq_ignore_ascii_case(name) && Some(other.as_str()) != known);
        other.map_or(Ok(()), |name| Err(Error::SetExists { name }))
    }

    /// Saves a set, with its sections of segments of the snapshot. Returns the number of bytes of its file.
    ///
    /// # Errors
    ///
    /// When the name can't be that of a set, there is such a set and `replace` is false, the database has changed since
    /// the snapshot was taken ([`Error::Stale`]), or the file can't be written.
    pub fn save(&self, set: &NamedSet, replace: bool) -> Result<u64> {
        check_name(&set.name)?;
        let mut file = KeptFile {
            note: Note::of(set).encode(&set.name),
            ..KeptFile::default()
        };
        for (segment, section) in self.own(&set.sections) {
            file.packed.insert(segment, Packed::new(section)?);
        }
        let _lock = self.lock()?;
        steps::reached("sets locked");
        self.check_free(&set.name, replace.then_some(set.name.as_str()))?;
        self.check_current()?;
        self.write(&set.name, &file)
    }

    /// Adds to a live set on disk what is known of more positions. Does nothing if the set is not there any more or is
    /// the answer to another question now. Returns whether the set was written.
    ///
    /// # Errors
    ///
    /// When the set is damaged, or the file can't be written. The caller may ignore that: nothing is lost but time.
    pub fn complete(&self, set: &NamedSet) -> Result<bool> {
        let _lock = self.lock()?;
        let (mut file, note, _) = match self.file(&set.name) {
            Err(Error::NoSuchSet { .. }) => return Ok(false),
            file => file?,
        };
        if note.live.is_none() || note.live != set.live {
            return Ok(false);
        }
        let current = Store::current_keys(&self.database)?;
        file.packed.retain(|segment, _| current.contains(segment));
        let mut is_news = false;
        for (segment, section) in self.own(&set.sections) {
            let known = file.packed.get(&segment).map(|packed| packed.covered);
            if current.contains(&segment) && known.is_none_or(|known| known < section.covered) {
                file.packed.insert(segment, Packed::new(section)?);
                is_news = true;
            }
        }
        if is_news {
            self.write(&set.name, &file)?;
        }
        Ok(is_news)
    }

    /// The sections of segments of the snapshot.
    fn own<'a>(&'a self, sections: &'a Sections) -> impl Iterator<Item = (SegmentKey, &'a Section)> {
        let keys = self.segments.iter().map(|segment| segment.meta().key);
        keys.filter_map(|key| Some((key, sections.get(&key)?)))
    }

    fn write(&self, name: &str, file: &KeptFile) -> Result<u64> {
        let bytes = file.encode()?;
        self.folder.tidy()?;
        self.folder.write(name, &bytes, Durability::Now)?;
        Ok(bytes.len() as u64)
    }

    /// Gives a set another name.
    ///
    /// # Errors
    ///
    /// When there is no such set, it is damaged, there is a set with the other name, or the file can't be written.
    pub fn rename(&self, from: &str, to: &str) -> Result<()> {
        check_name(to)?;
        let _lock = self.lock()?;
        let (mut file, note, _) = self.file(from)?;
        if from == to {
            return Ok(());
        }
        self.check_free(to, None)?;
        file.note = note.encode(to);
        self.write(to, &file)?;
        self.folder.remove(from)?;
        self.folder.sync();
        Ok(())
    }

    /// Deletes a set, even a damaged one.
    ///
    /// # Errors
    ///
    /// When there is no such set, or the file can't be removed.
    pub fn delete(&self, name: &str) -> Result<()> {
        check_name(name)?;
        let _lock = self.lock()?;
        if !self.folder.remove(name)? {
            return Err(Error::NoSuchSet { name: name.to_owned() });
        }
        self.folder.sync();
        Ok(())
    }
}

/// Makes the error for the damaged file of a set.
fn damaged(name: &str) -> impl Fn(Damage) -> Error + '_ {
    |reason| Error::DamagedSet {
        name: name.to_owned(),
        reason,
    }
}
