//! Splits a stream of PGN into batches of whole games.
//!
//! Only tag lines are searched for, which is very fast. The text from the first tag of a game to the first tag of the
//! next one is a *section*. If a section holds several games without tags, the reader divides it later.

use std::{
    io::{self, Read},
    ops::Range,
};

use storage::SourceHasher;

use crate::{source::read_full, tagline};

/// The number of bytes read at once.
const READ: usize = 1 << 18;

/// A longer section without a tag line is cut.
const MAX_SECTION: usize = 64 << 20;

/// How many bytes of a line are searched for `%` at its beginning.
const MAX_ESCAPE: usize = 256;

/// After more bytes of tags, a blank line between tags begins a new game.
const MAX_TAGS: usize = 1 << 16;

/// Consecutive sections.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sections {
    /// The text.
    pub(crate) bytes: Vec<u8>,
    /// The start of each section. It ends where the next one begins.
    starts: Vec<usize>,
    /// The offset of the text in the file.
    pub(crate) offset: u64,
    /// The number of its first line in the file.
    pub(crate) line: u64,
    /// Whether the last section was too long and was cut.
    pub(crate) is_cut: bool,
}

impl Sections {
    /// The sections, each as a range of the text.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.bytes.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| start..end)
    }

    /// The line number in the file of a place in the text.
    pub(crate) fn line_at(&self, at: usize) -> u64 {
        self.lines().at(at)
    }

    /// Tells the lines of places.
    pub(crate) fn lines(&self) -> Lines<'_> {
        Lines {
            sections: self,
            place: 0,
            line: self.line,
        }
    }
}

/// Tells the lines of places in a text. It goes on from the last place, so all places of a text cost one pass over it if they
/// ascend: a text may have millions of them.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) sections: &'a Sections,
    place: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line number in the file of a place in the text.
    pub(crate) fn at(&mut self, at: usize) -> u64 {
        if at < self.place {
            (self.place, self.line) = (0, self.sections.line);
        }
        self.line += memchr::memchr_iter(b'\n', &self.sections.bytes[self.place..at]).count() as u64;
        self.place = at;
        self.line
    }
}

/// Reads a stream and splits it into sections.
pub(crate) struct Splitter<R> {
    reader: R,
    at_end: bool,
    /// The bytes that were read and not returned yet.
    buffer: Vec<u8>,
    starts: Vec<usize>,
    /// The next place in the buffer to look for a tag line.
    scanned: usize,
    /// The place up to which braces are counted.
    counted: usize,
    /// The number of comments open at that place.
    depth: u32,
    /// The end of the last tag line, if only blank lines follow it so far.
    tags_end: Option<usize>,
    offset: u64,
    line: u64,
    hasher: SourceHasher,
}

impl<R: Read> Splitter<R> {
    pub(crate) fn new(reader: R) -> Splitter<R> {
        Splitter {
            reader,
            at_end: false,
            buffer: Vec::new(),
            starts: Vec::new(),
            scanned: 0,
            counted: 0,
            depth: 0,
            tags_end: None,
            offset: 0,
            line: 1,
            hasher: SourceHasher::default(),
        }
    }

    /// The number of the next line, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The hashes of the text that was returned or skipped.
    pub(crate) fn hasher(&self) -> &SourceHasher {
        &self.hasher
    }

