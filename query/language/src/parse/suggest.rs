//! Unknown names: what was probably meant, and what to write instead.

use super::extension::Extension;
use super::{Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::span::Span;
use crate::syntax::{self, Keyword, Symbol};

/// How similar two words have to be for one to be suggested for the other.
const SIMILAR: f64 = 0.8;

/// Words of older dialects that CQL 6 reads as names, with what to write.
const OLD_WORDS: &[(&str, &str, &str)] = &[
    (
        "relation",
        "CQL 5",
        "write `echo (source target)` with `source & target` in it; or ask for the CQL 5 dialect",
    ),
    ("next", "CQL 5", "write `line --> F --> G`, or `path` with moves"),
    ("skip", "CQL 5", "write a constituent with a wildcard, such as `.*`"),
    ("countsquares", "CQL 5", "write `#` before the set"),
    ("attackcount", "CQL 5", "write `#(A attacks B)`"),
    ("lightsquares", "CQL 5", "write `light .`"),
    ("darksquares", "CQL 5", "write `dark .`"),
    ("countmatches", "CQL 5", "write `find count F`"),
    ("tomove", "CQL 5", "write `wtm` or `btm`, or compare `sidetomove`"),
    (
        "sourceposition",
        "CQL 6.0",
        "name the positions in `echo (source target)`",
    ),
    (
        "targetposition",
        "CQL 6.0",
        "name the positions in `echo (source target)`",
    ),
    ("on", "CQL 5", "write `&`"),
    ("match", "CQL 5", "count the squares of `source & target` inside `echo`"),
    (
        "mismatch",
        "CQL 5",
        "count the squares of `~(source & target)` inside `echo`",
    ),
    ("echoflip", "CQL 5", "compare positions inside `echo`"),
    ("echoshift", "CQL 5", "compare positions inside `echo`"),
    ("piecename_in", "CQL 5", "write `piece x in S`"),
    ("any", "CQL 5", "write `.`"),
];

/// Words of other languages and of chess, with what to write.
const OTHER_WORDS: &[(&str, &str)] = &[
    (
        "for",
        "a loop is `square x in S F` over squares, `piece x in S F` over pieces",
    ),
    (
        "foreach",
        "a loop is `square x in S F` over squares, `piece x in S F` over pieces",
    ),
    ("forall", "write `square all x in S F` or `piece all x in S F`"),
    ("exists", "write `square x in S F` or `piece x in S F`"),
    (
        "return",
        "the value of a list in braces is that of its last filter; leave the word out",
    ),
    ("var", "a variable is made by its first assignment: `x = 3`"),
    ("let", "a variable is made by its first assignment: `x = 3`"),
    ("set", "a variable is made by its first assignment: `x = 3`"),
    ("def", "write `function f(x y) { ... }`"),
    ("fn", "write `function f(x y) { ... }`"),
    ("func", "write `function f(x y) { ... }`"),
    ("elif", "write `else if C then F`"),
    ("elseif", "write `else if C then F`"),
    ("endif", "`if C then F` needs no end; braces go around several filters"),
    ("end", "braces go around several filters: `{ ... }`"),
    ("begin", "braces go around several filters: `{ ... }`"),
    ("xor", "write `(C and not D) or (D and not C)`"),
    (
        "select",
        "a query is only its conditions; write them one behind the other",
    ),
    ("where", "conditions stand one behind the other; leave the word out"),
    (
        "like",
        "a text is searched directly: `player \"Tal\"`; `~~` takes a regular expression",
    ),
    (
        "contains",
        "write `\"text\" in STRING`, or `A in B` for sets of squares",
    ),
    ("matches", "write `~~` and a regular expression"),
    ("ge", "write `>=`"),
    ("le", "write `<=`"),
    ("gt", "write `>`"),
    ("lt", "write `<`"),
    ("eq", "write `==`"),
    ("ne", "write `!=`"),
    ("is", "write `==` to compare, or only the condition"),
    ("equals", "write `==`"),
    ("squares", "all squares are `.`"),
    (
        "pieces",
        "all pieces are `[Aa]`, the white ones `A`, the black ones `a`",
    ),
    ("row", "a rank is written `a-h7`; `rank S` is the number of a rank"),
    ("column", "a file is written `d1-8`; `file S` is the number of a file"),
    ("pawn", "a white pawn is `P`, a black one `p`"),
    ("pawns", "white pawns are `P`, black ones `p`"),
    ("knight", "a white knight is `N`, a black one `n`"),
    ("bishop", "a white bishop is `B`, a black one `b`"),
    ("rook", "a white rook is `R`, a black one `r`"),
    ("queen", "a white queen is `Q`, a black one `q`"),
    ("king", "the white king is `K`, the black one `k`"),
    ("checkmate", "write `mate`"),
    ("draw", "write `result 1/2-1/2`"),
    ("win", "write `result 1-0` or `result 0-1`"),
    ("whitetomove", "write `wtm`"),
    ("blacktomove", "write `btm`"),
    ("null", "an empty set is `[]`"),
    ("none", "an empty set is `[]`"),
    ("nil", "an empty set is `[]`"),
    ("piececount", "write `#` before the set: `#[Aa] == 4`"),
    ("count", "write `#` before the set: `#[Aa] == 4`"),
    ("opening", "write `eco` or `event` with a text, or the moves"),
    ("rating", "write `elo`, `elo white` or `elo black`"),
];

/// The letters of pieces in German, French, Spanish and their neighbours.
const OTHER_LETTERS: &[(char, char, &str)] = &[
    ('T', 'R', "rook"),
    ('D', 'Q', "queen"),
    ('L', 'B', "bishop"),
    ('F', 'B', "bishop"),
    ('S', 'N', "knight"),
    ('C', 'N', "knight"),
];

/// What stands before a text that is not in quotation marks.
fn wants_text(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Player | K::Event | K::Site | K::Date | K::Eco | K::Tag | K::Comment | K::Message | K::Originalcomment
    )
}

