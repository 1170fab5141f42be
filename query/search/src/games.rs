//! Filters on whole games, answered column by column: each distinct value is asked about once.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use chess::Outcome;
use evaluator::{Evaluator, GameHeader, GameInfo, GameView};
use language::hir::{Filter, Metadata, Node};
use planner::{GameRanges, RemainingPositions, is_about_headers};
use shakmaty::Color;
use storage::{Segment, TagColumn};

use super::headers::{Headers, Reads, Source, set};
use super::progress::HeaderProgress;
use super::worker::{Worker, without_moves};
use super::{Search, SearchError};

/// The positions of the games that a filter on headers lets through.
pub(super) fn game_ranges<'q>(
    search: &Search<'q>,
    segment: &Segment,
    starts: &[u32],
    filter: &Filter,
    worker: &mut Worker<'q>,
    progress: &mut HeaderProgress,
) -> Result<GameRanges, SearchError> {
    let headers = Headers::read(segment, Reads::of(filter))?;
    let mut games = Games {
        search,
        segment,
        headers: &headers,
        evaluator: &mut worker.evaluator,
        view: without_moves(),
        progress,
    };
    let all = GameBits::all(segment.meta().games);
    // What keeps something from one filter to the next, or may stop the query, is not taken apart.
    let holds = if is_about_headers(filter, search.has_groups) {
        games.holding(filter, all, 1.0)
    } else {
        games.one_by_one(filter, &all, 1.0)
    };
    Ok(holds?.ranges(starts))
}

/// The positions of the games of a segment that ended in all of these ways, as CQL has it where the header names several.
pub(super) fn games_ended(segment: &Segment, starts: &[u32], ways: &[Outcome]) -> Result<GameRanges, SearchError> {
    let outcomes = segment.outcomes()?;
    let all = GameBits::all(segment.meta().games);
    let ended = all.filtered(|game| Ok::<_, SearchError>(ways.iter().all(|&way| way == outcomes[game as usize])))?;
    Ok(ended.ranges(starts))
}

/// The number of a game as users and CQL see it, from 1.
pub(super) fn game_number(segment: &Segment, game: u32) -> u32 {
    u32::try_from(segment.meta().first_game + u64::from(game) + 1).unwrap_or(u32::MAX)
}

/// Takes the positions of removed games out.
pub(super) fn leave_removed_out(
    segment: &Segment,
    starts: &[u32],
    games: &std::ops::Range<u32>,
    positions: &mut RemainingPositions,
) {
    for game in segment.removed_games(games.clone()) {
        positions.remove_range(starts[game as usize]..starts[game as usize + 1]);
    }
}

/// The games of a segment while filters on their headers are asked.
struct Games<'a, 'q> {
    search: &'a Search<'q>,
    segment: &'a Segment,
    headers: &'a Headers,
    evaluator: &'a mut Evaluator<'q>,
    /// A game without moves.
    view: GameView,
    progress: &'a mut HeaderProgress,
}

impl Games<'_, '_> {
    /// Those of some games where a filter holds that never raises an error. `share` is the part of the work that this is.
    fn holding(&mut self, filter: &Filter, within: GameBits, share: f64) -> Result<GameBits, SearchError> {
        match &filter.node {
            Node::And(a, b) => self.holding_all(vec![a, b], within, share),
            Node::Compound(list) => self.holding_all(list.iter().collect(), within, share),
            Node::Or(a, b) => {
                let (first, second) = if is_quick(a) { (a, b) } else { (b, a) };
                let mut any = self.holding(first, within.clone(), share / 2.0)?;
                any.add(&self.holding(second, within.without(&any), share / 2.0)?);
                Ok(any)
            }
            Node::Not(inner) => {
                let holding = self.holding(inner, within.clone(), share)?;
                Ok(within.without(&holding))
            }
            Node::NoTransform(inner) => self.holding(inner, within, share),
            _ if is_in_a_name(filter) => {
                // Both names stand in one text, and nothing that is looked for reaches from one to the other.
                let mut any = self.by_value(filter, Source::Column(TagColumn::White), &within, share / 2.0)?;
                any.add(&self.by_value(filter, Source::Column(TagColumn::Black), &within, share / 2.0)?);
                Ok(any)
            }
            _ => match Reads::of(filter).only() {
                Some(source) => self.by_value(filter, source, &within, share),
                None => self.one_by_one(filter, &within, share),
            },
        }
    }

