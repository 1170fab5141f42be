//! What a query has to say about a game, merged into the game's own comments (cql6-games 9.2, 9.4).

use std::collections::BTreeMap;

use query::GameMatch;
use query::eval::{CommentSource, Value};
use query::hir::Query;
use storage::GameText;

use super::PgnOptions;

/// A comment gets no more than so many bytes in all.
const MAX_COMMENT: usize = 4800;
/// From here on what is added is cut.
const FULL_COMMENT: usize = 4500;
const CUT: &str = "[cql truncate]...";

/// The comments of a game as they are written, by node.
pub(super) type Comments = BTreeMap<u32, Comment>;

/// One comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comment {
    /// The text.
    pub(super) text: String,
    /// Whether the query has added something.
    pub(super) is_changed: bool,
    /// No more is taken.
    is_full: bool,
    /// What was added, to find repetitions.
    added: Vec<String>,
}

impl Comment {
    fn add(&mut self, entry: &str, is_unique: bool) {
        if self.is_full || is_unique && self.added.iter().any(|other| other == entry) {
            return;
        }
        let length = self.text.len() + entry.len();
        let entry = match length {
            _ if length > MAX_COMMENT => {
                self.is_full = true;
                return;
            }
            _ if length > FULL_COMMENT => {
                self.is_full = true;
                CUT
            }
            _ => entry,
        };
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(entry);
        self.added.push(entry.to_owned());
        self.is_changed = true;
    }
}

/// The comments of a matching game.
pub(super) fn merge(game: &GameMatch, text: &GameText, query: &Query, options: &PgnOptions) -> Comments {
    let own = text.comments.iter().map(|(node, text)| {
        let comment = Comment {
            text: text.clone(),
            ..Comment::default()
        };
        (*node, comment)
    });
    let mut comments: Comments = own.collect();
    if options.remove_comments {
        for node in &game.result.removed_comments {
            comments.remove(node);
        }
    }
    if options.silent {
        return comments;
    }
    let mut add = |node: u32, entry: &str| comments.entry(node).or_default().add(entry, options.unique_comments);
    if options.header {
        add(0, &format!("Game number {}", game.number));
    }
    for entry in &game.result.comments {
        if !(options.quiet && entry.source == CommentSource::Automatic) {
            add(entry.node, &entry.text);
        }
    }
    let match_string = options.match_string.as_deref().unwrap_or("CQL");
    if !options.quiet && !match_string.is_empty() {
        for position in &game.positions {
            add(position.node, match_string);
        }
    }
    let values = sort_values(game, query);
    if !values.is_empty() {
        add(0, &values);
    }
    comments
}

/// The sort keys of a game with their values, a blank before each.
fn sort_values(game: &GameMatch, query: &Query) -> String {
    let keys = query.sorts.iter().zip(&game.result.sorts);
    let mut values: String = keys
        .filter(|(key, _)| !key.quiet)
        .map(|(key, value)| match value.as_ref().map(|value| &value.value) {
            Some(Value::Text(text)) => format!(" {}: {}", key.name, String::from_utf8_lossy(text)),
            Some(value) => format!(" {}: {value}", key.name),
            None => format!(" {}: none", key.name),
        })
        .collect();
    if query.header.sort_match_count {
        values += &format!(" matchcount: {}", game.positions.len());
    }
    values
}
