//! What somebody may have meant who gave a name that there is not.

/// Names that are less similar than this are not named.
const SIMILAR: f64 = 0.5;

/// Names that are by this much less similar than the best one are not named beside it.
const MUCH: f64 = 0.2;

/// How many names are named at most.
const NAMED: usize = 3;

/// The known names that are most similar, the best first; none if all are quite different.
pub(crate) fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<&'k str> {
    let lower = name.to_ascii_lowercase();
    let rated = known.into_iter().map(|known| {
        let similar = strsim::normalized_damerau_levenshtein(&lower, &known.to_ascii_lowercase());
        // Who writes `rating` may mean `white_rating`; short words are in other names by chance.
        let contains = lower.len() > 3 && known.to_ascii_lowercase().contains(&lower);
        (if contains { similar.max(0.75) } else { similar }, known)
    });
    let mut rated: Vec<(f64, &str)> = rated.filter(|(similar, _)| *similar >= SIMILAR).collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = rated.first().map_or(0.0, |(similar, _)| *similar);
    rated.retain(|(similar, _)| similar + MUCH > best);
    rated.truncate(NAMED);
    rated.into_iter().map(|(_, known)| known).collect()
}

/// What is wrong with a name, for the user: `there is no column`, and the nearest known ones, or all of them.
pub(crate) fn unknown<'k>(problem: &str, name: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let quoted = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    };
    match nearest(name, known.iter().copied()).as_slice() {
        [] => format!("{problem} `{name}`; there are {}", known.join(", ")),
        near => format!("{problem} `{name}`; did you mean {}?", quoted(near)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let known = ["white", "white_rating", "black_rating", "result", "side"];
        assert_eq!(nearest("wite", known), ["white"]);
        assert_eq!(nearest("whit", known), ["white", "white_rating"]);
        assert_eq!(nearest("rating", known), ["white_rating", "black_rating"]);
        assert_eq!(nearest("RESULT", known), ["result"]);
        assert!(nearest("xyz", known).is_empty());
    }

    #[test]
    fn a_message_names_what_there_is() {
        let known = ["white", "white_rating", "black_rating"];
        assert_eq!(
            unknown("there is no column", "rating", known),
            "there is no column `rating`; did you mean `white_rating` or `black_rating`?"
        );
        assert_eq!(
            unknown("there is no column", "q", known),
            "there is no column `q`; there are white, white_rating, black_rating"
        );
    }
}
