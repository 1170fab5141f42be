//! `line` and `path`: sequences of moves, lowered from their end.
//!
//! The rest of a sequence is a condition on the position that was reached; each constituent turns it into a condition
//! on the position before. A repetition without an upper bound is the least set of positions that is closed under one
//! more repetition, which is one pass over the bits.

use language::hir::{Bound, Constituent, Filter, Line, LineArrow, ManSet, Path, PathStep, Range, Repeat, VariableId};

use super::Lowering;
use super::moves::InFocus;
use super::scope::{Saved, Way};
use super::sequence_parts::{
    SequencePart, ask_for_one_move, can_be_lengthened, fixed_moves, lengthened, shortest, unrolled,
};
use crate::expr::{Candidates, Truth, possible_men, sometime};

/// Up to this many repetitions are written out; more are only counted, if they are all the same.
const MAX_WRITTEN: u32 = 6;

/// Up to this many moves that a path has to have are counted where its steps may be left out.
const MAX_COUNTED: u32 = 4;

/// Of sequences and their steps that cost more than this, in plane operations for a block, only an upper bound is
/// computed: they are written out many times.
const MAX_COST: f64 = 20_000.0;

/// How the moves of a sequence lie.
#[derive(Clone, Copy)]
pub(super) struct Spacing {
    pub(super) way: Way,
    /// Plies from one move of the sequence to the next.
    pub(super) stride: u32,
    /// Whether other moves may come between.
    pub(super) skips: bool,
}

impl<'q> Lowering<'q> {
    /// Where a `line` of at least `at_least` positions matches.
    pub(super) fn line_truth(&mut self, line: &'q Line, at_least: u32) -> Candidates {
        let (way, spacing) = Self::spacing_of_line(line);
        let outer = std::mem::replace(&mut self.in_sequence, true);
        let parts = self.constituents(&line.constituents, way, true);
        self.in_sequence = outer;
        let found = self.line_of_parts(line, &parts, spacing, at_least);
        let length = match &line.range {
            _ if found.exact => return found,
            None => Some(0..=u32::MAX),
            Some(Range::Between(Bound::Literal(_), Bound::Literal(max))) => {
                let range = line.range.as_ref();
                Some(least(range)..=u32::try_from(*max).unwrap_or(0))
            }
            Some(_) => None,
        };
        let accepted = length.and_then(|length| {
            let length = at_least.max(*length.start())..=*length.end();
            self.by_automaton(line, &parts, spacing, length)
        });
        match accepted {
            Some(accepted) => Candidates::exactly(Truth::all([found.truth, accepted])),
            None => found,
        }
    }

    fn line_of_parts(&mut self, line: &'q Line, parts: &[SequencePart], spacing: Spacing, at_least: u32) -> Candidates {
        // The first constituent is tested here, each other one a move later.
        let needed = at_least.max(least(line.range.as_ref())).saturating_sub(1);
        let begins = self.begins(parts, spacing, needed);
        let begins = self.with_maneuver(line, begins);
        let longest = line.range.as_ref().and_then(most);
        let plain = !line.nestban && at_least == 0 && line.primary != Some(false);
        if plain
            && !line.first_match
            && let Some(longest) = longest
            && can_be_lengthened(parts)
            // An optional first constituent can't be lengthened.
            && !matches!(parts.first(), Some(SequencePart::Repeat(_, Repeat { min: 0, .. })))
        {
            let longer = self.begins(parts, spacing, longest);
            return Candidates::both(begins, longer.not());
        }
        let Some(longest) = longest else {
            return Candidates::new(begins.truth, begins.exact && plain && line.range.is_none());
        };
        let short = self.no_longer_than(parts, spacing, longest, true);
        Candidates::at_most(Truth::all([begins.truth, short]))
    }

