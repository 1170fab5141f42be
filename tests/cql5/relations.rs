//! Random relations: the index of a game leaves out no target, so that a plan finds what all pairs find.

use std::path::Path;

use language::Dialect;
use search::Route;

use super::{compile, found};

/// Random numbers by SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % u64::from(n)) as u32
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u32) as usize]
    }

    fn filter(&mut self) -> &'static str {
        self.pick(&[
            "",
            "",
            "K",
            "wtm",
            "check",
            "terminal",
            "initial",
            "R",
            "K on darksquares",
            "K on lightsquares",
            "not Q",
            "countsquares 2 9 P",
            "attack (A k)",
            "comment \"seen\"",
        ])
    }

    fn squares(&mut self) -> String {
        let echo = self.pick(&[
            "",
            "",
            "",
            "echoflip",
            "echoflipvertical",
            "echofliphorizontal",
            "echorotate90",
            "echoshift",
            "echoshift",
            "echoshifthorizontal",
            "echoshiftvertical",
        ]);
        let source = self.pick(&[
            "",
            "",
            "",
            "sourcesquares A",
            "sourcesquares [Kk]",
            "sourcesquares .",
            "sourcesquares a-h1-4",
        ]);
        let target = self.pick(&["", "", "", "", "targetsquares a", "targetsquares not P"]);
        let range = self.pick(&[
            "mismatch 0",
            "mismatch 0",
            "mismatch 0 1",
            "mismatch 0 2",
            "mismatch 1",
            "mismatch 2",
            "mismatch 3 4",
            "mismatch 0 12",
            "match 64",
            "match 60 63",
            "match 62 64",
            "match 1 4",
            "mismatch 0 2 match 3 64",
        ]);
        format!("{echo} ({source} {target} {range})")
    }

    fn parameter(&mut self) -> String {
        match self.below(10) {
            0..=4 => self.squares(),
            5 => "(tomove match)".to_owned(),
            6 => "(tomove mismatch)".to_owned(),
            7 => self.pick(&["(ancestor)", "(descendant)"]).to_owned(),
            8 => {
                let kind = self.pick(&["lcasource", "lcatarget", "lcamax", "lcasum"]);
                let sort = self.pick(&["", "", "sort ", "sort min \"plies\" "]);
                format!("({sort}{kind} {})", self.pick(&["1", "0 4", "2 9", "3 40"]))
            }
            _ => "(lcasubstring 1 9)".to_owned(),
        }
    }

    fn query(&mut self) -> String {
        let header = self.pick(&["", "cql(variations)"]);
        let around = self.pick(&["", "", "", "flipcolor", "not", "shifthorizontal"]);
        let (source, target, last) = (self.filter(), self.filter(), self.filter());
        let mut parameters = self.squares();
        for _ in 0..self.below(3) {
            parameters += " ";
            parameters += &self.parameter();
        }
        format!("{header} {source} {around} {{relation {target} {parameters}}} {last}")
    }
}

#[test]
fn random_relations_by_the_index_of_a_game_are_those_by_all_pairs() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut database = storage::Database::create(folder.path().join("db")).expect("a database can be created");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    indexer::index(&mut database, &[samples], &indexer::Options::default(), &()).expect("the samples are indexed");
    let snapshot = database.snapshot();
    let setting = |name: &str, default: u64| {
        let value = std::env::var(name).ok().and_then(|value| value.parse().ok());
        value.unwrap_or(default)
    };
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_RELATIONS", 40));
    let mut selective = 0;
    for number in 0..count {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let text = random.query();
        let query = compile(&text, Dialect::Cql5);
        let by_plan = found(&query, &snapshot, Route::Plan);
        let by_scan = found(&query, &snapshot, Route::Definition);
        assert!(by_plan == by_scan, "query {number}: {text}");
        let games = by_plan.len() as u64;
        selective += u64::from(games > 0 && games < snapshot.games());
    }
    println!("{count} relations, {selective} of them match some games and not all");
    assert!(
        selective * 4 >= count,
        "hardly any relation tells games apart: the generator is at fault"
    );
}
