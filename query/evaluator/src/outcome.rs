//! What the evaluation of a game leaves for the output.

use super::value::{LogEntry, SortValue};
use super::{CommentSource, Evaluator, Machine};

/// The traces of a query in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// Comments in the order in which they are to be added, with a mark for each matching position; those of the sort
    /// keys come last.
    pub comments: Vec<LogEntry>,
    /// The best value of every sort key, in the order of the keys.
    pub sorts: Vec<Option<SortValue>>,
    /// Tags set by `settag`, in the order in which they were first set.
    pub tags: Vec<(String, Vec<u8>)>,
    /// Positions whose own comment goes.
    pub removed_comments: Vec<u32>,
}

impl Machine<'_, '_> {
    /// Adds what is known only at the end of a game.
    pub(super) fn finish_game(&mut self) {
        self.describe_pairs();
        for common in std::mem::take(&mut self.state.common_moves) {
            for (name, tails) in common.names.iter().zip(&common.tails) {
                for (index, &node) in tails.iter().enumerate() {
                    self.comment(node, format!("{name}-move[{}]", index + 1), CommentSource::Automatic);
                }
            }
        }
    }
}

impl Evaluator<'_> {
    /// Takes what the last game left. Call it after [`Evaluator::search`] for a game that matches.
    pub fn take_result(&mut self) -> GameResult {
        let mut comments = std::mem::take(&mut self.state.kept);
        comments.append(&mut self.state.log);
        let sorts: Vec<Option<SortValue>> = self.state.sorts.iter_mut().map(Option::take).collect();
        comments.extend(sorts.iter().flatten().flat_map(|sort| sort.comments.iter().cloned()));
        GameResult {
            comments,
            sorts,
            tags: std::mem::take(&mut self.state.tags),
            removed_comments: std::mem::take(&mut self.state.removed_comments),
        }
    }

    /// Takes the messages of the games searched so far, each without a newline.
    pub fn take_messages(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.state.messages)
    }
}
