#![expect(clippy::cast_possible_truncation, reason = "the databases of the tests are small")]

use chess::{Annotations, Game, GameText, MoveTree, Outcome, testing::Dice, testing::random_game};
use postings::{Damage, Term};
use tempfile::TempDir;

use super::*;
use crate::{
    batch::{BatchBuilder, SegmentBuilder},
    error::hex,
    grow::Addition,
    header::Header,
};

/// A random game with tags, a comment and a glyph.
fn game(seed: u64) -> Game {
    let mut dice = Dice(seed ^ 77);
    let (tree, _) = random_game(seed);
    let tag = |name: &str, value: String| (name.to_owned(), value);
    let node = |dice: &mut Dice| dice.roll(tree.len()) as u32;
    let text = GameText {
        tags: vec![
            tag("Event", format!("event {}", dice.roll(3))),
            tag("White", format!("player, {}", dice.roll(9))),
            tag("Date", format!("19{:02}.?.?", dice.roll(100))),
            tag("WhiteElo", dice.roll(3000).to_string()),
            tag("Note", "x".repeat(dice.roll(200))),
        ],
        comments: vec![(node(&mut dice), "a comment".to_owned())],
        variation_comments: Vec::new(),
        nags: vec![(1, 3)],
        outcome: [Outcome::White, Outcome::Draw, Outcome::Unknown][dice.roll(3)],
        ..GameText::default()
    };
    let mut annotations = Annotations::default();
    for node in (1..tree.len() as u32).filter(|_| seed.is_multiple_of(3)) {
        annotations.note(
            node,
            &format!("[%clk 0:{:02}:00] [%eval {}]", 99 - node.min(99), dice.roll(9)),
        );
    }
    Game {
        tree,
        text,
        annotations,
    }
}

fn segment(games: &[Game]) -> SegmentData {
    let mut batches = BatchBuilder::new();
    let mut segment = SegmentBuilder::new();
    for games in games.chunks(30) {
        for game in games {
            batches.push(game.clone()).unwrap();
        }
        segment.append(batches.finish(1000).unwrap()).unwrap();
    }
    segment.finish(2).unwrap()
}

/// Games to be added.
fn addition(games: &[Game]) -> Addition {
    let mut batches = BatchBuilder::new();
    for game in games {
        batches.push(game.clone()).unwrap();
    }
    let mut segment = SegmentBuilder::new();
    segment.append(batches.finish(1000).unwrap()).unwrap();
    Addition {
        games: segment,
        ..Addition::default()
    }
}

fn games(seeds: std::ops::Range<u64>) -> Vec<Game> {
    seeds.map(game).collect()
}

/// A new database with these segments.
fn database(segments: &[&[Game]]) -> (TempDir, Database) {
    let directory = tempfile::tempdir().unwrap();
    let mut database = Database::create(directory.path().join("db")).unwrap();
    for (number, games) in segments.iter().enumerate() {
        // One segment of a file for each column, the next of one file.
        database.set_small([0, usize::MAX][number % 2]);
        database.commit(segment(games)).unwrap();
    }
    (directory, database)
}

/// Checks that a segment returns what these games have.
fn check(segment: &Segment, games: &[Game]) {
    assert_eq!(segment.meta().games as usize, games.len());
    let mut tree = MoveTree::default();
    let starts = segment.starts().unwrap();
    let mut seen = 0;
    for block in 0..segment.block_count().unwrap() {
        let trees = segment.trees(block).unwrap();
        let texts = segment.texts(block).unwrap();
        let annotations = segment.annotations(block, AnnotationKind::ALL).unwrap();
        for (index, game) in trees.games().enumerate() {
            assert_eq!(segment.block_of(game).unwrap(), (block, index));
            let wanted = &games[game as usize];
            trees.tree(index, &mut tree).unwrap();
            assert_eq!(tree, wanted.tree);
            assert_eq!(segment.text_block(block).unwrap().text(index).unwrap(), wanted.text);
            assert_eq!(texts[index], wanted.text);
            assert_eq!(annotations[index], wanted.annotations);
            assert_eq!((starts[game as usize + 1] - starts[game as usize]) as usize, tree.len());
            let header = Header::from_text(&wanted.text);
            for column in TagColumn::ALL {
                assert_eq!(
                    segment.tag_values(column).unwrap().get(game).unwrap_or(""),
                    header.get(column)
                );
            }
            let ratings = [shakmaty::Color::White, shakmaty::Color::Black]
                .map(|color| segment.ratings(color).unwrap()[game as usize]);
            assert_eq!(ratings, header.ratings());
            assert_eq!(segment.outcomes().unwrap()[game as usize], wanted.text.outcome);
            seen += 1;
        }
    }
    assert_eq!(seen, games.len());
    let mainline = segment.postings(Term::Mainline).unwrap();
    let wanted: usize = games.iter().map(|game| game.tree.mainline_len()).sum();
    assert_eq!(mainline.iter().count(), wanted);
    assert_eq!(
        segment.term_stats(Term::Initial).unwrap().cardinality as usize,
        games.len()
    );
    let never = Term::Placement(
        chess::Man::new(shakmaty::Color::White, shakmaty::Role::Pawn),
        shakmaty::Square::A1,
    );
    assert_eq!(segment.postings(never).unwrap().as_bytes(), b"");
}

