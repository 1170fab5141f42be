//! Shards that come later.

use std::num::NonZeroU64;

use cqldex::{Database, Dialect, Options, Query};
use cqldex_cluster::{Ask, Cut, Error, Place, Shape, add};
use tempfile::TempDir;

use crate::support::{here, index, matches, printed, program, run, sample_database, samples};

fn cut(games: u64) -> Cut {
    Cut::Games(NonZeroU64::new(games).unwrap())
}

#[test]
fn questions_keep_the_shards_that_they_began_with() {
    let folder = TempDir::new().unwrap();
    let place = Place::create(folder.path().join("shards").to_str().unwrap()).unwrap();
    let files = samples();
    let first = run(add(&place, &files[..1], cut(20), None, &())).unwrap();
    let runner = here();
    let ask = Ask::new(place.name(), "mate", Shape::Totals);
    let before = run(runner.ask_of(ask.clone(), &first, &mut |_| Ok(()))).unwrap();

    let second = run(add(&place, &files[1..], cut(20), None, &())).unwrap();
    assert_eq!((first.number, second.number), (1, 2));
    assert_eq!(second.shards[..first.shards.len()], first.shards[..]);
    let again = run(runner.ask_of(ask.clone(), &first, &mut |_| Ok(()))).unwrap();
    assert_eq!(again, before);

    let database = folder.path().join("all.db");
    index(&database, &files);
    let database = Database::open(&database, Options::default()).unwrap();
    let all = database.count(&Query::parse("mate", Dialect::Auto).unwrap()).unwrap();
    let now = run(runner.ask(ask, &mut |_| Ok(()))).unwrap();
    assert_eq!(
        (now.games, now.positions, now.games_searched),
        (all.games, all.positions, all.games_searched)
    );
    assert!(now.games_searched > before.games_searched);
}

#[test]
fn of_two_additions_at_a_time_one_is_told() {
    let folder = TempDir::new().unwrap();
    let place = Place::create(folder.path().join("shards").to_str().unwrap()).unwrap();
    let manifest = run(add(&place, &samples(), cut(1000), None, &())).unwrap();
    let mine = manifest.with([manifest.shards[0].clone()]);
    run(place.publish(&mine)).unwrap();
    let other = run(place.publish(&mine));
    assert!(matches!(other, Err(Error::Overtaken { number: 2, .. })), "{other:?}");
    assert_eq!(run(place.manifest()).unwrap(), mine);
}

#[test]
fn a_damaged_manifest_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("shards");
    let place = Place::create(path.to_str().unwrap()).unwrap();
    run(add(&place, &samples(), cut(1000), None, &())).unwrap();
    let manifest = path
        .join("manifests")
        .read_dir()
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let mut bytes = std::fs::read(&manifest).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&manifest, bytes).unwrap();
    let read = run(place.manifest());
    assert!(matches!(read, Err(Error::Manifest(_))), "{read:?}");
}

#[test]
fn removed_games_are_no_part_of_shards() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("games.db");
    index(&path, &samples());
    let mut database = Database::open(&path, Options::default()).unwrap();
    database.remove([1, 7, 8, 30]).unwrap();
    let (games, query) = (database.games(), Query::parse("check", Dialect::Auto).unwrap());
    let expected = database.count(&query).unwrap();
    drop(database);
    let place = Place::create(folder.path().join("shards").to_str().unwrap()).unwrap();
    let manifest = run(add(
        &place,
        &[path],
        Cut::Shards(NonZeroU64::new(6).unwrap()),
        None,
        &(),
    ))
    .unwrap();
    assert_eq!((manifest.shards.len(), manifest.games()), (6, games));
    let (found, totals) = matches(&here(), Ask::new(place.name(), "check", Shape::Report)).unwrap();
    assert_eq!((totals.games, totals.positions), (expected.games, expected.positions));
    assert!(
        found
            .iter()
            .all(|(game, _)| (1..=i64::try_from(games).unwrap()).contains(game))
    );
}

#[test]
fn the_program_makes_and_lists_shards() {
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("shards");
    let database = sample_database();
    let told = printed(
        program()
            .arg("split")
            .arg(database)
            .arg(&target)
            .args(["--shards", "3"]),
    );
    assert!(told.starts_with("manifest 1: 3 shards with "), "{told}");
    let again = program()
        .arg("split")
        .arg(database)
        .arg(&target)
        .args(["--shards", "3"])
        .output()
        .unwrap();
    assert_eq!(again.status.code(), Some(2));
    let told = printed(program().arg("add").arg(&target).args(samples()));
    assert!(told.starts_with("manifest 2: 4 shards with "), "{told}");
    let listed = printed(program().arg("shards").arg(&target));
    assert_eq!(listed.lines().count(), 5);
    assert!(listed.contains("  from game 1: "), "{listed}");
    let found = printed(program().arg("query").arg(&target).args(["mate", "--limit", "3"]));
    assert!(found.starts_with("game  white"), "{found}");
    assert_eq!(found.lines().count(), 7, "{found}");
}
