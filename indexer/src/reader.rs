//! Reads the games of a section of PGN, and reports what is left out.

use std::{borrow::Cow, cell::RefCell, io, ops::ControlFlow, rc::Rc};

use chess::{Game, Outcome, TextEncoding};
use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use crate::{
    plain,
    report::Reason,
    setup,
    spelling::{Refusal, Spelled},
    tagline,
    tokens::{Token, Tokens},
    tree::{Rejected, Root, TreeBuilder},
};

/// The result of reading the text of a game.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The game, or `None` if it is skipped.
    pub(crate) game: Option<Game>,
    /// The problems, each with its byte offset in the section.
    pub(crate) problems: Vec<(usize, Reason)>,
}

/// Reads sections, and reuses its buffers.
pub(crate) struct GameReader {
    feed: Feed,
    reader: Reader<Feed>,
    builder: TreeBuilder,
}

/// The input of pgn-reader: one game at a time.
#[derive(Clone, Debug, Default)]
struct Feed(Rc<RefCell<io::Cursor<Vec<u8>>>>);

impl io::Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.borrow_mut().read(buffer)
    }
}

impl Feed {
    fn set(&self, text: &[u8]) {
        let mut cursor = self.0.borrow_mut();
        cursor.set_position(0);
        let bytes = cursor.get_mut();
        bytes.clear();
        bytes.extend_from_slice(text);
        bytes.extend_from_slice(PADDING);
    }
}

/// Follows every game. When its buffer has fewer bytes left than a token may have, pgn-reader moves the rest to the
/// front before every token. A blank line and a long line after the game avoid that. The long line begins with a
/// percent sign because pgn-reader skips such lines fastest.
const PADDING: &[u8] = &{
    let mut padding = [b' '; 300];
    padding[0] = b'\n';
    padding[1] = b'\n';
    padding[2] = b'%';
    padding[299] = b'\n';
    padding
};

impl GameReader {
    pub(crate) fn new() -> GameReader {
        let feed = Feed::default();
        GameReader {
            reader: Reader::new(feed.clone()),
            feed,
            builder: TreeBuilder::new(),
        }
    }

