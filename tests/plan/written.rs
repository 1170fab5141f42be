//! The queries of `benches/`, written as users write them: by plan they find in the samples what they find by definition.

use std::path::Path;

use language::ParseOptions;
use search::Route;

use super::routes::outcome;
use super::samples::samples;

#[test]
fn queries_of_the_benchmarks_find_the_same_by_plan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let mut matching = 0;
    for kind in ["composition", "training"] {
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches").join(kind);
        for file in std::fs::read_dir(files).expect("the folder is there") {
            let path = file.expect("the folder can be read").path();
            let text = std::fs::read_to_string(&path).expect("it is text");
            let name = path.display();
            let parsed = language::parse(&text, &ParseOptions::default()).unwrap_or_else(|_| panic!("{name}"));
            let variations = parsed.header.variations;
            let as_written = language::expand_as_written(parsed.clone()).expect("it can be expanded");
            let query = language::expand(parsed).expect("it can be expanded");
            let by_plan = outcome(&snapshot, &query, variations, Route::Plan);
            let by_scan = outcome(&snapshot, &as_written, variations, Route::Definition);
            assert_eq!(by_plan, by_scan, "{name}");
            matching += usize::from(by_plan.is_ok_and(|outcome| !outcome.found.is_empty()));
        }
    }
    assert!(matching > 60, "{matching} match");
}
