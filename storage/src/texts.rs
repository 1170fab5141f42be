//! Blocks of texts: tags, comments and glyphs of a few dozen games, of which one is read at a time.

use chess::{EmptyVariation, GameText, Outcome, TextEncoding};
use postings::{
    Damage,
    varint::{self, Reader},
};

/// Writes the texts of a block: their number, the length of each, then each.
pub(crate) fn encode(texts: &[GameText]) -> Vec<u8> {
    let mut out = Vec::new();
    varint::put(&mut out, texts.len() as u64);
    let mut bodies = Vec::new();
    for text in texts {
        let before = bodies.len();
        put_text(&mut bodies, text);
        varint::put(&mut out, (bodies.len() - before) as u64);
    }
    out.extend_from_slice(&bodies);
    out
}

/// Reads one text of a block.
pub(crate) fn decode(bytes: &[u8], index: usize, games: usize) -> Result<GameText, Damage> {
    let mut reader = Reader::new(bytes);
    if reader.count()? != games {
        return Err(Damage::Invalid("a block has more or fewer games than it should"));
    }
    let (mut before, mut length) = (0usize, 0);
    for other in 0..games {
        let size = reader.count()?;
        match other.cmp(&index) {
            std::cmp::Ordering::Less => before += size,
            std::cmp::Ordering::Equal => length = size,
            std::cmp::Ordering::Greater => {}
        }
    }
    reader.bytes(before)?;
    let mut body = Reader::new(reader.bytes(length)?);
    let text = read_text(&mut body)?;
    body.finish()?;
    Ok(text)
}

/// Set in the first byte of a text that was not UTF-8.
const WINDOWS_1252: u8 = 1 << 7;

fn put_text(out: &mut Vec<u8>, text: &GameText) {
    let encoding = match text.encoding {
        TextEncoding::Utf8 => 0,
        TextEncoding::Windows1252 => WINDOWS_1252,
    };
    out.push(outcome_code(text.outcome) | encoding);
    varint::put(out, text.tags.len() as u64);
    for (name, value) in &text.tags {
        varint::put_str(out, name);
        varint::put_str(out, value);
    }
    put_comments(out, &text.comments);
    put_comments(out, &text.variation_comments);
    varint::put(out, text.nags.len() as u64);
    for (node, nag) in &text.nags {
        varint::put(out, u64::from(*node));
        out.push(*nag);
    }
    varint::put(out, text.empty_variations.len() as u64);
    for empty in &text.empty_variations {
        varint::put(out, u64::from(empty.node));
        varint::put(out, u64::from(empty.rank));
        out.push(u8::from(empty.comment.is_some()));
        if let Some(comment) = &empty.comment {
            varint::put_str(out, comment);
        }
    }
}

fn read_text(reader: &mut Reader<'_>) -> Result<GameText, Damage> {
    let first = reader.u8()?;
    let encoding = if first & WINDOWS_1252 == 0 {
        TextEncoding::Utf8
    } else {
        TextEncoding::Windows1252
    };
    let mut text = GameText {
        outcome: outcome_from_code(first & !WINDOWS_1252)?,
        encoding,
        ..GameText::default()
    };
    for _ in 0..reader.count()? {
        text.tags.push((reader.str()?.to_owned(), reader.str()?.to_owned()));
    }
    text.comments = read_comments(reader)?;
    text.variation_comments = read_comments(reader)?;
    for _ in 0..reader.count()? {
        text.nags.push((reader.varint32()?, reader.u8()?));
    }
    for _ in 0..reader.count()? {
        text.empty_variations.push(EmptyVariation {
            node: reader.varint32()?,
            rank: reader.varint32()?,
            comment: match reader.u8()? {
                0 => None,
                1 => Some(reader.str()?.to_owned()),
                _ => return Err(Damage::Invalid("a comment is there or not")),
            },
        });
    }
    Ok(text)
}

fn put_comments(out: &mut Vec<u8>, comments: &[(u32, String)]) {
    varint::put(out, comments.len() as u64);
    for (node, comment) in comments {
        varint::put(out, u64::from(*node));
        varint::put_str(out, comment);
    }
}

fn read_comments(reader: &mut Reader<'_>) -> Result<Vec<(u32, String)>, Damage> {
    (0..reader.count()?)
        .map(|_| Ok((reader.varint32()?, reader.str()?.to_owned())))
        .collect()
}

/// The number of an outcome on disk.
pub(crate) const fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Unknown => 0,
        Outcome::White => 1,
        Outcome::Black => 2,
        Outcome::Draw => 3,
    }
}

/// The outcome with this number.
pub(crate) const fn outcome_from_code(code: u8) -> Result<Outcome, Damage> {
    Ok(match code {
        0 => Outcome::Unknown,
        1 => Outcome::White,
        2 => Outcome::Black,
        3 => Outcome::Draw,
        _ => return Err(Damage::Invalid("an unknown outcome")),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn any_text() -> impl Strategy<Value = GameText> {
        let comments = || prop::collection::vec((any::<u32>(), any::<String>()), 0..3);
        let tags = prop::collection::vec(("[A-Z][a-z]{1,5}", any::<String>()), 0..5);
        let outcome = (0u8..4).prop_map(|code| outcome_from_code(code).unwrap());
        let encoding = prop::bool::ANY.prop_map(|utf8| match utf8 {
            true => TextEncoding::Utf8,
            false => TextEncoding::Windows1252,
        });
        let empty = any::<(u32, u32, Option<String>)>().prop_map(|(node, rank, comment)| EmptyVariation {
            node,
            rank,
            comment,
        });
        (
            tags,
            comments(),
            comments(),
            prop::collection::vec(any::<(u32, u8)>(), 0..3),
            prop::collection::vec(empty, 0..3),
            (outcome, encoding),
        )
            .prop_map(
                |(tags, comments, variation_comments, nags, empty_variations, (outcome, encoding))| GameText {
                    tags,
                    comments,
                    variation_comments,
                    nags,
                    empty_variations,
                    outcome,
                    encoding,
                },
            )
    }

    proptest! {
        #[test]
        fn texts_come_back(texts in prop::collection::vec(any_text(), 1..9)) {
            let bytes = encode(&texts);
            for (index, text) in texts.iter().enumerate() {
                prop_assert_eq!(&decode(&bytes, index, texts.len()).unwrap(), text);
            }
        }

        #[test]
        fn damage_never_panics(texts in prop::collection::vec(any_text(), 1..4), at: usize, value: u8, cut: usize) {
            let mut bytes = encode(&texts);
            let at = at % bytes.len();
            bytes[at] = value;
            for index in 0..texts.len() {
                let _ = decode(&bytes, index, texts.len());
                let _ = decode(&bytes[..cut % bytes.len()], index, texts.len());
            }
        }
    }
}
