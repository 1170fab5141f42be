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
    /// All lists that it needs.
    all: StageLists,
    /// Those that it needs where boards say where men stand.
    beside_boards: StageLists,
}

/// Lists that were read, or are being read.
#[derive(Debug, Default)]
struct StageLists {
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
            all: StageLists::default(),
            beside_boards: StageLists::default(),
        }
    }

    /// The terms whose lists were read.
    pub(super) fn terms_read(&self) -> impl Iterator<Item = Term> {
        let beside = self
            .beside_boards
            .loaded
            .get()
            .filter(|_| self.all.loaded.get().is_none());
        let beside = beside.into_iter().flat_map(LoadedPostings::terms);
        let all = self.all.loaded.get().into_iter().flat_map(LoadedPostings::terms);
        all.chain(beside.filter(|&&term| !LoadedPostings::is_on_boards(term)))
            .copied()
    }

    /// Its posting lists, the named sets, and clocks and evaluations. `by_boards` says that the lists of men on squares are
    /// not needed: then they are empty.
    ///
    /// A thread that needs lists while another reads them helps it: nothing else may be done here, as whatever is done in the
    /// meantime might wait for these lists.
    pub(super) fn postings(
        &self,
        by_boards: bool,
        segment: &Segment,
        sets: &SegmentSets,
        quantities: &SegmentQuantities,
    ) -> Result<&LoadedPostings, storage::Error> {
        let lists = if by_boards { &self.beside_boards } else { &self.all };
        if let Some(loaded) = lists.loaded.get() {
            return Ok(loaded);
        }
        let reading = match lists.reading.get() {
            Some(reading) => reading,
            None => {
                let terms = LoadedPostings::terms_of(&Lists::of(segment), std::slice::from_ref(&self.truth))?;
                lists.reading.get_or_init(|| Reading::new(terms, by_boards))
            }
        };
        reading.help(segment);
        let found = reading.terms.iter().zip(&reading.lists);
        let found = found.map(|(term, list)| match list.wait() {
            Some(list) => Ok(Arc::clone(list)),
            // Whoever needs it gets an error of his own.
            None => segment.postings(*term),
        });
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let loaded = LoadedPostings::new(reading.terms.clone(), found).with_sets(&sets.lists);
        let wanted = LoadedPostings::quantities_of(std::slice::from_ref(&self.truth));
        let loaded = quantities.add_to(loaded, wanted)?;
        Ok(lists.loaded.get_or_init(|| loaded))
    }
}

impl Reading {
    fn new(terms: Vec<Term>, by_boards: bool) -> Reading {
        let empty = Arc::<Postings>::default();
        let list = |&term: &Term| match by_boards && LoadedPostings::is_on_boards(term) {
            true => OnceLock::from(Some(Arc::clone(&empty))),
            false => OnceLock::new(),
        };
        Reading {
            next: AtomicUsize::new(0),
            lists: terms.iter().map(list).collect(),
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
            if list.get().is_some() {
                continue;
            }
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
