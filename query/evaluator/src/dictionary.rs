//! The entries of a dictionary.

use std::collections::HashMap;

use foldhash::quality::RandomState;

use crate::value::Value;

/// A dictionary with room for no more entries than this keeps it when it is emptied.
const MANY: usize = 256;

/// Values by their keys. Most queries only look them up; where one goes through all of them, they are put in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dictionary {
    entries: HashMap<Value, Value, RandomState>,
    /// All keys in their order, if that was asked for since the last one came or went.
    in_order: Option<Vec<Value>>,
}

impl Dictionary {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub(crate) fn get(&self, key: &Value) -> Option<&Value> {
        self.entries.get(key)
    }

    /// Puts a value under a key, in the place of the one that was there.
    pub(crate) fn insert(&mut self, key: Value, value: Value) {
        if self.entries.insert(key, value).is_none() {
            self.in_order = None;
        }
    }

    pub(crate) fn remove(&mut self, key: &Value) {
        if self.entries.remove(key).is_some() {
            self.in_order = None;
        }
    }

    /// Takes all entries out. Where they were many, their memory goes, too: to empty it takes time in each game.
    pub(crate) fn clear(&mut self) {
        match self.entries.capacity() > MANY {
            true => self.entries = HashMap::default(),
            false => self.entries.clear(),
        }
        self.in_order = None;
    }

    /// All keys, in their order.
    pub(crate) fn keys(&mut self) -> &[Value] {
        let entries = &self.entries;
        self.in_order.get_or_insert_with(|| {
            let mut keys: Vec<Value> = entries.keys().cloned().collect();
            keys.sort_unstable();
            keys
        })
    }

    /// All entries, in the order of their keys.
    pub(crate) fn in_order(&self) -> Vec<(&Value, &Value)> {
        let mut entries: Vec<(&Value, &Value)> = self.entries.iter().collect();
        entries.sort_unstable();
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_order_whatever_comes_and_goes() {
        let mut dictionary = Dictionary::default();
        let number = |number| Value::Number(number);
        for key in [3, 1, 2] {
            dictionary.insert(number(key), number(10 * key));
        }
        assert_eq!(dictionary.keys(), [1, 2, 3].map(number));
        dictionary.insert(number(0), number(0));
        dictionary.insert(number(2), number(5));
        dictionary.remove(&number(1));
        assert_eq!(dictionary.keys(), [0, 2, 3].map(number));
        let entries = [(0, 0), (2, 5), (3, 30)].map(|(key, value)| (number(key), number(value)));
        assert!(
            dictionary
                .in_order()
                .into_iter()
                .eq(entries.iter().map(|(key, value)| (key, value)))
        );
        dictionary.clear();
        assert!(dictionary.is_empty() && dictionary.keys().is_empty());
    }
}
