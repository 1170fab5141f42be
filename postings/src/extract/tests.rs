#![expect(clippy::cast_possible_truncation, reason = "tests have few positions")]

use chess::{testing::board_of, testing::en_passant, testing::random_game};
use shakmaty::{Chess, Color, Position};

use super::*;

/// The children of a node, by looking at every edge.
fn children(tree: &MoveTree, node: u32) -> Vec<u32> {
    (1..tree.len() as u32)
        .filter(|&child| parent(tree, child) == node)
        .collect()
}

fn parent(tree: &MoveTree, node: u32) -> u32 {
    tree.branches
        .iter()
        .find(|branch| branch.node == node)
        .map_or(node - 1, |branch| branch.parent)
}

/// Whether a term holds, from its document and shakmaty, without any of the machinery above.
fn holds(term: Term, tree: &MoveTree, nodes: &[Chess], node: u32) -> bool {
    let position = &nodes[node as usize];
    let last = (node > 0).then(|| tree.moves[node as usize - 1]);
    let before = || &nodes[parent(tree, node) as usize];
    let piece_at = |position: &Chess, square| position.board().piece_at(square).map_or(Man::EMPTY, Man::from);
    match term {
        Term::Placement(man, square) => piece_at(position, square) == man,
        Term::WhiteToMove => position.turn() == Color::White,
        Term::Check => position.is_check(),
        Term::Mate => position.is_checkmate(),
        Term::Stalemate => position.is_stalemate() && children(tree, node).is_empty(),
        Term::Mainline => (1..=node).all(|node| tree.branches.iter().all(|branch| branch.node > node)),
        Term::Initial => node == 0,
        Term::Terminal => children(tree, node).is_empty(),
        Term::MainlineEnd => holds(Term::Mainline, tree, nodes, node) && node + 1 == tree.mainline_len() as u32,
        Term::AtLeast(man, count) => board_of(position).of(man).count() >= usize::from(count),
        Term::Captured(man) => last.is_some_and(|m| match m.kind() {
            MoveKind::EnPassant => man == Man::new(position.turn(), Role::Pawn),
            MoveKind::Castle | MoveKind::Null => false,
            _ => piece_at(before(), m.to()) == man,
        }),
        Term::Promoted(role) => last.is_some_and(|m| m.kind() == MoveKind::Promotion(role)),
        Term::Castled(side) => last
            .is_some_and(|m| m.kind() == MoveKind::Castle && (m.to() > m.from()) == (side == CastlingSide::KingSide)),
        Term::EnPassant => last.is_some_and(|m| m.kind() == MoveKind::EnPassant),
        Term::NullMove => last.is_some_and(|m| m.kind() == MoveKind::Null),
        Term::Exposed => {
            let turn = position.turn();
            let king = position.board().king_of(!turn);
            king.is_some_and(|king| position.king_attackers(king, turn, position.board().occupied()).any())
        }
        Term::DoubleCheck => position.checkers().count() > 1,
        Term::CheckBy(role) => (position.checkers() & position.board().by_role(role)).any(),
        Term::Pinned(color, square) => {
            let board = position.board();
            let Some(king) = board.king_of(color).filter(|_| board.by_color(color).contains(square)) else {
                return false;
            };
            // Without the man, the king would be attacked by one more.
            let with = |occupied| board.attacks_to(king, !color, occupied) & board.by_color(!color);
            let sliders = board.queens() | board.rooks() | board.bishops();
            king != square && (with(board.occupied().without(square)) & sliders) != (with(board.occupied()) & sliders)
        }
        Term::MovesAtMost(count) => {
            let moves = position.legal_moves();
            let mut moves: Vec<_> = moves
                .iter()
                .filter(|m| !m.is_castle())
                .map(|m| (m.from(), m.to()))
                .collect();
            moves.sort_unstable();
            moves.dedup();
            moves.len() <= usize::from(count)
        }
    }
}

#[test]
fn terms_are_what_their_documents_say() {
    let mut extractor = Extractor::new();
    let games: Vec<_> = (0..60).map(random_game).collect();
    for (tree, _) in &games {
        extractor.push(tree).unwrap();
    }
    let positions = extractor.positions();
    let runs = extractor.finish();
    for term in Term::all() {
        let listed: Vec<u32> = runs
            .list(term.code())
            .iter()
            .flat_map(|run| run.start..=run.last)
            .collect();
        let mut wanted = Vec::new();
        let mut base = 0;
        for (tree, nodes) in &games {
            wanted.extend(
                (0..tree.len() as u32)
                    .filter(|&node| holds(term, tree, nodes, node))
                    .map(|node| base + node),
            );
            base += tree.len() as u32;
        }
        assert_eq!(base, positions);
        assert_eq!(listed, wanted, "{term}");
        assert!(
            runs.list(term.code())
                .windows(2)
                .all(|two| two[0].last + 1 < two[1].start),
            "{term}: runs touch"
        );
    }
}

#[test]
fn replay_equals_shakmaty_after_every_ply() {
    let (mut castled, mut promoted, mut captured_en_passant) = (0, 0, 0);
    for seed in 0..600 {
        let (tree, nodes) = random_game(seed);
        let mut boards = vec![tree.start.board()];
        for node in 1..tree.len() as u32 {
            let mut board = boards[parent(&tree, node) as usize].clone();
            let m = tree.moves[node as usize - 1];
            board.play(m);
            assert_eq!(board, board_of(&nodes[node as usize]), "game {seed}, node {node}");
            if m.kind() == MoveKind::DoubleStep {
                assert_eq!(en_passant_target(Some(m)), en_passant(&nodes[node as usize]));
            }
            match m.kind() {
                MoveKind::Castle => castled += 1,
                MoveKind::Promotion(_) => promoted += 1,
                MoveKind::EnPassant => captured_en_passant += 1,
                _ => {}
            }
            boards.push(board);
        }
    }
    assert!(
        castled > 20 && promoted > 20 && captured_en_passant > 5,
        "{castled} {promoted} {captured_en_passant}"
    );
}

#[test]
fn batches_joined_equal_games_in_one_go() {
    let (mut whole, mut part) = (Extractor::new(), Extractor::new());
    let mut joined = vec![Vec::new(); Term::CODES];
    for seed in 0..40 {
        let (tree, _) = random_game(seed);
        let offset = whole.positions();
        whole.push(&tree).unwrap();
        part.push(&tree).unwrap();
        let runs = part.finish();
        for term in Term::all() {
            crate::runs::append(&mut joined[usize::from(term.code())], runs.list(term.code()), offset);
        }
    }
    let whole = whole.finish();
    assert!(Term::all().all(|term| whole.list(term.code()) == joined[usize::from(term.code())]));
}
