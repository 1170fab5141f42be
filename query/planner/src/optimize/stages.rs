//! Cuts a conjunction into stages: what is costly waits for what is cheap.

use postings::BLOCK_SIZE;

use super::bound::{Kept, bound, courses, is_cheap};
use super::needs::game_need;
use super::order::{Estimate, NANOSECONDS};
use crate::expr::{Truth, outer_temporals};
use crate::games::HEAVY;
use crate::lists::LoadedPostings;
use crate::positions::RemainingPositions;
use crate::source::TermSource;

/// How many times as long reading takes for positions that are put side by side.
const PACKED: u32 = 4;

/// Below this share of positions that are left, a costly condition gets a stage of its own.
const SELECTIVE: f64 = 0.1;

/// Conditions that together cost more plane operations for a block than this may get a stage of their own.
const COSTLY_ALONE: f64 = 1_000.0;

/// A sweep that takes less, in nanoseconds, is never left to the evaluator.
const LEAST: f64 = 300_000.0;

/// How long it takes to rebuild the boards of a game for the evaluator, in nanoseconds.
const LOADING: f64 = 12_000.0;

/// How long it takes to look for some positions of a block in a list, in nanoseconds.
const LOOKING: f64 = 60.0;

/// How long it takes to play through a game up to a position, in nanoseconds.
const PLAYING: f64 = 700.0;

/// How long it takes to put the men of a board on planes, in nanoseconds.
const PLACING: f64 = 100.0;

/// How long it takes to get a block of games, which may be in memory, in nanoseconds.
const OPENING: f64 = 8_000.0;

/// Boards are not read where more positions are left, for each block that has one: what lists cost is known too badly.
const MOST_BY_BOARDS: u64 = 64;

/// About how many games a block has.
const GAMES: f64 = 64.0;

/// A bound is of use where it is expected to leave no more than this share of the positions: a block takes as long to
/// evaluate where half of it is left as where all of it is.
const USEFUL: f64 = 0.6;

/// A rough form of the costly conditions is asked before them if it costs less than this share of what they cost.
const ROUGH: f64 = 0.7;

/// A bound that costs less than this share of its condition is always asked.
const NEARLY_FREE: f64 = 0.02;

/// A conjunction in stages: the cheap conditions with bounds of the others; all that is cheap inside the heavy ones, such as the
/// alternatives that a transform makes; what is said of men that are followed from move to move, if there is more; rough
/// forms of the others; and then these. Each is evaluated only where those before it hold.
fn stages_of<S: TermSource>(truth: &Truth, source: &S, positions: u32) -> Result<Vec<(Truth, Form)>, S::Error> {
    let (mut first, costly): (Vec<Truth>, Vec<Truth>) = conjuncts(truth).into_iter().partition(is_cheap);
    for part in &costly {
        let bound = bound(part, Kept::Lists);
        let is_of_use = bound.cost() < NEARLY_FREE * part.cost() || bound.estimate(source, positions)?.share < USEFUL;
        if is_of_use {
            first.push(bound);
        }
    }
    // Looking at other positions takes too long where few positions are left.
    let heavy = costly
        .iter()
        .filter(|part| part.cost() > HEAVY && outer_temporals(part).is_empty());
    let cheap = heavy
        .map(|part| bound(part, Kept::Cheap))
        .filter(|bound| bound.reach() == 0);
    let cheap = Truth::all(cheap.collect::<Vec<_>>());
    let first = Truth::all(first);
    let cheap = Some(cheap).filter(|cheap| *cheap != first);
    let followed = Truth::all(costly.iter().map(courses).collect::<Vec<_>>());
    let rough = costly.iter().map(Truth::rough).filter(|rough| rough.reach() == 0);
    let rough = Truth::all(rough.collect::<Vec<_>>());
    let last = Truth::all(costly);
    let followed = Some(followed).filter(|followed| *followed != last);
    // What is cheap in it is in the bounds already.
    let rough = Some(rough).filter(|rough| !is_cheap(rough) && rough.cost() < ROUGH * last.cost());
    let whole = |stage| (stage, Form::Whole);
    let rest = (cheap.into_iter().chain(followed).map(whole))
        .chain(rough.map(|stage| (stage, Form::Rough)))
        .chain([whole(last)])
        .filter(|(stage, _)| *stage != Truth::Always);
    Ok(std::iter::once(whole(first)).chain(rest).collect())
}

