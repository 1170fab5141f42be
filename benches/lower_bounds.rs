//! Times what no program can save that answers a question from the games of a database: reading their moves, following their
//! boards, and the least that is asked of each board.
//!
//! ```text
//! cargo bench --bench lower_bounds -- --database games.db
//! ```
//!
//! Each step is a loop written for it and nothing else, over the main lines of all games, on all threads. A question that looks at
//! every move takes at least as long as reading them; one that looks at every board at least as long as following them, and so
//! on, unless lists or a kept answer say something of it. The games are unpacked in memory after the first run. The database can be
//! named in the environment, too: `CQLDEX_DATABASE`.

#![allow(clippy::print_stdout, reason = "a benchmark prints its report")]

mod common;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chess::{Board, Mailbox, MoveTree, PackedMove, Start};
use clap::Parser;
use common::ms;
use rayon::prelude::*;
use shakmaty::Color;
use storage::{Database, Snapshot};

/// Times what no program can save that answers a question from the games of a database.
#[derive(Debug, Parser)]
struct Arguments {
    /// The database; without it there is nothing to do
    #[arg(long, env = "CQLDEX_DATABASE")]
    database: Option<PathBuf>,
    /// How often each step is run; the best time counts
    #[arg(long, default_value = "3")]
    runs: usize,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What is done with one game: its first board and the moves of its main line. Gives a number that depends on all of them, so
/// that nothing is left out.
type Step = fn(&Board, &[PackedMove]) -> u64;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let Some(database) = &arguments.database else {
        println!("nothing to do: name a --database");
        return Ok(());
    };
    let snapshot = Database::open_read_only(database)?.snapshot();
    let threads = std::thread::available_parallelism()?.get();
    println!(
        "{} games, {} positions, {threads} threads",
        snapshot.games(),
        snapshot.positions()
    );
    println!();
    println!("| for every position of the main lines | ms | ns for each, on one thread |");
    println!("|---|---:|---:|");
    let steps: [(&str, Step); 5] = [
        ("the moves are read", read),
        ("what stands on each square is followed", follow_squares),
        ("the bitboards are followed", follow_bitboards),
        ("the attackers of the king to move are found", find_attackers),
        ("all squares that the white line pieces attack are found", find_lines),
    ];
    for (name, step) in steps {
        let times: Result<Vec<Duration>, _> = (0..arguments.runs.max(1)).map(|_| time(&snapshot, step)).collect();
        let best = times?.into_iter().min().unwrap_or_default();
        let each = best.as_secs_f64() * 1e9 * threads as f64 / snapshot.positions() as f64;
        println!("| {name} | {:.0} | {each:.1} |", ms(best));
    }
    Ok(())
}

/// How long a step takes for all games.
fn time(snapshot: &Snapshot, step: Step) -> Result<Duration, storage::Error> {
    let start = Instant::now();
    let mut blocks = Vec::new();
    for index in 0..snapshot.segments().len() {
        blocks.extend((0..snapshot.segment(index).block_count()?).map(|block| (index, block)));
    }
    let sums: Result<Vec<u64>, storage::Error> = blocks
        .into_par_iter()
        .map(|(index, block)| {
            let trees = snapshot.segment(index).shared_trees(block, true)?;
            let (mut tree, mut sum) = (MoveTree::default(), 0u64);
            for game in 0..trees.len() {
                trees.tree(game, &mut tree)?;
                let moves = tree.mainline_len().saturating_sub(1);
                let board = match &tree.start {
                    Start::Standard => Board::initial(),
                    Start::Setup { board, .. } => Board::clone(board),
                };
                sum = sum.wrapping_add(step(&board, &tree.moves[..moves]));
            }
            Ok(sum)
        })
        .collect();
    std::hint::black_box(sums?);
    Ok(start.elapsed())
}

fn read(_: &Board, moves: &[PackedMove]) -> u64 {
    moves.iter().map(|m| u64::from(u32::from(m.to()))).sum()
}

fn follow_squares(board: &Board, moves: &[PackedMove]) -> u64 {
    let mut board = Mailbox::of(board);
    let mut sum = 0;
    for &m in moves {
        sum += board.at(m.to()).index() as u64;
        board.play(m);
    }
    sum
}

/// Plays all moves, and asks something of each board.
fn follow(board: &Board, moves: &[PackedMove], ask: impl Fn(&Board, PackedMove) -> u64) -> u64 {
    let mut board = board.clone();
    let mut sum = 0u64;
    for &m in moves {
        sum = sum.wrapping_add(ask(&board, m));
        board.play(m);
    }
    sum
}

fn follow_bitboards(board: &Board, moves: &[PackedMove]) -> u64 {
    follow(board, moves, |board, _| board.occupied().0)
}

fn find_attackers(board: &Board, moves: &[PackedMove]) -> u64 {
    follow(board, moves, |board, _| board.checkers(board.turn()).0)
}

fn find_lines(board: &Board, moves: &[PackedMove]) -> u64 {
    follow(board, moves, |board, _| {
        let men = [shakmaty::Role::Bishop, shakmaty::Role::Rook, shakmaty::Role::Queen];
        let pieces = men.iter().flat_map(|&role| board.piece(Color::White, role));
        pieces.fold(0, |all, square| all ^ board.attacks_from(square).0)
    })
}
