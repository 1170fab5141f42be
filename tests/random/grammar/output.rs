//! What a query leaves: comments, messages, sort keys, tags.

use super::{Extent, Grammar, Scope};

impl Grammar {
    /// A filter that writes something.
    pub(super) fn output(&mut self, depth: u32, scope: &Scope) -> String {
        let depth = depth.min(1);
        match self.below(10) {
            0..=2 => format!("comment({})", self.parts(depth, scope)),
            3 => format!("message({})", self.parts(depth, scope)),
            4 => format!("message quiet ({})", self.parts(depth, scope)),
            5 => format!(
                "(settag(\"{}\" {}))",
                self.pick(&["Note", "Theme"]),
                self.text(depth, scope)
            ),
            6 => {
                let (order, key) = (self.pick(&["", "", "min", "max"]), self.key_of_numbers());
                let quiet = self.pick(&["", "", "quiet"]);
                // CQL 6.2 may read a part of a path twice, and counts keys without a name twice.
                let is_named = scope.in_path && scope.extent == Extent::Shared;
                match self.below(3) {
                    0 if !is_named => format!("(sort {quiet} (0 + {}) > {})", self.number(depth, scope), self.below(4)),
                    0 | 1 => format!("(sort {quiet} {order} \"{key}\" {})", self.set(depth, scope)),
                    _ => format!(
                        "((sort {quiet} {order} \"{key}\" (0 + {})) > {})",
                        self.number(depth, scope),
                        self.below(4)
                    ),
                }
            }
            7 if scope.extent != Extent::Shared => "removecomment".to_owned(),
            8 => format!("///{}\n", self.parts(depth, scope).replace('\n', " ")),
            _ => format!("comment {}", self.anything(depth, scope)),
        }
    }

    fn parts(&mut self, depth: u32, scope: &Scope) -> String {
        let count = 1 + self.below(3);
        let parts: Vec<String> = (0..count).map(|_| self.anything(depth, scope)).collect();
        parts.join(" ")
    }

    /// The name of a sort key; a name is shared now and then.
    pub(super) fn key_of_numbers(&mut self) -> String {
        match self.below(4) {
            0 => "key".to_owned(),
            _ => format!("key{}", self.name()),
        }
    }
}
