//! Who may ask what.

use crate::client::{Answer, send};
use crate::server::{Server, program, samples};

fn ask(server: &Server, path: &str, headers: &str) -> Answer {
    send(
        server.address,
        format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes(),
    )
    .unwrap()
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Server::start([samples().to_str().unwrap(), "--host", "chess.example", "--public"]);
    let port = server.address.port();
    let status = |headers: &str| ask(&server, "/api/v1/stats", headers).status;
    for host in [
        "127.0.0.1",
        "localhost",
        "LOCALHOST",
        "localhost.",
        "[::1]",
        "chess.example",
    ] {
        assert_eq!(status(&format!("Host: {host}:{port}\r\n")), 200, "{host}");
        assert_eq!(status(&format!("Host: {host}\r\n")), 200, "{host}");
    }
    for host in [
        "evil.example",
        "localhost.evil.example",
        "192.168.1.1",
        "0.0.0.0",
        "",
        "chess.example.evil",
    ] {
        assert_eq!(status(&format!("Host: {host}:{port}\r\n")), 421, "{host}");
    }
    assert_eq!(status(""), 400);
    assert_eq!(status("Host: localhost\r\nHost: evil.example\r\n"), 400);
    let own = format!("Host: localhost:{port}\r\n");
    assert_eq!(status(&format!("{own}Origin: http://localhost:{port}\r\n")), 200);
    for origin in [
        "http://evil.example",
        "null",
        "http://localhost",
        "http://localhost:1",
        "file://",
        "",
    ] {
        assert_eq!(status(&format!("{own}Origin: {origin}\r\n")), 403, "{origin}");
    }
    assert_eq!(status(&format!("{own}Sec-Fetch-Site: same-origin\r\n")), 200);
    assert_eq!(status(&format!("{own}Sec-Fetch-Site: cross-site\r\n")), 403);
    let answer = ask(&server, "/api/v1/stats", &own);
    assert!(
        answer
            .headers
            .iter()
            .all(|(name, _)| !name.starts_with("access-control"))
    );
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
    ] {
        assert_eq!(answer.header(name), Some(value));
    }
}

#[test]
fn another_address_needs_a_token() {
    let server = Server::start([samples().to_str().unwrap(), "--listen", "0.0.0.0:0"]);
    let token = server.page.split_once("?token=").expect("it is printed").1.to_owned();
    assert!(token.len() >= 32);
    let host = format!("Host: {}\r\n", server.address);
    let status = |path: &str, headers: &str| ask(&server, path, &format!("{host}{headers}")).status;
    for path in ["/", "/api/v1/stats", "/api/v1/openapi.json", "/?token=wrong", "/app.js"] {
        assert_eq!(status(path, ""), 401, "{path}");
    }
    assert_eq!(status("/api/v1/stats", "Authorization: Bearer wrong\r\n"), 401);
    assert_eq!(
        status("/api/v1/stats", &format!("Authorization: Bearer {token}\r\n")),
        200
    );
    let signed_in = ask(&server, &format!("/?token={token}"), &host);
    assert_eq!((signed_in.status, signed_in.header("location")), (303, Some("/")));
    let cookie = signed_in.header("set-cookie").unwrap();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(status("/api/v1/stats", &format!("Cookie: a=b; {cookie}\r\n")), 200);
    let named = Server::start([samples().to_str().unwrap(), "--host", "chess.example"]);
    assert!(named.page.contains("?token="), "others reach it by this name");
    let public = Server::start([samples().to_str().unwrap(), "--listen", "0.0.0.0:0", "--public"]);
    assert!(!public.page.contains("token"));
    assert_eq!(
        ask(&public, "/api/v1/stats", &format!("Host: {}\r\n", public.address)).status,
        200
    );
    assert_eq!(ask(&public, "/api/v1/stats", "Host: evil.example\r\n").status, 421);
}

