//! Comparisons (cql6-positions 5.3): as a condition they hold or not, as a value they give their left side where they
//! hold.
//!
//! Both sides of a comparison of numbers or positions are evaluated in any case. The right side of a comparison of strings
//! is evaluated only if the left one has a value. The reference does not say what CQL 6.2 does there.

use language::hir::{Comparison, Filter, Kind, Node};

use crate::error::Eval;
use crate::machine::Machine;
use crate::text::Text;
use crate::value::{ordered, square_count};

impl<'a, 'g> Machine<'a, 'g> {
    /// `a < b` on numbers.
    pub(crate) fn numbers_compare(&mut self, comparison: Comparison, a: &'a Filter, b: &'a Filter) -> Eval<bool> {
        let mark = self.state.log.len();
        // A comparison on the right has to hold too; its value is its left side.
        let (Some(a), Some(b)) = (self.count_up_to(a, limit_by(b))?, self.count(b)?) else {
            return Ok(false);
        };
        let holds = ordered(comparison, &a, &b);
        if !holds {
            self.state.log.truncate(mark);
        }
        Ok(holds)
    }

    /// `a < b` on numbers: a.
    pub(crate) fn compared_number(
        &mut self,
        comparison: Comparison,
        a: &'a Filter,
        b: &'a Filter,
    ) -> Eval<Option<i32>> {
        // Where the left side is above the right one, its exact value is wanted only if the comparison holds then.
        let exact = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
        let limit = if exact { i32::MAX } else { limit_by(b) };
        let (Some(a), Some(b)) = (self.count_up_to(a, limit)?, self.count(b)?) else {
            return Ok(None);
        };
        Ok(ordered(comparison, &a, &b).then_some(a))
    }

    /// `a < b` on strings.
    pub(crate) fn strings_compare(&mut self, comparison: Comparison, a: &'a Filter, b: &'a Filter) -> Eval<bool> {
        let mark = self.state.log.len();
        let Some(a) = self.text(a)? else { return Ok(false) };
        let Some(b) = self.text(b)? else { return Ok(false) };
        let holds = ordered(comparison, &*a, &*b);
        if !holds {
            self.state.log.truncate(mark);
        }
        Ok(holds)
    }

    /// `a < b` on strings: a.
    pub(crate) fn compared_text(
        &mut self,
        comparison: Comparison,
        a: &'a Filter,
        b: &'a Filter,
    ) -> Eval<Option<Text<'g>>> {
        let Some(a) = self.text(a)? else { return Ok(None) };
        let Some(b) = self.text(b)? else { return Ok(None) };
        Ok(ordered(comparison, &*a, &*b).then_some(a))
    }

    /// `a [<] b` on positions.
    pub(crate) fn positions_compare(&mut self, comparison: Comparison, a: &'a Filter, b: &'a Filter) -> Eval<bool> {
        let mark = self.state.log.len();
        let (Some(a), Some(b)) = (self.position(a)?, self.position(b)?) else {
            return Ok(false);
        };
        let holds = match comparison {
            Comparison::Ancestor => a != b && self.game.is_within(b, a),
            Comparison::AncestorOrEqual => self.game.is_within(b, a),
            // CQL 6.2 leaves equality out of `[>=]` too (cql6-games 2.5); we do what it says.
            Comparison::Descendant => a != b && self.game.is_within(a, b),
            Comparison::DescendantOrEqual => self.game.is_within(a, b),
            other => ordered(other, &a, &b),
        };
        if !holds {
            self.state.log.truncate(mark);
        }
        Ok(holds)
    }

    /// `a [<] b` on positions: a.
    pub(crate) fn compared_position(
        &mut self,
        comparison: Comparison,
        a: &'a Filter,
        b: &'a Filter,
    ) -> Eval<Option<u32>> {
        let mark = self.state.log.len();
        let value = self.position(a)?;
        self.state.log.truncate(mark);
        Ok(if self.positions_compare(comparison, a, b)? {
            value
        } else {
            None
        })
    }

    /// A number, or the number of squares of a set.
    #[inline]
    pub(crate) fn count(&mut self, filter: &'a Filter) -> Eval<Option<i32>> {
        match filter.kind {
            Kind::Set => Ok(Some(square_count(self.set(filter)?))),
            _ => self.number(filter),
        }
    }

    /// A number, or the number of squares of a set. If it is above the limit, any number above the limit will do.
    fn count_up_to(&mut self, filter: &'a Filter, limit: i32) -> Eval<Option<i32>> {
        match &filter.node {
            Node::CountMoves(legality, dash) => self.count_moves(*legality, dash, limit).map(Some),
            Node::Move(m) if filter.kind == Kind::Numeric => self.move_count(m, limit).map(Some),
            _ => self.count(filter),
        }
    }
}

/// The number above which all numbers compare alike with a filter.
fn limit_by(filter: &Filter) -> i32 {
    match filter.node {
        Node::Number(number) => number,
        _ => i32::MAX,
    }
}
