//! Whole runs: from files to a database and back.

#![allow(clippy::unwrap_used, reason = "a test may panic, its helpers too")]

use std::{
    cell::RefCell,
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::Ordering,
};

use chess::{AnnotationKind, Board, Game, MoveKind, MoveTree, Start};
use indexer::{Error, Observer, Options, Progress, Reason, Skipped, Summary, index};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};
use storage::Database;
use tempfile::TempDir;

/// Records all events.
#[derive(Default)]
struct Notes {
    skipped: RefCell<Vec<Skipped>>,
    progress: RefCell<Vec<Progress>>,
    files: RefCell<Vec<PathBuf>>,
}

impl Observer for Notes {
    fn progress(&self, progress: &Progress) {
        self.progress.borrow_mut().push(*progress);
    }

    fn skipped(&self, skipped: &Skipped) {
        self.skipped.borrow_mut().push(skipped.clone());
    }

    fn file(&self, path: &Path) {
        self.files.borrow_mut().push(path.to_owned());
    }
}

struct Run {
    directory: TempDir,
    database: Database,
    notes: Notes,
}

impl Run {
    fn new() -> Run {
        let directory = tempfile::tempdir().unwrap();
        let database = Database::create(directory.path().join("db")).unwrap();
        Run {
            directory,
            database,
            notes: Notes::default(),
        }
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.directory.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn index(&mut self, sources: &[PathBuf], options: &Options) -> indexer::Result<Summary> {
        index(&mut self.database, sources, options, &self.notes)
    }

    fn games(&self) -> Vec<Game> {
        let snapshot = self.database.snapshot();
        let mut games = Vec::new();
        for segment in (0..snapshot.segments().len()).map(|index| snapshot.segment(index)) {
            for block in 0..segment.block_count().unwrap() {
                let trees = segment.trees(block).unwrap();
                let annotations = segment.annotations(block, AnnotationKind::ALL).unwrap();
                let texts = segment.texts(block).unwrap().into_iter().zip(annotations);
                for (index, (text, annotations)) in texts.enumerate() {
                    let mut tree = MoveTree::default();
                    trees.tree(index, &mut tree).unwrap();
                    games.push(Game {
                        tree,
                        text,
                        annotations,
                    });
                }
            }
        }
        games
    }

    fn verify(&self) {
        let report = self.database.snapshot().verify(&mut |_| {}).unwrap();
        assert!(report.is_clean(), "{:?}", report.problems);
    }
}

/// Games of different lengths, numbered in the tag White.
fn many_games(count: usize) -> String {
    let moves = [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6",
        "1. d4 d5 (1... Nf6 2. c4 {x}) 2. c4",
        "1. Nf3 Nf6 2. Ng1 Ng8",
        "",
    ];
    (0..count)
        .map(|number| format!("[White \"{number}\"]\n\n{} *\n\n", moves[number % 4]))
        .collect()
}

#[test]
fn one_bad_game_does_not_cost_the_next() {
    let mut run = Run::new();
    let text = "[Event \"1\"]\n\n1. e4 e5 1-0\n\n\
                [Event \"2\"]\n\n1. e4 Ke4 2. d4 0-1\n\n\
                [Event \"3\"]\n[FEN \"garbage\"]\n\n1. e4 *\n\n\
                [Event \"4\"]\n\n1. d4 {never closed\n\n\
                [Event \"5\"]\n[Variant \"Antichess\"]\n\n1. e3 *\n\n\
                [Event \"6\"]\n\n1. c4 c5 1/2-1/2\n";
    let file = run.file("bad.pgn", text);
    let empty = run.file("empty.pgn", "");
    let summary = run.index(&[empty, file.clone()], &Options::default()).unwrap();
    let events: Vec<String> = run.games().iter().map(|game| game.text.tags[0].1.clone()).collect();
    assert_eq!(events, ["1", "2", "4", "6"]);
    assert_eq!(run.games()[1].tree.moves.len(), 1);
    let told: Vec<_> = run.notes.skipped.borrow().iter().map(ToString::to_string).collect();
    let name = file.display();
    assert_eq!(
        told,
        [
            format!("{name}:7: game 2: illegal move `Ke4` (rest of the line left out)"),
            format!("{name}:9: game 3: unreadable FEN `garbage` (game skipped)"),
            format!("{name}:16: game 4: unterminated comment (left out)"),
            format!("{name}:18: game 5: variant `Antichess` is not supported (game skipped)"),
        ]
    );
    let first = run.notes.skipped.borrow()[0].clone();
    assert_eq!(usize::try_from(first.offset).unwrap(), text.find("Ke4").unwrap());
    assert!(matches!(first.reason, Reason::IllegalMove { .. }) && first.kept);
    assert_eq!((summary.games, summary.skipped_games, summary.damaged_games), (4, 2, 2));
    assert_eq!(summary.reasons["illegal move"], 1);
    assert_eq!(
        (summary.files, summary.segments, summary.bytes),
        (1, 1, text.len() as u64)
    );
    let last = *run.notes.progress.borrow().last().unwrap();
    assert_eq!(
        (last.games, last.committed, last.bytes_total),
        (4, 4, Some(text.len() as u64))
    );
    assert_eq!(last.bytes_done, text.len() as u64);
    run.verify();
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let text = many_games(30_000);
    let mut games = Vec::new();
    for (threads, segment_positions) in [(1, 1 << 22), (3, 20_000)] {
        let mut run = Run::new();
        let file = run.file("games.pgn", &text);
        let options = Options {
            threads,
            segment_positions,
            ..Options::default()
        };
        let summary = run.index(&[file], &options).unwrap();
        assert_eq!(summary.games, 30_000);
        assert_eq!(
            summary.segments,
            if threads == 1 {
                1
            } else {
                run.database.snapshot().segments().len() as u64
            }
        );
        run.verify();
        games.push(run.games());
    }
    assert!(games[0] == games[1]);
    assert!(
        games[0]
            .iter()
            .zip(0..)
            .all(|(game, number)| game.text.tags[0].1 == number.to_string())
    );
}

#[test]
fn games_are_added_to_what_is_there() {
    let mut run = Run::new();
    let directory = run.directory.path().join("many");
    fs::create_dir_all(directory.join("sub")).unwrap();
    fs::write(directory.join("b.pgn"), "[White \"b\"]\n\n1. e4 *\n").unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(b"[White \"a\"]\n\n1. d4 *").unwrap();
    fs::write(directory.join("a.pgn.gz"), packed.finish().unwrap()).unwrap();
    fs::write(
        directory.join("sub/c.pgn.zst"),
        zstd::encode_all(&b"[White \"c\"]\n\n*"[..], 1).unwrap(),
    )
    .unwrap();
    run.index(&[directory.join("b.pgn")], &Options::default()).unwrap();
    run.index(&[directory], &Options::default()).unwrap();
    let whites: Vec<String> = run.games().iter().map(|game| game.text.tags[0].1.clone()).collect();
    assert_eq!(whites, ["b", "a", "c"], "b is there already");
    assert_eq!(run.database.snapshot().segments().len(), 2);
    assert_eq!(run.notes.files.borrow().len(), 4);
    run.verify();
}

#[test]
fn files_that_can_not_be_read_end_the_run_but_cost_nothing_before_them() {
    let mut run = Run::new();
    let good = run.file("good.pgn", many_games(10));
    let missing = run.directory.path().join("missing.pgn");
    let error = run
        .index(&[good.clone(), missing.clone()], &Options::default())
        .unwrap_err();
    assert!(
        matches!(&error, Error::Open { path, .. } if *path == missing),
        "{error}"
    );
    assert_eq!(run.database.snapshot().games(), 0);

    let packed = zstd::encode_all(many_games(20_000).as_bytes(), 1).unwrap();
    let cut = run.file("cut.pgn.zst", &packed[..packed.len() / 2]);
    let error = run.index(&[good, cut.clone()], &Options::default()).unwrap_err();
    assert!(matches!(&error, Error::Read { path, .. } if *path == cut), "{error}");
    assert!(run.database.snapshot().games() >= 10);
    run.verify();

    let fake = run.file("fake.pgn.gz", [0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(matches!(
        run.index(&[fake], &Options::default()),
        Err(Error::Read { .. })
    ));
}

#[test]
fn a_cancelled_run_keeps_what_is_complete() {
    let mut run = Run::new();
    let file = run.file("games.pgn", many_games(1000));
    let options = Options::default();
    options.cancel.store(true, Ordering::Relaxed);
    let summary = run.index(&[file], &options).unwrap();
    assert!(summary.cancelled);
    assert_eq!(summary.games, run.database.snapshot().games());
    run.verify();
}

#[test]
fn utf_16_is_told_and_binary_files_do_no_harm() {
    let mut run = Run::new();
    let utf16 = run.file("utf16.pgn", [0xff, 0xfe, b'[', 0, b'E', 0]);
    let noise: Vec<u8> = (0..100_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 11).to_le_bytes()[0])
        .collect();
    let noise = run.file("noise.pgn", noise);
    let summary = run.index(&[utf16, noise], &Options::default()).unwrap();
    assert_eq!(summary.reasons.get("encoding"), Some(&1));
    run.verify();
}

/// shakmaty's position at the start of a game.
fn root(tree: &MoveTree, fen: Option<&str>) -> Chess {
    match tree.start {
        Start::Standard => Chess::default(),
        Start::Setup { .. } => fen
            .unwrap()
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Chess960)
            .unwrap(),
    }
}

#[test]
fn the_samples_replay_as_in_shakmaty() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    if !samples.is_dir() {
        return;
    }
    let mut run = Run::new();
    let summary = run.index(&[samples], &Options::default()).unwrap();
    assert_eq!(run.notes.skipped.borrow().as_slice(), []);
    assert!(summary.games > 0);
    for game in run.games() {
        let fen = game
            .text
            .tags
            .iter()
            .find(|(name, _)| name == "FEN")
            .map(|(_, fen)| fen.as_str());
        let tree = &game.tree;
        let mut positions = vec![root(tree, fen)];
        let mut boards = vec![tree.start.board()];
        let mut branches = tree.branches.iter().peekable();
        for (before, &m) in tree.moves.iter().enumerate() {
            let parent = branches.next_if(|branch| branch.node as usize == before + 1);
            let parent = parent.map_or(before, |branch| branch.parent as usize);
            let mut board = boards[parent].clone();
            board.play(m);
            let mut position = positions[parent].clone();
            let legal = position.legal_moves();
            if m.kind() == MoveKind::Null {
                position = position.swap_turn().unwrap();
            } else {
                let promotion = match m.kind() {
                    MoveKind::Promotion(role) => Some(role),
                    _ => None,
                };
                let same = |legal: &&shakmaty::Move| {
                    (legal.from(), legal.to(), legal.promotion()) == (Some(m.from()), m.to(), promotion)
                };
                position.play_unchecked(*legal.iter().find(same).unwrap());
            }
            assert_eq!(board, Board::from_pieces(position.board().iter(), position.turn()));
            boards.push(board);
            positions.push(position);
        }
    }
    run.verify();
}
