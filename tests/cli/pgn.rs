//! `query --pgn`: games as CQL 6.2 writes them. The expected texts are those of that program.

use super::support::{file, index, query, run, samples, scratch};

/// A game with everything that can be in one, and one from another start.
const ODD: &str = r#"[Event "Club evening"]
[Site "Oslo "quoted" \"escaped\""]
[Date "2019.3.2"]
[Round "4"]
[White "berg,anna."]
[Black "van der Holm, J (2150)"]
[Result "0-1"]
[WhiteUSCF "2105"]
[BlackElo "1980"]
[Annotator "first"]
[ECO "C0"]
[EventDate "2019"]
[Annotator "second"]
[Board "3"]

{A  first
comment} 1. e4 $1 {x} {the last one counts} (1. d4 {one} d5 ({before} 1... Nf6! $5 2. c4) ()) ({lost} 1. c4 {two} ({alone})) 1... e5 ( ) 2. Nf3 {} 2... -- 3. Ng5 +/- Qxg5?? 1-0

[Event "Study"]
[FEN "8/5P1k/8/8/8/8/6p1/K6R b - e3"]

34... gxh1=N 35. f8=Q (35. f8=R Ng3) 1/2-1/2
"#;

/// What comes of them when the query is `cql() mate or wtm`.
const ODD_WRITTEN: &str = r#"[Event "Club evening"]
[Site "Oslo "quoted" \"escaped\""]
[Date "2019.03.02"]
[Round "4"]
[White "berg, anna"]
[Black "Van der Holm, J"]
[Result "1-0"]
[WhiteUSCF "2105"]
[BlackElo "2150"]
[ECO "C00"]
[EventDate "2019.??.??"]
[BlackElo "1980"]
[Annotator "second"]
[Board "3"]

{A first comment Game number 1 CQL}
1.e4 $1 {the last one counts} ( 1.d4 {one} 1...d5 ( {before} 1...Nf6 $1 $5 2.c4
) ( ) ) ( {lost} 1.c4 {two} ( {alone} ) ) 1...e5 {CQL} ( ) 2.Nf3 {} 2...-- {CQL
} 3.Ng5 $16 Qxg5 $4 {CQL} 1-0


[Event "Study"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "1/2-1/2"]
[FEN "8/5P1k/8/8/8/8/6p1/K6R b - e3 0 1"]

{Game number 2}
1...gxh1=N {CQL} 2.f8=Q ( 2.f8=R Ng3 ) 1/2-1/2


"#;

/// Three plain games.
const PLAIN: &str = r#"[Event "one"]

{root} 1. e4 {e4} e5 2. Nf3 Nc6 3. Bb5 a6 {a6} *

[Event "two"]

1. d4 d5 *

[Event "three"]

1. e4 e5 2. d4 exd4 3. Qxd4 Nc6 *
"#;

/// What a query makes of some games, with more arguments.
#[track_caller]
fn written_with(games: impl AsRef<[u8]>, query: &str, arguments: &[&str]) -> Vec<u8> {
    let folder = scratch();
    let games = file(&folder, "games.pgn", games);
    let (database, out) = (folder.path().join("db"), folder.path().join("out.pgn"));
    index(&database, [games]);
    let paths = [database.to_str().unwrap(), out.to_str().unwrap()];
    let fixed = ["query", paths[0], query, "--pgn", paths[1]];
    let run = run(fixed.iter().chain(arguments));
    assert!(run.code < 2, "{}", run.stderr);
    assert_eq!(run.stdout, "");
    std::fs::read(out).unwrap()
}

#[track_caller]
fn written(games: impl AsRef<[u8]>, query: &str) -> String {
    String::from_utf8(written_with(games, query, &[])).unwrap()
}

/// The movetext of the games, without tags, each with its event.
#[track_caller]
fn bodies(query: &str) -> Vec<String> {
    let text = written(PLAIN, query);
    let games = text.split("\n\n\n").filter(|game| !game.is_empty());
    let body = |game: &str| {
        let (tags, body) = game.split_once("\n\n").unwrap();
        let event = tags.lines().next().unwrap().split('"').nth(1).unwrap();
        format!("{event}: {}", body.replace('\n', " "))
    };
    games.map(body).collect()
}

#[test]
fn tags_moves_and_variations_are_spelled_in_one_way() {
    assert_eq!(written(ODD, "cql() mate or wtm"), ODD_WRITTEN);
}

