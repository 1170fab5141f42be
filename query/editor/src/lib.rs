//! What an editor of CQL shows of a text: colors, errors, documentation, completions, names and where they stand.
//!
//! The language server and the page of the web server both ask here. In reading order: `reference` takes the documentation of
//! words from the reference, with `examples`; `pieces` and `names` read a text; `document` holds what was read; `hover`,
//! `complete` and `rename` answer for a place. `places` and `lines` translate places.
//!
//! ```
//! use editor::Document;
//! use language::Dialect;
//!
//! let document = Document::new("rook = R rook attacks ", Dialect::Auto);
//! assert_eq!(document.hover(15).expect("it is a word").forms[0].form, "S attacks T, S -> T");
//! assert_eq!(document.rename(0, "piece1").expect("it can have this name").len(), 2);
//! let completions = document.complete(22, &|_, _| Vec::new());
//! assert!(completions.items.iter().any(|item| item.label == "rook"));
//! assert!(completions.items.iter().all(|item| item.label != "mate"));
//! ```

mod complete;
mod document;
mod examples;
mod hover;
mod lines;
mod men;
mod names;
mod pieces;
mod places;
mod quoted;
mod reference;
mod rename;

pub use complete::{Completion, CompletionKind, Completions, Offered};
pub use document::Document;
pub use hover::Hover;
pub use lines::{Encoding, LineColumn, Lines};
pub use names::{Name, NameKind};
pub use pieces::{Class, Piece};
pub use places::Places;
pub use quoted::Quoted;
pub use reference::{Entry, Form, entry, words};
pub use rename::RenameError;
