//! What the README shows is what the program prints.

use std::fs;
use std::path::Path;

use super::support::query;

#[test]
fn the_query_of_the_readme_gives_what_it_shows() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let start = readme.find("```text\n$ cqldex query samples.db '").unwrap();
    let block = &readme[start..][..readme[start + 3..].find("```").unwrap() + 3];
    let mut lines = block.lines().skip(1);
    let text = lines.next().unwrap().split('\'').nth(1).unwrap();
    let run = query([text]).ended_with(0);
    // Times differ.
    let without_time = |line: &str| line.split(" searched in ").next().unwrap().to_owned();
    let shown: Vec<String> = lines.map(without_time).collect();
    let printed: Vec<String> = run.stdout.lines().map(without_time).collect();
    assert_eq!(shown, printed);
}
