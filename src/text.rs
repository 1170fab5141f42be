//! The text of a query: its tokens, its other spelling, and its translation from older dialects.

use std::borrow::Cow;
use std::ops::Range;

use language::Dialect;
use language::syntax::{self, TokenKind};

use crate::error::QueryError;

/// Writes a query in ASCII; nothing else about the text changes.
///
/// ```
/// assert_eq!(cqldex::to_ascii("\u{265a}a1")?, "ka1");
/// # Ok::<(), cqldex::Error>(())
/// ```
///
/// # Errors
///
/// When the text can't be cut into tokens.
pub fn to_ascii(text: &str) -> Result<String, QueryError> {
    syntax::to_ascii(text).map_err(|diagnostic| QueryError::new(Cow::Borrowed(text), vec![diagnostic]))
}

/// Writes a query with its Unicode symbols; nothing else about the text changes.
///
/// ```
/// assert_eq!(cqldex::to_unicode("ka1")?, "\u{265a}a1");
/// # Ok::<(), cqldex::Error>(())
/// ```
///
/// # Errors
///
/// When the text can't be cut into tokens.
pub fn to_unicode(text: &str) -> Result<String, QueryError> {
    syntax::to_unicode(text).map_err(|diagnostic| QueryError::new(Cow::Borrowed(text), vec![diagnostic]))
}

/// How a query is laid out.
#[doc(inline)]
pub use language::Layout;

/// Lays out a query in CQL 6.2 in one good way. Only white space changes, and with [`Layout::unicode`] the spelling; comments
/// stay where they are.
///
/// ```
/// use cqldex::{Layout, format_query};
///
/// assert_eq!(format_query("flip{Kg1   Bd3}", Layout::default())?, "flip { Kg1 Bd3 }\n");
/// # Ok::<(), cqldex::Error>(())
/// ```
///
/// # Errors
///
/// When the text is no query in CQL 6.2.
pub fn format_query(text: &str, layout: Layout) -> Result<String, QueryError> {
    language::format(text, layout).map_err(|diagnostics| QueryError::new(Cow::Borrowed(text), diagnostics))
}

/// Writes a query of any dialect in CQL 6.2; a query of CQL 6 stays as it is.
///
/// ```
/// use cqldex::{Dialect, translate};
///
/// let query = translate("(match (position Rc3 qg3))", Dialect::Auto)?;
/// assert!(query.contains("Rc3") && query.starts_with("cql("));
/// # Ok::<(), cqldex::Error>(())
/// ```
///
/// # Errors
///
/// When the text is no query, or has something that CQL 6.2 can't say.
pub fn translate(text: impl AsRef<[u8]>, dialect: Dialect) -> Result<String, QueryError> {
    let bytes = text.as_ref();
    let translated = language::dialect::translate_bytes(bytes, dialect);
    translated.map_err(|diagnostics| QueryError::new(String::from_utf8_lossy(bytes), diagnostics))
}

/// The words that can stand after the filter `hhdb`, and whether they are written between quotation marks.
///
/// ```
/// assert!(cqldex::hhdb_keywords().contains(&("(c)", true)));
/// ```
pub fn hhdb_keywords() -> Vec<(&'static str, bool)> {
    language::hhdb_keywords()
}

/// The reserved words of CQL 6.2, in the order of the alphabet.
///
/// ```
/// assert!(cqldex::keywords().any(|word| word == "attacks"));
/// ```
pub fn keywords() -> impl Iterator<Item = &'static str> {
    syntax::Keyword::ALL.iter().map(|keyword| keyword.text())
}

/// A token of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Token {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What colors it has in an editor.
    pub class: TokenClass,
    /// The name of its kind.
    pub name: String,
}

/// What a token is to people who read a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TokenClass {
    /// A word of the language, or the `///` comment of a line.
    Keyword,
    /// A piece designator such as `[QR]a-h5`.
    Designator,
    /// A move operator, `--` or `[x]`.
    Dash,
    /// A name that the query has chosen.
    Name,
    /// A number.
    Number,
    /// Everything else: strings and punctuation.
    Other,
}

/// The tokens of a text, and what is wrong with it, if it can't be cut into tokens whole.
///
/// ```
/// use cqldex::TokenClass;
///
/// let (tokens, error) = cqldex::tokens("flip Kg1");
/// assert!(error.is_none());
/// assert_eq!((tokens[0].class, tokens[0].range.clone()), (TokenClass::Keyword, 0..4));
/// ```
pub fn tokens(text: &str) -> (Vec<Token>, Option<QueryError>) {
    let lexed = syntax::lex(text);
    let token = |token: &syntax::Token| {
        let debug = format!("{:?}", token.kind);
        let name = debug.split(|letter: char| !letter.is_alphanumeric()).next();
        Token {
            range: token.span.range(),
            class: class(&token.kind),
            name: name.unwrap_or_default().to_owned(),
        }
    };
    let tokens = lexed.tokens.iter().map(token).collect();
    let error = (!lexed.errors.is_empty()).then(|| QueryError::new(Cow::Borrowed(text), lexed.errors));
    (tokens, error)
}

fn class(kind: &TokenKind) -> TokenClass {
    match kind {
        TokenKind::Keyword(_) | TokenKind::LineComment => TokenClass::Keyword,
        TokenKind::Designator(_) | TokenKind::PieceDeclaration => TokenClass::Designator,
        TokenKind::Dash(_) => TokenClass::Dash,
        TokenKind::Identifier(_) => TokenClass::Name,
        TokenKind::Number(_) => TokenClass::Number,
        _ => TokenClass::Other,
    }
}
