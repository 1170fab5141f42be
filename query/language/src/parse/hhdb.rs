//! `hhdb`: shorthand for filters over the tags and comments of an endgame study database (docs/language/studies.md).
//!
//! Everything but the awards is lowered by parsing the text that it stands for.

use super::operators::Level;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Award, Filter, HhdbAward, HhdbText, Kind, Node};
use crate::span::Span;
use crate::syntax;

/// Codes of the Black tag, and their long names.
const CODES: &[(&str, &str)] = &[
    ("AN", "AN"),
    ("CR", "CR"),
    ("MC", "MC"),
    ("PH", "PH"),
    ("TE", "TE"),
    ("TT", "TT"),
    ("TW", "TW"),
    ("U1", "U1"),
    ("U2", "U2"),
    ("U3", "U3"),
    ("U4", "U4"),
    ("U5", "U5"),
    ("anticipation", "AN"),
    ("colors_reversed", "CR"),
    ("corrected_solution", "(s)"),
    ("correction", "(c)"),
    ("dual_after_move_1", "U2"),
    ("dual_at_move_1", "U1"),
    ("modification", "(m)"),
    ("posthumous", "PH"),
    ("theme_tournament", "TT"),
    ("theme_tourney", "TT"),
    ("theoretical_ending", "TE"),
    ("too_many_composers", "MC"),
    ("twin", "TW"),
    ("unreachable", "U5"),
    ("version", "(v)"),
    ("white_fails", "U3"),
    ("white_wins_in_draw", "U4"),
];

/// Codes that are written in quotation marks.
const QUOTED_CODES: &[&str] = &["(c)", "(m)", "(s)", "(v)"];

/// Marks in comments, and whether they need variations.
const MARKS: &[(&str, bool)] = &[
    ("<cook>", false),
    ("<eg>", false),
    ("<main>", true),
    ("<minor_dual>", false),
    ("<or>", true),
];

