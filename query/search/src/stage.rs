//! A condition of a plan with its posting lists, which are read when the first task gets that far.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use planner::{LoadedPostings, Truth};
use postings::{Postings, Term};
use storage::Segment;

use super::lists::Lists;
use super::quantities::SegmentQuantities;
use super::sets::SegmentSets;

/// A condition with its posting lists.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) truth: Truth,
    /// How many positions are expected to be left behind it.
    pub(super) expected: f64,
    reading: OnceLock<Reading>,
    loaded: OnceLock<LoadedPostings>,
}

/// The lists while they are read, by all threads that need them.
#[derive(Debug)]
struct Reading {
    terms: Vec<Term>,
    /// The first that nobody has begun to read.
    next: AtomicUsize,
    /// What came of it: nothing, if it could not be read.
    lists: Vec<OnceLock<Option<Arc<Postings>>>>,
}

impl Stage {
    pub(super) fn new(truth: Truth, expected: f64) -> Stage {
        Stage {
            truth,
            expected,
            reading: OnceLock::new(),
            loaded: OnceLock::new(),
        }
    }

    /// Its posting lists, if they were read.
    pub(super) fn loaded(&self) -> Option<&LoadedPostings> {
        self.loaded.get()
    }

    /// Its posting lists, the named sets, and clocks and evaluations. A thread that needs them while another reads them helps it: nothing else may be done here, as
    /// whatever is done in the meantime might wait for these lists.
    pub(super) fn postings(
        &self,
        segment: &Segment,
        sets: &SegmentSets,
        quantities: &SegmentQuantities,
    ) -> Result<&LoadedPostings, storage::Error> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let reading = match self.reading.get() {
            Some(reading) => reading,
            None => {
                let terms = LoadedPostings::terms_of(&Lists::of(segment), std::slice::from_ref(&self.truth))?;
                self.reading.get_or_init(|| Reading::new(terms))
            }
        };
        reading.help(segment);
        let lists = reading.terms.iter().zip(&reading.lists);
        let lists = lists.map(|(term, list)| match list.wait() {
            Some(list) => Ok(Arc::clone(list)),
            // Whoever needs it gets an error of his own.
            None => segment.postings(*term),
        });
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        let loaded = LoadedPostings::new(reading.terms.clone(), lists).with_sets(&sets.lists);
        let wanted = LoadedPostings::quantities_of(std::slice::from_ref(&self.truth));
        let loaded = quantities.add_to(loaded, wanted)?;
        Ok(self.loaded.get_or_init(|| loaded))
    }
}

impl Reading {
    fn new(terms: Vec<Term>) -> Reading {
        Reading {
            next: AtomicUsize::new(0),
            lists: terms.iter().map(|_| OnceLock::new()).collect(),
            terms,
        }
    }

    /// Reads lists as long as there are any that nobody reads.
    fn help(&self, segment: &Segment) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let (Some(term), Some(list)) = (self.terms.get(index), self.lists.get(index)) else {
                return;
            };
            let promise = Promise(list);
            // It is read again by whoever needs it, if it can't be.
            let _ = promise.0.set(segment.postings(*term).ok());
        }
    }
}

/// A list that somebody reads: nobody waits for it in vain, not even when that panics.
struct Promise<'a>(&'a OnceLock<Option<Arc<Postings>>>);

impl Drop for Promise<'_> {
    fn drop(&mut self) {
        let _ = self.0.set(None);
    }
}
