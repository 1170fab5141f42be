//! Queries and games that want too much: of time, of memory, of the disk.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::support::{file, index, on_samples, output_of, program, run, samples, scratch, segment_files};

/// A query that takes longer than anybody waits, and one that takes its time in a regular expression.
const ENDLESS: [&str; 2] = [
    "x=1 y=1 while (x>0) {x+=1 y=1 while (y<9999999) y+=1}",
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" ~~ \"(a+)+b\"",
];

#[test]
fn a_query_ends_when_its_time_is_over() {
    for query in ENDLESS {
        let started = Instant::now();
        let run = on_samples("query", [query, "--count", "--timeout", "1"]);
        let elapsed = started.elapsed();
        run.says(2, "the search was stopped after 1 s; --timeout SECONDS gives it more");
        // The machine may be busy; alone it takes 1.2 s at most.
        assert!(elapsed < Duration::from_secs(4), "{query}: {elapsed:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_query_ends_when_the_user_asks() {
    for query in ENDLESS {
        let child = program()
            .args([
                "query".as_ref(),
                samples().as_os_str(),
                query.as_ref(),
                "--timeout".as_ref(),
                "0".as_ref(),
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let started = Instant::now();
        let killed = Command::new("sh")
            .args(["-c", &format!("kill -INT {}", child.id())])
            .status()
            .unwrap();
        assert!(killed.success());
        let output = output_of(child, query);
        assert!(
            started.elapsed() < Duration::from_secs(3),
            "{query}: {:?}",
            started.elapsed()
        );
        assert_eq!(output.status.code(), Some(2), "{query}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("the search was stopped"), "{told}");
    }
    on_samples("verify", []).ended_with(0);
}

#[test]
fn memory_is_bounded() {
    for query in [
        "x=\"a\" while (1==1) x+=x",
        "x=\"a\" while (1==1) x=x+x",
        "while (1==1) message(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\")",
        "x=0 dictionary D while (1==1) {x+=1 D[str(x)]=\"a\"}",
    ] {
        on_samples("query", [query, "--count"]).says(2, "error[Q612]");
    }
    // Where nobody reads comments, there are none to keep.
    let comments = "while (1==1) comment(\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\")";
    on_samples("query", [comments, "--pgn", "-"]).says(2, "error[Q612]");
    on_samples("query", [comments, "--count"]).says(2, "error[Q610]");
}

/// Ways to repeat of which there are more than anybody can try, or remember.
#[cfg(unix)]
const BOMBS: [&str; 5] = [
    "path (((--{1,30}){1,30}){1,30}){1,30}",
    "path keepallbest ((((((--{1,9}){1,9}){1,9}){1,9}){1,9}){1,9}){1,9}",
    "line --> ((((.{1,30}){1,30}){1,30}){1,30}){1,30}",
    "x=0 path ((-- {x+=1})+)+",
    "x=0 line --> ((x+=1)+)+",
];

#[cfg(unix)]
#[test]
fn repetitions_of_repetitions_end_in_time_and_take_little_memory() {
    for query in BOMBS {
        // Most of it is address space that threads reserve; without a bound, a third of a gigabyte is taken in 4 s. The index
        // answers some of them without a try.
        let shell = format!(
            "ulimit -v 550000; exec '{}' query '{}' '{query}' --count --no-index --variations --threads 1 --timeout 2",
            env!("CARGO_BIN_EXE_cqldex"),
            samples().display()
        );
        let started = Instant::now();
        let output = in_shell(&shell);
        let elapsed = started.elapsed();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{query}: {told}");
        assert!(told.contains("the search was stopped after 2 s"), "{query}: {told}");
        // Alone it takes 2.1 s at most.
        assert!(elapsed < Duration::from_secs(4), "{query}: {elapsed:?}");
    }
}

#[test]
fn games_of_any_size_are_read() {
    let folder = scratch();
    let good = "\n\n[White \"b\"]\n\n1. d4 *\n";
    let nested = format!("1. e4 {}{} e5 *", "(1. d4 ".repeat(10_000), ")".repeat(10_000));
    let many = format!("1. e4 {} e5 *", "(1. d4 d5) ".repeat(20_000));
    let comment = format!("1. e4 {{{}}} e5 *", "x".repeat(50_000_000));
    for (number, text) in [nested, many, comment].into_iter().enumerate() {
        let pgn = file(&folder, "game.pgn", text + good);
        let database = folder.path().join(number.to_string());
        let indexed = index(&database, [&pgn]).ended_with(0);
        assert!(indexed.stdout.starts_with("2 games, "), "{}", indexed.stdout);
        run(["verify".as_ref(), database.as_os_str()]).ended_with(0);
        let arguments = [
            "query".as_ref(),
            database.as_os_str(),
            "terminal".as_ref(),
            "--count".as_ref(),
        ];
        assert!(run(arguments).ended_with(0).stdout.ends_with("in 2 games\n"));
    }
}

/// Each mistake is reported with its line, which must not be counted from the beginning for each.
#[test]
fn a_million_mistakes_are_reported_in_seconds() {
    let folder = scratch();
    let mistakes = "(Ke4) ".repeat(1_000_000);
    // The second is not UTF-8, so places are counted in characters.
    for (number, tag) in [b"[White \"a\"]", b"[White \"\xe4\"]"].into_iter().enumerate() {
        let text = [tag.as_slice(), b"\n\n1. e4 ", mistakes.as_bytes(), b"e5 *\n"].concat();
        let (pgn, report) = (file(&folder, "game.pgn", text), folder.path().join("report"));
        let database = folder.path().join(number.to_string());
        let started = Instant::now();
        let arguments = [pgn.as_os_str(), "--report".as_ref(), report.as_os_str()];
        index(&database, arguments).ended_with(0);
        let elapsed = started.elapsed();
        // Alone it takes 2 s; when all lines were counted for each mistake, minutes.
        assert!(elapsed < Duration::from_secs(30), "{elapsed:?}");
        assert_eq!(fs::read_to_string(report).unwrap().lines().count(), 1_000_000);
    }
}

/// A file that may not grow any more stands for a disk that is full.
#[cfg(unix)]
#[test]
fn nothing_is_lost_when_there_is_no_room() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples/studies.pgn"]).ended_with(0);
    let games = fs::read_to_string("samples/games.pgn").unwrap();
    let many: String = (0..40)
        .map(|copy| games.replace("[White \"", &format!("[White \"{copy} ")))
        .collect();
    let pgn = file(&folder, "many.pgn", many);
    let sizes = |folder: &std::path::Path| -> u64 {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().metadata().unwrap().len()).sum()
    };
    let before = sizes(&database);
    let shell = format!(
        "trap '' XFSZ; ulimit -f 120; exec '{}' index '{}' '{}'",
        env!("CARGO_BIN_EXE_cqldex"),
        database.display(),
        pgn.display()
    );
    let output = in_shell(&shell);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("note: 22 games in ") && told.contains("File too large"),
        "{told}"
    );
    assert!(sizes(&database) < before + (1 << 17), "what could not be used is gone");
    run(["verify".as_ref(), database.as_os_str()]).ended_with(0);
    let again = index(&database, [&pgn]).ended_with(0);
    assert!(again.stdout.contains("db: 2,582 games"), "{}", again.stdout);
    run(["verify".as_ref(), database.as_os_str()]).ended_with(0);
}

/// The program as a user who may do nothing with our files but read them; nothing, and that is said, where the system
/// has no such user for us.
#[cfg(unix)]
fn as_nobody(program: &std::path::Path, arguments: &[&str]) -> Option<super::support::Run> {
    use std::io::Write;
    use std::os::unix::{fs::MetadataExt, process::CommandExt};
    const NOBODY: u32 = 65534;
    let mut command = Command::new(program);
    command.args(arguments);
    if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
        // Other groups go with it.
        command.uid(NOBODY).gid(NOBODY);
        if let Err(error) = Command::new("true").uid(NOBODY).gid(NOBODY).status() {
            // Not by a macro: those are silent in tests that pass.
            let _ = writeln!(
                std::io::stderr(),
                "rights are NOT tested: no process of user {NOBODY}: {error}"
            );
            return None;
        }
    }
    Some(super::support::run_command(&mut command, ""))
}

#[cfg(unix)]
#[test]
fn what_is_not_allowed_is_told_with_the_file() {
    use std::os::unix::fs::PermissionsExt;
    let set = |path: &std::path::Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let folder = scratch();
    set(folder.path(), 0o755);
    // A copy, because the folder of the original may be closed to others.
    let program = folder.path().join("cqldex");
    fs::copy(env!("CARGO_BIN_EXE_cqldex"), &program).unwrap();
    let database = folder.path().join("db");
    index(&database, ["samples/studies.pgn"]).ended_with(0);
    let pgn = file(&folder, "more.pgn", "[White \"b\"]\n\n1. d4 *\n");
    let [name, pgn] = [&database, &pgn].map(|path| path.to_str().unwrap());
    for entry in fs::read_dir(&database).unwrap() {
        set(&entry.unwrap().path(), 0o444);
    }
    set(&database, 0o555);
    let Some(run) = as_nobody(&program, &["query", name, "check", "--count"]) else {
        return;
    };
    // To read is enough for queries.
    run.ended_with(0);
    let told = |arguments: &[&str], wanted: &str| {
        let run = as_nobody(&program, arguments).unwrap().ended_with(2);
        let all = run.stdout + &run.stderr;
        assert!(all.to_lowercase().contains(wanted), "{arguments:?}: {all}");
    };
    for arguments in [
        &["index", name, pgn][..],
        &["remove", name, "--games", "1"],
        &["compact", name],
        &["rebuild", name],
    ] {
        told(arguments, "db/lock: permission denied");
    }
    let new = folder.path().join("new");
    set(folder.path(), 0o555);
    told(&["index", new.to_str().unwrap(), pgn], "new: permission denied");
    let current = fs::read_to_string(database.join("CURRENT")).unwrap();
    let files = segment_files(&database);
    for file in ["CURRENT".as_ref(), current.trim_end().as_ref(), files[0].as_path()] {
        let path = database.join(file);
        set(&path, 0o000);
        let file = path.file_name().unwrap().to_str().unwrap().to_lowercase();
        told(&["verify", name], &format!("{file}: permission denied"));
        set(&path, 0o444);
    }
    set(&database, 0o000);
    told(&["query", name, "check"], "db: permission denied");
    set(&database, 0o755);
    set(folder.path(), 0o755);
    run_verify(&database);
}

fn run_verify(database: &std::path::Path) {
    run(["verify".as_ref(), database.as_os_str()]).ended_with(0);
}

/// The output of a command in a shell.
#[cfg(unix)]
fn in_shell(shell: &str) -> std::process::Output {
    let mut command = Command::new("sh");
    command
        .args(["-c", shell])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    output_of(child, shell)
}

/// The program in a shell, behind a command that limits it.
#[cfg(unix)]
fn limited(before: &str, arguments: &str) -> std::process::Output {
    in_shell(&format!(
        "{before}; exec '{}' {arguments}",
        env!("CARGO_BIN_EXE_cqldex")
    ))
}

/// Whether a command that may have had too little memory has done what it should; if not, it has said why.
#[cfg(unix)]
fn ends_in_order(output: &std::process::Output, what: &str) -> bool {
    let told = String::from_utf8_lossy(&output.stderr);
    match output.status.code() {
        Some(0) => true,
        Some(2) => {
            assert!(told.contains("error: "), "{what}: {told}");
            false
        }
        _ => panic!("{what}: {}: {told}", output.status),
    }
}

/// A process that gets no memory ends at once, wherever it is: that is a crash, and nothing is lost. The one that watches it
/// says so.
#[cfg(target_os = "linux")]
#[test]
fn nothing_is_lost_when_there_is_no_memory() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples/studies.pgn"]).ended_with(0);
    let (mut added, mut told) = (1, 0);
    let name = database.display();
    for kilobytes in [70_000, 85_000, 100_000, 120_000, 140_000, 180_000, 250_000, 400_000] {
        let before = format!("ulimit -v {kilobytes}");
        let output = limited(&before, &format!("index '{name}' samples/games.pgn --repeat"));
        let is_done = ends_in_order(&output, &before);
        added += u64::from(is_done);
        told += u64::from(String::from_utf8_lossy(&output.stderr).contains("there is not enough memory"));
        ends_in_order(&limited(&before, &format!("query '{name}' check --count")), &before);
        run_verify(&database);
    }
    assert!(told > 0, "no process is that small");
    index(&database, ["samples/games.pgn", "--repeat"]).ended_with(0);
    let stats = run(["stats".as_ref(), database.as_os_str(), "--json".as_ref()]).json();
    assert_eq!(stats[0]["games"], 22 + 64 * added);
}

