//! Cuts a stream of PGN into batches of whole games.
//!
//! Only tag lines are looked for here, as fast as memory can be searched: everything from the first tag of a game to
//! the first of the next is one *section*. A section without a result between two tagless games is divided later.

use std::{
    io::{self, Read},
    ops::Range,
};

use storage::SourceHasher;

use crate::{source::read_full, tagline};

/// How many bytes are read at once.
const READ: usize = 1 << 18;

/// A section without a tag line is cut when it is this long.
const MAX_SECTION: usize = 64 << 20;

/// How long a line that begins with `%` is looked at.
const MAX_ESCAPE: usize = 256;

/// A blank line between tags ends the game when they take more bytes than this.
const MAX_TAGS: usize = 1 << 16;

/// Some sections in a row.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sections {
    /// The text.
    pub(crate) bytes: Vec<u8>,
    /// Where each section begins; it goes to the beginning of the next, or to the end.
    starts: Vec<usize>,
    /// Where the text is in the file.
    pub(crate) offset: u64,
    /// The number of its first line in the file.
    pub(crate) line: u64,
    /// Whether the last section was cut because it is too long.
    pub(crate) is_cut: bool,
}

impl Sections {
    /// The sections, each as a range of the text.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = self.starts.iter().skip(1).copied().chain([self.bytes.len()]);
        self.starts.iter().copied().zip(ends).map(|(start, end)| start..end)
    }

    /// The number of the line in the file that a place in the text is on.
    pub(crate) fn line_at(&self, at: usize) -> u64 {
        self.line + memchr::memchr_iter(b'\n', &self.bytes[..at]).count() as u64
    }
}

/// Reads a stream and cuts it.
pub(crate) struct Splitter<R> {
    reader: R,
    at_end: bool,
    /// What was read and not given away.
    buffer: Vec<u8>,
    starts: Vec<usize>,
    /// The next place in the buffer to look for a tag line.
    scanned: usize,
    /// Up to where braces were counted.
    counted: usize,
    /// How many comments are open there.
    depth: u32,
    /// The end of the last tag line, if nothing but blank lines has come after it.
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

    /// The number of the line that is given away next, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// The hashes of what was given away.
    pub(crate) fn hasher(&self) -> &SourceHasher {
        &self.hasher
    }

    /// The first bytes of what was not given away yet, up to so many.
    pub(crate) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        // One more: a carriage return is only known for what it is when the next byte is.
        while self.buffer.len() <= count && !self.at_end {
            self.fill()?;
        }
        Ok(&self.buffer[..count.min(self.buffer.len())])
    }

    /// Gives bytes away unread, up to a place in the file; false if that ends before it. Only before the first
    /// sections.
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

    /// Whether a tag, or nothing at all, follows what was given away.
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

    /// How many bytes were given away.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next sections, of together about as many bytes as wanted; nothing at the end.
    pub(crate) fn next_sections(&mut self, wanted: usize) -> io::Result<Option<Sections>> {
        loop {
            self.scan();
            // The last section is complete only when the next one has begun.
            let complete = self.starts.last().copied().unwrap_or(0);
            if complete > 0 && complete >= wanted {
                return Ok(Some(self.give(complete)));
            }
            if self.at_end {
                let length = self.buffer.len();
                return Ok((length > 0).then(|| self.give(length)));
            }
            if self.buffer.len() - complete >= MAX_SECTION {
                let at = if complete > 0 { complete } else { self.place_to_cut() };
                let mut sections = self.give(at);
                sections.is_cut = complete == 0;
                return Ok(Some(sections));
            }
            self.fill()?;
        }
    }

    /// Gives away the buffer up to a place.
    fn give(&mut self, end: usize) -> Sections {
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

    /// Where a section that is too long is cut: at a blank line, else at a line, else anywhere.
    fn place_to_cut(&self) -> usize {
        let text = &self.buffer;
        let blank = memchr::memmem::rfind(text, b"\n\n").map(|at| at + 2);
        let at = blank
            .or_else(|| memchr::memrchr(b'\n', text).map(|at| at + 1))
            .unwrap_or(text.len());
        if at == 0 { text.len() } else { at }
    }

    /// Reads more. A carriage return that no line feed follows ends a line, as on old machines.
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

    /// Looks for tag lines in what was read, as far as lines are complete.
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

    /// The beginning of the line if there are only blanks before a place on it.
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

    /// A line that begins with a bracket: is it a tag line, and the first of a game?
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
                // The first is the end of the tag line, the last the beginning of this one.
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

    /// Whether the game that the last tag belongs to has a tag of this name, or far too many tags.
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

    /// Counts the braces up to a place, but those in comments that begin with `;` and in lines that begin with `%`.
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

/// Whether there are only blank lines and such as are no text: `%` and `;`.
fn is_blank(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n')
        .all(|line| matches!(line.trim_ascii().first(), None | Some(b'%' | b';')))
}

#[cfg(test)]
mod tests;
