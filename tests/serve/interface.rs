//! What the answers say, and how they come.

use std::io::Write;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{connect, request, send};
use crate::description::check;
use crate::server::{Server, index, many, program, samples};

/// A search that takes long, on many games.
const LONG: &str = "echo (x y) { echo (z w) { x:K == y:k z:R == w:q sort ply } }";

fn types(events: &[Value]) -> Vec<&str> {
    let mut types: Vec<&str> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    types.dedup();
    types
}

#[test]
fn a_search_gives_matches_then_a_summary_then_pages() {
    let server = Server::of_samples();
    let answer = server.post("/search", &json!({ "query": "flip { Kg1 Rf1 } btm", "first": 5 }));
    let events = answer.lines();
    assert_eq!(types(&events).first(), Some(&"started"));
    assert_eq!(types(&events).last(), Some(&"summary"));
    let summary = events.last().unwrap();
    let positions = summary["positions"].as_u64().unwrap();
    let first: Vec<&Value> = events
        .iter()
        .filter(|event| event["type"] == "matches")
        .flat_map(|event| event["matches"].as_array().unwrap())
        .collect();
    assert_eq!(first.len(), 5);
    assert!(first[0]["marks"].as_array().unwrap().len() >= 2, "{}", first[0]);
    // Pages continue where the stream ended, and have the same matches.
    let id = summary["answer"].as_str().unwrap();
    let page = server.get(&format!("/answers/{id}?from=0&count=1000")).json();
    let matches = page["matches"].as_array().unwrap();
    assert_eq!(matches.len() as u64, positions.min(1000));
    assert!(first.iter().zip(matches).all(|(a, b)| *a == b));
    assert!(matches.iter().zip(0..).all(|(found, index)| found["index"] == index));
    let later = server.get(&format!("/answers/{id}?from=7&count=3")).json();
    assert_eq!(later["matches"], json!(matches[7..10]));
    // The game has the same positions.
    let number = matches[7]["game"].as_u64().unwrap();
    let game = server.get(&format!("/games/{number}?answer={id}")).json();
    let of_game: Vec<&Value> = matches.iter().filter(|found| found["game"] == number).collect();
    let marked = game["matches"].as_array().unwrap();
    assert_eq!(marked.len(), of_game.len());
    for (a, b) in marked.iter().zip(of_game) {
        assert_eq!((&a["position"], &a["marks"]), (&b["position"], &b["marks"]));
        let place = usize::try_from(a["position"].as_u64().unwrap()).unwrap();
        assert_eq!(game["positions"][place]["fen"], b["fen"]);
    }
}

