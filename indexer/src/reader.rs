//! From a section of PGN to games: tags, tree, words around it, and what was lost.

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

/// What came of a piece of text that is a game.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The game, unless all of it is skipped.
    pub(crate) game: Option<Game>,
    /// What is wrong, and at which byte of the section.
    pub(crate) problems: Vec<(usize, Reason)>,
}

/// Reads sections; keeps its memory from one to the next.
pub(crate) struct GameReader {
    feed: Feed,
    reader: Reader<Feed>,
    builder: TreeBuilder,
}

/// What pgn-reader reads from: one game at a time.
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

/// Follows every game. pgn-reader moves what it has left to the front of its buffer, token after token, when less is
/// left than a token may have; with a blank line and more than that behind the game, it never does. The line begins
/// with a percent sign because such a line is skipped fastest.
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

    /// Reads all games of a section: one, or several without tags behind it.
    pub(crate) fn read(&mut self, section: &[u8], mut found: impl FnMut(Reading)) {
        let text = match str::from_utf8(section) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(section).0,
        };
        // In a text that was no UTF-8, a character was a byte.
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
        let place = |at: usize| if is_decoded { text[..at].chars().count() } else { at };
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

    /// Lets pgn-reader read a plain game; nothing if there is anything to report, which needs the place.
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
                // Whatever is left of the game must not be read before the next one.
                *self = GameReader::new();
                None
            }
        }
    }

    /// Reads a section token by token.
    fn read_odd(&mut self, text: &str, mut found: impl FnMut(Reading)) {
        let (tags, mut at) = read_tags(text);
        let mut tags = Some(tags).filter(|tags| !tags.is_empty());
        loop {
            let is_tagged = tags.is_some();
            let tags = tags.take().unwrap_or_default();
            let (mut reading, end, is_game) = match setup::read(&tags) {
                Ok(root) => self.read_movetext(text, at, tags, root),
                Err(reason) => {
                    // The rest of the section is that game's, whatever it holds.
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

    /// Reads movetext up to the end of a game. Gives what came of it, where it ends, and whether it has a move or a
    /// result.
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
                // A result in a variation is only an opinion.
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

/// Whether a problem is about a move, so that the text is more than a comment.
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

/// The outcome that the tag says, for movetext that says none.
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

/// Reads the tag lines that a text begins with; gives where the movetext begins.
fn read_tags(text: &str) -> (Vec<(String, String)>, usize) {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut end = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if let Some(tag) = tagline::read(line.as_bytes()) {
            // Both are cut from a text at ASCII characters.
            let utf8 = |bytes| String::from_utf8_lossy(bytes);
            tags.push((utf8(tag.name).into_owned(), utf8(tag.value).into_owned()));
            end = at;
        } else if !matches!(line.trim().as_bytes().first(), None | Some(b'%' | b';')) {
            break;
        }
    }
    (tags, end)
}

/// Builds a game from what pgn-reader reads; breaks off when there is something to report.
struct PlainVisitor<'a> {
    builder: &'a mut TreeBuilder,
    /// The first pieces of a long comment.
    comment: Vec<u8>,
}

/// What a plain game is but for its tree; nothing if the reading broke off.
type PlainGame = Option<(Vec<(String, String)>, Outcome)>;

/// Goes on, or breaks off.
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
