//! Formulas at a position.

use std::sync::atomic::Ordering;

use chess::{Board, Man, MoveKind};
use language::hir::{Comparison, Legality, ManSet, MoveValue, PinValue, VariableId};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::lanes::Lanes;
use super::{Entry, Formulas, Id, Loop, MoveOp, NO_MEMO, NONE, Op, Target};
use crate::board::{RayDirections, along, attacked_by, attackers_in, between, contents, pawn_structure, pins, rays};
use crate::game::{GameView, Moves};
use crate::limits::Limits;
use crate::orbits::Orbits;
use crate::state::State;
use crate::value::{Value, arithmetic, number_of, ordered, power_of, square_count, type_of};

/// How many positions a game has at most, so that all positions of all games have keys of their own.
const GAME: u64 = 1 << 32;

/// How many turns of a loop are computed side by side first.
const FIRST_LANES: usize = 8;

/// How many turns are computed one by one before, where the first that fails ends the loop.
const FIRST_TURNS: usize = 4;

/// After how many turns of loops the request to stop is looked at.
const TURNS: u64 = 1 << 9;

/// What is remembered from one evaluation to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By variable: its value, and a number that is larger for each new value of any variable.
    variables: Vec<(u64, u64)>,
    version: u64,
    /// Remembered values: the position, the version of the newest variable, the value.
    remembered: Vec<(u64, u64, u64)>,
    /// The key of the game's first position.
    game: u64,
    turns: u64,
    /// Spare buffers for values side by side.
    pub(super) buffers: Vec<Vec<u64>>,
}

impl Memory {
    /// Forgets the last game.
    pub(crate) fn start_game(&mut self, formulas: &Formulas) {
        self.game += GAME;
        self.variables.resize(formulas.variables, (NONE, 0));
        self.remembered.resize(formulas.memos, (u64::MAX, 0, 0));
        // Pieces of another game have the same numbers.
        self.version += 1;
        let version = self.version;
        self.variables.iter_mut().for_each(|(_, known)| *known = version);
    }

    fn set(&mut self, variable: VariableId, value: u64) {
        self.version += 1;
        self.variables[variable.0 as usize] = (value, self.version);
    }
}

/// One evaluation.
#[derive(Debug)]
pub(crate) struct Runner<'r> {
    pub(crate) formulas: &'r Formulas,
    pub(crate) memory: &'r mut Memory,
    pub(crate) orbits: &'r Orbits,
    pub(crate) game: &'r GameView,
    pub(crate) limits: &'r Limits,
    pub(crate) node: u32,
    /// The child that `move` filters at a position are bound to.
    pub(crate) bound_move: Option<(u32, u32)>,
    /// Whether the query is to be stopped: the value is of no use then.
    pub(crate) stopped: bool,
}

