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

    /// Leaves the nodes from the first to the last.
    pub(super) fn retain_between(&mut self, first: u32, last: u32) {
        for (index, word) in self.words.iter_mut().enumerate() {
            let start = index as u32 * 64;
            let below = first.saturating_sub(start).min(64);
            let upto = (last + 1).saturating_sub(start).min(64);
            let mask = |bits: u32| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            *word &= mask(upto) & !mask(below);
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
        all.retain_between(5, 64);
        assert_eq!(all.iter().collect::<Vec<_>>(), (5..=64).collect::<Vec<_>>());
        all.retain(&set, true);
        assert_eq!(all.iter().collect::<Vec<_>>(), [64]);
        all.clear_like(&set);
        assert!(all.is_empty());
    }
}
