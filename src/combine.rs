//! Queries made of queries: both, either, not, and transforms around a whole query. What comes out is a text of CQL 6.2,
//! so that it can be read, saved and changed by hand.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use language::Dialect;
use language::hir::{Header, ParsedQuery};
use language::syntax::{self, Keyword, Symbol, Token, TokenKind};
use language::transform::Transform;

use crate::error::{Error, Result};
use crate::query::Query;

/// The words of `cql( )` that say how games are searched and written, but not which positions match.
const ABOUT_THE_RUN: &str = "`variations`, `quiet`, `silent`, `matchstring`, `input` and `output`";

impl Query {
    /// The positions that match both queries.
    ///
    /// The combined query has the filters of both as a text of CQL 6.2. Names that both use for variables or functions are
    /// changed in the second one. A header `cql( )` stays if only one of the two has one, or both the same.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// let checks = Query::parse("x = k  A attacks x", Dialect::Auto)?;
    /// let pins = Query::parse("cql(variations) x = K  pin to x", Dialect::Auto)?;
    /// let both = checks.and(&pins)?;
    /// assert_eq!(both.text(), "cql(variations)\n{ x = k  A attacks x }\n{ x_2 = K  pin to x_2 }");
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the headers do not go together, a part can't be said in CQL 6.2, or the whole is no query: two sort keys of one
    /// name, for example.
    pub fn and(&self, other: &Query) -> Result<Query> {
        combined(self, other, "", true)
    }

    /// The positions that match one of two queries, or both. Otherwise as [`Query::and`]; parameters of `cql( )` that choose
    /// games, such as `result`, can't be kept.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// let either = Query::parse("mate", Dialect::Auto)?.or(&Query::parse("stalemate", Dialect::Auto)?)?;
    /// assert_eq!(either.text(), "{ mate }\nor { stalemate }");
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Query::and`].
    pub fn or(&self, other: &Query) -> Result<Query> {
        combined(self, other, "or ", false)
    }

    /// The positions that do not match. Parameters of `cql( )` that choose games can't be kept.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// let quiet = Query::parse("check", Dialect::Auto)?.negated()?;
    /// assert_eq!(quiet.text(), "not { check }");
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Query::and`].
    pub fn negated(&self) -> Result<Query> {
        let part = Part::of(self)?;
        part.has_no_choice_of_games("not")?;
        parsed(&part.header, &format!("not {}", part.block()))
    }

    /// The query with a transform around its filters.
    ///
    /// ```
    /// use cqldex::{Dialect, Query, Transform};
    ///
    /// let query = Query::parse("cql(quiet) Nf5", Dialect::Auto)?.transformed(Transform::FlipColor)?;
    /// assert_eq!(query.text(), "cql(quiet)\nflipcolor { Nf5 }");
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the filters can't be transformed, or as [`Query::and`].
    pub fn transformed(&self, transform: Transform) -> Result<Query> {
        let part = Part::of(self)?;
        parsed(&part.header, &format!("{} {}", transform.keyword(), part.block()))
    }
}

/// The words of `cql()`, which is no different from no header.
const EMPTY_HEADER: usize = 3;

/// A query as a part of another: its header and its filters, in CQL 6.2.
struct Part {
    /// `cql(...)`, or nothing.
    header: String,
    parameters: Header,
    body: String,
    /// What the query itself has named.
    names: BTreeSet<String>,
    /// All words that are no words of the language.
    words: BTreeSet<String>,
}

impl Part {
    fn of(query: &Query) -> Result<Part> {
        let parsed = query.parsed();
        if parsed.options.adds_to_the_text() {
            return Err(refused("one of them has parts that do not stand in its text"));
        }
        let text = crate::text::translate(&parsed.text, parsed.options.dialect)?;
        let translated = match parsed.options.dialect.resolve(&parsed.text) {
            Dialect::Cql6 | Dialect::Cqli | Dialect::Auto => None,
            _ => Some(Query::parse(&text, Dialect::Cql6)?),
        };
        let written = translated
            .as_ref()
            .map_or(&parsed.written, |query| &query.parsed().written);
        let tokens = syntax::lex(&text).tokens;
        let body = header_end(&tokens).unwrap_or(0);
        let has_words = words_of(&text[..body]).len() > EMPTY_HEADER;
        let header = match body {
            _ if !has_words => String::new(),
            end => text[tokens[0].span.range().start..end].to_owned(),
        };
        Ok(Part {
            header,
            parameters: written.header.clone(),
            names: names(written, &tokens),
            words: tokens
                .iter()
                .filter_map(Token::identifier)
                .map(ToString::to_string)
                .collect(),
            body: text[body..].trim().to_owned(),
        })
    }

