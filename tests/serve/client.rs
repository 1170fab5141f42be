//! A client that can say anything, also what no browser says.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// An answer that is read line by line.
#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) status: u16,
    reader: BufReader<TcpStream>,
    rest: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The objects of a stream.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let text = self.text();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[track_caller]
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap().to_owned()
    }
}

/// A request as text, with the headers that a client of the interface sends.
pub(crate) fn request(address: SocketAddr, method: &str, path: &str, body: Option<&str>) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n");
    if let Some(body) = body {
        text += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    }
    text + "\r\n" + body.unwrap_or_default()
}

/// Connects.
pub(crate) fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// Sends bytes and reads one answer; `None` if the server says nothing.
pub(crate) fn send(address: SocketAddr, bytes: &[u8]) -> Option<Answer> {
    let mut stream = connect(address);
    // Who refuses a request may close before all of it is there.
    let _ = stream.write_all(bytes);
    read(&mut BufReader::new(stream))
}

/// Reads an answer.
pub(crate) fn read(reader: &mut impl BufRead) -> Option<Answer> {
    let (status, headers) = head(reader)?;
    let value = |name: &str| {
        headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    };
    let mut body = Vec::new();
    if value("transfer-encoding") == Some("chunked") {
        while let Some(chunk) = chunk(reader) {
            body.extend(chunk);
        }
    } else {
        let length = value("content-length").map_or(0, |length| length.parse().unwrap());
        body.resize(length, 0);
        reader.read_exact(&mut body).ok()?;
    }
    Some(Answer { status, headers, body })
}

fn head(reader: &mut impl BufRead) -> Option<(u16, Vec<(String, String)>)> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let status = line.split(' ').nth(1)?.parse().ok()?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(':') else {
            return Some((status, headers));
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
}

fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let length = usize::from_str_radix(line.trim(), 16).ok()?;
    let mut bytes = vec![0; length + 2];
    reader.read_exact(&mut bytes).ok()?;
    bytes.truncate(length);
    (length > 0).then_some(bytes)
}

impl Lines {
    /// Sends a request and waits for the head of its answer.
    pub(crate) fn open(address: SocketAddr, bytes: &[u8]) -> Lines {
        let mut stream = connect(address);
        stream.write_all(bytes).unwrap();
        let mut reader = BufReader::new(stream);
        let (status, _) = head(&mut reader).unwrap();
        Lines {
            status,
            reader,
            rest: String::new(),
        }
    }
}

impl Iterator for Lines {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((line, rest)) = self.rest.split_once('\n') {
                let value = serde_json::from_str(line).unwrap();
                self.rest = rest.to_owned();
                return Some(value);
            }
            self.rest += &String::from_utf8(chunk(&mut self.reader)?).unwrap();
        }
    }
}
