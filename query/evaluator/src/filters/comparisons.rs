//! Comparisons (docs/language/kinds.md#comparisons): as a condition they hold or not, as a value they give their left
//! side where they hold. The left side is evaluated once, and a comparison that fails takes its comments back
//! (docs/language/output.md#comments).
//!
//! The right side is evaluated only if the left one has a value, as in CQL 6.2.

use language::hir::{Comparison, Filter, Kind, Node};

use crate::answer::Want;
use crate::error::Eval;
use crate::machine::Machine;
use crate::text::Text;
use crate::value::{ordered, square_count};

impl<'a, 'g> Machine<'a, 'g> {
    /// `a < b` on numbers. If only its truth is wanted, the value may be any number with the same result.
    pub(crate) fn compare_numbers(
        &mut self,
        comparison: Comparison,
        [a, b]: [&'a Filter; 2],
        want: Want,
    ) -> Eval<Option<i32>> {
        // Where the left side is above the right one, its exact value is wanted only if the comparison holds then.
        let above_holds = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
        let limit = if want == Want::Value && above_holds {
            i32::MAX
        } else {
            limit_by(b)
        };
        self.attempt(|machine| {
            // A comparison on the right has to hold too; its value is its left side.
            let Some(a) = machine.count_up_to(a, limit)? else {
                return Ok(None);
            };
            let Some(b) = machine.count(b)? else { return Ok(None) };
            Ok(ordered(comparison, &a, &b).then_some(a))
        })
    }

    /// `a < b` on strings.
    pub(crate) fn compare_strings(
        &mut self,
        comparison: Comparison,
        [a, b]: [&'a Filter; 2],
    ) -> Eval<Option<Text<'g>>> {
        self.attempt(|machine| {
            let Some(a) = machine.text(a)? else { return Ok(None) };
            let Some(b) = machine.text(b)? else { return Ok(None) };
            Ok(ordered(comparison, &*a, &*b).then_some(a))
        })
    }

    /// `a [<] b` and the like on positions.
    pub(crate) fn compare_positions(&mut self, comparison: Comparison, [a, b]: [&'a Filter; 2]) -> Eval<Option<u32>> {
        self.attempt(|machine| {
            let Some((a, b)) = machine.both_positions(a, b)? else {
                return Ok(None);
            };
            let holds = match comparison {
                Comparison::Ancestor => a != b && machine.game.is_within(b, a),
                Comparison::AncestorOrEqual => machine.game.is_within(b, a),
                // CQL 6.2 leaves equality out of `[>=]` too (docs/language/games.md#comparing-positions); here it
                // includes equality, as its name says.
                Comparison::Descendant => a != b && machine.game.is_within(a, b),
                Comparison::DescendantOrEqual => machine.game.is_within(a, b),
                other => ordered(other, &a, &b),
            };
            Ok(holds.then_some(a))
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
