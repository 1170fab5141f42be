//! Constant folding: terms that are always or never true in a segment, by its statistics, are replaced before any list
//! is read.

use postings::Term;

use crate::expr::{Temporal, Truth};
use crate::source::TermSource;

impl Truth {
    /// The same expression for one segment, where terms that no position or every position of it has are constants.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn fold_constants<S: TermSource>(self, source: &S, positions: u32) -> Result<Truth, S::Error> {
        let all = |parts: Vec<Truth>| {
            let parts = parts.into_iter().map(|part| part.fold_constants(source, positions));
            parts.collect::<Result<Vec<_>, _>>()
        };
        Ok(match self {
            Truth::Term(term) => folded(term, source, positions)?,
            Truth::PositionSet(ref set) => match source.sets().get(set.index) {
                None => Truth::Never,
                Some(list) if list.cardinality() == 0 => Truth::Never,
                Some(list) if list.cardinality() == u64::from(positions) => Truth::Always,
                Some(_) => self,
            },
            Truth::Given(quantity) if source.given(quantity)? == Some(0) => Truth::Never,
            Truth::Not(inner) => inner.fold_constants(source, positions)?.not(),
            Truth::And(parts) => Truth::all(all(parts.into_vec())?),
            Truth::Or(parts) => Truth::any(all(parts.into_vec())?),
            Truth::After(ids, inner) => inner.fold_constants(source, positions)?.after(ids),
            Truth::Move(ref next) => match next.listed().clone().fold_constants(source, positions)? {
                Truth::Never => Truth::Never,
                listed if next.place().is_none() => listed,
                _ => self,
            },
            Truth::Always | Truth::Never | Truth::Games(_) | Truth::PlyAtLeast(_) | Truth::Given(_) => self,
            Truth::Temporal(temporal) => {
                let op = (temporal.op).try_map(|part| part.fold_constants(source, positions))?;
                Truth::Temporal(Box::new(Temporal { id: temporal.id, op }))
            }
            // The terms inside these are left as they are: a sweep skips the lists that are empty.
            Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) => self,
        })
    }
}

/// A term, or the constant that it is in this segment.
fn folded<S: TermSource>(term: Term, source: &S, positions: u32) -> Result<Truth, S::Error> {
    Ok(match source.cardinality(term)? {
        0 => Truth::Never,
        all if all == positions => Truth::Always,
        _ => Truth::Term(term),
    })
}
