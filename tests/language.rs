//! Every example of docs/language.md and its chapters, by plan and by scan.
//!
//! The document says how an example is written (section "How to read the examples"). All positions and games that it
//! names stand in one database; a query is run on all of them, so plan and scan are compared on each.

#[path = "language/document.rs"]
mod document;
mod indexed;
#[path = "language/seeds.rs"]
mod seeds;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use document::{Document, Example, chapters, pgn_of_fen, root, split_place};
use evaluator::Value;
use indexed::indexed;
use language::hir::{Filter, Node, Query};
use language::syntax::Keyword;
use language::transform::Transform;
use language::{Code, Diagnostic, Dialect, ParseOptions};
use search::{Detail, GameMatch, Route, RunOptions, Search, SearchError};
use storage::{NamedSet, Sections, Snapshot};

/// A query that can run.
struct Text {
    query: Query,
    /// A header that does not ask for variations does not get them; everything else does.
    variations: bool,
}

/// The matching games and the messages.
type Answer = (Vec<GameMatch>, Vec<String>);

fn compile_with(text: &str, dialect: Dialect, options: &ParseOptions) -> Result<Text, Diagnostic> {
    let query = language::compile(text, dialect, options).map_err(|mut diagnostics| diagnostics.swap_remove(0))?;
    let variations = query.header.variations || !text.trim_start().starts_with("cql");
    Ok(Text { query, variations })
}

fn compile(text: &str) -> Result<Text, Diagnostic> {
    compile_with(text, Dialect::Cql6, &ParseOptions::default())
}

fn run(query: &Text, snapshot: &Snapshot, route: Route) -> Result<Answer, Diagnostic> {
    let mut found = Vec::new();
    let options = RunOptions {
        variations: Some(query.variations),
        route,
        detail: Detail::Results,
        ..RunOptions::default()
    };
    let query = &query.query;
    let summary = Search::new(query, options).run(snapshot, &mut |game| found.push(game));
    match summary {
        Ok(summary) => {
            let text = |message: &Vec<u8>| String::from_utf8_lossy(message).into_owned();
            Ok((found, summary.messages.iter().map(text).collect()))
        }
        Err(SearchError::Runtime(error)) => Err(Diagnostic::from(&*error)),
        Err(SearchError::Query(error)) => Err(*error),
        Err(error) => panic!("{error}"),
    }
}

/// Both routes have to agree; the answer of the scan is given.
fn answer(query: &Text, snapshot: &Snapshot) -> Result<Answer, String> {
    let text = |diagnostic: Diagnostic| format!("{}: {}", diagnostic.code.text(), diagnostic.message);
    let scan = run(query, snapshot, Route::Definition).map_err(text)?;
    let plan = run(query, snapshot, Route::Plan).map_err(text)?;
    if scan != plan {
        return Err("plan and scan differ".to_owned());
    }
    Ok(scan)
}

fn nodes(games: &[GameMatch], number: u64) -> Vec<u32> {
    let game = games.iter().find(|game| game.number == number);
    game.map_or_else(Vec::new, |game| {
        game.positions.iter().map(|position| position.node).collect()
    })
}

fn expect<T: PartialEq + std::fmt::Debug>(stated: T, found: T) -> Result<(), String> {
    if stated == found {
        Ok(())
    } else {
        Err(format!("stated {stated:?}, found {found:?}"))
    }
}

/// `3=text 5=[a1,b2]`: positions and values; a word without a position goes on with the value before it.
fn stated_values(text: &str) -> Vec<(u32, String)> {
    let mut values: Vec<(u32, String)> = Vec::new();
    for word in text.split(' ') {
        let pair = word
            .split_once('=')
            .and_then(|(node, value)| Some((node.parse().ok()?, value.to_owned())));
        match (pair, values.last_mut()) {
            (Some(pair), _) => values.push(pair),
            (None, Some((_, value))) => *value += &format!(" {word}"),
            (None, None) => panic!("values are `position=value`, not `{text}`"),
        }
    }
    values
}

/// The variants of the first transform of a query.
fn variants(filter: &Filter) -> Option<Vec<Filter>> {
    if let Node::Orbit { variants, .. } = &filter.node {
        return Some(variants.clone());
    }
    let mut found = None;
    filter.for_each_child(&mut |child| found = found.take().or_else(|| variants(child)));
    found
}

