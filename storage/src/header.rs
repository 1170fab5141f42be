//! What the filters on players, events, dates, openings, ratings and results read, in CQL's spelling
//! (docs/language/pgn.md#tags, docs/language/text.md#header-filters).

use std::borrow::Cow;

use chess::{GameText, Outcome};

use crate::tags::TagColumn;

/// No rating is higher; what claims to be is taken as this.
pub(crate) const MAX_RATING: u16 = 4000;

/// No year is later; what claims to be is unknown.
const MAX_YEAR: u32 = 10_000;

/// What may follow `White` or `Black` in the name of a tag that gives a rating.
const RATINGS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "BCF"];

/// The tags of one game as filters see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header<'a> {
    values: [Cow<'a, str>; TagColumn::ALL.len()],
    ratings: [u16; 2],
    rating_kinds: [&'static str; 2],
    outcome: Outcome,
}

impl<'a> Header<'a> {
    /// Reads the tags of a game, whose names may be in lower case. A tag that comes twice counts with its last value, a
    /// rating with its first that is not zero, unless the player's name ends in one: `Steinitz, W. (2650)`.
    pub fn from_text(text: &'a GameText) -> Header<'a> {
        Header::read_all(text, |_| ())
    }

    /// The same, with the indices of the tags that say nothing of this.
    pub fn with_others(text: &'a GameText) -> (Header<'a>, Vec<usize>) {
        let mut others = Vec::new();
        let header = Header::read_all(text, |index| others.push(index));
        (header, others)
    }

    fn read_all(text: &'a GameText, mut other: impl FnMut(usize)) -> Header<'a> {
        let mut header = Header {
            values: ["?", "?", "?", "?", "????.??.??", "????.??.??", ""].map(Cow::Borrowed),
            ratings: [0; 2],
            rating_kinds: [RATINGS[0]; 2],
            outcome: text.outcome,
        };
        for (index, (name, value)) in text.tags.iter().enumerate() {
            if !header.read(name, value) {
                other(index);
            }
        }
        header
    }

    /// The value in a column; empty if absent.
    pub fn get(&self, column: TagColumn) -> &str {
        &self.values[column as usize]
    }

    /// The ratings of White and Black, 0 where unknown.
    pub fn ratings(&self) -> [u16; 2] {
        self.ratings
    }

    /// What kinds of ratings these are, as in the names of their tags: `Elo`, `USCF`.
    pub fn rating_kinds(&self) -> [&'static str; 2] {
        self.rating_kinds
    }

    /// How the game ended.
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    /// Takes a tag; says whether it belongs here.
    fn read(&mut self, name: &str, value: &'a str) -> bool {
        let Some(column) = TagColumn::ALL
            .into_iter()
            .find(|column| column.name().eq_ignore_ascii_case(name))
        else {
            return self.read_rating(name, value);
        };
        self.values[column as usize] = match column {
            TagColumn::White | TagColumn::Black => {
                let mut name = player(value);
                if let Some(rating) = split_rating(&mut name) {
                    self.ratings[column as usize] = rating;
                    self.rating_kinds[column as usize] = RATINGS[0];
                }
                name
            }
            TagColumn::Event | TagColumn::Site => value.into(),
            TagColumn::Date | TagColumn::EventDate => date(value),
            TagColumn::Eco => eco(value),
        };
        true
    }

    fn read_rating(&mut self, name: &str, value: &str) -> bool {
        for (at, color) in ["White", "Black"].into_iter().enumerate() {
            let kind = name
                .strip_prefix(color)
                .and_then(|name| RATINGS.into_iter().find(|kind| *kind == name));
            if let Some(kind) = kind.filter(|_| self.ratings[at] == 0) {
                self.ratings[at] = leading_rating(value);
                self.rating_kinds[at] = kind;
                return true;
            }
        }
        false
    }
}

/// The number that a text begins with, after spaces; 0 if there is none. Too large ones stay large.
fn leading_number(text: &str) -> u32 {
    let text = text.trim_start();
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold(0u32, |number, digit| {
        number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
    })
}

/// The rating that a text begins with; too large ones count as [`MAX_RATING`].
fn leading_rating(text: &str) -> u16 {
    u16::try_from(leading_number(text)).map_or(MAX_RATING, |rating| rating.min(MAX_RATING))
}

/// A player's name: one space after each comma, none before the name, no spaces, tabs and dots after it, and a
/// capital only at the front of the prefixes `Van de`, `Van den`, `Van der`.
fn player(raw: &str) -> Cow<'_, str> {
    let bytes = raw.as_bytes();
    let is_spaced =
        |at: usize| bytes[at] != b',' || bytes.get(at + 1) == Some(&b' ') && bytes.get(at + 2) != Some(&b' ');
    let is_usual = !matches!(bytes, [] | [b' ' | b'v' | b'V', ..] | [.., b'.' | b' ' | b'\t' | b',']);
    if is_usual && (0..bytes.len()).all(is_spaced) {
        return raw.into();
    }
    let mut name = String::with_capacity(raw.len() + 4);
    let mut after_comma = false;
    for character in raw.chars() {
        match character {
            ' ' if after_comma || name.is_empty() => continue,
            ',' => after_comma = true,
            _ if after_comma && character != ' ' => {
                name.push(' ');
                after_comma = false;
            }
            _ => {}
        }
        name.push(character);
    }
    name.truncate(name.trim_end_matches(['.', ' ', '\t']).len());
    if name.starts_with("van ") {
        name.replace_range(..1, "V");
    }
    if ["Van Der ", "Van Den ", "Van De "]
        .iter()
        .any(|prefix| name.starts_with(prefix))
    {
        name.replace_range(4..5, "d");
    }
    name.into()
}

/// Takes a rating of four digits in parentheses from the end of a name.
fn split_rating(name: &mut Cow<'_, str>) -> Option<u16> {
    let (before, rest) = name.strip_suffix(')')?.rsplit_once(" (")?;
    if before.is_empty() || rest.len() != 4 || !rest.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rating = leading_rating(rest);
    let length = before.len();
    match name {
        Cow::Borrowed(name) => *name = &name[..length],
        Cow::Owned(name) => name.truncate(length),
    }
    Some(rating)
}

/// A date as `YYYY.MM.DD`, with `?` for what is unknown or can't be. What follows a month that can't be is unknown.
fn date(raw: &str) -> Cow<'_, str> {
    if is_usual_date(raw.as_bytes()) {
        return raw.into();
    }
    let mut parts = raw.splitn(3, '.').map(leading_number);
    let mut part = || parts.next().unwrap_or(0);
    let year = Some(part()).filter(|&year| year <= MAX_YEAR).unwrap_or(0);
    let month = part();
    let (month, day) = if month > 12 { (0, 0) } else { (month, part()) };
    let day = if day > 31 { 0 } else { day };
    let two = |number: u32| {
        if number == 0 {
            "??".to_owned()
        } else {
            format!("{number:02}")
        }
    };
    let year = if year == 0 {
        "????".to_owned()
    } else {
        format!("{year:04}")
    };
    format!("{year}.{}.{}", two(month), two(day)).into()
}

/// Whether a date is spelled as it should be, so far as is easily seen.
fn is_usual_date(raw: &[u8]) -> bool {
    let &[y, _, _, _, b'.', a, b, b'.', c, d] = raw else {
        return false;
    };
    let is_number = |tens: u8, ones: u8, max: u8| {
        tens.is_ascii_digit() && ones.is_ascii_digit() && (1..=max).contains(&((tens - b'0') * 10 + ones - b'0'))
    };
    let is_year = y != b'0' && raw[..4].iter().all(u8::is_ascii_digit) || raw[..4] == *b"????";
    is_year && (is_number(a, b, 12) || (a, b) == (b'?', b'?')) && (is_number(c, d, 31) || (c, d) == (b'?', b'?'))
}

/// A code of the Encyclopaedia of Chess Openings with its extension: `A00` to `E99`, a letter, 1 to 4. Missing digits
/// are zero; anything else is absent.
fn eco(raw: &str) -> Cow<'_, str> {
    if matches!(raw.as_bytes(), [] | [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']) {
        return raw.into();
    }
    read_eco(raw).into()
}

fn read_eco(raw: &str) -> String {
    let mut bytes = raw.bytes();
    let Some(volume @ b'A'..=b'E') = bytes.next().map(|byte| byte.to_ascii_uppercase()) else {
        return String::new();
    };
    let mut code = String::from(char::from(volume));
    for _ in 0..2 {
        match bytes.next() {
            Some(digit @ b'0'..=b'9') => code.push(char::from(digit)),
            None => code.push('0'),
            Some(_) => return String::new(),
        }
    }
    if let Some(letter @ b'a'..=b'z') = bytes.next() {
        code.push(char::from(letter));
        if let Some(digit @ b'1'..=b'4') = bytes.next() {
            code.push(char::from(digit));
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(tags: &[(&str, &str)]) -> GameText {
        let tags = tags
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        GameText {
            tags,
            ..GameText::default()
        }
    }

    #[test]
    fn names_are_spelled_in_one_way() {
        for (raw, wanted) in [
            ("kasparov,garry.", "kasparov, garry"),
            (" A ,  B , c. ", "A , B , c"),
            ("van der Sterren", "Van der Sterren"),
            ("Van Den Doel,E", "Van den Doel, E"),
            ("Vander, X", "Vander, X"),
            ("Lasker, Em..\t ", "Lasker, Em"),
            ("", ""),
            (",", ","),
            ("A, B", "A, B"),
            ("A,  B", "A, B"),
            ("A,", "A,"),
            ("A , B", "A , B"),
        ] {
            assert_eq!(player(raw), wanted);
        }
    }

    #[test]
    fn dates_are_spelled_in_one_way() {
        for (raw, wanted) in [
            ("2001.2.3", "2001.02.03"),
            ("1999", "1999.??.??"),
            ("03.02.2001", "0003.02.??"),
            ("1984.??.??", "1984.??.??"),
            ("1984.13.05", "1984.??.??"),
            ("20011.5.7", "????.05.07"),
            ("", "????.??.??"),
            ("1999.00.31", "1999.??.31"),
            ("0099.10.31", "0099.10.31"),
            ("1999.?.?", "1999.??.??"),
            ("199?.01.02", "0199.01.02"),
        ] {
            assert_eq!(date(raw), wanted);
        }
    }

    #[test]
    fn openings_are_codes_or_absent() {
        for (raw, wanted) in [
            ("A0", "A00"),
            ("B23xyz", "B23x"),
            ("a41b7", "A41b"),
            ("E99z4", "E99z4"),
            ("F00", ""),
            ("Bxx", ""),
            ("", ""),
        ] {
            assert_eq!(eco(raw), wanted);
        }
    }

    #[test]
    fn ratings_come_from_the_first_tag_or_the_name() {
        let one = text(&[
            ("WhiteRating", "x"),
            ("WhiteElo", "2100"),
            ("WhiteUSCF", "2200"),
            ("BlackElo", "9999"),
        ]);
        let (one, others) = Header::with_others(&one);
        assert_eq!(one.ratings(), [2100, 4000]);
        assert_eq!((one.rating_kinds(), others), (["Elo", "Elo"], vec![2]));
        let two = text(&[
            ("BlackUSCF", "2000"),
            ("Black", "Morphy, P. (2690)"),
            ("White", "(2690)"),
        ]);
        let two = Header::from_text(&two);
        assert_eq!((two.ratings(), two.rating_kinds()), ([0, 2690], ["Elo", "Elo"]));
        assert_eq!(two.get(TagColumn::Black), "Morphy, P.");
        assert_eq!(two.get(TagColumn::White), "(2690)");
    }

    #[test]
    fn missing_tags_have_their_own_values() {
        let none = text(&[("Black", ""), ("Site", "a"), ("Site", "b")]);
        let none = Header::from_text(&none);
        let values = TagColumn::ALL.map(|column| none.get(column));
        assert_eq!(values, ["?", "", "?", "b", "????.??.??", "????.??.??", ""]);
    }
}
