//! The words of the language with their documentation, taken from the reference.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use language::syntax::Keyword;
use serde::Serialize;

use crate::examples;

/// The chapters, those that define a word before those that mention it.
const CHAPTERS: [(&str, &str); 14] = [
    ("positions", include_str!("../../../docs/language/positions.md")),
    ("moves", include_str!("../../../docs/language/moves.md")),
    ("sequences", include_str!("../../../docs/language/sequences.md")),
    ("games", include_str!("../../../docs/language/games.md")),
    ("control", include_str!("../../../docs/language/control.md")),
    ("text", include_str!("../../../docs/language/text.md")),
    ("transforms", include_str!("../../../docs/language/transforms.md")),
    ("output", include_str!("../../../docs/language/output.md")),
    ("annotations", include_str!("../../../docs/language/annotations.md")),
    ("cqli", include_str!("../../../docs/language/cqli.md")),
    ("studies", include_str!("../../../docs/language/studies.md")),
    ("kinds", include_str!("../../../docs/language/kinds.md")),
    ("syntax", include_str!("../../../docs/language/syntax.md")),
    ("language", include_str!("../../../docs/language.md")),
];

/// What the first column of a table is called that says how something is written.
const FORM_COLUMNS: [&str; 5] = ["form", "filter", "word", "parameter", "argument"];

/// The section with all reserved words; those in its last row have no use.
const RESERVED: &str = "Reserved words";
const NO_USE: &str = "no use";

/// Signs that are documented like words.
const SIGNS: [&str; 8] = ["->", "<-", "--", "[x]", "#", "~", "==", "!="];

/// How many forms of a word are listed, and how long a meaning taken from prose may be.
const FORMS: usize = 4;
const PROSE: usize = 400;

/// A way to write something, and what that means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Form {
    /// How it is written: `S attacks T`.
    pub form: String,
    /// What it means, with code between backquotes.
    pub meaning: String,
    /// The chapter of the reference that says so.
    pub chapter: &'static str,
    /// The section of that chapter.
    pub section: String,
}

/// What the reference says of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The ways to write it.
    pub forms: Vec<Form>,
    /// A query with it, if a short one is known.
    pub example: Option<&'static str>,
}

static WORDS: LazyLock<BTreeMap<&'static str, Entry>> = LazyLock::new(read);

/// What the reference says of a reserved word, an extension or a sign such as `->`.
pub fn entry(word: &str) -> Option<&'static Entry> {
    WORDS.get(word)
}

/// All words with what the reference says of them, in the order of the alphabet.
pub fn words() -> impl Iterator<Item = (&'static str, &'static Entry)> {
    WORDS.iter().map(|(word, entry)| (*word, entry))
}

/// A paragraph or a row of a table.
struct Piece {
    /// The code at its beginning, if it defines something: the first cell of a row.
    form: Option<String>,
    text: String,
    chapter: &'static str,
    section: String,
}

fn read() -> BTreeMap<&'static str, Entry> {
    let pieces: Vec<Piece> = CHAPTERS.iter().flat_map(|(name, text)| pieces(name, text)).collect();
    let examples = examples::read(&CHAPTERS);
    let keywords = Keyword::ALL.iter().map(|keyword| keyword.text());
    let all = keywords.chain(language::extension_words()).chain(SIGNS);
    all.map(|word| {
        let forms = forms(word, &pieces);
        let place = forms.first().map(|form| (form.chapter, form.section.as_str()));
        let example = place.and_then(|(chapter, section)| examples::of(word, chapter, section, &examples));
        (word, Entry { forms, example })
    })
    .collect()
}

fn pieces(chapter: &'static str, text: &str) -> Vec<Piece> {
    let (mut found, mut section, mut is_code) = (Vec::new(), String::new(), false);
    let (mut paragraph, mut column) = (String::new(), None);
    let end = |paragraph: &mut String, section: &str, found: &mut Vec<Piece>| {
        if !paragraph.is_empty() {
            found.push(Piece {
                form: None,
                text: std::mem::take(paragraph),
                chapter,
                section: section.to_owned(),
            });
        }
    };
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        if !line.starts_with('|') {
            column = None;
        }
        if is_code || line.starts_with("```") {
            end(&mut paragraph, &section, &mut found);
        } else if let Some(heading) = line.strip_prefix('#') {
            end(&mut paragraph, &section, &mut found);
            heading.trim_start_matches('#').trim().clone_into(&mut section);
        } else if line.starts_with('|') {
            end(&mut paragraph, &section, &mut found);
            let line = line.replace("\\|", "\u{1}");
            let mut cells = line
                .trim_matches('|')
                .split('|')
                .map(|cell| plain(&cell.replace('\u{1}', "|")));
            let first = cells.next().unwrap_or_default();
            let text = cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(": ");
            let column = column.get_or_insert_with(|| first.clone());
            let is_row = *column != first && !first.starts_with('-');
            if is_row && (FORM_COLUMNS.contains(&column.as_str()) || section == RESERVED) {
                found.push(Piece {
                    form: Some(first),
                    text,
                    chapter,
                    section: section.clone(),
                });
            }
        } else if line.trim().is_empty() {
            end(&mut paragraph, &section, &mut found);
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim());
        }
    }
    end(&mut paragraph, &section, &mut found);
    found
}