    /// Reads all games of a section: one, or several if those after the first have no tags.
    pub(crate) fn read(&mut self, section: &[u8], mut found: impl FnMut(Reading)) {
        let text = match str::from_utf8(section) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(section).0,
        };
        // Every character of a decoded text was one byte of the section.
        let is_decoded = matches!(text, Cow::Owned(_));
        let encoding = if is_decoded {
            TextEncoding::Windows1252
        } else {
            TextEncoding::Utf8
        };
        if plain::movetext_of(text.as_bytes()).is_some()
            && let Some(mut game) = self.read_plain(&text)
        {
            game.text.encoding = encoding;
            return found(Reading {
                game: Some(game),
                problems: Vec::new(),
            });
        }
        // Places ascend, and there may be many of them, so characters are counted from the last place on.
        let (mut last, mut characters) = (0, 0);
        let mut place = |at: usize| {
            if !is_decoded {
                return at;
            }
            if at < last {
                (last, characters) = (0, 0);
            }
            characters += text[last..at].chars().count();
            last = at;
            characters
        };
        self.read_odd(&text, |mut reading| {
            for (at, _) in &mut reading.problems {
                *at = place(*at);
            }
            if let Some(game) = &mut reading.game {
                game.text.encoding = encoding;
            }
            found(reading);
        });
    }

    /// Reads a plain game with pgn-reader. Returns `None` if there is a problem: to report it, its place is needed.
    fn read_plain(&mut self, text: &str) -> Option<Game> {
        self.feed.set(text.as_bytes());
        let mut visitor = PlainVisitor {
            builder: &mut self.builder,
            comment: Vec::new(),
        };
        let read = self.reader.read_game(&mut visitor);
        match read {
            Ok(Some(Some((tags, outcome)))) => Some(self.builder.finish(tags, outcome)),
            _ => {
                // The rest of this game must not be read as part of the next one.
                *self = GameReader::new();
                None
            }
        }
    }

    /// Reads a section with our own tokenizer.
    fn read_odd(&mut self, text: &str, mut found: impl FnMut(Reading)) {
        let (tags, mut at) = read_tags(text);
        let mut tags = Some(tags).filter(|tags| !tags.is_empty());
        loop {
            let is_tagged = tags.is_some();
            let tags = tags.take().unwrap_or_default();
            let (mut reading, end, is_game) = match setup::read(&tags) {
                Ok(root) => self.read_movetext(text, at, tags, root),
                Err(reason) => {
                    // The rest of the section belongs to that game.
                    let problems = vec![(0, reason)];
                    (Reading { game: None, problems }, text.len(), true)
                }
            };
            if is_tagged || is_game {
                reading.problems.sort_by_key(|(at, _)| *at);
                found(reading);
            }
            if end >= text.len() {
                return;
            }
            at = end;
        }
    }

    /// Reads movetext up to the end of a game. Returns the game, its end, and whether it has a move or a result.
    fn read_movetext(
        &mut self,
        text: &str,
        at: usize,
        tags: Vec<(String, String)>,
        root: Root,
    ) -> (Reading, usize, bool) {
        self.builder.begin(root);
        let mut tokens = Tokens::new(text, at);
        let mut problems = Vec::new();
        let mut outcome = None;
        let mut has_unknown = false;
        while let Some((start, token)) = tokens.next() {
            let word = || text[start..tokens.at()].chars().take(40).collect::<String>();
            match token {
                Token::Move(spelled) => {
                    if let Err(rejected) = self.builder.play(spelled) {
                        problems.push((start, reason(rejected, word())));
                    }
                }
                Token::Nag(nag) => self.builder.nag(nag),
                Token::Comment(comment) => self.builder.comment(comment),
                Token::Open => {
                    if let Err(rejected) = self.builder.open() {
                        problems.push((start, reason(rejected, word())));
                    }
                }
                Token::Close => self.builder.close(),
                Token::Outcome(found) if self.builder.depth() == 0 => {
                    outcome = Some(found);
                    break;
                }
                // A result in a variation does not end the game.
                Token::Outcome(_) => {}
                Token::Unknown => {
                    if !has_unknown {
                        problems.push((start, Reason::UnknownWord { text: word() }));
                    }
                    has_unknown = true;
                }
                Token::Unterminated => {
                    self.builder.comment(&text[start + 1..]);
                    problems.push((start, Reason::UnterminatedComment));
                }
            }
        }
        let is_game =
            self.builder.moves() > 0 || outcome.is_some() || problems.iter().any(|(_, reason)| is_move(reason));
        let outcome = outcome.unwrap_or_else(|| outcome_of(&tags));
        let game = self.builder.finish(tags, outcome);
        (
            Reading {
                game: Some(game),
                problems,
            },
            tokens.at(),
            is_game,
        )
    }
}

/// Whether a problem is about a move. Then the text is a game.
fn is_move(reason: &Reason) -> bool {
    matches!(reason, Reason::IllegalMove { .. } | Reason::AmbiguousMove { .. })
}

fn reason(rejected: Rejected, text: String) -> Reason {
    match rejected {
        Rejected::Move(Refusal::Illegal) => Reason::IllegalMove { text },
        Rejected::Move(Refusal::Ambiguous) => Reason::AmbiguousMove { text },
        Rejected::TooLong => Reason::TooLong,
        Rejected::TooDeep => Reason::TooDeep,
    }
}

/// The outcome of the Result tag, for movetext without a result.
fn outcome_of(tags: &[(String, String)]) -> Outcome {
    match tags
        .iter()
        .rev()
        .find(|(name, _)| name.eq_ignore_ascii_case("Result"))
        .map(|(_, value)| value.trim())
    {
        Some("1-0") => Outcome::White,
        Some("0-1") => Outcome::Black,
        Some("1/2-1/2" | "1/2") => Outcome::Draw,
        _ => Outcome::Unknown,
    }
}

