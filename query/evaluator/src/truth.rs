//! Whether a filter matches (cql6-positions 3.3).

use language::hir::{Comparison, Filter, Kind, Node, Range};
use shakmaty::Bitboard;

use super::{Cause, Eval, Machine};

impl<'a> Machine<'a, '_> {
    /// Whether the filter matches at the current position.
    pub(super) fn matches(&mut self, filter: &'a Filter) -> Eval<bool> {
        match &filter.node {
            // --- what most queries are made of
            Node::Designator(designator) => Ok(super::sets::designator(self.board(), designator).any()),

            // --- structure
            Node::Compound(list) => {
                let mark = self.state.log.len();
                for element in list {
                    if !self.matches(element)? {
                        self.state.log.truncate(mark);
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::And(a, b) => {
                let mark = self.state.log.len();
                let both = self.matches(a)? && self.matches(b)?;
                if !both {
                    self.state.log.truncate(mark);
                }
                Ok(both)
            }
            Node::Or(a, b) => Ok(self.matches(a)? || self.matches(b)?),
            Node::Not(a) => {
                let mark = self.state.log.len();
                let matched = self.matches(a)?;
                self.state.log.truncate(mark);
                Ok(!matched)
            }
            Node::If(condition, then, otherwise) => {
                if self.matches(condition)? {
                    self.matches(then)
                } else {
                    otherwise.as_ref().map_or(Ok(true), |otherwise| self.matches(otherwise))
                }
            }
            Node::NoTransform(inner) => self.matches(inner),
            Node::Call { arguments, body } => Ok(self.pass(arguments)? && self.matches(body)?),
            Node::At(place, inner) => match self.position(place)? {
                Some(node) => self.elsewhere(node, |machine| machine.matches(inner)),
                None => Ok(false),
            },
            Node::Orbit { range, variants } => self.orbit_matches(filter, range.as_ref(), variants),
            Node::DictionaryGet(dictionary, key) => Ok(self.dictionary_get(*dictionary, key)?.is_some()),

            // As a condition a dash looks for any move whose target matches; its value is that of the first one.
            Node::Dash(dash) => Ok(self.dash(dash, super::moves::Want::Truth)?.is_some()),
            Node::CurrentMove(dash) => Ok(self.current_move(dash, super::moves::Want::Truth)?.is_some()),

            _ if filter.is_vacuous() => Err(self.error(Cause::VacuousTruth, filter.span)),
            _ if filter.kind == Kind::Set => Ok(self.set(filter)?.any()),

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
            Node::Turn(color) => Ok(self.board().turn() == *color),
            Node::Check => Ok(self.board().is_attacked(self.board().turn())),
            Node::Mate => Ok(self.is_mate()),
            Node::Stalemate => Ok(self.is_stalemate()),
            Node::Initial => Ok(self.node == 0),
            Node::Terminal => Ok(self.game.is_terminal(self.node)),
            Node::Mainline(wanted) => Ok((self.game.depth(self.node) == 0) == *wanted),
            Node::VirtualMainline => Ok(self.is_virtual_mainline()),
            Node::Primary(wanted) => Ok(self.node != 0 && self.game.is_secondary(self.node) != *wanted),
            Node::Result(outcome) => Ok(self.info.header.outcome == *outcome),
            Node::Nag(glyph) => Ok(self.has_nag(*glyph)),
            Node::IsBound(wanted, variable) => {
                let bound = variable.is_some_and(|variable| self.state.variables[variable.0 as usize].is_some());
                Ok(bound == *wanted)
            }
            Node::FenBoard(board) => {
                let here = self.board();
                Ok(board
                    .iter()
                    .all(|designator| super::sets::designator(here, designator).any()))
            }
            Node::Subset(a, b) => {
                let a = self.set(a)?;
                Ok(self.set(b)?.is_superset(a))
            }
            Node::SameSet(a, b) => Ok(self.set(a)? == self.set(b)?),
            Node::Substring(needle, text) => {
                let Some(text) = self.text(text)? else { return Ok(false) };
                let Some(needle) = self.text(needle)? else {
                    return Ok(false);
                };
                Ok(super::strings::find(&needle, &text).is_some())
            }
            Node::Equal(a, b) => {
                // A filter that does not match is as one that has no value, and those are equal.
                let value = |value: Option<super::Value>| value.filter(|value| *value != super::Value::Logical(false));
                Ok(value(self.value(a)?) == value(self.value(b)?))
            }
            Node::CompareNumbers(..) | Node::CompareStrings(..) | Node::ComparePositions(..) => self.compare(filter),
            Node::SquareLoop { .. } | Node::PieceLoop { .. } => self.universal_loop(filter),

            // --- moves, sequences, control, output: each in its own file
            Node::Castle(side) => Ok(self.last_move_castles(*side)),
            Node::EnPassant => Ok(self.last_move_is_en_passant()),
            Node::NullMove => Ok(self.game.edge(self.node).is_some_and(|edge| edge.is_null())),
            Node::Move(m) => self.move_matches(m, filter.span),
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
            | Node::SimilarPosition(_)
            | Node::HhdbCooked => self.perform(filter),
            Node::Sort { argument, .. } => self.sort_matches(filter, argument),

            Node::Dictionary(_) => Ok(true),

            // --- everything else matches when it has a value
            _ => Ok(match filter.kind {
                Kind::Numeric => self.number(filter)?.is_some(),
                Kind::String => self.text(filter)?.is_some(),
                Kind::Position => self.position(filter)?.is_some(),
                Kind::Set | Kind::Logical => unreachable!("sets and logical filters are listed above"),
            }),
        }
    }

    /// A comparison holds (cql6-positions 5.3).
    pub(super) fn compare(&mut self, filter: &'a Filter) -> Eval<bool> {
        let mark = self.state.log.len();
        let holds = match &filter.node {
            Node::CompareNumbers(comparison, a, b) => {
                // A comparison on the right has to hold too; its value is its left side.
                let (Some(a), Some(b)) = (self.count_up_to(a, super::numbers::limit_by(b))?, self.count(b)?) else {
                    return Ok(false);
                };
                ordered(*comparison, &a, &b)
            }
            Node::CompareStrings(comparison, a, b) => {
                let Some(a) = self.text(a)? else { return Ok(false) };
                let Some(b) = self.text(b)? else { return Ok(false) };
                ordered(*comparison, &*a, &*b)
            }
            Node::ComparePositions(comparison, a, b) => {
                let (Some(a), Some(b)) = (self.position(a)?, self.position(b)?) else {
                    return Ok(false);
                };
                match comparison {
                    Comparison::Ancestor => a != b && self.game.is_within(b, a),
                    Comparison::AncestorOrEqual => self.game.is_within(b, a),
                    // CQL 6.2 leaves equality out of `[>=]` too (cql6-games 2.5); we do what it says.
                    Comparison::Descendant => a != b && self.game.is_within(a, b),
                    Comparison::DescendantOrEqual => self.game.is_within(a, b),
                    other => ordered(*other, &a, &b),
                }
            }
            _ => unreachable!("called with comparisons only"),
        };
        if !holds {
            self.state.log.truncate(mark);
        }
        Ok(holds)
    }

    /// A number, or the number of squares of a set.
    #[inline]
    pub(super) fn count(&mut self, filter: &'a Filter) -> Eval<Option<i32>> {
        match filter.kind {
            Kind::Set => Ok(Some(self.set(filter)?.count() as i32)),
            _ => self.number(filter),
        }
    }

    fn orbit_matches(&mut self, filter: &'a Filter, range: Option<&Range>, variants: &'a [Filter]) -> Eval<bool> {
        if range.is_some() {
            return Ok(self.number(filter)?.is_some());
        }
        if let Some(count) = self.orbits.count(variants, self.board()) {
            return Ok(count > 0);
        }
        // All variants run, whatever the others gave: their side effects count (cql6-positions 12.3). All have the same
        // shape, so that the first one tells whether there are any.
        let may_stop = variants.first().is_some_and(super::sequence::is_fixed);
        let mut found = false;
        for variant in variants {
            found |= self.matches(variant)?;
            if found && may_stop {
                break;
            }
        }
        Ok(found)
    }

    /// How many variants match.
    pub(super) fn count_variants(&mut self, variants: &'a [Filter]) -> Eval<i32> {
        if let Some(count) = self.orbits.count(variants, self.board()) {
            return Ok(count as i32);
        }
        let mut count = 0;
        for variant in variants {
            count += i32::from(self.matches(variant)?);
        }
        Ok(count)
    }

    /// The union of the variants' sets.
    pub(super) fn unite_variants(&mut self, variants: &'a [Filter]) -> Eval<Bitboard> {
        let mut union = Bitboard::EMPTY;
        for variant in variants {
            union |= self.set(variant)?;
        }
        Ok(union)
    }

    fn is_virtual_mainline(&self) -> bool {
        let mut node = self.node;
        while let Some(parent) = self.game.parent(node) {
            let black_moved = self.game.board(node).turn() == shakmaty::Color::White;
            let null = self.game.edge(node).is_some_and(|edge| edge.is_null());
            if null || (self.game.is_secondary(node) && !black_moved) {
                return false;
            }
            node = parent;
        }
        true
    }
}

/// Whether two values stand in this order.
pub(super) fn ordered<T: Ord + ?Sized>(comparison: Comparison, a: &T, b: &T) -> bool {
    match comparison {
        Comparison::Equal => a == b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
        _ => unreachable!("ancestors are compared as positions"),
    }
}