/// All games of a database that are not removed, with their numbers from 1.
fn all_games(snapshot: &Snapshot) -> Vec<(u64, Game)> {
    let mut found = Vec::new();
    for index in 0..snapshot.segments().len() {
        let segment = snapshot.segment(index);
        for block in 0..segment.block_count().unwrap() {
            let trees = segment.trees(block).unwrap();
            let annotations = segment.annotations(block, AnnotationKind::ALL).unwrap();
            let texts = segment.texts(block).unwrap().into_iter().zip(annotations);
            for (at, (text, annotations)) in texts.enumerate() {
                let local = trees.games().start + at as u32;
                let mut tree = MoveTree::default();
                trees.tree(at, &mut tree).unwrap();
                if !segment.is_removed(local) {
                    let game = Game {
                        tree,
                        text,
                        annotations,
                    };
                    found.push((segment.meta().first_game + u64::from(local) + 1, game));
                }
            }
        }
    }
    found
}

fn is_clean(snapshot: &Snapshot) {
    let report = snapshot.verify(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{report:?}");
}

#[test]
fn what_is_committed_is_read_back() {
    let (first, second) = (games(0..200), games(200..290));
    let (directory, database) = database(&[&first, &second]);
    let snapshot = database.snapshot();
    let check_all = |snapshot: &Snapshot| {
        check(&snapshot.segment(0), &first);
        check(&snapshot.segment(1), &second);
        assert_eq!((snapshot.games(), snapshot.segments().len()), (290, 2));
        assert_eq!(snapshot.locate(199), Some((0, 199)));
        assert_eq!(snapshot.locate(200), Some((1, 0)));
        assert_eq!(snapshot.locate(290), None);
        let report = snapshot.verify(&mut |_| {}).unwrap();
        assert!(report.is_clean(), "{report:?}");
        assert_eq!((report.games, report.positions), (290, snapshot.positions()));
    };
    check_all(&snapshot);
    drop((snapshot, database));
    let path = directory.path().join("db");
    check_all(&Database::open(&path).unwrap().snapshot());
    let read_only = Database::open_read_only(&path).unwrap();
    check_all(&read_only.snapshot());
    let stats = read_only.snapshot().stats().unwrap();
    assert_eq!((stats.games, stats.segments, stats.pgn_bytes), (290, 2, 10_000));
    assert!(stats.columns.iter().all(|&(name, bytes)| bytes > 0 || name == "meta"));
    assert!(stats.bytes > stats.columns.iter().map(|(_, bytes)| bytes).sum());
}

#[test]
fn a_snapshot_stays_as_it_is() {
    let first = games(0..40);
    let (directory, mut database) = database(&[&first]);
    let before = database.snapshot();
    let reader = Database::open_read_only(directory.path().join("db")).unwrap();
    database.commit(segment(&games(40..60))).unwrap();
    assert_eq!((before.games(), database.snapshot().games()), (40, 60));
    check(&before.segment(0), &first);
    assert_eq!(reader.snapshot().games(), 40);
    check(&reader.snapshot().segment(0), &first);
    assert_eq!(
        Database::open_read_only(directory.path().join("db"))
            .unwrap()
            .snapshot()
            .games(),
        60
    );
}

mod carried;
mod damage;
mod growing;
mod kept;
mod opening;