/// The tree of a filter without places in the text and without the numbers of sequences.
fn outline(filter: &Filter) -> String {
    let text = format!("{filter:?}");
    let mut outline = String::new();
    for (index, part) in text.split("span: Span {").enumerate() {
        let rest = if index == 0 {
            part
        } else {
            part.split_once('}').map_or("", |(_, rest)| rest)
        };
        outline.push_str(rest);
    }
    outline
        .split("SequenceId(")
        .map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()))
        .collect()
}

/// The outline of a variant as it is written in the document.
fn written(text: &str) -> Result<String, String> {
    let query = compile(text)
        .map_err(|error| format!("{text}: {}", error.message))?
        .query;
    match &query.body.node {
        Node::Compound(list) if list.len() == 1 => Ok(outline(&list[0])),
        _ => Ok(outline(&query.body)),
    }
}

fn examples_database(document: &Document) -> (tempfile::TempDir, Snapshot) {
    let (folder, snapshot) = indexed(&document.games.concat());
    assert_eq!(
        snapshot.games(),
        document.games.len() as u64,
        "a position or game of the document is no PGN"
    );
    save_set(&snapshot, "checks", "check");
    (folder, snapshot)
}

/// Saves what a query finds as a named set.
fn save_set(snapshot: &Snapshot, name: &str, query: &str) {
    let query = compile(query).expect("the query is right");
    let options = RunOptions {
        variations: Some(true),
        detail: Detail::Count,
        ..RunOptions::default()
    };
    let search = Search::new(&query.query, options);
    let found = search.collect(snapshot, &Sections::new(), &mut |_| ControlFlow::Continue(()));
    let set = NamedSet {
        name: name.to_owned(),
        live: None,
        sections: found.expect("the search ends well").1,
    };
    snapshot.sets().save(&set, false).expect("the set can be saved");
}

struct Checker {
    document: Document,
    snapshot: Snapshot,
    samples: BTreeMap<String, (tempfile::TempDir, Snapshot)>,
}

impl Checker {
    /// What the query gives in every position of a game, as `message` prints it; positions without a value are left out.
    fn values(&self, query: &str, number: u64) -> Result<Vec<(u32, String)>, String> {
        let text = format!("message quiet(gamenumber \" \" positionid \" \" {{ {query}\n}})");
        let query = compile(&text).map_err(|error| error.message)?;
        let (_, messages) = answer(&query, &self.snapshot)?;
        let mut values = Vec::new();
        for message in messages {
            let parts: Vec<&str> = message.splitn(3, ' ').collect();
            if parts[0] == number.to_string() && parts[2] != "<false>" {
                values.push((parts[1].parse().expect("positionid is a number"), parts[2].to_owned()));
            }
        }
        Ok(values)
    }

    fn check(&mut self, example: &Example) -> Vec<String> {
        let mut wrong = Vec::new();
        for (word, text) in &example.statements {
            if let Err(message) = self.check_statement(example, word, text) {
                wrong.push(format!(
                    "{}: {word}: {text}: {message}\n{}",
                    example.place, example.query
                ));
            }
        }
        wrong
    }

