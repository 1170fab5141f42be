//! `similarposition`: whether the position is one of those of a file (docs/language/studies.md#similar-positions).

use std::fmt::Write;

use shakmaty::Color;

use crate::machine::Machine;
use crate::similar::SimilarPlace;
use crate::state::CommentSource;
use crate::value::Value;

impl Machine<'_, '_> {
    /// The first game of the file that has the position; says which, and sorts by it.
    ///
    /// Each hit has a comment of its own that also lists the hits before it, as in CQL 6.2.
    pub(crate) fn similar_position(&mut self, index: u32) -> Option<i32> {
        let limits = self.limits;
        let table = limits.similar.get(index as usize)?;
        let filter = &self.query.similar[index as usize];
        let hits = table.hits(self.board());
        let turn = match self.board().turn() {
            Color::White => "wtm",
            Color::Black => "btm",
        };
        let mut text = String::new();
        for hit in hits {
            let SimilarPlace { game, move_number } = hit.place;
            // Writing to a string does not fail.
            let _ = write!(
                text,
                "see {} game: {game} at move: {move_number} {turn} {}",
                filter.file,
                hit.transform()
            );
            self.comment(self.node, text.clone(), CommentSource::User);
        }
        let first = hits.iter().map(|hit| hit.place.game).min();
        let first = first.map(|game| i32::try_from(game).unwrap_or(i32::MAX));
        if let (Some(first), Some(sort)) = (first, filter.sort) {
            self.record_sort(sort, self.key_order(sort), Value::Number(first), self.state.log.len());
        }
        first
    }
}