impl Runner<'_> {
    /// Takes over the variables; false if the formula can't be used with them as they are.
    #[inline]
    pub(crate) fn enter(&mut self, entry: &Entry, state: &State) -> bool {
        for &variable in &entry.bound {
            if state.variables[variable.0 as usize].is_some() {
                return false;
            }
        }
        for &variable in &entry.free {
            let value = match &state.variables[variable.0 as usize] {
                Some(Value::Set(set)) => set.0,
                Some(Value::Piece(id)) => u64::from(*id),
                Some(Value::Number(number)) => i64::from(*number).cast_unsigned(),
                Some(Value::Position(node)) => u64::from(*node),
                _ => return false,
            };
            if self.memory.variables[variable.0 as usize].0 != value {
                self.memory.set(variable, value);
            }
        }
        // The target of a castling move sees some of its squares only.
        !entry.last_move
            || state
                .chosen_edge
                .and_then(|(node, ..)| self.game.last_move(node))
                .is_none_or(|m| m.kind() != MoveKind::Castle)
    }

    /// The value of an operation.
    #[inline]
    pub(crate) fn value(&mut self, id: Id) -> u64 {
        let formulas = self.formulas;
        let op = &formulas.ops[id as usize];
        match op {
            Op::Constant(value) => return *value,
            Op::Value(variable) => return self.memory.variables[variable.0 as usize].0,
            _ => {}
        }
        let memo = formulas.memo_of[id as usize];
        if memo == NO_MEMO {
            return self.compute(op);
        }
        self.remembered(id, memo)
    }

    /// The value of an operation that is remembered.
    fn remembered(&mut self, id: Id, memo: u32) -> u64 {
        let formulas = self.formulas;
        let info = &formulas.infos[id as usize];
        let position = if info.here { u64::from(self.node) } else { GAME - 1 };
        let position = self.memory.game + position;
        let versions = info.variables.iter().map(|v| self.memory.variables[v.0 as usize].1);
        let version = versions.fold(0, u64::max);
        let known = self.memory.remembered[memo as usize];
        if (known.0, known.1) == (position, version) {
            return known.2;
        }
        let value = self.compute(&formulas.ops[id as usize]);
        self.memory.remembered[memo as usize] = (position, version, value);
        value
    }

    #[inline]
    fn set(&mut self, id: Id) -> Bitboard {
        Bitboard(self.value(id))
    }

    #[inline]
    fn holds(&mut self, id: Id) -> bool {
        self.value(id) != 0
    }

    /// A number of the language, if there is one.
    #[inline]
    fn number(&mut self, id: Id) -> Option<i32> {
        number(self.value(id))
    }

    /// A position, if there is one.
    #[inline]
    pub(super) fn position(&mut self, id: Id) -> Option<u32> {
        u32::try_from(self.value(id)).ok()
    }

    fn compute(&mut self, op: &Op) -> u64 {
        let board = self.game.board(self.node);
        match op {
            Op::Constant(value) => *value,
            Op::Men(men, squares) => (contents(board, *men) & *squares).0,
            Op::Value(variable) => self.memory.variables[variable.0 as usize].0,
            Op::Piece(variable) => place(self.game, self.node, self.variable(*variable)),
            Op::Union(list) => list.iter().fold(0, |all, &part| all | self.value(part)),
            Op::Intersection(list) => {
                let mut all = u64::MAX;
                for &part in list {
                    all &= self.value(part);
                    if all == 0 {
                        break;
                    }
                }
                all
            }
            Op::Complement(a) => !self.value(*a),
            Op::Attacks(from, to) => {
                let from = self.set(*from);
                if from.is_empty() {
                    return 0;
                }
                let to = self.set(*to);
                attackers_in(board, from, to).0
            }
            Op::AttackedBy(to, from) => {
                let to = self.set(*to);
                if to.is_empty() {
                    return 0;
                }
                let from = self.set(*from);
                (attacked_by(board, from) & to).0
            }
            Op::Between(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                between(a, b).0
            }
            Op::Any(a) => u64::from(self.value(*a) != 0),
            Op::Exists(a) => u64::from(self.value(*a) != NONE),
            Op::Count(a) => u64::from(self.value(*a).count_ones()),
            Op::Compare(comparison, a, b) => u64::from(self.compare(*comparison, *a, *b).is_some()),
            Op::Compared(comparison, a, b) => self.compare(*comparison, *a, *b).unwrap_or(NONE),
            Op::And(list) => u64::from(list.iter().all(|&part| self.holds(part))),
            Op::Or(list) => u64::from(list.iter().any(|&part| self.holds(part))),
            Op::Not(a) => u64::from(!self.holds(*a)),
            Op::SameSet(a, b) => u64::from(self.value(*a) == self.value(*b)),
            Op::Subset(a, b) => u64::from(self.value(*a) & !self.value(*b) == 0),
            Op::Some(inner) => u64::from(self.turns(inner, Until::Holds) != 0),
            Op::Loop(inner) => self.turns(inner, Until::End),
            Op::All(inner) => self.turns(inner, Until::Fails),
            Op::Choose(condition, then, otherwise) => match self.holds(*condition) {
                true => self.value(*then),
                false => self.value(*otherwise),
            },
            Op::If(condition, then, otherwise) => match self.holds(*condition) {
                true => self.value(*then),
                false => *otherwise,
            },
            Op::At(place, inner, otherwise) => match self.position(*place) {
                Some(node) => {
                    let here = std::mem::replace(&mut self.node, node);
                    let bound = self.bound_move.take();
                    let value = self.value(*inner);
                    self.node = here;
                    self.bound_move = bound;
                    value
                }
                None => *otherwise,
            },
            Op::Family { fold, template, table } => self.family(*fold, *template, *table),
            Op::Find(backward, condition) => self.find(*backward, *condition),
            Op::From | Op::To => {
                let edge = self.game.edge(self.node);
                edge.map_or(0, |edge| if matches!(op, Op::From) { edge.from.0 } else { edge.to.0 })
            }
            Op::Dash {
                from,
                to,
                capture,
                promotion,
                target,
            } => self.dash([*from, *to], *capture, *promotion, *target),
            Op::Move(m) => self.move_squares(m),
            _ => self.compute_rarer(op),
        }
    }

    /// The operations that take longer or are met less often.
    #[inline(never)]
    fn compute_rarer(&mut self, op: &Op) -> u64 {
        let board = self.game.board(self.node);
        match op {
            Op::Along(directions, min, max, a) => along(self.set(*a), *directions, *min, *max).0,
            Op::Ray(directions, list) => self.rays(RayDirections::Given(*directions), list).1.0,
            Op::Xray(list, gives_first) => {
                let (starts, ends) = self.rays(RayDirections::OfPiece, list);
                if *gives_first { starts.0 } else { ends.0 }
            }
            Op::Pin([from, through, to], value) => {
                let (from, through, to) = (self.set(*from), self.set(*through), self.set(*to));
                let [pinners, pinned, targets] = pins(board, from, through, to);
                match value {
                    PinValue::From => pinners.0,
                    PinValue::Through => pinned.0,
                    PinValue::To => targets.0,
                }
            }
            Op::Kings => board.role(Role::King).0,
            Op::Pawns(structure) => pawn_structure(board, *structure).0,
            Op::Legal(legality, from, to) => {
                let mut all = Bitboard::EMPTY;
                self.visit_legal(*legality, *from, *to, |to| all |= to);
                all.0
            }
            Op::CountLegal(legality, from, to) => {
                let mut count = 0;
                self.visit_legal(*legality, *from, *to, |to| count += square_count(to));
                of_number(count)
            }
            Op::MakeSquare(file, rank) => {
                let (file, rank) = (self.value(*file), self.value(*rank));
                make_square(file, rank)
            }
            Op::Power(a) => of_number(power_of(board, self.set(*a))),
            Op::File(a) => file_of(self.value(*a)),
            Op::Rank(a) => rank_of(self.value(*a)),
            Op::Type(a) => of_option(self.single_man(*a).map(type_of)),
            Op::ColorType(a) => of_option(self.single_man(*a).map(|man| match man.color() {
                Some(Color::Black) => -type_of(man),
                _ => type_of(man),
            })),
            Op::Letter(with_color, a) => {
                let set = self.value(*a);
                letter(board, *with_color, set)
            }
            Op::Arithmetic(op, a, b) => {
                let (Some(a), Some(b)) = (self.number(*a), self.number(*b)) else {
                    return NONE;
                };
                of_option(arithmetic(*op, a, b))
            }
            Op::Negate(a) => of_option(self.number(*a).map(i32::wrapping_neg)),
            Op::Abs(a) => of_option(self.number(*a).map(i32::wrapping_abs)),
            Op::Sqrt(a) => of_option(self.number(*a).filter(|&n| n >= 0).map(i32::isqrt)),
            Op::Extremum(largest, list) => {
                let mut best = None;
                for &part in list {
                    let value = self.number(part);
                    best = match (best, value) {
                        (Some(best), Some(value)) if *largest => Some(i32::max(best, value)),
                        (Some(best), Some(value)) => Some(i32::min(best, value)),
                        (best, value) => best.or(value),
                    };
                }
                of_option(best)
            }
            Op::Holding(list) => list.iter().map(|&part| self.value(part)).sum(),
            Op::Folded(orbit) => self.orbits.count_of(*orbit, board).map_or(NONE, u64::from),
            Op::Within(a, min, max) => {
                let number = self.number(*a);
                of_option(number.filter(|number| min <= number && number <= max))
            }
            Op::Ply => of_number(number_of(self.game.ply(self.node))),
            Op::MoveNumber => of_number(number_of(self.game.move_number(self.node))),
            Op::PositionId => of_number(number_of(self.node)),
            Op::SideToMove => of_number(board.turn().fold_wb(1, -1)),
            Op::Here => u64::from(self.node),
            Op::Parent => self.game.parent(self.node).map_or(NONE, u64::from),
            Op::Child => self.game.primary_child(self.node).map_or(NONE, u64::from),
            Op::PositionAt(a) => {
                let id = self.number(*a).and_then(|id| u32::try_from(id).ok());
                let id = id.filter(|&id| (id as usize) < self.game.len());
                id.map_or(NONE, u64::from)
            }
            Op::Turn(color) => u64::from(board.turn() == *color),
            Op::Check => u64::from(board.is_attacked(board.turn())),
            Op::Mate => u64::from(board.is_attacked(board.turn()) && !self.can_move()),
            Op::Stalemate => {
                u64::from(self.game.is_terminal(self.node) && !board.is_attacked(board.turn()) && !self.can_move())
            }
            Op::Initial => u64::from(self.node == 0),
            Op::Terminal => u64::from(self.game.is_terminal(self.node)),
            Op::Mainline => u64::from(self.game.depth(self.node) == 0),
            other => unreachable!("{other:?} is computed above"),
        }
    }

    /// The left side, if the comparison holds.
    #[inline]
    fn compare(&mut self, comparison: Comparison, a: Id, b: Id) -> Option<u64> {
        let (left, right) = (self.value(a), self.value(b));
        if left == NONE || right == NONE {
            return None;
        }
        let holds = match comparison {
            Comparison::Ancestor
            | Comparison::AncestorOrEqual
            | Comparison::Descendant
            | Comparison::DescendantOrEqual => {
                let (Ok(a), Ok(b)) = (u32::try_from(left), u32::try_from(right)) else {
                    return None;
                };
                match comparison {
                    Comparison::Ancestor => a != b && self.game.is_within(b, a),
                    Comparison::AncestorOrEqual => self.game.is_within(b, a),
                    Comparison::Descendant => a != b && self.game.is_within(a, b),
                    _ => self.game.is_within(a, b),
                }
            }
            other => ordered(other, &left.cast_signed(), &right.cast_signed()),
        };
        holds.then_some(left)
    }

    /// The value of a variable.
    #[inline]
    pub(super) fn variable(&self, variable: VariableId) -> u64 {
        self.memory.variables[variable.0 as usize].0
    }

    /// Runs a loop whose turns can be computed side by side, some turns at a time.
    fn turns_in_lanes(&mut self, inner: &Loop, until: Until) -> u64 {
        let (mut found, mut found_all) = (Bitboard::EMPTY, true);
        let mut squares = [0u8; 64];
        let mut values = [0u64; 64];
        let mut count = 0;
        for square in self.set(inner.domain) {
            let value = match inner.pieces {
                true => match self.game.identity(self.node, square) {
                    Some(id) => u64::from(id),
                    None => continue,
                },
                false => Bitboard::from_square(square).0,
            };
            (squares[count], values[count]) = (u8::from(square), value);
            count += 1;
        }
        let mut from = 0;
        while from < count {
            if self.is_due() {
                break;
            }
            // The first turns often decide.
            if until == Until::Fails && from < FIRST_TURNS {
                self.memory.set(inner.variable, values[from]);
                if !self.holds(inner.body) {
                    return 0;
                }
                from += 1;
                continue;
            }
            let to = match from {
                0 | FIRST_TURNS => count.min(from + FIRST_LANES),
                _ => count,
            };
            let lanes = Lanes {
                count: to - from,
                table: &[],
                variable: Some((inner.variable, &values[from..to])),
                first: None,
            };
            let holding = self.lanes(inner.body, lanes);
            for (&square, &holds) in squares[from..to].iter().zip(&holding) {
                if holds != 0 {
                    found.0 |= 1 << square;
                }
                found_all &= holds != 0;
            }
            self.give_back(holding);
            let decided = match until {
                Until::End => false,
                Until::Holds => found.any(),
                Until::Fails => !found_all,
            };
            if decided {
                break;
            }
            from = to;
        }
        match until {
            Until::Fails => u64::from(found_all),
            _ => found.0,
        }
    }

    /// Runs a loop: the squares for which its body holds, as far as it goes; for all, whether it holds for all.
    fn turns(&mut self, inner: &Loop, until: Until) -> u64 {
        if inner.side_by_side {
            return self.turns_in_lanes(inner, until);
        }
        let mut found = Bitboard::EMPTY;
        for square in self.set(inner.domain) {
            if self.is_due() {
                break;
            }
            let value = match inner.pieces {
                true => match self.game.identity(self.node, square) {
                    Some(id) => u64::from(id),
                    None => continue,
                },
                false => Bitboard::from_square(square).0,
            };
            self.memory.set(inner.variable, value);
            match self.holds(inner.body) {
                true => found.add(square),
                false if until == Until::Fails => return 0,
                false => continue,
            }
            if until == Until::Holds {
                break;
            }
        }
        match until {
            Until::Fails => 1,
            _ => found.0,
        }
    }

    fn is_stopped(&mut self) -> bool {
        let stop = self.limits.stop.as_ref();
        self.stopped |= stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
        self.stopped
    }

    fn find(&mut self, backward: bool, condition: Id) -> u64 {
        let (here, bound) = (self.node, self.bound_move.take());
        let found = match backward {
            true => self.find_backward(condition),
            false => self.find_forward(condition),
        };
        self.node = here;
        self.bound_move = bound;
        found.map_or(NONE, u64::from)
    }

    fn find_backward(&mut self, condition: Id) -> Option<u32> {
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.is_due() {
                break;
            }
            self.node = node;
            if self.holds(condition) {
                return Some(node);
            }
            next = self.game.parent(node);
        }
        None
    }

    /// Some positions at a time.
    fn find_forward(&mut self, condition: Id) -> Option<u32> {
        let last = self.game.last_descendant(self.node);
        let mut from = self.node;
        let mut count = 4;
        while from <= last && !self.is_due() {
            let lanes = Lanes {
                count: count.min((last - from) as usize + 1),
                table: &[],
                variable: None,
                first: Some(from),
            };
            let holding = self.lanes(condition, lanes);
            let found = (from..)
                .zip(&holding)
                .find(|&(_, &holds)| holds != 0)
                .map(|(node, _)| node);
            let tested = holding.len();
            self.give_back(holding);
            if found.is_some() {
                return found;
            }
            from += u32::try_from(tested).unwrap_or(u32::MAX);
            count = 32;
        }
        None
    }

    /// Counts a turn, and looks at times whether the query is to be stopped.
    fn is_due(&mut self) -> bool {
        self.memory.turns += 1;
        self.memory.turns.is_multiple_of(TURNS) && self.is_stopped()
    }

    /// The squares that a `move` filter names.
    fn move_squares(&mut self, m: &MoveOp) -> u64 {
        let game = self.game;
        let (mut sets, mut all) = ([None; 4], 0);
        if let Some((_, child)) = self.bound_move.filter(|&(node, _)| node == self.node) {
            return self.squares_of_move(m, child, &mut sets);
        }
        for child in game.children(self.node) {
            all |= self.squares_of_move(m, child, &mut sets);
        }
        all
    }

    /// The squares of one move, none if it is not accepted. Sets are evaluated when they are asked for first.
    fn squares_of_move(&mut self, m: &MoveOp, child: u32, sets: &mut [Option<u64>; 4]) -> u64 {
        let Some(edge) = self.game.edge(child) else { return 0 };
        let is_en_passant = edge.packed.kind() == MoveKind::EnPassant;
        let plain = m.primary.is_none_or(|primary| self.game.is_secondary(child) != primary)
            && (!m.en_passant || is_en_passant)
            && (!m.null || edge.is_null())
            && m.castle.is_none_or(|side| edge.castles(side))
            && m.promote.is_none_or(|men| edge.promotes_to(men));
        if !plain {
            return 0;
        }
        let (from, to) = edge.leader();
        let squares = [
            Some(from),
            Some(to),
            edge.capture,
            edge.capture.filter(|_| is_en_passant),
        ];
        for ((set, known), square) in m.squares.into_iter().zip(sets).zip(squares) {
            let Some(set) = set else { continue };
            let set = match *known {
                Some(set) => set,
                None => *known.insert(self.value(set)),
            };
            if !square.is_some_and(|square| Bitboard(set).contains(square)) {
                return 0;
            }
        }
        let one = |square| Bitboard::from_square(square).0;
        match m.value {
            MoveValue::From => one(from),
            MoveValue::To => one(to),
            MoveValue::Capture => edge.capture.map_or(0, one),
            _ => u64::MAX,
        }
    }

    fn can_move(&self) -> bool {
        let mut found = false;
        Moves::new(self.game, self.node, Legality::Legal).visit(Bitboard::FULL, |_, _, _| {
            found = true;
            false
        });
        found
    }

    /// The squares of the first move that a dash accepts, as far as its target names them; none if there is no such
    /// move.
    fn dash(&mut self, [from, to]: [Id; 2], capture: bool, promotion: Option<ManSet>, target: Target) -> u64 {
        let game = self.game;
        let mut operands = None;
        for child in game.children(self.node) {
            let Some(edge) = game.edge(child) else { continue };
            let (from, to) = match operands {
                Some(operands) => operands,
                None => *operands.insert((self.set(from), self.set(to))),
            };
            let Some((from, to)) = edge.accepted(from, to, capture, promotion) else {
                continue;
            };
            let kind = edge.packed.kind();
            match target {
                Target::From => return from.0,
                Target::To => return to.0,
                Target::EnPassant if kind != MoveKind::EnPassant => {}
                Target::Castle if kind != MoveKind::Castle => {}
                _ => return u64::MAX,
            }
        }
        0
    }

    fn visit_legal(&mut self, legality: Legality, from: Id, to: Id, mut take: impl FnMut(Bitboard)) {
        let (from, targets) = (self.set(from), self.set(to));
        Moves::new(self.game, self.node, legality).visit(from, |_, to, _| {
            take(to & targets);
            true
        });
    }

    fn rays(&mut self, directions: RayDirections, list: &[Id]) -> (Bitboard, Bitboard) {
        let mut sets = [Bitboard::EMPTY; 8];
        // More squares than a line has are reached by no ray.
        if list.len() > sets.len() {
            return (Bitboard::EMPTY, Bitboard::EMPTY);
        }
        for (set, &part) in sets.iter_mut().zip(list) {
            *set = self.set(part);
        }
        rays(self.game.board(self.node), directions, &sets[..list.len()])
    }

    fn single_man(&mut self, set: Id) -> Option<Man> {
        let square = self.set(set).single_square();
        square.map(|square| self.game.board(self.node).at(square))
    }
}

