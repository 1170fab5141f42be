//! The pairs of positions that relations have found in a game, and the comments about them (legacy-dialects B7).

use super::super::{CommentSource, Machine};

/// Source and target, and what they have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pair {
    source: u32,
    target: u32,
    /// Their latest common ancestor, where a parameter asked for it.
    ancestor: Option<u32>,
}

/// All pairs of a game, in the order of their discovery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs {
    pairs: Vec<Pair>,
    /// The longest run of common moves: where its moves lead to in the source's line and in the target's.
    common: [Vec<u32>; 2],
}

impl Pairs {
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
        self.common.iter_mut().for_each(Vec::clear);
    }

    /// Notes a pair.
    pub(super) fn add(&mut self, source: u32, target: u32, ancestor: Option<u32>) {
        self.pairs.push(Pair {
            source,
            target,
            ancestor,
        });
    }

    /// Notes a run of common moves if it is longer than all before.
    pub(super) fn add_common(&mut self, run: [Vec<u32>; 2]) {
        if run[0].len() > self.common[0].len() {
            self.common = run;
        }
    }
}

/// Nodes with their numbers, and the numbers of their partners.
struct Side {
    name: &'static str,
    nodes: Vec<(u32, Vec<usize>)>,
}

impl Side {
    /// The number of a node, from 1 in the order of discovery.
    fn number(&mut self, node: u32) -> usize {
        let known = self.nodes.iter().position(|&(other, _)| other == node);
        known.unwrap_or_else(|| {
            self.nodes.push((node, Vec::new()));
            self.nodes.len() - 1
        }) + 1
    }
}

impl Machine<'_, '_> {
    /// Writes the comments about the pairs of the game: `SOURCE 1 [1 2]` and `TARGET 2 [1]` with the numbers of the
    /// partners, `LCA [1,2]` at common ancestors, `SOURCEPATH: 1` and `TARGETPATH: 1` along common moves.
    pub(crate) fn describe_pairs(&mut self) {
        let pairs = std::mem::take(&mut self.state.pairs);
        let side = |name| Side {
            name,
            nodes: Vec::new(),
        };
        let (mut sources, mut targets) = (side("SOURCE"), side("TARGET"));
        let mut ancestors: Vec<(u32, String)> = Vec::new();
        for pair in &pairs.pairs {
            let (source, target) = (sources.number(pair.source), targets.number(pair.target));
            sources.nodes[source - 1].1.push(target);
            targets.nodes[target - 1].1.push(source);
            if let Some(ancestor) = pair.ancestor {
                let place = format!(" [{source},{target}]");
                match ancestors.iter_mut().find(|(node, _)| *node == ancestor) {
                    Some((_, text)) => text.push_str(&place),
                    None => ancestors.push((ancestor, format!("LCA{place}"))),
                }
            }
        }
        for side in [sources, targets] {
            for (index, (node, partners)) in side.nodes.into_iter().enumerate() {
                let partners: Vec<String> = partners.iter().map(usize::to_string).collect();
                let text = format!("{} {} [{}]", side.name, index + 1, partners.join(" "));
                self.comment(node, text, CommentSource::Automatic);
            }
        }
        for (node, text) in ancestors {
            self.comment(node, text, CommentSource::Automatic);
        }
        for (name, tails) in ["SOURCEPATH", "TARGETPATH"].into_iter().zip(pairs.common) {
            for (index, node) in tails.into_iter().enumerate() {
                self.comment(node, format!("{name}: {}", index + 1), CommentSource::Automatic);
            }
        }
    }
}