    /// Those of some games where all of some filters hold. What has to be asked for every game is asked for those that are
    /// left.
    fn holding_all(
        &mut self,
        mut parts: Vec<&Filter>,
        mut within: GameBits,
        share: f64,
    ) -> Result<GameBits, SearchError> {
        parts.sort_by_key(|part| !is_quick(part));
        let share = share / parts.len() as f64;
        for part in parts {
            within = self.holding(part, within, share)?;
        }
        Ok(within)
    }

    /// Those of some games where a filter holds, which is asked about each.
    fn one_by_one(&mut self, filter: &Filter, within: &GameBits, share: f64) -> Result<GameBits, SearchError> {
        let headers = self.headers;
        let share = share / within.count() as f64;
        within.filtered(|game| {
            if game.is_multiple_of(1 << 12) && self.search.is_stopped() {
                return Err(SearchError::Stopped);
            }
            self.view.number = game_number(self.segment, game);
            self.ask(filter, &headers.of(game), share)
        })
    }

    /// Those of some games where a filter holds that reads one thing: each value of that is asked about once.
    fn by_value(
        &mut self,
        filter: &Filter,
        source: Source,
        within: &GameBits,
        share: f64,
    ) -> Result<GameBits, SearchError> {
        if self.search.is_stopped() {
            return Err(SearchError::Stopped);
        }
        let headers = self.headers;
        match source {
            Source::Column(column) => {
                let Some(values) = headers.column(column) else {
                    return self.one_by_one(filter, within, share);
                };
                let value = |code: usize| {
                    let mut header = GameHeader::default();
                    set(&mut header, column, values.value(code as u32));
                    header
                };
                let codes = values.codes();
                let code = |game: u32| codes[game as usize] as usize;
                self.by_code(filter, (within, share), values.distinct().len(), code, value)
            }
            Source::Rating(color) => {
                let Some(both) = headers.ratings() else {
                    return self.one_by_one(filter, within, share);
                };
                let rating = |game: u32| match color {
                    Some(color) => both[color as usize][game as usize],
                    None => both[0][game as usize].max(both[1][game as usize]),
                };
                let value = |rating: usize| {
                    let mut header = GameHeader::default();
                    header.ratings[color.unwrap_or(Color::White) as usize] = rating as u16;
                    header
                };
                let code = |game: u32| usize::from(rating(game));
                self.by_code(filter, (within, share), 1 + usize::from(u16::MAX), code, value)
            }
            Source::Outcome => {
                let Some(outcomes) = headers.outcomes() else {
                    return self.one_by_one(filter, within, share);
                };
                const ALL: [Outcome; 4] = [Outcome::Unknown, Outcome::White, Outcome::Black, Outcome::Draw];
                let value = |code: usize| GameHeader {
                    outcome: ALL[code],
                    ..GameHeader::default()
                };
                let code = |game: u32| {
                    let outcome = outcomes[game as usize];
                    ALL.iter().position(|&other| other == outcome).unwrap_or(0)
                };
                self.by_code(filter, (within, share), ALL.len(), code, value)
            }
        }
    }

