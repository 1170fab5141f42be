//! Pins to a king, of which the index has lists, and others, alone and beside what is known of check, of the side to move and of who
//! is not pinned.

use super::random::Generator;
use super::routes::{Shares, compare_random, found_by_index};
use super::samples::samples;

/// Pins, with parts that are all men of a kind, certain ones, or squares.
const PINS: [&str; 22] = [
    "pin",
    "pin",
    "(pin through [Aa])",
    "(pin through A)",
    "(pin through [nb])",
    "(pin through [QR]a-h1-4)",
    "(pin to K)",
    "(pin to [Kk]e1,e8,g1,g8)",
    "(pin to (k & . attackedby [Aa]))",
    "(pin from [QRBqrb])",
    "(pin from Q)",
    "(pin from (A & . attackedby a) through P)",
    "(pin through n from b to k)",
    "(pin from [Bb])",
    "(pin through p to [kq])",
    "(pin through A to q)",
    "(pin through a to _)",
    "(pin through [Aa] to [QqRr])",
    "(pin from (pin through [QRB]))",
    "(pin through (pin through a))",
    "(pin through (. attackedby P))",
    "(pin to (pin through q to [kr]))",
];

const FILTERS: [&str; 24] = [
    "PIN",
    "#PIN >= COUNT",
    "#PIN == COUNT",
    "not PIN",
    "[NBRQ] & ~PIN & ~(legal A--)",
    "#([nbrq] & ~PIN & ~(legal [Aa]--)) >= COUNT",
    "square X in [NBRQnbrq] & ~PIN {not legal X--}",
    "piece X in [NBRQPnbrqp] {X & PIN not legal X--}",
    "piece X in A {PIN & X OTHER & X}",
    "square X in PIN {[Aa] attacks X #(a attacks X)>=COUNT}",
    "square all X in PIN {X & [Pp] or A attacks X}",
    "PIN attacks OTHER",
    "(PIN | OTHER) & [Aa]a-h3-6",
    "#(PIN & ~OTHER) > #(OTHER & ~PIN)",
    "child:PIN not PIN",
    "find 1 3 {PIN OTHER}",
    "PIN & from",
    "A―― from & PIN",
    "#(legal A--) > COUNT PIN",
    "if wtm then PIN else OTHER",
    "(if check then PIN else OTHER) & [Aa]",
    "Pinned = PIN square X in Pinned {not X & OTHER}",
    "anydirection 1 PIN & [Kk]",
    "up PIN & p",
];

const BESIDE: [&str; 8] = [
    "",
    "",
    "wtm",
    "btm",
    "not check",
    "check",
    "wtm not check",
    "btm not check",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let (pin, other) = (generator.pick(&PINS), generator.pick(&PINS));
    let filter = generator
        .pick(&FILTERS)
        .replace("PIN", pin)
        .replace("OTHER", other)
        .replace("COUNT", &(1 + generator.below(3)).to_string());
    let beside = generator.pick(&BESIDE);
    match generator.below(6) {
        0 => format!("flipcolor {{{beside} {filter}}}"),
        1 => format!("{{{beside} {filter}}} or {{{other} check}}"),
        2 => format!("not {{{beside} {filter}}}"),
        _ => format!("{beside} {filter}"),
    }
}

#[test]
fn pinned_men_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.8,
        selective: 0.5,
    };
    compare_random(8, needed, text);
}

/// Who has no legal move is known exactly where there is no check and of men that are not pinned.
#[test]
fn men_that_cannot_move_are_known_where_nothing_pins_them() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in [
        "flipcolor {wtm not check #(square X in [NBRQ] & ~pin {not legal X--}) >= 3}",
        "btm not check square X in [nbrq] & ~pin {not legal X-- A attacks X}",
    ] {
        assert!(found_by_index(&snapshot, text) > 0, "{text}");
    }
}
