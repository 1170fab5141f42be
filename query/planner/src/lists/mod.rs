//! The posting lists that expressions read.

mod terms;

use std::ops::Range;
use std::sync::Arc;

use chess::{Quantity, QuantitySet};
use postings::{Postings, Term};

pub(crate) use self::terms::Terms;
use crate::expr::{NamedSet, Truth};
use crate::quantities::{QuantityLists, quantities_of};
use crate::source::TermSource;

/// The posting lists that an expression reads.
#[derive(Debug)]
pub struct LoadedPostings {
    /// Where the list of a term is, by the term's code; [`LoadedPostings::NONE`] if it is not read.
    slots: Vec<u16>,
    /// By slot.
    terms: Vec<Term>,
    /// The lists of the terms by slot, those of the named sets behind them, and then those of quantities.
    lists: Vec<Arc<Postings>>,
    /// Where the lists of each quantity are, if they were read.
    quantities: [Option<QuantitySlots>; Quantity::ALL.len()],
}

/// Where the lists of a quantity are.
#[derive(Clone, Debug)]
pub(crate) struct QuantitySlots {
    /// Where it has a value.
    pub(crate) given: usize,
    /// Where the value is negative.
    pub(crate) negative: usize,
    /// Its digits.
    pub(crate) digits: Range<usize>,
}

impl LoadedPostings {
    const NONE: u16 = u16::MAX;

    /// Reads the posting lists that expressions need.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S: TermSource>(source: &S, truths: &[Truth]) -> Result<LoadedPostings, S::Error> {
        let terms = LoadedPostings::terms_of(source, truths)?;
        let lists = terms.iter().map(|term| source.postings(*term));
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        let mut loaded = LoadedPostings::new(terms, lists).with_sets(source.sets());
        for quantity in LoadedPostings::quantities_of(truths).iter() {
            loaded = loaded.with_quantity(quantity, &*source.quantity(quantity)?);
        }
        Ok(loaded)
    }

    /// The terms whose lists expressions need.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn terms_of<S: TermSource>(source: &S, truths: &[Truth]) -> Result<Vec<Term>, S::Error> {
        Terms::of(truths).list(source)
    }

    /// Whether the list of a term says where men stand, so that boards can stand in for it.
    pub fn is_on_boards(term: Term) -> bool {
        matches!(term, Term::Placement(..))
    }

    /// The quantities whose lists expressions need.
    pub fn quantities_of(truths: &[Truth]) -> QuantitySet {
        quantities_of(truths)
    }

    /// The lists of some terms, in the same order.
    pub fn new(terms: Vec<Term>, lists: Vec<Arc<Postings>>) -> LoadedPostings {
        let mut slots = vec![LoadedPostings::NONE; Term::CODES];
        for (slot, term) in (0..).zip(&terms) {
            slots[term.code() as usize] = slot;
        }
        LoadedPostings {
            slots,
            terms,
            lists,
            quantities: Default::default(),
        }
    }

    /// The same with the positions of the named sets, in the order in which the query names them.
    #[must_use]
    pub fn with_sets(mut self, sets: &[Arc<Postings>]) -> LoadedPostings {
        self.lists.extend(sets.iter().map(Arc::clone));
        self
    }

    /// The same with the lists of a quantity. The named sets come first.
    #[must_use]
    pub fn with_quantity(mut self, quantity: Quantity, lists: &QuantityLists) -> LoadedPostings {
        let given = self.lists.len();
        self.lists.extend([&lists.given, &lists.negative].map(Arc::clone));
        self.lists.extend(lists.digits.iter().map(Arc::clone));
        self.quantities[quantity as usize] = Some(QuantitySlots {
            given,
            negative: given + 1,
            digits: given + 2..self.lists.len(),
        });
        self
    }

    /// The terms whose lists these are.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Where the list of a term is, if it was read.
    #[inline]
    pub(crate) fn slot(&self, term: Term) -> Option<usize> {
        let slot = self.slots[term.code() as usize];
        (slot != LoadedPostings::NONE).then_some(usize::from(slot))
    }

    /// Where the list of a named set is, if there is one.
    #[inline]
    pub(crate) fn set_slot(&self, set: &NamedSet) -> Option<usize> {
        let slot = self.terms.len() + set.index;
        (slot < self.lists.len()).then_some(slot)
    }

    /// Where the lists of a quantity are, if they were read.
    pub(crate) fn quantity(&self, quantity: Quantity) -> Option<QuantitySlots> {
        self.quantities[quantity as usize].clone()
    }

    /// The list of where a quantity has a value, if it was read.
    pub(crate) fn given(&self, quantity: Quantity) -> Option<&Postings> {
        self.quantity(quantity).map(|slots| &*self.lists[slots.given])
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// The lists, by slot.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &Postings> {
        self.lists.iter().map(|list| &**list)
    }

    /// The list of a term, if it was read.
    pub(crate) fn list(&self, term: Term) -> Option<&Postings> {
        self.slot(term).map(|slot| &*self.lists[slot])
    }

    /// The list of a named set, if there is one.
    pub(crate) fn set(&self, set: &NamedSet) -> Option<&Postings> {
        self.set_slot(set).map(|slot| &*self.lists[slot])
    }
}
