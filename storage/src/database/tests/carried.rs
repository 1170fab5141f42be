//! Answers and sets through random changes of a database, against a model that names positions by game and node.

use std::collections::BTreeSet;

use proptest::{prelude::*, test_runner::Config};
use roaring::RoaringBitmap;

use super::{game, is_clean};
use crate::{
    Addition, Database, Fingerprint, NamedSet, Section, Sections, Snapshot,
    batch::{BatchBuilder, SegmentBuilder},
};
use chess::Game;

/// How many databases are made, and how often each is changed: 1,000 rounds.
const DATABASES: u32 = 25;
const ROUNDS: usize = 40;

/// A game of the model.
#[derive(Clone, Debug)]
struct Known {
    id: u64,
    /// How many positions it has.
    length: u32,
    is_removed: bool,
}

/// A position, by the game and the number of the node in it.
type Place = (u64, u32);

/// A change of the database.
#[derive(Clone, Debug)]
enum Change {
    Add(u64),
    Remove(Vec<u64>),
    Replace(u64),
    Compact,
    Rebuild,
    /// Save the set again; the number chooses its positions.
    Save(u32),
    /// Change a byte of a file.
    Damage {
        of_answer: bool,
        at: usize,
        flip: u8,
    },
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        8 => (1u64..5).prop_map(Change::Add),
        4 => prop::collection::vec(any::<u64>(), 1..4).prop_map(Change::Remove),
        3 => any::<u64>().prop_map(Change::Replace),
        2 => Just(Change::Compact),
        1 => Just(Change::Rebuild),
        1 => (1u32..9).prop_map(Change::Save),
        2 => (any::<bool>(), any::<usize>(), 1u8..)
            .prop_map(|(of_answer, at, flip)| Change::Damage { of_answer, at, flip }),
    ]
}

/// What the live set and the answer ask of a position.
fn holds((game, node): Place) -> bool {
    (game * 31 + u64::from(node) * 17).is_multiple_of(5)
}

/// A game that names itself.
fn named(id: u64) -> Game {
    let mut game = game(id);
    game.text.tags[1].1 = id.to_string();
    game
}

struct Scene {
    _folder: tempfile::TempDir,
    database: Database,
    games: Vec<Known>,
    next: u64,
    /// What the set `fixed` has to have, positions of removed games included.
    fixed: BTreeSet<Place>,
}

fn question() -> Fingerprint {
    Fingerprint::of(b"holds")
}

fn live(sections: Sections) -> NamedSet {
    NamedSet {
        name: "live".to_owned(),
        live: Some("holds".to_owned()),
        sections,
    }
}

