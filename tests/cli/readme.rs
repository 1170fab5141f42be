//! What documents show is what the program prints.

use std::fs;
use std::path::Path;

use super::support::{run, samples};
use super::typed::{prepared, run_typed};

/// The commands in a document whose output it shows, with that output: those on the samples.
fn shown(document: &str) -> Vec<(Vec<String>, String)> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).unwrap();
    let blocks = text.split("```text\n$ cqldex ").skip(1);
    let blocks = blocks.map(|block| block.split("```").next().unwrap().split_once('\n').unwrap());
    let ours = blocks.filter(|(command, output)| command.contains(" samples.db ") && !output.starts_with("error"));
    ours.map(|(command, output)| (words(command), output.to_owned()))
        .collect()
}

/// The words of a command, where quotation marks keep some together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

#[track_caller]
fn compare(document: &str, expected: usize) {
    let shown = shown(document);
    assert_eq!(shown.len(), expected, "commands in {document}");
    for (mut arguments, output) in shown {
        for argument in &mut arguments {
            if argument == "samples.db" {
                *argument = samples().to_str().unwrap().to_owned();
            }
        }
        let run = run(&arguments).ended_with(0);
        // Times differ; in the table of a batch they stand last.
        let without_time = |line: &str| {
            let line = line.split(" searched in ").next().unwrap();
            match line.rsplit_once(' ') {
                Some((line, _)) if document == "docs/batch.md" => line.trim_end().to_owned(),
                _ => line.to_owned(),
            }
        };
        let shown: Vec<String> = output.lines().map(without_time).collect();
        let printed: Vec<String> = run.stdout.lines().map(without_time).collect();
        assert_eq!(shown, printed, "{document}: {arguments:?}");
    }
}

#[test]
fn the_query_of_the_readme_gives_what_it_shows() {
    compare("README.md", 1);
}

#[test]
fn the_answers_as_data_are_as_their_chapter_shows() {
    compare("docs/data.md", 6);
}

#[test]
fn many_questions_are_answered_as_their_chapter_shows() {
    compare("docs/batch.md", 1);
}

#[test]
fn a_theme_is_asked_as_its_chapter_shows() {
    compare("docs/themes.md", 1);
}

#[test]
fn the_recipes_give_what_they_show() {
    compare("docs/recipes.md", 30);
}

/// The lines of a document that run the program: those of shell scripts, and those behind a dollar sign.
fn typed(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    // Text and code take turns.
    for block in text.split("\n```").skip(1).step_by(2) {
        let mut block = block.lines();
        let kind = block.next().unwrap_or_default();
        let block: Vec<&str> = block.collect();
        for (number, line) in block.iter().enumerate() {
            let line = match (line.strip_prefix("$ "), kind) {
                (Some(line), _) => line,
                (None, "sh") => line,
                _ => continue,
            };
            // An error is shown on purpose.
            let fails = block.get(number + 1).is_some_and(|line| line.starts_with("error"));
            if !fails && (line.starts_with("cqldex ") || line.contains("| cqldex ")) {
                lines.push(line.to_owned());
            }
        }
    }
    lines
}

/// What a shell would run of a line: without its comment.
fn without_comment(line: &str) -> &str {
    line.split(" #")
        .find(|part| !part.is_empty())
        .unwrap_or(line)
        .trim_end()
}

#[cfg(unix)]
#[test]
fn every_command_in_the_documents_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = |name: &str| {
        fs::read_dir(root.join(name))
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let documents = folder("docs")
        .chain(folder("docs/language"))
        .chain([root.join("README.md")]);
    let mut ran = 0;
    for document in documents.filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let lines = typed(&fs::read_to_string(&document).unwrap());
        if lines.is_empty() {
            continue;
        }
        let place = prepared(&[]);
        for name in [
            ".local/share/bash-completion/completions",
            ".zfunc",
            ".config/fish/completions",
        ] {
            fs::create_dir_all(place.path().join(name)).unwrap();
        }
        for line in lines {
            // Servers run until they are stopped: only their arguments are read here.
            let line = match line.starts_with("cqldex serve") {
                true => format!("{} --help", without_comment(&line)),
                false => line,
            };
            let done = run_typed(&place, &line, "");
            let name = document.display();
            assert!(
                matches!(done.code, 0 | 1),
                "{name}: {line}: {}\n{}",
                done.code,
                done.stderr
            );
            ran += 1;
        }
    }
    assert!(ran > 100, "only {ran} commands are in the documents");
}
