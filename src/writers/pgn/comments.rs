//! What a query notes about a game, merged into the game's own comments (docs/language/output.md#automatic-comments,
//! docs/language/output.md#games-as-pgn).

use std::collections::BTreeMap;

use chess::GameText;
use evaluator::{CommentSource, Value};
use language::hir::Query;
use search::GameMatch;

use super::PgnOptions;
use super::bytes::Encoder;

/// A comment that something is added to has at most this many bytes.
const MAX_COMMENT: usize = 4500;
/// An entry that would make the comment longer is replaced by [`CUT`], up to this length; beyond it, it is left out.
const MAX_CUT: usize = 4800;
const CUT: &[u8] = b"[cql truncate]...";

/// The comments of a game as they are written, by node.
pub(super) type Comments = BTreeMap<u32, Comment>;

/// One comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Comment {
    /// The text.
    pub(super) text: Vec<u8>,
    /// What the query adds, with the blanks before it.
    addition: Vec<u8>,
    /// The entries that were added, to find repetitions.
    entries: Vec<Vec<u8>>,
    /// The length of the text, before it was removed, and of all entries; CQL counts no blanks.
    length: usize,
    /// Whether the game has a comment here that was not removed, even an empty one.
    is_own: bool,
    /// Whether further entries are left out.
    is_full: bool,
}

impl Comment {
    /// A comment of the game.
    fn new(text: Vec<u8>) -> Comment {
        Comment {
            length: text.len(),
            text,
            is_own: true,
            ..Comment::default()
        }
    }

    fn remove(&mut self) {
        self.text.clear();
        self.is_own = false;
    }

    fn add(&mut self, entry: Vec<u8>, is_unique: bool) {
        if self.is_full || is_unique && self.entries.contains(&entry) {
            return;
        }
        // The blank behind a text stays when the text is removed.
        let is_first = self.length == 0;
        self.length += entry.len();
        if self.length > MAX_COMMENT {
            self.is_full = true;
            if self.length <= MAX_CUT {
                self.addition.extend_from_slice(CUT);
            }
            return;
        }
        if !is_first {
            self.addition.push(b' ');
        }
        self.addition.extend_from_slice(&entry);
        self.entries.push(entry);
    }

    /// Joins text and addition, unless that is too long. Returns whether there is anything to write.
    fn finish(&mut self, encoder: Encoder) -> bool {
        if !self.addition.is_empty() && self.text.len() + self.addition.len() <= MAX_COMMENT {
            self.text.append(&mut self.addition);
            encoder.plain(&mut self.text);
            return true;
        }
        self.is_own
    }
}

/// The comments that a game has itself.
pub(super) fn own(text: &GameText, encoder: Encoder) -> Comments {
    let own = text.comments.iter();
    own.map(|(node, text)| (*node, Comment::new(encoder.bytes(text).into_owned())))
        .collect()
}

/// The comments of a matching game.
pub(super) fn merge(
    game: &GameMatch,
    text: &GameText,
    query: &Query,
    options: &PgnOptions,
    encoder: Encoder,
) -> Comments {
    let mut comments = own(text, encoder);
    if options.remove_comments {
        for node in &game.result.removed_comments {
            if let Some(comment) = comments.get_mut(node) {
                comment.remove();
            }
        }
    }
    if !options.silent {
        add_all(&mut comments, game, query, options, encoder);
    }
    comments.retain(|_, comment| comment.finish(encoder));
    comments
}

/// Adds what the query notes.
fn add_all(comments: &mut Comments, game: &GameMatch, query: &Query, options: &PgnOptions, encoder: Encoder) {
    let mut add = |node: u32, entry: &[u8]| {
        if !entry.is_empty() {
            let entry = encoder.added(entry);
            comments.entry(node).or_default().add(entry, options.unique_comments);
        }
    };
    if options.header {
        add(0, format!("Game number {}", game.number).as_bytes());
    }
    let match_string = options.match_string.as_deref().unwrap_or("CQL");
    for entry in &game.result.comments {
        match entry.source {
            CommentSource::Automatic | CommentSource::Match if options.quiet => {}
            CommentSource::Match => add(entry.node, match_string.as_bytes()),
            CommentSource::Automatic | CommentSource::User => add(entry.node, &entry.text),
        }
    }
    add(0, &sort_values(game, query));
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
