//! Ranges of numbers (docs/language/cql1.md#ranges).

/// From one number to another, both included; `None` is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// At least.
    pub(crate) min: Option<i32>,
    /// At most.
    pub(crate) max: Option<i32>,
}

impl Range {
    /// At least one.
    pub(super) const SOME: Range = Range {
        min: Some(1),
        max: None,
    };

    /// Exactly this number.
    pub(super) const fn exactly(number: i32) -> Range {
        Range {
            min: Some(number),
            max: Some(number),
        }
    }

    /// Whether the number is within the bounds.
    pub(super) fn contains(self, number: i32) -> bool {
        self.min.is_none_or(|min| min <= number) && self.max.is_none_or(|max| number <= max)
    }
}

/// A bound as an atom: a number, with a sign if need be, or `unlimited`.
pub(super) fn bound(text: &str) -> Option<Option<i32>> {
    if text == "unlimited" {
        return Some(None);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Larger numbers are clamped to the largest.
    let number: i64 = text.parse().unwrap_or(i64::MAX);
    let number = i32::try_from(number.clamp(-1_000_000_000, 1_000_000_000));
    Some(Some(number.expect("the bounds are 32-bit numbers")))
}

/// `>=2`, `<5` and their like (CQL-S).
pub(super) fn comparison(text: &str) -> Option<Range> {
    let sign = text.len() - text.trim_start_matches(['<', '>', '=']).len();
    let number = bound(&text[sign..])??;
    let (min, max) = match &text[..sign] {
        ">" => (Some(number + 1), None),
        ">=" => (Some(number), None),
        "<" => (None, Some(number - 1)),
        "<=" => (None, Some(number)),
        "=" => (Some(number), Some(number)),
        _ => return None,
    };
    Some(Range { min, max })
}

/// Two bounds; those in the wrong order are swapped, as Scidb does.
pub(super) fn between(a: Option<i32>, b: Option<i32>) -> Range {
    match (a, b) {
        (Some(a), Some(b)) if a > b => Range {
            min: Some(b),
            max: Some(a),
        },
        (min, max) => Range { min, max },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_numbers_or_unlimited() {
        assert_eq!(bound("12"), Some(Some(12)));
        assert_eq!(bound("-3"), Some(Some(-3)));
        assert_eq!(bound("+3"), Some(Some(3)));
        assert_eq!(bound("unlimited"), Some(None));
        assert_eq!(bound("99999999999999999999"), Some(Some(1_000_000_000)));
        for text in ["", "-", "a3", "3a", "R", ">=3"] {
            assert_eq!(bound(text), None, "{text}");
        }
    }

    #[test]
    fn comparisons_are_half_open() {
        let range = |min, max| Some(Range { min, max });
        assert_eq!(comparison(">=2"), range(Some(2), None));
        assert_eq!(comparison(">2"), range(Some(3), None));
        assert_eq!(comparison("<5"), range(None, Some(4)));
        assert_eq!(comparison("<=5"), range(None, Some(5)));
        assert_eq!(comparison("=>5"), None);
        assert_eq!(comparison(">unlimited"), None);
        assert_eq!(
            between(Some(5), Some(2)),
            Range {
                min: Some(2),
                max: Some(5)
            }
        );
    }
}