#[test]
fn orders_have_the_same_matches() {
    let server = Server::of_samples();
    let id = server.answer("check");
    let page = |order: &str, from: usize, count: usize| {
        let page = server
            .get(&format!("/answers/{id}?from={from}&count={count}&sort={order}"))
            .json();
        page["matches"].as_array().unwrap().clone()
    };
    let key = |found: &Value| (found["game"].as_u64().unwrap(), found["position"].as_u64().unwrap());
    let mut all: Vec<_> = page("found", 0, 1000).iter().map(key).collect();
    assert!(all.is_sorted() && all.len() > 20 && all.len() < 1000);
    for order in ["year", "-year", "rating", "-rating", "white", "black", "matches"] {
        let whole = page(order, 0, 1000);
        let pieces: Vec<Value> = (0..all.len())
            .step_by(7)
            .flat_map(|from| page(order, from, 7))
            .collect();
        assert_eq!(whole, pieces, "{order}");
        let mut keys: Vec<_> = whole.iter().map(key).collect();
        keys.sort_unstable();
        all.sort_unstable();
        assert_eq!(keys, all, "{order}");
        let years: Vec<u64> = whole.iter().filter_map(|found| found["year"].as_u64()).collect();
        assert!(order != "year" || years.is_sorted());
        assert!(order != "-year" || years.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn a_query_that_sorts_has_its_order() {
    let server = Server::of_samples();
    for query in [
        "terminal sort \"length\" ply",
        "terminal sort \"length\" ply message \"in a process of its own\"",
    ] {
        let events = server.find(query);
        let summary = events.last().unwrap();
        let first = &events.iter().find(|event| event["type"] == "matches").unwrap()["matches"];
        let id = summary["answer"].as_str().unwrap();
        let page = server.get(&format!("/answers/{id}?count=1000")).json();
        let matches = page["matches"].as_array().unwrap();
        let lengths: Vec<i64> = matches
            .iter()
            .map(|found| found["sort"][0].as_str().unwrap().parse().unwrap())
            .collect();
        assert!(lengths.is_sorted_by(|a, b| a >= b) && lengths.len() > 20);
        assert!(first.as_array().unwrap().iter().zip(matches).all(|(a, b)| a == b));
        assert_eq!(
            summary["messages"].as_array().unwrap().is_empty(),
            !query.contains("message")
        );
    }
}

/// A query with a regular expression runs in another process, and gives the same.
#[test]
fn a_process_of_its_own_gives_the_same_answer() {
    let server = Server::of_samples();
    let plain = server.answer("wtm check");
    let regex = server.answer("fen ~~ \" w \" check");
    let page = |id: &str| server.get(&format!("/answers/{id}?count=1000&marks=false")).json()["matches"].clone();
    assert_eq!(page(&plain), page(&regex));
    let text = |id: &str| server.get(&format!("/answers/{id}/download?format=jsonl")).lines();
    let (a, b) = (text(&plain), text(&regex));
    assert!(a.len() > 10);
    assert_eq!(a[..a.len() - 1], b[..b.len() - 1]);
}

/// A newer program may be installed while the server runs.
#[test]
#[cfg(target_os = "linux")]
fn a_server_whose_program_was_replaced_still_starts_processes() {
    use std::{fs, process::Command};

    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("cqldex");
    fs::copy(program().get_program(), &copy).unwrap();
    let mut command = Command::new(&copy);
    command.env_remove("CQLDEX_TOKEN");
    command.arg("serve").arg(samples()).args(["--listen", "127.0.0.1:0"]);
    let server = Server::of(&mut command);
    fs::remove_file(&copy).unwrap();
    fs::write(&copy, "another program").unwrap();
    server.answer("fen ~~ \" w \" check");
}

#[test]
fn a_download_is_what_the_program_writes() {
    let server = Server::of_samples();
    let id = server.answer("check sort \"length\" ply");
    let answer = server.get(&format!("/answers/{id}/download?format=pgn"));
    let run = program()
        .args([
            "query",
            samples().to_str().unwrap(),
            "check sort \"length\" ply",
            "--pgn",
            "-",
            "--utf8",
        ])
        .output()
        .unwrap();
    assert_eq!(answer.text(), String::from_utf8(run.stdout).unwrap());
    assert!(answer.header("content-disposition").unwrap().contains("matches.pgn"));
}

/// Tables, from a thread of the server and from a process of its own: bytes pass through both as they are.
#[test]
fn a_download_of_a_table_is_the_file_that_the_program_writes() {
    let server = Server::of_samples();
    let folder = tempfile::tempdir().unwrap();
    let formats: &[(&str, &str)] = &[
        ("csv", "text/csv"),
        ("json", "application/x-ndjson"),
        #[cfg(feature = "arrow")]
        ("arrow", "application/vnd.apache.arrow.file"),
        #[cfg(feature = "arrow")]
        ("parquet", "application/vnd.apache.parquet"),
    ];
    let cases = [
        ("wtm", None),
        ("fen ~~ \" w \"", None),
        ("check sort \"length\" ply", None),
        ("wtm", Some("game,white,tag:Round,date")),
        (
            "check sort \"length\" ply",
            Some("sort:length,next,side,comment,length"),
        ),
        ("Ka8 ka1", Some("game")),
    ];
    for (query, columns) in cases {
        let events = server.find(query);
        let id = events.last().unwrap()["answer"].as_str().unwrap().to_owned();
        for (format, kind) in formats {
            let path = folder.path().join(format!("found.{format}"));
            let mut program = program();
            program.args([
                "query",
                samples().to_str().unwrap(),
                query,
                "-o",
                path.to_str().unwrap(),
            ]);
            let mut address = format!("/answers/{id}/download?format={format}");
            if let Some(columns) = columns {
                program.args(["--columns", columns]);
                address += &format!("&columns={columns}");
            }
            program.output().unwrap();
            let answer = server.get(&address);
            let file = std::fs::read(&path).unwrap();
            assert_eq!(answer.status, 200, "{query} {format}");
            assert!(answer.body == file, "{query} {format} {columns:?}: the bytes differ");
            assert!(answer.header("content-type").unwrap().starts_with(kind));
            // Those without a row are short; the long ones come in many pieces.
            assert!(
                query != "wtm" || *format == "parquet" || file.len() > 1 << 16,
                "{format}"
            );
        }
    }
}

#[test]
fn columns_that_there_are_not_are_refused_with_the_nearest() {
    let server = Server::of_samples();
    let id = server.answer("mate");
    let many = vec!["tag:A"; 101].join(",");
    for (parameters, status, code, message) in [
        (
            "csv&columns=game,wite",
            400,
            "no-such-column",
            "did you mean `white` or `site`?",
        ),
        (
            "csv&columns=game,game",
            400,
            "no-such-column",
            "the column `game` comes twice",
        ),
        ("csv&columns=", 400, "no-such-column", "there is no column ``"),
        ("pgn&columns=game", 400, "bad-request", "`columns` are of tables"),
        (&format!("csv&columns={many}"), 413, "too-large", "at most 100 columns"),
        ("xml", 400, "bad-request", "unknown variant `xml`"),
    ] {
        let answer = server.get(&format!("/answers/{id}/download?format={parameters}"));
        assert_eq!((answer.status, answer.code().as_str()), (status, code), "{parameters}");
        assert!(answer.text().contains(message), "{}", answer.text());
    }
}

#[test]
fn counts_add_up() {
    let server = Server::of_samples();
    let id = server.answer("N attacks k");
    for by in ["year", "result", "eco", "opening", "move", "rating", "side"] {
        let counts = server.get(&format!("/answers/{id}/counts?by={by}")).json();
        let buckets = counts["buckets"].as_array().unwrap();
        let sum: u64 = buckets
            .iter()
            .chain([&counts["unknown"]])
            .map(|bucket| bucket["positions"].as_u64().unwrap())
            .sum();
        assert_eq!(counts["positions"], sum, "{by}");
        assert_eq!(counts["complete"], true);
    }
    let squares = server.get(&format!("/answers/{id}/squares?set=N%20attacks%20k")).json();
    let sum: u64 = squares["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_u64().unwrap())
        .sum();
    assert!(
        sum >= squares["positions"].as_u64().unwrap(),
        "at least one knight attacks the king in each"
    );
    // The marks of the matches say the same.
    let page = server.get(&format!("/answers/{id}?count=1000")).json();
    let on_f6 = page["matches"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["marks"].as_array().unwrap().contains(&json!("f6")))
        .count();
    let (f6, kings) = (45, server.get(&format!("/answers/{id}/squares?set=k")).json());
    let both = squares["counts"][f6].as_u64().unwrap() + kings["counts"][f6].as_u64().unwrap();
    assert_eq!(both, on_f6 as u64);
}

#[test]
fn errors_have_places_in_utf_16() {
    let server = Server::of_samples();
    let answer = server.post("/search", &json!({ "query": "\u{2659}a2 chek" }));
    assert_eq!((answer.status, answer.code().as_str()), (422, "Q301"));
    let diagnostic = &answer.json()["error"]["diagnostics"][0];
    assert_eq!((&diagnostic["from"], &diagnostic["to"]), (&json!(4), &json!(8)));
    for query in [
        "\"x\" in readfile \"x\"",
        "writefile (\"x\" \"y\")",
        "similarposition \"x.pgn\"",
    ] {
        let answer = server.post("/search", &json!({ "query": query }));
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "files-refused"),
            "{query}"
        );
    }
}

/// Whether the server computes, for a while that is long enough to see it beside other tests, or has a process that does.
fn is_busy(server: &Server) -> bool {
    let process = server.child.id().to_string();
    let field = |stat: &str, index: usize| -> Option<String> {
        let fields = stat.rsplit(')').next()?;
        fields.split_whitespace().nth(index).map(str::to_owned)
    };
    // The state and the parent of a process.
    let has_child = || {
        std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            field(&stat, 0).is_some_and(|state| state != "Z") && field(&stat, 1).as_ref() == Some(&process)
        })
    };
    // How much it has computed, in hundredths of a second.
    let used = || -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
        [11, 12]
            .map(|index| field(&stat, index).unwrap().parse::<u64>().unwrap())
            .iter()
            .sum()
    };
    let (child, before) = (has_child(), used());
    std::thread::sleep(Duration::from_millis(400));
    child || used() > before + 2
}