    /// Where a `path` of at least `at_least` moves matches.
    pub(super) fn path_truth(&mut self, path: &'q Path, at_least: u32) -> Candidates {
        let outer = self.scope.path_start.replace(self.scope.frame);
        let focus = self.men_in_focus(path);
        let is_part = std::mem::replace(&mut self.in_sequence, true);
        let pawns = self.pawns_that_stay(path);
        let parts = self.steps_of(&path.steps, true, focus, &pawns);
        self.in_sequence = is_part;
        let maneuver = match self.follows_men {
            true => self.maneuver_of_path(path, &parts),
            false => None,
        };
        self.note_repeated(path, &parts);
        self.scope.path_start = outer;
        let focused = path.focus.is_some();
        let spacing = Self::spacing_of(path);
        let range = if path.max.is_some() { None } else { path.range.as_ref() };
        let needed = if path.max.is_some() {
            1
        } else {
            at_least.max(least(range)).max(1)
        };
        let whole = self.at_least_moves(&parts, spacing, needed);
        // The first move is one of the side that moves first.
        let is_one_move = needed == 1 && ask_for_one_move(&parts);
        let whole = match !is_one_move && self.alternates(path) {
            true => self.alternating(&parts, needed, whole),
            false => whole,
        };
        // There is one move at least.
        let moved = self.one_move_away(Way::Forward, Candidates::EVERYWHERE);
        let focus = match &path.focus {
            Some(focus) => Candidates::at_most(self.truth(&focus.pieces).truth),
            None => Candidates::EVERYWHERE,
        };
        // Which of several paths is chosen does not matter here, as long as there is a largest value.
        let has_value = match &path.max {
            Some(max) => {
                let matches = self.apart(max, |lowering| lowering.truth(max));
                path.range.is_none() && self.is_infallible(max, true) && matches.exact && matches.truth == Truth::Always
            }
            None => true,
        };
        let plain = !focused && (!path.single_color || is_one_move) && !path.nestban && has_value;
        let course = match focused {
            true if self.follows_men => maneuver.unwrap_or_else(|| Self::course_of(path, &parts, needed)),
            _ if whole.exact => Candidates::EVERYWHERE,
            _ => self.window_of_path(path, &parts).unwrap_or(Candidates::EVERYWHERE),
        };
        let mut whole = Candidates::all([course, whole, moved, focus]);
        if plain && path.range.is_some() {
            whole = match range.and_then(most).filter(|_| !path.first_match) {
                Some(longest) => {
                    let longer = self.at_least_moves(&parts, spacing, longest.saturating_add(1));
                    Candidates::both(whole, longer.not())
                }
                None => Candidates::at_most(whole.truth),
            };
        }
        if !whole.exact
            && let Some(longest) = range.and_then(most)
        {
            let short = self.no_longer_than(&parts, spacing, longest, false);
            whole = Candidates::both(whole, Candidates::at_most(short));
        }
        Candidates::new(whole.truth, whole.exact && plain && at_least == 0)
    }

    /// Where the parts can follow with at least some number of moves.
    fn at_least_moves(&mut self, parts: &[SequencePart], spacing: Spacing, count: u32) -> Candidates {
        if count <= MAX_COUNTED
            && let Some(counted) = self.counted(parts, spacing, count, false)
        {
            return counted;
        }
        let parts = lengthened(parts.to_vec(), count, 0);
        let whole = self.sequence(&parts, spacing, Candidates::EVERYWHERE);
        Candidates::new(whole.truth, whole.exact && shortest(&parts) >= count)
    }

    /// The same, with each way to come to that number; `None` where a repetition need not make a move, or the ways are too
    /// many. `moved` says that moves were made before.
    fn counted(&mut self, parts: &[SequencePart], spacing: Spacing, count: u32, moved: bool) -> Option<Candidates> {
        if !self.spend(1) {
            return None;
        }
        if shortest(parts) >= count {
            return Some(self.following(parts, spacing, moved));
        }
        let Some((first, rest)) = parts.split_first() else {
            return Some(Candidates::exactly(Truth::Never));
        };
        Some(match first {
            SequencePart::Test(_) => {
                let rest = self.counted(rest, spacing, count, moved)?;
                self.before(first, spacing, false, rest)
            }
            SequencePart::Move { .. } => {
                let rest = self.counted(rest, spacing, count - 1, true)?;
                self.before(first, spacing, moved && spacing.skips, rest)
            }
            SequencePart::Repeat(_, Repeat { max: Some(0), .. }) => self.counted(rest, spacing, count, moved)?,
            SequencePart::Repeat(body, repeat) => {
                if shortest(body) == 0 {
                    return None;
                }
                let once = self.counted(&unrolled(body, *repeat, rest), spacing, count, moved)?;
                if repeat.min > 0 {
                    return Some(once);
                }
                let without = self.counted(rest, spacing, count, moved)?;
                Candidates::either(once, without)
            }
        })
    }