    /// The filters in braces. Where they could end with a comment, the brace gets a line of its own.
    fn block(&self) -> String {
        let end = if self.body.contains("//") { "\n" } else { " " };
        format!("{{ {}{end}}}", self.body)
    }

    /// The same with other names in the place of these.
    fn renamed(self, names: &BTreeSet<String>, other: &Part) -> Part {
        let mut body = String::new();
        let mut copied = 0;
        for token in syntax::lex(&self.body).tokens {
            let Some(name) = token.identifier().filter(|name| names.contains(&***name)) else {
                continue;
            };
            let range = token.span.range();
            body.push_str(&self.body[copied..range.start]);
            body.push_str(&fresh(name, &[&self.words, &other.words]));
            copied = range.end;
        }
        body.push_str(&self.body[copied..]);
        Part { body, ..self }
    }

    /// Parameters that choose games are about all positions of a game, and not about one part of a query.
    fn has_no_choice_of_games(&self, operator: &str) -> Result<()> {
        let Header {
            outcomes,
            games,
            match_count,
            game_numbers,
            sort_match_count,
            ..
        } = &self.parameters;
        let choices = [
            ("result", !outcomes.is_empty() || !games.is_empty()),
            ("matchcount", match_count.is_some() || *sort_match_count),
            ("gamenumber", game_numbers.is_some()),
        ];
        match choices.iter().find(|(_, is_there)| *is_there) {
            None => Ok(()),
            Some((name, _)) => Err(refused(&format!(
                "`{name}` in `cql( )` chooses whole games, and can't be a part of `{operator}`: write it as a filter; {ABOUT_THE_RUN} can stay"
            ))),
        }
    }
}

fn combined(first: &Query, second: &Query, operator: &str, is_both: bool) -> Result<Query> {
    let first = Part::of(first)?;
    let second = Part::of(second)?;
    let in_second = second.names.intersection(&first.words).cloned().collect();
    // A word of an extension there must not become a name from here.
    let words = second.words.difference(&second.names).cloned().collect();
    let in_first = first.names.intersection(&words).cloned().collect();
    let second = second.renamed(&in_second, &first);
    let first = first.renamed(&in_first, &second);
    for part in [&first, &second] {
        if !is_both {
            part.has_no_choice_of_games("or")?;
        } else if part.parameters.match_count.is_some() {
            return Err(refused(
                "`matchcount` in `cql( )` counts the positions that match one of them, and not those that match both",
            ));
        }
    }
    let header = match (first.header.as_str(), second.header.as_str()) {
        (header, "") | ("", header) => header,
        (header, other) if words_of(header) == words_of(other) => header,
        (header, other) => {
            return Err(refused(&format!("their headers differ: `{header}` and `{other}`")));
        }
    };
    parsed(header, &format!("{}\n{operator}{}", first.block(), second.block()))
}

fn parsed(header: &str, body: &str) -> Result<Query> {
    let text = match header {
        "" => body.to_owned(),
        header => format!("{header}\n{body}"),
    };
    Ok(Query::parse(text, Dialect::Cql6)?)
}

fn refused(reason: &str) -> Error {
    Error::Combination(reason.to_owned())
}

/// Where the header ends, if there is one.
fn header_end(tokens: &[Token]) -> Option<usize> {
    tokens.first().filter(|token| token.keyword() == Some(Keyword::Cql))?;
    let end = tokens.iter().find(|token| token.is(Symbol::RightParen))?;
    Some(end.span.range().end)
}

/// The words of a header; white space between them does not matter.
fn words_of(header: &str) -> Vec<TokenKind> {
    syntax::lex(header).tokens.into_iter().map(|token| token.kind).collect()
}

/// What a query has named: variables, dictionaries, functions and their parameters. The words of extensions are names only
/// where they are such names.
fn names(query: &ParsedQuery, tokens: &[Token]) -> BTreeSet<String> {
    let variables = query.variables.iter().map(|variable| variable.name.clone());
    let mut names: BTreeSet<String> = variables.collect();
    names.extend(query.dictionaries.iter().map(|dictionary| dictionary.name.clone()));
    let mut is_definition = false;
    for token in tokens {
        match (&token.kind, token.keyword()) {
            (_, Some(Keyword::Function)) => is_definition = true,
            (TokenKind::Identifier(name), _) if is_definition => {
                names.insert(name.to_string());
            }
            (TokenKind::Symbol(Symbol::RightParen), _) => is_definition = false,
            _ => {}
        }
    }
    names
}

