//! Transforms: how the answers of an orbit's variants are combined (docs/language/transforms.md#results).
//!
//! It depends on the kind, on purpose. As a condition, a transform holds if one of its variants does; a set is the
//! union of the variants' sets; a number is the largest one; with `count` or a range, whatever the kind, it is how many
//! variants match. Comments of all variants that match are kept, but with the largest number only those of its variants.

use language::hir::{Filter, Range};
use shakmaty::Bitboard;

use crate::error::Eval;
use crate::machine::Machine;
use crate::value::number_of;

impl<'a> Machine<'a, '_> {
    /// Whether a variant matches, or as many as the range says.
    pub(crate) fn orbit_matches(
        &mut self,
        orbit: &'a Filter,
        range: Option<&Range>,
        variants: &'a [Filter],
    ) -> Eval<bool> {
        if range.is_some() {
            return Ok(self.orbit_number(orbit, range, variants)?.is_some());
        }
        if let Some(count) = self.orbits.count(orbit, self.board()) {
            return Ok(count > 0);
        }
        // All variants are evaluated, even if an earlier one has matched, because of their side effects
        // (docs/language/transforms.md#results).
        let may_stop = self.guards.may_stop_variants(orbit);
        let mut found = false;
        for variant in variants {
            found |= self.matches(variant)?;
            if found && may_stop {
                break;
            }
        }
        Ok(found)
    }

    /// The largest number of the variants, or with a range how many of them match.
    pub(crate) fn orbit_number(
        &mut self,
        orbit: &'a Filter,
        range: Option<&Range>,
        variants: &'a [Filter],
    ) -> Eval<Option<i32>> {
        if range.is_none() {
            return self.maximum_of_variants(variants);
        }
        self.attempt(|machine| {
            let count = machine.count_variants(orbit, variants)?;
            machine.within_range(count, range, orbit.span)
        })
    }

    fn count_variants(&mut self, orbit: &'a Filter, variants: &'a [Filter]) -> Eval<i32> {
        if let Some(count) = self.orbits.count(orbit, self.board()) {
            return Ok(number_of(count));
        }
        let mut count = 0;
        for variant in variants {
            count += i32::from(self.matches(variant)?);
        }
        Ok(count)
    }

    /// The union of the variants' sets.
    pub(crate) fn unite_variants(&mut self, variants: &'a [Filter]) -> Eval<Bitboard> {
        let mut union = Bitboard::EMPTY;
        for variant in variants {
            union |= self.set(variant)?;
        }
        Ok(union)
    }

    /// The largest number of the variants. The comments of the others are taken back
    /// (docs/language/transforms.md#results).
    fn maximum_of_variants(&mut self, variants: &'a [Filter]) -> Eval<Option<i32>> {
        let start = self.state.log.len();
        let mut best: Option<i32> = None;
        for variant in variants {
            let mark = self.state.log.len();
            match self.number(variant)? {
                Some(number) if best.is_none_or(|best| number > best) => {
                    best = Some(number);
                    self.state.log.drain(start..mark);
                }
                Some(number) if best == Some(number) => {}
                _ => self.state.log.truncate(mark),
            }
        }
        Ok(best)
    }
}
