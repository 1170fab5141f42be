//! The tag pairs of a game as CQL writes them (cql6-games 1.3, 9.5).

use storage::{GameText, Header, Outcome, TagColumn};

/// Names that are not written among the others, in lower case.
const FIXED: [&str; 12] = [
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "result",
    "whiteelo",
    "blackelo",
    "eco",
    "eventdate",
    "fen",
];

/// Names and values in the order in which they are written; those that a query sets replace others or come behind.
pub(super) fn tags(text: &GameText, set: &[(String, String)], fen: Option<String>) -> Vec<(String, String)> {
    let header = Header::from_text(text);
    let value = |column| header.get(column).to_owned();
    let known = |name: &str, value: String| (name.to_owned(), value);
    let round = find(text, "Round").unwrap_or("?").to_owned();
    let mut tags = vec![
        known("Event", value(TagColumn::Event)),
        known("Site", value(TagColumn::Site)),
        known("Date", value(TagColumn::Date)),
        known("Round", round),
        known("White", value(TagColumn::White)),
        known("Black", value(TagColumn::Black)),
        known("Result", result(text.outcome).to_owned()),
    ];
    for (name, rating) in ["WhiteElo", "BlackElo"].into_iter().zip(header.ratings()) {
        if rating > 0 {
            tags.push(known(name, rating.to_string()));
        }
    }
    if !header.get(TagColumn::Eco).is_empty() {
        tags.push(known("ECO", value(TagColumn::Eco)));
    }
    if header.get(TagColumn::EventDate) != "????.??.??" {
        tags.push(known("EventDate", value(TagColumn::EventDate)));
    }
    let mut others: Vec<(String, String)> = Vec::new();
    let own = text.tags.iter().filter(|(name, _)| !is_fixed(name));
    for (name, value) in own.chain(set) {
        match others.iter_mut().find(|(other, _)| other == name) {
            Some((_, old)) => old.clone_from(value),
            None => others.push((name.clone(), value.clone())),
        }
    }
    tags.extend(others);
    tags.extend(fen.map(|fen| known("FEN", fen)));
    tags
}

fn is_fixed(name: &str) -> bool {
    FIXED.iter().any(|fixed| fixed.eq_ignore_ascii_case(name))
}

/// The last value of a tag.
pub(super) fn find<'t>(text: &'t GameText, wanted: &str) -> Option<&'t str> {
    let mut tags = text.tags.iter().rev();
    let (_, value) = tags.find(|(name, _)| name.eq_ignore_ascii_case(wanted))?;
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
