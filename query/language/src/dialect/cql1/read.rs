//! Lists to match lists: the file, and what stands directly in `(match ...)` (docs/language/cql1.md#lists,
//! docs/language/cql1.md#keywords-of-match-lists).

use shakmaty::Color;

use super::ast::{Flavor, Match, Tag};
use super::cursor::{Cursor, Parsed, error};
use super::designator::Piece;
use super::list::{self, Item};
use super::reader::{MAX_XOR, Reader, keyword_of, unknown};
use super::{cqls, game, keyword, make};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Metadata, Node};
use crate::span::Span;

/// How many pieces a match list may bind.
const MAX_TAGS: usize = 2;

/// Reads a text.
pub(super) fn read(text: &str) -> Parsed<Match<'_>> {
    let items = list::read(text)?;
    let whole = Span::new(0, text.len());
    let heads: Vec<Option<&str>> = items.iter().map(Item::head).collect();
    let mut reader = Reader::default();
    let mut found = match heads[..] {
        [] => {
            let diagnostic = Diagnostic::new(Code::EmptyQuery, whole, "there is no match list");
            return Err(Box::new(
                diagnostic.help("write `(match (position ...))` with designators and keywords in it"),
            ));
        }
        [Some("match")] => {
            let items = items[0].list().unwrap_or_default();
            reader.match_list(Cursor::new(&items[1..], items[0].span), false)?
        }
        // Position lists alone, as manuals and editors show them.
        _ if heads.iter().all(|head| *head == Some("position")) => {
            reader.match_list(Cursor::new(&items, whole), false)?
        }
        _ => return Err(outside(&items)),
    };
    let is_cqls = reader.is_cqls || found.lists.is_empty();
    found.flavor = match prologue(text) {
        Some(flavor) => flavor,
        None if is_cqls => Flavor::Cqls,
        None => Flavor::Classic,
    };
    Ok(found)
}

