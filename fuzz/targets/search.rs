//! Any text as a query on a small database: it finds and leaves by plan what it finds and leaves by definition.

#![no_main]

use std::sync::LazyLock;

use cqldex_fuzz::{Asked, ask, folder, make_database};
use language::{Dialect, ParseOptions, dialect, expand, expand_as_written};
use libfuzzer_sys::fuzz_target;
use search::{Detail, Route};
use storage::Snapshot;

/// Long queries take time.
const LONGEST: usize = 400;

static SNAPSHOT: LazyLock<Snapshot> = LazyLock::new(|| make_database(&folder().join("db")).snapshot());

fuzz_target!(|data: &[u8]| {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = str::from_utf8(text) else { return };
    if text.len() > LONGEST {
        return;
    }
    let Ok(parsed) = dialect::parse(text, Dialect::Auto, &ParseOptions::default()) else {
        return;
    };
    let Ok(as_written) = expand_as_written(parsed.clone()) else {
        return;
    };
    let Ok(query) = expand(parsed) else { return };
    // The tables of `similarposition` come from a file, and there are none.
    if !query.similar.is_empty() {
        return;
    }
    let asked = |route, boards| Asked {
        route,
        variations: (first & 1 != 0).then_some(first & 2 != 0),
        boards,
        detail: if first & 4 == 0 {
            Detail::Results
        } else {
            Detail::Positions
        },
    };
    let Some(by_plan) = ask(&SNAPSHOT, &query, asked(Route::Plan, Some(first & 8 != 0))) else {
        return;
    };
    let Some(by_definition) = ask(&SNAPSHOT, &as_written, asked(Route::Definition, None)) else {
        return;
    };
    assert_eq!(by_plan, by_definition, "{text}");
    if first & 16 != 0
        && let Some(by_scan) = ask(&SNAPSHOT, &query, asked(Route::Scan, None))
    {
        assert_eq!(by_scan, by_definition, "{text}");
    }
});
