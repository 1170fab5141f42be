//! Finds the part of a file that is already in the database, by its text. The name of the file does not matter.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::atomic::{AtomicU64, Ordering},
};

use storage::{Source, SourceHasher};

use crate::{
    error::{Error, Result},
    source::{Input, Stream},
    splitter::Splitter,
};

/// A file that is open for reading.
pub(crate) type Reading = Splitter<Stream>;

/// A text that was indexed before, with its source number if it is committed.
pub(crate) type Known = (Option<u32>, Source);

/// Opens a file and skips the longest known text at its beginning. Returns that text, too.
pub(crate) fn open(
    input: &Input,
    known: &[Known],
    open: &mut dyn FnMut() -> Result<Stream>,
    done: &AtomicU64,
) -> Result<(Reading, Option<Known>)> {
    let mut reading = Splitter::new(open()?);
    // Standard input can be read only once.
    if known.is_empty() || input.is_stdin() {
        return Ok((reading, None));
    }
    let failed = |source| Error::Read {
        path: input.path.clone(),
        offset: 0,
        source,
    };
    let mut best: Option<&Known> = None;
    let mut candidates = Vec::new();
    // The hashed beginning of a text has a fixed length unless the text is shorter, so there are few entries.
    let mut heads: HashMap<u64, Option<[u8; 32]>> = HashMap::new();
    for candidate in known.iter().filter(|(_, source)| source.bytes > 0) {
        let length = SourceHasher::head_length(candidate.1.bytes);
        let head = match heads.entry(length) {
            Entry::Occupied(head) => *head.get(),
            Entry::Vacant(slot) => {
                let mut hasher = SourceHasher::default();
                let wanted = usize::try_from(length).unwrap_or(usize::MAX);
                hasher.update(reading.peek(wanted).map_err(failed)?);
                *slot.insert((hasher.bytes() == length).then(|| hasher.head()))
            }
        };
        if head == Some(candidate.1.head) {
            candidates.push(candidate);
        }
    }
    candidates.sort_by_key(|(_, source)| source.bytes);
    for candidate in candidates {
        let source = &candidate.1;
        if !reading.skip_to(source.bytes).map_err(failed)? {
            break;
        }
        let is_same = reading.hasher().hash() == source.hash;
        // In a file that has grown, the next text may continue the game that was the last one.
        if is_same && (!source.is_complete || reading.is_at_game().map_err(failed)?) {
            best = Some(candidate);
        }
    }
    let wanted = best.map_or(0, |(_, source)| source.bytes);
    if reading.offset() != wanted {
        done.store(0, Ordering::Relaxed);
        reading = Splitter::new(open()?);
        reading.skip_to(wanted).map_err(failed)?;
    }
    Ok((reading, best.cloned()))
}
