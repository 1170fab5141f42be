//! Reads the files that the filters `similarposition` of a query compare with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chess::{MoveTree, Start};
use evaluator::{GameView, SimilarPlace, SimilarPositions};
use language::hir::Query;
use storage::{Database, Snapshot, TreeBlock};

use crate::exit::Failure;

/// The tables of the filters `similarposition`, in the order of the query; `place` says where a file is.
///
/// # Errors
///
/// When a file can't be read.
pub(crate) fn tables(
    query: &Query,
    place: impl FnOnce(&Path) -> Result<PathBuf, Failure>,
) -> Result<Vec<Arc<SimilarPositions>>, Failure> {
    // All of them name the same file.
    let Some(first) = query.similar.first() else {
        return Ok(Vec::new());
    };
    let file = place(Path::new(&first.file))?;
    let folder = tempfile::tempdir().map_err(|error| Failure::message(format!("no temporary folder: {error}")))?;
    let mut database = Database::create(folder.path().join("db"))?;
    indexer::index(&mut database, &[file], &indexer::Options::default(), &())?;
    let snapshot = database.snapshot();
    let plain = match query.similar.iter().any(|filter| filter.notransform) {
        true => Arc::new(table(&snapshot, false)?),
        false => Arc::default(),
    };
    let transformed = match query.similar.iter().any(|filter| !filter.notransform) {
        true => Arc::new(table(&snapshot, true)?),
        false => Arc::default(),
    };
    let filters = query.similar.iter();
    Ok(filters
        .map(|filter| Arc::clone(if filter.notransform { &plain } else { &transformed }))
        .collect())
}

/// The positions of the main lines of all games.
fn table(snapshot: &Snapshot, transformed: bool) -> Result<SimilarPositions, Failure> {
    let mut table = SimilarPositions::default();
    let mut tree = MoveTree {
        start: Start::Standard,
        moves: Vec::new(),
        branches: Vec::new(),
    };
    let mut view = GameView::default();
    let mut current: Option<(usize, u32, TreeBlock)> = None;
    for index in 0..snapshot.segments().len() {
        let segment = snapshot.segment(index);
        let first = segment.meta().first_game;
        for game in 0..segment.meta().games {
            let (block, at) = segment.block_of(game)?;
            if current
                .as_ref()
                .is_none_or(|(index_of, block_of, _)| (*index_of, *block_of) != (index, block))
            {
                current = Some((index, block, segment.trees(block)?));
            }
            let Some((_, _, trees)) = &current else {
                unreachable!("the block was just read")
            };
            trees.tree(at, &mut tree)?;
            view.load(&tree, false);
            let number = u32::try_from(first + u64::from(game) + 1).unwrap_or(u32::MAX);
            for node in 0..view.len() as u32 {
                let place = SimilarPlace {
                    game: number,
                    move_number: view.move_number(node),
                };
                table.add(view.board(node), place, transformed);
            }
        }
    }
    Ok(table)
}