/// The game and node of each position of a segment; `None` for removed games.
fn places(snapshot: &Snapshot, at: usize, games: &[Known]) -> Vec<Option<Place>> {
    let meta = &snapshot.segments()[at];
    let first = usize::try_from(meta.first_game).unwrap();
    let mut places = Vec::new();
    for game in &games[first..first + meta.games as usize] {
        places.extend((0..game.length).map(|node| (!game.is_removed).then_some((game.id, node))));
    }
    assert_eq!(places.len(), meta.positions as usize);
    places
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap());
        let database = Database::create(folder.path().join("db")).unwrap();
        Scene {
            _folder: folder,
            database,
            games: Vec::new(),
            next: 0,
            fixed: BTreeSet::new(),
        }
    }

    fn new_game(&mut self) -> (Known, Game) {
        let (id, game) = (self.next, named(self.next));
        self.next += 1;
        let known = Known {
            id,
            length: u32::try_from(game.tree.len()).unwrap(),
            is_removed: false,
        };
        (known, game)
    }

    /// Sections with the positions that pass a test, covering everything.
    fn sections(&self, snapshot: &Snapshot, passes: impl Fn(Place) -> bool) -> Sections {
        let section = |at: usize| {
            let places = places(snapshot, at, &self.games);
            let ids = (0..).zip(&places);
            let positions = ids.filter(|(_, place)| place.is_some_and(&passes)).map(|(id, _)| id);
            let meta = &snapshot.segments()[at];
            let section = Section {
                covered: meta.positions,
                positions: positions.collect(),
                removed: meta.removed.games,
                ..Section::default()
            };
            (meta.key, section)
        };
        (0..snapshot.segments().len()).map(section).collect()
    }

    fn save(&mut self, one_of: u32) {
        let snapshot = self.database.snapshot();
        let passes = |(game, node): Place| (game + u64::from(node)).is_multiple_of(u64::from(one_of));
        let sections = self.sections(&snapshot, passes);
        let live = self.games.iter().filter(|game| !game.is_removed);
        self.fixed = live
            .flat_map(|game| (0..game.length).map(|node| (game.id, node)))
            .filter(|place| passes(*place))
            .collect();
        let set = NamedSet {
            name: "fixed".to_owned(),
            live: None,
            sections,
        };
        snapshot.sets().save(&set, true).unwrap();
    }

    /// Changes the database. Returns how many positions a live set does not cover at most, if it covered all before.
    fn apply(&mut self, change: &Change) -> u64 {
        let count = self.games.len() as u64;
        match change {
            Change::Add(count) => {
                let mut batches = BatchBuilder::new();
                let before = self.games.len();
                for _ in 0..*count {
                    let (known, game) = self.new_game();
                    batches.push(game).unwrap();
                    self.games.push(known);
                }
                let mut games = SegmentBuilder::new();
                games.append(batches.finish(100).unwrap()).unwrap();
                let addition = Addition {
                    games,
                    ..Addition::default()
                };
                self.database.add(addition).unwrap();
                self.games[before..].iter().map(|game| u64::from(game.length)).sum()
            }
            Change::Remove(games) if count > 0 => {
                let games: Vec<u64> = games.iter().map(|game| game % count).collect();
                self.database.remove(games.clone()).unwrap();
                for game in games {
                    self.games[usize::try_from(game).unwrap()].is_removed = true;
                }
                0
            }
            Change::Replace(game) if count > 0 => {
                let number = game % count;
                let (known, new) = self.new_game();
                if !self.database.replace(number, &new, 1).unwrap() {
                    return 0;
                }
                let old = std::mem::replace(&mut self.games[usize::try_from(number).unwrap()], known);
                self.fixed.retain(|(game, _)| *game != old.id);
                let snapshot = self.database.snapshot();
                let (at, local) = snapshot.locate(number).unwrap();
                let segment = snapshot.segment(at);
                u64::from(segment.meta().positions - segment.starts().unwrap()[local as usize])
            }
            Change::Compact => {
                self.database.compact(1).unwrap();
                self.games.retain(|game| !game.is_removed);
                0
            }
            Change::Rebuild => {
                self.database.rebuild(true, false, 1, &mut |_| {}).unwrap();
                0
            }
            Change::Save(one_of) => {
                self.save(*one_of);
                0
            }
            Change::Damage { .. } | Change::Remove(_) | Change::Replace(_) => 0,
        }
    }

    /// Checks that everything that a section speaks of is true. Returns how many positions it does not cover.
    fn check_sections(&self, snapshot: &Snapshot, sections: &Sections) -> u64 {
        let mut uncovered = 0;
        for (at, meta) in snapshot.segments().iter().enumerate() {
            let Some(section) = sections.get(&meta.key) else {
                uncovered += u64::from(meta.positions);
                continue;
            };
            uncovered += u64::from(meta.positions - section.covered);
            assert!(section.removed <= meta.removed.games, "it can be used");
            let places = places(snapshot, at, &self.games);
            let wanted = |&id: &u32| places[id as usize].is_some_and(holds);
            let wanted: RoaringBitmap = (0..section.covered).filter(wanted).collect();
            let mut found = section.positions.clone();
            snapshot.segment(at).without_removed(&mut found).unwrap();
            assert_eq!(found, wanted);
        }
        uncovered
    }

    fn check_fixed(&self, snapshot: &Snapshot) {
        let set = snapshot.sets().read("fixed").unwrap();
        let mut found = BTreeSet::new();
        for (at, meta) in snapshot.segments().iter().enumerate() {
            let places = places(snapshot, at, &self.games);
            if let Some(section) = set.sections.get(&meta.key) {
                found.extend(section.positions.iter().filter_map(|id| places[id as usize]));
            }
        }
        let removed = self.games.iter().filter(|game| game.is_removed).map(|game| game.id);
        let removed: BTreeSet<u64> = removed.collect();
        let here: BTreeSet<u64> = self.games.iter().map(|game| game.id).collect();
        let wanted = self.fixed.iter().copied();
        let wanted: BTreeSet<Place> = wanted
            .filter(|(game, _)| here.contains(game) && !removed.contains(game))
            .collect();
        assert_eq!(found, wanted);
        let info = snapshot.sets().info("fixed").unwrap();
        assert_eq!(info.positions, wanted.len() as u64);
    }

    /// Changes the database, checks everything, and completes what is not complete.
    fn round(&mut self, change: &Change) {
        let most = self.apply(change);
        let drops_answers = matches!(change, Change::Compact | Change::Rebuild);
        let path = self.database.path().to_owned();
        // Reading the database anew is what another process does.
        let snapshot = Database::open_read_only(&path).unwrap().snapshot();
        let ids: Vec<u64> = (0..snapshot.segments().len())
            .flat_map(|at| {
                let white = snapshot.segment(at).tag_values(crate::TagColumn::White).unwrap();
                let games = 0..snapshot.segments()[at].games;
                games
                    .map(|game| white.get(game).unwrap().parse().unwrap())
                    .collect::<Vec<u64>>()
            })
            .collect();
        assert_eq!(ids, self.games.iter().map(|game| game.id).collect::<Vec<_>>());

        let damage = |file: &std::path::Path, at: usize, flip: u8| {
            let mut bytes = std::fs::read(file).unwrap();
            let length = bytes.len();
            bytes[at % length] ^= flip;
            std::fs::write(file, &bytes).unwrap();
        };
        let (answers, sets) = (snapshot.answers(), snapshot.sets());
        let name = question().to_string();
        match *change {
            Change::Damage {
                of_answer: true,
                at,
                flip,
            } if path.join("answers").join(&name).exists() => {
                damage(&path.join("answers").join(name), at, flip);
                assert_eq!(answers.read(&question()), None);
                assert_eq!(answers.usage().unwrap().count, 0);
            }
            Change::Damage {
                of_answer: false,
                at,
                flip,
            } => {
                let file = path.join("sets/fixed");
                let whole = std::fs::read(&file).unwrap();
                damage(&file, at, flip);
                // The damage may be in a section that is not needed any more.
                match sets.read("fixed") {
                    Ok(_) => self.check_fixed(&snapshot),
                    Err(error) => assert!(error.is_damage()),
                }
                std::fs::write(&file, whole).unwrap();
            }
            _ => {
                let known = answers.read(&question()).unwrap_or_default();
                let uncovered = self.check_sections(&snapshot, &known);
                assert!(uncovered <= most || drops_answers, "{uncovered} of {most}, {change:?}");
            }
        }
        self.check_fixed(&snapshot);
        let known = sets.read("live").unwrap();
        let uncovered = self.check_sections(&snapshot, &known.sections);
        assert!(uncovered <= most, "{uncovered} of {most}, {change:?}");
        let all = self.sections(&snapshot, holds);
        answers.write(&question(), &all).unwrap();
        assert_eq!(sets.complete(&live(all)).unwrap(), uncovered > 0);
        let known = sets.read("live").unwrap();
        assert_eq!(self.check_sections(&snapshot, &known.sections), 0);
        let known = answers.read(&question()).unwrap_or_default();
        assert_eq!(self.check_sections(&snapshot, &known), 0);
    }
}

proptest! {
    #![proptest_config(Config { cases: DATABASES, failure_persistence: None, ..Config::default() })]

    #[test]
    fn kept_positions_are_right_through_all_changes(changes in prop::collection::vec(change(), ROUNDS)) {
        let mut scene = Scene::new();
        scene.apply(&Change::Add(5));
        scene.save(2);
        scene.database.snapshot().sets().save(&live(Sections::new()), false).unwrap();
        let all = scene.sections(&scene.database.snapshot(), holds);
        scene.database.snapshot().answers().write(&question(), &all).unwrap();
        scene.database.snapshot().sets().complete(&live(all)).unwrap();
        for change in &changes {
            scene.round(change);
        }
        is_clean(&scene.database.snapshot());
    }
}
