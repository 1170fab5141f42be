//! Names of a database by what is typed.

use std::cmp::Reverse;

use cqldex::NameField;
use serde::Deserialize;

/// What names are of.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Field {
    Player,
    Event,
    Site,
    Eco,
}

impl From<Field> for NameField {
    fn from(field: Field) -> NameField {
        match field {
            Field::Player => NameField::Player,
            Field::Event => NameField::Event,
            Field::Site => NameField::Site,
            Field::Eco => NameField::Eco,
        }
    }
}

/// A name with the number of its games.
#[derive(Debug)]
pub(crate) struct Name {
    pub(crate) name: String,
    pub(crate) games: u64,
    /// The name in lower case.
    folded: String,
}

/// All names of a field, those with the most games first.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<Name>);

impl Name {
    pub(crate) fn new(name: String, games: u64) -> Name {
        Name {
            folded: name.to_lowercase(),
            name,
            games,
        }
    }
}

impl Names {
    pub(crate) fn new(all: Vec<(String, u64)>) -> Names {
        let names = all.into_iter().map(|(name, games)| Name::new(name, games));
        let mut names: Vec<Name> = names.collect();
        names.sort_by_key(|name| Reverse(name.games));
        Names(names)
    }

    /// Names that begin with a text, then those of which a word begins with it, then those that contain it; upper and lower
    /// case are the same. Of each kind those with the most games come first.
    pub(crate) fn find(&self, text: &str, count: usize) -> Vec<&Name> {
        let text = text.to_lowercase();
        let mut found: [Vec<&Name>; 3] = Default::default();
        for name in &self.0 {
            let kind = match name.folded.find(&text) {
                None => continue,
                Some(0) => 0,
                Some(_) if begins_word(&name.folded, &text) => 1,
                Some(_) => 2,
            };
            if found[kind].len() < count {
                found[kind].push(name);
            }
            if found[0].len() >= count {
                break;
            }
        }
        found.into_iter().flatten().take(count).collect()
    }
}

/// Whether a word of a name begins with a text.
fn begins_word(name: &str, text: &str) -> bool {
    let mut places = name.match_indices(text);
    places.any(|(at, _)| !name[..at].ends_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_come_first_and_then_what_is_frequent() {
        let all = [
            ("Tal, Mikhail", 5),
            ("Talbot", 9),
            ("Vidmar, Milan Tal", 50),
            ("Capatal", 70),
            ("Euwe", 99),
        ];
        let names = Names::new(all.map(|(name, games)| (name.to_owned(), games)).into());
        let found = |text: &str, count| -> Vec<&str> {
            names
                .find(text, count)
                .into_iter()
                .map(|name| name.name.as_str())
                .collect()
        };
        assert_eq!(
            found("tal", 10),
            ["Talbot", "Tal, Mikhail", "Vidmar, Milan Tal", "Capatal"]
        );
        assert_eq!(found("TAL,", 10), ["Tal, Mikhail"]);
        assert_eq!(found("", 2), ["Euwe", "Capatal"]);
        assert!(found("nobody", 10).is_empty());
    }
}