    fn check_statement(&mut self, example: &Example, word: &str, statement: &str) -> Result<(), String> {
        let text = &*example.query;
        if word == "translates" {
            let translated = language::dialect::translate(text, example.dialect);
            let translated = translated.map_err(|diagnostics| diagnostics[0].message.clone())?;
            // A long translation has a line for each filter.
            return expect(statement.to_owned(), translated.replace('\n', " "));
        }
        if word == "error" {
            return self.check_error(example, statement);
        }
        if word == "warning" {
            return check_warning(example, statement);
        }
        let query = compile_with(text, example.dialect, &ParseOptions::default()).map_err(|error| {
            format!(
                "{}: {} {}",
                error.code.text(),
                error.message,
                error.help.unwrap_or_default()
            )
        })?;
        match word {
            "expands" => {
                let number = variants(&query.query.body).map_or(0, |variants| variants.len());
                return expect(statement.to_owned(), number.to_string());
            }
            "variants" => {
                let found: Vec<String> = variants(&query.query.body)
                    .unwrap_or_default()
                    .iter()
                    .map(outline)
                    .collect();
                let stated = statement.split(';').map(|variant| written(variant.trim()));
                let stated = stated.collect::<Result<Vec<String>, String>>()?;
                let sorted = |mut list: Vec<String>| {
                    list.sort();
                    list
                };
                return expect(sorted(stated), sorted(found));
            }
            _ => {}
        }
        let (before, place) = split_place(statement).unwrap_or(("", statement));
        if word == "games" {
            return self.check_sample(&query, before, place);
        }
        let number = self.document.number(place);
        if word == "value" || word == "values" {
            let stated = if word == "value" {
                vec![(0, before.to_owned())]
            } else {
                stated_values(before)
            };
            let mut found = self.values(text, number)?;
            if found.is_empty() && word == "value" {
                found.push((0, "<false>".to_owned()));
            }
            return expect(stated, found);
        }
        let (games, _) = answer(&query, &self.snapshot)?;
        let result = games
            .iter()
            .find(|game| game.number == number)
            .map(|game| game.result.clone())
            .unwrap_or_default();
        match word {
            "matches" if before.is_empty() => expect(vec![0], nodes(&games, number)),
            "matches" => {
                let found: Vec<String> = nodes(&games, number).iter().map(u32::to_string).collect();
                expect(
                    before.to_owned(),
                    if found.is_empty() {
                        "none".to_owned()
                    } else {
                        found.join(" ")
                    },
                )
            }
            "fails" => expect(Vec::new(), nodes(&games, number)),
            "comment" => {
                let (comment, node) = before.rsplit_once(" at ").expect("a comment is `TEXT at POSITION`");
                let node: u32 = node.parse().expect("a position is a number");
                let found: Vec<&str> = result
                    .comments
                    .iter()
                    .filter(|entry| entry.node == node)
                    .map(|entry| str::from_utf8(&entry.text).expect("comments of examples are UTF-8"))
                    .collect();
                if found.contains(&comment) {
                    Ok(())
                } else {
                    Err(format!("found {found:?}"))
                }
            }
            "sorts" => {
                let print = |value: &Value| match value {
                    Value::Number(number) => number.to_string(),
                    Value::Text(text) => String::from_utf8_lossy(text).into_owned(),
                    other => format!("{other:?}"),
                };
                let found: Vec<String> = result.sorts.iter().flatten().map(|sort| print(&sort.value)).collect();
                expect(before.to_owned(), found.join(" "))
            }
            _ => {
                let found: Vec<String> = result
                    .tags
                    .iter()
                    .map(|(name, value)| format!("{name}={}", String::from_utf8_lossy(value)))
                    .collect();
                expect(before.to_owned(), found.join(" "))
            }
        }
    }

    fn check_sample(&mut self, query: &Text, stated: &str, file: &str) -> Result<(), String> {
        let (_, snapshot) = self.samples.entry(file.to_owned()).or_insert_with(|| {
            let pgn = std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            indexed(&pgn)
        });
        let (games, _) = answer(query, snapshot)?;
        let found: Vec<String> = games.iter().map(|game| game.number.to_string()).collect();
        expect(stated.to_owned(), found.join(" "))
    }

    /// `none`, `Q310`, `Q202 where a header is required`, `Q502 where only CQL 6.2 is accepted`, `Q402 when written 300 times`, `Q757 when translated`
    fn check_error(&self, example: &Example, statement: &str) -> Result<(), String> {
        let (text, dialect) = (&*example.query, example.dialect);
        if statement.ends_with(" when translated") {
            let translated = language::dialect::translate(text, dialect);
            let found = translated.map_or_else(|errors| errors[0].code.text().to_owned(), |_| "none".to_owned());
            return expect(format!("{found} when translated"), statement.to_owned());
        }
        let (code, condition) = statement.split_once(' ').unwrap_or((statement, ""));
        let options = ParseOptions {
            require_header: condition.contains("header"),
            strict: condition.contains("only CQL 6.2"),
            ..ParseOptions::default()
        };
        let times = condition
            .strip_prefix("when written ")
            .and_then(|rest| rest.strip_suffix(" times"));
        let times = times.map_or(1, |times| times.replace(',', "").parse().expect("a number of times"));
        let query = match compile_with(&format!("{text} ").repeat(times), dialect, &options) {
            Ok(query) => query,
            Err(error) => return expect(code, error.code.text()),
        };
        for route in [Route::Definition, Route::Plan] {
            let found = run(&query, &self.snapshot, route)
                .err()
                .map_or("none", |error| error.code.text());
            expect(code, found)?;
        }
        Ok(())
    }
}

