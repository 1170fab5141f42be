//! `line` and `path`: a program of moves, read from its end.
//!
//! What is left of a sequence is a condition on the position that was reached; each constituent turns it into one on
//! the position before. A repetition without an upper bound is the least set of positions that is closed under one
//! more repetition, which is one pass over the bits.

use language::hir::{Bound, Constituent, Filter, Line, LineArrow, Path, PathStep, Range, Repeat};

use super::super::expr::{Candidates, Truth};
use super::super::lower::Lowering;
use super::lower::Way;
use super::moves::both;

/// Repetitions are written out up to so many; more are only counted where they are alike.
const MAX_WRITTEN: u32 = 6;

/// What is said of longer sequences is an upper bound.
const MAX_COST: f64 = 8_000.0;

/// A part of a sequence.
#[derive(Clone)]
enum Part {
    /// A condition on the position that was reached.
    Test(Candidates),
    /// One move: a condition on the position before it and on the one after it.
    Move { here: Candidates, after: Candidates },
    /// Parts in order, so many times.
    Repeat(Vec<Part>, Repeat),
}

/// How the moves of a sequence lie.
#[derive(Clone, Copy)]
struct Course {
    way: Way,
    /// Plies from one move of the sequence to the next.
    stride: u32,
    /// Whether other moves may come between.
    skips: bool,
}

fn always() -> Candidates {
    Candidates::exactly(Truth::Always)
}

impl<'q> Lowering<'q> {
    /// Where a `line` of at least so many positions matches.
    pub(super) fn line_truth(&mut self, line: &'q Line, at_least: u32) -> Candidates {
        let parts: Vec<Part> = self.elsewhere(|lowering| lowering.constituents(&line.constituents));
        let course = Course {
            way: match line.arrow {
                LineArrow::Forward => Way::Forward,
                LineArrow::Backward => Way::Backward,
            },
            stride: if line.single_color { 2 } else { 1 },
            skips: false,
        };
        // The first constituent is asked here, the others each a move further on.
        let needed = at_least.max(least(line.range.as_ref())).saturating_sub(1);
        let begins = self.begins(&parts, course, needed);
        let plain = !line.nestban && at_least == 0 && line.primary != Some(false);
        if plain
            && !line.first_match
            && let Some(longest) = line.range.as_ref().and_then(most)
            && can_be_lengthened(&parts)
            // What a line may begin without is no part of those that are lengthened.
            && !matches!(parts.first(), Some(Part::Repeat(_, Repeat { min: 0, .. })))
        {
            let longer = self.begins(&parts, course, longest);
            return both(begins, longer.not());
        }
        Candidates {
            exact: begins.exact && plain && line.range.is_none(),
            ..begins
        }
    }

    /// Where a `path` of at least so many moves matches.
    pub(super) fn path_truth(&mut self, path: &'q Path, at_least: u32) -> Candidates {
        let parts = self.elsewhere(|lowering| lowering.steps_of(&path.steps));
        let focused = path.focus.is_some();
        let course = Course {
            way: Way::Forward,
            stride: 1,
            // The moves of the other side are not in focus.
            skips: focused || path.single_color,
        };
        let range = if path.max.is_some() { None } else { path.range.as_ref() };
        let needed = if path.max.is_some() {
            1
        } else {
            at_least.max(least(range)).max(1)
        };
        let longer = range.and_then(most).filter(|_| can_be_lengthened(&parts));
        let longer = longer.map(|longest| lengthened(parts.clone(), longest.saturating_add(1), 0));
        let parts = lengthened(parts, needed, 0);
        let whole = self.sequence(&parts, course, always());
        // There is one move at least.
        let moved = self.step(Way::Forward, always());
        let focus = match &path.focus {
            Some(focus) => Candidates::at_most(self.truth(&focus.pieces).truth),
            None => always(),
        };
        let plain = !focused && !path.single_color && !path.nestban && path.max.is_none();
        let shortest: u32 = parts.iter().map(|part| part.length().0).sum();
        let mut whole = both(both(whole, moved), focus);
        if plain && path.range.is_some() {
            whole = match longer.filter(|_| !path.first_match) {
                Some(longer) => {
                    let longer = self.sequence(&longer, course, always());
                    both(whole, longer.not())
                }
                None => Candidates::at_most(whole.truth),
            };
        }
        Candidates {
            exact: whole.exact && plain && at_least == 0 && shortest > 0,
            ..whole
        }
    }

    fn constituents(&mut self, list: &'q [Constituent]) -> Vec<Part> {
        list.iter()
            .map(|constituent| match constituent {
                Constituent::Filter { filter, repeat } => {
                    let after = self.truth_within_budget(filter);
                    let part = Part::Move { here: always(), after };
                    part.repeated(*repeat)
                }
                Constituent::Group { constituents, repeat } => Part::Repeat(self.constituents(constituents), *repeat),
            })
            .collect()
    }

