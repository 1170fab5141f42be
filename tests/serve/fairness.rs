//! Several users at once.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::server::{Server, many};

/// How long twenty users ask, and how long a quick question may take beside them.
const MINUTE: Duration = Duration::from_secs(10);
const QUICK: Duration = Duration::from_secs(3);

#[test]
fn twenty_users_at_once_get_their_answers() {
    let server = &Server::start([many().to_str().unwrap()]);
    let questions = [
        "mate",
        "flip { Kg1 Bd3 } btm",
        "N attacks k",
        "stalemate",
        "shift { Pd4 pd5 } #Q==0",
        "B--h7 check",
    ];
    let expected = questions.map(|query| server.find(query).last().unwrap()["positions"].clone());
    let end = Instant::now() + MINUTE;
    let asked: usize = thread::scope(|scope| {
        let user = |user: usize| {
            let expected = &expected;
            scope.spawn(move || {
                let mut asked = 0;
                while Instant::now() < end {
                    let place = (user + asked) % questions.len();
                    let page = format!("user {user}");
                    let answer = server.post("/search", &json!({ "query": questions[place], "page": page }));
                    let events = answer.lines();
                    let last = events.last().unwrap();
                    assert_eq!(
                        (&last["type"], &last["positions"]),
                        (&json!("summary"), &expected[place]),
                        "{last}"
                    );
                    asked += 1;
                }
                asked
            })
        };
        let users: Vec<_> = (0..20).map(user).collect();
        users.into_iter().map(|user| user.join().unwrap()).sum()
    });
    assert!(asked >= 40, "{asked} questions in {MINUTE:?}");
}

#[test]
fn slow_questions_do_not_hold_up_quick_ones() {
    let server = &Server::start([many().to_str().unwrap(), "--searches", "4", "--timeout", "40"]);
    server.find("mate");
    let slow: Vec<_> = (0..10)
        .map(|user| server.search(&json!({ "query": "echo (x y) { echo (z w) { x:K == y:k z:R == w:q sort ply } }", "page": format!("{user}") })))
        .collect();
    thread::sleep(Duration::from_millis(500));
    let mut longest = Duration::ZERO;
    for _ in 0..10 {
        let started = Instant::now();
        assert_eq!(server.find("mate").last().unwrap()["type"], "summary");
        longest = longest.max(started.elapsed());
    }
    assert!(longest < QUICK, "a quick question took {longest:?}");
    drop(slow);
}

#[test]
fn waiting_questions_get_their_place_and_too_many_are_refused() {
    let server = &Server::start([
        many().to_str().unwrap(),
        "--searches",
        "1",
        "--waiting",
        "3",
        "--timeout",
        "40",
    ]);
    let slow = json!({ "query": "fen ~~ \"(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*(.*)*#\"" });
    let all: Vec<_> = (0..2).map(|_| server.search(&slow)).collect();
    thread::sleep(Duration::from_millis(700));
    // One of them searches in the lane of slow ones, the other one has begun in that of quick ones.
    let mut more: Vec<_> = (0..8).map(|_| server.search(&slow)).collect();
    let refused: Vec<u16> = more
        .iter()
        .map(|lines| lines.status)
        .filter(|&status| status != 200)
        .collect();
    assert!(refused.iter().all(|&status| status == 429), "{refused:?}");
    let places: Vec<u64> = more
        .iter_mut()
        .filter(|lines| lines.status == 200)
        .filter_map(|lines| lines.find(|event| event["type"] == "queued"))
        .map(|event| event["place"].as_u64().unwrap())
        .collect();
    assert!(
        !places.is_empty() && places.iter().all(|place| (1..=10).contains(place)),
        "{places:?}"
    );
    drop((all, more));
    assert_eq!(server.find("mate").last().unwrap()["type"], "summary");
}

/// A search in a process of its own takes a moment to end after it has given its result.
#[test]
fn nothing_comes_after_a_summary() {
    let server = &Server::start([many().to_str().unwrap(), "--searches", "2"]);
    let questions = [
        "fen ~~ \"8/8/.*k.*/8\"",
        "player white ~~ \"^[A-C].*n$\" mate",
        "mate message \"x\"",
    ];
    let end = Instant::now() + Duration::from_secs(6);
    thread::scope(|scope| {
        for user in 0..8 {
            scope.spawn(move || {
                for turn in user.. {
                    let question = questions[turn % questions.len()];
                    let events = server.find(question);
                    let summaries = events.iter().filter(|event| event["type"] == "summary").count();
                    let last = events.last().unwrap();
                    assert_eq!((&last["type"], summaries), (&json!("summary"), 1), "{question}: {last}");
                    if Instant::now() > end {
                        break;
                    }
                }
            });
        }
    });
}
