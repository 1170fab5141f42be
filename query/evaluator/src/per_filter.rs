//! Tables with an item for some of the filters of a query.

use language::hir::FilterId;

/// An item for each filter that needs one. Items have places, numbered in the order in which they were made.
#[derive(Debug)]
pub(crate) struct PerFilter<T> {
    /// By filter: one more than its place, 0 if it has none.
    places: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for PerFilter<T> {
    fn default() -> PerFilter<T> {
        PerFilter {
            places: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl<T> PerFilter<T> {
    /// The place of a filter's item, which is made if there is none.
    #[inline]
    pub(crate) fn place_or_insert(&mut self, filter: FilterId, make: impl FnOnce() -> T) -> usize {
        match self.places.get(filter.index()) {
            Some(&place) if place != 0 => place as usize - 1,
            _ => self.insert(filter, make()),
        }
    }

    /// Adds the item of a filter that has none. Gives its place.
    pub(crate) fn insert(&mut self, filter: FilterId, item: T) -> usize {
        let place = self.items.len();
        self.items.push(item);
        if self.places.len() <= filter.index() {
            self.places.resize(filter.index() + 1, 0);
        }
        // There are no more items than filters, which are numbered by 32 bits.
        self.places[filter.index()] = u32::try_from(place + 1).unwrap_or(0);
        place
    }

    /// The item of a filter, if it has one.
    #[inline]
    pub(crate) fn get(&self, filter: FilterId) -> Option<&T> {
        let place = *self.places.get(filter.index())?;
        self.items.get((place as usize).checked_sub(1)?)
    }

    /// The item at a place.
    #[inline]
    pub(crate) fn at(&mut self, place: usize) -> &mut T {
        &mut self.items[place]
    }

    /// All items, in the order in which they were made.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter()
    }

    /// The same, to change them.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.items.iter_mut()
    }
}