#[test]
fn closing_the_connection_stops_the_search() {
    let server = Server::start([many().to_str().unwrap(), "--timeout", "50"]);
    for query in [
        LONG,
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\" ~~ \"(a*)*b\"",
    ] {
        let mut lines = server.search(&json!({ "query": query }));
        assert!(
            lines.by_ref().any(|event| event["type"] == "progress"),
            "it takes a while"
        );
        assert!(is_busy(&server), "it searches");
        drop(lines);
        std::thread::sleep(Duration::from_millis(200));
        assert!(!is_busy(&server), "{query} goes on");
    }
}

#[test]
fn the_next_question_of_a_page_ends_the_one_before() {
    let server = Server::start([many().to_str().unwrap()]);
    let mut first = server.search(&json!({ "query": LONG, "page": "a" }));
    let mut other = server.search(&json!({ "query": LONG, "page": "b" }));
    assert_eq!((first.status, other.status), (200, 200));
    assert!(first.by_ref().any(|event| event["type"] == "progress"));
    let started = Instant::now();
    let second = server.post("/search", &json!({ "query": "mate", "page": "a" }));
    assert_eq!(second.lines().last().unwrap()["type"], "summary");
    let end = first.last().unwrap();
    assert_eq!(
        (&end["type"], &end["error"]["code"]),
        (&json!("error"), &json!("replaced"))
    );
    assert!(started.elapsed() < Duration::from_secs(2));
    assert!(
        other.by_ref().take(3).all(|event| event["type"] != "error"),
        "another page is not touched"
    );
}

