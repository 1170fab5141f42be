//! Formulas at a position.

mod effects;
mod lanes;
mod paths;
mod rarer;
mod search;
mod sums;

use chess::{Board, Man, MoveKind};
use language::hir::{Comparison, MoveValue, VariableId};
use shakmaty::{Bitboard, File, Rank, Role, Square};

use self::search::Until;
use super::{Code, DashOp, Entry, Formulas, Id, MoveOp, NO_MEMO, NONE, Op, Target, Way};
use crate::board::{attacked_in, attackers_in, between, contents, same_contents};
use crate::game::GameView;
use crate::limits::Limits;
use crate::orbits::Orbits;
use crate::state::State;
use crate::value::{Value, arithmetic, ordered, square_root};

/// How many positions a game has at most, so that all positions of all games have keys of their own.
const GAME: u64 = 1 << 32;

/// What is known of a variable.
#[derive(Clone, Copy, Debug)]
struct Known {
    value: u64,
    /// Larger for each new value of any variable.
    version: u64,
    is_bound: bool,
    /// Whether this evaluation has changed it.
    is_changed: bool,
}

/// What is remembered from one evaluation to the next.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    /// By variable.
    variables: Vec<Known>,
    version: u64,
    /// Remembered values: the position, the version of the newest variable, the value.
    remembered: Vec<(u64, u64, u64)>,
    /// The key of the game's first position.
    game: u64,
    turns: u64,
    /// Spare buffers for values side by side.
    pub(super) buffers: Vec<Vec<u64>>,
    /// Values at the positions that are computed side by side, by operation, while they are of use again.
    columns: Option<Vec<(Id, Vec<u64>)>>,
}

impl Memory {
    /// Forgets the last game.
    pub(crate) fn start_game(&mut self, formulas: &Formulas) {
        self.game += GAME;
        let nothing = Known {
            value: NONE,
            version: 0,
            is_bound: false,
            is_changed: false,
        };
        // One more than there are: it never changes.
        self.variables.resize(formulas.variables + 1, nothing);
        self.remembered.resize(formulas.keys.len(), (u64::MAX, 0, 0));
        // Pieces of another game have the same numbers.
        self.version += 1;
        let version = self.version;
        self.variables.iter_mut().for_each(|known| known.version = version);
    }

    /// Forgets the last position, the place of which another one takes.
    pub(crate) fn next_position(&mut self) {
        self.game += GAME;
    }

    fn set(&mut self, variable: VariableId, value: u64) {
        self.version += 1;
        let known = &mut self.variables[variable.0 as usize];
        (known.value, known.version, known.is_bound) = (value, self.version, true);
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
    /// Where the path begins that is being matched, or was matched last, and how many moves in focus it has.
    pub(crate) path: Option<(u32, i32)>,
    /// Whether the value is of no use: the query is to be stopped, or an error may have to be raised.
    pub(crate) given_up: bool,
}

impl<'r> Runner<'r> {
    /// The board of the position.
    #[inline]
    fn board(&self) -> &'r Board {
        self.game.board(self.node)
    }

    /// Takes over the variables; false if the formula can't be used with them as they are. The variable `later` gets its
    /// values later and need not have one.
    #[inline]
    pub(crate) fn enter(&mut self, entry: &Entry, state: &State, later: Option<VariableId>) -> bool {
        for &variable in &entry.bound {
            if state.variables[variable.0 as usize].is_some() {
                return false;
            }
        }
        for &variable in &entry.free {
            if Some(variable) == later {
                continue;
            }
            let Some(value) = state.variables[variable.0 as usize].as_ref().and_then(word_of) else {
                return false;
            };
            self.memory.update(variable, value);
        }
        if entry.has_effects() && !self.take_over(entry, state) {
            return false;
        }
        if entry.follows && self.game.has_variations() {
            return false;
        }
        // The target of a castling move sees some of its squares only.
        !entry.last_move
            || state
                .chosen_edge
                .and_then(|(node, ..)| self.game.last_move(node))
                .is_none_or(|m| m.kind() != MoveKind::Castle)
    }

    /// The value of an operation.
    #[inline(always)]
    pub(crate) fn value(&mut self, id: Id) -> u64 {
        let formulas = self.formulas;
        let code = &formulas.code[id as usize];
        match code.op {
            Op::Constant(value) => value,
            Op::Value(variable) => self.variable(variable),
            _ => self.evaluate(code),
        }
    }

    #[inline(never)]
    fn evaluate(&mut self, code: &Code) -> u64 {
        match code.memo {
            NO_MEMO => self.compute(code),
            _ => self.remembered(code),
        }
    }

