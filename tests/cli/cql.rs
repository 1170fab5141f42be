//! `cqldex cql`: what CQL 6.2's command line asks for.

use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;

use super::support::{Run, file, output_of, program, run_command, scratch};

/// Three games: a mate and variations, tags and comments, a study.
pub(super) const GAMES: &str = r#"[Event "Club Championship"]
[Site "Turku"]
[Date "1962.04.01"]
[Round "1"]
[White "Aalto, Eino"]
[Black "Berg, Nils"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 (2... Ke7 3. Qxe5#) (2... g6 3. Qxe5+ Qe7) 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Club Championship"]
[Site "Vaasa"]
[Date "1975.??.??"]
[Round "2"]
[White "Berg, Nils"]
[Black "Carlson, Ove"]
[Result "1/2-1/2"]

1. e4 {solid} e6 2. d4 d5 3. exd5 exd5 4. Bb5+ c6 5. Bd3 1/2-1/2

[Event "2.p Suomi"]
[Site "?"]
[Date "1931.??.??"]
[Round "?"]
[White "Dahl, Ida"]
[Black "+0100.01d4g7 U2"]
[Result "1-0"]
[FEN "8/6k1/8/8/3K4/7p/8/R7 w - - 0 1"]

{stipulation: White to move and win.} 1. Ke3 (1. Ra3 h2) 1... h2 2. Rh1 1-0
"#;

/// A folder with the games in `games.pgn` and this query in `query.cql`.
pub(super) fn folder(query: &str) -> TempDir {
    let folder = scratch();
    file(&folder, "games.pgn", GAMES);
    file(&folder, "query.cql", query);
    folder
}

/// Runs `cqldex cql` in a folder, with the user's folder for caches in it.
#[track_caller]
pub(super) fn cql<const N: usize>(folder: &TempDir, arguments: [&str; N]) -> Run {
    run_command(command(folder.path()).args(arguments), "")
}

pub(super) fn command(folder: &Path) -> std::process::Command {
    let mut command = program();
    command
        .arg("cql")
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"));
    command
}

/// How many games matched of how many.
#[track_caller]
pub(super) fn counts(run: &Run) -> [u64; 2] {
    let line = run.stdout.lines().find(|line| line.contains(" matches of "));
    let line = line.unwrap_or_else(|| panic!("no result in {run:?}"));
    let words: Vec<&str> = line.split(' ').collect();
    [words[0].parse().unwrap(), words[3].parse().unwrap()]
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The numbers of the games in an output file.
fn numbers(pgn: &str) -> Vec<u32> {
    let comments = pgn.split("Game number ").skip(1);
    comments
        .map(|text| {
            text.split(|c: char| !c.is_ascii_digit())
                .next()
                .unwrap()
                .parse()
                .unwrap()
        })
        .collect()
}

#[test]
fn games_that_match_are_written_as_cql_writes_them() {
    let folder = folder("cql()\nmate");
    let run = cql(&folder, ["-i", "games.pgn", "query.cql"]).ended_with(0);
    assert_eq!(counts(&run), [1, 3]);
    assert!(run.stdout.trim_end().ends_with("to query-out.pgn"), "{}", run.stdout);
    assert_eq!(
        read(&folder, "query-out.pgn"),
        "[Event \"Club Championship\"]\n[Site \"Turku\"]\n[Date \"1962.04.01\"]\n[Round \"1\"]\n\
         [White \"Aalto, Eino\"]\n[Black \"Berg, Nils\"]\n[Result \"1-0\"]\n\n{Game number 1}\n\
         1.e4 e5 2.Qh5 Nc6 ( 2...Ke7 3.Qxe5# ) ( 2...g6 3.Qxe5+ Qe7 ) 3.Bc4 Nf6 4.Qxf7# \n{CQL} 1-0\n\n\n"
    );
}

#[test]
fn nothing_found_is_no_error() {
    let folder = folder("cql()\nKa8 ka1");
    let run = cql(&folder, ["-i", "games.pgn", "query"]).ended_with(0);
    assert_eq!(counts(&run), [0, 3]);
    assert_eq!(read(&folder, "query-out.pgn"), "");
}

#[test]
fn options_come_before_the_header_and_defaults_last() {
    let folder = folder("cql(input games.pgn output header.pgn matchstring \"H\" quiet gamenumber 1 2)\ninitial");
    let run = cql(&folder, ["query.cql"]).ended_with(0);
    assert_eq!(counts(&run), [2, 3]);
    assert_eq!(numbers(&read(&folder, "header.pgn")), [1, 2]);
    assert!(!read(&folder, "header.pgn").contains('H'));
    let run = cql(
        &folder,
        ["-o", "option.pgn", "-g", "2", "-matchstring", "O", "query.cql"],
    )
    .ended_with(0);
    assert_eq!(counts(&run), [1, 3]);
    assert!(read(&folder, "option.pgn").contains("{Game number 2}"));
    let run = cql(&folder, ["-g", "1", "-silent", "query.cql"]).ended_with(0);
    assert_eq!(counts(&run), [1, 2]);
    assert!(!read(&folder, "header.pgn").contains("Game number"));
    let run = cql(&folder, ["-i", "games.pgn", "-cql", "mate"]).ended_with(0);
    assert!(run.stdout.contains("to cqldefault-out.pgn"), "{}", run.stdout);
    assert_eq!(numbers(&read(&folder, "cqldefault-out.pgn")), [1]);
}

#[test]
fn options_narrow_the_games() {
    let folder = folder("cql()\n.");
    let games = |options: &[&str]| {
        let mut command = command(folder.path());
        command.args(options).args(["-i", "games.pgn", "query.cql"]);
        run_command(&mut command, "").ended_with(0);
        numbers(&read(&folder, "query-out.pgn"))
    };
    for (options, expected) in [
        (&["-player", "Berg"][..], &[1, 2][..]),
        (&["-player", "berg"], &[]),
        (&["-player", "^Aal|^Dahl"], &[1, 3]),
        (&["-white", "Berg"], &[2]),
        (&["-black", "Berg", "-white", "o,"], &[1]),
        (&["-year", "1962"], &[1]),
        (&["-year", "1931", "1962"], &[1, 3]),
        (&["-year", "1931", "-year", "1975"], &[2]),
        (&["-result", "1-0"], &[1, 3]),
        (&["-result", "1-0", "-result", "0-1"], &[]),
        (&["-result", "0-1", "-reversecolor"], &[1, 3]),
        (&["-event", "Suomi"], &[3]),
        (&["-site", "Vaasa"], &[2]),
        (&["-matchcount", "4"], &[3]),
        (&["-matchcount", "5", "9"], &[1]),
        (&["-matchcount", "0", "9", "-result", "1/2-1/2"], &[1, 3]),
        (&["-matchcount", "0", "-player", "Berg"], &[3]),
        (&["-matchcount", "0", "99", "-year", "1975"], &[1, 2, 3]),
        (&["-wtm", "-fen", "8/6k1/8/8/3K4/7p/8/R7"], &[3]),
        (&["-btm", "-fen", "8/6k1/8/8/3K4/7p/8/R7"], &[]),
        (&["-hhdb", "U2"], &[3]),
        (&["-hhdb", "prize", "-hhdb", "composer", "Dahl"], &[3]),
        (&["-hhdb", "gbr", "0100"], &[3]),
        (&["-assign", "Least", "9", "-cql", "movenumber >= 5"], &[2]),
        (&["-assign", "Least", "5", "-cql", "movenumber >= Least"], &[2]),
        (&["-cql", "ply >= 9", "-cql", "Bd3"], &[2]),
        (&["-flipcolor", "-cql", "bc6"], &[]),
        (&["-fliphorizontal", "-cql", "Bc5"], &[1]),
        (&["-g", "2", "3"], &[2, 3]),
        (&["-g", "3"], &[3]),
        (&["-cql", "depth > 0", "-variations"], &[1, 3]),
        (&["-cql", "depth > 0", "-mainline"], &[]),
        (&["-cql", "depth > 0", "-virtualmainline"], &[1]),
    ] {
        assert_eq!(games(options), expected, "{options:?}");
    }
}

#[test]
fn filters_of_options_run_in_their_order_and_inside_of_all_transforms() {
    let folder = folder("cql()\nmessage quiet \"file\"");
    let options = ["-flipcolor", "-fliphorizontal", "-g", "1", "-i", "games.pgn"];
    let filters = [
        "-cql",
        "initial message quiet (\"first \" currenttransform) Ke1",
        "-assign",
        "X",
        "7",
    ];
    let last = ["-cql", "message quiet (\"second \" X)", "query.cql"];
    let run = run_command(command(folder.path()).args(options).args(filters).args(last), "").ended_with(0);
    let lines: Vec<&str> = run.stdout.lines().skip(1).collect();
    assert_eq!(
        lines[..8],
        [
            "first <>",
            "second 7",
            "file",
            "first <invertcolor reflect_h reflect_h>",
            "first <reflect_h>",
            "first <invertcolor reflect_h>",
            "second 7",
            "file",
        ]
    );
}

#[test]
fn comments_are_as_options_want_them() {
    let folder = folder("cql()\nsort \"ply\" {comment(\"at \" ply) ply < 3} initial comment \"a\" comment \"a\"");
    let written = |options: &[&str]| {
        let mut command = command(folder.path());
        command.args(options).args(["-i", "games.pgn", "-g", "2", "query.cql"]);
        run_command(&mut command, "").ended_with(0);
        let pgn = read(&folder, "query-out.pgn");
        pgn.split("\n\n").nth(1).unwrap().lines().collect::<Vec<_>>().join(" ")
    };
    for (options, expected) in [
        (&[][..], "{Game number 2 a CQL  ply: 2} 1.e4 {solid} 1...e6 {at 2} 2.d4"),
        (&["-nouniquecomments"], "{Game number 2 a a CQL  ply: 2} 1.e4"),
        (
            &["-nosortcomments"],
            "{Game number 2 at 0 a CQL  ply: 2} 1.e4 {solid} 1...e6 2.d4",
        ),
        (
            &["-alwayscomment"],
            "{Game number 2 at 0 a CQL  ply: 2} 1.e4 {solid at 1} 1...e6 {at 2} 2.d4 {at 3}",
        ),
        (&["-quiet"], "{Game number 2 a  ply: 2} 1.e4"),
        (&["-noheader", "-matchstring", "hit"], "{a hit  ply: 2} 1.e4"),
        (&["-silent"], "1.e4 {solid} 1...e6 2.d4"),
    ] {
        let pgn = written(options);
        assert!(pgn.starts_with(expected), "{options:?}: {pgn}");
    }
}

#[test]
fn tags_and_comments_change_unless_options_forbid_it() {
    let folder =
        folder("cql()\nterminal Bd3 settag(\"Length\" str(ply)) parent:removecomment position 1:removecomment");
    let options = ["-i", "games.pgn", "query.cql"];
    run_command(command(folder.path()).args(options), "").ended_with(0);
    let pgn = read(&folder, "query-out.pgn");
    assert!(pgn.contains("[Length \"9\"]") && !pgn.contains("solid"), "{pgn}");
    run_command(
        command(folder.path())
            .args(["-nosettag", "-noremovecomment"])
            .args(options),
        "",
    )
    .ended_with(0);
    let pgn = read(&folder, "query-out.pgn");
    assert!(!pgn.contains("Length") && pgn.contains("solid"), "{pgn}");
}

#[test]
fn messages_and_persistent_variables_are_printed() {
    let query = "cql()\npersistent Count += 1 persistent quiet Hidden += 1 persistent Name = player white\n\
                 persistent Kings = [Kk]\nterminal message \"end\"";
    let folder = folder(query);
    let run = cql(&folder, ["-i", "games.pgn", "query.cql"]).ended_with(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        lines[1..5],
        [
            "Game: 1 move 4(btm): end",
            "Game: 2 move 5(btm): end",
            "Game: 3 move 2(btm): end",
            ""
        ]
    );
    assert!(lines[5].starts_with("3 matches of 3 games in ") && lines[5].contains(" using 1 thread to "));
    assert_eq!(lines[6..], ["Count: 22", "Name: \"Dahl, Ida\"", "Kings: [e3,g7]"]);
}

#[test]
fn programs_read_what_is_printed_between_tags() {
    let folder = folder("cql()\nmate persistent X += 1 message \"found\"");
    let run = cql(&folder, ["-gui", "-s", "-i", "games.pgn", "query.cql"]).ended_with(0);
    for line in [
        "<CqlGuiVariable> version 6.2",
        "<CqlGuiMessage> Game: 1 move 4(btm): found </CqlGuiMessage>",
        "<CqlGuiVariable> numbermatches 1",
        "<CqlGuiVariable> numbergamesexamined 3",
        "<CqlGuiVariable> numberthreads 1",
        "<CqlGuiVariable> outputfile query-out.pgn",
        "<CqlGuiMessage>X: 1</CqlGuiMessage>",
        "<CqlGuiNormalExit>",
    ] {
        assert!(run.stdout.lines().any(|other| other == line), "{line}\n{}", run.stdout);
    }
    let run = cql(&folder, ["-gui", "-i", "games.pgn", "-cql", "nonsense", "query.cql"]).ended_with(1);
    assert!(run.stdout.contains("<CqlGuiError> error[Q"), "{}", run.stdout);
    file(&folder, "wrong.cql", "cql()\nK nonsense");
    let run = cql(&folder, ["-gui", "-i", "games.pgn", "wrong.cql"]).ended_with(1);
    assert!(
        run.stdout
            .contains("<CqlGuiVariable> linenumbererror 2\n<CqlGuiVariable> columnnumbererror 3\n")
    );
}

#[test]
fn games_come_from_standard_input_and_go_to_standard_output() {
    let folder = folder("cql()\nmate");
    let options = ["-guipgnstdin", "-guipgnstdout", "query.cql"];
    let run = run_command(command(folder.path()).args(options), GAMES).ended_with(0);
    let (_, rest) = run.stdout.split_once("<CqlGuiPgn numbergames=1 numberbytes=").unwrap();
    let (length, rest) = rest.split_once(">\n").unwrap();
    let (pgn, rest) = rest.split_at(length.parse().unwrap());
    assert!(pgn.starts_with("[Event \"Club") && pgn.ends_with("1-0\n\n\n"), "{pgn}");
    assert!(rest.starts_with("</CqlGuiPgn>\n\n1 matches of 3 games"), "{rest}");
    assert!(!folder.path().join("query-out.pgn").exists());
    cql(&folder, ["-guipgnstdin", "-i", "games.pgn", "query.cql"]).fails("no -input");
    cql(
        &folder,
        ["-guipgnstdout", "-o", "o.pgn", "-i", "games.pgn", "query.cql"],
    )
    .fails("no -output");
}

#[test]
fn matching_games_are_announced() {
    let folder = folder("cql()\nterminal");
    let run = cql(
        &folder,
        ["-showmatches", "-lineincrement", "1", "-i", "games.pgn", "query.cql"],
    )
    .ended_with(0);
    assert!(run.stdout.contains("\n<1><2><3>\n"), "{}", run.stdout);
}

#[test]
fn the_text_of_a_query_is_rewritten() {
    let folder = folder("cql()\nflip Kg1 <= 3 // K");
    let symbols = "cql()\n\u{2735} \u{2654}g1 \u{2264} 3 // K";
    assert_eq!(cql(&folder, ["-utf8", "query.cql"]).ended_with(0).stdout, symbols);
    cql(&folder, ["-u", "query.cql"]).ended_with(0);
    assert_eq!(read(&folder, "query.cql"), symbols);
    cql(&folder, ["-a", "query.cql"]).ended_with(0);
    assert_eq!(read(&folder, "query.cql"), "cql()\nflip Kg1 <= 3 // K");
    cql(&folder, ["-utf8", "query.cql", "-o", "other.cql"]).ended_with(0);
    assert_eq!(read(&folder, "other.cql"), symbols);
    cql(&folder, ["-html", "query.cql"]).ended_with(0);
    assert!(read(&folder, "query-cql.html").contains("<span class=\"piecedesignator\">Kg1</span>"));
    let run = run_command(command(folder.path()).arg("-colorize"), "check").ended_with(0);
    assert_eq!(run.stdout, "<span class=\"k\">check</span>");
    let run = cql(&folder, ["-echo", "other.cql"]).ended_with(0);
    assert!(run.stdout.contains("   2      1      6 U+2735"), "{}", run.stdout);
    cql(&folder, ["-u", "query.cql", "-g", "1"]).fails("exactly one file");
    cql(&folder, ["-a", "games.pgn"]).fails("has to end in .cql");
}

#[test]
fn a_query_is_shown_as_it_is_read() {
    let folder = folder("cql()\nKg1 check");
    let run = cql(&folder, ["-lex", "query.cql"]).ended_with(0);
    assert_eq!(run.stdout.lines().count(), 5);
    assert!(run.stdout.contains("2:5     check"), "{}", run.stdout);
    let run = cql(&folder, ["-parse", "-i", "games.pgn", "query.cql"]).ended_with(0);
    assert!(run.stdout.contains("designator"), "{}", run.stdout);
    assert!(!folder.path().join("games.pgn.cqldex").exists());
}

#[test]
fn help_has_all_options() {
    let folder = scratch();
    for options in [&["-h"][..], &["-HELP"], &["--help"], &[]] {
        let run = run_command(command(folder.path()).args(options), "").ended_with(0);
        assert!(
            run.stdout.contains("  -similarposition [nosort] [notransform] F.pgn\n"),
            "{}",
            run.stdout
        );
    }
    assert!(cql(&folder, ["-v"]).ended_with(0).stdout.contains("CQL version 6.2"));
    assert!(
        cql(&folder, ["-hhdb", "help"])
            .ended_with(0)
            .stdout
            .contains("\nwhite_wins_in_draw\n")
    );
}

#[test]
fn mistakes_end_with_1_and_say_what_is_wrong() {
    let folder = folder("cql()\nmate");
    file(&folder, "wrong.cql", "cql()\nK foo");
    file(&folder, "plain.cql", "mate");
    std::fs::create_dir(folder.path().join("folder.pgn")).unwrap();
    cql(&folder, ["-bogus", "query.cql"]).fails("no option `-bogus`");
    cql(&folder, ["query.cql", "-i", "games.pgn"]).fails("has to be the last argument");
    cql(&folder, ["query.cql"]).fails("no file with games");
    cql(&folder, ["-i", "none.pgn", "query.cql"]).fails("none.pgn: No such file");
    cql(&folder, ["-i", "folder.pgn", "query.cql"]).fails("folder.pgn: not a file with games");
    cql(&folder, ["-i", "games.pgn", "none"]).fails("none.cql: No such file");
    cql(&folder, ["-i", "games.pgn", "games.pgn"]).fails("has to end in .cql");
    cql(&folder, ["-i", "games.pgn", "wrong.cql"]).fails("wrong.cql:2:3");
    cql(&folder, ["-i", "games.pgn", "plain.cql"]).fails("error[Q202]");
    cql(&folder, ["-i", "games.pgn", "-white", "(", "query.cql"]).fails("error[Q215]");
    cql(&folder, ["-i", "games.pgn", "-assign", "a", "1", "query.cql"]).fails("`a` cannot be assigned");
    cql(&folder, ["-i", "games.pgn", "-cql", "assert false", "query.cql"]).fails("error[Q605]");
    cql(&folder, ["-i", "games.pgn", "-o", "nowhere/out.pgn", "query.cql"]).fails("nowhere/out.pgn: No such file");
    cql(&folder, ["-i", "games.pgn", "-o", "folder.pgn", "query.cql"]).fails("folder.pgn: this is a folder");
    cql(&folder, ["-i", "games.pgn", "-flip", "-similarposition", "games.pgn"]).fails("cannot be transformed");
}

#[test]
fn an_output_that_cannot_be_finished_leaves_the_old_one() {
    let folder = folder("cql()\nassert ply < 5");
    file(&folder, "query-out.pgn", "old");
    cql(&folder, ["-i", "games.pgn", "query.cql"]).fails("error[Q605]");
    assert_eq!(read(&folder, "query-out.pgn"), "old");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert!(
        left.iter().all(|name| !name.to_string_lossy().starts_with(".cqldex")),
        "{left:?}"
    );
}

#[cfg(unix)]
#[test]
fn games_can_go_to_a_device() {
    let folder = folder("cql()\nmate");
    std::os::unix::fs::symlink("/dev/null", folder.path().join("null.pgn")).unwrap();
    cql(&folder, ["-i", "games.pgn", "-o", "null.pgn", "query.cql"]).ended_with(0);
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
}

#[test]
fn a_closed_pipe_is_no_error() {
    let folder = folder("cql()\nmessage ply");
    let mut child = command(folder.path())
        .args(["-i", "games.pgn", "query.cql"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(output_of(child, "a reader that is gone").status.code(), Some(0));
}

#[test]
fn a_game_that_fills_the_buffer_is_cut() {
    let folder = folder("cql()\ninitial");
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].into_iter().cycle().take(40);
    let comment = "word ".repeat(600);
    let mut game = String::from("[Event \"Long\"]\n\n");
    for name in moves {
        game += &format!("{name} {{{comment}}} ");
    }
    file(&folder, "games.pgn", game + "*\n");
    let length = |options: &[&str]| {
        let mut command = command(folder.path());
        run_command(command.args(options).args(["-i", "games.pgn", "query.cql"]), "").ended_with(0);
        let pgn = read(&folder, "query-out.pgn");
        (pgn.contains("game truncated by CQL"), pgn.len())
    };
    assert!(matches!(length(&[]), (true, 104_000..106_000)));
    assert!(matches!(length(&["-outputbuffer", "110000"]), (true, 109_000..111_000)));
    assert!(matches!(length(&["-outputbuffer", "200000"]), (false, 120_000..)));
}
