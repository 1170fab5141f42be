//! What was found out about filters, by where they are in memory: a query stays where it is while it runs.

use language::hir::Filter;

/// Something for each of some filters, numbered in the order in which they came.
#[derive(Debug)]
pub(super) struct ByAddress<T> {
    /// Addresses, ascending, with the numbers.
    order: Vec<(usize, usize)>,
    items: Vec<T>,
}

impl<T> Default for ByAddress<T> {
    fn default() -> ByAddress<T> {
        ByAddress {
            order: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl<T> ByAddress<T> {
    /// The number of a filter, which has its item from now on.
    #[inline]
    pub(super) fn number(&mut self, filter: &Filter, make: impl FnOnce() -> T) -> usize {
        let address = std::ptr::from_ref(filter).addr();
        let place = self.order.partition_point(|&(other, _)| other < address);
        match self.order.get(place) {
            Some(&(other, number)) if other == address => number,
            _ => {
                self.order.insert(place, (address, self.items.len()));
                self.items.push(make());
                self.items.len() - 1
            }
        }
    }

    /// The item with a number.
    #[inline]
    pub(super) fn item(&mut self, number: usize) -> &mut T {
        &mut self.items[number]
    }

    /// All items.
    pub(super) fn items(&mut self) -> impl Iterator<Item = &mut T> {
        self.items.iter_mut()
    }
}
