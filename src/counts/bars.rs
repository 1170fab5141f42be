//! Pictures of numbers in a line of text.

/// How many characters a bar has at most.
const WIDTH: usize = 20;

/// Characters that are filled from the left, by no eighth to seven of them.
const EIGHTHS: [&str; 8] = [
    "", "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}",
];

/// A bar as long as a part of the longest one; something that is not nothing can be seen.
pub(super) fn bar(part: u64, longest: u64) -> String {
    let eighths = |width: usize| (8 * width) as u128;
    let filled = u128::from(part) * eighths(WIDTH) / u128::from(longest.max(1));
    let filled = filled.max(u128::from(part > 0)).min(eighths(WIDTH));
    let filled = usize::try_from(filled).unwrap_or_default();
    format!("{}{}", "\u{2588}".repeat(filled / 8), EIGHTHS[filled % 8])
}

/// A bar of wins of White, draws and wins of Black: full, half and hardly filled. Empty if there are none.
pub(super) fn results(white: u64, draw: u64, black: u64) -> String {
    let all = white + draw + black;
    if all == 0 {
        return String::new();
    }
    let width = |part: u64| {
        let width = (u128::from(part) * WIDTH as u128 + u128::from(all) / 2) / u128::from(all);
        usize::try_from(width).unwrap_or(WIDTH)
    };
    let (of_white, of_both) = (width(white), width(white + draw));
    format!(
        "{}{}{}",
        "\u{2588}".repeat(of_white),
        "\u{2592}".repeat(of_both.saturating_sub(of_white)),
        "\u{2591}".repeat(WIDTH.saturating_sub(of_both))
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_parts() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(1, 1_000_000), "\u{258f}");
        assert_eq!(bar(1, 2).chars().count(), WIDTH / 2);
        assert_eq!(bar(7, 7).chars().count(), WIDTH);
        assert_eq!(bar(u64::MAX, u64::MAX).chars().count(), WIDTH);
        assert_eq!(bar(0, 0), "");
    }

    #[test]
    fn bars_of_results_have_one_width() {
        for (white, draw, black) in [
            (1, 0, 0),
            (0, 1, 0),
            (0, 0, 1),
            (1, 1, 1),
            (999, 1, 0),
            (u64::MAX / 4, 3, 2),
        ] {
            assert_eq!(results(white, draw, black).chars().count(), WIDTH);
        }
        assert_eq!(results(0, 0, 0), "");
        let half = format!("{}{}", "\u{2588}".repeat(10), "\u{2591}".repeat(10));
        assert_eq!(results(3, 0, 3), half);
    }
}