/// The process that watches another one passes on what it is asked, and gives back what the other one gives.
#[cfg(target_os = "linux")]
#[test]
fn a_watched_command_is_like_any_other() {
    let samples = samples();
    let name = samples.display();
    let before = "ulimit -v 3000000";
    let count = |before: &str| limited(before, &format!("query '{name}' mate --count"));
    let (watched, alone) = (count(before), count("true"));
    assert_eq!((watched.status.code(), &watched.stdout), (Some(0), &alone.stdout));
    let none = limited(before, &format!("query '{name}' false --count"));
    assert_eq!(none.status.code(), Some(1));
    let wrong = limited(before, &format!("query '{name}' chek"));
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("error[Q301]"));
    // Whoever it is that gets the signal.
    for signal in ["INT", "TERM"] {
        let shell = format!(
            "{before}; exec '{}' query '{name}' '{}' --timeout 0",
            env!("CARGO_BIN_EXE_cqldex"),
            ENDLESS[0]
        );
        let mut command = Command::new("sh");
        let command = command
            .args(["-c", &shell])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(700));
        let started = Instant::now();
        let killed = Command::new("sh")
            .args(["-c", &format!("kill -{signal} {}", child.id())])
            .status()
            .unwrap();
        assert!(killed.success());
        let output = output_of(child, &shell);
        assert!(started.elapsed() < Duration::from_secs(3), "{signal}");
        assert_eq!(output.status.code(), Some(2), "{signal}");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("the search was stopped"), "{signal}: {told}");
    }
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(id: u32) -> Vec<String> {
    let listed = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    listed.split_whitespace().map(str::to_owned).collect()
}

