//! Pure mates and stalemates: the index leaves none out, among positions that are made at random.

use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Rank, Role, Setup, Square,
};

use super::indexed;
use super::random::Generator;
use super::routes::found_by_both;
use super::samples::setting;

/// How many games end so.
const GAMES: usize = 1_500;

/// An ideal mate and an ideal stalemate, of which some seeds make none.
const IDEAL: [&str; 2] = ["7k/5K2/8/8/8/8/7Q/8 b - - 0 1", "7k/7P/7K/8/8/8/8/8 b - - 0 1"];

/// A king at the edge with a few men around, and others against it, as likely as not in check.
fn setup(generator: &mut Generator) -> Setup {
    let mut setup = Setup::empty();
    let (loser, winner) = match generator.below(2) {
        0 => (Color::White, Color::Black),
        _ => (Color::Black, Color::White),
    };
    setup.turn = loser;
    let king = one_of(
        generator,
        &[
            Square::A1,
            Square::C1,
            Square::H1,
            Square::A5,
            Square::H8,
            Square::E8,
            Square::B7,
        ],
    );
    setup.board.set_piece_at(king, loser.king());
    let near = shakmaty::attacks::king_attacks(king);
    let mut put = |generator: &mut Generator, piece: Piece, squares: Bitboard| {
        let free: Vec<Square> = (squares & !setup.board.occupied() & allowed(piece.role))
            .into_iter()
            .collect();
        if !free.is_empty() {
            setup.board.set_piece_at(one_of(generator, &free), piece);
        }
    };
    put(generator, winner.king(), !near);
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    for _ in 0..generator.below(5) {
        let role = one_of(generator, &[Role::Pawn, Role::Pawn, Role::Knight, Role::Rook]);
        put(generator, Piece { role, color: loser }, near);
    }
    for _ in 0..1 + generator.below(5) {
        let role = one_of(generator, &roles);
        put(generator, Piece { role, color: winner }, Bitboard::FULL);
    }
    setup
}

fn one_of<T: Copy>(generator: &mut Generator, list: &[T]) -> T {
    let count = u32::try_from(list.len()).expect("a list is short");
    list[generator.below(count) as usize]
}

/// Where a man can stand.
fn allowed(role: Role) -> Bitboard {
    match role {
        Role::Pawn => !(Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth)),
        _ => Bitboard::FULL,
    }
}

#[test]
fn no_pure_mate_or_stalemate_is_left_out() {
    let mut generator = Generator::new(setting("CQLDEX_SEED", 1));
    let mut pgn = String::new();
    let mut add = |fen: &str| {
        write!(pgn, "[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n*\n\n").expect("a string takes everything");
    };
    IDEAL.into_iter().for_each(&mut add);
    let mut games = 0;
    while games < GAMES {
        let Ok(position) = Chess::from_setup(setup(&mut generator), CastlingMode::Standard) else {
            continue;
        };
        if position.is_checkmate() || position.is_stalemate() {
            add(&Fen::from_position(&position, EnPassantMode::Legal).to_string());
            games += 1;
        }
    }
    let (_folder, snapshot) = indexed::indexed(&pgn);
    let found = |text: &str| found_by_both(&snapshot, text, false);
    for over in ["mate", "stalemate"] {
        let [all, pure, model, ideal] = ["", "pure", "model", "ideal"].map(|purity| found(&format!("{purity}{over}")));
        assert!(
            all > pure && pure > model && model > ideal && ideal > 0,
            "{over}: {all} {pure} {model} {ideal}"
        );
        for text in [
            format!("#model{over} > 4"),
            format!("find pure{over}"),
            format!("not pure{over} {over}"),
            format!("K attacks pure{over}"),
            format!("flip {{ideal{over} & k}}"),
        ] {
            found(&text);
        }
    }
}
