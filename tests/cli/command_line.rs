//! What all commands have in common: colors, the configuration, help, the manual.

use std::path::Path;

use super::support::{Run, file, on_samples, program, run, run_command, samples, scratch};
use super::typed::{prepared, run_typed};

/// What begins a color.
const ESCAPE: char = '\x1b';

/// A mistake in a query, told in an environment.
fn mistake(arguments: &[&str], environment: &[(&str, &str)]) -> Run {
    let mut command = program();
    command
        .args(["check", "Kg1 mat"])
        .args(arguments)
        .envs(environment.iter().copied());
    run_command(&mut command, "").ended_with(2)
}

fn is_colored(run: &Run) -> bool {
    run.stderr.contains(ESCAPE)
}

#[test]
fn colors_are_written_where_they_are_wanted() {
    assert!(!is_colored(&mistake(&[], &[])), "no terminal");
    assert!(is_colored(&mistake(&["--color", "always"], &[])));
    assert!(is_colored(&mistake(&[], &[("CLICOLOR_FORCE", "1")])));
    assert!(!is_colored(&mistake(
        &[],
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]
    )));
    assert!(!is_colored(&mistake(&["--color=never"], &[("CLICOLOR_FORCE", "1")])));
    assert!(is_colored(&mistake(&["--color=always"], &[("NO_COLOR", "1")])));
}

#[test]
fn clap_keeps_to_the_same_colors() {
    let told = |arguments: &[&str]| run(arguments.iter().copied());
    assert!(is_colored(&told(&["--color", "always", "query"])));
    assert!(!is_colored(&told(&["--color", "never", "query"])));
    assert!(told(&["--color=always", "--help"]).stdout.contains(ESCAPE));
    assert!(!told(&["--help"]).stdout.contains(ESCAPE));
}

#[test]
fn the_help_names_all_columns() {
    let documents = include_str!("../../docs/data.md");
    let rows = documents
        .split_once("| column | type | value |")
        .and_then(|(_, rest)| rest.split_once("\n\n"))
        .map_or("", |(rows, _)| rows);
    let names = rows.lines().filter_map(|row| row.split('|').nth(1));
    let names: Vec<&str> = names.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
    assert!(names.len() > 25, "{names:?}");
    let help = run(["help", "query"]).ended_with(0).stdout;
    let listed = help.split_once("--columns").map_or("", |(_, rest)| rest);
    let listed = listed.split_once("--by").map_or("", |(columns, _)| columns);
    let listed: Vec<&str> = listed.split([',', ' ', '\n']).collect();
    for name in names {
        assert!(listed.contains(&name), "{name}");
    }
}

#[test]
fn answers_have_no_colors() {
    let plain = on_samples("query", ["mate", "--limit", "3"]).ended_with(0);
    let forced = on_samples("query", ["mate", "--limit", "3", "--color", "always"]).ended_with(0);
    let without_time = |run: &Run| run.stdout.split(" searched in ").next().unwrap().to_owned();
    assert_eq!(without_time(&plain), without_time(&forced));
}

/// Runs a command with a configuration.
fn configured(text: &str, arguments: &[&str]) -> Run {
    let folder = scratch();
    let configuration = file(&folder, "config.toml", text);
    run_command(program().env("CQLDEX_CONFIG", configuration).args(arguments), "")
}

#[test]
fn the_configuration_names_databases() {
    let path = samples().display();
    let usual = configured(&format!("database = '{path}'"), &["stats", "+"]).ended_with(0);
    let named = configured(
        &format!("[databases]\nmine = '{path}'"),
        &["query", "+mine", "mate", "--count"],
    );
    assert!(usual.stdout.contains("86"), "{}", usual.stdout);
    assert!(named.ended_with(0).stdout.contains("18 positions"));
    configured("[databases]\nmine = 'x'", &["stats", "+yours"]).says(2, "the configuration has +mine");
    configured("", &["stats", "+"]).says(2, "names no database");
}

#[test]
fn the_configuration_gives_defaults() {
    let help = configured("threads = 3", &["query", "--help"]).ended_with(0);
    assert!(help.stdout.contains("[default: 3]"), "{}", help.stdout);
    assert!(is_colored(&configured("color = 'always'", &["check", "mat"])));
    assert!(!is_colored(&configured(
        "color = 'always'",
        &["check", "mat", "--color=never"]
    )));
}

#[test]
fn a_mistake_in_the_configuration_is_told_with_its_place() {
    configured("threads = 0\n", &["check", "mate"]).says(2, "line 1, column 11");
    configured("thread = 1\n", &["check", "mate"]).says(2, "unknown field `thread`");
    run_command(
        program().env("CQLDEX_CONFIG", "not/there.toml").args(["check", "mate"]),
        "",
    )
    .says(2, "not/there.toml");
}

/// The names of all commands that help lists.
fn commands() -> Vec<String> {
    let help = run(["--help"]).ended_with(0).stdout;
    let (_, list) = help.split_once("\nCommands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
    let names = list
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(first).filter(|name| name != "help").collect()
}

/// The examples below the help of a command.
fn examples(command: &str) -> Vec<String> {
    let help = run([command, "--help"]).ended_with(0).stdout;
    let (_, examples) = help
        .split_once("\nExamples:\n")
        .unwrap_or_else(|| panic!("{command} has no examples"));
    let examples = examples.split("\n\n").next().unwrap().lines();
    examples.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_examples_of_the_help_run() {
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for command in &commands {
        // Each finds a folder with what its examples name.
        let folder = prepared(&["seen", "drawn"]);
        for example in examples(command) {
            let line = example.split("   ").next().unwrap();
            // These run until they are stopped, or write below the user's home.
            if ["cqldex serve", "cqldex lsp"].iter().any(|name| line.starts_with(name)) || line.contains("~/") {
                continue;
            }
            let done = run_typed(&folder, line, "flip{Kg1 Bd3}");
            assert!(matches!(done.code, 0 | 1), "{line}: {}\n{}", done.code, done.stderr);
        }
    }
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let folder = scratch();
    run(["man", folder.path().to_str().unwrap()]).ended_with(0);
    let page = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    for command in commands() {
        let text = page(&format!("cqldex-{command}.1"));
        assert!(text.contains(".SH EXAMPLES"), "{command}:\n{text}");
    }
    let text = page("cqldex.1");
    for name in [
        "CQLDEX_CONFIG",
        "NO_COLOR",
        "CLICOLOR_FORCE",
        "EXIT STATUS",
        "config.toml",
    ] {
        assert!(text.contains(name), "{name} is not in the manual:\n{text}");
    }
}

#[test]
fn the_manual_and_the_document_name_the_same_variables() {
    let document = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/command-line.md")).unwrap();
    let folder = scratch();
    run(["man", folder.path().to_str().unwrap()]).ended_with(0);
    let page = std::fs::read_to_string(folder.path().join("cqldex.1")).unwrap();
    let (_, variables) = page.split_once(".SH ENVIRONMENT\n").unwrap();
    let (variables, _) = variables.split_once(".SH ").unwrap();
    let names = variables
        .lines()
        .filter_map(|line| line.strip_prefix("\\fB")?.split('\\').next());
    let names: Vec<&str> = names.collect();
    assert!(names.len() >= 5, "{variables}");
    for name in names {
        assert!(
            document.contains(&format!("| `{name}` |")),
            "docs/command-line.md does not have {name}"
        );
    }
}