/// What a process that runs until it is told to end says, and how it ends, when `signal` is sent to it, or, with `inside`, to
/// the process that it watches.
#[cfg(target_os = "linux")]
fn told_to_end(arguments: &str, signal: &str, inside: bool) -> std::process::Output {
    let shell = format!("ulimit -v 3000000; exec '{}' {arguments}", env!("CARGO_BIN_EXE_cqldex"));
    let mut child = Command::new("sh")
        .args(["-c", &shell])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while children(child.id()).is_empty() {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{arguments}: nothing is watched"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    // It takes signals only when it is ready. A server says so.
    let mut first = [0];
    if arguments.starts_with("serve") {
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    }
    let whom = match inside {
        true => children(child.id()).remove(0),
        false => child.id().to_string(),
    };
    let kill = format!("kill -{signal} {whom}");
    assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
    output_of(child, &shell)
}

/// What runs for long is watched as well: when the system kills it, the one that waits says why. Asked to end, it ends in order.
#[cfg(target_os = "linux")]
#[test]
fn a_server_without_memory_says_so() {
    let samples = samples();
    let serve = format!("serve '{}' --listen 127.0.0.1:0", samples.display());
    for (arguments, code) in [(serve.as_str(), 2), ("lsp", 1)] {
        let output = told_to_end(arguments, "KILL", true);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments}: {told}");
        assert!(
            told.contains("there is not enough memory") && told.contains("`ulimit -v`"),
            "{arguments}: {told}"
        );
    }
    let output = told_to_end(&serve, "INT", false);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
}