    /// The next `count` bytes, or fewer at the end.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        // One byte more: a carriage return depends on the byte after it.
        while self.buffer.len() <= count && !self.at_end {
            self.fill()?;
        }
        Ok(&self.buffer[..count.min(self.buffer.len())])
    }

    /// Skips bytes up to an offset in the file. Returns false if the file ends before. May only be called before the
    /// first sections are returned.
    pub(crate) fn skip_to(&mut self, offset: u64) -> io::Result<bool> {
        while self.offset < offset {
            let wanted = usize::try_from(offset - self.offset).unwrap_or(usize::MAX).min(READ);
            let text = self.peek(wanted)?;
            let count = text.len();
            if count == 0 {
                return Ok(false);
            }
            self.hasher.update(&self.buffer[..count]);
            self.line += memchr::memchr_iter(b'\n', &self.buffer[..count]).count() as u64;
            self.offset += count as u64;
            self.buffer.drain(..count);
        }
        Ok(true)
    }

    /// Whether a tag or the end of the file follows.
    pub(crate) fn is_at_game(&mut self) -> io::Result<bool> {
        loop {
            let first = self.buffer.iter().find(|byte| !byte.is_ascii_whitespace()).copied();
            match first {
                Some(byte) => return Ok(byte == b'['),
                None if self.at_end => return Ok(true),
                None => self.fill()?,
            }
        }
    }

    /// The number of bytes returned or skipped.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next sections, together about `wanted` bytes long. Returns `None` at the end.
    pub(crate) fn next_sections(&mut self, wanted: usize) -> io::Result<Option<Sections>> {
        loop {
            self.scan();
            // The last section is complete only when the next one has begun.
            let complete = self.starts.last().copied().unwrap_or(0);
            if complete > 0 && complete >= wanted {
                return Ok(Some(self.take(complete)));
            }
            if self.at_end {
                let length = self.buffer.len();
                return Ok((length > 0).then(|| self.take(length)));
            }
            if self.buffer.len() - complete >= MAX_SECTION {
                let at = if complete > 0 { complete } else { self.place_to_cut() };
                let mut sections = self.take(at);
                sections.is_cut = complete == 0;
                return Ok(Some(sections));
            }
            self.fill()?;
        }
    }

    /// Takes the buffer up to a place.
    fn take(&mut self, end: usize) -> Sections {
        let rest = self.buffer.split_off(end);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let mut starts: Vec<usize> = self.starts.iter().copied().filter(|&start| start < end).collect();
        if starts.first() != Some(&0) {
            starts.insert(0, 0);
        }
        self.starts.retain(|&start| start >= end);
        self.starts.iter_mut().for_each(|start| *start -= end);
        self.scanned = self.scanned.saturating_sub(end);
        self.counted = self.counted.saturating_sub(end);
        self.tags_end = self.tags_end.and_then(|at| at.checked_sub(end));
        let sections = Sections {
            offset: self.offset,
            line: self.line,
            bytes,
            starts,
            is_cut: false,
        };
        self.hasher.update(&sections.bytes);
        self.offset += end as u64;
        self.line = sections.line_at(sections.bytes.len());
        sections
    }

    /// The place to cut a section that is too long: after a blank line, otherwise after a line, otherwise at the end.
    fn place_to_cut(&self) -> usize {
        let text = &self.buffer;
        let blank = memchr::memmem::rfind(text, b"\n\n").map(|at| at + 2);
        let at = blank
            .or_else(|| memchr::memrchr(b'\n', text).map(|at| at + 1))
            .unwrap_or(text.len());
        if at == 0 { text.len() } else { at }
    }

    /// Reads more bytes. A carriage return without a line feed ends a line, as in files of the classic Mac OS.
    fn fill(&mut self) -> io::Result<()> {
        let before = self.buffer.len();
        self.buffer.resize(before + READ, 0);
        let length = read_full(&mut self.reader, &mut self.buffer[before..])?;
        self.buffer.truncate(before + length);
        self.at_end = length < READ;
        let first = before.saturating_sub(1);
        let returns: Vec<usize> = memchr::memchr_iter(b'\r', &self.buffer[first..])
            .map(|at| first + at)
            .collect();
        for at in returns {
            match self.buffer.get(at + 1) {
                Some(b'\n') => {}
                None if !self.at_end => {}
                _ => self.buffer[at] = b'\n',
            }
        }
        Ok(())
    }

    /// Searches the complete lines of the buffer for tag lines.
    fn scan(&mut self) {
        while let Some(found) = memchr::memchr(b'[', &self.buffer[self.scanned..]) {
            let bracket = self.scanned + found;
            let Some(line) = self.line_start(bracket) else {
                self.scanned = bracket + 1;
                continue;
            };
            let Some(length) = memchr::memchr(b'\n', &self.buffer[bracket..]).or_else(|| self.last_line(bracket))
            else {
                // The line is not complete yet.
                self.scanned = bracket;
                return;
            };
            let end = bracket + length;
            self.scanned = end;
            self.bracket_line(line, end);
        }
        self.scanned = self.buffer.len();
    }

    /// The start of a line, if there are only blanks between it and `at`.
    fn line_start(&self, at: usize) -> Option<usize> {
        let blanks = self.buffer[..at]
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let before = &self.buffer[..at - blanks];
        let before = before.strip_suffix(b"\xef\xbb\xbf").unwrap_or(before);
        matches!(before.last(), None | Some(b'\n')).then_some(before.len())
    }

    fn last_line(&self, start: usize) -> Option<usize> {
        (self.at_end || self.buffer.len() - start >= MAX_SECTION).then(|| self.buffer.len() - start)
    }

    /// Handles a line that begins with a bracket. It may be a tag line, and the first one of a game.
    fn bracket_line(&mut self, line: usize, end: usize) {
        let Some(tag) = tagline::read(&self.buffer[line..end]) else {
            return;
        };
        let is_event = tag.name == b"Event";
        let name = tag.name.to_vec();
        self.count_braces(line);
        if self.depth > 0 && !self.follows_blank_line(line) {
            return;
        }
        let is_new = match self.tags_end {
            Some(before) if is_blank(&self.buffer[before..line]) => {
                // The first item is the end of the previous tag line, the last one the beginning of this line.
                let lines: Vec<&[u8]> = self.buffer[before..line].split(|&byte| byte == b'\n').collect();
                let between = lines.get(1..lines.len() - 1).unwrap_or_default();
                let apart = between.iter().any(|line| line.trim_ascii().is_empty());
                (is_event || apart) && self.has_tag(&name, line)
            }
            _ => true,
        };
        if is_new {
            self.starts.push(line);
        }
        self.depth = 0;
        self.counted = end;
        self.tags_end = Some(end);
    }

    /// Whether the current game has a tag with this name, or far too many tags.
    fn has_tag(&self, name: &[u8], before: usize) -> bool {
        let start = self.starts.last().copied().unwrap_or(0);
        if before - start > MAX_TAGS {
            return true;
        }
        let lines = self.buffer[start..before].split(|&byte| byte == b'\n');
        lines.filter_map(tagline::read).any(|tag| tag.name == name)
    }

    fn follows_blank_line(&self, line: usize) -> bool {
        let before = self.buffer[..line].strip_suffix(b"\n").unwrap_or(&self.buffer[..line]);
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        line > 0 && before[start..].trim_ascii().is_empty()
    }

    /// Counts the braces up to a place, except in comments that begin with `;` and in lines that begin with `%`.
    fn count_braces(&mut self, to: usize) {
        let mut at = self.counted;
        while let Some(found) = self
            .buffer
            .get(at..to)
            .and_then(|text| memchr::memchr3(b'{', b'}', b';', text))
        {
            at += found;
            let is_escaped = || {
                let line = &self.buffer[at.saturating_sub(MAX_ESCAPE)..at];
                let line = memchr::memrchr(b'\n', line).map_or(line, |newline| &line[newline + 1..]);
                line.first() == Some(&b'%')
            };
            match self.buffer[at] {
                b'{' if self.depth > 0 || !is_escaped() => self.depth += 1,
                b'}' => self.depth = self.depth.saturating_sub(1),
                b';' if self.depth == 0 => {
                    at += memchr::memchr(b'\n', &self.buffer[at..to]).unwrap_or(to - at);
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        self.counted = self.counted.max(to);
    }
}

/// Whether there are only blank lines, and lines that begin with `%` or `;`.
fn is_blank(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n')
        .all(|line| matches!(line.trim_ascii().first(), None | Some(b'%' | b';')))
}

#[cfg(test)]
mod tests;
