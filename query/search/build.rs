//! Computes the version of the code that decides an answer: a hash of the sources of this crate and of all crates below it.
//!
//! Kept answers are named by it, among other things. So an answer that other code has found is never used, and no
//! number has to be raised after a change. A change of a comment makes answers stale, too; that costs one search for each.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The crates whose sources decide an answer, and the versions of all others.
const SOURCES: [&str; 9] = [
    "../../bits/src",
    "../../chess/src",
    "../../postings/src",
    "../../storage/src",
    "../language/src",
    "../evaluator/src",
    "../planner/src",
    "src",
    "../../Cargo.lock",
];

/// Fowler, Noll and Vo's hash in the variant 1a, with 64 bits. Nobody is to be deceived here, only changes to be noticed.
struct Fnv(u64);

impl Fnv {
    fn update(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// All files of a folder and those below it, or the file itself.
fn files(path: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        found.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        files(&entry?.path(), found)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    println!("cargo:rerun-if-changed=build.rs");
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        let path = root.join(source);
        let mut found = Vec::new();
        files(&path, &mut found)?;
        found.sort();
        for file in found {
            let text = fs::read(&file)?;
            let name = file.strip_prefix(&path)?.to_string_lossy().replace('\\', "/");
            hash.update(format!("{source}/{name} {}\n", text.len()).as_bytes());
            hash.update(&text);
        }
    }
    println!("cargo:rustc-env=CQLDEX_EVALUATOR_VERSION={:016x}", hash.0);
    Ok(())
}
