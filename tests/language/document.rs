//! The document and what stands in its fenced blocks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use language::Dialect;

/// The words that begin what an example states about its query.
const STATEMENTS: [&str; 13] = [
    "matches",
    "fails",
    "value",
    "values",
    "comment",
    "sorts",
    "tag",
    "games",
    "expands",
    "variants",
    "translates",
    "error",
    "warning",
];

/// A fenced block of the document.
struct Block {
    place: String,
    info: String,
    lines: Vec<String>,
}

/// A query with what is said about it.
pub(crate) struct Example {
    pub(crate) place: String,
    /// What the block is marked with: `cql` is CQL 6.2, `cql5` and `cql1` are the older dialects.
    pub(crate) dialect: Dialect,
    pub(crate) query: String,
    pub(crate) statements: Vec<(&'static str, String)>,
}

/// The document: its chapters as one text, and what stands in its blocks.
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) examples: Vec<Example>,
    /// Boards and games by name.
    names: BTreeMap<String, String>,
    /// The PGN of every position and game, in the order of the database.
    pub(crate) games: Vec<String>,
}

pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn chapters() -> Vec<PathBuf> {
    let docs = root().join("docs");
    let mut chapters: Vec<PathBuf> = std::fs::read_dir(docs.join("language"))
        .expect("the chapters are in docs/language")
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    chapters.sort();
    chapters.insert(0, docs.join("language.md"));
    // Its examples are run, too.
    chapters.push(docs.join("seeds.md"));
    chapters
}

