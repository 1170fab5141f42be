//! What of a file is in the database already: the text before a place that was committed, whatever the file is called.

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

/// A text that is known, with its number in the database if it has one already.
pub(crate) type Known = (Option<u32>, Source);

/// Opens a file behind what is known of it; gives also that, with its number.
pub(crate) fn open(
    input: &Input,
    known: &[Known],
    open: &mut dyn FnMut() -> Result<Stream>,
    done: &AtomicU64,
) -> Result<(Reading, Option<Known>)> {
    let mut reading = Splitter::new(open()?);
    // What was read of standard input cannot be read again.
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
    // Almost all texts are longer than what is hashed of their beginnings, so that this is computed once.
    let mut heads: HashMap<u64, Option<[u8; 32]>> = HashMap::new();
    for candidate in known.iter().filter(|(_, source)| source.bytes > 0) {
        let length = SourceHasher::head_length(candidate.1.bytes);
        let head = match heads.entry(length) {
            Entry::Occupied(head) => *head.get(),
            Entry::Vacant(slot) => {
                let mut hasher = SourceHasher::default();
                hasher.update(reading.peek(length as usize).map_err(failed)?);
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
        // A file that has grown since may go on with the game that was its last.
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