    /// The same, given how many values there are, the number of the one that a game has, and a header that has a value
    /// and nothing else.
    fn by_code<'h>(
        &mut self,
        filter: &Filter,
        (within, share): (&GameBits, f64),
        values: usize,
        code: impl Fn(u32) -> usize,
        header: impl Fn(usize) -> GameHeader<'h>,
    ) -> Result<GameBits, SearchError> {
        let mut is_used = vec![false; values];
        within.filtered(|game| {
            is_used[code(game)] = true;
            Ok::<_, SearchError>(true)
        })?;
        let share = share / is_used.iter().filter(|&&is_used| is_used).count() as f64;
        let mut holds = vec![false; values];
        for code in (0..values).filter(|&code| is_used[code]) {
            holds[code] = self.ask(filter, &header(code), share)?;
        }
        within.filtered(|game| Ok(holds[code(game)]))
    }

    /// Asks about a header, which is a `share` of the work.
    fn ask(&mut self, filter: &Filter, header: &GameHeader<'_>, share: f64) -> Result<bool, SearchError> {
        self.progress.add(share);
        let info = GameInfo {
            header,
            text: None,
            sets: &(),
            quantities: None,
        };
        Ok(self.evaluator.holds(filter, &self.view, info)?)
    }
}

/// Whether a filter is answered by the values of columns alone.
fn is_quick(filter: &Filter) -> bool {
    match &filter.node {
        Node::And(a, b) | Node::Or(a, b) => is_quick(a) && is_quick(b),
        Node::Compound(list) => list.iter().all(is_quick),
        Node::Not(inner) | Node::NoTransform(inner) => is_quick(inner),
        _ => is_in_a_name(filter) || Reads::of(filter).only().is_some(),
    }
}

/// Whether a filter looks for a text in the names of both players, which is in neither unless it is in one of them:
/// what stands between the two has a backslash (docs/language/text.md#header-filters), and the text has none.
fn is_in_a_name(filter: &Filter) -> bool {
    let Node::Substring(needle, text) = &filter.node else {
        return false;
    };
    matches!(&needle.node, Node::String(needle) if !needle.contains('\\'))
        && matches!(text.node, Node::Metadata(Metadata::BothPlayers))
}

/// A bit for each game of a segment.
#[derive(Clone, Debug)]
struct GameBits(Vec<u64>);

impl GameBits {
    fn all(games: u32) -> GameBits {
        let mut words = vec![0; games.div_ceil(bits::BITS) as usize];
        bits::set_first(&mut words, games);
        GameBits(words)
    }

    fn count(&self) -> u32 {
        bits::count(&self.0)
    }

    fn add(&mut self, others: &GameBits) {
        self.0
            .iter_mut()
            .zip(&others.0)
            .for_each(|(word, other)| *word |= other);
    }

    fn without(mut self, others: &GameBits) -> GameBits {
        self.0
            .iter_mut()
            .zip(&others.0)
            .for_each(|(word, other)| *word &= !other);
        self
    }

    /// Those for which `keep` is true.
    fn filtered<E>(&self, keep: impl FnMut(u32) -> Result<bool, E>) -> Result<GameBits, E> {
        let mut kept = self.clone();
        bits::try_retain(&mut kept.0, keep)?;
        Ok(kept)
    }

    /// Their positions, given where each game begins and the last one ends.
    fn ranges(&self, starts: &[u32]) -> GameRanges {
        bits::runs(&self.0)
            .map(|games| starts[games.start as usize]..starts[games.end as usize])
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn games_become_ranges_of_positions(lengths in prop::collection::vec((1u32..5, any::<bool>()), 0..300)) {
            let mut starts = vec![0];
            lengths.iter().for_each(|(length, _)| starts.push(starts[starts.len() - 1] + length));
            let all = GameBits::all(lengths.len() as u32);
            let wanted = |game: u32| Ok::<bool, ()>(lengths[game as usize].1);
            let some = all.filtered(wanted).unwrap();
            for (bits, sign) in [(some.clone(), true), (all.without(&some), false)] {
                let ranges = bits.ranges(&starts);
                prop_assert!(ranges.is_sorted_by(|a, b| a.end < b.start));
                for (game, (_, is_wanted)) in lengths.iter().enumerate() {
                    for position in starts[game]..starts[game + 1] {
                        let is_there = ranges.iter().any(|range| range.contains(&position));
                        prop_assert_eq!(is_there, *is_wanted == sign);
                    }
                }
            }
        }
    }
}
