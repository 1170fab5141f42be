//! Strings: bytes, the search in them, and regular expressions.

use std::borrow::Cow;

use language::hir::Regex;

/// The bytes of a string; borrowed where the query or the game holds them.
pub(crate) type Text<'a> = Cow<'a, [u8]>;

/// The groups of a match of a regular expression: where each starts, and its text.
pub(crate) type Groups = Vec<Option<(usize, Vec<u8>)>>;

/// The bytes of a string that is held elsewhere.
pub(crate) fn borrowed(text: &str) -> Text<'_> {
    Cow::Borrowed(text.as_bytes())
}

/// Where the first occurrence of a pattern starts.
pub(crate) fn find(pattern: &[u8], text: &[u8]) -> Option<usize> {
    let Some((first, rest)) = pattern.split_first() else {
        return Some(0);
    };
    // The first byte rules out most windows.
    text.windows(pattern.len())
        .position(|window| window[0] == *first && window[1..] == *rest)
}

/// The first match at or after a byte, with its groups.
///
/// CQL's strings are bytes. Where they are not UTF-8 each byte stands for the Latin-1 character of its number, so that
/// offsets stay byte offsets.
pub(crate) fn first_match(regex: &Regex, text: &[u8], from: usize) -> Option<Groups> {
    match std::str::from_utf8(text) {
        Ok(text) => {
            let found = regex.program.find_from(text, from).next()?;
            Some(
                found
                    .groups()
                    .map(|group| group.map(|range| (range.start, text.as_bytes()[range].to_vec())))
                    .collect(),
            )
        }
        Err(_) => {
            let wide: String = text.iter().map(|&byte| char::from(byte)).collect();
            let offsets: Vec<usize> = wide
                .char_indices()
                .map(|(offset, _)| offset)
                .chain([wide.len()])
                .collect();
            let byte = |offset: usize| offsets.partition_point(|&start| start < offset);
            let found = regex.program.find_from(&wide, *offsets.get(from)?).next()?;
            let groups = found
                .groups()
                .map(|group| group.map(|range| (byte(range.start), text[byte(range.start)..byte(range.end)].to_vec())));
            Some(groups.collect())
        }
    }
}
