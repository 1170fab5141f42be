//! The tag pairs of a game as CQL writes them (cql6-games 1.3, 9.5).

use std::collections::HashMap;

use chess::{GameText, Outcome};
use storage::{Header, TagColumn};

use super::bytes::Encoder;

/// Names and values in the order in which they are written; those that a query sets replace others or come behind.
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
        known("Result", result(text.outcome)),
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
    // A name that comes again gives its value to the first.
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
pub(super) fn find<'t>(text: &'t GameText, wanted: &str) -> Option<&'t str> {
    let mut tags = text.tags.iter().rev();
    let (_, value) = tags.find(|(name, _)| name == wanted)?;
    Some(value)
}

/// The result as it stands in a tag and at the end of the movetext.
pub(super) fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::White => "1-0",
        Outcome::Black => "0-1",
        Outcome::Draw => "1/2-1/2",
        Outcome::Unknown => "*",
    }
}
