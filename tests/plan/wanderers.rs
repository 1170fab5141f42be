//! Games in which a few men wander, so that what they do together comes about often.

use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, Position};
use storage::Snapshot;

use super::indexed;
use super::random::Generator;
use super::routes::{answer, compare_routes, is_credible};
use super::samples::{compiled, setting};
use super::{alike, lines, maneuvers, moves, turns};
use search::Route;

/// Where the games begin.
const BEGINNINGS: [&str; 6] = [
    "7k/8/8/8/8/1R6/8/R5K1 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "2q1k3/2n5/8/8/8/8/2N5/2Q1K3 w - - 0 1",
    "4k3/3bb3/8/8/8/8/3BB3/4K3 w - - 0 1",
    "3rk3/4p3/8/8/8/8/4P3/3RK3 w - - 0 1",
    "1n2k1n1/8/8/3Q4/8/8/8/1N2K1N1 w - - 0 1",
];

/// How many moves of one side a game has at most.
const LENGTH: usize = 24;

/// As many games, of moves that are made at random.
fn wandering(seed: u64, games: u32) -> (tempfile::TempDir, Snapshot) {
    let mut generator = Generator::new(seed);
    let mut pgn = String::new();
    for _ in 0..games {
        let fen = generator.pick(&BEGINNINGS);
        let mut position: Chess = fen
            .parse::<Fen>()
            .expect("it is a FEN")
            .into_position(CastlingMode::Standard)
            .expect("it is a position");
        write!(pgn, "[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n").expect("a string takes everything");
        for _ in 0..LENGTH {
            let legal = position.legal_moves();
            let Ok(count) = u32::try_from(legal.len()) else { break };
            if count == 0 {
                break;
            }
            let number = match position.turn() {
                Color::White => format!("{}.", position.fullmoves()),
                Color::Black => format!("{}...", position.fullmoves()),
            };
            let mut san = |position: &mut Chess| {
                let played = legal[generator.below(count) as usize];
                SanPlus::from_move_and_play_unchecked(position, played)
            };
            let mut aside = position.clone();
            let (played, other) = (san(&mut position), san(&mut aside));
            write!(pgn, "{number} {played} ").expect("a string takes everything");
            if generator.below(8) == 0 {
                write!(pgn, "({number} {other}) ").expect("a string takes everything");
            }
        }
        pgn += "*\n\n";
    }
    indexed::indexed(&pgn)
}

#[test]
fn wandering_men_are_found_by_plan_where_they_are_found_by_scan() {
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 10);
    let (_folder, snapshot) = wandering(seed, 100);
    let outcomes = compare_routes(&snapshot, count, |number| {
        let number = seed * 2_000_003 + number;
        match number % 8 {
            0 => moves::text(number),
            1 => turns::text(number),
            2 => lines::text(number),
            3 => alike::text(number),
            4 => Generator::new(number).truth(3),
            5 => Generator::new(number).program(),
            _ => maneuvers::text(number),
        }
    });
    assert!(
        is_credible(outcomes.selective, count, 0.1),
        "{} of {count} tell positions apart",
        outcomes.selective
    );
}

/// What random queries found, corrected since: a game, a query, and the only position of the main line that matches.
const FOUND: [(&str, &str, u32); 3] = [
    // A man that goes from one square of a line to its end does not stand on both at once.
    (
        "[FEN \"7k/8/8/8/8/1R6/8/R5K1 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Rd1 Kh7 2. Rbb1 Kh8 3. Ra1 Kh7 *\n",
        "piece X in R piece Y in R & ~X {S=X path focus (X|Y) X-- Y-- xray(X Y S) Y-- Y==S}",
        0,
    ),
    // The man that moves may have captured the other one before.
    (
        "[FEN \"8/8/8/4P3/3k4/8/3R4/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... Kxe5 2. Rd1 Kf5 3. Rd2 *\n",
        "piece X in P piece Y in k {path focus capture (X|Y) Y-- Y--+}",
        0,
    ),
    // The other man may have castled with the one that moves.
    (
        "[FEN \"4k2r/2R5/8/8/r7/8/8/R4K2 b k - 0 1\"]\n[SetUp \"1\"]\n\n1... O-O+ 2. Kg2 Re8 *\n",
        "piece X in r piece Y in k {path focus (X|Y) X-- X-- X==pathstart:Y}",
        0,
    ),
];

#[test]
fn what_was_left_out_once_is_found() {
    for (pgn, text, position) in FOUND {
        let (_folder, snapshot) = indexed::indexed(pgn);
        let query = compiled(text);
        for route in [Route::Plan, Route::Definition] {
            let found = answer(&snapshot, &query, false, route);
            assert_eq!(found, Ok(vec![(1, position)]), "{route:?}: {text}");
        }
    }
}
