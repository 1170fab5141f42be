use std::path::PathBuf;

use super::*;

mod extensions;
mod fuzz;
mod kinds;
mod limits;
mod messages;
mod recovery;

/// The folder with the conformance cases, if it is there.
fn conformance() -> Option<PathBuf> {
    let folder = std::env::var_os("CQLDEX_CONFORMANCE").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance"),
        PathBuf::from,
    );
    folder.is_dir().then_some(folder)
}

/// The string behind `"name": ` in a line of JSON.
fn json_string(line: &str, name: &str) -> Option<String> {
    let start = line.find(&format!("\"{name}\": \""))? + name.len() + 5;
    let mut text = String::new();
    let mut rest = line[start..].chars();
    loop {
        match rest.next()? {
            '"' => return Some(text),
            '\\' => match rest.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'u' => {
                    let code: String = rest.by_ref().take(4).collect();
                    text.push(char::from_u32(u32::from_str_radix(&code, 16).ok()?)?);
                }
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
}

#[test]
fn conformance_queries_are_accepted_as_by_cql() {
    let Some(folder) = conformance() else {
        println!("skipped: no conformance folder");
        return;
    };
    for (file, floor) in [
        ("parse.jsonl", 3_910),
        ("positions.jsonl", 899),
        ("games.jsonl", 423),
        ("unicode.jsonl", 291),
    ] {
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            println!("skipped: no {file}");
            continue;
        };
        let mut agree = 0;
        for line in text.lines() {
            let query = json_string(line, "query").unwrap();
            let accepted = !line.contains("\"accepted\": false");
            let result = parse(&query, &ParseOptions::default());
            recovery::check_all_errors(&query);
            if result.is_ok() == accepted {
                agree += 1;
            } else {
                let error = result.err().map(|errors| errors[0].message.clone()).unwrap_or_default();
                println!("{file}: accepted {accepted}: {query}: {error}");
            }
        }
        println!("{file}: {agree} of {}", text.lines().count());
        assert!(agree >= floor, "{file}: {agree} agree, the floor is {floor}");
    }
}
