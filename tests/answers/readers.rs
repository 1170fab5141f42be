//! Many readers, while games are added.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use search::Detail;
use storage::Database;

use super::{DETAILS, QUERIES, add_games, ask, compiled, options, samples};

/// How many threads read.
const READERS: usize = 10;

#[test]
fn ten_readers_have_right_answers_while_games_are_added_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    let (path, is_over) = (database.path().to_owned(), AtomicBool::new(false));
    let read = &|reader: usize| {
        let mut rounds = 0;
        while !is_over.load(Ordering::Relaxed) || rounds < 2 {
            let snapshot = Database::open_read_only(&path).unwrap().snapshot();
            let text = QUERIES[(reader / 2 + rounds) % QUERIES.len()];
            let detail = DETAILS[(reader + rounds) % 3];
            ask(&snapshot, text, &compiled(text), &options(detail, None));
            rounds += 1;
        }
        rounds
    };
    thread::scope(|scope| {
        let readers: Vec<_> = (0..READERS).map(|reader| scope.spawn(move || read(reader))).collect();
        for round in 0..8 {
            add_games(&mut database, folder.path(), 100 + round, 15);
            let last = database.snapshot().last_number();
            database.remove((0..last).filter(|game| game % 29 == round)).unwrap();
        }
        is_over.store(true, Ordering::Relaxed);
        let rounds: usize = readers.into_iter().map(|reader| reader.join().unwrap()).sum();
        assert!(rounds >= 2 * READERS);
    });
    // In the end everything that is asked is known.
    let snapshot = database.snapshot();
    let (text, count) = ("pin", options(Detail::Count, None));
    ask(&snapshot, text, &compiled(text), &count);
    assert_eq!(ask(&snapshot, text, &compiled(text), &count).games, snapshot.games());
}
