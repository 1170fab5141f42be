//! What a shell is told to complete: commands, databases, themes, columns, sets.

use super::support::{own_samples, program, run, run_command, samples, scratch};

/// What can stand for the last word, as bash is told.
#[track_caller]
fn candidates(words: &[&str]) -> Vec<String> {
    let mut command = program();
    command
        .env("CQLDEX_COMPLETE", "bash")
        .env("_CLAP_IFS", "\n")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .args(["--", "cqldex"])
        .args(words);
    let run = run_command(&mut command, "").ended_with(0);
    run.stdout.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn commands_and_options_are_completed() {
    assert_eq!(candidates(&["expl"]), ["explain", "explain-error"]);
    assert!(candidates(&["query", "--colu"]).contains(&"--columns".to_owned()));
    assert_eq!(candidates(&["stats", "--color", "a"]), ["auto", "always"]);
}

#[test]
fn themes_tags_and_groups_are_completed() {
    assert_eq!(candidates(&["query", "db", "--theme", "smothered"]), ["smothered-mate"]);
    assert!(candidates(&["batch", "db", "--theme", "mat"]).contains(&"mates".to_owned()));
    assert!(candidates(&["themes", "--tag", "kni"]).contains(&"knight".to_owned()));
}

#[test]
fn columns_and_groups_are_completed_behind_a_comma() {
    assert!(candidates(&["query", "db", "--columns", "game,whi"]).contains(&"game,white".to_owned()));
    assert_eq!(candidates(&["query", "db", "--by", "year,res"]), ["year,result"]);
    assert_eq!(candidates(&["explain-error", "Q20"]).first().unwrap(), "Q201");
}

#[test]
fn databases_are_completed_and_other_files_are_not() {
    let folder = samples().parent().unwrap().to_str().unwrap();
    let found = candidates(&["stats", &format!("{folder}/sam")]);
    assert_eq!(found, [format!("{}/", samples().display())]);
    let games = candidates(&["index", "games.db", "samples/"]);
    assert!(games.contains(&"samples/games.pgn".to_owned()), "{games:?}");
    assert!(!games.contains(&"samples/README.md".to_owned()), "{games:?}");
}

#[test]
fn databases_of_the_configuration_are_completed() {
    let folder = scratch();
    let file = folder.path().join("config.toml");
    std::fs::write(&file, "database = 'a.db'\n[databases]\nlichess = 'b.db'\n").unwrap();
    let mut command = program();
    command
        .env("CQLDEX_CONFIG", &file)
        .env("CQLDEX_COMPLETE", "fish")
        .args(["--", "cqldex", "stats", "+"]);
    let run = run_command(&mut command, "").ended_with(0);
    assert!(run.stdout.contains("+lichess"), "{}", run.stdout);
}

#[test]
fn sets_of_the_database_on_the_line_are_completed() {
    let (_folder, path) = own_samples();
    let database = path.to_str().unwrap();
    run(["query", database, "mate", "--save", "mates"]).ended_with(0);
    assert_eq!(candidates(&["query", database, "check", "--within", "ma"]), ["mates"]);
    assert_eq!(candidates(&["sets", database, "--delete", ""]), ["mates"]);
}

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(["completions", shell]).ended_with(0).stdout;
        assert!(script.contains("CQLDEX_COMPLETE"), "{shell}:\n{script}");
    }
    run(["completions", "tcsh"]).says(2, "invalid value 'tcsh'");
}
