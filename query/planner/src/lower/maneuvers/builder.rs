//! Puts a maneuver together from the steps of a path or the conditions of a search.

use std::sync::Arc;

use chess::Man;
use language::hir::{
    AssignOp, Comparison, Dash, DictionaryId, Filter, ManSet, Node, Path, PathStep, Repeat, VariableId,
};
use shakmaty::{Bitboard, Color, Role};

use super::{Made, Sequence, given_value};
use crate::expr::{
    Action, Candidates, Check, Course, MOST_MEN, MOST_VARIABLES, Maneuver, MovePattern, NextMove, Spot, Truth,
};
use crate::filters::compared_number;
use crate::lower::Lowering;
use crate::lower::scope::Frame;
use crate::lower::sequence_parts::SequencePart;
use crate::lower::steps::Step;

/// A maneuver has no more actions than this.
const MOST_ACTIONS: usize = 64;

/// A repetition is written out so often at most.
const MOST_WRITTEN: u32 = 8;

/// What keeps a square in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeper {
    Variable(VariableId),
    /// The entry of a dictionary with this number as its key.
    Entry(DictionaryId, i32),
}

/// A maneuver that is being put together.
pub(super) struct Builder<'l, 'q> {
    pub(super) lowering: &'l Lowering<'q>,
    /// What says it, if it is not a search.
    pub(super) sequence: Option<Sequence<'q>>,
    /// Whether it counts, too, that a piece is captured.
    pub(super) counts_captures: bool,
    /// Whose turn it is, if that is known.
    pub(super) turn: Option<Color>,
    /// How many repetitions the part that is looked at is in.
    depth: u32,
    /// The position where it begins.
    pub(super) start: Frame,
    /// The variables of its pieces, and what these may be.
    pub(super) pieces: Vec<(VariableId, ManSet)>,
    /// Whether other pieces that are spoken of belong to it.
    pub(super) is_open: bool,
    /// What keeps the squares that are spoken of, by the numbers of the maneuver's variables.
    pub(super) keepers: Vec<Keeper>,
    /// How many moves were made, if that is known.
    moves: Option<i32>,
    /// The variables that a repeated part sets. They are known up to where ways part or meet again: what a way that leads
    /// nowhere has assigned stays.
    set_in_loops: Vec<VariableId>,
    /// Those of these that are known here.
    known_here: Vec<VariableId>,
    pub(super) actions: Vec<Action>,
    /// The men that are known to see another one along a line where the maneuver has come to.
    seen: Vec<[Spot; 2]>,
    /// Whether all men that move are known.
    pub(super) has_joined: bool,
    /// Whether more is asked than what each move is.
    pub(super) asks_more: bool,
    /// Whether castling is a move of the rook, too.
    pub(super) castling_counts: bool,
}

impl<'l, 'q> Builder<'l, 'q> {
    pub(super) fn new(lowering: &'l Lowering<'q>, start: Frame) -> Self {
        Builder {
            lowering,
            sequence: None,
            counts_captures: false,
            turn: None,
            depth: 0,
            start,
            pieces: Vec::new(),
            is_open: false,
            keepers: Vec::new(),
            moves: Some(0),
            set_in_loops: Vec::new(),
            known_here: Vec::new(),
            actions: Vec::new(),
            seen: Vec::new(),
            has_joined: false,
            asks_more: false,
            castling_counts: true,
        }
    }

    /// The number of a piece, which may be a new one; `None` if there are too many, or nothing is known of it.
    pub(super) fn add_piece(&mut self, variable: VariableId) -> Option<usize> {
        if let Some(known) = self.pieces.iter().position(|(piece, _)| *piece == variable) {
            return Some(known);
        }
        let men = self.lowering.scope.men_in(self.start, variable)?;
        if self.pieces.len() == MOST_MEN {
            return None;
        }
        self.pieces.push((variable, men));
        Some(self.pieces.len() - 1)
    }

    /// Puts the piece first that moves first.
    pub(super) fn begin_with(&mut self, mover: Option<VariableId>) -> Option<()> {
        if self.pieces.len() > 1 || self.counts_captures {
            let first = self.pieces.iter().position(|(piece, _)| Some(*piece) == mover)?;
            self.pieces.swap(0, first);
        }
        Some(())
    }

