//! The evaluator on small games: the values of filters at every position, and their comments.
//!
//! Expected values are those of CQL 6.2, run on the game `tree` of docs/language.md#games and on games of our own. For
//! mates see docs/language/positions.md#pure-model-and-ideal-mates.

mod control;
mod echoes;
mod formulas;
mod imagined;
mod lines;
mod paths;
mod puremates;
pub(crate) mod reader;

use std::collections::BTreeMap;

use chess::{GameText, MoveTree};

use crate::{CommentSource, Evaluator, GameHeader, GameInfo, GameView, Limits};

/// The game `tree` of docs/language.md#games.
const SCHOLAR: &str = "1. e4 e5 2. Qh5 Nc6 (2... Ke7 3. Qxe5#) (2... g6 3. Qxe5+ Qe7 4. Qxe7+ Bxe7 5. Nf3 Nf6) \
                       3. Bc4 Nf6 (3... g6 4. Qf3 Nf6) 4. Qxf7#";

/// What a query leaves after one game.
struct Outcome {
    /// The positions that match.
    matches: Vec<u32>,
    /// The messages.
    messages: Vec<String>,
    /// The comments, by position; equal ones once, as they are written.
    comments: BTreeMap<u32, String>,
}

/// Runs a query, written without its header, on one game.
fn run(tree: &MoveTree, query: &str) -> Outcome {
    let text = format!("cql(variations)\n{query}\n");
    let query = language::compile(&text, language::Dialect::Cql6, &language::ParseOptions::default());
    let query = query.expect("the query is right");
    let limits = Limits {
        variations: true,
        results: true,
        ..Limits::default()
    };
    let mut evaluator = Evaluator::new(&query, limits);
    let mut view = GameView::default();
    view.load(tree, true);
    view.number = 1;
    let (header, words) = (GameHeader::default(), GameText::default());
    let info = GameInfo {
        header: &header,
        text: Some(&words),
        sets: &(),
        quantities: None,
    };
    let mut matches = Vec::new();
    let nodes = view.nodes();
    evaluator
        .search(&mut view, info, nodes, &mut matches)
        .expect("the query runs");
    let messages = evaluator.take_messages().into_iter();
    let messages = messages
        .map(|message| String::from_utf8_lossy(&message).into_owned())
        .collect();
    let mut parts: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    let entries = evaluator.take_result().comments.into_iter();
    for entry in entries.filter(|entry| entry.source != CommentSource::Match) {
        let known = parts.entry(entry.node).or_default();
        let text = String::from_utf8(entry.text).unwrap();
        if !known.contains(&text) {
            known.push(text);
        }
    }
    let comments = parts.into_iter().map(|(node, parts)| (node, parts.join(" "))).collect();
    Outcome {
        matches,
        messages,
        comments,
    }
}

/// Runs a query on the game `tree` of docs/language.md#games.
fn scholar(query: &str) -> Outcome {
    run(&reader::read(None, SCHOLAR), query)
}

/// The values of a filter at the positions where it has one: `id=value`, with a blank between.
fn values(filter: &str) -> String {
    scholar(&format!("x={filter} message quiet(positionid \"=\" x)"))
        .messages
        .join(" ")
}

/// The comments of a query: `id: text`, a line each.
fn comments(query: &str) -> String {
    let comments = scholar(query).comments;
    comments
        .into_iter()
        .map(|(node, text)| format!("{node}: {}", text.trim()))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_reader_numbers_positions_as_the_reference_does() {
    let tree = reader::read(
        None,
        "1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6",
    );
    let branches: Vec<(u32, u32)> = tree
        .branches
        .iter()
        .map(|branch| (branch.node, branch.parent))
        .collect();
    assert_eq!(branches, [(7, 1), (10, 7), (12, 1)]);
    assert_eq!(tree.len(), 15);
}
