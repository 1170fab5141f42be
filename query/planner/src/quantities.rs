//! The clocks and evaluations of a segment as lists: where there is a value, and one list for each of its binary digits.

use std::sync::Arc;

use chess::{Quantity, QuantitySet};
use postings::Postings;

use crate::expr::{Expr, NumberExpr, Truth};

/// A quantity at all positions of a segment.
#[derive(Clone, Debug, Default)]
pub struct QuantityLists {
    /// Where it has a value.
    pub(crate) given: Arc<Postings>,
    /// Where the value is negative.
    pub(crate) negative: Arc<Postings>,
    /// Where each binary digit is set, the lowest first; where the value is negative, those of its complement.
    pub(crate) digits: Vec<Arc<Postings>>,
}

/// Makes the lists of a quantity, a bit for each position of a segment.
#[derive(Debug)]
pub struct QuantityBuilder {
    words: usize,
    given: Vec<u64>,
    negative: Vec<u64>,
    digits: Vec<Vec<u64>>,
}

impl QuantityBuilder {
    /// No value at any of this number of positions.
    pub fn new(positions: u32) -> QuantityBuilder {
        let words = positions.div_ceil(u64::BITS) as usize;
        QuantityBuilder {
            words,
            given: vec![0; words],
            negative: vec![0; words],
            digits: Vec::new(),
        }
    }

    /// Sets the value at a position, which has none yet.
    #[inline]
    pub fn set(&mut self, position: u32, value: i32) {
        let (word, bit) = ((position / u64::BITS) as usize, 1 << (position % u64::BITS));
        self.given[word] |= bit;
        let mut rest = value.cast_unsigned();
        if value < 0 {
            self.negative[word] |= bit;
            rest = !rest;
        }
        while rest != 0 {
            let digit = rest.trailing_zeros() as usize;
            while self.digits.len() <= digit {
                self.digits.push(vec![0; self.words]);
            }
            self.digits[digit][word] |= bit;
            rest &= rest - 1;
        }
    }

    /// The lists.
    pub fn finish(self) -> QuantityLists {
        QuantityLists {
            given: list(&self.given),
            negative: list(&self.negative),
            digits: self.digits.iter().map(|words| list(words)).collect(),
        }
    }
}

/// The positions whose bits are set.
fn list(words: &[u64]) -> Arc<Postings> {
    Arc::new(Postings::from_words(words))
}

/// The quantities that expressions read.
pub(crate) fn quantities_of(truths: &[Truth]) -> QuantitySet {
    fn note(expr: Expr<'_>, found: &mut Vec<Quantity>) {
        if let Expr::Truth(Truth::Given(quantity)) | Expr::Number(NumberExpr::Quantity(quantity)) = expr {
            found.push(*quantity);
        }
        expr.for_each_part(|_, part| note(part, found));
    }
    let mut found = Vec::new();
    for truth in truths {
        note(Expr::Truth(truth), &mut found);
    }
    QuantitySet::of(found)
}