/// A name like another that is no word yet.
fn fresh(name: &str, taken: &[&BTreeSet<String>]) -> String {
    let mut number = 2;
    loop {
        let mut fresh = name.to_owned();
        // Writing to a string does not fail.
        let _ = write!(fresh, "_{number}");
        if !taken.iter().any(|words| words.contains(&fresh)) {
            return fresh;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Query {
        Query::parse(text, Dialect::Auto).unwrap()
    }

    fn refusal(result: Result<Query>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn comments_at_the_end_do_not_swallow_the_brace() {
        let both = query("mate // the end").and(&query("K")).unwrap();
        assert_eq!(both.text(), "{ mate // the end\n}\n{ K }");
    }

    #[test]
    fn names_that_both_have_are_changed_in_the_second() {
        let first = query("function f(it) { it attacks k } x = N f(x)");
        let both = first.and(&first).unwrap();
        assert!(
            both.text()
                .ends_with("{ function f_2(it_2) { it_2 attacks k } x_2 = N f_2(x_2) }")
        );
        // The fresh names are taken now.
        let three = both.or(&first).unwrap();
        assert!(three.text().contains("x_3 = N"), "{}", three.text());
    }

    #[test]
    fn the_word_of_an_extension_is_no_name() {
        let clock = query("clock > 5");
        let both = clock.and(&clock).unwrap();
        assert_eq!(both.text(), "{ clock > 5 }\n{ clock > 5 }");
        // Here it is the name of a variable, and stays one in its own part only.
        let named = query("clock = 3 clock > 2");
        assert_eq!(
            named.or(&named).unwrap().text(),
            "{ clock = 3 clock > 2 }\nor { clock_2 = 3 clock_2 > 2 }"
        );
        assert_eq!(
            named.or(&clock).unwrap().text(),
            "{ clock_2 = 3 clock_2 > 2 }\nor { clock > 5 }"
        );
    }

    #[test]
    fn headers_stay_if_they_go_together() {
        let variations = query("cql(variations quiet) mate");
        assert_eq!(
            variations.or(&query("K")).unwrap().text(),
            "cql(variations quiet)\n{ mate }\nor { K }"
        );
        assert_eq!(
            query("K").and(&variations).unwrap().text(),
            "cql(variations quiet)\n{ K }\n{ mate }"
        );
        let same = query("cql( variations   quiet ) check").and(&variations).unwrap();
        assert!(same.text().starts_with("cql( variations   quiet )\n{ check }"));
        assert_eq!(
            variations.negated().unwrap().text(),
            "cql(variations quiet)\nnot { mate }"
        );
        let differ = refusal(variations.and(&query("cql(silent) K")));
        assert!(differ.contains("`cql(variations quiet)` and `cql(silent)`"), "{differ}");
    }

    #[test]
    fn parameters_that_choose_games_are_not_part_of_an_alternative() {
        let wins = query("cql(result 1-0 gamenumber 1 9) mate");
        assert_eq!(
            wins.and(&query("K")).unwrap().text(),
            "cql(result 1-0 gamenumber 1 9)\n{ mate }\n{ K }"
        );
        assert!(refusal(wins.or(&query("K"))).contains("`result`"));
        assert!(refusal(query("cql(gamenumber 3) K").negated()).contains("`gamenumber`"));
        assert!(refusal(query("cql(matchcount 2) K").and(&query("k"))).contains("`matchcount`"));
        let with_options = crate::query::QueryOptions {
            transforms: vec![Transform::Flip],
            ..Default::default()
        };
        assert!(refusal(Query::parse_with("K", &with_options).unwrap().negated()).contains("its text"));
    }

    #[test]
    fn older_dialects_are_translated() {
        let old = query("(match (position Rc3 qg3))");
        let both = old.and(&query("mate")).unwrap();
        assert!(
            both.text().contains("Rc3") && both.text().ends_with("{ mate }"),
            "{}",
            both.text()
        );
    }

    #[test]
    fn a_transform_stands_around_all_filters() {
        assert_eq!(
            query("K Q").transformed(Transform::Shift).unwrap().text(),
            "shift { K Q }"
        );
    }
}
