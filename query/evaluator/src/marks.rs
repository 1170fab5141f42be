//! Which squares a query is about in a position that matches, for boards that are shown to people.

use language::hir::{Filter, Kind, Node};
use shakmaty::{Bitboard, Role};

use crate::board::{attacked_in, attackers_in};
use crate::error::{Eval, RuntimeError};
use crate::evaluator::Evaluator;
use crate::game::{GameInfo, GameView};
use crate::machine::Machine;

/// A set of more squares than this says nothing on a board: all empty squares, or the complement of something.
const MOST: usize = 32;

impl Evaluator<'_> {
    /// For each node, the squares that the query is about there: those of its sets that have to hold, and of its
    /// transforms the first variant that matches. Only filters on the position itself count, not those on other positions.
    /// What can't be known without the positions before it is left out.
    pub fn marks(&mut self, game: &mut GameView, info: GameInfo<'_>, nodes: &[u32]) -> Vec<Bitboard> {
        let mut all = Vec::with_capacity(nodes.len());
        self.visit(game, info, nodes, |machine| {
            let mut marks = Bitboard::EMPTY;
            // An error leaves the squares that were found before it.
            let _ = machine.mark(&machine.query.body, &mut marks);
            all.push(marks);
        });
        all
    }

    /// For each node the squares of the query's set; the query has to be a set filter, otherwise they are empty.
    ///
    /// # Errors
    ///
    /// The first run-time error.
    pub fn sets(
        &mut self,
        game: &mut GameView,
        info: GameInfo<'_>,
        nodes: &[u32],
    ) -> Result<Vec<Bitboard>, Box<RuntimeError>> {
        let mut all = Ok(Vec::with_capacity(nodes.len()));
        self.visit(game, info, nodes, |machine| {
            let query = machine.query;
            let set = match query.body.kind {
                Kind::Set => machine.set(&query.body),
                _ => Ok(Bitboard::EMPTY),
            };
            match (&mut all, set) {
                (Ok(sets), Ok(set)) => sets.push(set),
                (Ok(_), Err(error)) => all = Err(error),
                (Err(_), _) => {}
            }
        });
        all
    }
}

impl<'a> Machine<'a, '_> {
    /// Whether a filter matches here. If it does, the squares that it is about are added.
    fn mark(&mut self, filter: &'a Filter, marks: &mut Bitboard) -> Eval<bool> {
        match &filter.node {
            Node::Compound(list) => {
                for part in list {
                    if !self.mark(part, marks)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Node::And(a, b) => Ok(self.mark(a, marks)? && self.mark(b, marks)?),
            Node::Or(a, b) => Ok(self.mark_alternative(a, marks)? || self.mark(b, marks)?),
            Node::If(condition, then, otherwise) => match (self.matches(condition)?, otherwise) {
                (true, _) => self.mark(then, marks),
                (false, Some(otherwise)) => self.mark(otherwise, marks),
                (false, None) => Ok(true),
            },
            Node::NoTransform(inner) | Node::Sort { argument: inner, .. } => self.mark(inner, marks),
            Node::Call { arguments, body } => {
                for (variable, argument) in arguments {
                    let Some(value) = self.value(argument)? else {
                        return Ok(false);
                    };
                    self.set_variable(*variable, Some(value));
                }
                self.mark(body, marks)
            }
            Node::Orbit { range, variants } => self.mark_orbit(filter, range.is_some(), variants, marks),
            Node::Attacks(_, b) => {
                let from = self.set(filter)?;
                let to = self.set(b)?;
                let to = attacked_in(self.board(), from, to);
                add(marks, from | to);
                Ok(from.any())
            }
            Node::AttackedBy(_, b) => {
                let to = self.set(filter)?;
                let from = self.set(b)?;
                add(marks, to | attackers_in(self.board(), from, to));
                Ok(to.any())
            }
            Node::CompareNumbers(_, a, b) => {
                let holds = self.matches(filter)?;
                for side in [a, b] {
                    if let Some(counted) = counted(side).filter(|_| holds) {
                        let set = self.set(counted)?;
                        add(marks, set);
                    }
                }
                Ok(holds)
            }
            Node::Subset(a, _) | Node::SameSet(a, _) => {
                let holds = self.matches(filter)?;
                if holds {
                    let set = self.set(a)?;
                    add(marks, set);
                }
                Ok(holds)
            }
            Node::Check | Node::Mate | Node::Stalemate => {
                let holds = self.matches(filter)?;
                if holds {
                    *marks |= self.board().piece(self.board().turn(), Role::King);
                }
                Ok(holds)
            }
            Node::Complement(_) | Node::AllSquares => self.matches(filter),
            _ if filter.kind == Kind::Set && !filter.is_vacuous() => {
                let set = self.set(filter)?;
                add(marks, set);
                Ok(set.any())
            }
            _ => self.matches(filter),
        }
    }

    /// The same, and nothing is added if it fails halfway.
    fn mark_alternative(&mut self, filter: &'a Filter, marks: &mut Bitboard) -> Eval<bool> {
        let mut with = *marks;
        let holds = self.mark(filter, &mut with)?;
        if holds {
            *marks = with;
        }
        Ok(holds)
    }

    /// The first variant that matches; where they are counted, all that do.
    fn mark_orbit(
        &mut self,
        orbit: &'a Filter,
        counts: bool,
        variants: &'a [Filter],
        marks: &mut Bitboard,
    ) -> Eval<bool> {
        let holds = self.matches(orbit)?;
        if holds {
            for variant in variants {
                if self.mark_alternative(variant, marks)? && !counts {
                    break;
                }
            }
        }
        Ok(holds)
    }
}

/// The set whose squares a number counts: of `#S`, and of a set that is compared with a number.
fn counted(filter: &Filter) -> Option<&Filter> {
    match &filter.node {
        Node::Cardinality(set) => Some(set),
        _ if filter.kind == Kind::Set => Some(filter),
        _ => None,
    }
}

fn add(marks: &mut Bitboard, set: Bitboard) {
    if set.count() <= MOST {
        *marks |= set;
    }
}
