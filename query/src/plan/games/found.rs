//! Where the [`Tree`]s of a plan hold in some games.

use std::ops::Range;

use storage::Selection;

use super::super::bound::in_stages;
use super::super::expr::{NumberExpr, SetExpr, Truth};
use super::super::leaves::Leaves;
use super::super::sweep::{CHUNK_WORDS, GameRanges, Scratch, Sweep};
use super::bits::Bits;
use super::lines::{Frame, GameLines};
use super::tree::{Step, Tree};

/// Where the first part of a conjunction leaves less than one position in so many, the rest is asked about those side
/// by side, which costs more for each list and less for everything else.
const SELECTIVE: u64 = 3;

/// What expressions over a segment are evaluated with.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// The posting lists.
    pub leaves: &'a Leaves,
    /// The positions that the filters on headers let through.
    pub headers: &'a [GameRanges],
    /// Where the games are.
    pub lines: &'a GameLines,
}

/// The positions of some games where the trees of an expression hold.
#[derive(Debug, Default)]
pub struct Found {
    trees: Vec<Option<Bits>>,
}

impl Evaluation<'_> {
    /// The positions of some games where a conjunction holds, stage by stage.
    pub fn positions(&self, stages: &[Truth], games: Range<u32>, scratch: &mut Scratch) -> Bits {
        let range = self.lines.range(&games);
        let mut bits = Bits::new(&range);
        bits.set_range(range, true);
        for stage in stages {
            let found = self.find(stage, games.clone(), &bits, scratch);
            self.narrow(stage, &found, &mut bits, scratch);
        }
        bits
    }

    /// Keeps those positions where an expression holds whose trees are known.
    fn narrow(&self, truth: &Truth, found: &Found, bits: &mut Bits, scratch: &mut Scratch) {
        if *truth == Truth::Always {
            return;
        }
        let count = bits.count();
        if count == 0 {
            return;
        }
        let memory = std::mem::take(scratch);
        let mut sweep = Sweep::new(self.leaves, truth, self.headers, self.lines.starts(), memory).with(found);
        let base = bits.first_chunk * storage::CHUNK_SIZE;
        // What is looked at before the first position of all is not there.
        let is_inside = truth.reach() == 0 || base > 0;
        if is_inside && count * SELECTIVE < bits.words().len() as u64 * 64 {
            bits.replace_words(|words| sweep.selected(Selection::new(base, words)));
        } else {
            let chunks = bits.first_chunk..;
            for (chunk, words) in chunks.zip(bits.words_mut().as_chunks_mut::<CHUNK_WORDS>().0) {
                sweep.narrow(chunk, words);
            }
        }
        *scratch = sweep.into_scratch();
    }

    /// Evaluates the trees of an expression for the games that have one of these positions; of the others they may say
    /// anything.
    fn find(&self, truth: &Truth, games: Range<u32>, demand: &Bits, scratch: &mut Scratch) -> Found {
        let mut trees = Vec::new();
        collect(truth, &mut trees);
        let mut found = Found::default();
        if trees.is_empty() || demand.count() == 0 {
            return found;
        }
        let frame = self.lines.frame(games);
        let demand = demand.whole_games(&frame);
        for tree in trees {
            if found.trees.len() <= tree.id {
                found.trees.resize_with(tree.id + 1, || None);
            }
            if found.trees[tree.id].is_some() {
                continue;
            }
            let mut parts = Vec::new();
            for part in tree.step.parts() {
                let mut bits = demand.clone();
                for stage in in_stages(part) {
                    self.narrow(&stage, &found, &mut bits, scratch);
                }
                parts.push(bits);
            }
            found.trees[tree.id] = Some(tree.step.pass(&parts, &frame));
        }
        found
    }
}

impl Found {
    /// Where a tree holds; nowhere if it was not evaluated.
    pub(in crate::plan) fn tree(&self, id: usize) -> Option<&Bits> {
        self.trees.get(id).and_then(Option::as_ref)
    }
}

