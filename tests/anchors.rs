//! References between files: comments name headings of documents, and documents link to each other.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder whose names have this ending; not what Cargo, Git and editors keep there.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if path.is_dir() {
            files(&path, ending, found);
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

/// The texts of all files with one of these endings, by their paths from the root.
fn texts(endings: &[&str]) -> BTreeMap<String, String> {
    let mut found = Vec::new();
    for ending in endings {
        files(root(), ending, &mut found);
    }
    let named = found.into_iter().map(|path| {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    });
    named.collect()
}

/// The lines of a Markdown text outside of fenced blocks, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.starts_with("```");
        fenced ^= is_fence;
        (!fenced && !is_fence).then_some((index + 1, line))
    })
}

/// The anchors that GitHub gives to the headings of a Markdown text.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (_, line) in prose(text) {
        let Some((marks, heading)) = line.split_once(' ') else {
            continue;
        };
        if marks.is_empty() || !marks.trim_start_matches('#').is_empty() {
            continue;
        }
        let kept = heading.trim().chars().filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        });
        let anchor = kept.collect::<String>().to_lowercase();
        // The second heading of the same text is numbered.
        let mut unique = anchor.clone();
        let mut number = 0;
        while !found.insert(unique.clone()) {
            number += 1;
            unique = format!("{anchor}-{number}");
        }
    }
    found
}

/// What is wrong with a reference to `file`, perhaps with an anchor behind `#`.
fn problem(documents: &BTreeMap<String, String>, file: &str, anchor: Option<&str>) -> Option<String> {
    let Some(text) = documents.get(file) else {
        let is_there = root().join(file).exists();
        return (!is_there || anchor.is_some()).then(|| format!("there is no {file}"));
    };
    let anchor = anchor?;
    (!anchors(text).contains(anchor)).then(|| format!("{file} has no heading #{anchor}"))
}

/// The documents that a text names by their path from the root, with their anchors.
fn citations(text: &str) -> Vec<(&str, Option<&str>)> {
    const END: &str = ".md";
    let is_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let mut found = Vec::new();
    for (at, folder) in text.match_indices("docs/") {
        // `../docs/` is a link or a path of the code.
        if text[..at].ends_with(is_path) {
            continue;
        }
        let rest = &text[at..];
        let path = &rest[..rest.find(|c| !is_path(c)).unwrap_or(rest.len())];
        let Some(end) = path.find(END) else { continue };
        if end == folder.len() {
            continue;
        }
        let (path, behind) = rest.split_at(end + END.len());
        let anchor = behind.strip_prefix('#').map(|anchor| {
            let end = anchor.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
            &anchor[..end.unwrap_or(anchor.len())]
        });
        found.push((path, anchor));
    }
    found
}

#[test]
fn citations_name_headings() {
    let documents = texts(&[".md"]);
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in texts(&[".rs", ".md"]) {
        for (number, line) in text.lines().enumerate() {
            for (file, anchor) in citations(line) {
                count += 1;
                let problem = problem(&documents, file, anchor);
                wrong.extend(problem.map(|problem| format!("{name}:{}: {problem}", number + 1)));
            }
        }
    }
    println!("{count} citations");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn links_lead_to_files_and_headings() {
    let documents = texts(&[".md"]);
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, text) in &documents {
        for (number, line) in prose(text) {
            // Every second part stands between backticks.
            let outside: String = line.split('`').step_by(2).collect();
            for link in outside.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                if link.contains("://") {
                    continue;
                }
                count += 1;
                let (file, anchor) = link.split_once('#').map_or((link, None), |(f, a)| (f, Some(a)));
                let file = if file.is_empty() {
                    name.clone()
                } else {
                    resolve(name, file)
                };
                let problem = problem(&documents, &file, anchor);
                wrong.extend(problem.map(|problem| format!("{name}:{number}: {problem}")));
            }
        }
    }
    println!("{count} links");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn documents_name_sources_that_are_there() {
    let mut wrong = Vec::new();
    for (name, text) in texts(&[".md"]) {
        // Measurements speak of the sources as they were.
        if name.starts_with("docs/benchmarks/") || name == "CHANGELOG.md" {
            continue;
        }
        for (number, line) in prose(&text) {
            for code in line.split('`').skip(1).step_by(2) {
                let folder = code.split_once('/').map_or("", |(folder, _)| folder);
                let is_source = code.ends_with(".rs") && !folder.is_empty() && root().join(folder).is_dir();
                if is_source && !root().join(code).exists() {
                    wrong.push(format!("{name}:{number}: there is no {code}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The path from the root that a link in the file `from` means.
fn resolve(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => {
                parts.pop();
            }
            Component::Normal(part) => parts.push(part.to_str().unwrap()),
            _ => {}
        }
    }
    parts.join("/")
}

#[test]
fn every_chapter_of_the_language_is_listed() {
    let documents = texts(&[".md"]);
    let contents = &documents["docs/language.md"];
    for name in documents.keys() {
        if let Some(chapter) = name.strip_prefix("docs/") {
            let is_listed = !chapter.starts_with("language/") || contents.contains(&format!("]({chapter})"));
            assert!(is_listed, "docs/language.md does not list {name}");
        }
    }
}

#[test]
fn nothing_cites_a_document_that_is_not_here() {
    let outside = [
        concat!("cql6-", "positions"),
        concat!("cql6-", "games"),
        concat!("legacy-", "dialects"),
    ];
    let mut wrong = Vec::new();
    for (name, text) in texts(&[".rs", ".md", ".toml"]) {
        for (number, line) in text.lines().enumerate() {
            if let Some(document) = outside.iter().find(|document| line.contains(**document)) {
                wrong.push(format!("{name}:{}: {document}", number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn anchors_are_those_of_github() {
    let text =
        "# Pure, model and ideal mates\n\n```text\n# no heading\n```\n\n## `xray`, `ray`\n## Same\n### Same\n#no\n";
    let wanted = ["pure-model-and-ideal-mates", "same", "same-1", "xray-ray"];
    assert_eq!(anchors(text).iter().map(String::as_str).collect::<Vec<_>>(), wanted);
    // Put together, so that these are no citations of this file.
    let text = ["see ", "/a.md#b-c. And (`", "/d/e.md`), ../", "/f.md, ", "/g.txt"].join("docs");
    let found = citations(&text).into_iter().map(|(path, anchor)| (&path[4..], anchor));
    assert_eq!(found.collect::<Vec<_>>(), [("/a.md", Some("b-c")), ("/d/e.md", None)]);
}
