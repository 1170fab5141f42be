//! The clocks and evaluations of a segment as lists, made when a plan first needs them.

use std::sync::{Arc, Mutex, PoisonError};

use chess::{MoveTree, Quantities, Quantity, QuantitySet};
use planner::{LoadedPostings, QuantityBuilder, QuantityLists};
use storage::Segment;

/// The lists of a segment, as far as they were made.
#[derive(Debug)]
pub(super) struct SegmentQuantities {
    segment: Segment,
    made: Mutex<[Option<Arc<QuantityLists>>; Quantity::ALL.len()]>,
}

impl SegmentQuantities {
    /// Nothing is made yet.
    pub(super) fn new(segment: Segment) -> SegmentQuantities {
        SegmentQuantities {
            segment,
            made: Mutex::default(),
        }
    }

    /// At how many positions a quantity has a value, at most; `None` if that is not stored.
    pub(super) fn given(&self, quantity: Quantity) -> Result<Option<u32>, storage::Error> {
        let mut all = Some(0u64);
        for kind in QuantitySet::of([quantity]).kinds() {
            let counted = self.segment.annotated(kind)?;
            all = all.zip(counted).map(|(all, more)| all + more);
        }
        let positions = self.segment.meta().positions;
        // A clock stays as it is until the side moves again.
        Ok(all.map(|all| u32::try_from(2 * all).unwrap_or(u32::MAX).min(positions)))
    }

    /// The lists of a quantity. Others that need it wait until they are made.
    pub(super) fn lists(&self, quantity: Quantity) -> Result<Arc<QuantityLists>, storage::Error> {
        self.make(QuantitySet::of([quantity]))?;
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(made[quantity as usize].clone().unwrap_or_default())
    }

    /// Adds the lists of some quantities.
    pub(super) fn add_to(
        &self,
        mut postings: LoadedPostings,
        wanted: QuantitySet,
    ) -> Result<LoadedPostings, storage::Error> {
        self.make(wanted)?;
        for quantity in wanted.iter() {
            postings = postings.with_quantity(quantity, &*self.lists(quantity)?);
        }
        Ok(postings)
    }

    /// Makes the lists of some quantities, in one pass over the games.
    fn make(&self, wanted: QuantitySet) -> Result<(), storage::Error> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = QuantitySet::of(wanted.iter().filter(|&quantity| made[quantity as usize].is_none()));
        if missing.is_empty() {
            return Ok(());
        }
        let meta = self.segment.meta();
        let mut builders: Vec<(Quantity, QuantityBuilder)> = missing
            .iter()
            .map(|quantity| (quantity, QuantityBuilder::new(meta.positions)))
            .collect();
        let starts = self.segment.starts()?;
        let (mut tree, mut quantities) = (MoveTree::default(), Quantities::default());
        for block in 0..self.segment.block_count()? {
            let annotations = self.segment.annotations(block, missing.kinds())?;
            if annotations.iter().all(chess::Annotations::is_empty) {
                continue;
            }
            let trees = self.segment.trees(block)?;
            for (index, game) in trees.games().enumerate() {
                trees.tree(index, &mut tree)?;
                quantities.load(&tree, &annotations[index], missing);
                for (quantity, builder) in &mut builders {
                    let values = (starts[game as usize]..starts[game as usize + 1]).zip(quantities.values(*quantity));
                    for (position, value) in values {
                        if let Some(value) = value {
                            builder.set(position, *value);
                        }
                    }
                }
            }
        }
        for (quantity, builder) in builders {
            made[quantity as usize] = Some(Arc::new(builder.finish()));
        }
        Ok(())
    }
}
