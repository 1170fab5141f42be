//! Filters that give a set of squares.

use chess::Board;
use language::hir::{Bound, Directions, Filter, Node, PinValue, Range};
use language::span::Span;
use shakmaty::{Bitboard, File, Rank, Role, Square};

use crate::answer::Want;
use crate::board::{
    RayDirections, along, attacked_in, attackers_in, between, designator, pawn_structure, pins, rays, same_contents,
};
use crate::error::{Cause, Eval};
use crate::machine::Machine;
use crate::value::Value;

impl<'a> Machine<'a, '_> {
    /// The set of squares; empty where another kind of filter would have no value (docs/language/kinds.md#kinds).
    pub(crate) fn set(&mut self, filter: &'a Filter) -> Eval<Bitboard> {
        if let Some(set) = self.by_formula(filter, |entry| entry.value) {
            return Ok(Bitboard(set));
        }
        match &filter.node {
            Node::Designator(d) => Ok(designator(self.board(), d)),
            Node::AllSquares => Ok(Bitboard::FULL),
            Node::NoSquares => Ok(Bitboard::EMPTY),
            Node::Union(list) => {
                let mut union = Bitboard::EMPTY;
                for part in list {
                    union |= self.set(part)?;
                }
                Ok(union)
            }
            Node::Intersection(list) => {
                let mut intersection = Bitboard::FULL;
                for part in list {
                    intersection &= self.set(part)?;
                }
                Ok(intersection)
            }
            Node::Complement(a) => Ok(!self.set(a)?),
            Node::Attacks(from, to) => {
                let (from, to) = (self.set(from)?, self.set(to)?);
                Ok(attackers_in(self.board(), from, to))
            }
            Node::AttackedBy(to, from) => {
                let from = self.set(from)?;
                let to = self.set(to)?;
                Ok(attacked_in(self.board(), from, to))
            }
            Node::Ray { directions, arguments } => {
                let directions = RayDirections::Given(*directions);
                Ok(self
                    .with_sets(arguments, |board, sets| rays(board, directions, sets))?
                    .1)
            }
            Node::Xray { arguments, gives_first } => {
                let of_piece = RayDirections::OfPiece;
                let (starts, ends) = self.with_sets(arguments, |board, sets| rays(board, of_piece, sets))?;
                Ok(if *gives_first { starts } else { ends })
            }
            Node::Pin {
                from,
                through,
                to,
                value,
            } => {
                let from = self.set_or(from.as_deref(), Bitboard::FULL)?;
                let through = self.set_or(through.as_deref(), Bitboard::FULL)?;
                let kings = self.board().role(Role::King);
                let to = self.set_or(to.as_deref(), kings)?;
                let [pinners, pinned, targets] = pins(self.board(), from, through, to);
                Ok(match value {
                    PinValue::From => pinners,
                    PinValue::Through => pinned,
                    PinValue::To => targets,
                })
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => self.direction(*directions, range.as_ref(), argument, filter.span),
            Node::Between(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                Ok(between(a, b))
            }
            Node::SquareColor(light, argument) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                Ok(self.set(argument)? & squares)
            }
            Node::PawnStructure(structure) => Ok(pawn_structure(self.board(), *structure)),
            Node::MakeSquare(file, rank) => {
                let Some(file) = self.number(file)? else {
                    return Ok(Bitboard::EMPTY);
                };
                let (file, rank) = (Some(file), self.number(rank)?);
                let index = |n: Option<i32>| n.and_then(|n| u32::try_from(n - 1).ok()).filter(|&n| n < 8);
                Ok(match (index(file), index(rank)) {
                    (Some(file), Some(rank)) => Square::from_coords(File::new(file), Rank::new(rank)).into(),
                    _ => Bitboard::EMPTY,
                })
            }
            Node::MakeSquareNamed(name) => {
                let square = self.text(name)?.and_then(|name| Square::from_ascii(&name).ok());
                Ok(square.map_or(Bitboard::EMPTY, Bitboard::from_square))
            }
            Node::PureMate { purity, stalemate } => Ok(self.pure(*purity, *stalemate)),
            Node::SquareLoop { .. } | Node::PieceLoop { .. } => self.existential_loop(filter, Want::Value),
            Node::SameContents(a, b) => {
                let Some((a, b)) = self.both_positions(a, b)? else {
                    return Ok(Bitboard::EMPTY);
                };
                Ok(same_contents(self.game.board(a), self.game.board(b)))
            }
            Node::Variable(variable) => match &self.state.variables[variable.0 as usize] {
                Some(Value::Set(set)) => Ok(*set),
                Some(Value::Piece(id)) => Ok(self.piece_square(*id)),
                Some(_) => unreachable!("the parser checked the variable's kind"),
                None => Err(self.unbound(*variable, filter.span)),
            },
            Node::Move(m) => self.move_squares(m, filter.span),
            Node::LegalDash(legality, dash) => self.legal_dash(*legality, dash),
            Node::FromSquares => Ok(self.last_move_squares().0),
            Node::ToSquares => Ok(self.last_move_squares().1),
            Node::EnPassantSquare => Ok(self.last_move_en_passant_square()),
            Node::Orbit { variants, .. } => self.unite_variants(variants),

            // --- control flow
            Node::Compound(list) => self.compound(list),
            Node::If(condition, then, otherwise) => self.conditional(condition, then, otherwise.as_deref()),
            Node::Call { arguments, body } => self.call(arguments, body),
            Node::At(place, inner) => self.at_place(place, inner),
            Node::Imagine { changes, target } => self.imagine(changes, target),
            Node::AfterMove { moves, target, .. } => self.after_move_squares(filter, moves, target),
            Node::NoTransform(inner) => self.set(inner),
            Node::Dash(dash) => self.answer_of_dash(dash),
            Node::CurrentMove(dash) => self.answer_of_current_move(dash),
            Node::DictionaryGet(dictionary, key) => self.answer_of_entry(*dictionary, key),

            other => unreachable!("not a set filter: {other:?}"),
        }
    }

    /// Calls `make` with the values of some filters.
    pub(crate) fn with_sets<T>(
        &mut self,
        filters: &'a [Filter],
        make: impl FnOnce(&Board, &[Bitboard]) -> T,
    ) -> Eval<T> {
        let mark = self.state.sets.len();
        for filter in filters {
            let set = self.set(filter)?;
            self.state.sets.push(set);
        }
        let made = make(self.board(), &self.state.sets[mark..]);
        self.state.sets.truncate(mark);
        Ok(made)
    }

    /// The value of a filter that may be left out.
    pub(crate) fn set_or(&mut self, filter: Option<&'a Filter>, default: Bitboard) -> Eval<Bitboard> {
        filter.map_or(Ok(default), |filter| self.set(filter))
    }

    fn direction(
        &mut self,
        directions: Directions,
        range: Option<&Range>,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Bitboard> {
        let (min, max) = match range {
            None => (1, 7),
            Some(Range::Count) => return Err(self.error(Cause::DirectionRange, span)),
            Some(Range::Between(min, max)) => (self.bound(min, span)?, self.bound(max, span)?),
        };
        if min < -7 || max > 7 || min > max {
            return Err(self.error(Cause::DirectionRange, span));
        }
        Ok(along(self.set(argument)?, directions, min, max))
    }

    /// The number that a bound of a range stands for now.
    pub(crate) fn bound(&mut self, bound: &Bound, span: Span) -> Eval<i32> {
        match bound {
            Bound::Literal(number) => Ok(*number),
            Bound::Variable(variable) => match self.variable(*variable, span)? {
                Value::Number(number) => Ok(number),
                _ => unreachable!("the parser takes numeric variables only as bounds"),
            },
        }
    }

    /// Where the piece with this identity stands now; nowhere once it is captured.
    pub(crate) fn piece_square(&self, id: u8) -> Bitboard {
        self.game
            .find_piece(self.node, id)
            .map_or(Bitboard::EMPTY, Bitboard::from_square)
    }
}