impl Parser<'_> {
    /// The error for an unknown name.
    pub(super) fn unknown(&self, name: &str, span: Span) -> Box<Diagnostic> {
        let message = format!("no filter or variable is called `{name}`");
        if let Some((_, dialect, instead)) = OLD_WORDS.iter().find(|(word, ..)| *word == name) {
            let diagnostic = Diagnostic::new(Code::OtherDialect, span, message).label(format!("a word of {dialect}"));
            return Box::new(diagnostic.help(*instead));
        }
        let diagnostic = Diagnostic::new(Code::UnknownName, span, message);
        let is_call = self
            .peek_ahead(1)
            .is_some_and(|next| next.is(Symbol::LeftParen) && next.span.start == span.end);
        if let Some((_, instead)) = OTHER_WORDS.iter().find(|(word, _)| name.eq_ignore_ascii_case(word)) {
            return Box::new(diagnostic.help(*instead));
        }
        if let Some(castling) = self.castling(name, span) {
            return Box::new(
                diagnostic
                    .help("castling is `o-o` and `o-o-o`, in small letters")
                    .fix(castling),
            );
        }
        if let Some((instead, why)) = self.written_otherwise(name) {
            let fix = Fix::replace(format!("write `{instead}`"), span, instead);
            return Box::new(diagnostic.help(why).fix(fix));
        }
        if let Some(nearest) = self.nearest(name) {
            let fix = Fix::replace(format!("write `{nearest}`"), span, nearest);
            return Box::new(diagnostic.label(format!("did you mean `{nearest}`?")).fix(fix));
        }
        Box::new(match self.no_square(name) {
            Some(why) => diagnostic.help(why),
            None if is_call => diagnostic.help(format!(
                "a function is defined before it is called: `function {name}(x) {{ ... }}`"
            )),
            None if self.peek_ahead(1).is_some_and(|next| next.is(Symbol::LeftBracket)) => {
                let fix = self.peek().and_then(|token| self.blanks_fix(token));
                let diagnostic = diagnostic.maybe_fix(fix);
                let is_piece = matches!(
                    name,
                    "K" | "Q" | "R" | "B" | "N" | "P" | "k" | "q" | "r" | "b" | "n" | "p"
                );
                diagnostic.help(match is_piece || matches!(name, "A" | "a") {
                    true => {
                        "squares in brackets hold no blanks, and no ranges from square to square: `R[a1,b2]`, `Ra1-8`"
                            .to_owned()
                    }
                    false => format!("a dictionary is declared before it is used: `dictionary {name}`"),
                })
            }
            None => diagnostic.help("a variable has to be assigned before it is read"),
        })
    }

    /// What a name would be in the spelling of CQL, and why.
    fn written_otherwise(&self, name: &str) -> Option<(String, String)> {
        if let Some(keyword) = Keyword::from_text(&name.to_ascii_lowercase()) {
            let word = keyword.text().to_owned();
            let why = format!("words are written in small letters: `{word}`");
            return Some((word, why));
        }
        let before = self.position.checked_sub(1).and_then(|index| self.tokens.get(index));
        let side = before.is_some_and(|token| matches!(token.keyword(), Some(Keyword::White | Keyword::Black)));
        let earlier = self
            .position
            .checked_sub(2)
            .and_then(|index| self.tokens.get(index))
            .filter(|_| side);
        let opens_text = |token: &syntax::Token| token.keyword().is_some_and(wants_text);
        if before.is_some_and(opens_text) || earlier.is_some_and(opens_text) || self.is_compared_text() {
            let quoted = format!("\"{name}\"");
            return Some((quoted, "a text stands in quotation marks".to_owned()));
        }
        if let Some(capture) = capture(name) {
            let why = format!("a capture is written `{capture}`");
            return Some((capture, why));
        }
        let is_key = self.peek_ahead(1).is_some_and(|next| next.is(Symbol::LeftBracket));
        if let Some((instead, role)) = other_letter(name).filter(|_| !is_key) {
            return Some((
                instead,
                format!("pieces have English letters: a {role} is `{}`", role_letter(role, name)),
            ));
        }
        if let Some(pieces) = as_pieces(name) {
            let why = format!("piece letters side by side need brackets: `{pieces}`");
            return Some((pieces, why));
        }
        let parts = as_designators(name)?;
        let why = format!("put a blank between: `{parts}`");
        Some((parts, why))
    }

    /// Writes castling in small letters.
    fn castling(&self, name: &str, span: Span) -> Option<Fix> {
        let rest = self.text.get(span.range().start..)?;
        let written = ["O-O-O", "O-O"]
            .into_iter()
            .find(|written| name == "O" && rest.starts_with(written))?;
        let start = span.start as usize;
        let small = written.to_ascii_lowercase();
        let span = Span::new(start, start + written.len());
        Some(Fix::replace(format!("write `{small}`"), span, small))
    }

    /// Whether the name is compared with the name of a player or its like.
    fn is_compared_text(&self) -> bool {
        let token = |back: usize| self.position.checked_sub(back).and_then(|index| self.tokens.get(index));
        let compares = token(1).is_some_and(|token| token.is(Symbol::EqualEqual) || token.is(Symbol::Matches));
        let is_text = |back: usize| token(back).and_then(syntax::Token::keyword).is_some_and(wants_text);
        compares && (is_text(2) || is_text(3))
    }

    /// Why a name that looks like a square is none.
    fn no_square(&self, name: &str) -> Option<String> {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let (piece, square) = match letters.len() {
            1 => ("", name),
            2 => name.split_at(1),
            _ => return None,
        };
        let is_piece = piece.chars().all(|c| "AaKQRBNPkqrbnp_".contains(c));
        let is_like_square = matches!(square.as_bytes(), [b'a'..=b'z', b'0'..=b'9']);
        let is_square = matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
        (is_piece && is_like_square && !is_square)
            .then(|| format!("`{square}` is no square: files go from `a` to `h`, ranks from `1` to `8`"))
    }

    /// The known word or name that is most similar.
    pub(super) fn nearest(&self, name: &str) -> Option<&str> {
        let words = Keyword::ALL.iter().filter(|keyword| **keyword != Keyword::Attacked);
        let words = words.map(|keyword| keyword.text());
        let words = words.chain(Extension::words().filter(|_| !self.strict));
        let known = words.chain(self.scope.names());
        let lower = name.to_ascii_lowercase();
        let rated = known.filter(|known| !known.contains('#')).map(|known| {
            let rating = strsim::normalized_damerau_levenshtein(&lower, &known.to_ascii_lowercase());
            (rating, known)
        });
        let best = rated.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))?;
        (best.0 >= SIMILAR || best.0 > 0.65 && name.len() >= 5).then_some(best.1)
    }
}

