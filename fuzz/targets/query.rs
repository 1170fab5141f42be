//! Any bytes as the text of a query, in every dialect: an answer or errors with places, and what editors and the layout
//! make of them.

#![no_main]

use cqldex::{Dialect, Layout, Query, QueryOptions, check, format_query, to_ascii, to_unicode, translate};
use libfuzzer_sys::fuzz_target;

/// Long texts take time and find nothing that short ones do not.
const LONGEST: usize = 2_000;

fuzz_target!(|data: &[u8]| {
    if data.len() > LONGEST {
        return;
    }
    for dialect in Dialect::ALL {
        read(data, dialect);
    }
    if let Ok(text) = str::from_utf8(data) {
        spell(text);
        lay_out(text);
        edit(text);
    }
});

fn read(data: &[u8], dialect: Dialect) {
    let options = QueryOptions {
        dialect,
        ..QueryOptions::default()
    };
    let checked = check(data, &options);
    let parsed = Query::parse_with(data, &options);
    assert_eq!(checked.query.is_some(), parsed.is_ok(), "{dialect:?}: check and parse");
    for found in &checked.diagnostics {
        assert!(found.span.range().end <= checked.text().len(), "{found:?}");
        found.render(checked.text(), "fuzz");
        for fix in &found.fixes {
            assert!(fix.apply(checked.text()).is_some(), "{fix:?}");
        }
    }
    match parsed {
        Ok(query) => {
            query.header();
            query.kind();
            query.sort_keys();
            query.has_regex();
            if let Ok(text) = translate(data, dialect) {
                Query::parse(&text, Dialect::Cql6).expect("what was translated is a query");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Both spellings mean the same.
fn spell(text: &str) {
    let (Ok(ascii), Ok(unicode)) = (to_ascii(text), to_unicode(text)) else {
        return;
    };
    assert_eq!(to_ascii(&ascii).expect("it was cut into tokens"), ascii);
    assert_eq!(to_unicode(&unicode).expect("it was cut into tokens"), unicode);
}

/// What is laid out is the same query, and a second time nothing changes.
fn lay_out(text: &str) {
    for unicode in [None, Some(true), Some(false)] {
        let layout = Layout { width: 30, unicode };
        if let Ok(once) = format_query(text, layout) {
            let twice = format_query(&once, layout).expect("what is laid out is a query");
            assert_eq!(once, twice);
        }
    }
}

fn edit(text: &str) {
    let document = cqldex::editor::Document::new(text, Dialect::Auto);
    let place = |part: usize| {
        let mut at = text.len() * part / 3;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    for at in [place(1), place(2), place(3)] {
        document.hover(at);
        if let Ok(places) = document.rename(at, "other9") {
            assert!(places.iter().all(|place| text.get(place.clone()).is_some()));
        }
    }
    if text.len() < 200 {
        let completions = document.complete(place(2), &|_, _| Vec::new());
        assert!(text.get(completions.range).is_some());
    }
}
