//! The name of a question: what decides the matching positions of a segment, and nothing else.

use std::hash::{Hash, Hasher};

use evaluator::Rules;
use language::facts;
use language::hir::{Node, Query};
use planner::Effects;
use sha2::{Digest, Sha256};
use storage::{Fingerprint, Snapshot};

use super::numbers::Ends;
use super::{Detail, Route, Search};

/// The version of the code that decides an answer: a hash of its sources, which the build script makes.
const EVALUATOR: &str = env!("CQLDEX_EVALUATOR_VERSION");

/// The version of the code that decides an answer.
fn evaluator() -> &'static str {
    #[cfg(feature = "testing")]
    if let Some(version) = pretended::VERSION.get() {
        return version;
    }
    EVALUATOR
}

#[cfg(feature = "testing")]
pub use pretended::pretend_version;

#[cfg(feature = "testing")]
mod pretended {
    use std::sync::OnceLock;

    pub(super) static VERSION: OnceLock<String> = OnceLock::new();

    /// Makes this process one of another version of the program, as far as kept answers are concerned. Only the first call
    /// in a process has an effect. Needs the feature `testing`.
    pub fn pretend_version(version: &str) {
        let _ = VERSION.set(version.to_owned());
    }
}

/// The fingerprint of what a search asks; `None` if its answer depends on more than one segment and the query.
pub(super) fn fingerprint(search: &Search<'_>, snapshot: &Snapshot) -> Option<Fingerprint> {
    let Search {
        query,
        variations,
        options,
        ..
    } = search;
    let is_kept = options.route == Route::Plan && is_about_one_segment(query);
    is_kept.then(|| {
        let mut question = Question::of(query, *variations, options.rules, options.detail);
        let numbers = query.header.game_numbers;
        question.ends = numbers.map(|numbers| Ends::of(numbers, snapshot));
        question.fingerprint()
    })
}

/// Whether the answer for a segment follows from the segment. It does not if the query remembers something from other
/// games, prints, reads files, or has a filter that asks for the number of a game. Where no match is a match, the answer is
/// more than the positions that match.
fn is_about_one_segment(query: &Query) -> bool {
    let header = &query.header;
    let mut filters = header.games.iter().chain([&query.body]);
    let asks_for_number =
        filters.any(|filter| filter.any(&mut |part| matches!(part.node, Node::GameNumber | Node::LastGameNumber)));
    Effects::of(query) != Effects::Database
        && query.similar.is_empty()
        // What is in a set may change.
        && query.sets.is_empty()
        && !asks_for_number
        && !header.accepts_none()
}

/// What decides an answer.
#[derive(Hash)]
struct Question<'q> {
    evaluator: &'static str,
    query: &'q Query,
    variations: bool,
    rules: Rules,
    /// Where the games are that the header allows, if it has `gamenumber`.
    ends: Option<Ends>,
    /// Whether comments and the like are wanted, if that can make a difference: a query may stop with an error in what is
    /// not evaluated otherwise.
    results: Option<bool>,
}

impl<'q> Question<'q> {
    fn of(query: &'q Query, variations: bool, rules: Rules, detail: Detail) -> Question<'q> {
        let may_fail = !facts::is_infallible(&query.body, true, &mut Vec::new());
        Question {
            evaluator: evaluator(),
            query,
            variations,
            rules,
            ends: None,
            results: may_fail.then_some(detail == Detail::Results),
        }
    }

    fn fingerprint(&self) -> Fingerprint {
        let mut stream = Stream(Sha256::new());
        self.hash(&mut stream);
        Fingerprint::new(stream.0.finalize().into())
    }
}

/// Feeds SHA-256 with what types say of themselves by their derived [`Hash`]. That is not the same for all compilers, but
/// another fingerprint only means that an answer is found anew.
struct Stream(Sha256);

impl Hasher for Stream {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        let hash = self.0.clone().finalize();
        hash.iter()
            .take(8)
            .fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

#[cfg(test)]
mod tests {
    use language::{Dialect, ParseOptions};

    use super::*;

    /// The build script reads the sources of every crate of ours that this one uses.
    #[test]
    fn the_version_follows_from_all_crates_below() {
        let script = include_str!("../build.rs");
        let manifest = include_str!("../Cargo.toml");
        let (_, dependencies) = manifest.split_once("[dependencies]").unwrap();
        let (dependencies, _) = dependencies.split_once("[dev-dependencies]").unwrap();
        let ours = dependencies.lines().filter_map(|line| line.strip_prefix("cqldex-"));
        let mut count = 0;
        for line in ours {
            let (name, _) = line.split_once('.').unwrap();
            assert!(
                script.contains(&format!("/{name}/src\"")),
                "{name} is missing in build.rs"
            );
            count += 1;
        }
        assert_eq!(count, 7);
        assert_eq!(EVALUATOR.len(), 16);
    }

    /// Two versions of the program share a database, but no answer.
    #[test]
    fn another_version_has_other_fingerprints() {
        let query = language::compile("check", Dialect::Cql6, &ParseOptions::default()).unwrap();
        let ours = Question::of(&query, false, Rules::default(), Detail::Count);
        let same = Question::of(&query, false, Rules::default(), Detail::Positions);
        assert_eq!(ours.fingerprint(), same.fingerprint());
        let theirs = Question {
            evaluator: "another version ",
            ..same
        };
        assert_ne!(ours.fingerprint(), theirs.fingerprint());
    }
}