/// The parts of a conjunction. That none of some costly alternatives holds is one part for each of them: most positions are left
/// out by the first ones.
fn conjuncts(truth: &Truth) -> Vec<Truth> {
    let mut parts = Vec::new();
    for part in truth.conjuncts() {
        match part {
            Truth::Not(inner)
                if let Truth::Or(alternatives) = &**inner
                    && inner.cost() > COSTLY_ALONE
                    && outer_temporals(inner).is_empty() =>
            {
                parts.extend(alternatives.iter().cloned().map(Truth::not));
            }
            _ => parts.push(part.clone()),
        }
    }
    parts
}

/// What a stage asks of its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// All of it, or what no later stage asks.
    Whole,
    /// What is quickly known, as the next stage asks all of it.
    Rough,
}

/// A stage of the plan for a segment.
#[derive(Clone, Debug)]
pub struct PlannedStage {
    /// What has to hold.
    pub truth: Truth,
    /// The share of the positions before it where it is expected to hold.
    pub share: f64,
    /// What it is expected to cost, in plane operations for a block.
    cost: f64,
    /// How many lists it reads.
    lists: usize,
    /// Whether boards can stand in for some of them.
    takes_boards: bool,
    /// Whether it looks at all positions of the games that are left.
    asks_games: bool,
    /// How many ids away from a position it looks.
    reach: u32,
    form: Form,
}

impl PlannedStage {
    fn new<S: TermSource>(truth: Truth, form: Form, estimate: Estimate, source: &S) -> Result<PlannedStage, S::Error> {
        let terms = LoadedPostings::terms_of(source, std::slice::from_ref(&truth))?;
        let asks_games = !outer_temporals(&truth).is_empty();
        Ok(PlannedStage {
            share: estimate.share,
            cost: estimate.cost,
            lists: terms.len(),
            asks_games,
            takes_boards: !asks_games && terms.iter().any(|&term| LoadedPostings::is_on_boards(term)),
            reach: truth.reach().unsigned_abs(),
            form,
            truth,
        })
    }

    /// Whether it need not be asked, because the next stage asks the same and more.
    pub fn is_rough(&self) -> bool {
        self.form == Form::Rough
    }

    /// The expected time of a sweep, in nanoseconds.
    fn sweeping(&self, left: Left) -> f64 {
        let by_lists = self.by_lists(left);
        self.by_boards(left)
            .map_or(by_lists, |by_boards| by_boards.min(by_lists))
    }

    /// How long computing takes for some blocks, in nanoseconds.
    fn computing(&self, blocks: u32) -> f64 {
        self.cost * f64::from(blocks) * NANOSECONDS
    }

    /// The expected time if lists are read, in nanoseconds.
    fn by_lists(&self, left: Left) -> f64 {
        // Positions from many blocks are put side by side; reading them takes longer.
        let packed = left.packed().saturating_mul(PACKED);
        // A block has parts of many games, so that most blocks have one that is left.
        if packed >= left.blocks || self.asks_games {
            return self.computing(left.blocks.max(1));
        }
        let parts = f64::from(left.blocks).min(left.positions as f64);
        self.computing(packed.max(1)) + self.lists as f64 * parts * LOOKING
    }

    /// The same if boards stand in for the lists of men on squares; `None` if they can't.
    fn by_boards(&self, left: Left) -> Option<f64> {
        let reading = self.reading_boards(left)?;
        Some(self.computing(left.packed()) + reading)
    }

