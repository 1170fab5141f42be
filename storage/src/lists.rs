//! The posting lists of games that are put into a segment: new ones, and those of older segments that are joined into
//! it.
//!
//! Stored lists are read all at once and stay encoded until their term is merged. So joining takes little more memory
//! than the lists take on disk.

use postings::{Damage, PackedRuns, Postings, Run, Term, TermStats, runs};

use crate::{column::Column, error::Result, frame, key::Key, segment::Segment};

/// The runs of all terms of consecutive games.
#[derive(Debug)]
pub(crate) enum Lists {
    /// Those of games that were just indexed.
    Made(PackedRuns),
    /// Those of all games of a segment.
    Stored(StoredLists),
}

impl Lists {
    /// Whether a term occurs.
    pub(crate) fn has(&self, term: Term) -> bool {
        match self {
            Lists::Made(runs) => !runs.list(term.code()).is_empty(),
            Lists::Stored(lists) => lists.get(term).is_some(),
        }
    }

    /// The size of the lists in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Lists::Made(made) => made.size(),
            Lists::Stored(stored) => stored.sealed.len(),
        }
    }

    /// Appends the runs of a term to a list. The first position of the games is `offset`; `scratch` is working memory.
    pub(crate) fn append_to(&self, list: &mut Vec<Run>, term: Term, offset: u32, scratch: &mut Vec<Run>) -> Result<()> {
        match self {
            Lists::Made(made) => runs::append(list, made.list(term.code()), offset),
            Lists::Stored(stored) if offset == 0 && list.is_empty() => stored.decode(term, list)?,
            Lists::Stored(stored) => {
                stored.decode(term, scratch)?;
                runs::append(list, scratch, offset);
            }
        }
        Ok(())
    }
}

/// The lists of a segment as they are on disk. Their checksums are checked.
#[derive(Debug)]
pub(crate) struct StoredLists {
    segment: Segment,
    sealed: Vec<u8>,
    /// Where the list of each term is, by the code of the term; an empty range for a term that does not occur.
    places: Vec<(usize, usize)>,
}

impl StoredLists {
    /// Reads all lists of a segment and checks their lengths against the directory.
    pub(crate) fn read(segment: &Segment) -> Result<StoredLists> {
        let id = segment.meta().id;
        let directory = segment.directory()?;
        let bytes = Term::all().map(|term| directory.get(term).bytes as usize).sum();
        let mut lists = StoredLists {
            segment: segment.clone(),
            sealed: Vec::with_capacity(bytes),
            places: vec![(0, 0); Term::CODES],
        };
        let StoredLists { sealed, places, .. } = &mut lists;
        segment.store().scan(id, Column::Postings, |key, value| {
            let code = key.last_chunk().map(|code| u16::from_be_bytes(*code));
            // The key of the directory is no code of a term.
            if let Some(place) = code.and_then(|code| places.get_mut(usize::from(code))) {
                frame::check(value)?;
                *place = (sealed.len(), sealed.len() + value.len());
                sealed.extend_from_slice(value);
            }
            Ok(())
        })?;
        for term in Term::all() {
            let found = lists.get(term).map_or(0, <[u8]>::len);
            if found != directory.get(term).bytes as usize {
                let damage = if found == 0 { Damage::Missing } else { WRONG_LIST };
                return Err(Key::term(id, term).corrupt(damage));
            }
        }
        Ok(lists)
    }

    fn get(&self, term: Term) -> Option<&[u8]> {
        let (start, end) = self.places[usize::from(term.code())];
        (start < end).then(|| &self.sealed[start..end])
    }

    fn decode(&self, term: Term, list: &mut Vec<Run>) -> Result<()> {
        list.clear();
        let Some(sealed) = self.get(term) else {
            return Ok(());
        };
        decode(
            sealed,
            self.segment.term_stats(term)?,
            self.segment.meta().positions,
            list,
        )
        .map_err(|damage| Key::term(self.segment.meta().id, term).corrupt(damage))
    }
}

const WRONG_LIST: Damage = Damage::Invalid("the list is not the one that the directory tells of");

/// Decodes a list of a segment with `positions` positions, and checks it against the statistics of the directory.
pub(crate) fn decode(sealed: &[u8], stats: TermStats, positions: u32, list: &mut Vec<Run>) -> Result<(), Damage> {
    Postings::from_bytes(frame::open(sealed)?, stats.cardinality)?.decode_into(list)?;
    let found = TermStats {
        bytes: stats.bytes,
        ..runs::stats(list)
    };
    if found == stats && list.last().is_none_or(|run| run.last < positions) {
        Ok(())
    } else {
        Err(WRONG_LIST)
    }
}
