//! Sets of the positions of a game.

/// A set of nodes, one bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    /// None of so many nodes.
    pub(super) fn none(nodes: usize) -> NodeSet {
        NodeSet {
            words: vec![0; nodes.div_ceil(64)],
        }
    }

    /// Makes it all nodes of a game.
    pub(super) fn fill(&mut self, nodes: usize) {
        self.words.clear();
        self.words.resize(nodes.div_ceil(64), u64::MAX);
        if !nodes.is_multiple_of(64)
            && let Some(last) = self.words.last_mut()
        {
            *last = (1 << (nodes % 64)) - 1;
        }
    }

    /// Makes it empty, with room for so many nodes.
    pub(super) fn clear(&mut self, nodes: usize) {
        self.words.clear();
        self.words.resize(nodes.div_ceil(64), 0);
    }

    /// Makes it a range of the nodes of a game, which has so many.
    pub(super) fn fill_range(&mut self, range: &std::ops::Range<u32>, nodes: usize) {
        self.clear(nodes);
        for (index, word) in self.words.iter_mut().enumerate().skip(range.start as usize / 64) {
            *word = within(index, range);
        }
    }

    /// Leaves the nodes for which the test holds.
    #[inline]
    pub(super) fn retain_if(&mut self, mut test: impl FnMut(u32) -> bool) {
        for (index, word) in self.words.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !test(index as u32 * 64 + bit) {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    /// The first node from some node on.
    #[inline]
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        first_from(from, self.words.len(), |index| self.words[index])
    }

    /// Makes it empty, as large as another.
    pub(super) fn clear_like(&mut self, other: &NodeSet) {
        self.words.clear();
        self.words.resize(other.words.len(), 0);
    }

    pub(super) fn insert(&mut self, node: u32) {
        self.words[node as usize / 64] |= 1 << (node % 64);
    }

    pub(super) fn remove(&mut self, node: u32) {
        self.words[node as usize / 64] &= !(1 << (node % 64));
    }

    #[inline]
    pub(super) fn contains(&self, node: u32) -> bool {
        self.words[node as usize / 64] >> (node % 64) & 1 != 0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Leaves the nodes that are in another set, or that are not in it.
    pub(super) fn retain(&mut self, other: &NodeSet, inside: bool) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= if inside { *other } else { !*other };
        }
    }

    /// Leaves the nodes of a range.
    pub(super) fn retain_range(&mut self, range: &std::ops::Range<u32>) {
        for (index, word) in self.words.iter_mut().enumerate() {
            *word &= within(index, range);
        }
    }

    /// The nodes, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut word = word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros();
                    word &= word - 1;
                    index as u32 * 64 + bit
                })
            })
        })
    }
}

/// The first node from some node on that is in a set of so many words.
#[inline]
fn first_from(from: u32, words: usize, word: impl Fn(usize) -> u64) -> Option<u32> {
    let mut index = from as usize / 64;
    let mut mask = u64::MAX << (from % 64);
    while index < words {
        let here = word(index) & mask;
        if here != 0 {
            return Some(index as u32 * 64 + here.trailing_zeros());
        }
        mask = u64::MAX;
        index += 1;
    }
    None
}

/// What is known of a condition at the positions of a game.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownTruth {
    asked: NodeSet,
    holds: NodeSet,
}

impl KnownTruth {
    /// Nothing is known of a game with so many positions.
    pub(super) fn clear(&mut self, nodes: usize) {
        self.asked.clear(nodes);
        self.holds.clear(nodes);
    }

    /// Whether it holds at a position, if it was asked there.
    #[inline]
    pub(super) fn at(&self, node: u32) -> Option<bool> {
        self.asked.contains(node).then(|| self.holds.contains(node))
    }

    /// Notes an answer.
    pub(super) fn note(&mut self, node: u32, holds: bool) {
        self.asked.insert(node);
        if holds {
            self.holds.insert(node);
        }
    }

    /// The first position from some position on where it holds, or where that is not known.
    #[inline]
    pub(super) fn next_possible(&self, from: u32) -> Option<u32> {
        let words = self.asked.words.len();
        first_from(from, words, |index| !self.asked.words[index] | self.holds.words[index])
    }

    /// The first of some positions where it was not asked.
    #[inline]
    pub(super) fn next_unasked(&self, among: &NodeSet, from: u32) -> Option<u32> {
        let words = among.words.len();
        first_from(from, words, |index| among.words[index] & !self.asked.words[index])
    }

    /// Where it is known to hold.
    pub(super) fn holds(&self) -> &NodeSet {
        &self.holds
    }
}

/// The bits of some nodes in one word of a set.
#[inline]
fn within(index: usize, nodes: &std::ops::Range<u32>) -> u64 {
    let start = index as u32 * 64;
    let mask = |bits: u32| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
    let upto = |node: u32| mask(node.saturating_sub(start).min(64));
    upto(nodes.end) & !upto(nodes.start)
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
