//! Two conditions on the men that stand elsewhere some moves later become one, which takes one look at them.

use crate::expr::{Course, Truth};

impl Truth {
    /// The same expression where conditions on the same men that stand elsewhere are one.
    #[must_use]
    pub(crate) fn with_moved_together(self) -> Truth {
        match self {
            Truth::Or(parts) => Truth::Or(parts.into_iter().map(Truth::with_moved_together).collect()),
            Truth::And(parts) => {
                let parts = parts.into_iter().map(Truth::with_moved_together);
                let (about_moved, others): (Vec<Truth>, Vec<Truth>) = parts.partition(is_about_moved);
                let mut joined: Vec<Truth> = Vec::new();
                for part in about_moved {
                    match joined.iter_mut().find_map(|other| Some((both(other, &part)?, other))) {
                        Some((both, other)) => *other = both,
                        None => joined.push(part),
                    }
                }
                joined.extend(others);
                match joined.len() {
                    1 => joined.remove(0),
                    _ => Truth::And(joined.into()).flattened(),
                }
            }
            other => other,
        }
    }
}

/// Whether a condition, or one of its alternatives, is about men that stand elsewhere.
fn is_about_moved(truth: &Truth) -> bool {
    match truth {
        Truth::Move(next) => matches!(next.course_of_man(), Some(Course::Moved(_))),
        Truth::Or(parts) => parts.iter().any(is_about_moved),
        _ => false,
    }
}

/// Two conditions in one, if they are about the same men that stand elsewhere, or each of them is one of these beside the same
/// alternatives.
fn both(a: &Truth, b: &Truth) -> Option<Truth> {
    match (a, b) {
        (Truth::Move(a), Truth::Move(b)) => a.with_moved(b),
        (Truth::Or(a), Truth::Or(b)) if a.len() == b.len() => {
            let mut differing = a.iter().zip(b.iter()).filter(|(a, b)| a != b);
            let (one, other) = differing.next()?;
            if differing.next().is_some() {
                return None;
            }
            let joined = both(one, other)?;
            let others = a.iter().filter(|part| *part != one).cloned();
            Some(Truth::any(std::iter::once(joined).chain(others)))
        }
        _ => None,
    }
}
