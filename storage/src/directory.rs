//! The directory of the posting lists of a segment: the size of each list, for the planner, which does not read the
//! lists.

use postings::{Damage, Term, TermStats, varint::Reader};

/// The statistics of all terms of a segment, by code.
#[derive(Debug)]
pub(crate) struct Directory {
    stats: Vec<TermStats>,
}

impl Directory {
    /// The statistics of a term; all zero if it does not occur.
    pub(crate) fn get(&self, term: Term) -> TermStats {
        self.stats[usize::from(term.code())]
    }

    /// Encodes code (16 bits), cardinality, runs and bytes (32 bits each) of every term, ascending by code.
    pub(crate) fn encode(entries: impl Iterator<Item = (Term, TermStats)>) -> Vec<u8> {
        let mut out = Vec::new();
        for (term, stats) in entries {
            out.extend_from_slice(&term.code().to_le_bytes());
            for number in [stats.cardinality, stats.runs, stats.bytes] {
                out.extend_from_slice(&number.to_le_bytes());
            }
        }
        out
    }

    /// Decodes what [`Directory::encode`] wrote.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Directory, Damage> {
        let mut stats = vec![TermStats::default(); Term::CODES];
        let mut reader = Reader::new(bytes);
        let mut next = 0;
        while !reader.is_empty() {
            let code = reader.u16()?;
            if code < next || Term::from_code(code).is_none() {
                return Err(Damage::Invalid("the directory of posting lists is out of order"));
            }
            stats[usize::from(code)] = TermStats {
                cardinality: reader.u32()?,
                runs: reader.u32()?,
                bytes: reader.u32()?,
            };
            next = code + 1;
        }
        Ok(Directory { stats })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn directories_come_back(codes in prop::collection::btree_set(0u16..1152, 0..40), seed in 1u32..1000) {
            let terms: Vec<Term> = codes.into_iter().filter_map(Term::from_code).collect();
            let stats = |term: &Term| {
                let number = seed * u32::from(term.code() + 1);
                TermStats { cardinality: number, runs: number / 2, bytes: number * 2 }
            };
            let bytes = Directory::encode(terms.iter().map(|term| (*term, stats(term))));
            let directory = Directory::decode(&bytes).unwrap();
            for term in Term::all() {
                let wanted = if terms.contains(&term) { stats(&term) } else { TermStats::default() };
                prop_assert_eq!(directory.get(term), wanted);
            }
        }

        #[test]
        fn garbage_is_refused_or_read(bytes: Vec<u8>) {
            let _ = Directory::decode(&bytes);
        }
    }
}
