//! Awards of endgame studies, as the HHdb writes them before the event (docs/language/studies.md#awards).

use language::hir::{Award, HhdbAward};

use crate::machine::Machine;

/// An award of a study: `1/2.sp.hm` is a shared first and second special honourable mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Awarded {
    award: Award,
    special: bool,
    /// The rank, or both ends of a range of ranks.
    ranks: Option<(i32, i32)>,
}

impl Machine<'_, '_> {
    /// Whether the study has such an award, and its rank.
    pub(crate) fn hhdb_award(&self, wanted: &HhdbAward) -> Option<Option<i32>> {
        let awarded = Awarded::read(self.info.header.event?)?;
        if wanted.award.is_some_and(|award| award != awarded.award) || (wanted.special && !awarded.special) {
            return None;
        }
        // The rank of a special award is no rank among the others.
        if awarded.special && !wanted.special {
            return Some(None);
        }
        let (low, high) = awarded.ranks.unwrap_or((1, 10_000));
        Some(Some(if wanted.max { high } else { low }))
    }
}

impl Awarded {
    /// The award that an event begins with.
    fn read(event: &str) -> Option<Awarded> {
        let (first, rest) = number(event);
        let (second, rest) = match (first, rest.strip_prefix('/')) {
            (Some(_), Some(behind)) => number(behind),
            _ => (None, rest),
        };
        let special = if first.is_some() {
            rest.strip_prefix(".sp")
        } else {
            rest.strip_prefix("sp")
        };
        let rest = special.unwrap_or(rest).strip_prefix('.')?;
        let kinds = [
            ("p", Award::Prize),
            ("hm", Award::HonorableMention),
            ("c", Award::Commendation),
        ];
        let award = kinds.into_iter().find_map(|(word, award)| {
            let behind = rest.strip_prefix(word)?;
            (!behind.starts_with(|letter: char| letter.is_ascii_alphanumeric())).then_some(award)
        })?;
        let ranks = first.map(|first| (first, second.unwrap_or(first)));
        Some(Awarded {
            award,
            special: special.is_some(),
            ranks,
        })
    }
}

/// The number that a text begins with, and the rest.
fn number(text: &str) -> (Option<i32>, &str) {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    (text[..digits].parse().ok(), &text[digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awards_are_read_from_the_event() {
        let read = |event| Awarded::read(event).map(|a| (a.award, a.special, a.ranks));
        assert_eq!(read("1.p Shakhmaty 1930"), Some((Award::Prize, false, Some((1, 1)))));
        assert_eq!(read("2/3.hm EG"), Some((Award::HonorableMention, false, Some((2, 3)))));
        assert_eq!(read("1.sp.c Tourney"), Some((Award::Commendation, true, Some((1, 1)))));
        assert_eq!(read("sp.p Tourney"), Some((Award::Prize, true, None)));
        assert_eq!(read(".p Tourney"), Some((Award::Prize, false, None)));
        assert_eq!(read("1.printing"), None);
        assert_eq!(read("World Championship"), None);
        assert_eq!(read(""), None);
    }
}
