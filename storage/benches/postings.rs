//! What the kernel of the posting lists costs: nanoseconds a block of 4,096 positions and a run. `cargo bench -p
//! cqldex-storage`, or with the path of a database, on the lists of its first segment, too.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use postings::{BLOCK_SIZE, BLOCK_WORDS, CHUNK_SIZE, Postings, Selection, Term};
use storage::Database;

/// The shortest of several runs.
fn best(mut f: impl FnMut()) -> Duration {
    let time = |f: &mut dyn FnMut()| {
        let started = Instant::now();
        f();
        started.elapsed()
    };
    (0..9).map(|_| time(&mut f)).min().unwrap_or_default()
}

fn measure(name: &str, lists: &[&Postings]) {
    let blocks_of = |list: &Postings| list.runs().last().map_or(0, |(_, last)| last / BLOCK_SIZE + 1);
    let blocks: u32 = lists.iter().map(|list| blocks_of(list)).sum();
    let runs: usize = lists.iter().map(|list| list.runs().count()).sum();
    let mut block = [0; BLOCK_WORDS];
    let time = best(|| {
        for list in lists {
            let mut cursor = list.cursor();
            for number in 0..blocks_of(list) {
                black_box(cursor.read_block(number, &mut block));
            }
        }
        black_box(&mut block);
    });
    let nanoseconds = time.as_nanos() as f64;
    println!(
        "{name:<28} {:>8.1} ns a block {:>6.2} ns a run",
        nanoseconds / f64::from(blocks),
        nanoseconds / runs as f64
    );
}

/// A list with runs and gaps of about these lengths.
fn synthetic(run: u32, gap: u32) -> Postings {
    let mut positions = Vec::new();
    let (mut at, mut state) = (0, 1u32);
    while at < 4 << 20 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let length = 1 + (state >> 8) % (2 * run);
        positions.extend(at..at + length);
        at += length + 1 + (state >> 20) % (2 * gap);
    }
    positions.into_iter().collect()
}

/// A selection of about one position in so many.
fn every(step: u32, positions: u32) -> Selection {
    let mut words = vec![0; positions.div_ceil(CHUNK_SIZE) as usize * (CHUNK_SIZE / 64) as usize];
    let (mut at, mut state) = (0, 1u32);
    while at < positions {
        bits::insert(&mut words, at);
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        at += 1 + (state >> 16) % (2 * step);
    }
    Selection::new(0, words)
}

/// What it costs to read lists at some positions only.
fn measure_selected(step: u32, positions: u32, lists: &[&Postings]) {
    let selection = every(step, positions);
    let count = selection.positions().len();
    let mut block = [0; BLOCK_WORDS];
    let time = best(|| {
        for list in lists {
            let mut cursor = list.cursor();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "blocks are no more than positions, whose numbers have 32 bits"
            )]
            for number in 0..count.div_ceil(64 * BLOCK_WORDS) as u32 {
                black_box(cursor.read_selected(&selection, number, &mut block));
            }
        }
        black_box(&mut block);
    });
    let each = time.as_nanos() as f64 / (lists.len() * count) as f64;
    println!("one position in {step:<5} {count:>15} selected, {each:.2} ns each and list");
}

fn main() -> Result<(), storage::Error> {
    for (run, gap) in [(1, 1), (1, 40), (1, 400), (8, 30), (30, 30), (30, 300), (300, 300)] {
        measure(&format!("runs of {run}, gaps of {gap}"), &[&synthetic(run, gap)]);
    }
    // Cargo passes `--bench` too.
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with('-')) else {
        return Ok(());
    };
    let segment = Database::open_read_only(path)?.snapshot().segment(0);
    let started = Instant::now();
    let lists = Term::all()
        .map(|term| segment.postings(term))
        .collect::<Result<Vec<_>, _>>()?;
    let cold = started.elapsed();
    let runs: u64 = Term::all()
        .filter_map(|term| segment.term_stats(term).ok())
        .map(|stats| u64::from(stats.runs))
        .sum();
    println!(
        "read all lists of a segment: {cold:?}, {:.2} ns a run",
        cold.as_nanos() as f64 / runs as f64
    );
    let lists: Vec<&Postings> = lists.iter().map(AsRef::as_ref).collect();
    measure("all lists of a segment", &lists);
    for step in [1, 3, 10, 100, 1000, 10_000] {
        measure_selected(step, segment.meta().positions, &lists);
    }
    Ok(())
}