    fn steps_of(&mut self, list: &'q [PathStep]) -> Vec<Part> {
        list.iter()
            .map(|step| match step {
                PathStep::Filter(filter) => Part::Test(self.truth_within_budget(filter)),
                PathStep::Dash { dash, repeat } => {
                    let moved = self.dash_move(dash);
                    Part::Move {
                        here: within_budget(moved.here),
                        after: within_budget(moved.after),
                    }
                    .repeated(*repeat)
                }
                PathStep::Chain { steps, repeat } => Part::Repeat(self.steps_of(steps), *repeat),
            })
            .collect()
    }

    fn truth_within_budget(&mut self, filter: &'q Filter) -> Candidates {
        within_budget(self.truth(filter))
    }

    /// Where a line begins: its first position is this one.
    fn begins(&mut self, parts: &[Part], course: Course, needed: u32) -> Candidates {
        let Some((first, rest)) = parts.split_first() else {
            return Candidates::exactly(Truth::Never);
        };
        match first {
            Part::Test(test) => {
                let begins = self.begins(rest, course, needed);
                both(test.clone(), begins)
            }
            Part::Move { after, .. } => {
                let rest = lengthened(rest.to_vec(), needed, 0);
                self.sequence(&rest, course, after.clone())
            }
            Part::Repeat(body, repeat) => {
                // One repetition begins here; or none, and the rest does.
                let mut once = body.clone();
                let left = Repeat {
                    min: repeat.min.saturating_sub(1),
                    max: repeat.max.map(|max| max.saturating_sub(1)),
                };
                if left.max != Some(0) {
                    once.push(Part::Repeat(body.clone(), left));
                }
                once.extend_from_slice(rest);
                let once = if repeat.max == Some(0) {
                    Candidates::exactly(Truth::Never)
                } else {
                    self.begins(&once, course, needed)
                };
                let may_be_nothing = repeat.min == 0 || body.iter().all(|part| part.length().0 == 0);
                if !may_be_nothing {
                    return once;
                }
                let without = self.begins(rest, course, needed);
                either(once, without)
            }
        }
    }

    /// Where the parts can follow, if `so_far` holds here as well.
    fn sequence(&mut self, parts: &[Part], course: Course, so_far: Candidates) -> Candidates {
        let mut rest = always();
        let mut may_skip = course.skips;
        for (index, part) in parts.iter().enumerate().rev() {
            // The first move of a path is made here.
            if course.skips {
                may_skip = parts[..index].iter().any(|part| part.length().1 != Some(0));
            }
            rest = self.before(part, course, may_skip, rest);
        }
        both(so_far, rest)
    }

    /// Where a part can follow that leads to where the rest holds.
    fn before(&mut self, part: &Part, course: Course, may_skip: bool, rest: Candidates) -> Candidates {
        if rest.truth.cost() > MAX_COST {
            return Candidates::UNKNOWN;
        }
        match part {
            Part::Test(test) => both(test.clone(), rest),
            Part::Move { here, after } => {
                let there = both(after.clone(), rest);
                let there = self.steps(course.way, course.stride, there);
                let made = both(here.clone(), there);
                if may_skip {
                    Candidates::at_most(self.hence(course.way, made).truth)
                } else {
                    made
                }
            }
            Part::Repeat(body, repeat) => self.repeated(body, *repeat, course, may_skip, rest),
        }
    }

    fn repeated(
        &mut self,
        body: &[Part],
        repeat: Repeat,
        course: Course,
        may_skip: bool,
        rest: Candidates,
    ) -> Candidates {
        let once = |lowering: &mut Self, may_skip: bool, mut rest: Candidates| {
            for (index, part) in body.iter().enumerate().rev() {
                let moved = body[..index].iter().any(|part| part.length().1 != Some(0));
                rest = lowering.before(part, course, may_skip || course.skips && moved, rest);
            }
            rest
        };
        let options = repeat.max.map(|max| max.saturating_sub(repeat.min));
        let mut rest = match options {
            Some(0) => rest,
            Some(options) if options <= MAX_WRITTEN && !course.skips => {
                let mut all = rest.clone();
                for _ in 0..options {
                    let more = once(self, may_skip, all);
                    all = either(rest.clone(), more);
                }
                all
            }
            bounded => {
                let all = self.any_number(body, course, rest);
                Candidates {
                    exact: all.exact && bounded.is_none(),
                    ..all
                }
            }
        };
        // Many alike are counted in one pass.
        let one = match body {
            [Part::Move { here, after }] if course.stride == 1 && !course.skips => Some((here, after)),
            _ => None,
        };
        if let Some((here, after)) = one
            && repeat.min > 2
        {
            let next = self.step(course.way, after.clone());
            let each = both(here.clone(), next);
            if course.way == Way::Backward {
                return Candidates::at_most(each.truth);
            }
            let row = self.run(each, repeat.min);
            let then = match rest.truth {
                Truth::Always => rest,
                _ if self.variations || repeat.min >= Truth::REACH.unsigned_abs() => Candidates::UNKNOWN,
                _ => self.steps(course.way, repeat.min, rest),
            };
            return both(row, then);
        }
        for index in 0..repeat.min {
            if index >= MAX_WRITTEN {
                rest.exact = false;
                break;
            }
            // The first repetition is the last one to be put before the others.
            let is_first = index + 1 == repeat.min;
            rest = once(self, if is_first { may_skip } else { course.skips }, rest);
        }
        rest
    }