    /// Whether reading the boards that stand in for lists is expected to take longer than what is computed of them.
    pub fn is_reading_boards(&self, left: Left) -> bool {
        let reading = self.reading_boards(left);
        reading.is_some_and(|reading| reading > self.computing(left.packed()))
    }

    /// How long it is expected to take to read the boards that stand in for lists, in nanoseconds; `None` if they can't.
    pub fn reading_boards(&self, left: Left) -> Option<f64> {
        if !self.takes_boards || left.positions > u64::from(left.blocks) * MOST_BY_BOARDS {
            return None;
        }
        let games = left.games_with_one();
        let blocks = games.min(f64::from(left.games) / GAMES);
        // Each distance at which positions are looked at is read for itself.
        let times = if self.reach > 0 { 2.0 } else { 1.0 };
        Some(times * (games * PLAYING + left.positions as f64 * PLACING + blocks * OPENING))
    }

    /// How long it is expected to take, in nanoseconds, if that is so long that it is first asked of few games.
    pub fn long_for(&self, left: Left) -> Option<f64> {
        Some(self.sweeping(left)).filter(|&time| time > LONG)
    }

    /// Whether it takes less time to read where men stand from the boards of the positions that are left than from lists.
    pub fn is_quicker_by_boards(&self, left: Left) -> bool {
        self.by_boards(left)
            .is_some_and(|by_boards| by_boards < self.by_lists(left))
    }

    /// Whether boards can stand in for lists that the stage reads, at some positions.
    pub fn takes_boards(&self, positions: &RemainingPositions) -> bool {
        self.takes_boards && positions.have_before(self.reach)
    }

    /// Whether it is better to leave a stage out of the sweep, for some positions that the stages before it have left, and
    /// let the evaluator test these. `stages` are this one and those behind it.
    pub fn is_left_out(stages: &[PlannedStage], left: Left) -> bool {
        let Some((this, rest)) = stages.split_first() else {
            return false;
        };
        let sweeping = this.sweeping(left);
        if sweeping < LEAST {
            return false;
        }
        let evaluating = left.evaluating();
        let all = sweeping + rest.iter().map(|stage| stage.sweeping(left)).sum::<f64>();
        // What it costs has to be less than what it saves: everything, or the positions that it excludes.
        all > evaluating && sweeping > (1.0 - this.share) * evaluating
    }
}

impl PlannedStage {
    /// Up to how many positions of some games the first of these stages is left out; 0 if it never is. `all` is what there
    /// is before any stage.
    pub fn left_out_up_to(stages: &[PlannedStage], all: Left) -> u64 {
        let is_left_out = |positions: u64| {
            let blocks = u32::try_from(positions).unwrap_or(u32::MAX).min(all.blocks);
            PlannedStage::is_left_out(
                stages,
                Left {
                    positions,
                    blocks,
                    ..all
                },
            )
        };
        let (mut low, mut high) = (0, all.positions);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if is_left_out(middle) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }
}

/// A stage that is expected to take longer than this for a task, in nanoseconds, is first asked of few games.
const LONG: f64 = 100e6;

/// The positions of some games that are left for a stage.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    /// How many positions.
    pub positions: u64,
    /// In how many blocks.
    pub blocks: u32,
    /// In how many games at most.
    pub games: u32,
    /// How long the evaluator needs for a position, in nanoseconds.
    pub evaluation: f64,
}

impl Left {
    /// How long the evaluator needs for all of them.
    pub fn evaluating(self) -> f64 {
        self.positions as f64 * self.evaluation + self.games_with_one() * LOADING
    }

    /// How many games have one of the positions, if these lie at random.
    fn games_with_one(self) -> f64 {
        let (positions, games) = (self.positions as f64, f64::from(self.games.max(1)));
        games * (1.0 - (-positions / games).exp())
    }