    /// How the moves of a line lie.
    pub(super) fn spacing_of_line(line: &Line) -> (Way, Spacing) {
        let way = match line.arrow {
            LineArrow::Forward => Way::Forward,
            LineArrow::Backward => Way::Backward,
        };
        let spacing = Spacing {
            way,
            stride: if line.single_color { 2 } else { 1 },
            skips: false,
        };
        (way, spacing)
    }

    /// How the moves of a path lie.
    pub(super) fn spacing_of(path: &Path) -> Spacing {
        Spacing {
            way: Way::Forward,
            stride: 1,
            // The moves of the other side are not in focus.
            skips: path.focus.is_some() || path.single_color,
        }
    }

    /// The parts of a line. `is_here` says that the first one is tested at the current position.
    pub(super) fn constituents(&mut self, list: &'q [Constituent], way: Way, mut is_here: bool) -> Vec<SequencePart> {
        let mut parts = Vec::new();
        for constituent in list {
            let (Constituent::Filter { repeat, .. } | Constituent::Group { repeat, .. }) = constituent;
            is_here &= *repeat == Repeat::ONCE;
            let filters = |f: &mut dyn FnMut(&'q Filter)| match constituent {
                Constituent::Filter { filter, .. } => f(filter),
                Constituent::Group { constituents, .. } => for_each_filter(constituents, f),
            };
            let saved = self.scope.save();
            self.enter_step(*repeat, filters);
            let part = match constituent {
                Constituent::Filter { filter, repeat } => {
                    let after = match is_here {
                        true => within_budget(self.truth(filter)),
                        false => self.elsewhere(Some(way), |lowering| within_budget(lowering.truth(filter))),
                    };
                    let part = SequencePart::Move {
                        here: Candidates::EVERYWHERE,
                        after,
                        step: None,
                    };
                    part.repeated(*repeat)
                }
                Constituent::Group { constituents, repeat } => {
                    SequencePart::Repeat(self.constituents(constituents, way, is_here), *repeat)
                }
            };
            self.leave_step(saved, *repeat, filters);
            parts.push(part);
            is_here = false;
        }
        parts
    }

    /// The men that may make the moves of a path, if only some do.
    pub(super) fn men_in_focus(&mut self, path: &'q Path) -> Option<InFocus> {
        let focus = path.focus.as_ref().filter(|focus| !focus.capture)?;
        let pieces = self.apart(&focus.pieces, |lowering| lowering.set_bounds(&focus.pieces));
        let piece = self.piece_variable(&focus.pieces);
        // A variable that is written out is a square, of which it is known what may stand there.
        let known = piece.map_or(ManSet::ANYTHING, |piece| self.scope.men_on(piece));
        let men = possible_men(pieces.may()).intersection(known);
        // They keep their identity, and pawns promote on the way.
        Some(InFocus {
            men: sometime(men.intersection(ManSet::WHITE | ManSet::BLACK), true),
            piece,
        })
    }

