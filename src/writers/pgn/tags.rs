//! The tag pairs of a game as CQL writes them (docs/language/pgn.md#tags, docs/language/output.md#games-as-pgn).

use std::collections::HashMap;

use chess::{Board, GameText};
use storage::{Header, TagColumn};

use super::bytes::Encoder;

/// Names and values in the order in which they are written. Those that a query sets replace others or come last.
pub(super) fn tags(text: &GameText, set: &[(String, Vec<u8>)], encoder: Encoder) -> Vec<(String, Vec<u8>)> {
    let (header, others) = Header::with_others(text);
    let bytes = |value: &str| encoder.bytes(value).into_owned();
    let known = |name: &str, value: &str| (name.to_owned(), bytes(value));
    let column = |column: TagColumn| known(column.name(), header.get(column));
    let mut tags = vec![
        column(TagColumn::Event),
        column(TagColumn::Site),
        column(TagColumn::Date),
        known("Round", find(text, "Round").unwrap_or("?")),
        column(TagColumn::White),
        column(TagColumn::Black),
        known("Result", text.outcome.result()),
    ];
    let kinds = header.rating_kinds().into_iter().zip(header.ratings());
    for (color, (kind, rating)) in ["White", "Black"].into_iter().zip(kinds) {
        if rating > 0 {
            tags.push(known(&format!("{color}{kind}"), &rating.to_string()));
        }
    }
    if !header.get(TagColumn::Eco).is_empty() {
        tags.push(column(TagColumn::Eco));
    }
    if header.get(TagColumn::EventDate) != "????.??.??" {
        tags.push(column(TagColumn::EventDate));
    }
    let own = others.into_iter().map(|index| &text.tags[index]);
    let own = own
        .filter(|(name, _)| !matches!(name.as_str(), "Round" | "Result") && !name.eq_ignore_ascii_case("FEN"))
        .map(|(name, value)| (name.clone(), bytes(value)));
    let set = set.iter().map(|(name, value)| (name.clone(), encoder.added(value)));
    // A repeated name replaces the value of the first.
    let mut places = HashMap::new();
    for (name, value) in own.chain(set) {
        match places.get(&name) {
            Some(&place) => tags[place] = (name, value),
            None => {
                places.insert(name.clone(), tags.len());
                tags.push((name, value));
            }
        }
    }
    tags
}

/// The last value of a tag.
fn find<'t>(text: &'t GameText, wanted: &str) -> Option<&'t str> {
    let mut tags = text.tags.iter().rev();
    let (_, value) = tags.find(|(name, _)| name == wanted)?;
    Some(value)
}

/// The FEN of a game that has one, in CQL's spelling. Where the game was read from, case did not matter in its name.
pub(super) fn fen(text: &GameText, board: &Board) -> Option<String> {
    let mut tags = text.tags.iter().rev();
    let (_, given) = tags.find(|(name, _)| name.eq_ignore_ascii_case("FEN"))?;
    (!given.trim().is_empty()).then(|| board.fen_tag(given))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_fen_is_not_written() {
        let fen_of = |name: &str, given: &str| {
            let text = GameText {
                tags: vec![(name.to_owned(), given.to_owned())],
                ..GameText::default()
            };
            fen(&text, &Board::initial())
        };
        assert_eq!(fen_of("FEN", " "), None);
        assert!(fen_of("FEN", "x w").is_some());
        // The game begins there, too.
        assert!(fen_of("Fen", "x w").is_some());
    }
}
