//! Sets of the positions of a game.

use std::ops::Range;

/// A set of nodes, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    /// The empty set, with room for `nodes` nodes.
    pub(crate) fn none(nodes: usize) -> NodeSet {
        NodeSet {
            words: vec![0; words_for(nodes)],
        }
    }

    /// Makes it all nodes of a game with `nodes` nodes.
    pub(crate) fn fill(&mut self, nodes: usize) {
        self.words.clear();
        self.words.resize(words_for(nodes), u64::MAX);
        let rest = nodes % 64;
        if rest != 0
            && let Some(last) = self.words.last_mut()
        {
            *last = (1 << rest) - 1;
        }
    }

    /// Makes it empty, with room for `nodes` nodes.
    pub(crate) fn clear(&mut self, nodes: usize) {
        self.words.clear();
        self.words.resize(words_for(nodes), 0);
    }

    /// Makes it a range of the nodes of a game with `nodes` nodes.
    pub(crate) fn fill_range(&mut self, range: Range<u32>, nodes: usize) {
        self.clear(nodes);
        bits::set_range(&mut self.words, range);
    }

    /// Keeps the nodes for which the test holds.
    #[inline]
    pub(crate) fn retain_if(&mut self, test: impl FnMut(u32) -> bool) {
        bits::retain(&mut self.words, test);
    }

    /// The first node that is at least `from`.
    #[inline]
    pub(crate) fn next(&self, from: u32) -> Option<u32> {
        bits::next(&self.words, from)
    }

    /// Makes it empty, as large as another.
    pub(crate) fn clear_like(&mut self, other: &NodeSet) {
        self.words.clear();
        self.words.resize(other.words.len(), 0);
    }

    pub(crate) fn insert(&mut self, node: u32) {
        bits::insert(&mut self.words, node);
    }

    /// Adds nodes of a word: bit 0 stands for the node `64 * index`.
    #[inline]
    pub(crate) fn add_word(&mut self, index: usize, nodes: u64) {
        self.words[index] |= nodes;
    }

    /// Takes nodes of a word out: bit 0 stands for the node `64 * index`.
    #[inline]
    pub(crate) fn remove_word(&mut self, index: usize, nodes: u64) {
        self.words[index] &= !nodes;
    }

    pub(crate) fn remove(&mut self, node: u32) {
        bits::remove(&mut self.words, node);
    }

    #[inline]
    pub(crate) fn contains(&self, node: u32) -> bool {
        bits::contains(&self.words, node)
    }

    pub(crate) fn is_empty(&self) -> bool {
        bits::is_empty(&self.words)
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Keeps the nodes that are in another set, or (`inside` false) those that are not.
    pub(crate) fn retain(&mut self, other: &NodeSet, inside: bool) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= if inside { *other } else { !*other };
        }
    }

    /// Keeps the nodes of a range.
    pub(crate) fn retain_range(&mut self, range: &Range<u32>) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= bits::within(index, range);
        }
    }

    /// The nodes, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        bits::ones_of(&self.words)
    }
}

/// How many words hold a bit for each of `nodes` nodes.
fn words_for(nodes: usize) -> usize {
    nodes.div_ceil(64)
}

/// At which positions of a game a condition was tested, and where it holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownTruth {
    tested: NodeSet,
    holds: NodeSet,
}

impl KnownTruth {
    /// Forgets everything, for a game with `nodes` positions.
    pub(crate) fn clear(&mut self, nodes: usize) {
        self.tested.clear(nodes);
        self.holds.clear(nodes);
    }

    /// Notes that it holds nowhere but among some positions.
    pub(crate) fn note_only_among(&mut self, positions: &NodeSet) {
        for (word, possible) in self.tested.words.iter_mut().zip(&positions.words) {
            *word |= !possible;
        }
    }

    /// Notes that it holds at some positions and nowhere else.
    pub(crate) fn note_all(&mut self, positions: &NodeSet) {
        self.tested.words.fill(u64::MAX);
        self.holds.words.clone_from(&positions.words);
    }

    /// Whether it holds at a position, if it was tested there.
    #[inline]
    pub(crate) fn at(&self, node: u32) -> Option<bool> {
        self.tested.contains(node).then(|| self.holds.contains(node))
    }

    /// Notes the result of a test.
    pub(crate) fn note(&mut self, node: u32, holds: bool) {
        self.tested.insert(node);
        if holds {
            self.holds.insert(node);
        }
    }

    /// The first position that is at least `from` where it holds or was not tested.
    #[inline]
    pub(crate) fn next_possible(&self, from: u32) -> Option<u32> {
        bits::next_where(self.tested.words.len(), from, |index| {
            !self.tested.words[index] | self.holds.words[index]
        })
    }

    /// The first of some positions, at least `from`, where it was not tested.
    #[inline]
    pub(crate) fn next_untested(&self, among: &NodeSet, from: u32) -> Option<u32> {
        bits::next_where(among.words.len(), from, |index| {
            among.words[index] & !self.tested.words[index]
        })
    }

    /// The positions where it is known to hold.
    pub(crate) fn holds(&self) -> &NodeSet {
        &self.holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in() {
        let mut set = NodeSet::none(130);
        for node in [0, 63, 64, 129] {
            set.insert(node);
        }
        set.remove(63);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 129]);
        let mut all = NodeSet::default();
        all.fill(130);
        assert_eq!(all.iter().count(), 130);
        all.retain(&set, false);
        assert_eq!(all.iter().count(), 127);
        all.fill(130);
        all.retain_range(&(5..65));
        assert_eq!(all.iter().collect::<Vec<_>>(), (5..=64).collect::<Vec<_>>());
        all.retain(&set, true);
        assert_eq!(all.iter().collect::<Vec<_>>(), [64]);
        all.clear_like(&set);
        assert!(all.is_empty());
    }
}