    /// Where any number of repetitions leads to where the rest holds.
    fn any_number(&mut self, body: &[Part], course: Course, rest: Candidates) -> Candidates {
        let moves: Option<u32> = body
            .iter()
            .map(|part| match part {
                Part::Test(_) => Some(0),
                Part::Move { .. } => Some(1),
                Part::Repeat(..) => None,
            })
            .sum();
        match moves {
            Some(moves) if moves > 0 && !course.skips => {
                let mut one = always();
                for part in body.iter().rev() {
                    one = self.before(part, course, false, one);
                }
                let stride = moves.saturating_mul(course.stride);
                self.until(course.way, stride, one, rest)
            }
            _ => {
                let further = self.hence(course.way, rest);
                Candidates::at_most(further.truth)
            }
        }
    }
}

impl Part {
    fn repeated(self, repeat: Repeat) -> Part {
        if repeat == Repeat::ONCE {
            self
        } else {
            Part::Repeat(vec![self], repeat)
        }
    }

    /// The least and the largest number of moves.
    fn length(&self) -> (u32, Option<u32>) {
        match self {
            Part::Test(_) => (0, Some(0)),
            Part::Move { .. } => (1, Some(1)),
            Part::Repeat(body, repeat) => {
                let (mut least, mut most) = (0u32, Some(0u32));
                for part in body {
                    let (min, max) = part.length();
                    least = least.saturating_add(min);
                    most = most.zip(max).map(|(a, b)| a.saturating_add(b));
                }
                let most = if most == Some(0) {
                    most
                } else {
                    most.zip(repeat.max).map(|(most, max)| most.saturating_mul(max))
                };
                (least.saturating_mul(repeat.min), most)
            }
        }
    }
}

/// The same parts, where one repetition has no upper bound but all others together have: it is needed so often that
/// there are as many moves as are asked for, beside those that were made before.
fn lengthened(mut parts: Vec<Part>, needed: u32, made: u32) -> Vec<Part> {
    let mut open = None;
    let mut others = made;
    for (index, part) in parts.iter().enumerate() {
        match (part, part.length().1) {
            (_, Some(most)) => others = others.saturating_add(most),
            (Part::Repeat(body, Repeat { max: None, .. }), None) if open.is_none() => {
                let once: Option<u32> = body.iter().map(|part| part.length().1).sum();
                match once {
                    Some(once) if once > 0 => open = Some((index, once)),
                    _ => return parts,
                }
            }
            _ => return parts,
        }
    }
    if let Some((index, once)) = open
        && let Part::Repeat(_, repeat) = &mut parts[index]
    {
        repeat.min = repeat.min.max(needed.saturating_sub(others).div_ceil(once));
    }
    parts
}

/// What the value of a sequence is at least.
fn least(range: Option<&Range>) -> u32 {
    match range {
        Some(Range::Between(Bound::Literal(min), _)) => u32::try_from(*min).unwrap_or(0),
        _ => 0,
    }
}

/// What the value of a sequence is at most.
fn most(range: &Range) -> Option<u32> {
    match range {
        Range::Between(_, Bound::Literal(max)) => u32::try_from(*max).ok(),
        _ => None,
    }
}

/// Whether the parts, [`lengthened`], match just where there is a match with so many moves: all but one always have the
/// same number.
fn can_be_lengthened(parts: &[Part]) -> bool {
    let fixed = |part: &Part| {
        let (min, max) = part.length();
        Some(min) == max
    };
    let mut open = parts.iter().filter(|part| !fixed(part));
    let Some(Part::Repeat(body, Repeat { max: None, .. })) = open.next() else {
        return false;
    };
    open.next().is_none() && body.iter().all(fixed) && body.iter().any(|part| part.length().0 > 0)
}

fn either(a: Candidates, b: Candidates) -> Candidates {
    Candidates {
        truth: Truth::any([a.truth, b.truth]),
        exact: a.exact && b.exact,
    }
}

fn within_budget(candidates: Candidates) -> Candidates {
    if candidates.truth.cost() > MAX_COST {
        Candidates::UNKNOWN
    } else {
        candidates
    }
}