/// Without links: their texts stay.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.trim();
    while let Some(open) = rest.find('[') {
        let link = rest[open..].find("](").and_then(|middle| {
            let end = rest[open + middle..].find(')')?;
            Some((&rest[open + 1..open + middle], open + middle + end + 1))
        });
        // Code has brackets, too.
        match link
            .filter(|(inner, _)| !inner.contains(['[', '`']) && rest[..open].matches('`').count().is_multiple_of(2))
        {
            Some((inner, end)) => {
                out.push_str(&rest[..open]);
                out.push_str(inner);
                rest = &rest[end..];
            }
            None => {
                out.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

/// Whether a text has a word in code, as a word of its own.
fn code_with(text: &str, word: &str) -> Option<String> {
    let codes = text.split('`').skip(1).step_by(2);
    let has = |code: &&str| {
        code.match_indices(word).any(|(at, _)| {
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            let is_sign = |letter: char| "-<>=!".contains(letter);
            match word.starts_with(is_word) {
                true => !code[..at].ends_with(is_word) && !code[at + word.len()..].starts_with(is_word),
                false => !code[..at].ends_with(is_sign) && !code[at + word.len()..].starts_with(is_sign),
            }
        })
    };
    codes.filter(has).min_by_key(|code| code.len()).map(str::to_owned)
}

/// The ways to write a word: the beginning of the section that is named after it, rows of tables, paragraphs that begin with
/// it, and else one that mentions it.
fn forms(word: &str, pieces: &[Piece]) -> Vec<Form> {
    let prose = || {
        pieces
            .iter()
            .filter(|piece| piece.form.is_none() && piece.chapter != "language")
    };
    let of_piece = |piece: &Piece| {
        let code = code_with(&piece.text, word)?;
        Some(form(code, sentences(&plain(&piece.text)), piece))
    };
    let named = |piece: &&Piece| {
        piece
            .section
            .split(' ')
            .next()
            .is_some_and(|first| first.to_lowercase() == word)
    };
    let mut all: Vec<Form> = prose().filter(named).find_map(of_piece).into_iter().collect();
    all.extend(
        pieces
            .iter()
            .filter(|piece| piece.section != RESERVED)
            .filter_map(|piece| {
                let first = piece.form.as_ref()?;
                code_with(first, word).filter(|_| !piece.text.is_empty())?;
                Some(form(first.replace('`', ""), piece.text.clone(), piece))
            }),
    );
    let begins = |piece: &&Piece| {
        let code = piece.text.strip_prefix('`').and_then(|text| text.split('`').next());
        code.is_some_and(|code| code_with(&format!("`{code}`"), word).is_some())
    };
    if all.is_empty() {
        all.extend(prose().filter(begins).filter_map(of_piece));
    }
    if all.is_empty() {
        all.extend(prose().find_map(of_piece));
    }
    if all.is_empty() {
        all.extend(pieces.iter().filter_map(|piece| reserved(word, piece)));
    }
    all.truncate(FORMS);
    all
}

/// What the list of reserved words says of one without a use, such as `any` (write `.`).
fn reserved(word: &str, piece: &Piece) -> Option<Form> {
    let row = piece.form.as_deref().filter(|_| piece.section == RESERVED)?;
    let (_, behind) = piece.text.split_once(&format!("`{word}`"))?;
    let note = behind
        .trim_start()
        .strip_prefix('(')
        .and_then(|note| note.split(')').next());
    let meaning = match (row, note) {
        (NO_USE, Some(note)) => format!("{NO_USE}: {note}"),
        (row, _) => format!("a reserved word: {row}"),
    };
    Some(form(word.to_owned(), meaning, piece))
}

fn form(form: String, meaning: String, piece: &Piece) -> Form {
    Form {
        form,
        meaning,
        chapter: piece.chapter,
        section: piece.section.clone(),
    }
}

/// The first sentences of a paragraph.
fn sentences(text: &str) -> String {
    if text.len() <= PROSE {
        return text.to_owned();
    }
    let ends = text.match_indices(". ").map(|(at, _)| at + 1);
    let end = ends.take_while(|&at| at <= PROSE).last();
    let end = end.or_else(|| text.match_indices(". ").next().map(|(at, _)| at + 1));
    end.map_or(text, |end| &text[..end]).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reserved_word_is_documented() {
        let missing: Vec<&str> = WORDS
            .iter()
            .filter(|(_, entry)| entry.forms.is_empty())
            .map(|(word, _)| *word)
            .collect();
        assert!(missing.is_empty(), "no documentation of {missing:?}");
    }

    #[test]
    fn a_word_has_the_row_of_its_table() {
        let attacks = &WORDS["attacks"].forms[0];
        assert_eq!(attacks.form, "S attacks T, S -> T");
        assert_eq!(attacks.meaning, "the squares of S whose man attacks a square of T");
        assert_eq!((attacks.chapter, attacks.section.as_str()), ("positions", "Attacks"));
        assert!(WORDS["or"].forms.iter().any(|form| form.form.contains("F or G")));
    }

    #[test]
    fn extensions_and_signs_are_words() {
        assert!(WORDS["evalchange"].forms[0].meaning.contains("changed"));
        assert!(WORDS["positionset"].forms[0].form.contains("positionset"));
        assert!(!WORDS["->"].forms.is_empty());
    }

    #[test]
    fn most_words_have_an_example() {
        let without: Vec<&str> = words()
            .filter(|(_, entry)| entry.example.is_none())
            .map(|(word, _)| word)
            .collect();
        assert!(without.len() < 30, "no example of {without:?}");
        assert_eq!(WORDS["mate"].example, Some("mate"));
    }

    #[test]
    fn links_become_their_texts() {
        assert_eq!(
            plain("see [paths](sequences.md#x), `[Aa]b (c)`"),
            "see paths, `[Aa]b (c)`"
        );
    }
}
