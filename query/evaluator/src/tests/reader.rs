//! Movetext to trees, for tests: well-formed text only, and as little of it as they need.

use chess::{Board, Branch, MoveKind, MoveTree, PackedMove, Start};
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, FromSetup, Move, Position, PositionError, Role, Square, fen::Fen};

/// A node while reading: its parent, the move to it, its children in order.
#[derive(Default)]
struct Node {
    position: Chess,
    packed: Option<PackedMove>,
    children: Vec<usize>,
}

/// Reads the moves of a game from a FEN, or from the normal start. Reading ends at the first word that is not a move.
pub(crate) fn read(fen: Option<&str>, movetext: &str) -> MoveTree {
    let (start, position) = match fen {
        None => (Start::Standard, Chess::default()),
        Some(fen) => setup(fen),
    };
    let mut nodes = vec![Node {
        position,
        ..Node::default()
    }];
    // The line that is read: the node that it has reached, and the one before.
    let (mut at, mut before) = (0, 0);
    let mut lines = Vec::new();
    for token in tokens(movetext) {
        match token.as_str() {
            "(" => {
                lines.push((at, before));
                at = before;
            }
            ")" => (at, before) = lines.pop().expect("brackets are balanced"),
            word => {
                let Some((packed, position)) = play(&nodes[at].position, word) else {
                    break;
                };
                let child = nodes.len();
                nodes.push(Node {
                    position,
                    packed: Some(packed),
                    children: Vec::new(),
                });
                nodes[at].children.push(child);
                (at, before) = (child, at);
            }
        }
    }
    flatten(start, &nodes)
}

/// The start that a FEN describes.
pub(crate) fn setup(fen: &str) -> (Start, Chess) {
    let setup = fen.parse::<Fen>().expect("the FEN is good").into_setup();
    let board = Board::from_pieces(setup.board.iter(), setup.turn);
    let fullmoves = setup.fullmoves.get();
    let position = Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .or_else(PositionError::ignore_invalid_ep_square)
        .expect("the position is possible");
    (
        Start::Setup {
            board: Box::new(board),
            fullmoves,
        },
        position,
    )
}

/// Brackets and words, without comments, numbers and glyphs.
fn tokens(movetext: &str) -> Vec<String> {
    let mut text = String::new();
    let mut depth = 0;
    for letter in movetext.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ if depth > 0 => {}
            '(' | ')' => text.extend([' ', letter, ' ']),
            _ => text.push(letter),
        }
    }
    text.split_whitespace()
        .map(without_number)
        .filter(|word| !word.is_empty() && !word.starts_with('$'))
        .filter(|word| !matches!(*word, "1-0" | "0-1" | "1/2-1/2" | "*"))
        .map(|word| word.trim_end_matches(['!', '?', ',']).replace('0', "O"))
        .collect()
}

/// `12.Nf3` without its number.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.is_empty() || rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

fn play(position: &Chess, word: &str) -> Option<(PackedMove, Chess)> {
    if matches!(word, "--" | "ZO") {
        let king = position.board().king_of(position.turn())?;
        return Some((
            PackedMove::new(king, king, MoveKind::Null),
            position.clone().swap_turn().ok()?,
        ));
    }
    let m = word.parse::<SanPlus>().ok()?.san.to_move(position).ok()?;
    Some((pack(m), position.clone().play(m).ok()?))
}

/// A move as it is stored.
pub(crate) fn pack(m: Move) -> PackedMove {
    let normal = |from: Square, to: Square, role: Role, promotion: Option<Role>| match promotion {
        Some(role) => MoveKind::Promotion(role),
        None if role == Role::Pawn && from.rank().distance(to.rank()) == 2 => MoveKind::DoubleStep,
        None => MoveKind::Normal,
    };
    match m {
        Move::Normal {
            role,
            from,
            to,
            promotion,
            ..
        } => PackedMove::new(from, to, normal(from, to, role, promotion)),
        Move::EnPassant { from, to } => PackedMove::new(from, to, MoveKind::EnPassant),
        Move::Castle { king, rook } => PackedMove::new(king, rook, MoveKind::Castle),
        Move::Put { .. } => unreachable!("chess has no drops"),
    }
}

/// The nodes in preorder, the continuation before the variations.
fn flatten(start: Start, nodes: &[Node]) -> MoveTree {
    let (mut moves, mut branches) = (Vec::new(), Vec::new());
    let mut open = vec![(0, 0, true)];
    let mut count = 0;
    while let Some((node, parent, first)) = open.pop() {
        if let Some(packed) = nodes[node].packed {
            moves.push(packed);
            if !first {
                branches.push(Branch { node: count, parent });
            }
        }
        for (index, &child) in nodes[node].children.iter().enumerate().rev() {
            open.push((child, count, index == 0));
        }
        count += 1;
    }
    MoveTree { start, moves, branches }
}
