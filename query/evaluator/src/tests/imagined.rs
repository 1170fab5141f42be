//! Positions that were not in the game, against the positions that shakmaty reaches
//! (docs/language/cqli.md#imagined-positions).

use chess::MoveTree;
use shakmaty::{Chess, Color, Move, Position};

use super::reader::{self, pack, setup};
use super::{run, scholar, values};
use crate::game::GameView;

/// Castling rights that follow from the men at home, and no pawn that has just made a double step.
const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/1P4P1/8/q2Q3r/8/5bn1/1p4p1/4K3 w - - 0 1",
];

fn random_games() -> Vec<(MoveTree, Vec<Chess>)> {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize
    };
    let mut games = Vec::new();
    for start in STARTS.iter().cycle().take(24) {
        let (start, mut position) = setup(start);
        let mut moves = Vec::new();
        let mut positions = vec![position.clone()];
        for _ in 0..60 {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let m = legal[next() % legal.len()];
            moves.push(pack(m));
            position = position.play(m).expect("the move is legal");
            positions.push(position.clone());
        }
        let branches = Vec::new();
        games.push((MoveTree { start, moves, branches }, positions));
    }
    games
}

/// The numbers that a filter gives in a game, by position.
fn numbers(tree: &MoveTree, filter: &str) -> Vec<usize> {
    let outcome = run(tree, &format!("x={filter} message quiet(x)"));
    outcome
        .messages
        .iter()
        .map(|number| number.parse().expect("a number"))
        .collect()
}

#[test]
fn the_boards_before_an_imagined_one_are_those_of_the_game() {
    let mut line = GameView::default();
    for (tree, _) in random_games() {
        let mut game = GameView::default();
        game.load(&tree, false);
        let last = game.last_node();
        // Forwards and backwards, as `find` and `find <--` may do. Boards that nothing asks for are not made.
        let visits = [
            (last / 2, false),
            (last / 3, true),
            (last, false),
            (last / 4, false),
            (last, true),
            (0, true),
        ];
        for (visit, (node, asked)) in visits.into_iter().enumerate() {
            line.load_line(&game, node, visit > 0);
            line.push_copy();
            line.set_turn(!game.turn(node));
            assert_eq!(line.last_node(), node + 1);
            assert_ne!(line.turn(node + 1), game.turn(node));
            for before in (0..=node).rev().filter(|_| asked) {
                assert!(line.board(before) == game.board(before), "{before} from {node}");
            }
            line.pop();
        }
    }
}

#[test]
fn as_many_moves_have_a_target_as_shakmaty_finds() {
    let count = |position: &Chess, holds: &dyn Fn(&Chess, &Move) -> bool| {
        let legal = position.legal_moves();
        let after = |m: &Move| position.clone().play(*m).expect("the move is legal");
        legal.iter().filter(|&m| holds(&after(m), m)).count()
    };
    let (mut checks, mut mates) = (0, 0);
    for (tree, positions) in random_games() {
        let expected = |holds: &dyn Fn(&Chess, &Move) -> bool| -> Vec<usize> {
            positions.iter().map(|position| count(position, holds)).collect()
        };
        let found = numbers(&tree, "move legal count : check");
        assert_eq!(found, expected(&|after, _| after.is_check()));
        checks += found.iter().sum::<usize>();
        let found = numbers(&tree, "move legal count : mate");
        assert_eq!(found, expected(&|after, _| after.is_checkmate()));
        mates += found.iter().sum::<usize>();
        let found = numbers(&tree, "move legal count : {stalemate}");
        assert_eq!(found, expected(&|after, _| after.is_stalemate()));
        let found = numbers(&tree, "move legal count : {move legal castle}");
        let castles = |after: &Chess, _: &Move| after.legal_moves().iter().any(|m| m.is_castle());
        assert_eq!(found, expected(&castles));
        let found = numbers(&tree, "move legal count : {move legal enpassant}");
        let en_passant = |after: &Chess, _: &Move| after.legal_moves().iter().any(|m| m.is_en_passant());
        assert_eq!(found, expected(&en_passant));
        let found = numbers(&tree, "move legal count : {move previous castle}");
        assert_eq!(found, expected(&|_, m| m.is_castle()));
        let found = numbers(&tree, "move legal count : {move legal count > 20}");
        // Here a promotion is one move.
        let many = |after: &Chess, _: &Move| {
            let promotions = |m: &&Move| m.promotion().is_none_or(|role| role == shakmaty::Role::Queen);
            after.legal_moves().iter().filter(promotions).count() > 20
        };
        assert_eq!(found, expected(&many));
        let found = numbers(&tree, "move legal count : {wtm power A > power a}");
        let ahead = |after: &Chess, _: &Move| {
            let worth = |color: Color| {
                let side = after.board().material_side(color);
                9 * i32::from(side.queen)
                    + 5 * i32::from(side.rook)
                    + 3 * i32::from(side.bishop + side.knight)
                    + i32::from(side.pawn)
            };
            after.turn() == Color::White && worth(Color::White) > worth(Color::Black)
        };
        assert_eq!(found, expected(&ahead));
    }
    assert!(checks > 1000 && mates > 20, "only {checks} checks and {mates} mates");
}