#[test]
fn what_the_query_says_stands_behind_what_the_game_says() {
    assert_eq!(
        bodies("cql() event \"one\" ply<2 comment(\"ply \" ply)"),
        ["one: {root Game number 1 ply 0 CQL} 1.e4 {e4 ply 1 CQL} 1...e5 2.Nf3 Nc6 3.Bb5 a6 {a6} *"]
    );
    assert_eq!(
        bodies("cql() event \"two\" find {ply==2} ply<1"),
        ["two: {Game number 2 CQL} 1.d4 d5 {Found} *"]
    );
    assert_eq!(
        bodies("cql(matchstring \"here\") [x]"),
        ["three: {Game number 3} 1.e4 e5 2.d4 {here} 2...exd4 {here} 3.Qxd4 Nc6 *"]
    );
    assert_eq!(
        bodies("cql(matchstring \"\") [x]"),
        ["three: {Game number 3} 1.e4 e5 2.d4 exd4 3.Qxd4 Nc6 *"]
    );
}

#[test]
fn quiet_and_silent_say_less() {
    assert_eq!(
        bodies("cql(quiet) event \"two\" find {ply==2} ply<1 comment(\"start\")"),
        ["two: {Game number 2 start} 1.d4 d5 *"]
    );
    let silent = "cql(silent) event \"two\" find {ply==2} ply<1 comment(\"start\") settag(\"Theme\" \"a \\ b\")";
    assert_eq!(bodies(silent), ["two: 1.d4 d5 *"]);
    assert!(written(PLAIN, silent).contains("[Result \"*\"]\n[Theme \"a \\ b\"]\n\n1.d4"));
}

#[test]
fn the_blank_behind_a_removed_comment_stays() {
    assert_eq!(
        bodies("cql() ply==1 removecomment comment(\"new\") comment(\"new\") comment(\"\") not event \"three\""),
        [
            "one: {root Game number 1} 1.e4 { new CQL} 1...e5 2.Nf3 Nc6 3.Bb5 a6 {a6} *",
            "two: {Game number 2} 1.d4 {new CQL} 1...d5 *"
        ]
    );
    assert_eq!(
        bodies("cql(silent) removecomment event \"one\""),
        ["one: 1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 *"]
    );
}