    /// How many blocks they fill if they are put side by side.
    fn packed(self) -> u32 {
        u32::try_from(self.positions.div_ceil(u64::from(BLOCK_SIZE))).unwrap_or(u32::MAX)
    }
}

/// The stages of a condition in a segment, each in the best order. What has to hold `always` is asked in the first one: any other
/// may be left to the evaluator, which does not know of it.
///
/// # Errors
///
/// When the statistics can't be read.
pub fn plan_stages<S: TermSource>(
    always: &Truth,
    truth: &Truth,
    source: &S,
    positions: u32,
) -> Result<Vec<PlannedStage>, S::Error> {
    let mut stages = Vec::new();
    let need = game_need(truth, source, positions)?;
    stages.extend(need.map(|(truth, estimate)| (truth, Form::Whole, Some(estimate))));
    for (stage, form) in stages_of(truth, source, positions)? {
        let parts = selective(stage.ordered(source, positions)?, source, positions)?;
        stages.extend(parts.into_iter().map(|part| (part, form, None)));
    }
    if let Some((first, _, estimate)) = stages.first_mut()
        && *always != Truth::Always
    {
        let everywhere = always.estimate(source, positions)?;
        *estimate = estimate.map(|estimate| Estimate {
            cost: estimate.cost + everywhere.cost,
            share: estimate.share * everywhere.share,
        });
        *first = Truth::all([always.clone(), std::mem::replace(first, Truth::Always)]);
    }
    let planned = stages.into_iter().map(|(truth, form, estimate)| {
        let estimate = match estimate {
            Some(estimate) => estimate,
            None => truth.estimate(source, positions)?,
        };
        PlannedStage::new(truth.factored(), form, estimate, source)
    });
    planned.collect()
}