#[test]
fn moves_that_check_or_mate_are_found_without_the_others() {
    // By promotion, castling, en passant, uncovered, next to the king and from afar.
    let (mut checks, mut mates) = (0, 0);
    for fen in [
        "8/3P4/8/3k4/8/8/8/4K3 w - - 0 1",
        "3k4/8/3K4/8/8/8/8/7R w - - 0 1",
        "8/3k4/8/3N4/8/8/8/3RK3 w - - 0 1",
        "5k2/8/5K2/8/8/8/8/R6R w - - 0 1",
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
        "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
        "k7/2P5/K7/8/8/8/8/8 w - - 0 1",
        "7k/5Kp1/8/8/8/8/6P1/6R1 w - - 0 1",
        "8/8/8/8/7k/5K1n/6P1/8 w - - 0 1",
        "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1",
        "k1K5/pp6/8/8/3B4/8/6B1/8 w - - 0 1",
        "6k1/5p1p/6pQ/8/8/2B5/8/6K1 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/5PP1/8/PPPPP2P/RNBQKBNR b KQkq - 0 1",
        "8/8/8/8/R2Pp2k/8/8/4K3 w - - 0 1",
    ] {
        let tree = reader::read(Some(fen), "");
        let (_, position) = setup(fen);
        let count = |holds: &dyn Fn(&Chess) -> bool| {
            let after = |m: &Move| position.clone().play(*m).expect("the move is legal");
            position.legal_moves().iter().filter(|&m| holds(&after(m))).count()
        };
        let found = ["check", "mate"].map(|aim| numbers(&tree, &format!("{{move legal count : {aim}}}"))[0]);
        assert_eq!(
            found,
            [count(&|after| after.is_check()), count(&|after| after.is_checkmate())],
            "{fen}"
        );
        checks += usize::from(found[0] > 0);
        mates += usize::from(found[1] > 0);
    }
    assert!(
        checks >= 12 && mates >= 8,
        "{checks} boards with checks, {mates} with mates"
    );
    // Black has just made a double step, and White checks by capturing en passant.
    let tree = reader::read(Some("4k3/3p4/8/4P3/8/8/8/4RK2 b - - 0 1"), "1... d5");
    assert_eq!(numbers(&tree, "{move legal enpassant count : check}"), [0, 1]);
}

