//! Products, quotients, remainders and roots of numbers, which the index looks up in tables.

use super::indexed::indexed;
use super::routes::{found_by_both, found_by_index};
use super::samples::{ODDITIES, samples};

/// Each matches somewhere, and no position is evaluated for it.
const QUERIES: [&str; 14] = [
    "x = file K - file k y = rank K - rank k sqrt (x * x + y * y) <= 2",
    "function Crow (From To) {x = file From - file To y = rank From - rank To x * x + y * y} Crow (K k) == 13",
    "(file K + rank K) % 2 == 1",
    "(file K - file k) % 3 == -2",
    "(rank k - rank K) / 2 == -1",
    "7 / -2 + #Q < -1",
    "#N * #n == 2",
    "(#P - #p) * (#R - #r) < 0",
    "#A * #a >= 200",
    "#A / 3 == #a / 4",
    "#[QR] % 3 == #P % 4",
    "sqrt #[Aa] == 5",
    "sqrt #[RBN] > 2 * #Q",
    "(#A - #a) * (#A - #a) >= 4",
];

/// There is no table for these, or no number everywhere.
const OTHERS: [&str; 21] = [
    "sqrt (#A - #a) == 1",
    "#A / #Q == 15",
    "#A % #q == 2",
    "power A * power a > 1000",
    "power A / 3 == #A",
    "power A % 10 == power a % 10",
    "sqrt (power A + power a) > 2 * #Q + 6",
    "sqrt (ply * #A) > 10",
    "x = rank Q x * x == 16",
    "file [Qq] * rank [Qq] == 8",
    "sqrt file Q == 2",
    // Squares that have more than 32 bits, though the product has not, and one that wraps around to 0.
    "(#A + 32752) * (#a + 32752) > 5",
    "(#A + 65520) * (#A + 65520) == 0",
    // Sums that wrap around, and a largest number below all that are usual.
    "X = (file k) * 65536 * 512 X + X + X + X + X + X + X + X < 0",
    "X = (file k) * 65536 * 512 X += X X += X X += X X < 0",
    "X = (file k) * 65536 * 512 0 - X - X - X - X - X - X - X - X - X > 0",
    "X = #A * 65536 * 64 if wtm then X += X X += X X += X X += X X += X X < 0",
    "max ((file k) * 65536 * -512 file q) < (file k) * 65536 * -256",
    "not max ((file k) * 65536 * -512 file q) < (file k) * 65536 * -256",
    "min ((file k) * 65536 * 512 file q) > (file k) * 65536 * 256",
    "{max ((file k) * 65536 * -512 file q)} + (file k) * 65536 * 256 > 0",
];

#[test]
fn products_quotients_and_roots_are_those_of_the_evaluator() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in QUERIES {
        assert!(found_by_index(&snapshot, text) > 0, "{text}");
    }
    let odd = indexed(ODDITIES);
    for text in QUERIES.into_iter().chain(OTHERS) {
        for (snapshot, variations) in [(&snapshot, false), (&odd.1, false), (&odd.1, true)] {
            found_by_both(snapshot, text, variations);
        }
    }
}
