//! Sets of squares.

use language::hir::{Filter, ManSet, MoveValue, Node, Range, VariableKind};
use shakmaty::Bitboard;

use super::super::{Id, Op};
use super::{Lowering, Question};

impl Lowering<'_> {
    pub(super) fn make_set(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::Designator(d) if d.men == ManSet::ANYTHING => self.constant(d.squares.0),
            Node::Designator(d) => self.op(Op::Men(d.men, d.squares)),
            Node::AllSquares => self.constant(u64::MAX),
            Node::NoSquares => self.constant(0),
            Node::Union(list) => {
                let parts = self.values(list)?;
                self.op(Op::Union(parts.into()))
            }
            Node::Intersection(list) => {
                let parts = self.values(list)?;
                self.intersection(parts)
            }
            Node::Complement(a) => {
                let a = self.set(a)?;
                self.op(Op::Complement(a))
            }
            Node::Attacks(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::Attacks(a, b))
            }
            Node::AttackedBy(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::AttackedBy(a, b))
            }
            Node::Between(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::Between(a, b))
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => {
                let (min, max) = Range::steps(range.as_ref())?;
                let set = self.set(argument)?;
                self.op(Op::Along(*directions, min, max, set))
            }
            Node::Ray { directions, arguments } => {
                let parts = self.values(arguments)?;
                self.op(Op::Ray(*directions, parts.into()))
            }
            Node::Xray { arguments, gives_first } => {
                let parts = self.values(arguments)?;
                self.op(Op::Xray(parts.into(), *gives_first))
            }
            Node::Pin {
                from,
                through,
                to,
                value,
            } => {
                let from = self.set_or(from.as_deref(), Bitboard::FULL)?;
                let through = self.set_or(through.as_deref(), Bitboard::FULL)?;
                let to = match to {
                    Some(to) => self.set(to)?,
                    None => self.op(Op::Kings),
                };
                self.op(Op::Pin([from, through, to], *value))
            }
            Node::SquareColor(light, argument) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                let set = self.set(argument)?;
                let squares = self.constant(squares.0);
                self.intersection(vec![set, squares])
            }
            Node::PawnStructure(structure) => self.op(Op::Pawns(*structure)),
            Node::MakeSquare(file, rank) => {
                let (file, rank) = (self.value(file)?, self.value(rank)?);
                self.op(Op::MakeSquare(file, rank))
            }
            Node::SameContents(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.op(Op::SameContents(a, b))
            }
            Node::Variable(variable) => {
                let declared = self.query.variables.get(variable.0 as usize)?;
                match declared.kind {
                    VariableKind::Set => self.op(Op::Value(*variable)),
                    // It begins as a set without squares.
                    VariableKind::Piece if !declared.persistent => self.op(Op::Piece(*variable)),
                    _ => return None,
                }
            }
            Node::Dash(dash) => self.dash(dash, false, Question::Value)?,
            Node::CurrentMove(dash) => self.dash(dash, true, Question::Value)?,
            Node::Move(m) if matches!(m.value, MoveValue::From | MoveValue::To | MoveValue::Capture) => {
                self.move_squares(m)?
            }
            Node::FromSquares => self.op(Op::From),
            Node::ToSquares => self.op(Op::To),
            Node::LegalDash(legality, dash) if dash.target.is_empty() => {
                let from = self.set_or(dash.left.as_ref(), Bitboard::FULL)?;
                let to = self.set_or(dash.right.as_ref(), Bitboard::FULL)?;
                self.op(Op::Legal(*legality, from, to))
            }
            Node::SquareLoop { all: false, .. } | Node::PieceLoop { all: false, .. } => {
                self.make_loop(filter, false)?
            }
            Node::Orbit { range: None, variants } => {
                let parts = self.values(variants)?;
                self.unite(parts)
            }
            _ => return self.make_value(filter, 0),
        };
        Some(made)
    }

    /// The squares that are in all sets. Those that are the same everywhere are made one with the men of another.
    pub(super) fn intersection(&mut self, mut parts: Vec<Id>) -> Id {
        let mut squares = Bitboard::FULL;
        parts.retain(|&part| match self.get(part) {
            Op::Constant(constant) => {
                squares &= Bitboard(*constant);
                false
            }
            _ => true,
        });
        if squares != Bitboard::FULL || parts.is_empty() {
            let men = parts
                .iter()
                .enumerate()
                .find_map(|(index, &part)| match self.get(part) {
                    Op::Men(men, there) => Some((index, Op::Men(*men, *there & squares))),
                    _ => None,
                });
            match men {
                Some((index, men)) => parts[index] = self.op(men),
                None => parts.push(self.constant(squares.0)),
            }
        }
        match parts[..] {
            [only] => only,
            _ => self.op(Op::Intersection(parts.into())),
        }
    }
}