impl Step {
    /// Where it holds, given where its parts do.
    fn pass(&self, parts: &[Bits], frame: &Frame) -> Bits {
        let (first, second) = (&parts[0], parts.last().unwrap_or(&parts[0]));
        let mut out = match *self {
            Step::Next(_) => first.next(frame),
            Step::Previous(_) => first.previous(frame),
            Step::Game(_) => first.whole_games(frame),
            Step::Until { stride: 1, .. } => second.until(first, frame),
            Step::Until { stride, .. } => second.until_by(first, stride, frame),
            Step::Since { stride: 1, .. } => second.since(first, frame),
            Step::Since { stride, .. } => second.since_by(first, stride, frame),
            Step::Run(_, count) => first.run(count, frame),
            Step::Count {
                backward: false,
                min,
                max,
                ..
            } => first.count_ahead(min, max, frame),
            Step::Count { min, max, .. } => first.count_behind(min, max, frame),
        };
        for &index in &frame.branching {
            self.bound(first, second, &frame.games[index], &mut out);
        }
        out
    }

    /// An upper bound for a game with variations: a descendant is a later position, an ancestor an earlier one.
    fn bound(&self, first: &Bits, second: &Bits, game: &Range<u32>, out: &mut Bits) {
        out.set_range(game.clone(), false);
        let last = |bits: &Bits| bits.last_in(game.clone());
        let earliest = |bits: &Bits| bits.first_in(game.clone());
        let whole = match *self {
            Step::Next(_) => last(first).map(|last| game.start..last),
            Step::Previous(_) => earliest(first).map(|first| first + 1..game.end),
            Step::Game(_) => earliest(first).map(|_| game.clone()),
            Step::Until { .. } => last(second).map(|last| game.start..last + 1),
            Step::Since { .. } => earliest(second).map(|first| first..game.end),
            Step::Run(..) => last(first).map(|last| game.start..last + 1),
            // Of a subtree it is known that it has no more than the game has, and the last ones may be elsewhere.
            Step::Count { min, .. } => (first.count_in(game.clone()) >= min).then(|| game.clone()),
        };
        if let Some(range) = whole {
            out.set_range(range, true);
        }
    }
}

/// The trees of an expression, those inside another one before it.
fn collect<'t>(truth: &'t Truth, trees: &mut Vec<&'t Tree>) {
    match truth {
        Truth::Always | Truth::Never | Truth::Term(_) | Truth::Games(_) | Truth::PlyAtLeast(_) => {}
        Truth::Not(inner) | Truth::After(_, inner) => collect(inner, trees),
        Truth::And(parts) | Truth::Or(parts) => parts.iter().for_each(|part| collect(part, trees)),
        Truth::Any(set) | Truth::Single(set) => collect_set(set, trees),
        Truth::Compare(_, a, b) => {
            collect_number(a, trees);
            collect_number(b, trees);
        }
        Truth::Tree(tree) => {
            tree.step.parts().for_each(|part| collect(part, trees));
            trees.push(tree);
        }
    }
}

fn collect_set<'t>(set: &'t SetExpr, trees: &mut Vec<&'t Tree>) {
    match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) => {}
        SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } | SetExpr::After(_, inner) => {
            collect_set(inner, trees);
        }
        SetExpr::Rays { arguments, .. } => arguments.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Between { ends, .. } => ends.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Pins(arguments, _) => arguments.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => {
            collect_set(a, trees);
            collect_set(b, trees);
        }
        SetExpr::Choose(condition, a, b) => {
            collect(condition, trees);
            collect_set(a, trees);
            collect_set(b, trees);
        }
        SetExpr::Squares(parts) => parts.iter().for_each(|(_, truth)| collect(truth, trees)),
    }
}

fn collect_number<'t>(number: &'t NumberExpr, trees: &mut Vec<&'t Tree>) {
    match number {
        NumberExpr::Constant(_) => {}
        NumberExpr::Count(set) | NumberExpr::Power(set) | NumberExpr::Coordinate(_, set) => collect_set(set, trees),
        NumberExpr::CountTrue(parts) => parts.iter().for_each(|part| collect(part, trees)),
        NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
            collect_number(a, trees);
            collect_number(b, trees);
        }
        NumberExpr::Choose(condition, a, b) => {
            collect(condition, trees);
            collect_number(a, trees);
            collect_number(b, trees);
        }
        NumberExpr::After(_, inner) => collect_number(inner, trees),
    }
}
