//! The comments about a matched `path` (docs/language/sequences.md#comments-of-a-path).

use language::hir::Path;

use super::Match;
use super::focus::Focused;
use crate::error::Eval;
use crate::machine::Machine;
use crate::state::CommentSource;

impl<'a> Machine<'a, '_> {
    /// Adds the comments of one match: title, piece path and the numbers of its moves, its start and its end.
    pub(super) fn describe(
        &mut self,
        path: &'a Path,
        focused: Option<&Focused>,
        start: u32,
        found: &Match,
        alternative: bool,
    ) -> Eval<()> {
        let title = match &path.title {
            Some(title) => self
                .text(title)?
                .map(|title| String::from_utf8_lossy(&title).into_owned()),
            None => None,
        };
        if !self.notes_comments() {
            return Ok(());
        }
        if let Some(title) = &title {
            self.comment(start, title.clone(), CommentSource::User);
        }
        // The ways of the pieces are those of the first of several best matches.
        if path.piece_path
            && !alternative
            && let Some(focused) = focused
            && let Some(ways) = self.piece_paths(*focused, start, found.end)
        {
            self.comment(start, format!("Focus path: {ways}"), CommentSource::User);
        }
        if path.verbose {
            let tails = self.tails(focused, start, found.end);
            let prefix = title.map_or_else(String::new, |title| format!("{title}: "));
            for (index, &tail) in tails.iter().enumerate() {
                let text = format!("{prefix}move {} of {}", index + 1, tails.len());
                self.comment(tail, text, CommentSource::User);
            }
        }
        if !self.query.header.quiet {
            self.describe_ends(path, start, found, alternative);
        }
        Ok(())
    }

    fn describe_ends(&mut self, path: &Path, start: u32, found: &Match, alternative: bool) {
        if !path.quiet {
            let place = self.place(start);
            let mut text = format!("End path of length {} that starts at {place}", found.count);
            if path.max.is_some() {
                text.push_str(&format!(" Max value: {}", found.value));
            }
            self.comment(found.end, text, CommentSource::Automatic);
            let place = self.place(found.end);
            self.comment(
                start,
                format!("Start path that ends at {place}"),
                CommentSource::Automatic,
            );
        }
        if alternative {
            self.comment(found.end, "alternative".to_owned(), CommentSource::Automatic);
        }
    }

    /// The positions after the moves in focus, in order.
    fn tails(&self, focused: Option<&Focused>, start: u32, end: u32) -> Vec<u32> {
        let mut tails: Vec<u32> = self
            .positions_between(start, end)
            .filter(|&node| node != start)
            .collect();
        tails.reverse();
        if let Some(focused) = focused {
            tails.retain(|&tail| focused.holds(self.game, tail));
        }
        tails
    }

    /// `Qd1-h5-e5 ke8-e7(xe7)`: the ways of the pieces in focus; `None` if they stay where they are, as with a null move.
    fn piece_paths(&self, focused: Focused, start: u32, end: u32) -> Option<String> {
        let mut text = String::new();
        let mut moved = false;
        let tails = self.tails(None, start, end);
        for square in focused.squares(self.game, start) {
            let Some(id) = self.game.identity(start, square) else {
                continue;
            };
            let mut way = String::new();
            let mut at = square;
            for &tail in &tails {
                match self.game.find_piece(tail, id) {
                    Some(square) if square == at => {}
                    Some(square) => {
                        way.push_str(&format!("-{square}"));
                        at = square;
                    }
                    None => {
                        way.push_str(&format!("(x{at})"));
                        break;
                    }
                }
            }
            if !text.is_empty() {
                text.push(' ');
            }
            if !way.is_empty() {
                moved = true;
                text.push_str(&format!("{}{square}{way}", self.board_letter(start, square)));
            }
        }
        moved.then_some(text)
    }

    fn board_letter(&self, node: u32, square: shakmaty::Square) -> char {
        self.game.board(node).at(square).letter()
    }
}