/// Cuts a conjunction where what is left is so little that it is put side by side.
fn selective<S: TermSource>(stage: Truth, source: &S, positions: u32) -> Result<Vec<Truth>, S::Error> {
    let Truth::And(parts) = stage else {
        return Ok(vec![stage]);
    };
    let mut stages = Vec::new();
    let (mut here, mut share) = (Vec::new(), 1.0);
    let estimates = parts.iter().map(|part| part.estimate(source, positions));
    let estimates = estimates.collect::<Result<Vec<Estimate>, _>>()?;
    let mut cost_from_here: f64 = estimates.iter().map(|estimate| estimate.cost).sum();
    for (part, estimate) in parts.into_iter().zip(estimates) {
        let has_temporals = !outer_temporals(&part).is_empty();
        let may_wait =
            cost_from_here > COSTLY_ALONE && share < SELECTIVE || estimate.cost > COSTLY_ALONE && has_temporals;
        cost_from_here -= estimate.cost;
        if may_wait && !here.is_empty() {
            stages.push(Truth::all(std::mem::take(&mut here)));
            share = 1.0;
        }
        share *= estimate.share;
        here.push(part);
    }
    stages.push(Truth::all(here));
    Ok(stages)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;

    use chess::Man;
    use language::hir::{Comparison, ManSet};
    use postings::{Postings, Term};
    use shakmaty::{Bitboard, Color, File, Role, Square};

    use super::*;
    use crate::expr::{NumberExpr, SetExpr, Temporal, TemporalOp};

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    /// A segment in which every list has this many of 1,000 positions.
    struct Everywhere(u32);

    impl TermSource for Everywhere {
        type Error = Infallible;

        fn postings(&self, _: Term) -> Result<Arc<Postings>, Infallible> {
            Ok(Arc::default())
        }

        fn cardinality(&self, _: Term) -> Result<u32, Infallible> {
            Ok(self.0)
        }
    }

    fn cut(truth: &Truth, cardinality: u32) -> Vec<Truth> {
        match stages_of(truth, &Everywhere(cardinality), 1_000) {
            Ok(stages) => stages.into_iter().map(|(stage, _)| stage).collect(),
            Err(impossible) => match impossible {},
        }
    }

    #[test]
    fn what_the_evaluator_does_not_know_is_asked_in_the_first_stage() {
        let mainline = Truth::Term(Term::Mainline);
        let rare = Truth::Temporal(Box::new(Temporal {
            id: 0,
            op: TemporalOp::InGame(Truth::Term(Term::Mate)),
        }));
        let pawn = Truth::Term(Term::Placement(Man::new(Color::White, Role::Pawn), Square::D4));
        for truth in [Truth::Always, pawn.clone(), rare.clone(), Truth::all([pawn, rare])] {
            let Ok(stages) = plan_stages(&mainline, &truth, &Everywhere(1), 1_000);
            let first = stages.first().map(|stage| stage.truth.conjuncts());
            assert!(first.is_some_and(|parts| parts.contains(&mainline)), "{truth:?}");
        }
    }

    #[test]
    fn what_is_costly_waits_for_what_is_cheap() {
        let pawn = Truth::Term(Term::Placement(Man::new(Color::White, Role::Pawn), Square::D4));
        let white = || Box::new(contents(ManSet::WHITE));
        let attack = Truth::Any(Box::new(SetExpr::Attacks(white(), Box::new(contents(ManSet::BLACK)))));
        let stages = cut(&Truth::And([attack.clone(), pawn.clone()].into()), 100);
        assert_eq!(stages, [pawn.clone(), attack]);
        assert_eq!(cut(&pawn, 100), [pawn]);
    }

    #[test]
    fn what_is_cheap_inside_heavy_alternatives_is_asked_before_them() {
        let man = |color| Man::new(color, Role::Queen);
        let attacked = || SetExpr::Attacks(Box::new(contents(ManSet::WHITE)), Box::new(contents(ManSet::BLACK)));
        let heavy = Truth::Compare(
            Comparison::Equal,
            Box::new(NumberExpr::Count(SetExpr::Union(vec![attacked(); 4].into()))),
            Box::new(NumberExpr::Constant(3)),
        );
        assert!(heavy.cost() > HEAVY);
        let without = |color| Truth::Term(Term::AtLeast(man(color), 1)).not();
        let alternative = |color| Truth::And([without(color), heavy.clone()].into());
        let truth = Truth::Or([alternative(Color::White), alternative(Color::Black)].into());
        let cheap = Truth::any([without(Color::White), without(Color::Black)]);
        assert_eq!(cut(&truth, 100), [Truth::Always, cheap, truth]);
    }

    #[test]
    fn costly_alternatives_none_of_which_holds_are_asked_one_after_the_other() {
        let attack = |square: Square| {
            let to = SetExpr::Constant(Bitboard::from_square(square));
            Truth::Any(Box::new(SetExpr::Attacks(
                Box::new(contents(ManSet::WHITE)),
                Box::new(to),
            )))
        };
        let attacks: Vec<Truth> = [Square::A1, Square::B2, Square::C3, Square::D4].map(attack).into();
        let parts: Vec<Truth> = attacks.iter().cloned().map(Truth::not).collect();
        assert_eq!(conjuncts(&Truth::any(attacks).not()), parts);
        let rook = Truth::Term(Term::Placement(Man::new(Color::White, Role::Rook), Square::A1));
        let cheap = Truth::any([rook.clone(), Truth::Term(Term::Check)]).not();
        assert_eq!(conjuncts(&cheap), [cheap]);
    }

    #[test]
    fn a_bound_that_excludes_little_is_not_asked() {
        let pawns = SetExpr::Contents(
            ManSet::from_man(Man::new(Color::White, Role::Pawn)),
            Bitboard::from(File::B),
        );
        let truth = Truth::Compare(
            Comparison::GreaterEqual,
            Box::new(NumberExpr::Count(pawns)),
            Box::new(NumberExpr::Constant(4)),
        );
        assert_ne!(cut(&truth, 10)[0], Truth::Always);
        assert_eq!(cut(&truth, 990), [Truth::Always, truth]);
    }
}
