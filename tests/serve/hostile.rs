//! Requests that no honest client sends. After all of them, the server answers.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{connect, request, send};
use crate::server::Server;

/// Requests that end with an answer, or with a closed connection.
fn nasty(address: std::net::SocketAddr, number: usize) -> Vec<u8> {
    let host = format!("Host: {address}\r\n");
    let post = |length: &str, body: &[u8]| {
        let head = format!(
            "POST /api/v1/search HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        [head.as_bytes(), body].concat()
    };
    let long = |letter: &str, count: usize| letter.repeat(count);
    match number % 24 {
        0 => b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        1 => vec![0; 4096],
        2 => format!("GET / HTTP/9.9\r\n{host}\r\n").into_bytes(),
        3 => format!("GET /{} HTTP/1.1\r\n{host}\r\n", long("a", 70_000)).into_bytes(),
        4 => format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", long("a", 100_000)).into_bytes(),
        5 => format!("GET / HTTP/1.1\r\n{host}{}\r\n", long("X: a\r\n", 5000)).into_bytes(),
        6 => post("-1", b"{}"),
        7 => post("99999999999999999999999", b"{}"),
        8 => post("2000000", long("a", 600_000).as_bytes()),
        9 => post("4", b"\xff\xfe\x00\x01"),
        10 => post("2", b"[]"),
        11 => post("20000", long("[", 20_000).as_bytes()),
        12 => {
            let body = json!({ "query": long("(", 50_000) }).to_string();
            post(&body.len().to_string(), body.as_bytes())
        }
        13 => {
            let body = json!({ "query": format!("flip {}", long("shift flip ", 200)) }).to_string();
            post(&body.len().to_string(), body.as_bytes())
        }
        14 => {
            let body = json!({ "query": "check", "transforms": vec!["flip"; 1000] }).to_string();
            post(&body.len().to_string(), body.as_bytes())
        }
        15 => {
            let body = json!({ "query": "\u{0}\u{ffff}\u{202e}", "page": long("x", 100_000) }).to_string();
            post(&body.len().to_string(), body.as_bytes())
        }
        16 => format!("POST /api/v1/search HTTP/1.1\r\n{host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n").into_bytes(),
        17 => format!("POST /api/v1/search HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n").into_bytes(),
        18 => format!("GET /api/v1/games/..%2f..%2fetc%2fpasswd HTTP/1.1\r\n{host}\r\n").into_bytes(),
        19 => format!("GET /api/v1/stats?db=..%2f..%2f..%2fetc HTTP/1.1\r\n{host}\r\n").into_bytes(),
        20 => format!("GET http://evil.example/api/v1/stats HTTP/1.1\r\n{host}\r\n").into_bytes(),
        21 => b"GET /api/v1/stats HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n".to_vec(),
        22 => format!("CONNECT 10.0.0.1:22 HTTP/1.1\r\n{host}\r\n").into_bytes(),
        _ => format!("GET /api/v1/answers/%ff%fe/counts?by=%00 HTTP/1.1\r\n{host}\r\n").into_bytes(),
    }
}

#[test]
fn a_thousand_hostile_requests_leave_it_answering() {
    let server = Server::of_samples();
    let expected = server.find("mate").last().unwrap()["positions"].clone();
    // Half-open ones, and some that say a letter from time to time.
    let open: Vec<TcpStream> = (0..400).map(|_| connect(server.address)).collect();
    let mut slow: Vec<TcpStream> = (0..100).map(|_| connect(server.address)).collect();
    for stream in &mut slow {
        let _ = stream.write_all(format!("POST /api/v1/search HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{{", server.address).as_bytes());
    }
    for number in 0..500 {
        let stream = connect(server.address);
        stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let mut stream = stream;
        let _ = stream.write_all(&nasty(server.address, number));
        // An answer, an end, or silence: all are well.
        let _ = stream.read(&mut [0; 512]);
        if number % 50 == 0 {
            let _ = slow.iter_mut().try_for_each(|stream| stream.write_all(b" "));
            let started = Instant::now();
            assert_eq!(server.find("mate").last().unwrap()["positions"], expected);
            assert!(started.elapsed() < Duration::from_secs(2), "it answers in time");
        }
    }
    drop((open, slow));
    assert_eq!(server.find("mate").last().unwrap()["positions"], expected);
}

#[test]
fn what_is_too_large_or_no_json_is_told_so() {
    let server = Server::of_samples();
    let large = server.post("/search", &json!({ "query": "K ".repeat(300_000) }));
    assert_eq!((large.status, large.code().as_str()), (413, "too-large"));
    let text = request(server.address, "POST", "/api/v1/search", Some("{}")).replace("application/json", "text/plain");
    assert_eq!(send(server.address, text.as_bytes()).unwrap().status, 415);
    assert_eq!(server.ask("POST", "/search", "{\"query\": ").status, 400);
    assert_eq!(
        server.post("/search", &json!({ "query": "mate", "page": "" })).status,
        400
    );
}

/// Whoever sends a head or a body too slowly is cut off.
#[test]
fn slow_heads_and_bodies_are_cut_off() {
    let server = Server::of_samples();
    let mut head = connect(server.address);
    head.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    let mut body = connect(server.address);
    let text = request(server.address, "POST", "/api/v1/check", Some("{\"query\": \"mate\"}")).replace("\"}", "");
    body.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    let _ = body.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let mut rest = Vec::new();
    assert!(head.read_to_end(&mut rest).is_ok(), "the connection is closed");
}