/// The other words, and the filters that they stand for.
const TEXTS: &[(&str, &str)] = &[
    ("cooked", "cql_hhdbhascook"),
    ("dual", r#"player black ~~ "U[12]" or false"#),
    (
        "sound",
        r#"not {cql_hhdbhascook and player black ~~ "U[12]" or player black ~~ "U[345]"}"#,
    ),
    ("unsound", r#"cql_hhdbhascook or player black ~~ "U[1-5]""#),
    (
        "mainline",
        r#"cql_assertvariations "hhdb mainline needs a search of the variations"
           and not find <-- quiet {secondary and not originalcomment "<main>"}"#,
    ),
    (
        "variation",
        r#"cql_assertvariations "hhdb variation needs a search of the variations"
           and find <-- quiet {secondary and not originalcomment "<main>"}"#,
    ),
];

/// The words that give a string of the database.
const STRINGS: &[(&str, HhdbText)] = &[
    ("composer", HhdbText::Composer),
    ("stipulation", HhdbText::Stipulation),
    ("firstcomment", HhdbText::FirstComment),
    ("search", HhdbText::Search),
    ("gbr", HhdbText::Gbr),
    ("gbr material", HhdbText::GbrMaterial),
    ("gbr pieces", HhdbText::GbrPieces),
    ("gbr pawns", HhdbText::GbrPawns),
    ("gbr kings", HhdbText::GbrKings),
    ("diagram", HhdbText::Diagram),
    ("egdiagram", HhdbText::EgDiagram),
];

/// The words about awards; the last three go with the others.
const AWARDS: &[&str] = &["award", "prize", "hm", "commendation", "special", "max", "sort"];

/// The keywords that can stand behind `hhdb`, in their order, and whether each has to stand in quotation marks.
pub fn hhdb_keywords() -> Vec<(&'static str, bool)> {
    let plain = CODES
        .iter()
        .map(|(word, _)| *word)
        .chain(TEXTS.iter().map(|(word, _)| *word));
    let plain = plain
        .chain(STRINGS.iter().map(|(word, _)| *word))
        .chain(AWARDS.iter().copied());
    let quoted = QUOTED_CODES.iter().copied().chain(MARKS.iter().map(|(mark, _)| *mark));
    let mut keywords: Vec<(&str, bool)> = plain
        // `gbr pawns` is a keyword with a word behind it.
        .filter(|word| !word.contains(' '))
        .map(|word| (word, false))
        .chain(quoted.map(|word| (word, true)))
        .collect();
    keywords.sort_unstable();
    keywords
}

/// What `hhdb sort` of one kind of award stands for; the bar is the award, the digits its categories.
const SORT: &str = r#"{
    hhdb |
    if hhdb special | {
        cql_category = 0 + SPECIAL cql_truerank = hhdb special | cql_maxrank = hhdb special max |
    } else {
        cql_category = 0 + PLAIN cql_truerank = hhdb | cql_maxrank = hhdb max |
    }
    sort quiet min "cql_category" cql_category
    sort quiet min "cql_truerank" cql_truerank
    sort quiet min "cql_maxrank" cql_maxrank
    true
}"#;

/// What stands behind `hhdb` about awards.
#[derive(Clone, Copy, Debug, Default)]
struct AwardWords {
    award: Option<Option<Award>>,
    special: bool,
    max: bool,
    sort: bool,
}

impl Parser<'_> {
    /// `hhdb K`
    pub(super) fn hhdb(&mut self, span: Span) -> Parsed<Filter> {
        let literal = self.no_implicit_search == Some(self.position);
        self.bump();
        if let Some(filter) = self.award(span)? {
            return Ok(filter);
        }
        let Some((word, is_quoted)) = self.hhdb_word() else {
            return Err(self.bad_hhdb());
        };
        let code = if is_quoted {
            QUOTED_CODES.iter().find(|code| **code == word).copied()
        } else {
            CODES.iter().find(|(name, _)| *name == word).map(|(_, code)| *code)
        };
        let text = if let Some(code) = code {
            format!("\"{code}\" in player black")
        } else if let Some((mark, needs_variations)) = MARKS.iter().find(|(mark, _)| is_quoted && *mark == word) {
            let search = format!("(originalcomment \"{mark}\" or false)");
            match needs_variations {
                true => format!("cql_assertvariations \"hhdb {mark} needs a search of the variations\" and {search}"),
                false => search,
            }
        } else {
            let gbr = if word == "gbr" { self.gbr_part() } else { None };
            let key = gbr.map_or(word.clone(), |part| format!("{word} {part}"));
            if let Some((_, text)) = STRINGS.iter().find(|(name, _)| !is_quoted && *name == key) {
                self.position += 1 + usize::from(gbr.is_some());
                return self.hhdb_string(*text, literal, span);
            }
            match TEXTS.iter().find(|(name, _)| !is_quoted && *name == key) {
                Some((_, text)) => (*text).to_owned(),
                None => return Err(self.bad_hhdb()),
            }
        };
        self.bump();
        let span = self.since(span);
        let meaning = self.built_in(&text, span)?;
        let kind = meaning.kind;
        Ok(Filter::new(Node::NoTransform(Box::new(meaning)), kind, span))
    }

    /// A string of the database; the number of a diagram is numeric. A `literal` one does not take the string behind it.
    fn hhdb_string(&mut self, text: HhdbText, literal: bool, span: Span) -> Parsed<Filter> {
        let span = self.since(span);
        let filter = Filter::new(Node::Hhdb(text), Kind::String, span);
        if text == HhdbText::EgDiagram {
            return Ok(Filter::new(Node::Int(Box::new(filter)), Kind::Numeric, span));
        }
        if literal {
            return Ok(filter);
        }
        self.implicit_search(filter)
    }

    /// The word here, and whether it stands in quotation marks.
    fn hhdb_word(&self) -> Option<(String, bool)> {
        match &self.peek()?.kind {
            TokenKind::Identifier(word) => Some((word.to_string(), false)),
            TokenKind::Keyword(keyword) => Some((keyword.text().to_owned(), false)),
            TokenKind::String(word) => Some((word.to_string(), true)),
            _ => None,
        }
    }

    /// The part of the code that stands behind `gbr`.
    fn gbr_part(&self) -> Option<&'static str> {
        let word = self.peek_ahead(1)?.identifier()?;
        ["material", "pieces", "pawns", "kings"]
            .into_iter()
            .find(|part| *part == &**word)
    }

    fn bad_hhdb(&self) -> Box<Diagnostic> {
        let message = format!("{} is no keyword of `hhdb`", self.found());
        let mut diagnostic = Diagnostic::new(Code::BadHhdb, self.here(), message);
        let word = self.hhdb_word().map(|(word, _)| word).unwrap_or_default();
        let known = CODES
            .iter()
            .map(|(name, _)| *name)
            .chain(TEXTS.iter().map(|(name, _)| *name));
        let known = known.chain(STRINGS.iter().map(|(name, _)| *name));
        let known = known.chain(AWARDS.iter().copied());
        let nearest = known.max_by(|a, b| {
            let rate = |name: &str| strsim::normalized_damerau_levenshtein(&word, name);
            rate(a).total_cmp(&rate(b))
        });
        if QUOTED_CODES.iter().any(|code| code[1..2] == word) || word == "cook" {
            diagnostic.help =
                Some("codes with brackets stand in quotation marks: `hhdb \"(c)\"`, `hhdb \"<cook>\"`".to_owned());
        } else if let Some(nearest) = nearest.filter(|name| strsim::normalized_damerau_levenshtein(&word, name) > 0.6) {
            diagnostic.label = format!("did you mean `{nearest}`?");
        }
        Box::new(diagnostic)
    }

    /// `hhdb [special] [max] [sort] award`, in any order; `None` if another keyword stands there.
    fn award(&mut self, span: Span) -> Parsed<Option<Filter>> {
        let mut words = AwardWords::default();
        let mut last_is_sort = false;
        let first = self.position;
        while let Some((word, false)) = self.hhdb_word() {
            let is_set = match word.as_str() {
                "special" => std::mem::replace(&mut words.special, true),
                "max" => std::mem::replace(&mut words.max, true),
                "sort" => std::mem::replace(&mut words.sort, true),
                "award" => words.award.replace(None).is_some(),
                "prize" => words.award.replace(Some(Award::Prize)).is_some(),
                "hm" => words.award.replace(Some(Award::HonorableMention)).is_some(),
                "commendation" => words.award.replace(Some(Award::Commendation)).is_some(),
                _ => break,
            };
            if is_set {
                return Err(self.repeated("hhdb"));
            }
            last_is_sort = word == "sort";
            self.bump();
        }
        if self.position == first {
            return Ok(None);
        }
        let span = self.since(span);
        if last_is_sort {
            let message = "`sort` cannot be the last word of `hhdb`";
            let diagnostic = Diagnostic::new(Code::BadHhdb, self.previous(), message);
            return Err(Box::new(
                diagnostic.help("write `hhdb sort award`, or put the filter `sort` into braces"),
            ));
        }
        if words.sort && words.max {
            let message = "`sort` and `max` exclude each other behind `hhdb`";
            return Err(Box::new(Diagnostic::new(Code::BadHhdb, span, message)));
        }
        let award = words.award.flatten();
        let node = Node::HhdbAward(HhdbAward {
            award,
            special: words.special,
            max: words.max,
        });
        if !words.sort {
            return Ok(Some(Filter::new(node, Kind::Numeric, span)));
        }
        let sorted = |award: Award| {
            let (name, category) = match award {
                Award::Prize => ("prize", 1),
                Award::HonorableMention => ("hm", 3),
                Award::Commendation => ("commendation", 5),
            };
            let text = SORT
                .replace("SPECIAL", &(category + 1).to_string())
                .replace("PLAIN", &category.to_string());
            text.replace('|', name)
        };
        let kinds = match award {
            Some(award) => vec![award],
            None => vec![Award::Prize, Award::HonorableMention, Award::Commendation],
        };
        let mut text = kinds.into_iter().map(sorted).collect::<Vec<_>>().join(" or ");
        if words.special {
            text = format!("hhdb special and ({text})");
        }
        self.built_in(&text, span).map(Some)
    }

    /// Parses a text of ours as if it stood here.
    fn built_in(&mut self, text: &str, span: Span) -> Parsed<Filter> {
        let mut lexed = syntax::lex(text);
        lexed.tokens.iter_mut().for_each(|token| token.span = span);
        debug_assert!(lexed.errors.is_empty(), "{text}");
        let tokens = std::mem::replace(&mut self.tokens, lexed.tokens.into());
        let position = std::mem::replace(&mut self.position, 0);
        self.replay = None;
        let no_implicit_search = self.no_implicit_search.take();
        let ended_paths = std::mem::take(&mut self.ended_paths);
        let result = self.expression(Level::Or);
        self.no_implicit_search = no_implicit_search;
        self.ended_paths = ended_paths;
        self.tokens = tokens;
        self.position = position;
        self.replay = None;
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse};

    #[test]
    fn all_words_parse() {
        let words = CODES.iter().map(|(name, _)| (*name).to_owned());
        let words = words.chain(TEXTS.iter().map(|(name, _)| (*name).to_owned()));
        let words = words.chain(STRINGS.iter().map(|(name, _)| (*name).to_owned()));
        let words = words.chain(
            QUOTED_CODES
                .iter()
                .copied()
                .chain(MARKS.iter().map(|(mark, _)| *mark))
                .map(|word| format!("{word:?}")),
        );
        for word in words {
            let result = parse(&format!("hhdb {word}"), &ParseOptions::default());
            assert!(result.is_ok(), "{word}: {result:?}");
        }
    }

    #[test]
    fn kinds_are_those_of_the_texts() {
        let kind = |text: &str| parse(text, &ParseOptions::default()).unwrap().body.kind;
        for word in [
            "composer",
            "stipulation",
            "firstcomment",
            "search",
            "gbr",
            "gbr pawns",
            "diagram",
        ] {
            assert_eq!(kind(&format!("hhdb {word}")), Kind::String, "{word}");
            assert_eq!(kind(&format!("hhdb {word} \"x\"")), Kind::Logical, "{word}");
        }
        for word in ["egdiagram", "award", "special max prize"] {
            assert_eq!(kind(&format!("hhdb {word}")), Kind::Numeric, "{word}");
        }
        assert_eq!(kind("hhdb sort award"), Kind::Logical);
        let query = parse("hhdb sort special prize", &ParseOptions::default()).unwrap();
        assert_eq!(query.sorts.len(), 3);
        assert_eq!(query.variables.len(), 3);
    }
}
