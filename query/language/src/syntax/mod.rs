//! Text to tokens: both spellings of CQL 6.2, ASCII and Unicode, and the way from one to the other.
//!
//! The lexer never fails: it gives the tokens that it could make and a diagnostic for everything else.

mod convert;
mod keyword;
mod lexer;
mod symbol;
mod token;

pub use convert::{to_ascii, to_unicode};
pub use keyword::Keyword;
pub(crate) use lexer::balance;
pub(crate) use lexer::designator::{men_of_letter, squares};
pub use lexer::{Lexed, lex};
pub use symbol::{Symbol, UnicodeMeaning, unicode_meaning};
pub use token::{DashToken, Token, TokenKind};