/// `W101`, `none`
fn check_warning(example: &Example, statement: &str) -> Result<(), String> {
    let checked = language::check(&example.query, example.dialect, &ParseOptions::default());
    let found: Vec<&str> = checked.diagnostics.iter().map(|found| found.code.text()).collect();
    let found = if found.is_empty() {
        "none".to_owned()
    } else {
        found.join(" ")
    };
    expect(statement.to_owned(), found)
}

#[test]
fn every_example_holds() {
    let mut document = Document::read();
    let (_folder, snapshot) = examples_database(&document);
    let examples = std::mem::take(&mut document.examples);
    let mut checker = Checker {
        document,
        snapshot,
        samples: BTreeMap::new(),
    };
    let wrong: Vec<String> = examples.iter().flat_map(|example| checker.check(example)).collect();
    let statements: usize = examples.iter().map(|example| example.statements.len()).sum();
    println!(
        "{} examples with {statements} statements on {} games",
        examples.len(),
        checker.document.games.len()
    );
    assert!(
        wrong.is_empty(),
        "{} statements are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_code_has_an_example() {
    let document = Document::read();
    let stated = |code: &str| {
        let is_error = |(word, text): &(&str, String)| {
            matches!(*word, "error" | "warning") && text.split(' ').next() == Some(code)
        };
        document
            .examples
            .iter()
            .any(|example| example.statements.iter().any(is_error))
    };
    // Raised by what no text can hold; the tests below raise them.
    let elsewhere = [Code::InvalidUtf8, Code::Stopped];
    for code in Code::ALL {
        assert!(
            document.text.contains(code.text()),
            "{} is not in the document",
            code.text()
        );
        assert!(
            elsewhere.contains(code) || stated(code.text()),
            "{} has no example",
            code.text()
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_an_error() {
    let error = language::parse_bytes(b"K\xff", &ParseOptions::default()).expect_err("this is not UTF-8");
    assert_eq!(error[0].code, Code::InvalidUtf8);
}

#[test]
fn a_stopped_search_is_an_error() {
    let (_folder, snapshot) = indexed(&pgn_of_fen("4k3/8/8/8/8/8/8/4K3 w"));
    let query = compile("while (true) wtm").expect("the query is right").query;
    let stop = Some(Arc::new(AtomicBool::new(true)));
    let options = RunOptions {
        stop,
        ..RunOptions::default()
    };
    let result = Search::new(&query, options).run(&snapshot, &mut |_| {});
    assert!(matches!(result, Err(SearchError::Stopped)), "{result:?}");
}

#[test]
fn a_transform_around_the_query_is_one_around_its_filters() {
    let outside = ParseOptions {
        transforms: vec![Transform::FlipColor, Transform::FlipVertical],
        ..ParseOptions::default()
    };
    let outline_of = |text: &str, options: &ParseOptions| {
        let query = compile_with(text, Dialect::Cql6, options)
            .expect("the query is right")
            .query;
        variants(&query.body)
            .expect("there is a transform")
            .iter()
            .map(outline)
            .collect::<Vec<String>>()
    };
    let inside = outline_of("flipcolor flipvertical {Ra1 wtm}", &ParseOptions::default());
    assert_eq!(outline_of("Ra1 wtm", &outside), inside);
    assert_eq!(inside.len(), 4);
}

/// The words of the parts of the document that are code.
fn code_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut fenced = false;
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        for (index, part) in line.split('`').enumerate() {
            if fenced || index % 2 == 1 {
                let parts = part.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'));
                words.extend(parts.map(str::to_owned));
            }
        }
    }
    words
}

#[test]
fn every_keyword_and_symbol_is_in_the_document() {
    let document = Document::read();
    let words = code_words(&document.text);
    let missing: Vec<&str> = Keyword::ALL
        .iter()
        .map(|word| word.text())
        .filter(|word| !words.contains(*word))
        .collect();
    assert!(missing.is_empty(), "not in the document: {missing:?}");
    let missing: Vec<char> = ('\u{80}'..'\u{ffff}')
        .filter(|&symbol| language::syntax::unicode_meaning(symbol).is_some() && !document.text.contains(symbol))
        .collect();
    assert!(missing.is_empty(), "not in the document: {missing:?}");
}

#[test]
fn links_lead_somewhere() {
    for path in chapters() {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            let target = path.parent().unwrap_or(Path::new("")).join(file);
            let is_there = file.is_empty() || file.contains("://") || target.exists();
            assert!(is_there, "{}: {link}", path.display());
        }
    }
}
