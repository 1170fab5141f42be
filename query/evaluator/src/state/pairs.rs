//! The pairs of positions that relations have found in a game (docs/language/cql5.md#comments).

/// Two related positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) source: u32,
    pub(crate) target: u32,
    /// Their latest common ancestor, where a parameter asked for it.
    pub(crate) ancestor: Option<u32>,
}

/// All pairs of a game, in the order of their discovery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    pub(crate) pairs: Vec<Pair>,
    /// The longest run of common moves: where its moves lead to in the source's line and in the target's.
    pub(crate) common: [Vec<u32>; 2],
}

impl Pairs {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.common.iter_mut().for_each(Vec::clear);
    }

    /// Notes a pair.
    pub(crate) fn add(&mut self, source: u32, target: u32, ancestor: Option<u32>) {
        self.pairs.push(Pair {
            source,
            target,
            ancestor,
        });
    }

    /// Notes a run of common moves if it is longer than all before.
    pub(crate) fn add_common(&mut self, run: [Vec<u32>; 2]) {
        if run[0].len() > self.common[0].len() {
            self.common = run;
        }
    }
}