/// What is wrong with a text that is no match list.
fn outside(items: &[Item<'_>]) -> Box<Diagnostic> {
    let is_match = |item: &&Item<'_>| item.head() == Some("match");
    if items.iter().filter(is_match).count() > 1 {
        let second = items
            .iter()
            .filter(is_match)
            .nth(1)
            .map_or(Span::default(), |item| item.span);
        return error(
            Code::BadMatchList,
            second,
            "a text holds one match list, and this is the second",
        );
    }
    let foreign = items.iter().find(|item| !is_match(item));
    let span = foreign.map_or(Span::default(), |item| item.span);
    let mut diagnostic = error(Code::BadMatchList, span, "expected `(match ...)` or `(position ...)`");
    diagnostic.help = Some("everything stands inside one list: `(match :result 1-0 (position Ra3 :check))`".to_owned());
    diagnostic
}

/// The dialect that the first line names: `; CQL-S 1.0 (...)`, `; CQL 1.0`.
fn prologue(text: &str) -> Option<Flavor> {
    let line = text.trim_start_matches('\u{feff}').trim_start().lines().next()?;
    let words = line.strip_prefix(';')?.trim_start();
    if words.starts_with("CQL-S ") {
        return Some(Flavor::Cqls);
    }
    let version = words.strip_prefix("CQL ")?;
    version.starts_with(['1', '2', '3']).then_some(Flavor::Classic)
}

impl Reader {
    /// What stands in `(match ...)`; `nested` is one inside `:and` and its like, which has no position lists.
    fn match_list<'t>(&mut self, mut cursor: Cursor<'_, 't>, nested: bool) -> Parsed<Match<'t>> {
        let mut found = Match {
            span: cursor.whole(),
            flavor: Flavor::Classic,
            conditions: Vec::new(),
            lists: Vec::new(),
            tags: Vec::new(),
            either_color: false,
            asks_variations: false,
            input: None,
            output: None,
        };
        while let Some(item) = cursor.next() {
            if item.head() == Some("position") {
                if nested {
                    let message = "a match list inside another has no position lists";
                    return Err(error(Code::MisplacedKeyword, item.span, message));
                }
                let items = item.list().unwrap_or_default();
                found
                    .lists
                    .push(self.position_list(Cursor::new(&items[1..], item.span), true)?);
                continue;
            }
            let Some((name, negated)) = item.atom().and_then(|atom| keyword_of(atom, keyword::is_match_keyword)) else {
                let message = "expected a keyword or `(position ...)`";
                let mut diagnostic = error(Code::BadMatchList, item.span, message);
                diagnostic.help = Some("designators stand inside `(position ...)`".to_owned());
                return Err(diagnostic);
            };
            self.is_cqls |= negated || keyword::MATCH_S.contains(&name);
            let before = found.conditions.len();
            self.match_keyword(&mut found, name, item.span, &mut cursor)?;
            if negated {
                if found.conditions.len() != before + 1 {
                    let message = format!("`:{name}` cannot be negated");
                    return Err(error(Code::MisplacedKeyword, item.span, &message));
                }
                let condition = found.conditions.pop();
                found
                    .conditions
                    .extend(condition.map(|condition| make::not(condition, item.span)));
            }
        }
        Ok(found)
    }

    fn match_keyword<'t>(
        &mut self,
        found: &mut Match<'t>,
        name: &'t str,
        span: Span,
        cursor: &mut Cursor<'_, 't>,
    ) -> Parsed<()> {
        let condition = match name {
            "pgn" => {
                found.input = Some(cursor.word(name, span)?.0.to_owned());
                return Ok(());
            }
            "output" => {
                found.output = Some(cursor.word(name, span)?.0.to_owned());
                return Ok(());
            }
            "eithercolor" => {
                found.either_color = true;
                return Ok(());
            }
            "forany" => return self.forany(found, span, cursor),
            "player" | "whiteplayer" | "blackplayer" | "event" | "site" | "annotator" => {
                let (word, is_pattern) = cursor.word(name, span)?;
                self.is_cqls |= is_pattern;
                let texts: &[Metadata] = match name {
                    "player" => &[Metadata::Player(Color::White), Metadata::Player(Color::Black)],
                    "whiteplayer" => &[Metadata::Player(Color::White)],
                    "blackplayer" => &[Metadata::Player(Color::Black)],
                    "event" => &[Metadata::Event],
                    "site" => &[Metadata::Site],
                    _ => &[Metadata::Tag("Annotator".to_owned())],
                };
                let search = |text: &Metadata| game::search(text.clone(), word, is_pattern, cursor.covered(span));
                make::any(texts.iter().map(search).collect(), cursor.covered(span))
            }
            "year" => self.number(Node::Year, name, span, cursor)?,
            "gamenumber" => self.number(Node::GameNumber, name, span, cursor)?,
            "round" => {
                let round = make::text(Node::Metadata(Metadata::Tag("Round".to_owned())), span);
                self.number(Node::Int(Box::new(round)), name, span, cursor)?
            }
            "eco" => game::eco(cursor, span)?,
            "date" => cqls::date(&Metadata::Date, name, cursor, span)?,
            "eventdate" => cqls::date(&Metadata::EventDate, name, cursor, span)?,
            "plycount" => {
                let range = self.range(name, span, cursor)?;
                cqls::ply_count(range, cursor.covered(span))
            }
            "averagerating" | "averagerating*" | "ratingdifference" => {
                game::require_elo(cursor, span)?;
                let range = self.range(name, span, cursor)?;
                let span = cursor.covered(span);
                match name {
                    "ratingdifference" => cqls::rating_difference(range, span),
                    _ => cqls::average_rating(range, name.ends_with('*'), span),
                }
            }
            "comment" => {
                let (pattern, _) = cursor.word(name, span)?;
                cqls::comment(pattern, cursor.covered(span))
            }
            "tag" => game::tag(cursor, span)?,
            "hasannotation" => cqls::has_annotation(span),
            "hasvariations" => {
                found.asks_variations = true;
                cqls::has_variations(span)
            }
            "hascomments" => cqls::has_comments(span),
            "and" | "or" | "xor" | "cond" => {
                let lists = self.sub_matches(name, span, cursor)?;
                if name == "xor" && lists.len() > MAX_XOR {
                    let message = format!("`:xor` takes no more than {MAX_XOR} lists");
                    return Err(error(Code::BadArgument, span, &message));
                }
                game::combined(name, lists, cursor.covered(span))
            }
            "not" => {
                let item = cursor.next().filter(|item| item.head() == Some("match"));
                let Some(item) = item else {
                    return Err(cursor.expected("`:not` is followed by a match list, `(match ...)`", span));
                };
                make::not(self.sub_match(item)?, cursor.covered(span))
            }
            "result" | "elo" | "whiteelo" | "blackelo" | "rating" | "whiterating" | "blackrating" => {
                self.game_keyword(name, span, cursor)?
            }
            _ => return Err(unknown(name, span, false)),
        };
        found.conditions.push(condition);
        Ok(())
    }

    fn number(&mut self, node: Node, name: &str, span: Span, cursor: &mut Cursor<'_, '_>) -> Parsed<Filter> {
        let range = self.range(name, span, cursor)?;
        let span = cursor.covered(span);
        Ok(make::within(make::numeric(node, span), range, span))
    }

    /// The match lists in the parentheses behind `:and` and its like, each as one condition.
    fn sub_matches(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, '_>) -> Parsed<Vec<Filter>> {
        let item = cursor.next().and_then(|item| item.list()).unwrap_or_default();
        if item.is_empty() || item.iter().any(|item| item.head() != Some("match")) {
            let message = format!("`:{name}` is followed by match lists: `:{name} ((match ...) (match ...))`");
            return Err(cursor.expected(&message, span));
        }
        item.iter().map(|item| self.sub_match(item)).collect()
    }

    fn sub_match(&mut self, item: &Item<'_>) -> Parsed<Filter> {
        let items = item.list().unwrap_or_default();
        let found = self.match_list(Cursor::new(&items[1..], item.span), true)?;
        if !found.tags.is_empty() || found.either_color || found.input.is_some() || found.output.is_some() {
            let message = "this keyword belongs into the outermost match list";
            return Err(error(Code::MisplacedKeyword, item.span, message));
        }
        Ok(make::all(found.conditions, item.span))
    }

    /// `:forany NAME X`
    fn forany<'t>(&mut self, found: &mut Match<'t>, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<()> {
        let (name, _) = cursor.word("forany", span)?;
        let name = name.strip_prefix('$').unwrap_or(name);
        let piece = self.piece("forany", span, cursor)?;
        let Piece::Plain(designator) = piece.node else {
            return Err(error(Code::BadDesignator, piece.span, "a tag cannot stand for another"));
        };
        let span = cursor.covered(span);
        if found.tags.iter().any(|tag| tag.name == name) {
            return Err(error(
                Code::UnknownTag,
                span,
                &format!("the tag `{name}` is declared twice"),
            ));
        }
        if found.tags.len() == MAX_TAGS {
            return Err(error(Code::UnknownTag, span, "a match list has no more than two tags"));
        }
        found.tags.push(Tag {
            name,
            span,
            piece: designator,
        });
        Ok(())
    }
}