/// When a loop ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// After the last square.
    End,
    /// At the first square for which its body holds.
    Holds,
    /// At the first square for which its body fails.
    Fails,
}

/// The number that a value stands for.
#[inline]
pub(crate) fn number(value: u64) -> Option<i32> {
    i32::try_from(value.cast_signed()).ok()
}

#[inline]
fn of_number(number: i32) -> u64 {
    i64::from(number).cast_unsigned()
}

#[inline]
pub(super) fn of_option(number: Option<i32>) -> u64 {
    number.map_or(NONE, of_number)
}

/// The number of the file of the only square of a set.
pub(super) fn file_of(set: u64) -> u64 {
    let square = Bitboard(set).single_square();
    of_option(square.map(|square| i32::from(square.file()) + 1))
}

/// The number of the rank of the only square of a set.
pub(super) fn rank_of(set: u64) -> u64 {
    let square = Bitboard(set).single_square();
    of_option(square.map(|square| i32::from(square.rank()) + 1))
}

/// The square with these coordinates, counted from 1, if there is one.
pub(super) fn make_square(file: u64, rank: u64) -> u64 {
    let index = |n: u64| {
        let n = number(n)?.checked_sub(1)?;
        u32::try_from(n).ok().filter(|&n| n < 8)
    };
    match (index(file), index(rank)) {
        (Some(file), Some(rank)) => Bitboard::from_square(Square::from_coords(File::new(file), Rank::new(rank))).0,
        _ => 0,
    }
}

/// The letter of the man on the only square of a set, in capitals if without color.
pub(super) fn letter(board: &Board, with_color: bool, set: u64) -> u64 {
    let letter = |man: Man| match with_color {
        true => man.letter(),
        false => man.role().map_or('_', Role::upper_char),
    };
    let square = Bitboard(set).single_square();
    square.map_or(NONE, |square| u64::from(letter(board.at(square))))
}

/// Where the piece with an identity number stands.
#[inline]
pub(super) fn place(game: &GameView, node: u32, id: u64) -> u64 {
    let place = u8::try_from(id).ok().and_then(|id| game.find_piece(node, id));
    place.map_or(0, |square| Bitboard::from_square(square).0)
}
