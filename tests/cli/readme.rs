//! What documents show is what the program prints.

use std::fs;
use std::path::Path;

use super::support::{run, samples};

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