#[test]
fn a_search_that_never_ends_dies_at_its_limit() {
    let server = Server::start([many().to_str().unwrap(), "--timeout", "1", "--memory", "300"]);
    for (query, code) in [
        (LONG, "time-limit"),
        (
            "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\" ~~ \"(a*)*b\"",
            "time-limit",
        ),
        ("player ~~ \"(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*#\"", "time-limit"),
    ] {
        let started = Instant::now();
        let events = server.find(query);
        assert_eq!(events.last().unwrap()["error"]["code"], code, "{query}");
        assert!(started.elapsed() < Duration::from_secs(5), "{query}");
        assert_eq!(server.find("mate").last().unwrap()["type"], "summary");
    }
}

#[test]
fn a_database_that_grows_shows_its_new_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let file = folder.path().join("one.pgn");
    std::fs::write(&file, "[White \"A\"]\n\n1. e4 e5 *\n").unwrap();
    index(&path, std::slice::from_ref(&file));
    let server = Server::start([path.to_str().unwrap()]);
    let before = server.get("/stats").json();
    let id = server.answer("terminal");
    std::fs::write(&file, "[White \"B\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    index(&path, &[file]);
    let started = Instant::now();
    while server.get("/stats").json()["games"] != 2 {
        assert!(started.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(server.get("/stats").json()["version"].as_u64() > before["version"].as_u64());
    assert_eq!(server.find("mate").last().unwrap()["games"], 1);
    // An answer is about the games that there were.
    assert_eq!(server.get(&format!("/answers/{id}")).json()["games"], 1);
}

#[test]
fn the_page_or_what_is_missing_is_at_the_root() {
    let server = Server::of_samples();
    let ask = |path: &str, headers: &str| {
        let text = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", server.address);
        send(server.address, text.as_bytes()).unwrap()
    };
    let page = ask("/", "");
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'self'") && !policy.contains("unsafe"),
        "{policy}"
    );
    match server.get("/server").json()["page"].as_bool() {
        Some(true) => {
            let file = ask("/app.js", "Accept-Encoding: gzip\r\n");
            assert_eq!(
                (page.status, file.status, file.header("content-encoding")),
                (200, 200, Some("gzip"))
            );
            let etag = file.header("etag").unwrap();
            assert_eq!(ask("/app.js", &format!("If-None-Match: {etag}\r\n")).status, 304);
            assert!(ask("/app.js", "").body.len() > file.body.len());
        }
        _ => assert!(
            page.status == 503 && page.text().contains("scripts/page"),
            "{}",
            page.text()
        ),
    }
    assert_eq!(ask("/nothing.js", "").status, 404);
    assert_eq!(ask("/../Cargo.toml", "").status, 404);
}

#[test]
fn ctrl_c_ends_in_order() {
    let mut server = Server::start([many().to_str().unwrap()]);
    let mut lines = server.search(&json!({ "query": LONG }));
    assert!(lines.by_ref().any(|event| event["type"] == "progress"));
    let mut idle = connect(server.address);
    idle.write_all(request(server.address, "GET", "/api/v1/stats", None).as_bytes())
        .unwrap();
    let started = Instant::now();
    let process = server.child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &process])
            .status()
            .unwrap()
            .success()
    );
    let status = server.child.wait().unwrap();
    assert!(status.success(), "{status}");
    assert!(started.elapsed() < Duration::from_secs(8));
}