    /// The parts of a path. `is_here` says that the first one is tested at the current position, `focus` that these men make
    /// its moves. The men of `pawns` don't promote on its way.
    pub(super) fn steps_of(
        &mut self,
        list: &'q [PathStep],
        mut is_here: bool,
        focus: Option<InFocus>,
        pawns: &[VariableId],
    ) -> Vec<SequencePart> {
        let mut parts = Vec::new();
        for step in list {
            let repeat = match step {
                PathStep::Filter(_) => Repeat::ONCE,
                PathStep::Dash { repeat, .. } | PathStep::Chain { repeat, .. } => *repeat,
            };
            is_here &= repeat == Repeat::ONCE;
            let filters = |f: &mut dyn FnMut(&'q Filter)| for_each_filter_of_step(step, f);
            let saved = self.scope.save();
            self.enter_step(repeat, filters);
            let outer = self.scope.frame;
            if !is_here {
                self.scope.frame = self.scope.new_frame(true, None);
                self.scope.keep_pawns(pawns);
            }
            let part = match step {
                PathStep::Filter(filter) => SequencePart::Test(within_budget(self.truth(filter))),
                PathStep::Dash { dash, repeat } => {
                    let moved = self.dash_move(dash, focus, pawns);
                    SequencePart::Move {
                        here: within_budget(moved.here),
                        after: within_budget(moved.after),
                        step: moved.step,
                    }
                    .repeated(*repeat)
                }
                PathStep::Chain { steps, repeat } => {
                    SequencePart::Repeat(self.steps_of(steps, is_here, focus, pawns), *repeat)
                }
            };
            self.scope.frame = outer;
            self.leave_step(saved, repeat, filters);
            is_here &= part.length().1 == Some(0);
            parts.push(part);
        }
        parts
    }

    /// Forgets the variables that a step assigns which is repeated: they may have their values from the repetition before.
    fn enter_step(&mut self, repeat: Repeat, filters: impl FnOnce(&mut dyn FnMut(&'q Filter))) {
        if repeat.max.is_none_or(|max| max > 1) && self.has_variables {
            filters(&mut |filter| self.forget_assigned(filter));
        }
    }

    /// Forgets what was learned of variables in a step that may be left out or repeated.
    fn leave_step(&mut self, saved: Saved, repeat: Repeat, filters: impl FnOnce(&mut dyn FnMut(&'q Filter))) {
        if repeat != Repeat::ONCE && self.has_variables {
            self.scope.restore(saved);
            filters(&mut |filter| self.forget_assigned(filter));
        }
    }

    /// Where a line begins: its first position is this one.
    pub(super) fn begins(&mut self, parts: &[SequencePart], spacing: Spacing, needed: u32) -> Candidates {
        let Some((first, rest)) = parts.split_first() else {
            return Candidates::exactly(Truth::Never);
        };
        match first {
            SequencePart::Test(test) => {
                let begins = self.begins(rest, spacing, needed);
                Candidates::both(test.clone(), begins)
            }
            SequencePart::Move { after, .. } => {
                let rest = lengthened(rest.to_vec(), needed, 0);
                self.sequence(&rest, spacing, after.clone())
            }
            SequencePart::Repeat(body, repeat) => {
                // Either a repetition begins here, or the rest does.
                let once = if repeat.max == Some(0) {
                    Candidates::exactly(Truth::Never)
                } else {
                    self.begins(&unrolled(body, *repeat, rest), spacing, needed)
                };
                let may_be_nothing = repeat.min == 0 || body.iter().all(|part| part.length().0 == 0);
                if !may_be_nothing {
                    return once;
                }
                let without = self.begins(rest, spacing, needed);
                Candidates::either(once, without)
            }
        }
    }

    /// Where the parts can follow, if `so_far` holds here as well.
    pub(super) fn sequence(&mut self, parts: &[SequencePart], spacing: Spacing, so_far: Candidates) -> Candidates {
        let rest = self.following(parts, spacing, false);
        Candidates::both(so_far, rest)
    }

    /// Where the parts can follow. The first move of a path is made here, if none was made before.
    fn following(&mut self, parts: &[SequencePart], spacing: Spacing, moved: bool) -> Candidates {
        let mut rest = Candidates::EVERYWHERE;
        for (index, part) in parts.iter().enumerate().rev() {
            let moved = moved || parts[..index].iter().any(|part| part.length().1 != Some(0));
            rest = self.before(part, spacing, moved && spacing.skips, rest);
        }
        rest
    }

    /// Where a part can begin that ends where the rest holds.
    fn before(&mut self, part: &SequencePart, spacing: Spacing, may_skip: bool, rest: Candidates) -> Candidates {
        let rest = within_budget(rest);
        match part {
            SequencePart::Test(test) => Candidates::both(test.clone(), rest),
            SequencePart::Move { here, after, .. } => {
                let there = Candidates::both(after.clone(), rest);
                let there = self.moves_away(spacing.way, spacing.stride, there);
                let made = Candidates::both(here.clone(), there);
                if may_skip {
                    Candidates::at_most(self.eventually(spacing.way, made).truth)
                } else {
                    made
                }
            }
            SequencePart::Repeat(body, repeat) => self.repeated(body, *repeat, spacing, may_skip, rest),
        }
    }

    fn repeated(
        &mut self,
        body: &[SequencePart],
        repeat: Repeat,
        spacing: Spacing,
        may_skip: bool,
        rest: Candidates,
    ) -> Candidates {
        let once = |lowering: &mut Self, may_skip: bool, mut rest: Candidates| {
            for (index, part) in body.iter().enumerate().rev() {
                let moved = body[..index].iter().any(|part| part.length().1 != Some(0));
                rest = lowering.before(part, spacing, may_skip || spacing.skips && moved, rest);
            }
            rest
        };
        let options = repeat.max.map(|max| max.saturating_sub(repeat.min));
        let mut rest = match options {
            Some(0) => rest,
            Some(options) if options <= MAX_WRITTEN && !spacing.skips => {
                let mut all = rest.clone();
                for _ in 0..options {
                    let more = once(self, may_skip, all);
                    all = Candidates::either(rest.clone(), more);
                }
                all
            }
            bounded => {
                let all = self.any_number(body, spacing, rest);
                Candidates::new(all.truth, all.exact && bounded.is_none())
            }
        };
        // Many equal repetitions are counted in one pass.
        let one = match body {
            [SequencePart::Move { here, after, .. }] if spacing.stride == 1 && !spacing.skips => Some((here, after)),
            _ => None,
        };
        if let Some((here, after)) = one
            && repeat.min > 2
        {
            let next = self.one_move_away(spacing.way, after.clone());
            let each = Candidates::both(here.clone(), next);
            if spacing.way == Way::Backward {
                return Candidates::at_most(each.truth);
            }
            let row = self.in_a_row(each, repeat.min);
            let then = match rest.truth {
                Truth::Always => rest,
                _ if self.variations || repeat.min >= Truth::REACH.unsigned_abs() => Candidates::UNKNOWN,
                _ => self.moves_away(spacing.way, repeat.min, rest),
            };
            return Candidates::both(row, then);
        }
        for index in 0..repeat.min {
            if index >= MAX_WRITTEN {
                // The other repetitions come before: what is known holds at their end.
                let before = match fixed_moves(body) {
                    Some(moves) if !self.variations && !spacing.skips => {
                        let plies = (repeat.min - index)
                            .saturating_mul(moves)
                            .saturating_mul(spacing.stride);
                        (plies < Truth::REACH.unsigned_abs()).then_some(plies)
                    }
                    _ => None,
                };
                rest = match before {
                    Some(plies) => self.moves_away(spacing.way, plies, rest),
                    None => self.eventually(spacing.way, rest),
                };
                return Candidates::at_most(rest.truth);
            }
            // The first repetition is the last one to be put before the others.
            let is_first = index + 1 == repeat.min;
            rest = once(self, if is_first { may_skip } else { spacing.skips }, rest);
        }
        rest
    }

    /// Where any number of repetitions ends where the rest holds.
    fn any_number(&mut self, body: &[SequencePart], spacing: Spacing, rest: Candidates) -> Candidates {
        // None is enough.
        if rest.truth == Truth::Always {
            return rest;
        }
        match fixed_moves(body) {
            Some(moves) if moves > 0 && !spacing.skips => {
                let mut one = Candidates::EVERYWHERE;
                for part in body.iter().rev() {
                    one = self.before(part, spacing, false, one);
                }
                let stride = moves.saturating_mul(spacing.stride);
                self.until(spacing.way, stride, one, rest)
            }
            _ => {
                let further = self.eventually(spacing.way, rest);
                Candidates::at_most(further.truth)
            }
        }
    }
}

/// Calls `f` with all filters of some constituents.
pub(super) fn for_each_filter<'q>(list: &'q [Constituent], f: &mut dyn FnMut(&'q Filter)) {
    for constituent in list {
        match constituent {
            Constituent::Filter { filter, .. } => f(filter),
            Constituent::Group { constituents, .. } => for_each_filter(constituents, f),
        }
    }
}

/// Calls `f` with all filters of a step.
pub(super) fn for_each_filter_of_step<'q>(step: &'q PathStep, f: &mut dyn FnMut(&'q Filter)) {
    match step {
        PathStep::Filter(filter) => f(filter),
        PathStep::Dash { dash, .. } => {
            dash.left.iter().chain(&dash.right).chain(&dash.target).for_each(f);
        }
        PathStep::Chain { steps, .. } => steps.iter().for_each(|step| for_each_filter_of_step(step, f)),
    }
}

/// The least value of a sequence.
fn least(range: Option<&Range>) -> u32 {
    match range {
        Some(Range::Between(Bound::Literal(min), _)) => u32::try_from(*min).unwrap_or(0),
        _ => 0,
    }
}

/// The greatest value of a sequence.
fn most(range: &Range) -> Option<u32> {
    match range {
        Range::Between(_, Bound::Literal(max)) => u32::try_from(*max).ok(),
        _ => None,
    }
}

/// The same, or its cheap parts.
fn within_budget(candidates: Candidates) -> Candidates {
    if candidates.truth.cost() > MAX_COST {
        Candidates::at_most(candidates.truth.reduced(MAX_COST))
    } else {
        candidates
    }
}
