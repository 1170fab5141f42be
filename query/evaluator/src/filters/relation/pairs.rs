//! The comments about the pairs of positions that relations have found in a game (docs/language/cql5.md#comments).

use crate::machine::Machine;
use crate::state::CommentSource;

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