/// A group of processes that may take little memory, where this user can make one.
#[cfg(target_os = "linux")]
struct MemoryGroup(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl MemoryGroup {
    fn new(bytes: u64) -> Option<MemoryGroup> {
        let root = std::path::Path::new("/sys/fs/cgroup");
        let (folder, limit) = match root.join("memory").is_dir() {
            true => (root.join("memory"), "memory.limit_in_bytes"),
            false => (root.to_owned(), "memory.max"),
        };
        let group = folder.join(format!("cqldex-test-{}", std::process::id()));
        fs::create_dir(&group).ok()?;
        let group = MemoryGroup(group);
        fs::write(group.0.join(limit), bytes.to_string()).ok()?;
        Some(group)
    }
}

#[cfg(target_os = "linux")]
impl Drop for MemoryGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.0);
    }
}

/// In a group of processes the system kills who takes too much.
#[cfg(target_os = "linux")]
#[test]
fn who_is_killed_for_its_memory_is_told_so() {
    use std::io::Write;
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples/studies.pgn"]).ended_with(0);
    let Some(group) = MemoryGroup::new(40 << 20) else {
        let told = "cgroups are NOT tested: this user can't make one with a limit of memory";
        let _ = writeln!(std::io::stderr(), "{told}");
        return;
    };
    // Games in one text, so that much is read before anything is committed.
    let games = fs::read_to_string(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/games.pgn")).unwrap();
    let pgn = file(&folder, "many.pgn", games.repeat(400));
    // The pages of the program count for who reads them first. If that is the group, the system drops and reads them again for
    // minutes before it kills anybody.
    fs::read(env!("CARGO_BIN_EXE_cqldex")).unwrap();
    let before = format!("echo $$ > '{}/cgroup.procs'", group.0.display());
    let name = database.display();
    let output = limited(&before, &format!("index '{name}' '{}'", pgn.display()));
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{}: {told}", output.status);
    assert!(
        told.contains("there is not enough memory") && told.contains("its cgroup"),
        "{told}"
    );
    run_verify(&database);
    let output = limited(&before, &format!("query '{name}' check --count"));
    assert!(ends_in_order(&output, "a query"));
}