/// `Nxe5` in the spelling of CQL.
fn capture(name: &str) -> Option<String> {
    let (left, right) = name.split_once('x')?;
    let is_designator = |text: &str| text.is_empty() || is_designator(text);
    (!right.is_empty() && is_designator(left) && is_designator(right)).then(|| format!("{left}[x]{right}"))
}

/// A designator with the letter of another language, in English letters.
fn other_letter(name: &str) -> Option<(String, &'static str)> {
    let first = name.chars().next()?;
    let (letter, english, role) = OTHER_LETTERS
        .iter()
        .find(|(letter, ..)| first.eq_ignore_ascii_case(letter))?;
    let own = if first == *letter {
        *english
    } else {
        english.to_ascii_lowercase()
    };
    let instead = format!("{own}{}", &name[1..]);
    let is_meant = (name.len() > 1 || first.is_ascii_uppercase()) && is_designator(&instead);
    is_meant.then_some((instead, role))
}

/// The English letter of a role, as large as the first letter of a name.
fn role_letter(role: &str, name: &str) -> char {
    let letter = OTHER_LETTERS
        .iter()
        .find(|(.., other)| *other == role)
        .map_or('P', |(_, english, _)| *english);
    match name.starts_with(|c: char| c.is_ascii_lowercase()) {
        true => letter.to_ascii_lowercase(),
        false => letter,
    }
}

