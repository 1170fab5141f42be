//! What the kernel of the posting lists costs: nanoseconds a run, id or word. `cargo bench -p cqldex-storage`, or with
//! the path of a database, on the lists of its first segment.

#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use storage::{BLOCK_WORDS, Database, Postings, Term};

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
    let cost: u64 = lists
        .iter()
        .map(|list| (0..list.chunks()).map(|c| u64::from(list.chunk_cost(c))).sum::<u64>())
        .sum();
    let mut block = [0; BLOCK_WORDS];
    let time = best(|| {
        for list in lists {
            let mut cursor = list.cursor();
            for number in 0..list.chunks() * 16 {
                black_box(cursor.read_block(number, &mut block));
            }
        }
        black_box(&mut block);
    });
    let each = time.as_nanos() as f64 / cost as f64;
    println!("{name:<28} {cost:>9} items   {each:.2} ns");
}

/// A list with runs and gaps of about these lengths, as roaring writes it.
fn synthetic(run: u32, gap: u32) -> Postings {
    let mut bitmap = roaring::RoaringBitmap::new();
    let (mut at, mut state) = (0, 1u32);
    while at < 4 << 20 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let length = 1 + (state >> 8) % (2 * run);
        bitmap.insert_range(at..at + length);
        at += length + 1 + (state >> 20) % (2 * gap);
    }
    bitmap.optimize();
    let mut bytes = Vec::new();
    bitmap.serialize_into(&mut bytes).unwrap_or_default();
    Postings::from_bytes(bytes).unwrap_or_default()
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
    measure(
        "all lists of a segment",
        &lists.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
    );
    Ok(())
}
