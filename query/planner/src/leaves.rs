//! The posting lists that expressions read, and the blocks of them that were unpacked last.

use std::sync::Arc;

use postings::{Cursor, Postings, Selection, Term};

use super::block::{Plane, WORDS, ZERO, is_zero};
use super::expr::Truth;
use super::terms::Terms;

/// Where posting lists come from: a segment, or a map in tests.
pub trait TermSource {
    /// What may go wrong.
    type Error;

    /// The positions where a term holds.
    ///
    /// # Errors
    ///
    /// When the list can't be read.
    fn postings(&self, term: Term) -> Result<Arc<Postings>, Self::Error>;

    /// How many positions that is.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    fn cardinality(&self, term: Term) -> Result<u32, Self::Error>;

    /// The share of positions that a filter on games lets through, by its number in the plan.
    fn share_of_games(&self, _: usize) -> f64 {
        0.1
    }
}

/// The posting lists that an expression reads.
#[derive(Debug)]
pub struct Leaves {
    /// Where the list of a term is, by the term's code; [`Leaves::NONE`] if it is not read.
    slots: Vec<u16>,
    /// By slot.
    terms: Vec<Term>,
    lists: Vec<Arc<Postings>>,
}

impl Leaves {
    const NONE: u16 = u16::MAX;

    /// Reads the posting lists that expressions need.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S: TermSource>(source: &S, truths: &[Truth]) -> Result<Leaves, S::Error> {
        let terms = Leaves::terms_of(source, truths)?;
        let lists = terms.iter().map(|term| source.postings(*term));
        let lists = lists.collect::<Result<Vec<_>, _>>()?;
        Ok(Leaves::new(terms, lists))
    }

    /// The terms whose lists expressions need.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn terms_of<S: TermSource>(source: &S, truths: &[Truth]) -> Result<Vec<Term>, S::Error> {
        Terms::of(truths).list(source)
    }

    /// The lists of some terms, in the same order.
    pub fn new(terms: Vec<Term>, lists: Vec<Arc<Postings>>) -> Leaves {
        let mut slots = vec![Leaves::NONE; Term::CODES];
        for (slot, term) in (0..).zip(&terms) {
            slots[term.code() as usize] = slot;
        }
        Leaves { slots, terms, lists }
    }

    /// The terms whose lists these are.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    #[inline]
    pub(super) fn slot(&self, term: Term) -> Option<usize> {
        let slot = self.slots[term.code() as usize];
        (slot != Leaves::NONE).then_some(usize::from(slot))
    }

    pub(super) fn list(&self, term: Term) -> Option<&Postings> {
        self.slot(term).map(|slot| &*self.lists[slot])
    }
}

/// The blocks of the posting lists that were unpacked last, by slot. What is looked at each time lies close together.
#[derive(Debug)]
pub(super) struct Unpacked<'a> {
    /// How many ids later the lists are read.
    pub(super) offset: i32,
    /// The selected positions so many ids later, if some are selected.
    selection: Option<Selection>,
    states: Vec<State>,
    cursors: Vec<Cursor<'a>>,
    planes: Vec<Plane>,
    /// At an offset: the block of the list that was read last.
    raw: Vec<(State, Plane)>,
}

/// What is known of the last block of a list.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Its number in the segment; no block has the highest one.
    block: u32,
    /// Whether it has a position; if not, the plane is garbage.
    any: bool,
}

impl<'a> Unpacked<'a> {
    /// Nothing is read yet.
    pub(super) fn new(
        leaves: &'a Leaves,
        offset: i32,
        selection: Option<Selection>,
        mut planes: Vec<Plane>,
    ) -> Unpacked<'a> {
        if planes.len() < leaves.lists.len() {
            planes.resize(leaves.lists.len(), ZERO);
        }
        let lists = leaves.lists.len();
        let none = State {
            block: u32::MAX,
            any: false,
        };
        let raw = if offset == 0 || selection.is_some() { 0 } else { lists };
        Unpacked {
            offset,
            selection,
            states: vec![none; lists],
            cursors: leaves.lists.iter().map(|list| list.cursor()).collect(),
            planes,
            raw: vec![(none, ZERO); raw],
        }
    }

    /// Whether the list has a position in the block, if that is the one that was read last.
    #[inline]
    pub(super) fn known(&self, slot: usize, block: u32) -> Option<bool> {
        let state = self.states[slot];
        (state.block == block).then_some(state.any)
    }

    /// The plane of the block that was read last, where it has a position.
    #[inline]
    pub(super) fn plane(&self, slot: usize) -> &Plane {
        &self.planes[slot]
    }

    /// Gives the memory of the planes back.
    pub(super) fn take_planes(&mut self) -> Vec<Plane> {
        std::mem::take(&mut self.planes)
    }

    /// Reads a block, of the selected positions if some are; false where it has no position.
    pub(super) fn unpack(&mut self, slot: usize, block: u32, selection: Option<&Selection>) -> bool {
        let any = match self.selection.as_ref().or(selection) {
            None => self.read(slot, block),
            Some(selection) => self.cursors[slot].read_selected(selection, block, &mut self.planes[slot]),
        };
        self.states[slot] = State { block, any };
        any
    }

    /// Makes the plane of a block at the offset; false where it has no position.
    fn read(&mut self, slot: usize, block: u32) -> bool {
        let Unpacked {
            offset,
            cursors,
            planes,
            raw,
            ..
        } = self;
        let (cursor, plane) = (&mut cursors[slot], &mut planes[slot]);
        if *offset == 0 {
            return cursor.read_block(block, plane);
        }
        // Two blocks in a row; the one in common with the next time is read once.
        let (known, spare) = &mut raw[slot];
        let mut read = |block: Option<u32>, into: &mut Plane| match block {
            Some(block) if known.block == block => {
                *into = *spare;
                known.any
            }
            Some(block) => cursor.read_block(block, into),
            None => false,
        };
        let (first, second) = if *offset > 0 {
            (Some(block), block.checked_add(1))
        } else {
            (block.checked_sub(1), Some(block))
        };
        let (mut low, mut high) = (ZERO, ZERO);
        let any = [read(first, &mut low), read(second, &mut high)];
        for (any, plane) in any.iter().zip([&mut low, &mut high]) {
            if !any {
                *plane = ZERO;
            }
        }
        *spare = high;
        *known = State {
            block: second.unwrap_or(u32::MAX),
            any: any[1],
        };
        if any == [false; 2] {
            return false;
        }
        let words = |index: usize| if index < WORDS { low[index] } else { high[index - WORDS] };
        let start = if *offset > 0 { 0 } else { WORDS * 64 } as i32 + *offset;
        let (word, shift) = ((start / 64) as usize, start % 64);
        for (index, out) in plane.iter_mut().enumerate() {
            *out = words(word + index) >> shift | words(word + index + 1) << (64 - shift);
        }
        !is_zero(plane)
    }
}