fn blocks(file: &str, text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let place = format!("{file}:{}", index + 1);
                open = Some(Block {
                    place,
                    info: info.to_owned(),
                    lines: Vec::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{file}: the last block is not closed");
    blocks
}

impl Document {
    pub(crate) fn read() -> Document {
        let mut document = Document {
            text: String::new(),
            examples: Vec::new(),
            names: BTreeMap::new(),
            games: Vec::new(),
        };
        for path in chapters() {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let file = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            for block in blocks(&file, &text) {
                document.add(block);
            }
            document.text.push_str(&text);
        }
        let positions: BTreeSet<String> = document
            .examples
            .iter()
            .flat_map(Example::places)
            .filter(|place| place.contains('/'))
            .collect();
        for position in positions.iter().filter(|place| !place.contains(".pgn")) {
            document.games.push(pgn_of_fen(position));
        }
        document
    }

    fn add(&mut self, block: Block) {
        if block.info == "boards" {
            for (name, fen) in boards(&block) {
                self.name(&name, pgn_of_fen(&fen));
            }
        } else if let Some(name) = block.info.strip_prefix("pgn ") {
            self.name(name, pgn_of_text(&block.lines));
        } else if let Some(dialect) = dialect(&block.info) {
            self.examples.push(Example::new(block, dialect));
        } else {
            assert!(
                ["", "text", "console"].contains(&&*block.info),
                "{}: unknown block",
                block.place
            );
        }
    }

    fn name(&mut self, name: &str, pgn: String) {
        self.games.push(pgn.clone());
        assert!(
            self.names.insert(name.to_owned(), pgn).is_none(),
            "{name} is named twice"
        );
    }

    /// The number of a position or game in the database.
    pub(crate) fn number(&self, place: &str) -> u64 {
        let pgn = self.names.get(place).cloned().unwrap_or_else(|| {
            assert!(place.contains('/'), "no board or game is called `{place}`");
            pgn_of_fen(place)
        });
        self.games
            .iter()
            .position(|game| *game == pgn)
            .expect("all places are in the database") as u64
            + 1
    }
}

/// The dialect of a block's mark, if it marks a query.
fn dialect(info: &str) -> Option<Dialect> {
    match info {
        "cql" => Some(Dialect::Cql6),
        "cql5" => Some(Dialect::Cql5),
        "cql1" => Some(Dialect::Cql1),
        _ => None,
    }
}

/// The boards that stand side by side in a block, as FENs: names over them, `8` to `1` to their left.
fn boards(block: &Block) -> Vec<(String, String)> {
    let columns = |line: &str| -> Vec<String> {
        line.split("  ")
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let mut found = Vec::new();
    for group in block.lines.split(|line| line.trim().is_empty()) {
        assert_eq!(group.len(), 9, "{}: names and eight ranks", block.place);
        for (index, name) in columns(&group[0]).into_iter().enumerate() {
            let ranks = group[1..].iter().map(|line| {
                let rank = columns(line)[index + 1].replace(' ', "");
                assert_eq!(rank.len(), 8, "{}: {line}", block.place);
                rank.chars().map(|c| if c == '.' { '1' } else { c }).collect::<String>()
            });
            let placement = ranks.collect::<Vec<_>>().join("/");
            let (name, turn) = name.split_once(' ').map_or((&*name, "w"), |(name, _)| (name, "b"));
            found.push((name.to_owned(), format!("{placement} {turn}")));
        }
    }
    found
}

/// A game without moves. Equal positions give equal text, however the FEN writes its empty squares.
pub(crate) fn pgn_of_fen(fen: &str) -> String {
    let (placement, rest) = fen.split_once(' ').unwrap_or((fen, "w"));
    let turn = rest.split(' ').next().unwrap_or("w");
    let mut short = String::new();
    let mut empty = 0;
    for c in placement.chars().chain(['\n']) {
        if let Some(digit) = c.to_digit(10) {
            empty += digit;
            continue;
        }
        if empty > 0 {
            write!(short, "{empty}").expect("a string takes all text");
            empty = 0;
        }
        short.push(c);
    }
    format!("[SetUp \"1\"]\n[FEN \"{} {turn} - - 0 1\"]\n\n*\n\n", short.trim_end())
}

fn pgn_of_text(lines: &[String]) -> String {
    let (tags, moves): (Vec<&String>, Vec<&String>) = lines.iter().partition(|line| line.starts_with('['));
    let mut pgn: String = tags.into_iter().map(|tag| format!("{tag}\n")).collect();
    if pgn.is_empty() {
        pgn.push_str("[Event \"?\"]\n");
    }
    pgn.push('\n');
    moves
        .into_iter()
        .filter(|line| !line.trim().is_empty())
        .for_each(|line| pgn += &format!("{line}\n"));
    if ["*", "1-0", "0-1", "1/2-1/2"]
        .iter()
        .all(|result| !pgn.trim_end().ends_with(result))
    {
        pgn.push_str("*\n");
    }
    pgn + "\n"
}

impl Example {
    fn new(block: Block, dialect: Dialect) -> Example {
        let mut example = Example {
            place: block.place,
            dialect,
            query: String::new(),
            statements: Vec::new(),
        };
        for line in block.lines {
            match line.strip_prefix("; ").and_then(|line| line.split_once(": ")) {
                Some((word, text)) => {
                    let known = STATEMENTS.into_iter().find(|known| *known == word);
                    let word = known.unwrap_or_else(|| panic!("{}: what is `{word}`?", example.place));
                    example.statements.push((word, text.trim().to_owned()));
                }
                None => example.query += &format!("{line}\n"),
            }
        }
        example.query.truncate(example.query.trim_end().len());
        assert!(!example.statements.is_empty(), "{}: nothing is stated", example.place);
        example
    }

    /// The positions and games that are spoken of.
    fn places(&self) -> Vec<String> {
        let place = |(word, text): &(&str, String)| match *word {
            "matches" | "fails" => Some(split_place(text).map_or(text.clone(), |(_, place)| place.to_owned())),
            "expands" | "variants" | "translates" | "error" | "warning" => None,
            _ => split_place(text).map(|(_, place)| place.to_owned()),
        };
        self.statements.iter().filter_map(place).collect()
    }
}

/// `... in PLACE`
pub(crate) fn split_place(text: &str) -> Option<(&str, &str)> {
    text.rsplit_once(" in ")
        .map(|(before, place)| (before.trim(), place.trim()))
}
