//! What a query has to say about a game, merged into the game's own comments (cql6-games 9.2, 9.4).

use std::collections::BTreeMap;

use query::GameMatch;
use query::eval::{CommentSource, Value};
use query::hir::Query;
use storage::GameText;

use super::PgnOptions;
use super::bytes::Encoder;

/// A comment gets no more than so many bytes in all.
const MAX_COMMENT: usize = 4800;
/// From here on what is added is cut.
const FULL_COMMENT: usize = 4500;
const CUT: &[u8] = b"[cql truncate]...";

/// The comments of a game as they are written, by node.
pub(super) type Comments = BTreeMap<u32, Comment>;

/// One comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comment {
    /// The text.
    pub(super) text: Vec<u8>,
    /// Whether the query has added something.
    pub(super) is_changed: bool,
    /// No more is taken.
    is_full: bool,
    /// What was added, to find repetitions.
    added: Vec<Vec<u8>>,
}

impl Comment {
    fn add(&mut self, entry: &[u8], is_unique: bool) {
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
            self.text.push(b' ');
        }
        self.text.extend_from_slice(entry);
        self.added.push(entry.to_vec());
        self.is_changed = true;
    }
}

/// The comments of a matching game.
pub(super) fn merge(
    game: &GameMatch,
    text: &GameText,
    query: &Query,
    options: &PgnOptions,
    encoder: Encoder,
) -> Comments {
    let own = text.comments.iter().map(|(node, text)| {
        let comment = Comment {
            text: encoder.bytes(text).into_owned(),
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
    let mut add = |node: u32, entry: &[u8]| {
        let entry = encoder.added(entry);
        comments.entry(node).or_default().add(&entry, options.unique_comments);
    };
    if options.header {
        add(0, format!("Game number {}", game.number).as_bytes());
    }
    let match_string = options.match_string.as_deref().unwrap_or("CQL");
    for entry in &game.result.comments {
        match entry.source {
            CommentSource::Automatic | CommentSource::Match if options.quiet => {}
            CommentSource::Match if match_string.is_empty() => {}
            CommentSource::Match => add(entry.node, match_string.as_bytes()),
            CommentSource::Automatic | CommentSource::User => add(entry.node, &entry.text),
        }
    }
    let values = sort_values(game, query);
    if !values.is_empty() {
        add(0, &values);
    }
    for comment in comments.values_mut().filter(|comment| comment.is_changed) {
        encoder.plain(&mut comment.text);
    }
    comments
}

/// The sort keys of a game with their values, a blank before each.
fn sort_values(game: &GameMatch, query: &Query) -> Vec<u8> {
    let mut values = Vec::new();
    for (key, value) in query.sorts.iter().zip(&game.result.sorts) {
        if key.quiet {
            continue;
        }
        values.extend_from_slice(format!(" {}: ", key.name).as_bytes());
        match value.as_ref().map(|value| &value.value) {
            Some(Value::Text(text)) => values.extend_from_slice(text),
            Some(value) => values.extend_from_slice(value.to_string().as_bytes()),
            None => values.extend_from_slice(b"none"),
        }
    }
    if query.header.sort_match_count {
        values.extend_from_slice(format!(" matchcount: {}", game.positions.len()).as_bytes());
    }
    values
}
