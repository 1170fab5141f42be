//! The parts of a `line` or `path`, and how many moves they have.

use language::hir::{PathStep, Repeat};

use super::steps::Step;
use crate::expr::Candidates;

/// A part of a sequence.
#[derive(Clone)]
pub(super) enum SequencePart {
    /// A condition on the position that was reached.
    Test(Candidates),
    /// One move: a condition on the position before it and on the one after it, and what it is as far as a look at it tells.
    Move {
        here: Candidates,
        after: Candidates,
        step: Option<Step>,
    },
    /// Parts in order, repeated.
    Repeat(Vec<SequencePart>, Repeat),
}

impl SequencePart {
    pub(super) fn repeated(self, repeat: Repeat) -> SequencePart {
        if repeat == Repeat::ONCE {
            self
        } else {
            SequencePart::Repeat(vec![self], repeat)
        }
    }

    /// The least and the largest number of moves.
    pub(super) fn length(&self) -> (u32, Option<u32>) {
        match self {
            SequencePart::Test(_) => (0, Some(0)),
            SequencePart::Move { .. } => (1, Some(1)),
            SequencePart::Repeat(body, repeat) => length_of_all(body.iter().map(SequencePart::length), *repeat),
        }
    }
}

/// The least and the largest number of moves of parts in order that are repeated, given those of each part.
pub(super) fn length_of_all(parts: impl Iterator<Item = (u32, Option<u32>)>, repeat: Repeat) -> (u32, Option<u32>) {
    let (least, most) = parts.fold((0u32, Some(0u32)), |(least, most), (min, max)| {
        let most = most.zip(max).map(|(a, b)| a.saturating_add(b));
        (least.saturating_add(min), most)
    });
    let most = match most {
        Some(0) => most,
        most => most.zip(repeat.max).map(|(most, max)| most.saturating_mul(max)),
    };
    (least.saturating_mul(repeat.min), most)
}

/// The least and the largest number of moves of the steps of a path.
pub(super) fn length_of_steps(steps: &[PathStep], repeat: Repeat) -> (u32, Option<u32>) {
    let lengths = steps.iter().map(|step| match step {
        PathStep::Filter(_) => (0, Some(0)),
        PathStep::Dash { repeat, .. } => (repeat.min, repeat.max),
        PathStep::Chain { steps, repeat } => length_of_steps(steps, *repeat),
    });
    length_of_all(lengths, repeat)
}

/// How often something is repeated when it was repeated once.
pub(super) fn after_once(repeat: Repeat) -> Repeat {
    Repeat {
        min: repeat.min.saturating_sub(1),
        max: repeat.max.map(|max| max.saturating_sub(1)),
    }
}

/// The parts of one repetition, which there must be, with the repetitions that are left and the rest behind them.
pub(super) fn unrolled(body: &[SequencePart], repeat: Repeat, rest: &[SequencePart]) -> Vec<SequencePart> {
    let mut parts = body.to_vec();
    let left = after_once(repeat);
    if left.max != Some(0) {
        parts.push(SequencePart::Repeat(body.to_vec(), left));
    }
    parts.extend_from_slice(rest);
    parts
}

/// The same parts with a higher minimum for the one repetition that has no upper bound, if all others have one. With it
/// the sequence has at least `needed` moves, `made` of which were made before.
pub(super) fn lengthened(mut parts: Vec<SequencePart>, needed: u32, made: u32) -> Vec<SequencePart> {
    let mut open = None;
    let mut others = made;
    for (index, part) in parts.iter().enumerate() {
        match (part, part.length().1) {
            (_, Some(most)) => others = others.saturating_add(most),
            (SequencePart::Repeat(body, Repeat { max: None, .. }), None) if open.is_none() => {
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
        && let SequencePart::Repeat(_, repeat) = &mut parts[index]
    {
        repeat.min = repeat.min.max(needed.saturating_sub(others).div_ceil(once));
    }
    parts
}

/// The least number of moves of some parts.
pub(super) fn shortest(parts: &[SequencePart]) -> u32 {
    parts.iter().map(|part| part.length().0).sum()
}

/// Whether parts ask for one move and nothing else, once or more often.
pub(super) fn ask_for_one_move(parts: &[SequencePart]) -> bool {
    match parts {
        [SequencePart::Move { .. }] => true,
        [SequencePart::Repeat(body, repeat)] => repeat.min <= 1 && matches!(body[..], [SequencePart::Move { .. }]),
        _ => false,
    }
}

/// How many moves parts without repetitions have; `None` if there is one.
pub(super) fn fixed_moves(parts: &[SequencePart]) -> Option<u32> {
    let moves = parts.iter().map(|part| match part {
        SequencePart::Test(_) => Some(0),
        SequencePart::Move { .. } => Some(1),
        SequencePart::Repeat(..) => None,
    });
    moves.sum()
}

/// Whether the parts, [`lengthened`], match exactly where there is a match with that number of moves: all but one
/// always have the same number.
pub(super) fn can_be_lengthened(parts: &[SequencePart]) -> bool {
    let fixed = |part: &SequencePart| {
        let (min, max) = part.length();
        Some(min) == max
    };
    let mut open = parts.iter().filter(|part| !fixed(part));
    let Some(SequencePart::Repeat(body, Repeat { max: None, .. })) = open.next() else {
        return false;
    };
    open.next().is_none() && body.iter().all(fixed) && body.iter().any(|part| part.length().0 > 0)
}
