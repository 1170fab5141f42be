use proptest::prelude::*;

use super::*;

/// Reads a few bytes at a time, so that the buffer ends at every place of the text once.
struct Dribble<'a> {
    rest: &'a [u8],
    step: usize,
}

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.step.min(self.rest.len()).min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        Ok(count)
    }
}

/// The sections of a text, with the line that each begins on.
fn split(text: &str) -> Vec<(u64, String)> {
    split_by(text.as_bytes(), 0, text.len().max(1))
}

fn split_by(text: &[u8], wanted: usize, step: usize) -> Vec<(u64, String)> {
    let mut splitter = Splitter::new(Dribble { rest: text, step });
    let mut found = Vec::new();
    let mut offset = 0;
    while let Some(sections) = splitter.next_sections(wanted).unwrap() {
        assert_eq!(sections.offset, offset);
        offset += sections.bytes.len() as u64;
        for range in sections.ranges() {
            let line = sections.line_at(range.start);
            found.push((line, String::from_utf8_lossy(&sections.bytes[range]).into_owned()));
        }
    }
    assert_eq!(offset, text.len() as u64);
    found
}

fn starts(text: &str) -> Vec<u64> {
    split(text).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn a_tag_after_movetext_begins_a_game() {
    assert_eq!(
        starts("[Event \"1\"]\n[Site \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n*\n"),
        [1, 6]
    );
    assert_eq!(starts("[Event \"1\"]\n\n1. e4\n[Event \"2\"]\n\n*\n"), [1, 4]);
    assert_eq!(starts("1. e4 *\n\n[White \"2\"]\n\n*\n"), [1, 3]);
    assert_eq!(starts(""), [0u64; 0]);
    assert_eq!(starts("1. e4 e5"), [1]);
}

#[test]
fn games_of_tags_only_are_told_apart() {
    assert_eq!(
        starts("[Event \"1\"]\n[Site \"1\"]\n\n[Event \"2\"]\n[Site \"2\"]\n"),
        [1, 4]
    );
    assert_eq!(starts("[Event \"1\"]\n[Event \"2\"]\n"), [1, 2]);
    assert_eq!(starts("[Site \"1\"]\n\n[Site \"2\"]\n"), [1, 3]);
    // A blank line, an escape or a repeated tag inside of the tags of one game.
    assert_eq!(starts("[Event \"1\"]\n\n[Site \"1\"]\n% x\n[Site \"2\"]\n\n*\n"), [1]);
}

#[test]
fn tags_in_comments_are_none_unless_the_comment_never_ends() {
    assert_eq!(
        starts("[Event \"1\"]\n\n1. e4 {a\n[Event \"x\"]\n} *\n[Event \"2\"]\n"),
        [1, 6]
    );
    assert_eq!(starts("[Event \"1\"]\n\n1. e4 {a\n\n[Event \"2\"]\n\n*\n"), [1, 5]);
    assert_eq!(starts("[Event \"1\"]\n\n1. e4 {a {b}\n[Event \"x\"]\n} *\n"), [1]);
    assert_eq!(starts("[Event \"1\"]\n\n1. e4 ; {\n*\n[Event \"2\"]\n"), [1, 5]);
    assert_eq!(
        starts("[Event \"1\"]\n\n% {\n1. e4 *\n[Event \"2 {\"]\n\n*\n[Event \"3\"]\n"),
        [1, 5, 8]
    );
    assert_eq!(
        starts("[Event \"1\"]\n\n1. e4 {[%clk 1]} {x; } *\n[%eval 1]\n[Event \"2\"]\n"),
        [1, 5]
    );
}

#[test]
fn old_and_foreign_line_ends() {
    assert_eq!(
        starts("[Event \"1\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"2\"]\r\n\r\n*\r\n"),
        [1, 5]
    );
    assert_eq!(starts("[Event \"1\"]\r\r1. e4 *\r\r[Event \"2\"]\r\r*"), [1, 5]);
    let marked = split("\u{feff}[Event \"1\"]\n\n*\n\u{feff}[Event \"2\"]\n\n*\n");
    assert_eq!(marked.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [1, 4]);
    assert!(marked[0].1.starts_with('\u{feff}'));
}

#[test]
fn a_text_without_tags_is_cut() {
    let line = "1. e4 e5 {a comment that fills the line, and another, and one more}\n".repeat(64);
    let text = format!("{line}\n").repeat(MAX_SECTION / line.len() + 40);
    let mut splitter = Splitter::new(text.as_bytes());
    let first = splitter.next_sections(1).unwrap().unwrap();
    assert!(first.is_cut && first.bytes.ends_with(b"\n\n") && first.bytes.len() > MAX_SECTION / 2);
    let second = splitter.next_sections(1).unwrap().unwrap();
    assert_eq!(first.bytes.len() + second.bytes.len(), text.len());
    assert_eq!(second.line, first.line_at(first.bytes.len()));
}

proptest! {
    #[test]
    fn how_a_text_arrives_does_not_matter(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "[Event \"a\"]", "[Site \"b\"]", "\n", "\r\n", "\n\n", "1. e4 ", "{", "}", ";", "%", "[", " ", "*", "\r", "\u{feff}",
            ]),
            0..60,
        ),
        wanted in 0usize..40,
        step in 1usize..9,
    ) {
        let text = parts.concat();
        let whole = split(&text);
        prop_assert_eq!(split_by(text.as_bytes(), wanted, text.len().max(1)), whole.clone());
        prop_assert_eq!(split_by(text.as_bytes(), wanted, step), whole);
    }
}

#[test]
fn lines_are_told_in_any_order() {
    let text = b"[Event \"a\"]\n\n1. e4\ne5 *\n";
    let sections = Splitter::new(&text[..]).next_sections(1 << 20).unwrap().unwrap();
    let mut lines = sections.lines();
    for (place, line) in [(0, 1), (13, 3), (13, 3), (19, 4), (2, 1), (24, 5)] {
        assert_eq!(lines.at(place), line, "{place}");
    }
}