#[test]
fn names_are_completed_from_the_games() {
    let server = Server::of_samples();
    let names = |parameters: &str| {
        let answer = server.get(&format!("/names?{parameters}"));
        check("get", "/names", &answer);
        let names = answer.json()["names"].as_array().cloned().unwrap_or_default();
        names
            .iter()
            .map(|name| name["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let laskers = names("field=player&text=LASKER");
    assert_eq!(laskers[0], "Lasker, Emanuel");
    assert!(laskers.contains(&"Lasker, Edward".to_owned()));
    assert_eq!(names("field=player&text=lasker&count=1"), ["Lasker, Emanuel"]);
    assert!(names("field=player&text=%22").is_empty());
    assert!(names("field=eco&text=c").iter().all(|eco| eco.starts_with('C')));
    assert!(!names("field=event").is_empty() && !names("field=site").is_empty());
    // As many games as the program finds.
    let all = server.get("/names?field=player&text=lasker,%20emanuel&count=1").json()["names"][0]["games"].clone();
    let found = server.find("player \"Lasker, Emanuel\"");
    let studies = server.find("player \"Lasker, Emanuel and\"");
    let games = |events: &[Value]| events.last().unwrap()["games"].as_u64().unwrap();
    assert_eq!(all, games(&found) - games(&studies));
    let text = "x".repeat(201);
    let refused = server.get(&format!("/names?field=player&text={text}"));
    check("get", "/names", &refused);
    assert_eq!(refused.status, 400);
    assert_eq!(server.get("/names?field=color").status, 400);
}

/// What lists say is what the boards say: with variations, with games that begin elsewhere, and on chosen squares.
#[test]
fn counts_from_lists_are_those_of_the_boards() {
    let server = Server::of_samples();
    for query in ["cql(variations) true", "check", "cql(variations) btm not mainline"] {
        let id = server.answer(query);
        let counts = |by: &str| server.get(&format!("/answers/{id}/counts?by={by}")).json();
        let number = |query: &str, field: &str| server.find(query).last().unwrap()[field].as_u64().unwrap();
        for (side, word) in [("white", "wtm"), ("black", "btm")] {
            let buckets = counts("side")["buckets"].clone();
            let bucket = buckets
                .as_array()
                .unwrap()
                .iter()
                .find(|bucket| bucket["key"] == side)
                .cloned();
            let bucket = bucket.unwrap_or_else(|| json!({ "games": 0, "positions": 0 }));
            for field in ["games", "positions"] {
                assert_eq!(
                    bucket[field],
                    number(&format!("{query} {word}"), field),
                    "{query} {side} {field}"
                );
            }
        }
        let moves = counts("move");
        assert_eq!(moves["counted"], moves["positions"], "{query}");
        for bucket in moves["buckets"].as_array().unwrap().iter().step_by(7) {
            let same = format!("{query} movenumber == {}", bucket["key"].as_str().unwrap());
            assert_eq!(bucket["positions"], number(&same, "positions"), "{same}");
        }
        let squares = |set: &str| server.get(&format!("/answers/{id}/squares?set={set}")).json();
        // The second form of each pair needs the boards.
        for (set, same) in [
            ("N", "N%20|%20N"),
            ("%5bQq%5d", "Q%20|%20q"),
            ("_", "_%20|%20_"),
            ("ka-h1-4", "ka-h1-4%20|%20ka-h1-4"),
        ] {
            let (lists, boards) = (squares(set), squares(same));
            assert_eq!(
                (&lists["counts"], &lists["positions"]),
                (&boards["counts"], &boards["positions"]),
                "{query} {set}"
            );
            assert_eq!(lists["complete"], true);
        }
    }
}
