//! Numbers, sizes, times and texts as people read them.
//!
//! ```
//! use std::time::Duration;
//! use table::format;
//!
//! assert_eq!(format::count(2204, "position"), "2,204 positions");
//! assert_eq!(format::bytes(386_000_000), "386.0 MB");
//! assert_eq!(format::duration(Duration::from_millis(250)), "250 ms");
//! ```

use std::borrow::Cow;
use std::time::Duration;

/// `1234567` as `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A figure without its fraction, such as an estimate or a speed; what does not fit is the nearest number that does.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "figures are no negative numbers, and such a cast saturates"
)]
pub fn rounded(figure: f64) -> u64 {
    figure.round() as u64
}

/// `1 game`, `2,204 games`.
pub fn count(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", grouped(number))
}

/// A size with a unit of its magnitude.
pub fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if size < 1000 {
        return format!("{size} B");
    }
    let mut value = size as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A time in milliseconds, to the microsecond.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// A time with a unit of its magnitude.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        _ if seconds < 1e-3 => format!("{:.0} us", seconds * 1e6),
        _ if seconds < 0.1 => format!("{:.1} ms", seconds * 1e3),
        _ if seconds < 1.0 => format!("{:.0} ms", seconds * 1e3),
        _ if seconds < 60.0 => format!("{seconds:.1} s"),
        _ => format!(
            "{:.0} min {:02.0} s",
            (seconds / 60.0).floor(),
            (seconds % 60.0).floor()
        ),
    }
}

/// The text with control characters escaped, so that a terminal does not act on them.
pub fn printable(text: &str) -> Cow<'_, str> {
    let dangerous = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(dangerous) {
        return Cow::Borrowed(text);
    }
    let mut clean = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if dangerous(c) {
            clean.extend(c.escape_default());
        } else {
            clean.push(c);
        }
    }
    Cow::Owned(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_thousands() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (57_512_345, "57,512,345")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(count(1, "game"), "1 game");
        assert_eq!(count(0, "game"), "0 games");
    }

    #[test]
    fn sizes_and_times_have_fitting_units() {
        assert_eq!(
            [bytes(7), bytes(999_949), bytes(386_000_000)],
            ["7 B", "999.9 kB", "386.0 MB"]
        );
        let times = [30e-6, 1.94e-3, 0.25, 12.34, 125.0].map(|seconds| duration(Duration::from_secs_f64(seconds)));
        assert_eq!(times, ["30 us", "1.9 ms", "250 ms", "12.3 s", "2 min 05 s"]);
        assert!((milliseconds(Duration::from_nanos(1_234_567)) - 1.235).abs() < 1e-9);
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("Tal\u{1b}[31m"), "Tal\\u{1b}[31m");
        assert_eq!(printable("Tal"), "Tal");
    }
}
