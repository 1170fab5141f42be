//! The stored games against a second opinion: every position that shakmaty reaches when it replays a PGN has to be the
//! position that the database rebuilds, node by node.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use chess::{Board, MoveTree};
use evaluator::GameView;
use indexer::Options;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Role};
use storage::{Database, Snapshot};

/// A game as pgn-reader and shakmaty have it.
struct Replayed {
    nodes: Vec<Node>,
    /// What happened in it, of castling, promotions and so on.
    kinds: BTreeSet<&'static str>,
}

struct Node {
    position: Chess,
    parent: usize,
    children: Vec<usize>,
}

impl Replayed {
    /// The nodes in CQL's order: a node, then the subtrees of its children, the continuation first.
    fn preorder(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut stack = vec![0];
        while let Some(node) = stack.pop() {
            order.push(node);
            stack.extend(self.nodes[node].children.iter().rev());
        }
        order
    }
}

/// Plays all moves of a game; an illegal one is a panic.
struct Replay;

struct Movetext {
    game: Replayed,
    node: usize,
    /// The nodes to come back to at the ends of open variations.
    open: Vec<usize>,
}

impl Visitor for Replay {
    type Tags = Option<Chess>;
    type Movetext = Movetext;
    type Output = Replayed;

    fn begin_tags(&mut self) -> ControlFlow<Replayed, Option<Chess>> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, start: &mut Option<Chess>, name: &[u8], value: RawTag<'_>) -> ControlFlow<Replayed> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("a FEN of a sample can be read");
            *start = Some(
                fen.into_position(CastlingMode::Chess960)
                    .expect("a sample starts legally"),
            );
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Option<Chess>) -> ControlFlow<Replayed, Movetext> {
        let root = Node {
            position: start.unwrap_or_default(),
            parent: 0,
            children: Vec::new(),
        };
        let game = Replayed {
            nodes: vec![root],
            kinds: BTreeSet::new(),
        };
        ControlFlow::Continue(Movetext {
            game,
            node: 0,
            open: Vec::new(),
        })
    }

    fn san(&mut self, movetext: &mut Movetext, san: SanPlus) -> ControlFlow<Replayed> {
        let Movetext { game, node, .. } = movetext;
        let before = &game.nodes[*node].position;
        let m = san
            .san
            .to_move(before)
            .unwrap_or_else(|error| panic!("{san}: {error} in {before:?}"));
        assert_eq!(
            SanPlus::from_move(before.clone(), m).to_string(),
            san.to_string(),
            "written as the standard has it"
        );
        game.kinds.extend(kind(m));
        let position = before.clone().play(m).expect("the move was found among the legal ones");
        game.kinds.extend(position.is_checkmate().then_some("mate"));
        game.kinds.extend(position.is_stalemate().then_some("stalemate"));
        let number = game.nodes.len();
        game.nodes.push(Node {
            position,
            parent: *node,
            children: Vec::new(),
        });
        game.nodes[*node].children.push(number);
        *node = number;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, movetext: &mut Movetext) -> ControlFlow<Replayed, Skip> {
        movetext.open.push(movetext.node);
        movetext.node = movetext.game.nodes[movetext.node].parent;
        movetext.game.kinds.insert("variation");
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, movetext: &mut Movetext) -> ControlFlow<Replayed> {
        movetext.node = movetext.open.pop().expect("a variation that ends was begun");
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, movetext: Movetext) -> Replayed {
        movetext.game
    }
}

fn kind(m: Move) -> Option<&'static str> {
    match m {
        Move::Castle { king, rook } if king < rook => Some("castling on the king's side"),
        Move::Castle { .. } => Some("castling on the queen's side"),
        Move::EnPassant { .. } => Some("en passant"),
        Move::Normal {
            promotion: Some(Role::Queen),
            ..
        } => Some("promotion"),
        Move::Normal { promotion: Some(_), .. } => Some("underpromotion"),
        _ => None,
    }
}

fn replay(pgn: &[u8]) -> Vec<Replayed> {
    let mut reader = Reader::new(io::Cursor::new(pgn));
    std::iter::from_fn(|| reader.read_game(&mut Replay).expect("memory can be read")).collect()
}

