//! Filters that are asked in positions that were not in the game (docs/language/cqli.md#imagined-positions).
//!
//! Such a position is the last one of another game: the moves that led to the current position, and the imagined one
//! behind it. So all that depends on earlier moves, such as castling, is what it would be had the game gone on that way.

use chess::{Man, MoveKind, PackedMove};
use language::hir::{Change, Filter, Kind, MoveFilter, MoveValue, Node};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use crate::answer::{Answer, Want};
use crate::error::Eval;
use crate::game::{Aim, Checks, Edge, Manner};
use crate::machine::Machine;
use crate::tables::Imagined;
use crate::value::Value;

/// What a pawn may become, the usual first.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// A change of the board whose squares are known.
#[derive(Clone, Copy, Debug)]
enum Edit {
    Remove(Bitboard),
    Add(Man, Bitboard),
    Move(Square, Square),
    Turn(Color),
}

impl<'a, 'g> Machine<'a, 'g> {
    // --- move ... : F

    /// Whether F matches behind one of the moves, or all of them.
    pub(crate) fn after_move_matches(
        &mut self,
        filter: &'a Filter,
        moves: &'a Filter,
        all: bool,
        target: &'a Filter,
    ) -> Eval<bool> {
        let mut found = all;
        self.visit_targets(filter, moves, target, &mut |_, holds| {
            if holds != all {
                found = holds;
            }
            holds == all
        })?;
        Ok(found)
    }

    /// The squares that the first parameter of the `move` filter names, of the moves behind which F matches.
    pub(crate) fn after_move_squares(
        &mut self,
        filter: &'a Filter,
        moves: &'a Filter,
        target: &'a Filter,
    ) -> Eval<Bitboard> {
        let mut squares = Bitboard::EMPTY;
        let value = move_filter(moves).map_or(MoveValue::Logical, |m| m.value);
        self.visit_targets(filter, moves, target, &mut |edge, holds| {
            if holds {
                squares.extend(match value {
                    MoveValue::From => Some(edge.leader().0),
                    MoveValue::Capture => edge.capture,
                    _ => Some(edge.leader().1),
                });
            }
            true
        })?;
        Ok(squares)
    }

    /// How many moves there are behind which F matches; with `all` none, unless it matches behind all of them.
    pub(crate) fn after_move_count(
        &mut self,
        filter: &'a Filter,
        moves: &'a Filter,
        all: bool,
        target: &'a Filter,
    ) -> Eval<Option<i32>> {
        let (mut count, mut fails) = (0, false);
        self.visit_targets(filter, moves, target, &mut |_, holds| {
            count += i32::from(holds);
            fails |= all && !holds;
            !fails
        })?;
        Ok((!fails).then_some(count))
    }

    /// Calls `take` with each move, and whether F matches behind it, until it gives false.
    fn visit_targets(
        &mut self,
        filter: &'a Filter,
        moves: &'a Filter,
        target: &'a Filter,
        take: &mut dyn FnMut(&Edge, bool) -> bool,
    ) -> Eval<()> {
        let Some(m) = move_filter(moves) else { return Ok(()) };
        let Some(legality) = m.legality else {
            return self.visit_played(m, target, take);
        };
        let aim = self.guards.aim(filter);
        let checks = match aim {
            Aim::Any => None,
            Aim::Check | Aim::Mate => Checks::new(self.game, self.node, aim, legality),
        };
        let edges = self.possible_edges(m, checks.as_ref())?;
        if edges.is_empty() {
            return Ok(());
        }
        let mut imagined = self.tables.take_imagined();
        imagined.begin(self.game, self.node, self.formulas);
        for edge in edges {
            self.step(filter.span)?;
            imagined.game.push_move(edge.packed);
            let holds = self.there(&mut imagined, |machine| machine.matches(target))?;
            imagined.game.pop();
            if !take(&edge, holds) {
                break;
            }
        }
        self.tables.keep_imagined(imagined);
        Ok(())
    }