    pub(super) fn steps(&mut self, steps: &'q [PathStep], parts: &[SequencePart]) -> Option<()> {
        for (step, part) in steps.iter().zip(parts) {
            match (step, part) {
                (PathStep::Filter(filter), _) => self.test(filter),
                (PathStep::Dash { dash, .. }, SequencePart::Move { step, .. }) => self.moves(dash, step.as_ref())?,
                (PathStep::Dash { dash, .. }, SequencePart::Repeat(body, repeat)) => {
                    let [SequencePart::Move { step, .. }] = &body[..] else {
                        return None;
                    };
                    self.repeated(*repeat, |builder| builder.moves(dash, step.as_ref()))?;
                }
                (PathStep::Chain { steps, .. }, SequencePart::Repeat(body, repeat)) => {
                    self.repeated(*repeat, |builder| builder.steps(steps, body))?;
                }
                _ => return None,
            }
        }
        self.is_short()
    }

    /// `None` if there are too many actions.
    pub(super) fn is_short(&self) -> Option<()> {
        (self.actions.len() <= MOST_ACTIONS).then_some(())
    }

    fn moves(&mut self, dash: &'q Dash, step: Option<&Step>) -> Option<()> {
        let Step { mover, pattern, .. } = step?;
        let man = mover.and_then(|mover| self.pieces.iter().position(|(piece, _)| *piece == mover));
        if self.counts_captures
            && dash.capture
            && man.is_none()
            && let Some(captured) = dash
                .right
                .as_ref()
                .and_then(|right| self.lowering.piece_variable(right))
            && let Some(captured) = self.piece(captured)
        {
            if captured > 0 {
                self.join();
            }
            self.moves = None;
            self.seen.clear();
            self.actions.push(Action::Captured(captured));
            dash.target.iter().for_each(|target| self.test(target));
            return Some(());
        }
        let right = dash.right.as_ref().filter(|_| !dash.capture);
        let to = right.and_then(|right| self.spot(right));
        self.asks_more |= to.is_some();
        let mut pattern = pattern.clone();
        // What is known of the man or the spot is not asked of the move: it may differ where a loop is written out.
        if man.is_some() {
            (pattern.movers, pattern.from) = (ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
        }
        if to.is_some() {
            pattern.to = Bitboard::FULL;
        }
        self.makes(man, pattern, to);
        dash.target.iter().for_each(|target| self.test(target));
        Some(())
    }

    /// A man moves.
    pub(super) fn makes(&mut self, man: Option<usize>, pattern: MovePattern, to: Option<Spot>) {
        if man != Some(0) || to.is_some_and(|to| to.is_about(1)) {
            self.join();
        }
        self.seen.clear();
        self.moves = self.moves.map(|moves| moves + 1);
        self.actions.push(Action::Move { man, pattern, to });
    }

    /// The second man is chosen before anything is said of it, or what follows may be left out.
    pub(super) fn join(&mut self) {
        if self.pieces.len() > 1 && !self.has_joined {
            self.actions.push(Action::Join);
            self.has_joined = true;
        }
    }

    pub(super) fn repeated(&mut self, repeat: Repeat, mut body: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.join();
        self.depth += 1;
        for _ in 0..repeat.min.min(MOST_WRITTEN) {
            body(self)?;
        }
        let Repeat { min, max } = repeat;
        match max.map(|max| max.saturating_sub(min)) {
            Some(more) if min <= MOST_WRITTEN && more <= MOST_WRITTEN => {
                let mut ends = Vec::new();
                for _ in 0..more {
                    ends.push(self.branch());
                    body(self)?;
                }
                ends.into_iter().for_each(|branch| self.leads_here(branch));
            }
            _ => {
                let branch = self.branch();
                body(self)?;
                self.actions.push(Action::Goto(branch));
                self.leads_here(branch);
            }
        }
        self.depth -= 1;
        Some(())
    }

    /// A place where what follows may be left out.
    pub(super) fn branch(&mut self) -> usize {
        self.known_here.clear();
        self.moves = None;
        self.seen.clear();
        let here = self.actions.len();
        self.actions.push(Action::Either(here + 1, here + 1));
        here
    }

    /// A branch leads to what comes next, too; that is tried first.
    pub(super) fn leads_here(&mut self, branch: usize) {
        self.seen.clear();
        self.known_here.clear();
        self.actions[branch] = Action::Either(self.actions.len(), branch + 1);
    }

    /// A condition on the position that was reached.
    pub(super) fn test(&mut self, filter: &'q Filter) {
        match &filter.node {
            Node::Assign(variable, AssignOp::Set, argument) => return self.set(*variable, argument),
            Node::DictionarySet(dictionary, key, value) => return self.set_entry(*dictionary, key, value),
            _ => {}
        }
        let check = self.check(filter);
        // Between two constituents of a line other men may move.
        if matches!(self.sequence, Some(Sequence::Path(_))) {
            let mut seen = self.seen_where(filter);
            self.seen.append(&mut seen);
        }
        if let Some(check) = check {
            self.asks_more = true;
            if check.is_about(1) {
                self.join();
            }
            let end = self.actions.len();
            let goes_on_here = |action: &Action| matches!(action, Action::Either(a, b) if *a == end || *b == end);
            let ways_meet = self.actions.iter().any(goes_on_here);
            match (check.target(), self.actions.last_mut()) {
                // It is found sooner.
                (Some(spot), Some(Action::Move { to: to @ None, .. })) if !ways_meet => *to = Some(spot),
                _ => self.actions.push(Action::Test(check)),
            }
        }
    }

    /// A variable gets the square of a spot. Nothing else in the path may give it a value.
    fn set(&mut self, variable: VariableId, argument: &'q Filter) {
        let spot = match &argument.node {
            Node::Intersection(parts) => parts.iter().find_map(|part| self.spot(part)),
            _ => self.spot(argument),
        };
        if let Some(spot) = spot
            && self
                .sequence
                .is_some_and(|sequence| sequence.gives_value_to(variable) == 1)
            && let Some(number) = self.variable(variable)
        {
            if self.depth > 0 {
                self.set_in_loops.push(variable);
                self.known_here.push(variable);
            }
            self.actions.push(Action::Set(number, spot));
        }
    }

    /// Whether the square of a variable is known here.
    fn is_set(&self, variable: VariableId) -> bool {
        let is_known = !self.set_in_loops.contains(&variable) || self.known_here.contains(&variable);
        is_known && self.keepers.contains(&Keeper::Variable(variable))
    }

    pub(super) fn variable(&mut self, variable: VariableId) -> Option<usize> {
        self.number_of(Keeper::Variable(variable))
    }

    /// The number of what keeps a square, which may be a new one; `None` if there are too many.
    fn number_of(&mut self, keeper: Keeper) -> Option<usize> {
        let known = self.keepers.iter().position(|known| *known == keeper);
        known.or_else(|| {
            (self.keepers.len() < MOST_VARIABLES).then(|| {
                self.keepers.push(keeper);
                self.keepers.len() - 1
            })
        })
    }

    /// The entry of a dictionary with a key, if that is a number that is known.
    ///
    /// The moves in focus of a game without variations come one after another: whatever a path has tried before, the entry
    /// for each of them is the same.
    fn entry(&self, dictionary: DictionaryId, key: &Filter) -> Option<Keeper> {
        match key.node {
            Node::PathCount if matches!(self.sequence, Some(Sequence::Path(_))) => {
                self.moves.map(|moves| Keeper::Entry(dictionary, moves))
            }
            _ => None,
        }
    }

    /// An entry of a dictionary gets the square of a spot. Nothing else in the query may set one.
    fn set_entry(&mut self, dictionary: DictionaryId, key: &Filter, value: &'q Filter) {
        if let Some(keeper) = self.entry(dictionary, key)
            && self.lowering.filters_giving(keeper) == 1
            && let Some(spot) = self.spot(value)
            && let Some(number) = self.number_of(keeper)
        {
            self.actions.push(Action::Set(number, spot));
        }
    }

    /// The square that a set is, if it is one.
    pub(super) fn spot(&mut self, set: &'q Filter) -> Option<Spot> {
        let is_of_path = matches!(self.sequence, Some(Sequence::Path(_)));
        match &set.node {
            Node::FromSquares if is_of_path => Some(Spot::From),
            Node::ToSquares if is_of_path => Some(Spot::To),
            Node::NoTransform(inner) => self.spot(inner),
            Node::At(place, inner) if self.lowering.frame_of(place) == Some(self.start) => {
                let piece = self.lowering.piece_variable(inner)?;
                self.piece(piece).map(Spot::First)
            }
            Node::DictionaryGet(dictionary, key) => {
                let entry = self.entry(*dictionary, key)?;
                let number = self.keepers.iter().position(|keeper| *keeper == entry);
                number.map(Spot::Variable)
            }
            Node::Variable(variable) => {
                if let Some(piece) = self.lowering.piece_variable(set) {
                    return self.piece(piece).map(Spot::Now);
                }
                if let Some(piece) = self.lowering.scope.piece_on(self.start, *variable) {
                    return self.piece(piece).map(Spot::First);
                }
                let is_given = self
                    .sequence
                    .is_some_and(|sequence| sequence.gives_value_to(*variable) > 0);
                let is_one = || !is_given && self.lowering.is_one_square(*variable);
                let is_known = self.is_set(*variable) || is_one();
                is_known.then(|| self.variable(*variable)).flatten().map(Spot::Variable)
            }
            _ => None,
        }
    }

    fn piece(&mut self, variable: VariableId) -> Option<usize> {
        match self.is_open {
            true => self.add_piece(variable),
            false => self.pieces.iter().position(|(piece, _)| *piece == variable),
        }
    }

    /// What a condition says of squares; `None` if nothing.
    pub(super) fn check(&mut self, filter: &'q Filter) -> Option<Check> {
        match &filter.node {
            Node::Compound(list) => self.all_of(list.iter()),
            Node::And(a, b) => self.all_of([&**a, &**b].into_iter()),
            Node::Or(a, b) => Some(Check::Any(vec![self.check(a)?, self.check(b)?])),
            Node::NoTransform(inner) => self.check(inner),
            Node::Sort { argument, .. } => self.check(argument),
            Node::Xray { arguments, .. } | Node::Ray { arguments, .. } => {
                let spots: Vec<Spot> = arguments.iter().filter_map(|argument| self.spot(argument)).collect();
                (spots.len() > 1).then_some(Check::Line(spots))
            }
            Node::Attacks(a, b) => {
                let (a, b) = (self.spot(a)?, self.spot(b)?);
                self.is_line_piece(a).then(|| Check::Line(vec![a, b]))
            }
            Node::AttackedBy(a, b) => {
                let (a, b) = (self.spot(a)?, self.spot(b)?);
                self.is_line_piece(b).then(|| Check::Line(vec![a, b]))
            }
            Node::SameSet(a, b) => Some(Check::Same(self.spot(a)?, self.spot(b)?)),
            Node::Not(inner) => self.check_of_not(inner),
            Node::CompareNumbers(comparison, a, b) => self.check_of_number(*comparison, a, b),
            Node::Intersection(parts) => {
                let spots: Vec<Spot> = parts.iter().filter_map(|part| self.spot(part)).collect();
                match spots[..] {
                    [a, b, ..] => Some(Check::Same(a, b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Two men of which one sees the other stand side by side if no empty square lies between them.
    fn check_of_not(&mut self, filter: &'q Filter) -> Option<Check> {
        let Node::Xray { arguments, .. } = &filter.node else {
            return None;
        };
        let [a, between, b] = &arguments[..] else { return None };
        let is_empty_square = matches!(&between.node, Node::Designator(designator)
            if designator.squares == Bitboard::FULL && designator.men.contains(Man::EMPTY));
        let both = [self.spot(a)?, self.spot(b)?];
        (is_empty_square && self.seen.contains(&both)).then_some(Check::Beside(both))
    }

    /// The pairs of men the first of which attacks the second one along a line wherever a filter matches.
    fn seen_where(&mut self, filter: &'q Filter) -> Vec<[Spot; 2]> {
        match &filter.node {
            Node::Compound(list) => list.iter().flat_map(|part| self.seen_where(part)).collect(),
            Node::And(a, b) => [a, b].into_iter().flat_map(|part| self.seen_where(part)).collect(),
            Node::Or(a, b) => {
                let other = self.seen_where(b);
                let mut both = self.seen_where(a);
                both.retain(|pair| other.contains(pair));
                both
            }
            Node::NoTransform(inner) => self.seen_where(inner),
            Node::Xray { arguments, .. } => match &arguments[..] {
                [a, b, ..] => match [a, b].map(|man| self.spot(man)) {
                    [Some(a @ Spot::Now(_)), Some(b @ Spot::Now(_))] => vec![[a, b]],
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn check_of_number(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Option<Check> {
        let (number, comparison, constant) = compared_number(comparison, a, b)?;
        let least = match comparison {
            Comparison::GreaterEqual | Comparison::Equal => constant,
            Comparison::Greater => constant.saturating_add(1),
            _ => return None,
        };
        let least = u32::try_from(least).ok().filter(|least| *least > 0)?;
        match &number.node {
            Node::Cardinality(set) => match &set.node {
                Node::Between(a, b) => Some(Check::Apart([self.spot(a)?, self.spot(b)?], least as usize)),
                _ => None,
            },
            Node::PathCountUnfocused => match self.sequence {
                // Of two paths, the second one has its own beginning.
                Some(Sequence::Path(path)) if path.focus.is_some() && !self.actions.contains(&Action::JoinAnyTime) => {
                    Some(Check::OtherMoves(least))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn all_of(&mut self, list: impl Iterator<Item = &'q Filter>) -> Option<Check> {
        let mut parts: Vec<Check> = list.filter_map(|part| self.check(part)).collect();
        // What is said of the last move is said of a square that is known before it.
        let same = parts.iter().find_map(|part| match *part {
            Check::Same(last @ (Spot::From | Spot::To), first @ Spot::First(_))
            | Check::Same(first @ Spot::First(_), last @ (Spot::From | Spot::To)) => Some((last, first)),
            _ => None,
        });
        if let Some((last, first)) = same {
            let others = parts.iter_mut().filter(|part| !matches!(part, Check::Same(..)));
            others.for_each(|part| part.replace(last, first));
        }
        (!parts.is_empty()).then_some(Check::All(parts))
    }

    /// Whether the man on a spot moves along lines, whatever it becomes.
    fn is_line_piece(&self, spot: Spot) -> bool {
        let Spot::Now(man) = spot else { return false };
        let moves_on_lines = |man: Man| matches!(man.role(), Some(Role::Queen | Role::Rook | Role::Bishop));
        self.pieces
            .get(man)
            .is_some_and(|(_, men)| men.iter().all(moves_on_lines))
    }

    /// What is done by one piece whatever happens, up to where ways part.
    pub(super) fn made(&self, path: &'q Path) -> Option<Made<'q>> {
        let is_branch = |action: &Action| matches!(action, Action::Either(..) | Action::Goto(_));
        let branch = self.actions.iter().position(is_branch);
        match self.pieces[..] {
            // What is set again behind a branch is not known behind the path.
            [piece] if branch.is_none() || self.set_in_loops.is_empty() => Some(Made {
                path,
                start: self.start,
                piece,
                keepers: self.keepers.clone(),
                actions: self.actions[..branch.unwrap_or(self.actions.len())].to_vec(),
            }),
            _ => None,
        }
    }

    /// The variables that keep squares.
    pub(super) fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.keepers.iter().filter_map(|keeper| match keeper {
            Keeper::Variable(variable) => Some(*variable),
            Keeper::Entry(..) => None,
        })
    }

    /// Whether the two pieces may be one.
    pub(super) fn may_be_same(&self) -> bool {
        match self.pieces[..] {
            [(a, one), (b, other)] => {
                one.intersection(other) != ManSet::NONE && !self.lowering.scope.are_distinct(a, b)
            }
            _ => false,
        }
    }

    pub(super) fn finish(self, waits: bool) -> Option<Candidates> {
        if !self.asks_more && !waits && self.pieces.len() == 1 || self.actions.len() > MOST_ACTIONS {
            return None;
        }
        let men = self.pieces.iter().map(|(_, men)| *men).collect();
        let maneuver = Maneuver {
            men,
            may_be_same: self.may_be_same(),
            counts_captures: self.counts_captures,
            castling_counts: self.castling_counts,
            waits,
            actions: self.actions,
        };
        let first = MovePattern::of(ManSet::WHITE | ManSet::BLACK);
        let course = Course::Maneuver(Arc::new(maneuver));
        Some(Candidates::at_most(NextMove::course(first, course, Truth::Always)))
    }
}

impl Lowering<'_> {
    /// Whether a variable is one square: that of a loop.
    pub(super) fn is_one_square(&self, variable: VariableId) -> bool {
        let (mut is_loop, mut is_other) = (false, false);
        self.query.body.any(&mut |part| {
            if given_value(part) == Some(variable) {
                match part.node {
                    Node::SquareLoop { .. } => is_loop = true,
                    _ => is_other = true,
                }
            }
            false
        });
        is_loop && !is_other
    }
}