/// Reads the tag lines at the beginning of a text. Returns also the offset of the movetext.
fn read_tags(text: &str) -> (Vec<(String, String)>, usize) {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut end = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if let Some(tag) = tagline::read(line.as_bytes()) {
            // Both are parts of valid UTF-8, divided at ASCII characters.
            let utf8 = |bytes| String::from_utf8_lossy(bytes);
            tags.push((utf8(tag.name).into_owned(), utf8(tag.value).into_owned()));
            end = at;
        } else if !matches!(line.trim().as_bytes().first(), None | Some(b'%' | b';')) {
            break;
        }
    }
    (tags, end)
}

/// Builds a game from the events of pgn-reader. Stops at the first problem.
struct PlainVisitor<'a> {
    builder: &'a mut TreeBuilder,
    /// The parts of a long comment that were read so far.
    comment: Vec<u8>,
}

/// The tags and the outcome of a plain game, or `None` if reading stopped at a problem.
type PlainGame = Option<(Vec<(String, String)>, Outcome)>;

/// Continues after a success, and stops after an error.
fn go<T, E>(result: Result<T, E>) -> ControlFlow<PlainGame> {
    if result.is_ok() {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(None)
    }
}

impl Visitor for PlainVisitor<'_> {
    type Tags = Vec<(String, String)>;
    type Movetext = (Vec<(String, String)>, Option<Outcome>);
    type Output = PlainGame;

    fn begin_tags(&mut self) -> ControlFlow<PlainGame, Self::Tags> {
        ControlFlow::Continue(Vec::with_capacity(16))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<PlainGame> {
        let utf8 = |bytes| String::from_utf8_lossy(bytes).into_owned();
        tags.push((utf8(name), utf8(value.as_bytes())));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<PlainGame, Self::Movetext> {
        match setup::read(&tags) {
            Ok(root) => {
                self.builder.begin(root);
                ControlFlow::Continue((tags, None))
            }
            Err(_) => ControlFlow::Break(None),
        }
    }

    fn san(&mut self, _: &mut Self::Movetext, san: SanPlus) -> ControlFlow<PlainGame> {
        go(self.builder.play(Spelled::from_san(san.san)))
    }

    fn nag(&mut self, _: &mut Self::Movetext, nag: Nag) -> ControlFlow<PlainGame> {
        self.builder.nag(nag.0);
        ControlFlow::Continue(())
    }

    fn partial_comment(&mut self, _: &mut Self::Movetext, comment: RawComment<'_>) -> ControlFlow<PlainGame> {
        self.comment.extend_from_slice(comment.as_bytes());
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: &mut Self::Movetext, comment: RawComment<'_>) -> ControlFlow<PlainGame> {
        let bytes = if self.comment.is_empty() {
            comment.as_bytes()
        } else {
            self.comment.extend_from_slice(comment.as_bytes());
            &self.comment
        };
        let read = str::from_utf8(bytes).map(|comment| self.builder.comment(comment));
        self.comment.clear();
        go(read)
    }

    fn begin_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<PlainGame, Skip> {
        match self.builder.open() {
            Ok(()) => ControlFlow::Continue(Skip(false)),
            Err(_) => ControlFlow::Break(None),
        }
    }

    fn end_variation(&mut self, _: &mut Self::Movetext) -> ControlFlow<PlainGame> {
        self.builder.close();
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, movetext: &mut Self::Movetext, outcome: pgn_reader::Outcome) -> ControlFlow<PlainGame> {
        use shakmaty::{Color, KnownOutcome};
        movetext.1 = Some(match outcome {
            pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner: Color::White }) => Outcome::White,
            pgn_reader::Outcome::Known(KnownOutcome::Decisive { winner: Color::Black }) => Outcome::Black,
            pgn_reader::Outcome::Known(KnownOutcome::Draw) => Outcome::Draw,
            pgn_reader::Outcome::Unknown => Outcome::Unknown,
        });
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, movetext: Self::Movetext) -> PlainGame {
        let (tags, outcome) = movetext;
        Some((tags, outcome?))
    }
}

#[cfg(test)]
mod tests;
