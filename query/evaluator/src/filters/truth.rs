//! Whether a filter matches (docs/language/kinds.md#truth).

use language::hir::{Filter, Kind, Node};

use crate::answer::Want;
use crate::board::designator;
use crate::error::{Cause, Eval};
use crate::machine::Machine;
use crate::text::find;
use crate::value::Value;

impl<'a> Machine<'a, '_> {
    /// Whether the filter matches at the current position.
    pub(crate) fn matches(&mut self, filter: &'a Filter) -> Eval<bool> {
        if let Some(truth) = self.by_formula(filter, |entry| entry.truth) {
            return Ok(truth != 0);
        }
        match &filter.node {
            // --- what most queries are made of
            Node::Designator(d) => Ok(designator(self.board(), d).any()),

            // --- structure
            Node::Compound(list) => self.compound(list),
            Node::If(condition, then, otherwise) => self.conditional(condition, then, otherwise.as_deref()),
            Node::Call { arguments, body } => self.call(arguments, body),
            Node::At(place, inner) => self.at_place(place, inner),
            Node::Imagine { changes, target } => self.imagine(changes, target),
            Node::NoTransform(inner) => self.matches(inner),
            Node::Dash(dash) => self.answer_of_dash(dash),
            Node::CurrentMove(dash) => self.answer_of_current_move(dash),
            Node::DictionaryGet(dictionary, key) => self.answer_of_entry(*dictionary, key),
            Node::Orbit { range, variants } => self.orbit_matches(filter, range.as_ref(), variants),
            Node::And(a, b) => self.attempt(|machine| Ok(machine.matches(a)? && machine.matches(b)?)),
            Node::Or(a, b) => Ok(self.matches(a)? || self.matches(b)?),
            Node::Not(a) => {
                let mark = self.state.log.len();
                let matched = self.matches(a)?;
                self.state.log.truncate(mark);
                Ok(!matched)
            }

            Node::SquareLoop { all: false, .. } | Node::PieceLoop { all: false, .. } => {
                Ok(self.existential_loop(filter, Want::Truth)?.any())
            }

            _ if filter.is_vacuous() => Err(self.error(Cause::VacuousTruth, filter.span)),
            _ if filter.kind == Kind::Set => Ok(self.set(filter)?.any()),

            Node::PositionSet(set) => Ok(self.info.sets.contains(*set, self.node)),

            Node::HhdbAward(award) => Ok(self.hhdb_award(award).is_some()),

            // --- filters that always match
            Node::Cardinality(argument) | Node::Power(argument) => {
                self.set(argument)?;
                Ok(true)
            }
            Node::True | Node::MoveNumber | Node::Ply | Node::Depth | Node::GameNumber => Ok(true),

            // --- logical filters
            Node::False => Ok(false),
            Node::Case(_, argument) => {
                self.text(argument)?;
                Ok(false)
            }
            Node::Turn(color) => Ok(self.game.turn(self.node) == *color),
            Node::Check => Ok(self.board().is_attacked(self.board().turn())),
            Node::Mate => Ok(self.is_mate()),
            Node::Stalemate => Ok(self.is_stalemate()),
            Node::Initial => Ok(self.node == 0),
            Node::Terminal => Ok(self.game.is_terminal(self.node)),
            Node::Mainline(wanted) => Ok((self.game.depth(self.node) == 0) == *wanted),
            Node::VirtualMainline => Ok(self.game.is_on_virtual_main_line(self.node)),
            Node::Primary(wanted) => Ok(self.node != 0 && self.game.is_secondary(self.node) != *wanted),
            Node::Result(outcome) => Ok(self.info.header.outcome == *outcome),
            Node::Nag(glyph) => Ok(self.has_nag(*glyph)),
            Node::IsBound(wanted, variable) => {
                let bound = variable.is_some_and(|variable| self.state.variables[variable.0 as usize].is_some());
                Ok(bound == *wanted)
            }
            Node::FenBoard(board) => {
                let here = self.board();
                Ok(board.iter().all(|d| designator(here, d).any()))
            }
            Node::Subset(a, b) => {
                let a = self.set(a)?;
                Ok(self.set(b)?.is_superset(a))
            }
            Node::SameSet(a, b) => self.attempt(|machine| Ok(machine.set(a)? == machine.set(b)?)),
            Node::Substring(needle, text) => {
                let Some(needle) = self.text(needle)? else {
                    return Ok(false);
                };
                let Some(text) = self.text(text)? else { return Ok(false) };
                Ok(find(&needle, &text).is_some())
            }
            Node::Equal(a, b) => {
                // A filter that does not match counts as one without a value, and two of those are equal.
                let value = |value: Option<Value>| value.filter(|value| *value != Value::Logical(false));
                Ok(value(self.value(a)?) == value(self.value(b)?))
            }
            Node::CompareNumbers(comparison, a, b) => {
                Ok(self.compare_numbers(*comparison, [a, b], Want::Truth)?.is_some())
            }
            Node::CompareStrings(comparison, a, b) => Ok(self.compare_strings(*comparison, [a, b])?.is_some()),
            Node::ComparePositions(comparison, a, b) => Ok(self.compare_positions(*comparison, [a, b])?.is_some()),
            Node::SquareLoop { .. } | Node::PieceLoop { .. } => self.universal_loop(filter),

            // --- moves, sequences, control, output: each in its own file
            Node::Castle(side) => Ok(self.last_move_castles(*side)),
            Node::EnPassant => Ok(self.last_move_is_en_passant()),
            Node::NullMove => Ok(self.game.edge(self.node).is_some_and(|edge| edge.is_null())),
            Node::Move(m) => self.move_matches(m, filter.span),
            Node::AfterMove { moves, all, target } if filter.kind == Kind::Logical => {
                self.after_move_matches(filter, moves, *all, target)
            }
            Node::LegalPosition => Ok(self.is_legal_position()),
            Node::CountMoves(..) => {
                self.number(filter)?;
                Ok(true)
            }
            Node::Find { .. } | Node::Line(_) | Node::Path(_) if filter.kind == Kind::Position => {
                Ok(self.position(filter)?.is_some())
            }
            Node::Echo { .. } => self.echo_matches(filter),
            Node::Relation(relation) => self.relation_matches(relation, filter.span),
            Node::DiagramRelation(relation) => self.diagram_relation(relation, filter.span),
            Node::While(..)
            | Node::WhileRegex(..)
            | Node::Loop(_)
            | Node::Assert(_)
            | Node::AssertBound(_)
            | Node::Abort
            | Node::Unbind(_)
            | Node::Assign(..)
            | Node::AssignPiece(..)
            | Node::AssignSlice(..)
            | Node::DictionarySet(..)
            | Node::DictionaryUnbind(..)
            | Node::DictionaryLoop(..)
            | Node::Comment(_)
            | Node::Message { .. }
            | Node::SetTag(..)
            | Node::RemoveComment
            | Node::WriteFile(..)
            | Node::AssertVariations(_)
            | Node::HhdbCooked => self.perform(filter),

            Node::SimilarPosition(index) => Ok(self.similar_position(*index).is_some()),
            Node::Dictionary(_) => Ok(true),

            // --- these match when they have a value; there is no wildcard, so that no new filter is forgotten here
            Node::AllSquares
            | Node::NoSquares
            | Node::Union(..)
            | Node::Intersection(..)
            | Node::Complement(..)
            | Node::Attacks(..)
            | Node::AttackedBy(..)
            | Node::Ray { .. }
            | Node::Xray { .. }
            | Node::Pin { .. }
            | Node::Direction { .. }
            | Node::Between(..)
            | Node::SquareColor(..)
            | Node::PawnStructure(..)
            | Node::MakeSquare(..)
            | Node::MakeSquareNamed(..)
            | Node::PureMate { .. }
            | Node::SameContents(..)
            | Node::Number(..)
            | Node::Length(..)
            | Node::DictionarySize(..)
            | Node::AttackPairs(..)
            | Node::RayCount { .. }
            | Node::File(..)
            | Node::Rank(..)
            | Node::Type(..)
            | Node::ColorType(..)
            | Node::PieceId(..)
            | Node::PieceIdOf(..)
            | Node::SideToMove
            | Node::ColorValue(..)
            | Node::PositionId
            | Node::LastGameNumber
            | Node::Year
            | Node::Elo(..)
            | Node::Clock(..)
            | Node::MoveTime
            | Node::Evaluation(..)
            | Node::Negate(..)
            | Node::Abs(..)
            | Node::Sqrt(..)
            | Node::Arithmetic(..)
            | Node::Extremum(..)
            | Node::Int(..)
            | Node::AsciiCode(..)
            | Node::IndexOf(..)
            | Node::Distance(..)
            | Node::Ancestor(..)
            | Node::Descendant(..)
            | Node::ConsecutiveMoves { .. }
            | Node::PathCount
            | Node::PathCountUnfocused
            | Node::Try
            | Node::GroupStart(..)
            | Node::String(..)
            | Node::Metadata(..)
            | Node::Fen
            | Node::TypeName(..)
            | Node::PieceName(..)
            | Node::Str(..)
            | Node::AsciiChar(..)
            | Node::Concatenation(..)
            | Node::Slice(..)
            | Node::RegexMatch(..)
            | Node::Group(..)
            | Node::CurrentTransform(..)
            | Node::ReadFile(..)
            | Node::Hhdb(..)
            | Node::CurrentPosition
            | Node::PositionAt(..)
            | Node::Parent
            | Node::Child(..)
            | Node::Lca(..)
            | Node::PathStart
            | Node::PathLastPosition
            | Node::Find { .. }
            | Node::Line(..)
            | Node::Path(..)
            | Node::LegalDash(..)
            | Node::AfterMove { .. }
            | Node::FromSquares
            | Node::ToSquares
            | Node::EnPassantSquare
            | Node::Variable(..)
            | Node::Transform { .. }
            | Node::Sort { .. } => Ok(match filter.kind {
                Kind::Numeric => self.number(filter)?.is_some(),
                Kind::String => self.text(filter)?.is_some(),
                Kind::Position => self.position(filter)?.is_some(),
                Kind::Set | Kind::Logical => unreachable!("sets and logical filters are listed above"),
            }),
        }
    }
}