#[test]
fn mistakes_of_the_command_line_are_told() {
    let run = |arguments: &[&str]| {
        let run = program().arg("serve").args(arguments).output().unwrap();
        assert!(!run.status.success(), "{arguments:?}");
        String::from_utf8(run.stderr).unwrap()
    };
    assert!(run(&["no/such.db"]).contains("no/such.db"));
    assert!(run(&["--root", "no/such"]).contains("no such folder"));
    assert!(run(&["--token", "short"]).contains("at least 8"));
    assert!(run(&["--listen", "somewhere"]).contains("ADDRESS:PORT"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(run(&[samples().to_str().unwrap(), "--listen", &address]).contains(&address));
}

/// What a process has written to standard error; it is stopped.
fn logged(child: &mut std::process::Child) -> String {
    child.kill().unwrap();
    child.wait().unwrap();
    std::io::read_to_string(child.stderr.take().unwrap()).unwrap()
}

#[test]
fn the_token_is_in_no_log() {
    let token = "0123456789abcdef-secret";
    let mut command = program();
    command
        .args([
            "serve",
            samples().to_str().unwrap(),
            "--listen",
            "0.0.0.0:0",
            "--log",
            "--token",
            token,
        ])
        .stderr(std::process::Stdio::piped());
    let mut server = Server::of(&mut command);
    let host = format!("Host: {}\r\n", server.address);
    for (path, headers, status) in [
        (format!("/?token={token}"), String::new(), 303),
        (format!("/api/v1/stats?token={token}"), String::new(), 401),
        (format!("/?a=b&token={token}"), String::new(), 401),
        (
            "/api/v1/stats".to_owned(),
            format!("Authorization: Bearer {token}\r\n"),
            200,
        ),
        (
            "/api/v1/stats".to_owned(),
            format!("Cookie: cqldex-token={token}\r\n"),
            200,
        ),
    ] {
        let answer = ask(&server, &path, &format!("{host}{headers}"));
        assert_eq!(answer.status, status, "{path}");
    }
    let log = logged(&mut server.child);
    assert!(log.lines().count() >= 5, "{log}");
    assert!(!log.contains(token), "{log}");
}

/// Linux, because there all of 127.0.0.0/8 is this machine: who listens everywhere listens at 127.0.0.2, too.
#[cfg(target_os = "linux")]
#[test]
fn only_this_machine_is_listened_to_unless_told_otherwise() {
    let listens = |port: u16, address: &str| std::net::TcpStream::connect((address, port)).is_ok();
    let everywhere = Server::start([samples().to_str().unwrap(), "--listen", "0.0.0.0:0", "--public"]);
    assert!(listens(everywhere.address.port(), "127.0.0.2"), "the test can see it");
    // A port alone is one of this machine.
    let port = Server::start([samples().to_str().unwrap(), "--listen", "0"]);
    assert!(listens(port.address.port(), "127.0.0.1") && !listens(port.address.port(), "127.0.0.2"));
    let mut command = program();
    command
        .args(["serve", samples().to_str().unwrap()])
        .stderr(std::process::Stdio::piped());
    match Server::try_of(&mut command) {
        Ok(server) => assert!(!listens(server.address.port(), "127.0.0.2")),
        // Another program has the port; the message names what was tried.
        Err(mut child) => assert!(logged(&mut child).contains("127.0.0.1:")),
    }
}

/// Searches in processes of their own may take less than the server offers, where the system says so; they are searched all the
/// same.
#[cfg(target_os = "linux")]
#[test]
fn a_lower_limit_of_the_system_is_kept() {
    let mut command = std::process::Command::new("sh");
    let shell = format!(
        "ulimit -d 600000; exec '{}' serve '{}' --listen 127.0.0.1:0 --memory 100000",
        env!("CARGO_BIN_EXE_cqldex"),
        samples().display()
    );
    let server = Server::of(command.args(["-c", &shell]).stdin(std::process::Stdio::null()));
    let events = server.find("player ~~ \"A.*\"");
    assert_eq!(events.last().unwrap()["type"], "summary", "{events:?}");
}
