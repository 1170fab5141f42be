//! Constant folding: terms that are always or never true in a segment, by its statistics, are replaced before any list
//! is read.

use postings::Term;

use crate::expr::Truth;
use crate::source::TermSource;

impl Truth {
    /// The same expression for one segment, where terms that no position or every position of it has are constants.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    pub fn fold_constants<S: TermSource>(self, source: &S, positions: u32) -> Result<Truth, S::Error> {
        Ok(self.folded(source, positions)?.unwrap_or(self))
    }

    /// The same; `None` if nothing is different, which is so of most parts of a large plan.
    fn folded<S: TermSource>(&self, source: &S, positions: u32) -> Result<Option<Truth>, S::Error> {
        Ok(match self {
            Truth::Term(term) => constant(*term, source, positions)?,
            Truth::PositionSet(set) => match source.sets().get(set.index) {
                None => Some(Truth::Never),
                Some(list) if list.cardinality() == 0 => Some(Truth::Never),
                Some(list) if list.cardinality() == u64::from(positions) => Some(Truth::Always),
                Some(_) => None,
            },
            Truth::Given(quantity) => (source.given(*quantity)? == Some(0)).then_some(Truth::Never),
            Truth::Not(inner) => inner.folded(source, positions)?.map(Truth::not),
            Truth::And(parts) => folded_parts(parts, source, positions)?.map(Truth::all),
            Truth::Or(parts) => folded_parts(parts, source, positions)?.map(Truth::any),
            Truth::After(ids, inner) => inner.folded(source, positions)?.map(|inner| inner.after(*ids)),
            Truth::Move(next) => match next.listed().folded(source, positions)? {
                Some(Truth::Never) => Some(Truth::Never),
                listed if next.place().is_none() => Some(listed.unwrap_or_else(|| next.listed().clone())),
                _ => None,
            },
            Truth::Temporal(temporal) => folded_parts(temporal.op.parts(), source, positions)?.map(|parts| {
                let mut temporal = temporal.clone();
                temporal
                    .op
                    .parts_mut()
                    .zip(parts)
                    .for_each(|(part, folded)| *part = folded);
                Truth::Temporal(temporal)
            }),
            Truth::Always | Truth::Never | Truth::Games(_) | Truth::PlyAtLeast(_) => None,
            // The terms inside these are left as they are: a sweep skips the lists that are empty.
            Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) => None,
        })
    }
}

/// All parts, if one of them is different in this segment.
fn folded_parts<'t, S: TermSource>(
    parts: impl IntoIterator<Item = &'t Truth, IntoIter: Clone>,
    source: &S,
    positions: u32,
) -> Result<Option<Vec<Truth>>, S::Error> {
    let parts = parts.into_iter();
    let folded = parts.clone().map(|part| part.folded(source, positions));
    let folded = folded.collect::<Result<Vec<Option<Truth>>, _>>()?;
    let is_different = folded.iter().any(Option::is_some);
    let all = || {
        folded
            .into_iter()
            .zip(parts)
            .map(|(folded, part)| folded.unwrap_or_else(|| part.clone()))
    };
    Ok(is_different.then(|| all().collect()))
}

/// The constant that a term is in this segment, if it is one.
fn constant<S: TermSource>(term: Term, source: &S, positions: u32) -> Result<Option<Truth>, S::Error> {
    Ok(match source.cardinality(term)? {
        0 => Some(Truth::Never),
        all if all == positions => Some(Truth::Always),
        _ => None,
    })
}
