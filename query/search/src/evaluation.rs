//! The evaluation of a query in one game of a segment.

#![expect(clippy::cast_possible_truncation, reason = "positions of a game have 32-bit numbers")]

use std::ops::Range;

use evaluator::{Evaluator, GameHeader, GameInfo, PositionSets};

use super::SearchError;
use super::games::game_number;
use super::kept::KeptAnswer;
use super::segment_plans::{Exact, SegmentPlans};
use super::segment_search::SegmentSearch;
use super::worker::LoadedGame;

/// Where the candidates of some games come from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'a> {
    /// An earlier search: they are the matches.
    Kept(&'a KeptAnswer),
    /// The index, and where they are the matches.
    Plan(&'a SegmentPlans, Exact),
}

/// A game, and what is to be evaluated in it.
#[derive(Clone, Debug)]
pub(super) struct Asked<'a> {
    pub(super) game: u32,
    /// Its positions in the segment.
    pub(super) positions: Range<u32>,
    /// The nodes that the index did not exclude.
    pub(super) candidates: &'a [u32],
    pub(super) header: &'a GameHeader<'a>,
    /// Whether all nodes are evaluated.
    pub(super) is_whole: bool,
    /// Whether they are even if the game can't match.
    pub(super) always: bool,
}

impl SegmentSearch<'_, '_> {
    /// Evaluates a query in a game; matching nodes are pushed to `matches`. Returns at how many nodes it was evaluated, or `None` if
    /// the game can't match, as far as its tags and comments tell, and was not loaded.
    pub(super) fn evaluate(
        &self,
        evaluator: &mut Evaluator<'_>,
        loaded: &mut LoadedGame,
        source: Source<'_>,
        asked: &Asked<'_>,
        matches: &mut Vec<u32>,
    ) -> Result<Option<u64>, SearchError> {
        let game = asked.game;
        let needs = evaluator.needs();
        let text = match needs.text {
            true => Some(self.text(loaded, game)?),
            false => None,
        };
        let of_game;
        let sets: &dyn PositionSets = match source {
            Source::Kept(_) => &(),
            Source::Plan(plans, _) => {
                of_game = plans.main.sets.of_game(asked.positions.start);
                &of_game
            }
        };
        let mut info = GameInfo {
            header: asked.header,
            text: text.as_ref(),
            sets,
            quantities: None,
        };
        loaded.unread.number = game_number(&self.segment, game);
        if !evaluator.may_match(&loaded.unread, info)? && !asked.always {
            return Ok(None);
        }
        self.load(loaded, game, asked.candidates)?;
        if !needs.quantities.is_empty() {
            self.load_quantities(loaded, game)?;
            info.quantities = Some(&loaded.quantities);
        }
        let view = &mut loaded.view;
        if asked.is_whole {
            let all = view.len() as u32;
            evaluator.search(view, info, 0..all, matches)?;
            Ok(Some(u64::from(all)))
        } else {
            evaluator.search(view, info, asked.candidates.iter().copied(), matches)?;
            Ok(Some(asked.candidates.len() as u64))
        }
    }
}
