//! The files for systemd and Kubernetes: the program takes the arguments that stand in them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::program;

fn files(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap()))
        .collect()
}

/// Whether the program takes these arguments; it is only asked for help.
fn check(name: &str, arguments: &[String]) {
    let output = program().args(arguments).arg("--help").output().unwrap();
    assert!(
        output.status.success(),
        "{name}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn units_start_the_program() {
    for (name, text) in files("systemd") {
        let start = text
            .lines()
            .find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/cqldex-cluster "))
            .unwrap();
        let arguments: Vec<String> = start.split_whitespace().map(str::to_owned).collect();
        check(&name, &arguments);
        // Where systemd is there, it has an opinion, too. The program itself is not installed.
        if let Ok(output) = Command::new("systemd-analyze").args(["verify", &name]).output() {
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let told = told
                .lines()
                .filter(|line| line.contains(&name) && !line.contains("is not executable"));
            assert_eq!(told.collect::<Vec<_>>(), Vec::<&str>::new());
        }
    }
}

#[test]
fn pods_start_the_program() {
    let mut pods = 0;
    for (name, text) in files("kubernetes") {
        assert!(!text.contains('\t'), "{name}");
        for line in text.lines().filter_map(|line| line.trim().strip_prefix("args: ")) {
            let arguments: Vec<String> = serde_json::from_str(line).unwrap();
            check(&name, &arguments);
            pods += 1;
        }
    }
    assert_eq!(pods, 2);
}
