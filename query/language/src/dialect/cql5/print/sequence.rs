//! `next` and `previous` as `line` and `find`, and `move`.

use super::{Printed, Printer, men, numbers};
use crate::dialect::cql5::ast::{Constituent, Filter, Move, Sequence, Wildcard};
use crate::hir::NumberRange;

impl Printer {
    /// `next R (a b)` as `line R --> a --> b`.
    pub(super) fn sequence(&mut self, sequence: &Sequence) -> Printed {
        let arrow = if sequence.backward { "<--" } else { "-->" };
        let mut words = vec!["line".to_owned()];
        words.extend(self.silent.then(|| "quiet".to_owned()));
        words.extend(sequence.single_color.then(|| "singlecolor".to_owned()));
        words.extend(sequence.nestban.then(|| "nestban".to_owned()));
        words.extend(sequence.range.map(numbers));
        words.push(self.constituents(&sequence.constituents, arrow)?);
        // In braces, because a wildcard at the end could be arithmetic.
        Ok(format!("{{{}}}", words.join(" ")))
    }

    fn constituents(&mut self, list: &[Constituent], arrow: &str) -> Printed {
        let mut parts = Vec::new();
        for constituent in list {
            let (inner, wildcards) = match constituent {
                Constituent::Filter(filter, wildcards) => {
                    let text = self.truth(filter)?;
                    let is_word = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
                    (if is_word { text } else { format!("{{{text}}}") }, wildcards)
                }
                Constituent::Group(list, wildcards) => (format!("({})", self.constituents(list, arrow)?), wildcards),
            };
            let wildcards: String = wildcards.iter().map(wildcard).collect();
            parts.push(format!("{arrow} {inner}{wildcards}"));
        }
        Ok(parts.join(" "))
    }

    /// `next* R F` as `find R F`.
    pub(super) fn find(&mut self, backward: bool, range: Option<NumberRange>, argument: &Filter) -> Printed {
        let mut words = vec!["find".to_owned()];
        words.extend(backward.then(|| "<--".to_owned()));
        words.extend(self.silent.then(|| "quiet".to_owned()));
        words.extend(range.map(numbers));
        words.push(format!("{{{}}}", self.truth(argument)?));
        Ok(words.join(" "))
    }

    pub(super) fn move_filter(&mut self, parts: &Move) -> Printed {
        let mut words = Vec::new();
        let mut sets = [("from", &parts.from), ("to", &parts.to)];
        if parts.to_first {
            sets.reverse();
        }
        let mut set_words = Vec::new();
        for (name, filter) in sets {
            if let Some(filter) = filter {
                set_words.push(format!("{name} {}", self.set(filter)?));
            }
        }
        let mut others = Vec::new();
        others.extend(parts.promote.map(|roles| format!("promote {}", men(roles))));
        others.extend(parts.en_passant.then(|| "enpassant".to_owned()));
        if let Some(filter) = &parts.en_passant_square {
            others.push(format!("enpassantsquare {}", self.set(filter)?));
        }
        others.extend(parts.null.then(|| "null".to_owned()));
        others.extend(
            parts
                .primary
                .map(|primary| if primary { "primary" } else { "secondary" }.to_owned()),
        );
        words.push("move".to_owned());
        words.extend(parts.previous.then(|| "previous".to_owned()));
        words.extend(parts.legal.then(|| "legal".to_owned()));
        if parts.other_first {
            words.append(&mut others);
            words.append(&mut set_words);
        } else {
            words.append(&mut set_words);
            words.append(&mut others);
        }
        Ok(words.join(" "))
    }
}

fn wildcard(wildcard: &Wildcard) -> String {
    match (wildcard.min, wildcard.max) {
        (0, None) => "{*}".to_owned(),
        (1, None) => "{+}".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
        (min, None) => format!("{{{min},}}"),
    }
}
