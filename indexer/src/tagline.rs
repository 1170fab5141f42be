//! Reads lines with a tag pair: `[Name "value"]`.

/// A tag pair, as written on its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagLine<'a> {
    pub(crate) name: &'a [u8],
    /// The text between the first and the last quotation mark.
    pub(crate) value: &'a [u8],
}

/// Reads a line (without its line end) as a tag pair. Returns `None` for any other line. The closing quotation mark and
/// the bracket may be missing. As in CQL, the last quotation mark ends the value.
pub(crate) fn read(line: &[u8]) -> Option<TagLine<'_>> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
    let rest = line.strip_prefix(b"[")?.trim_ascii_start();
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte))
        .count();
    let (name, rest) = rest.split_at(length);
    let rest = rest.trim_ascii_start().strip_prefix(b"\"")?;
    if name.is_empty() {
        return None;
    }
    let value = match memchr::memrchr(b'"', rest) {
        Some(end) => &rest[..end],
        None => rest.strip_suffix(b"]").unwrap_or(rest),
    };
    Some(TagLine { name, value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_lines_of_all_kinds() {
        let pair = |line: &'static str| {
            read(line.as_bytes()).map(|tag| (str::from_utf8(tag.name).unwrap(), str::from_utf8(tag.value).unwrap()))
        };
        assert_eq!(pair("[Event \"a\"]"), Some(("Event", "a")));
        assert_eq!(pair("  [ Event \"a \"b\" c\" ]\r"), Some(("Event", "a \"b\" c")));
        assert_eq!(pair("[Event\"a]"), Some(("Event", "a")));
        assert_eq!(pair("[X-Y \"a\"]"), Some(("X-Y", "a")));
        assert_eq!(pair("[%clk 1:00]"), None);
        assert_eq!(pair("[Event a]"), None);
        assert_eq!(pair("1. e4 [Event \"a\"]"), None);
    }
}