#[test]
fn games_come_in_the_order_of_their_keys() {
    let query = "cql(sort matchcount 1 9) sort \"black\" {#a} sort min \"last\" {find all true} sort quiet \"q\" ply \
                 [x] or ply==1";
    assert_eq!(
        bodies(query),
        [
            "three: {Game number 3  black: 16 last: 1 matchcount: 3} 1.e4 {CQL} 1...e5 2.d4 {CQL} 2...exd4 {CQL} 3.Qxd4 \
             Nc6 {Found 1 of 1} *",
            "one: {root Game number 1  black: 16 last: 1 matchcount: 1} 1.e4 {e4 CQL} 1...e5 2.Nf3 Nc6 3.Bb5 a6 {a6 Found \
             1 of 1} *",
            "two: {Game number 2  black: 16 last: 1 matchcount: 1} 1.d4 {CQL} 1...d5 {Found 1 of 1} *"
        ]
    );
    let first = |query: &str| {
        bodies(query)
            .iter()
            .map(|body| body[..3].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(first("sort \"plies\" ply"), ["one", "thr", "two"]);
    assert_eq!(first("sort min \"plies\" {terminal ply}"), ["two", "one", "thr"]);
    // A game without a value comes last, whatever the direction.
    assert_eq!(first("if [x] {sort min \"x\" ply} ply==0"), ["thr", "one", "two"]);
}

#[test]
fn lists_are_sorted_too() {
    let matches = |query: &str| {
        let run = query_plain(query, &["--json"]);
        let games: Vec<u64> = run.json().iter().filter_map(|line| line["game"].as_u64()).collect();
        games
    };
    assert_eq!(matches("ply==2 sort \"x\" {find count [x]}"), [3, 1, 2]);
    assert_eq!(matches("ply==2"), [1, 2, 3]);
    let table = query_plain("sort \"x\" {find count [x]}", &["--limit", "1"]);
    let first = table.stdout.lines().nth(1).unwrap();
    assert!(first.trim_start().starts_with('3'), "{}", table.stdout);
}

#[track_caller]
fn query_plain(query: &str, arguments: &[&str]) -> super::support::Run {
    let folder = scratch();
    let games = file(&folder, "games.pgn", PLAIN);
    let database = folder.path().join("db");
    index(&database, [games]);
    run(["query", database.to_str().unwrap(), query].iter().chain(arguments))
}

#[test]
fn comments_have_a_limit() {
    let words = "wwwwwwwww ".repeat(400);
    let comment = |length: usize| format!("comment(\"{}Z\")", &words[..length - 1]);
    let game = |first: usize, second: usize| {
        let text = written(
            "[Event \"a\"]\n\n1. e4 {orig} *",
            &format!(
                "cql(quiet) ply==1 {} {} comment(\"last\")",
                comment(first),
                comment(second)
            ),
        );
        let (_, comment) = text.split_once("1.e4 ").unwrap();
        comment.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    // CQL counts 4,500 bytes without the blanks between comments, then 4,500 with them.
    assert!(game(3000, 490).ends_with("wwwZ last} *"));
    assert!(game(3000, 1500).ends_with("Z[cql truncate]...} *"));
    assert_eq!(game(3000, 1496), "{orig} *");
    assert!(game(3900, 1000).ends_with("wwwZ} *"));
}

#[test]
fn long_games_are_cut_unless_they_are_utf8() {
    let moves = "Nf3 {x} Nf6 {x} Ng1 {x} Ng8 {x} ".repeat(4000);
    let game = format!("[Event \"a\"]\n\n{moves} *");
    let cut = written_with(&game, "cql(silent) initial", &[]);
    assert_eq!(cut.len(), 104_999 + 27 + 4);
    assert!(cut.ends_with(b" game truncated by CQL } * \n\n\n\n"));
    let whole = written_with(&game, "cql(silent) initial", &["--utf8"]);
    assert!(whole.len() > 150_000 && whole.ends_with(b"Ng8 {x} *\n\n\n"));
}

#[test]
fn what_is_not_ascii_has_the_bytes_of_cql() {
    let game = "[Event \"caf\u{e9} \u{bd}\"]\n\n1. e4 {\u{f1} \u{20ac}} e5 {\u{fc}} *";
    let latin = b"[Event \"caf\xe9 \xbd\"]\n\n1. e4 {\xf1 \x80} e5 {\xfc} *";
    let query = "cql(quiet) ply==2 comment(\"x\")";
    let start = |event: &[u8]| {
        let tags: &[u8] =
            b"\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \
          \"*\"]\n\n{Game number 1}\n1.e4 {";
        [&b"[Event \"caf"[..], event, tags].concat()
    };
    let end: &[u8] = b" x} *\n\n\n";
    assert_eq!(
        written_with(game, query, &[]),
        [&*start(b"\xe9 \xc2\xbd"), b"\xf1 \xe2\x82\xac} 1...e5 {??", end].concat()
    );
    assert_eq!(
        written_with(latin, query, &[]),
        [&*start(b"\xe9 \xbd"), b"\xf1 \x80} 1...e5 {?", end].concat()
    );
    let utf8 = [
        &*start("\u{e9} \u{bd}".as_bytes()),
        "\u{f1} \u{20ac}} 1...e5 {\u{fc}".as_bytes(),
        end,
    ]
    .concat();
    assert_eq!(written_with(game, query, &["--utf8"]), utf8);
    assert_eq!(written_with(latin, query, &["--utf8"]), utf8);
}

#[test]
fn written_games_are_the_same_games() {
    let all = "cql(silent variations) true";
    let folder = scratch();
    let (once, again) = (folder.path().join("once.pgn"), folder.path().join("again.pgn"));
    let database = folder.path().join("db");
    query([all, "--pgn", once.to_str().unwrap()]).ended_with(0);
    index(&database, [&once]).ended_with(0);
    let arguments = [
        "query",
        database.to_str().unwrap(),
        all,
        "--pgn",
        again.to_str().unwrap(),
    ];
    run(arguments).ended_with(0);
    assert_eq!(std::fs::read(once).unwrap(), std::fs::read(again).unwrap());
    let list = |database: &std::path::Path| {
        let run = run(["query", database.to_str().unwrap(), "cql(variations) wtm", "--json"]);
        let mut lines = run.json();
        lines.pop();
        lines
    };
    assert_eq!(list(samples()), list(&database));
}

#[test]
fn standard_output_takes_games_too() {
    let run = query_plain("cql(silent) event \"two\"", &["--pgn", "-"]).ended_with(0);
    assert!(run.stdout.starts_with("[Event \"two\"]\n") && run.stdout.ends_with("\n\n1.d4 d5 *\n\n\n"));
    let nothing = query_plain("false", &["--pgn", "-"]).ended_with(1);
    assert_eq!(nothing.stdout, "");
}

#[test]
fn a_file_stays_as_it_is_when_the_query_fails() {
    let folder = scratch();
    let out = file(&folder, "out.pgn", "precious");
    let path = out.to_str().unwrap();
    query(["if ply==3 cql_abort", "--pgn", path]).ended_with(2);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "precious");
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing is left beside it"
    );
    query(["mate", "--pgn", folder.path().to_str().unwrap()]).says(2, "this is a folder");
    query(["mate", "--pgn", path, "--json"]).says(2, "cannot be used with");
    query(["mate", "--utf8"]).says(2, "--pgn");
    query(["mate", "--pgn", path]).ended_with(0);
    assert!(std::fs::read_to_string(&out).unwrap().starts_with("[Event"));
}

#[test]
fn games_go_to_a_file_for_each_value_of_a_tag() {
    let folder = scratch();
    let out = folder.path().join("found.pgn");
    let whole = folder.path().join("whole.pgn");
    query(["mate", "--pgn", out.to_str().unwrap(), "--split", "result"]).ended_with(0);
    query(["mate", "--pgn", whole.to_str().unwrap()]).ended_with(0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap_or_default();
    let parts = ["found-1-0.pgn", "found-0-1.pgn", "found-_.pgn", "found-1_2-1_2.pgn"].map(read);
    for (part, result) in parts.iter().zip(["1-0", "0-1"]) {
        assert!(!part.is_empty(), "no game ended {result}");
        let wanted = format!("[Result \"{result}\"]");
        assert!(
            part.lines()
                .filter(|line| line.starts_with("[Result"))
                .all(|line| line == wanted)
        );
    }
    let games = |text: &str| {
        let mut games: Vec<String> = text.split("\n\n\n").map(str::to_owned).collect();
        games.sort_unstable();
        games.retain(|game| !game.is_empty());
        games
    };
    assert_eq!(games(&parts.concat()), games(&read("whole.pgn")));
    assert!(!out.exists());
    // A tag that the query sets counts, too.
    let themes = "mate settag(\"Theme\" typename k + \"/\" + str(wtm))";
    query([themes, "--pgn", out.to_str().unwrap(), "--split", "Theme"]).ended_with(0);
    assert!(!read("found-K__true_.pgn").is_empty() && !read("found-K__false_.pgn").is_empty());
}

#[test]
fn games_are_added_to_a_file_or_a_file_is_kept() {
    let folder = scratch();
    let out = file(&folder, "out.pgn", "; mine\n");
    let path = out.to_str().unwrap();
    let read = || std::fs::read_to_string(&out).unwrap();
    query(["mate", "--pgn", path, "--no-clobber"]).says(2, "is there already");
    assert_eq!(read(), "; mine\n");
    query(["mate event \"Fourth\"", "--pgn", path, "--append"]).ended_with(1);
    assert_eq!(read(), "; mine\n");
    query(["mate", "--pgn", path, "--append"]).ended_with(0);
    let once = read();
    assert!(once.starts_with("; mine\n[Event "));
    query(["mate", "--pgn", path, "--append"]).ended_with(0);
    assert_eq!(read(), format!("{once}{}", &once["; mine\n".len()..]));
    let new = folder.path().join("new.pgn");
    query(["mate", "--pgn", new.to_str().unwrap(), "--no-clobber"]).ended_with(0);
    query(["mate", "--append"]).says(2, "--pgn");
    query(["mate", "--pgn", "-", "--append"]).says(2, "standard output");
    query(["mate", "--pgn", path, "--append", "--no-clobber"]).says(2, "cannot be used with");
}

#[test]
fn every_game_can_have_its_own_file() {
    let folder = scratch();
    let out = folder.path().join("out.pgn");
    let each = "settag(\"Each\" str(gamenumber))";
    query([each, "--pgn", out.to_str().unwrap(), "--split", "Each"]).ended_with(0);
    let files = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(files, 86, "a file for each game of the samples");
}