/// Indexes some PGN and gives what the database has then.
fn index(pgn: &[u8]) -> (tempfile::TempDir, Snapshot) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.pgn");
    fs::write(&path, pgn).unwrap();
    let mut database = Database::create(folder.path().join("db")).unwrap();
    let summary = indexer::index(&mut database, &[path], &Options::default(), &()).unwrap();
    assert!(summary.reasons.is_empty(), "{:?}", summary.reasons);
    let snapshot = database.snapshot();
    (folder, snapshot)
}

/// Compares all positions of all games; gives what happened in them.
fn compare(pgn: &[u8]) -> BTreeSet<&'static str> {
    let (_folder, snapshot) = index(pgn);
    let games = replay(pgn);
    assert_eq!(snapshot.games(), games.len() as u64);
    let (mut tree, mut view) = (MoveTree::default(), GameView::default());
    let mut kinds = BTreeSet::new();
    for (number, game) in games.iter().enumerate() {
        let (segment, local) = snapshot.locate(number as u64).unwrap();
        let segment = snapshot.segment(segment);
        let (block, index) = segment.block_of(local).unwrap();
        segment.trees(block).unwrap().tree(index, &mut tree).unwrap();
        view.load(&tree, true);
        let order = game.preorder();
        assert_eq!(view.len(), order.len(), "game {}", number + 1);
        for (node, &replayed) in order.iter().enumerate() {
            let position = &game.nodes[replayed].position;
            same(
                view.board(node as u32),
                position,
                &format!("game {}, position {node}", number + 1),
            );
        }
        kinds.extend(&game.kinds);
    }
    let report = snapshot.verify(&mut |_| ()).unwrap();
    assert!(report.is_clean(), "{:?}", report.problems);
    kinds
}

fn same(board: &Board, position: &Chess, place: &str) {
    let fen = || Fen::from_position(position, EnPassantMode::Always).to_string();
    assert_eq!(board.turn(), position.turn(), "{place}: {}", fen());
    for role in Role::ALL {
        assert_eq!(board.role(role), position.board().by_role(role), "{place}: {}", fen());
    }
    for color in shakmaty::Color::ALL {
        assert_eq!(
            board.color(color),
            position.board().by_color(color),
            "{place}: {}",
            fen()
        );
    }
    assert_eq!(
        board.is_attacked(board.turn()),
        position.is_check(),
        "{place}: {}",
        fen()
    );
}

fn sample(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)).unwrap()
}

#[test]
fn samples_are_legal_and_rebuilt_ply_by_ply() {
    let kinds = compare(&sample("games.pgn"));
    for kind in [
        "castling on the king's side",
        "castling on the queen's side",
        "en passant",
        "promotion",
        "underpromotion",
        "mate",
        "stalemate",
    ] {
        assert!(kinds.contains(kind), "no game has {kind}");
    }
}

#[test]
fn studies_are_legal_and_rebuilt_with_their_variations() {
    let kinds = compare(&sample("studies.pgn"));
    assert!(kinds.contains("variation"));
}

#[test]
fn samples_are_as_many_as_their_description_says() {
    assert_eq!(
        (replay(&sample("games.pgn")).len(), replay(&sample("studies.pgn")).len()),
        (64, 22)
    );
}

#[test]
fn special_moves_in_variations_are_rebuilt() {
    let kinds = compare(
        b"[SetUp \"1\"]\n[FEN \"r3k2r/1P4pp/8/2pP4/4p3/8/p2P2PP/R3K2R w KQkq c6 0 12\"]\n\n\
          12. O-O-O (12. O-O $6 Rd8 13. b8=R) (12. dxc6 {en passant} O-O 13. bxa8=N) (12. d4 exd3 13. O-O) 12... a1=Q+ \
          (12... a1=N 13. bxa8=Q+ Kd7) 13. Kc2 Rd8 14. b8=B *\n",
    );
    assert_eq!(kinds.len(), 6, "{kinds:?}");
}

#[test]
fn chess960_games_are_rebuilt() {
    let kinds = compare(
        b"[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w ECec - 0 1\"]\n\n\
          1. c4 c5 2. Nf3 Nf6 3. Ne3 Ne6 4. d4 d5 5. O-O-O (5. O-O) 5... O-O *\n",
    );
    assert!(
        kinds.contains("castling on the queen's side") && kinds.contains("castling on the king's side"),
        "{kinds:?}"
    );
}
