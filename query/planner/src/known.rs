//! What a segment's statistics decide of an expression before any list is read.

use postings::Term;

use super::expr::Truth;
use super::leaves::TermSource;

impl Truth {
    /// The same expression for one segment, without the terms that no position or every position of it has.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn known<S: TermSource>(self, source: &S, positions: u32) -> Result<Truth, S::Error> {
        let all = |parts: Vec<Truth>| {
            let parts = parts.into_iter().map(|part| part.known(source, positions));
            parts.collect::<Result<Vec<_>, _>>()
        };
        Ok(match self {
            Truth::Term(term) => decided(term, source, positions)?,
            Truth::Not(inner) => inner.known(source, positions)?.not(),
            Truth::And(parts) => Truth::all(all(parts)?),
            Truth::Or(parts) => Truth::any(all(parts)?),
            Truth::After(ids, inner) => inner.known(source, positions)?.after(ids),
            other => other,
        })
    }
}

fn decided<S: TermSource>(term: Term, source: &S, positions: u32) -> Result<Truth, S::Error> {
    Ok(match source.cardinality(term)? {
        0 => Truth::Never,
        all if all == positions => Truth::Always,
        _ => Truth::Term(term),
    })
}