/// Whether the whole text is one designator.
fn is_designator(text: &str) -> bool {
    let lexed = syntax::lex(text);
    lexed.errors.is_empty() && matches!(&lexed.tokens[..], [token] if matches!(token.kind, TokenKind::Designator(_)))
}

/// A name that was probably meant as several pieces.
fn as_pieces(name: &str) -> Option<String> {
    let cut = match name.as_bytes() {
        [.., b'a'..=b'h', b'1'..=b'8'] => name.len() - 2,
        _ => name.trim_end_matches(|c: char| ('1'..='8').contains(&c)).len(),
    };
    let (letters, square) = name.split_at(cut);
    let is_meant = letters.len() > 1 && letters.chars().all(|c| "AaKQRBNPkqrbnp_".contains(c));
    // `Bar` and `kbn` are words as well; nobody means ten pieces.
    (is_meant && letters.len() <= 6).then(|| format!("[{letters}]{square}"))
}

/// A name that was probably meant as several designators: `Ra1Rb1`.
fn as_designators(name: &str) -> Option<String> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let end = (1..=rest.len().min(3)).rev().filter(|end| rest.is_char_boundary(*end));
        let length = end.into_iter().find(|end| is_designator(&rest[..*end]) && *end > 1)?;
        parts.push(&rest[..length]);
        rest = &rest[length..];
    }
    (parts.len() > 1).then(|| parts.join(" "))
}