    /// The same for the moves of the game.
    fn visit_played(
        &mut self,
        m: &'a MoveFilter,
        target: &'a Filter,
        take: &mut dyn FnMut(&Edge, bool) -> bool,
    ) -> Eval<()> {
        let head = self.node;
        let bound = self.state.bound_move.filter(|&(bound, _)| bound == head);
        let game = self.game;
        for child in game.children(head) {
            if bound.is_some_and(|(_, bound)| bound != child) {
                continue;
            }
            let Some(edge) = self.game.edge(child) else { continue };
            if self.satisfies(m, &edge, child)? {
                let outer = self.state.chosen_edge.take();
                let holds = self.elsewhere(child, |machine| machine.matches(target));
                self.state.chosen_edge = outer;
                if !take(&edge, holds?) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The possible moves that a `move` filter accepts, or those that may give check or mate; each promotion is a move.
    fn possible_edges(&mut self, m: &'a MoveFilter, checks: Option<&Checks<'_>>) -> Eval<Vec<Edge>> {
        let captured = match &m.capture {
            Some(capture) => Some(self.set(capture)?),
            None => None,
        };
        let board = self.board();
        let mut edges = Vec::new();
        let among = checks.map_or(Bitboard::FULL, |checks| checks.movers(board.color(board.turn())));
        self.possible_among(m, among, |from, to, manner| {
            let to = checks.map_or(to, |checks| checks.targets(from, to, manner));
            for to in to {
                for packed in packed_moves(board.at(from), from, to, manner).into_iter().flatten() {
                    let edge = Edge::new(packed, board.at(packed.to()) != Man::EMPTY);
                    let captures = captured.is_none_or(|set| edge.capture.is_some_and(|square| set.contains(square)));
                    if captures && m.promote.is_none_or(|men| edge.promotes_to(men)) {
                        edges.push(edge);
                    }
                }
            }
            true
        })?;
        Ok(edges)
    }

    // --- imagine

    /// `imagine CHANGES : F`: the answer of F in the changed position.
    pub(crate) fn imagine<T: Answer<'g>>(&mut self, changes: &'a [Change], target: &'a Filter) -> Eval<T> {
        let Some(edits) = self.edits(changes)? else {
            return Ok(T::failure());
        };
        let mut imagined = self.tables.take_imagined();
        imagined.begin(self.game, self.node, self.formulas);
        let game = &mut imagined.game;
        game.push_copy();
        for edit in edits {
            match edit {
                Edit::Remove(squares) => squares.into_iter().for_each(|square| game.remove_man(square)),
                Edit::Add(man, squares) => squares.into_iter().for_each(|square| game.add_man(square, man)),
                Edit::Move(from, to) => game.move_man(from, to),
                Edit::Turn(color) => game.set_turn(color),
            }
        }
        let value = self.there(&mut imagined, |machine| {
            if T::WANT == Want::Truth || target.kind == Kind::Logical {
                return Ok(machine.matches(target)?.then_some(Value::Logical(true)));
            }
            machine.value(target)
        })?;
        imagined.game.pop();
        self.tables.keep_imagined(imagined);
        Ok(T::of_value(value))
    }

    /// The changes with their squares, as they are in the current position; `None` where one can't be made.
    fn edits(&mut self, changes: &'a [Change]) -> Eval<Option<Vec<Edit>>> {
        let mut edits = Vec::with_capacity(changes.len());
        let mut turn = self.board().turn();
        for change in changes {
            edits.push(match change {
                Change::Remove(squares) => Edit::Remove(self.set(squares)?),
                Change::Add { man, squares } => {
                    let squares = match squares {
                        Some(squares) => self.set(squares)?,
                        None => man.squares,
                    };
                    let Some(man) = man.men.iter().next() else {
                        return Ok(None);
                    };
                    Edit::Add(man, squares)
                }
                Change::Move(from, to) => {
                    let (from, to) = (self.set(from)?.single_square(), self.set(to)?.single_square());
                    let Some((from, to)) = from.zip(to).filter(|&(from, _)| self.board().at(from) != Man::EMPTY) else {
                        return Ok(None);
                    };
                    Edit::Move(from, to)
                }
                Change::Turn(color) => {
                    turn = *color;
                    Edit::Turn(turn)
                }
                Change::OtherTurn => {
                    turn = !turn;
                    Edit::Turn(turn)
                }
            });
        }
        Ok(Some(edits))
    }

    /// Evaluates something at the last position of an imagined game.
    fn there<T>(
        &mut self,
        imagined: &mut Imagined<'a>,
        evaluate: impl FnOnce(&mut Machine<'a, '_>) -> Eval<T>,
    ) -> Eval<T> {
        imagined.tables.formulas.next_position();
        let (bound, chosen) = (self.state.bound_move.take(), self.state.chosen_edge.take());
        let mut machine = Machine {
            query: self.query,
            game: &imagined.game,
            info: self.info,
            state: &mut *self.state,
            limits: self.limits,
            orbits: self.orbits,
            guards: self.guards,
            formulas: self.formulas,
            programs: self.programs,
            has_atomic: self.has_atomic,
            node: imagined.game.last_node(),
            tables: &mut imagined.tables,
        };
        let found = evaluate(&mut machine);
        (self.state.bound_move, self.state.chosen_edge) = (bound, chosen);
        found.map_err(|mut error| {
            error.node = self.node;
            error
        })
    }

    // --- legalposition

    /// Each side has one king, the side that has moved is not in check, and no pawn stands on the first or last rank.
    pub(crate) fn is_legal_position(&self) -> bool {
        let board = self.board();
        let kings = |color| board.piece(color, Role::King).count() == 1;
        let ends = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        Color::ALL.into_iter().all(kings)
            && !board.is_attacked(!board.turn())
            && (board.role(Role::Pawn) & ends).is_empty()
    }
}

/// The `move` filter before a target; the parser puts nothing else there.
fn move_filter(moves: &Filter) -> Option<&MoveFilter> {
    match &moves.node {
        Node::Move(m) => Some(m),
        _ => None,
    }
}

/// The moves of a man from one square to another; a promotion is four of them.
fn packed_moves(man: Man, from: Square, to: Square, manner: Manner) -> [Option<PackedMove>; 4] {
    let one = |kind| [Some(PackedMove::new(from, to, kind)), None, None, None];
    let is_pawn = man.role() == Some(Role::Pawn);
    match manner {
        Manner::EnPassant => one(MoveKind::EnPassant),
        Manner::Castling => {
            let rook = match to > from {
                true => File::H,
                false => File::A,
            };
            let rook = Square::from_coords(rook, from.rank());
            [Some(PackedMove::new(from, rook, MoveKind::Castle)), None, None, None]
        }
        Manner::Plain if is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth) => {
            PROMOTIONS.map(|role| Some(PackedMove::new(from, to, MoveKind::Promotion(role))))
        }
        Manner::Plain if is_pawn && u8::from(from).abs_diff(u8::from(to)) == 16 => one(MoveKind::DoubleStep),
        Manner::Plain => one(MoveKind::Normal),
    }
}
