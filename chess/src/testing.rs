//! Random games for tests, with variations, from various starts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role, fen::Fen};

use crate::{
    board::Board,
    moves::{MoveKind, PackedMove},
    tree::{Branch, MoveTree, Start},
};

/// Various starts: the normal one, endings with promotions and en passant, castling, Chess960.
pub const STARTS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8",
    "8/PPP3k1/8/8/8/8/1K3ppp/8 b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "7k/8/8/8/8/8/5q2/7K w - - 0 1",
    "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r2k2r/p7/8/8/8/8/7P/1RK4R b HBhb - 0 1",
];

/// A random number generator that gives the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

/// Packs a move of shakmaty.
pub fn pack(m: Move) -> PackedMove {
    match m {
        Move::Normal {
            promotion: Some(role),
            from,
            to,
            ..
        } => PackedMove::new(from, to, MoveKind::Promotion(role)),
        Move::Normal {
            role: Role::Pawn,
            from,
            to,
            ..
        } if from.distance(to) == 2 => PackedMove::new(from, to, MoveKind::DoubleStep),
        Move::Normal { from, to, .. } => PackedMove::new(from, to, MoveKind::Normal),
        Move::EnPassant { from, to } => PackedMove::new(from, to, MoveKind::EnPassant),
        Move::Castle { king, rook } => PackedMove::new(king, rook, MoveKind::Castle),
        Move::Put { .. } => unreachable!("standard chess has no drops"),
    }
}

/// The position of a FEN.
pub fn position(fen: &str) -> Chess {
    fen.parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Chess960)
        .unwrap()
}

/// The board of a position.
pub fn board_of(position: &Chess) -> Board {
    Board::from_pieces(position.board().iter(), position.turn())
}

/// A random game, and its positions in shakmaty's representation.
pub fn random_game(seed: u64) -> (MoveTree, Vec<Chess>) {
    let mut dice = Dice(seed);
    dice.roll(2);
    let fen = STARTS[dice.roll(STARTS.len())];
    let root = position(fen);
    let start = if fen == STARTS[0] {
        Start::Standard
    } else {
        Start::Setup {
            board: Box::new(board_of(&root)),
            fullmoves: 1,
        }
    };
    let mut tree = MoveTree {
        start,
        ..MoveTree::default()
    };
    let mut nodes = vec![root];
    let length = dice.roll(80);
    grow(&mut tree, &mut nodes, 0, length, &mut dice);
    if dice.roll(2) == 0 {
        // Variations in preorder: they branch off from the main line, from its end backwards.
        let mut parent = nodes.len() - 1;
        while parent > 0 && tree.branches.len() < 8 {
            parent -= 1 + dice.roll(parent).min(9);
            let before = nodes.len();
            let length = 1 + dice.roll(9);
            tree.branches.push(Branch {
                node: u32::try_from(before).unwrap(),
                parent: u32::try_from(parent).unwrap(),
            });
            grow(&mut tree, &mut nodes, parent, length, &mut dice);
            if nodes.len() == before {
                tree.branches.pop();
            }
        }
    }
    (tree, nodes)
}

fn grow(tree: &mut MoveTree, nodes: &mut Vec<Chess>, from: usize, length: usize, dice: &mut Dice) {
    let mut current = nodes[from].clone();
    for _ in 0..length {
        let legal = current.legal_moves();
        let null = dice.roll(30) == 0;
        let swapped = if null { current.clone().swap_turn().ok() } else { None };
        let m = if let Some(swapped) = swapped {
            let king = current.board().king_of(current.turn()).unwrap();
            current = swapped;
            PackedMove::new(king, king, MoveKind::Null)
        } else if legal.is_empty() {
            return;
        } else {
            // Captures, castling and promotions are preferred, because they are rare.
            let special: Vec<Move> = legal
                .iter()
                .copied()
                .filter(|m| m.is_capture() || m.is_castle() || m.is_promotion())
                .collect();
            let m = if !special.is_empty() && dice.roll(3) == 0 {
                special[dice.roll(special.len())]
            } else {
                legal[dice.roll(legal.len())]
            };
            current.play_unchecked(m);
            pack(m)
        };
        tree.moves.push(m);
        nodes.push(current.clone());
    }
}

/// The square of an en passant capture according to shakmaty, legal or not.
pub fn en_passant(position: &Chess) -> Option<shakmaty::Square> {
    position.ep_square(EnPassantMode::Always)
}
