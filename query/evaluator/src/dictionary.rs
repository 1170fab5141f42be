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
        self.entries.insert(key, value);
    }

    pub(crate) fn remove(&mut self, key: &Value) {
        self.entries.remove(key);
    }

    /// Takes all entries out. Where they were many, their memory goes, too: to empty it takes time in each game.
    pub(crate) fn clear(&mut self) {
        match self.entries.capacity() > MANY {
            true => self.entries = HashMap::default(),
            false => self.entries.clear(),
        }
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
        let keys = |dictionary: &Dictionary| -> Vec<Value> {
            let entries = dictionary.in_order().into_iter();
            entries.map(|(key, _)| key.clone()).collect()
        };
        for key in [3, 1, 2] {
            dictionary.insert(number(key), number(10 * key));
        }
        assert_eq!(keys(&dictionary), [1, 2, 3].map(number));
        dictionary.insert(number(0), number(0));
        dictionary.insert(number(2), number(5));
        dictionary.remove(&number(1));
        assert_eq!(keys(&dictionary), [0, 2, 3].map(number));
        let entries = [(0, 0), (2, 5), (3, 30)].map(|(key, value)| (number(key), number(value)));
        assert!(
            dictionary
                .in_order()
                .into_iter()
                .eq(entries.iter().map(|(key, value)| (key, value)))
        );
        dictionary.clear();
        assert!(dictionary.is_empty() && keys(&dictionary).is_empty());
    }
}