    /// The value of an operation that is remembered.
    #[inline(never)]
    fn remembered(&mut self, code: &Code) -> u64 {
        let memo = code.memo;
        let key = &self.formulas.keys[memo as usize];
        let variables = &self.memory.variables;
        let position = if key.here { u64::from(self.node) } else { GAME - 1 };
        let position = self.memory.game + position;
        let version = |variable: VariableId| variables[variable.0 as usize].version;
        let few = key.few.map(version);
        let version = key.more.iter().copied().map(version).fold(few[0].max(few[1]), u64::max);
        let known = self.memory.remembered[memo as usize];
        if (known.0, known.1) == (position, version) {
            return known.2;
        }
        let value = self.compute(code);
        if !self.given_up {
            self.memory.remembered[memo as usize] = (position, version, value);
        }
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

    /// What is found at another position, where no move is bound.
    #[inline]
    fn at<T>(&mut self, node: u32, find: impl FnOnce(&mut Self) -> T) -> T {
        let here = std::mem::replace(&mut self.node, node);
        let bound = self.bound_move.take();
        let found = find(self);
        (self.node, self.bound_move) = (here, bound);
        found
    }

    #[inline]
    fn compute(&mut self, code: &Code) -> u64 {
        match code.way {
            Way::Quick => self.compute_quick(&code.op),
            Way::More => self.compute_more(&code.op),
            Way::Rarer => self.compute_rarer(&code.op),
        }
    }

    /// The operations that are quick, or only ask for others.
    #[inline(never)]
    fn compute_quick(&mut self, op: &Op) -> u64 {
        match op {
            Op::Constant(value) => *value,
            Op::Value(variable) => self.variable(*variable),
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
            Op::Any(a) => u64::from(self.value(*a) != 0),
            Op::Exists(a) => u64::from(self.value(*a) != NONE),
            Op::Unused(_, a) => self.value(*a),
            Op::Count(a) => u64::from(self.value(*a).count_ones()),
            Op::File(a) => file_of(self.value(*a)),
            Op::Rank(a) => rank_of(self.value(*a)),
            Op::Arithmetic(op, a, b) => {
                let (Some(a), Some(b)) = (self.number(*a), self.number(*b)) else {
                    return NONE;
                };
                of_option(arithmetic(*op, a, b))
            }
            Op::Abs(a) => of_option(self.number(*a).map(i32::wrapping_abs)),
            Op::Sqrt(a) => of_option(self.number(*a).and_then(square_root)),
            Op::Compare(comparison, a, b) => u64::from(self.compare(*comparison, *a, *b).is_some()),
            Op::Compared(comparison, a, b) => self.compare(*comparison, *a, *b).unwrap_or(NONE),
            Op::And(list) | Op::Sequence(list) => u64::from(list.iter().all(|&part| self.holds(part))),
            Op::Or(list) => u64::from(list.iter().any(|&part| self.holds(part))),
            Op::Not(a) => u64::from(!self.holds(*a)),
            Op::SameSet(a, b) => u64::from(self.value(*a) == self.value(*b)),
            Op::Subset(a, b) => u64::from(self.value(*a) & !self.value(*b) == 0),
            Op::Assign(variable, value) => self.assign(*variable, *value),
            Op::AssignSet(variable, set) => self.assign_set(*variable, *set),
            Op::Choose(condition, then, otherwise) => match self.holds(*condition) {
                true => self.value(*then),
                false => self.value(*otherwise),
            },
            Op::If(condition, then, otherwise) => match self.holds(*condition) {
                true => self.value(*then),
                false => *otherwise,
            },
            other => unreachable!("{other:?} is not quick"),
        }
    }

    /// The operations that look at boards or moves, or ask for the same again and again.
    #[inline(never)]
    fn compute_more(&mut self, op: &Op) -> u64 {
        match op {
            Op::Piece(variable) => place(self.game, self.node, self.variable(*variable)),
            Op::PathStart => self.path.map_or(NONE, |(start, _)| u64::from(start)),
            Op::PathCount => self.path.map_or(NONE, |(_, count)| of_number(count)),
            Op::Men(men, squares) => (contents(self.board(), *men) & *squares).0,
            Op::Attacks(from, to) => {
                let from = self.set(*from);
                if from.is_empty() {
                    return 0;
                }
                let to = self.set(*to);
                attackers_in(self.board(), from, to).0
            }
            Op::AttackedBy(to, from) => {
                let to = self.set(*to);
                if to.is_empty() {
                    return 0;
                }
                let from = self.set(*from);
                attacked_in(self.board(), from, to).0
            }
            Op::Between(a, b) => {
                let (a, b) = (self.set(*a), self.set(*b));
                between(a, b).0
            }
            Op::Some(inner) if inner.to_the_end => u64::from(self.turns(inner, Until::End) != 0),
            Op::Some(inner) => u64::from(self.turns(inner, Until::Holds) != 0),
            Op::Loop(inner) => self.turns(inner, Until::End),
            Op::All(inner) => self.turns(inner, Until::Fails),
            Op::At(place, inner, otherwise) => match self.position(*place) {
                Some(node) => self.at(node, |runner| runner.value(*inner)),
                None => *otherwise,
            },
            Op::Family { fold, template, table } => self.family(*fold, *template, *table),
            Op::Find(backward, condition) => self.find(*backward, *condition),
            Op::From | Op::To => {
                let edge = self.game.edge(self.node);
                edge.map_or(0, |edge| if matches!(op, Op::From) { edge.from.0 } else { edge.to.0 })
            }
            Op::Dash(dash) => self.dash(dash),
            Op::Move(m) => self.move_squares(m),
            Op::Path(path) => self.path(path),
            other => unreachable!("{other:?} is rarer"),
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
        let known = &self.memory.variables[variable.0 as usize];
        debug_assert!(known.is_bound, "a formula is not entered without its variables");
        known.value
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

    /// The squares of the first move that a dash accepts, as far as its target names them; none if there is no such
    /// move.
    fn dash(&mut self, dash: &DashOp) -> u64 {
        let game = self.game;
        if dash.is_last {
            let child = self.node;
            let Some(parent) = game.parent(child) else { return 0 };
            let operands = self.at(parent, |runner| (runner.set(dash.from), runner.set(dash.to)));
            return self.squares_of_dash(dash, operands, child);
        }
        let mut operands = None;
        for child in game.children(self.node) {
            let operands = match operands {
                Some(operands) => operands,
                None => *operands.insert((self.set(dash.from), self.set(dash.to))),
            };
            let squares = self.squares_of_dash(dash, operands, child);
            if squares != 0 {
                return squares;
            }
        }
        0
    }

    /// The squares of the move to a child that the target of a dash names, none if it is not accepted.
    fn squares_of_dash(&mut self, dash: &DashOp, (from, to): (Bitboard, Bitboard), child: u32) -> u64 {
        let Some(edge) = self.game.edge(child) else { return 0 };
        let Some((from, to)) = edge.accepted(from, to, dash.capture, dash.promotion) else {
            return 0;
        };
        if let Some(then) = dash.then
            && !self.at(child, |runner| runner.holds(then))
        {
            return 0;
        }
        match dash.target {
            Target::From => from.0,
            Target::To => to.0,
            Target::EnPassant if edge.packed.kind() != MoveKind::EnPassant => 0,
            Target::Castle(side) if !edge.castles(side) => 0,
            _ => u64::MAX,
        }
    }
}

impl Way {
    /// How an operation is computed.
    pub(super) fn of(op: &Op) -> Way {
        match op {
            Op::Constant(_)
            | Op::Value(_)
            | Op::Union(_)
            | Op::Intersection(_)
            | Op::Complement(_)
            | Op::Any(_)
            | Op::Exists(_)
            | Op::Unused(..)
            | Op::Count(_)
            | Op::File(_)
            | Op::Rank(_)
            | Op::Arithmetic(..)
            | Op::Abs(_)
            | Op::Sqrt(_)
            | Op::Compare(..)
            | Op::Compared(..)
            | Op::And(_)
            | Op::Sequence(_)
            | Op::Or(_)
            | Op::Not(_)
            | Op::SameSet(..)
            | Op::Subset(..)
            | Op::Assign(..)
            | Op::AssignSet(..)
            | Op::Choose(..)
            | Op::If(..) => Way::Quick,
            Op::Piece(_)
            | Op::PathStart
            | Op::PathCount
            | Op::Men(..)
            | Op::Attacks(..)
            | Op::AttackedBy(..)
            | Op::Between(..)
            | Op::Some(_)
            | Op::Loop(_)
            | Op::All(_)
            | Op::At(..)
            | Op::Family { .. }
            | Op::Find(..)
            | Op::From
            | Op::To
            | Op::Dash(_)
            | Op::Move(_)
            | Op::Path(_) => Way::More,
            _ => Way::Rarer,
        }
    }
}

/// What stands for the value of a variable, if something does.
#[inline]
fn word_of(value: &Value) -> Option<u64> {
    Some(match value {
        Value::Set(set) => set.0,
        Value::Piece(id) => u64::from(*id),
        Value::Number(number) => i64::from(*number).cast_unsigned(),
        Value::Position(node) => u64::from(*node),
        Value::Text(_) | Value::Logical(_) => return None,
    })
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

/// The squares with the same contents at two positions; none if there is no such position.
pub(super) fn squares_in_common(game: &GameView, a: u64, b: u64) -> u64 {
    match (u32::try_from(a), u32::try_from(b)) {
        (Ok(a), Ok(b)) => same_contents(game.board(a), game.board(b)).0,
        _ => 0,
    }
}

/// Where the piece with an identity number stands.
#[inline]
pub(super) fn place(game: &GameView, node: u32, id: u64) -> u64 {
    let place = u8::try_from(id).ok().and_then(|id| game.find_piece(node, id));
    place.map_or(0, |square| Bitboard::from_square(square).0)
}