/// Boards on which a mate is often missed by one answer: men on any squares, kings beside each other, pins, uncovered checks.
#[test]
fn a_check_that_can_be_answered_is_no_mate() {
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % n
    };
    let (mut boards, mut checks, mut mates) = (0, 0, 0);
    while boards < 4_000 {
        let mut squares = [' '; 64];
        let mut put = |man: char, square: usize| squares[square] = man;
        for _ in 0..2 + below(6) {
            put(['Q', 'R', 'B', 'N', 'P'][below(5)], 8 + below(48));
        }
        for _ in 0..2 + below(8) {
            put(['q', 'r', 'b', 'n', 'p', 'p'][below(6)], 8 + below(48));
        }
        // Near to the edge, where mates are.
        let king = below(16);
        put('k', king);
        put(
            'K',
            if below(2) == 0 {
                below(64)
            } else {
                (king + 16 + below(3)) % 64
            },
        );
        let ranks = squares
            .chunks(8)
            .map(|rank| rank.iter().map(|&man| if man == ' ' { '1' } else { man }).collect());
        let fen = format!("{} w - - 0 1", ranks.collect::<Vec<String>>().join("/"));
        let Some(position) = legal(&fen) else { continue };
        boards += 1;
        let tree = reader::read(Some(&fen), "");
        let count = |holds: &dyn Fn(&Chess) -> bool| {
            let after = |m: &Move| position.clone().play(*m).expect("the move is legal");
            position.legal_moves().iter().filter(|&m| holds(&after(m))).count()
        };
        let found = ["check", "mate"].map(|aim| numbers(&tree, &format!("{{move legal count : {aim}}}"))[0]);
        let expected = [count(&|after| after.is_check()), count(&|after| after.is_checkmate())];
        assert_eq!(found, expected, "{fen}");
        checks += found[0];
        mates += found[1];
    }
    assert!(checks > 4_000 && mates > 400, "only {checks} checks and {mates} mates");
}

/// The position of a FEN, if it is legal.
fn legal(fen: &str) -> Option<Chess> {
    let fen: shakmaty::fen::Fen = fen.parse().ok()?;
    fen.into_position(shakmaty::CastlingMode::Standard).ok()
}

#[test]
fn a_move_that_was_played_has_the_position_that_follows() {
    for (tree, _) in random_games() {
        for target in ["check", "mate", "{R attacks q}", "{#A == #a}", "{passedpawns & P}"] {
            let behind = run(&tree, &format!("child : {target}")).matches;
            assert_eq!(run(&tree, &format!("move : {target}")).matches, behind, "{target}");
            let imagined = run(&tree, &format!("child : {target} move legal : {target}")).matches;
            assert_eq!(imagined, behind, "{target}");
        }
    }
}

#[test]
fn pieces_and_the_moves_so_far_are_the_same_in_variations() {
    // The queen is the same man behind its move; every capture of a pawn that checks, in the variations, too.
    let captures = "piece y in Q {move from y legal capture p : {y attacks k}}";
    assert_eq!(scholar(captures).matches, [4, 6, 8, 11, 13]);
    let numbers = "piece y in A {z = pieceid y move legal : {pieceid y != z}}";
    assert_eq!(scholar(numbers).matches, [] as [u32; 0]);
}

#[test]
fn what_is_imagined_does_not_change_what_comes_after() {
    // The same question, with others before it.
    let plain = values("{#(A attacks a) + 0}");
    let behind = values("{{move legal count : {R attacks q}} >= 0 {imagine remove Q : #A} > 0 #(A attacks a) + 0}");
    assert_eq!(behind, plain);
    let mut all = values("{imagine remove [Aa] : #.}")
        .split(' ')
        .map(str::to_owned)
        .collect::<Vec<_>>();
    all.iter_mut()
        .for_each(|value| *value = value.split('=').next_back().unwrap_or_default().to_owned());
    assert!(all.len() > 10 && all.iter().all(|value| value == "64"), "{all:?}");
    let added = run(
        &reader::read(None, "1. e4"),
        "imagine remove Q add Q on d4 : {piece y in Q {d4 & y}}",
    );
    assert_eq!(added.matches, [0, 1]);
}

#[test]
fn the_side_to_move_is_changed_in_the_order_of_the_text() {
    for (changes, same) in [
        ("sidetomove reverse sidetomove reverse : wtm", "wtm"),
        ("sidetomove reverse sidetomove reverse : check", "check"),
        ("sidetomove white sidetomove reverse : btm", "true"),
        ("sidetomove reverse sidetomove black : btm", "true"),
        ("sidetomove reverse sidetomove reverse sidetomove reverse : wtm", "btm"),
    ] {
        let imagined = scholar(&format!("imagine {changes}"));
        assert_eq!(imagined.matches, scholar(same).matches, "{changes}");
    }
}
