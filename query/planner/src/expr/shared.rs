//! Lists of expressions that are copied without their contents and compared by their hash.
//!
//! A plan of nested loops is put together from the same parts again and again: copied for each square, compared with each
//! other, asked for as a whole or in part. All that would look into every expression to its leaves.

use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::hash_of;

/// A list that is shared by its copies.
#[derive(Clone, Debug)]
pub struct Shared<T>(Arc<Inner<T>>);

#[derive(Clone, Debug)]
struct Inner<T> {
    list: Vec<T>,
    /// The hash of the elements in any order: each segment puts them in an order of its own, and what is measured of a condition in
    /// one of them is to be found in another one.
    hash: u64,
    /// What the expression costs that the list is a part of, if that was asked.
    cost: OnceLock<f64>,
}

fn hash_in_any_order<T: Hash>(list: &[T]) -> u64 {
    let hashes = list.iter().map(hash_of);
    hashes.fold(list.len() as u64, u64::wrapping_add)
}

impl<T: Hash> From<Vec<T>> for Shared<T> {
    fn from(list: Vec<T>) -> Self {
        let (hash, cost) = (hash_in_any_order(&list), OnceLock::new());
        Shared(Arc::new(Inner { list, hash, cost }))
    }
}

impl<T: Hash, const N: usize> From<[T; N]> for Shared<T> {
    fn from(list: [T; N]) -> Self {
        Vec::from(list).into()
    }
}

impl<T: Hash> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(list: I) -> Self {
        list.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T> Deref for Shared<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0.list
    }
}

impl<T: PartialEq> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.hash == other.0.hash && self.0.list == other.0.list
    }
}

impl<T> Hash for Shared<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl<T> Shared<T> {
    /// What the expression costs that the list is a part of; `of` works it out where it was not asked before.
    pub(crate) fn cost(&self, of: impl FnOnce(&[T]) -> f64) -> f64 {
        *self.0.cost.get_or_init(|| of(&self.0.list))
    }
}

impl<T: Clone> Shared<T> {
    /// The list itself; a copy if it is shared.
    pub(crate) fn into_vec(self) -> Vec<T> {
        Arc::try_unwrap(self.0).map_or_else(|shared| shared.list.clone(), |inner| inner.list)
    }
}

impl<T: Clone + Hash> Shared<T> {
    /// Changes all elements.
    pub(crate) fn change_each(&mut self, change: impl FnMut(&mut T)) {
        self.change(|list| list.iter_mut().for_each(change));
    }

    /// Puts another element in a place and returns the one that was there; `None` if there is no such place.
    pub(crate) fn replace(&mut self, place: usize, element: T) -> Option<T> {
        if place >= self.len() {
            return None;
        }
        Some(self.change(|list| std::mem::replace(&mut list[place], element)))
    }

    fn change<R>(&mut self, change: impl FnOnce(&mut [T]) -> R) -> R {
        let inner = Arc::make_mut(&mut self.0);
        let result = change(&mut inner.list);
        (inner.hash, inner.cost) = (hash_in_any_order(&inner.list), OnceLock::new());
        result
    }
}

impl<T: Clone> IntoIterator for Shared<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<'s, T> IntoIterator for &'s Shared<T> {
    type Item = &'s T;
    type IntoIter = std::slice::Iter<'s, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_stays_what_it_was_and_lists_are_equal_by_their_elements() {
        let list = Shared::from([1, 2, 3]);
        let mut changed = list.clone();
        changed.change_each(|element| *element += 1);
        assert_eq!((&list[..], &changed[..]), (&[1, 2, 3][..], &[2, 3, 4][..]));
        assert_eq!(changed.replace(0, 9), Some(2));
        assert_eq!(changed.replace(3, 9), None);
        for same in [Shared::from(vec![9, 3, 4]), changed.iter().copied().collect()] {
            assert_eq!((hash_of(&same), &same), (hash_of(&changed), &changed));
        }
        assert_ne!(hash_of(&list), hash_of(&changed));
        let reversed = Shared::from([3, 2, 1]);
        assert_ne!(list, reversed);
        assert_eq!(hash_of(&list), hash_of(&reversed));
    }
}
